"""What a classic package's C++ source says beside its macros: kernel signatures, default objects, preprocessor branches.

Reads by pattern, not as a compiler does: what it does not recognise is simply not known, and the migration says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.spec.dtypes import DTYPES

_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b[ \t]*([^\n]*)", re.MULTILINE)
_HARMLESS = ("PREPARE_DISABLED", "__cplusplus")

# Tensor class -> element type. A class that several types arrive as stands for the quantized or the signed one.
_CLASSES: dict[str, str] = {}
for _name in ("float32", "float16", "sfixed8", "sfixed16", "sfixed32", "ufixed8", "ufixed16", "int32"):
    _CLASSES[DTYPES[_name].flat_class] = _CLASSES[DTYPES[_name].crouton_class or "-"] = _name


@dataclass(frozen=True, slots=True)
class Parameter:
    """One tensor of a kernel function: its name, element type ("" when the class does not say) and class."""

    name: str
    dtype: str
    tensor_class: str = "Tensor"


@dataclass(frozen=True, slots=True)
class Signature:
    """The tensors of a kernel function, in order."""

    outputs: tuple[Parameter, ...]
    inputs: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Default:
    """A Qnn_Param_t object: element type ("" unknown) and the value of a scalar as a spec writes it (None: not read)."""

    dtype: str
    value: str | None
    is_tensor: bool = False


def without_comments(source: str) -> str:
    """The source with comments blanked out, so that offsets stay."""

    def blank(found: re.Match[str]) -> str:
        text = found[0]
        return re.sub(r"[^\n]", " ", text) if text.startswith("/") else text

    return _SKIPPED.sub(blank, source)


def signature(code: str, function: str, template: tuple[str, ...]) -> Signature | None:
    """The signature of a kernel function in `code` (without comments); `template`: arguments it is registered with."""
    pattern = (
        r"(?:template\s*<([^<>]*)>\s*)?(?:\[\[\w+\]\]\s*)?(?:(?:static|inline|constexpr|API_EXPORT|\w*INLINE\w*)\s+)*[\w:]+\s+"
        + re.escape(function)
        + r"\s*\(([^()]*)\)"
    )
    found = (_signature(match[1] or "", match[2], template) for match in re.finditer(pattern, code))
    return next((each for each in found if each is not None), None)


def _signature(parameters: str, tensors: str, template: tuple[str, ...]) -> Signature | None:
    names = [part.split()[-1] for part in parameters.split(",") if part.split()]
    types = dict(zip(names, template, strict=False))
    outputs: list[Parameter] = []
    inputs: list[Parameter] = []
    for part in re.split(r",(?![^<]*>)", tensors):
        tensor = re.fullmatch(r"\s*(const\s+)?([\w:]+(?:\s*<[^<>]*>)?)(\s+const)?\s*&\s*(\w*)\s*", part)
        if tensor is None:
            return None
        kind = types.get(str(tensor[2]), str(tensor[2]))
        found = Parameter(tensor[4], element_type(kind), kind.strip())
        (inputs if tensor[1] or tensor[3] else outputs).append(found)
    return Signature(tuple(outputs), tuple(inputs))


def element_type(tensor_class: str) -> str:
    """`QuantUint8Tensor_TCM` -> `ufixed8`; "" for a class that says nothing (Tensor) or is not known."""
    contiguous = re.fullmatch(r"TensorContiguous\s*<\s*(?:Tdefs::)?(\w+)\s*>", tensor_class)
    name = f"{contiguous[1]}Tensor" if contiguous is not None else tensor_class.rpartition("::")[2]
    return _CLASSES.get(name.removesuffix("_TCM"), "")


def default_object(code: str, name: str) -> Default:
    """What the definition of a Qnn_Param_t says, with designated or positional initializers, also of a Qnn_Scalar_t it names."""
    text = _definition(code, name)
    words = [word for word in re.findall(r"[A-Za-z_]\w*", text)[1:] if not word.startswith(("QNN_", "Qnn_"))]
    inner = next((word for word in words if re.search(rf"\bQnn_Scalar_t\s+{word}\b", code)), "")
    text += _definition(code, inner) if inner else ""
    kind = re.search(r"QNN_DATATYPE_\w+", text)
    dtype = next((row.name for row in DTYPES.values() if kind is not None and row.qnn == kind[0]), "")
    value = re.search(r"\b(?:bool8|u?int(?:8|16|32)|float)Value\s*=\s*([^,;}\s]+)", text)
    value = value or re.search(r"QNN_DATATYPE_\w+\s*,\s*\{\s*([^,;{}]+?)\s*\}", text)
    if "QNN_PARAMTYPE_TENSOR" in text:
        return Default(dtype, _list(code, text, dtype), True)
    return Default(dtype, _literal(value[1], dtype) if value is not None else None)


def _list(code: str, text: str, dtype: str) -> str | None:
    """The numbers of a tensor's default, out of the array that its buffer names."""
    buffer = re.search(r"clientBuf\s*=\s*\{\s*(?:\.data\s*=\s*)?(?:\([\w\s*]+\)\s*)?&?(\w+)", text)
    array = re.search(rf"\b{buffer[1]}\s*\[\w*\]\s*=\s*\{{([^{{}}]*)\}}", code) if buffer is not None else None
    if array is None:
        return None
    numbers = [_literal(part.strip(), dtype) for part in array[1].split(",") if part.strip()]
    known = [number for number in numbers if number is not None]
    return f"[{', '.join(known)}]" if known and len(known) == len(numbers) else None


