"""Which kernel of a classic package serves which combination of element types: records of a spec, and calls behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from opkg.imports.cpp_definitions import closing
from opkg.imports.cpp_facts import OpFacts, Registered
from opkg.imports.cpp_source import Parameter, Signature
from opkg.imports.form import ImportedKernel, ImportedOp, ImportedTensor
from opkg.spec.diagnostics import Diagnostic, Severity, warning
from opkg.spec.dtypes import DTYPES
from opkg.spec.names import snake

Combination = tuple[tuple[str, str], ...]
COSTS = {"GLACIAL": 2.0**48, "SNAIL": 2.0**32, "FAST": 2.0**8, "FREE": 2.0**-64, "DISABLE": 2.0**50}
# an element type of a spec -> that of the tensor class it arrives as, where that is another one
_ARRIVES = {
    "uint32": "int32", "uint8": "ufixed8", "int8": "sfixed8", "uint16": "ufixed16", "int16": "sfixed16", "bool8": "ufixed8",
    "ufixed32": "int32",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """One kernel of the new package: for which types, in which layout and memory, and the old functions behind it, the one
    with most tensors first."""

    combination: Combination
    layout: str
    placement: str
    calls: tuple[Registered, ...]

    def function(self, op: str) -> str:
        """The C++ function, as a spec names it by default but for a twin in TCM."""
        words = [snake(op), self.suffix, "crouton" if self.layout == "crouton" else ""]
        return "_".join(word for word in [*words, "tcm" if self.placement == "tcm" else ""] if word)

    @property
    def suffix(self) -> str:
        return "_".join(DTYPES[dtype].suffix for _, dtype in self.combination)


def combinations_of(op: ImportedOp) -> list[Combination]:
    """The combinations of element types that an op takes."""
    if op.combinations:
        return list(op.combinations)
    names = [name for name, _ in op.types]
    return [tuple(zip(names, types, strict=True)) for types in product(*(dtypes for _, dtypes in op.types))]


def choices(op: ImportedOp, facts: OpFacts) -> tuple[list[Choice], list[Diagnostic]]:
    """The kernels of an op for each combination and layout, and what is said of those that have no place."""
    findings: list[Diagnostic] = []
    fitting = [r for r in facts.registered if _has_place(op, facts, r, findings)]
    out: list[Choice] = []
    for combination in combinations_of(op):
        served = [r for r in fitting if r.signature is not None and _serves(op, combination, r.signature)]
        for layout in ("flat", "crouton"):
            out += _placed(op, combination, layout, [r for r in served if layout_of(op, r) in _ASKED[layout]])
    used = {id(call) for choice in out for call in choice.calls}
    for registered in fitting:
        if id(registered) not in used and not _is_twin(registered, [call for c in out for call in c.calls]):
            findings.append(_unused(op, registered))
    if not out:
        message = f"no kernel of '{op.name}' could be carried over; its body is a stub that opkg generate writes"
        findings.append(warning("OPK642", message, op.span, "the functions stand in the kernel file all the same"))
    return out, findings


_ASKED = {"flat": ("flat", "mixed", ""), "crouton": ("crouton",)}


def _unused(op: ImportedOp, registered: Registered) -> Diagnostic:
    generic = registered.signature is not None and any(not p.dtype for p in registered.signature.outputs)
    message = f"'{registered.function}' of '{op.name}' is for types that the spec does not list, or dearer than another kernel"
    hint = "add element types to 'types' and a record that names it" if generic else "it stands in the kernel file"
    return Diagnostic("OPK640", message, registered.span, hint, Severity.INFO)


def _has_place(op: ImportedOp, facts: OpFacts, registered: Registered, findings: list[Diagnostic]) -> bool:
    """Whether a spec can have a kernel: its function was read, takes what the op has, in one layout."""
    found = registered.signature
    if found is None:
        return False  # said already
    full, given = len(op.inputs) + len(op.params), len(found.inputs)
    optional = sum(tensor.optional for tensor in op.inputs)
    if len(found.outputs) != len(op.outputs) or given > full or given < full - optional:
        message = f"'{registered.function}' takes {given} of the {full} inputs and params of '{op.name}': not carried"
        hint = "a param of a spec has a value in every call" if given < full else "say in the spec what the op has"
        findings.append(warning("OPK640", message, registered.span, hint))
        return False
    if layout_of(op, registered) == "mixed":
        message = f"'{registered.function}' has some tensors in blocks and some flat: each call copies between them"
        hint = "a kernel of a spec has one layout for all tensors of rank 4: write it for one"
        findings.append(Diagnostic("OPK641", message, registered.span, hint, Severity.INFO))
    return True


def layout_of(op: ImportedOp, registered: Registered) -> str:
    """`flat`, `crouton`, `mixed`; "" for a kernel that takes any."""
    assert registered.signature is not None
    tensors = _tensors(op, registered.signature)
    kinds = {
        "crouton" if "Crouton" in p.tensor_class else "flat"
        for p in tensors
        if p.tensor_class.rpartition("::")[2] != "Tensor" and "TensorShape" not in p.tensor_class
    }
    return "mixed" if len(kinds) > 1 else next(iter(kinds), "")


def is_mixed(signature: Signature) -> bool:
    """Whether the tensors whose layout and memory a kernel says are of several kinds; scalars, which are flat, count not."""
    typed = [p.tensor_class for p in (*signature.outputs, *signature.inputs) if p.dtype]
    inner = [name for name in typed if "Crouton" in name or name.endswith("_TCM")]
    kinds = {("Crouton" in name, name.endswith("_TCM")) for name in typed}
    return bool(inner) and len(kinds) > 1


def _tensors(op: ImportedOp, signature: Signature) -> tuple[Parameter, ...]:
    return (*signature.outputs, *signature.inputs[: len(op.inputs)])


def _serves(op: ImportedOp, combination: Combination, signature: Signature) -> bool:
    types = dict(combination)

    def fits(tensor: ImportedTensor, parameter: Parameter) -> bool:
        dtype = types.get(tensor.dtype, tensor.dtype)
        return parameter.dtype in ("", _ARRIVES.get(dtype, dtype))

    given = signature.inputs[: len(op.inputs)]
    pairs = [*zip(op.outputs, signature.outputs, strict=True), *zip(op.inputs, given, strict=False)]
    return all(fits(tensor, parameter) for tensor, parameter in pairs)


def _placed(op: ImportedOp, combination: Combination, layout: str, served: Sequence[Registered]) -> Iterator[Choice]:
    """One kernel for any memory, or one for each where they are different functions."""
    tcm = [r for r in served if _in_tcm(op, r)]
    main = [r for r in served if not _in_tcm(op, r)]
    best, fast = _by_arity(main), _by_arity(tcm)
    if not best or not fast:
        if best or fast:
            yield Choice(combination, layout, "" if best else "only tcm", best or fast)
    elif best[0].function == fast[0].function.replace("_TCM", ""):
        yield Choice(combination, layout, "", best)
    else:
        yield Choice(combination, layout, "ddr", best)
        yield Choice(combination, layout, "tcm", fast)


def _is_twin(registered: Registered, used: Sequence[Registered]) -> bool:
    return any(registered.function.replace("_TCM", "") == other.function.replace("_TCM", "") for other in used)


def _in_tcm(op: ImportedOp, registered: Registered) -> bool:
    """Whether a kernel takes all tensors in TCM; one that takes some there gets them anywhere."""
    assert registered.signature is not None
    return all(p.tensor_class.endswith("_TCM") for p in _tensors(op, registered.signature))


def _by_arity(served: Sequence[Registered]) -> tuple[Registered, ...]:
    """The best kernel for each number of operands, most first: fewest generic ones, then the cheapest, then the first."""
    best: dict[int, Registered] = {}
    for registered in sorted(served, key=_rank):
        assert registered.signature is not None
        best.setdefault(len(registered.signature.inputs), registered)
    return tuple(best[number] for number in sorted(best, reverse=True))


def _rank(registered: Registered) -> tuple[int, float]:
    assert registered.signature is not None
    every = (*registered.signature.outputs, *registered.signature.inputs)
    return sum(not p.dtype for p in every), cycles(registered) or 0.0


def cycles(registered: Registered) -> float | None:
    """The cost of a registration; None for a cost function."""
    if registered.macro.endswith("COST_F_AND_FLAGS"):
        return None
    words = registered.rest.split(",")[0].strip()
    found = re.fullmatch(r"(\w+)(?:\s*([*/])\s*([0-9.]+)[fF]?)?", words)
    base = COSTS.get(found[1], 0.0) if found is not None and words else COSTS["GLACIAL"]
    if found is None or not found[2]:
        return base
    return base / float(found[3]) if found[2] == "/" else base * float(found[3])


def record(op: ImportedOp, choice: Choice, body: str, code: str) -> tuple[ImportedKernel, list[Diagnostic]]:
    """The record of a kernel; `code`: all C++ without comments, for its cost function."""
    first = choice.calls[0]
    cost, findings = _cost(first, code)
    flags = [word for word in ("IS_CONST", "INHIBIT_CONST_PROP") if re.search(rf"\b{word}\b", first.rest)]
    twin = choice.placement == "tcm"
    fields = (
        (
            "when",
            f"{{{', '.join(f'{name}: {dtype}' for name, dtype in choice.combination)}}}" if choice.combination else "",
        ),
        ("layout", "crouton" if choice.layout == "crouton" else ""),
        ("placement", choice.placement.removeprefix("only ")),
        ("cost", cost),
        ("flags", f"[{', '.join(flag.lower() for flag in flags)}]" if flags else ""),
        ("body", body),
        ("function", choice.function(op.name) if twin else ""),
    )
    return ImportedKernel(tuple(f for f in fields if f[1]), first.span), findings


def _cost(registered: Registered, code: str) -> tuple[str, list[Diagnostic]]:
    """The cost as a spec writes it; a function that returns one number is that number."""
    number = cycles(registered)
    if number is not None:
        name = next((name.lower() for name, value in COSTS.items() if value == number), "")
        return name if name not in ("", "disable") else f"{number:.0f}", []
    name = registered.rest.split(",")[0].strip()
    constant = constant_of(function_text(code, name))
    if constant is not None:
        return constant, []
    message = f"the cost function '{name}' is not carried; the spec says snail"
    return "snail", [warning("OPK644", message, registered.span, "state it: `cost: 100 + size(x) / 32`")]


def constant_of(text: str) -> str | None:
    """The number that a cost function returns in every call; "" for zero, which says nothing, None for a computed one."""
    returned = re.search(r"return\s+([^;]+);", text)
    value = returned[1].strip() if returned is not None else ""
    variable = (
        re.search(rf"\b(?:float|auto)\s+{re.escape(value)}\s*=\s*([0-9.eE+-]+[fF]?)\s*;", text) if value else None
    )
    value = variable[1] if variable is not None else value
    number = re.fullmatch(r"([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)[fF]?", value)
    if number is None:
        return None
    return f"{float(number[1]):g}" if float(number[1]) else ""


def function_name(registered: str) -> str:
    """`&ns::clip<float>` -> `clip`."""
    return registered.partition("<")[0].rpartition("::")[2].strip("& ")


def function_text(code: str, name: str) -> str:
    """The definition of a function, from its name to the bracket that closes it; "" when there is none."""
    for found in re.finditer(rf"\b{re.escape(name)}\s*\([^;{{}}]*\)\s*(?:const\s*)?\{{", code):
        return code[found.start() : closing(code, found.end() - 1)]
    return ""


def wrapper(op: ImportedOp, choice: Choice, params: Sequence[str]) -> str:
    """The function that opkg calls: views become tensors of HTP's classes, and the old function gets them."""
    struct = f"{op.name.replace('.', '_')}Args{_camel(choice.suffix)}{'Crouton' if choice.layout == 'crouton' else ''}"
    lines = [f"opkg::Status {choice.function(op.name)}(const {struct}& op) {{"]
    names = [*(t.name for t in op.inputs), *params]
    longest = choice.calls[0].signature
    assert longest is not None
    outs = [_local(t.name) for t in op.outputs]
    mixed = layout_of(op, choice.calls[0]) == "mixed"
    for tensor, parameter in zip(op.outputs, longest.outputs, strict=True):
        lines.append(f"  {_class(parameter, tensor.name, mixed)} {_local(tensor.name)}(op.{tensor.name});")
    made = 0
    for call in reversed(choice.calls):
        assert call.signature is not None
        given = len(call.signature.inputs)
        last = call is choice.calls[0]
        absent = op.inputs[given - len(params)].name if not last else ""
        used = [i for i in range(len(names)) if i < given - len(params) or i >= len(op.inputs)]
        for i in [i for i in used if i >= made and (last or i < len(op.inputs))]:
            kind = _class(longest.inputs[i], names[i], mixed and i < len(op.inputs))
            lines.append(f"  const {kind} {_local(names[i])}(op.{names[i]});")
        made = max(made, given - len(params))
        handed = ", ".join([*outs, *(_local(names[i]) for i in used)])
        test = f"if (!op.{absent}) " if absent else ""
        lines.append(f"  {test}return finished(::{call.function.removeprefix('::')}({handed}), {', '.join(outs)});")
    return "\n".join([*lines, "}"])


def _class(parameter: Parameter, name: str, mixed: bool) -> str:
    """The class of a local tensor."""
    blocked = mixed and "Crouton" in parameter.tensor_class
    element = f"std::remove_pointer_t<decltype(op.{name}.data)>"
    return f"Blocked<{parameter.tensor_class}, {element}>" if blocked else parameter.tensor_class


def _local(name: str) -> str:
    return f"{name}_" if name == "op" else name


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_") if part)
