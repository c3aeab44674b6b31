"""The spec of a migrated package as YAML text. What the C++ files do not say is a default that validates, marked TODO."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from opkg.project.migrate_facts import OpFacts, Param
from opkg.project.migrate_types import Tensors, tensors_of
from opkg.rules.syntax import Call, Node, Rule
from opkg.rules.text.formatter_spec import scalar_of
from opkg.spec.names import snake

TARGETS = ("qnn-htp-classic", "qnn-htp-qhpi")
_PARAM_TYPES = ("float32", "int32", "uint32", "bool8")


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


@dataclass(frozen=True, slots=True)
class MigratedOp:
    """An op, its rules in order, and its tensor properties."""

    facts: OpFacts
    rules: tuple[PlacedRule, ...]
    no_properties: str = ""  # why the tensor properties are left out


def spec_text(package: str, sources: Sequence[str], ops: Sequence[MigratedOp]) -> str:
    """The YAML text of the spec."""
    names = ", ".join(sorted({os.path.basename(source) for source in sources}))
    head = [
        f"# Made by `opkg rules migrate` from {names}.",
        "# TODO marks what those files do not say: state it, then delete the mark.",
        "opkg: 1",
        "package:",
        f"  name: {package}",
        "  version: 1.0.0",
        f"  targets: [{', '.join(TARGETS)}]",
        "",
        "ops:",
    ]
    return "\n".join(head) + "\n" + "\n\n".join("\n".join(_op(op)) for op in ops) + "\n"


def _op(op: MigratedOp) -> list[str]:
    tensors = tensors_of(op.facts)
    return [
        f"  {op.facts.name}:",
        "    # TODO summary: what the op computes; reference: the function that defines it",
        *_kernels(op.facts),
        *_types(tensors),
        "    inputs:" if tensors.inputs else "    inputs: {}",
        *(_input(name, dtype, i, tensors) for i, (name, dtype) in enumerate(tensors.inputs)),
        *(["    params:"] if op.facts.params else []),
        *(_param(param) for param in op.facts.params),
        "    outputs:",
        *(_output(name, dtype, tensors) for name, dtype in tensors.outputs),
        *_properties(op),
        *(["    rules:"] if any(not rule.reason for rule in op.rules) else []),
        *(line for rule in op.rules for line in _rule(rule)),
    ]


def _kernels(op: OpFacts) -> list[str]:
    """The kernels there are, as a comment: their bodies move into a file of the user's."""
    if not op.registered:
        return []
    lines = [f"    # Kernels of the classic package; their code goes into kernels/{snake(op.name)}.cpp:"]
    return lines + [f"    #   {r.place}: {r.function}{f' ({r.rest})' if r.rest else ''}" for r in op.registered]


def _types(tensors: Tensors) -> list[str]:
    inside = ", ".join(f"{name}: [{', '.join(dtypes)}]" for name, dtypes in tensors.variables)
    mark = "" if tensors.known else "  # TODO the element types"
    lines = [f"    types: {{{inside}}}{mark}"]
    if tensors.combinations:
        lines.append("    combinations:")
    for combination in tensors.combinations:
        lines.append(f"      - {{{', '.join(f'{name}: {dtype}' for name, dtype in combination)}}}")
    return lines


def _input(name: str, dtype: str, number: int, tensors: Tensors) -> str:
    optional = number >= len(tensors.inputs) - tensors.optional
    more = ", optional: true" if optional else ""
    mark = "TODO shape and rank" + (" (a kernel does without it)" if optional else "")
    return f"      {name}: {{dtype: {dtype}, rank: 1..4{more}}}  # {mark}"


def _output(name: str, dtype: str, tensors: Tensors) -> str:
    shape = f"{tensors.inputs[0][0]}.shape" if tensors.inputs else "[1]"
    return f"      {name}: {{dtype: {dtype}, shape: {shape}}}  # TODO shape"


def param_type(param: Param) -> str:
    """The element type of a param: its default's, when a classic kernel can take it."""
    if param.default is None:
        return "int32"
    value = param.default.value or "0"
    guess = "bool8" if value in _TRUTHS else "int32" if value.lstrip("-").isdigit() else "float32"
    return param.default.dtype if param.default.dtype in _PARAM_TYPES else guess


_TRUTHS = ("true", "false")


def default_of(param: Param) -> str | None:
    """The default as a spec writes it, when it is one of the param's element type; None when it is not known."""
    value = param.default.value if param.default is not None else None
    if value is None:
        return None
    dtype = param_type(param)
    fits = {"bool8": value in _TRUTHS, "float32": value not in _TRUTHS}.get(dtype, value.lstrip("-").isdigit())
    return value if fits and not (dtype == "uint32" and value.startswith("-")) else None


def _param(param: Param) -> str:
    dtype, marks, default = param_type(param), [], ""
    if param.default is None or param.default.dtype != dtype:
        marks.append("element type")
    if not param.mandatory:
        value = default_of(param)
        default = f", default: {value if value is not None else _ZERO[dtype]}"
        if value is None:
            marks.append("default")
    mark = f"  # TODO {' and '.join(marks)}" if marks else ""
    return f"      {param.name}: {{dtype: {dtype}{default}}}{mark}"


_ZERO = {"float32": "0.0", "int32": "0", "uint32": "0", "bool8": "false"}


def _properties(op: MigratedOp) -> list[str]:
    """Tensor properties as whole declarations, which name their tensors themselves."""
    if not op.facts.properties:
        return []
    lines = ["    tensor_properties:"]
    for declaration in op.facts.properties:
        call = Call(declaration.macro, declaration.args)
        lines += f"      - {scalar_of(call, 8, 6)}".split("\n")
    if op.no_properties:
        return [f"    # not carried: {op.no_properties}", *(f"    # {line[4:]}" for line in lines)]
    return lines


def _rule(placed: PlacedRule) -> list[str]:
    lines = [f"      # {line.strip()}" for text in placed.comments for line in _comment(text)]
    body = [f"      - name: {placed.name}"]
    for part, node in placed.parts:
        if node is not None:
            body.append(f"        {part}: {scalar_of(node, 10 + len(part), 8)}")
    if not placed.reason:
        return lines + body
    text = "\n".join(body).split("\n")
    return [f"      # not carried: {placed.reason}", *lines, *(f"      # {line[6:]}" for line in text)]


def _comment(text: str) -> list[str]:
    """The words of a C++ comment, line by line."""
    if text.startswith("//"):
        return [text.lstrip("/").strip()]
    inside = text.removeprefix("/*").removesuffix("*/")
    return [line.strip(" *\t\r") for line in inside.split("\n") if line.strip(" *\t\r")]
