"""Names and paths of a spec: what is a safe C++ and Python identifier, what is a safe file path, snake case."""

from __future__ import annotations

import re
from functools import lru_cache

from opkg.spec.dtypes import DTYPES

IDENTIFIER = r"[A-Za-z][A-Za-z0-9_]*"
OP_NAME = rf"{IDENTIFIER}(\.[A-Za-z0-9_]+)*"
PACKAGE_NAME = r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*"
MAX_NAME = 64

_CPP = """
alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case
catch char char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast
continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public reflexpr register reinterpret_cast requires return short signed
sizeof static static_assert static_cast struct switch synchronized template this thread_local throw true try
typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
_PYTHON = """
False None True and as assert async await break class continue def del elif else except finally for from
global if import in is lambda nonlocal not or pass raise return try while with yield
"""
# Macros of the C library and of compilers that would rewrite such a name.
_MACROS = """
NULL EOF INFINITY NAN BUFSIZ RAND_MAX assert errno stdin stdout stderr offsetof setjmp va_start va_end va_arg signbit
isnan isinf isfinite unix linux hexagon DEBUG NDEBUG
"""
# Words that generated code uses in the same scope as the spec's names.
_OURS = "std opkg qnn qhpi hnnx main name when op package"

PYTHON_KEYWORDS = frozenset(_PYTHON.split())
CPP_WORDS = frozenset((*_CPP.split(), *_MACROS.split()))  # that no function can have as its name
RESERVED: dict[str, str] = {
    **dict.fromkeys(_OURS.split(), "a word of the generated code"),
    **dict.fromkeys(_MACROS.split(), "a C macro"),
    **dict.fromkeys(_PYTHON.split(), "a Python keyword"),
    **dict.fromkeys(_CPP.split(), "a C++ keyword"),
    **dict.fromkeys(DTYPES, "an element type"),
}
_PREFIXES = ("opkg_", "qhpi_", "qnn_", "QHPI_", "QNN_", "Qnn")

_IDENTIFIER = re.compile(IDENTIFIER)
_OP = re.compile(OP_NAME)
_PACKAGE = re.compile(PACKAGE_NAME)
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*|[0-9]+")
_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


@lru_cache(maxsize=4096)  # parts of a target ask again and again
def snake(name: str) -> str:
    """`SpaceToDepth` -> `space_to_depth`, `LSTMCell` -> `lstm_cell`, `Pool.tcm` -> `pool_tcm`: stem of generated names."""
    return "_".join([part for piece in name.replace(".", "_").split("_") for part in _WORD.findall(piece)]).lower()


def name_fault(name: str) -> tuple[str, str, str] | None:
    """Why `name` cannot name anything in a spec: (diagnostic id, message, hint); None when it can."""
    if not _IDENTIFIER.fullmatch(name):
        hint = "letters, digits and _, a letter first"
        fixed = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
        if _IDENTIFIER.fullmatch(fixed) and fixed not in RESERVED:
            hint += f": '{fixed}'"
        return "OPK150", f"'{name}' is no name", hint
    if len(name) > MAX_NAME:
        return "OPK150", f"a name has at most {MAX_NAME} characters, this one {len(name)}", "shorten it"
    why = RESERVED.get(name)
    if why is None and "__" in name:
        why = "reserved in C++ (two underscores)"
    if why is None and name.startswith(_PREFIXES):
        why = "reserved for generated code"
    if why is not None:
        return "OPK151", f"'{name}' is {why}", f"for example '{name.rstrip('_')}_value'"
    return None


def op_name_fault(name: str) -> tuple[str, str, str] | None:
    """Why `name` cannot name an op; like `name_fault`, but dots may join words: `wkv7.fp16.flat.tcm`."""
    if "." not in name:
        return name_fault(name)
    if not _OP.fullmatch(name):
        fixed = ".".join(part for part in re.sub(r"[^A-Za-z0-9_.]+", "_", name).split(".") if part.strip("_"))
        hint = "letters, digits, _ and dots between them, a letter first"
        return "OPK150", f"'{name}' is no name", f"{hint}: '{fixed}'" if _OP.fullmatch(fixed) else hint
    fault = name_fault(name.replace(".", "_"))
    return (fault[0], fault[1].replace(f"'{name.replace('.', '_')}'", f"'{name}'", 1), fault[2]) if fault else None


def package_faults(name: str) -> list[tuple[str, str, str]]:
    """Why `name` cannot name a package: (diagnostic id, message, hint) of each fault; C++, Python and paths carry it."""
    if not _PACKAGE.fullmatch(name) or len(name) > MAX_NAME or "__" in name.replace(".", "_"):
        fixed = re.sub(r"[^a-z0-9.]+", "_", name.lower()).strip("._")
        hint = "dotted lower-case words: acme.vision"
        if _PACKAGE.fullmatch(fixed) and len(fixed) <= MAX_NAME:
            hint = f"for example '{fixed}'"
        return [("OPK150", f"'{name[:80]}' is no package name", hint)]
    words = [word for word in name.split(".") if word in RESERVED]
    return [("OPK151", f"'{word}' is {RESERVED[word]}", f"for example '{word}_ops'") for word in words]


def path_fault(path: str) -> str:
    """Why `path` is no safe path of a file below the project root; empty text when it is one."""
    if not path:
        return "is empty"
    if "\\" in path:
        return "has a backslash"
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path):
        return "is not relative to the project"
    if len(path) > 200:
        return "is longer than 200 characters"
    for segment in path.split("/"):
        if segment == "..":
            return "leaves the project with '..'"
        if not _SEGMENT.fullmatch(segment) or segment.endswith("."):
            return f"has the part '{segment}', which is not of letters, digits and _ . + -"
        if _DEVICES.fullmatch(segment):
            return f"has the part '{segment}', a device name on Windows"
    return ""