def _definition(code: str, name: str) -> str:
    """From the name to the end of its definition."""
    found = re.search(rf"\b{re.escape(name)}\s*(?:=|\{{)", code)
    if found is None:
        return ""
    depth, at = 0, found.start()
    while at < len(code) and (code[at] != ";" or depth > 0):
        depth += (code[at] in "{(") - (code[at] in "})")
        at += 1
    return code[found.start() : at]


def _literal(text: str, dtype: str) -> str | None:
    """A C++ literal as a spec writes it."""
    if text in ("true", "false"):
        return text if dtype in ("", "bool8") else str(int(text == "true"))
    text = re.sub(r"^\(\s*\w+\s*\)\s*", "", text)  # a cast
    if re.fullmatch(r"-?[0-9]+[uUlL]*", text):
        number = str(int(re.sub(r"[uUlL]+$", "", text)))
        return ("true" if number != "0" else "false") if dtype == "bool8" else number
    if re.fullmatch(r"-?[0-9]*\.?[0-9]*([eE][-+]?[0-9]+)?[fF]?", text) and re.search(r"[0-9]", text):
        return repr(float(text.rstrip("fF")))
    return None


def branches(source: str) -> list[tuple[int, tuple[str, ...]]]:
    """From which offset on which preprocessor conditions hold, in order; PREPARE_DISABLED and include guards left out."""
    stack: list[str] = []
    out: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for found in _DIRECTIVE.finditer(without_comments(source)):
        word, rest = found[1], " ".join(found[2].split())
        if word in ("if", "ifdef", "ifndef"):
            stack.append("" if _harmless(word, rest, source[found.end() :]) else f"#{word} {rest}")
        elif word in ("elif", "else") and stack:
            was = stack.pop()
            stack.append(was and (f"#elif {rest}" if word == "elif" else f"#else of {was}"))
        elif word == "endif" and stack:
            stack.pop()
        out.append((found.start(), tuple(condition for condition in stack if condition)))
    return out


def _harmless(word: str, rest: str, after: str) -> bool:
    """Whether a condition says nothing about the rules inside: device builds, C++, include guards."""
    if any(name in rest for name in _HARMLESS):
        return True
    return word == "ifndef" and re.match(rf"\s*#[ \t]*define[ \t]+{re.escape(rest)}\b", after) is not None


def conditions_at(found: list[tuple[int, tuple[str, ...]]], offset: int) -> tuple[str, ...]:
    """The conditions that hold at an offset, of what `branches` gives."""
    held: tuple[str, ...] = ()
    for start, conditions in found:
        if start > offset:
            break
        held = conditions
    return held
