"""The text of a C++ file of a package as a kernel file of the new one: without what registers, with the calls that opkg makes."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence

from opkg.imports.cpp_definitions import closing, dead
from opkg.imports.cpp_report import Source
from opkg.imports.cpp_source import without_comments
from opkg.spec.diagnostics import Diagnostic, Span, warning

_FRAMES = (
    "BEGIN_PKG_OP_DEFINITION", "END_PKG_OP_DEFINITION", "INIT_PACKAGE_OP_DEF", "INIT_PACKAGE_OPTIMIZATION_DEF",
    "INIT_PACKAGE_PARAM_ORDER_DEF", "DEF_TENSOR_PROPERTIES", "DEF_PACKAGE_PARAM_ORDER", "DEF_PACKAGE_OP",
    "DEF_PACKAGE_OP_AND_COST_AND_FLAGS", "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS", "DEF_PACKAGE_OPTIMIZATION",
    "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "DEF_OPTIM", "DEF_OPT", "DEF_AUTOSPLIT", "DEF_OP", "REGISTER_OP",
)  # fmt: skip
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"\n]+)[>\"][^\n]*\n?", re.MULTILINE)
_OF_SDK = re.compile(r"(HTP/|Qnn|HAP_farf\.h$|qnn/)")
_DEFAULT = re.compile(
    r"^[ \t]*(?:\[\[\w+\]\]\s*)?(?:(?:static|const|constexpr)\s+)*Qnn_(?:Scalar|Param|Tensor)_t\s+\w+\s*(?=[={])",
    re.MULTILINE,
)
# names that stand for something a kernel of a spec has no counterpart of
_FOREIGN = re.compile(
    r"\b(Qnn_\w+|QnnOpPackage\w*|OpRef|OpDef|Constraint|Replacement|Split_Context|QuickShape|op_slice_spec|GraphHandle|hnnx|"
    r"qhmath_\w+|qurt_\w+|HAP_\w+|dspqueue\w*|[Tt]hread_?[Pp]ool\w*)\b"
)
_HVX = re.compile(r"\b(HVX_\w+|Q6_\w+|vmemu?|l2fetch|vstu_variable|q6op_\w+)\b")
HVX_HEADER = "hvx_internal.h"
# functions of costs, registered or not: they take the SDK's own node of a graph
_COST = re.compile(r"\b(\w+)\s*\(\s*(?:const\s+Op|Op\s+const)\s*[*&]\s*\w*\s*\)")
_MARK = r"(?:\[\[\w+\]\]\s*|__attribute__\s*\(\(\w+\)\)\s*)*"  # before a declaration


def carried_text(source: Source, remove: Iterable[str] = (), kernels: Collection[str] = ()) -> str:
    """The file's text without includes of the SDK, without what registers ops, params, properties and rules, and without the
    functions `remove` (those of costs and rules) and what only they use; `kernels`: functions that stay."""
    text = source.text
    spans = [(item.start, item.end) for item in source.document.items if item.text.text == source.text]
    spans += [*_calls(source.code, (*_FRAMES, *_wrappers(source.code))), *_defaults(source.code), *_macros(source.code)]
    costs = (found[1] for found in _COST.finditer(source.code))
    spans += [span for name in dict.fromkeys((*remove, *costs)) for span in _function(source.code, name)]
    spans += [m.span() for m in _INCLUDE.finditer(source.code) if _OF_SDK.match(m[2])]
    spans += dead(source.code, _merged(spans), kernels)
    for start, end in sorted(_merged(spans), reverse=True):
        after = re.compile(r"[ \t]*;?[ \t]*\n?").match(text, end)
        begin = start if text[:start].rstrip(" \t")[-1:] not in ("\n", "") else len(text[:start].rstrip(" \t"))
        text = text[:begin] + text[after.end() if after is not None else end :]
    text = re.sub(r"^[ \t]*#[ \t]*if[^\n]*\n\s*#[ \t]*endif[^\n]*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", without_idle_includes(text)).strip("\n") + "\n"


# standard headers that other parts of a package wanted -> what a kernel file uses of them
_STANDARD = {
    "string": r"std::(?:to_)?string", "iostream": r"std::c(?:out|err|log)", "sstream": r"std::\w*stringstream",
    "fstream": r"std::[io]?fstream", "vector": r"std::vector", "memory": r"_ptr\b", "functional": r"std::(?:function|ref|bind)",
    "array": r"std::array", "map": r"std::(?:multi)?map", "unordered_map": r"std::unordered_", "mutex": r"std::\w*(?:mutex|lock)",
}  # fmt: skip


def without_idle_includes(text: str) -> str:
    """The text without standard headers of which it uses nothing: compilers for Hexagon may not have them."""
    for name, used in _STANDARD.items():
        if re.search(used, text) is None:
            text = re.sub(rf"^[ \t]*#[ \t]*include[ \t]*<{name}>[^\n]*\n", "", text, flags=re.MULTILINE)
    return text


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _calls(code: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """Places of macro calls outside of directives."""
    pattern = re.compile(rf"^(?![ \t]*#)[^\n]*?\b({'|'.join(map(re.escape, names))})\s*(?=\()", re.MULTILINE)
    out = []
    for found in pattern.finditer(code):
        out.append((found.start(1), closing(code, found.end())))
    return out


def _wrappers(code: str) -> list[str]:
    """Macros of the file that stand for registrations or rules."""
    out: list[str] = []
    for found in _definitions(code):
        if any(re.search(rf"\b{word}\b", found[0].partition(found[1])[2]) for word in (*_FRAMES, *out)):
            out.append(found[1])
    return out


def _definitions(code: str) -> list[re.Match[str]]:
    return list(re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\n|[^\n])*\n?", code, re.MULTILINE))


def _macros(code: str) -> list[tuple[int, int]]:
    wrappers = _wrappers(code)
    return [found.span() for found in _definitions(code) if found[1] in wrappers]


def _defaults(code: str) -> list[tuple[int, int]]:
    """Places of objects that hold defaults of params, to the semicolon."""
    out = []
    for found in _DEFAULT.finditer(code):
        at = found.end()
        while at < len(code) and code[at] != ";":
            at = closing(code, at) if code[at] in "({" else at + 1
        out.append((found.start(), min(at + 1, len(code))))
    return out


def _function(code: str, name: str) -> list[tuple[int, int]]:
    """Places of a function's declarations and definitions."""
    pattern = rf"^[ \t]*{_MARK}(?:[\w:]+[\s&*]+)+{re.escape(name)}\s*(?=\()"
    out = []
    for found in re.finditer(pattern, code, re.MULTILINE):
        end = closing(code, found.end())
        body = re.compile(r"\s*(?:noexcept\s*)?([;{])").match(code, end)
        if body is not None:
            out.append((found.start(), body.end() if body[1] == ";" else closing(code, body.end() - 1)))
    return out


