"""What C++ files say of ops as imported ops: types, params and defaults, tensor properties, rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.imports.cpp_facts import OpFacts, Param
from opkg.imports.cpp_types import Tensors
from opkg.imports.form import ImportedKernel, ImportedOp, ImportedParam, ImportedRule, ImportedTensor, Todo
from opkg.rules.syntax import Call, Node, Rule
from opkg.rules.text.formatter_spec import scalar_of
from opkg.spec.diagnostics import Span

TARGETS = ("qnn-htp-classic", "qnn-htp-qhpi")
_PARAM_TYPES = ("float32", "int32", "uint32", "bool8")
_ZERO = {"float32": "0.0", "int32": "0", "uint32": "0", "bool8": "false"}
_TRUTHS = ("true", "false")


@dataclass(frozen=True, slots=True)
class PlacedRule:
    """A rule under its op: its name there, its parts, its comments, why it was left out ("" when it was not)."""

    name: str
    rule: Rule
    comments: tuple[str, ...]
    reason: str = ""

    @property
    def parts(self) -> tuple[tuple[str, Node | None], ...]:
        r = self.rule
        return (("pass", r.pass_), ("flags", r.flags), ("match", r.match), ("when", r.when), ("replace", r.replace))

    @property
    def span(self) -> Span:
        """The macro's name in the source."""
        return self.rule.text.span(self.rule.start, self.rule.start + max(len(self.rule.macro), 1))


@dataclass(frozen=True, slots=True)
class CppOp:
    """An op, its rules in order, and its tensor properties."""

    facts: OpFacts
    rules: tuple[PlacedRule, ...]
    no_properties: str = ""  # why the tensor properties are left out


def imported(
    op: CppOp, tensors: Tensors, kernels: Sequence[ImportedKernel], comments: Sequence[str], todos: Sequence[Todo] = ()
) -> ImportedOp:
    """The op for the writer. `kernels`: its records; `comments`: what has no place in a spec."""
    span = place_of(op.facts)
    inputs = tuple(_input(op.facts, tensors, i, span) for i in range(len(tensors.inputs)))
    types = () if tensors.known else (Todo("element types", "a kernel for any Tensor does not say them", span),)
    return ImportedOp(
        op.facts.name,
        span,
        inputs,
        tuple(_output(tensors, i, span) for i in range(len(tensors.outputs))),
        tuple(_param(param, span, tensors.inputs[0][0]) for param in op.facts.params),
        tensors.variables,
        tensors.combinations,
        kernels=tuple(kernels),
        properties=tuple(scalar_of(Call(d.macro, d.args), 8, 6) for d in op.facts.properties),
        no_properties=op.no_properties,
        rules=tuple(_rule(rule) for rule in op.rules),
        comments=tuple(comments),
        todos=(Todo("summary and reference", "what the op computes stands in its kernels only", span), *types, *todos),
    )


def place_of(op: OpFacts) -> Span:
    """Where an op is first registered."""
    return op.registered[0].span if op.registered else Span("")


def _input(op: OpFacts, tensors: Tensors, number: int, span: Span) -> ImportedTensor:
    """An input. HTP's four dimensions are all that a kernel says of one whose shape no result's depends on."""
    name, dtype = tensors.inputs[number]
    optional = number >= len(tensors.inputs) - tensors.optional
    shape = tensors.shapes.get(name, "")
    axis = number == 0 and any(param.is_axis for param in op.params)
    why = "" if number == 0 else f"how it relates to that of {tensors.inputs[0][0]}"
    said = shape or (number == 0 and tensors.shapes)
    todos = [] if said else [Todo("shape and rank" if number == 0 else "shape", why, span)]
    todos += [Todo("rank", "axes are counted in HTP's four dimensions", span)] if axis else []
    ranks = (4, 4) if axis else None if shape else (1, 4)
    return ImportedTensor(name, dtype, span, shape=shape, ranks=ranks, optional=optional, todos=tuple(todos))


def _output(tensors: Tensors, number: int, span: Span) -> ImportedTensor:
    name, dtype = tensors.outputs[number]
    found = tensors.shapes.get(name, "")
    first = f"{tensors.inputs[0][0]}.shape" if tensors.inputs else ("1",)
    todos = () if found else (Todo("shape", "no set_dims was read that says it", span),)
    return ImportedTensor(name, dtype, span, shape=found or first, todos=todos)


def param_type(param: Param) -> str:
    """The element type of a param: its default's, when a classic kernel can take it, else what its kernel makes of it."""
    if param.default is None or (param.default.dtype not in _PARAM_TYPES and param.default.value is None):
        return param.dtype or "int32"
    value = param.default.value or "0"
    guess = "bool8" if value in _TRUTHS else "int32" if value.lstrip("-").isdigit() else "float32"
    return param.default.dtype if param.default.dtype in _PARAM_TYPES else guess


def default_of(param: Param) -> str | None:
    """The default as a spec writes it, when it is one of the param's element type; None when it is not known."""
    value = param.default.value if param.default is not None else None
    if value is None or is_list(param) != value.startswith("["):
        return None
    dtype, numbers = param_type(param), [number.strip() for number in value.strip("[]").split(",")]

    def fits(number: str) -> bool:
        plain = {"bool8": number in _TRUTHS, "float32": number not in _TRUTHS}
        return plain.get(dtype, number.lstrip("-").isdigit()) and not (dtype == "uint32" and number.startswith("-"))

    return value if all(fits(number) for number in numbers) else None


def is_list(param: Param) -> bool:
    """Whether a param is a tensor."""
    return param.is_tensor or (param.default is not None and param.default.is_tensor)


def _param(param: Param, span: Span, axis_of: str) -> ImportedParam:
    dtype, todos = param_type(param), []
    if not param.sure and (param.default is None or param.default.dtype != dtype):
        todos.append(Todo("element type", "", span))
    value = None if param.mandatory else default_of(param)
    if not param.mandatory and value is None:
        todos.append(Todo("default", "", span))
        value = f"[{_ZERO[dtype]}]" if is_list(param) else _ZERO[dtype]
    shape = ("K",) if is_list(param) else None
    axis = axis_of if param.is_axis and dtype in ("int32", "uint32") else ""
    return ImportedParam(param.name, dtype, span, shape=shape, default=value, axis_of=axis, todos=tuple(todos))


def _rule(placed: PlacedRule) -> ImportedRule:
    parts = tuple((part, scalar_of(node, 10 + len(part), 8)) for part, node in placed.parts if node is not None)
    comments = tuple(line.strip() for text in placed.comments for line in _comment(text))
    return ImportedRule(placed.name, parts, placed.span, comments, placed.reason)


def _comment(text: str) -> list[str]:
    """The words of a C++ comment, line by line."""
    if text.startswith("//"):
        return [text.lstrip("/").strip()]
    inside = text.removeprefix("/*").removesuffix("*/")
    return [line.strip(" *\t\r") for line in inside.split("\n") if line.strip(" *\t\r")]