def functions_named(source: Source, name: str) -> list[str]:
    """The definitions of a function, each as one that a header can have."""
    out = []
    for start, end in _function(source.code, name):
        text = source.text[start:end].strip()
        if text.endswith("}"):
            out.append(
                text
                if re.match(r"(?:\[\[\w+\]\]\s*)?(?:\w+\s+)*(?:static|inline|template)\b", text)
                else f"inline {text}"
            )
    return out


def needs_hvx(text: str) -> bool:
    """Whether code uses vectors."""
    return _HVX.search(without_comments(text)) is not None


def local_includes(source: Source) -> list[tuple[str, Span]]:
    """Names of headers in quotes that are no SDK's, with their places."""
    known = ("hexagon_types.h", "hexagon_protos.h", "hvx_hexagon_protos.h", HVX_HEADER, "qhmath_hvx.h")
    folder = os.path.dirname(source.path)
    out = []
    for found in _INCLUDE.finditer(source.code):
        if (
            found[1] == '"'
            and not _OF_SDK.match(found[2])
            and (found[2] not in known or os.path.isfile(os.path.join(folder, found[2])))
        ):
            line = source.code.count("\n", 0, found.start(2)) + 1
            out.append((found[2], Span(source.path, line, 1, line, 2)))
    return out


def foreign(source: Source, text: str) -> list[Diagnostic]:
    """Names left in a carried text that nothing stands for here: it will not compile before they are replaced."""
    code = without_comments(text)
    out: list[Diagnostic] = []
    for name in dict.fromkeys(found[1] for found in _FOREIGN.finditer(code)):
        at = re.search(rf"\b{re.escape(name)}\b", source.code)
        line, column = _place(source.code, at.start()) if at is not None else (1, 1)
        span = Span(source.path, line, column, line, column + len(name))
        message = f"'{name}' has no counterpart in kernels of a spec"
        out.append(warning("OPK643", message, span, "the kernel file does not compile before it is replaced"))
    return out


def _place(code: str, offset: int) -> tuple[int, int]:
    return code.count("\n", 0, offset) + 1, offset - code.rfind("\n", 0, offset)
