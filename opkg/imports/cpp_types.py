"""Tensors of an op in C++: names, element types, counts and shapes, from kernels, tensor properties and patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from opkg.imports.cpp_facts import OpFacts
from opkg.imports.cpp_shapes import shapes_of
from opkg.imports.cpp_source import Signature
from opkg.spec.names import name_fault, snake

UNKNOWN = ("float32",)


@dataclass(frozen=True, slots=True)
class Tensors:
    """What a spec says of an op's tensors. `known`: the types come from tensor classes and are no guess."""

    inputs: tuple[tuple[str, str], ...]  # (name, type variable or type)
    outputs: tuple[tuple[str, str], ...]
    variables: tuple[tuple[str, tuple[str, ...]], ...]
    combinations: tuple[tuple[tuple[str, str], ...], ...]
    known: bool
    optional: int = 0  # how many inputs at the end some kernels do without
    shapes: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)  # those that kernels say


def tensors_of(op: OpFacts, guess: Sequence[str] = UNKNOWN, body: str = "") -> Tensors:
    """The tensors of an op; what is not known is one input, one output and the types of `guess`. `body`: text of the kernel
    with most tensors, which says shapes."""
    found = [r.signature for r in op.registered if r.signature is not None and r.signature.outputs]
    longest = max(found, key=lambda s: len(s.inputs), default=None)
    taken = {snake(param.name) for param in op.params} | {"t"}
    count = _input_count(op, longest)
    inputs = _names(op, longest, count, taken)
    outs = len(longest.outputs) if longest is not None else max(len(op.outputs), 1)
    given = [p.name for p in longest.outputs] if longest is not None else []
    outputs = _unique(
        [*op.outputs, *given[len(op.outputs) :]][:outs], outs, "out", taken | {snake(name) for name in inputs}
    )
    missing = min(_missing(op, found, count), max(count - 1, 0))  # the output's shape is that of the first
    rows = [_row(s, count) for s in found if len(s.outputs) == outs and len(s.inputs) >= count]
    made = typed(inputs, outputs, _filled(rows, guess), missing)
    made = replace(made, known=bool(rows) and any(all(row) for row in rows))
    if longest is None or missing:
        return made
    names = dict(zip([p.name for p in (*longest.outputs, *longest.inputs)], [*outputs, *inputs], strict=False))
    return replace(made, shapes=shapes_of(body, names, outputs, inputs))


def _missing(op: OpFacts, found: Sequence[Signature], count: int) -> int:
    """How many inputs at the end some kernel does without."""
    always = sum(param.mandatory or param.default is not None for param in op.params)  # the others may be left out
    shortest = min((len(s.inputs) for s in found), default=always + count)
    return max(0, count - max(0, shortest - always))


def _filled(rows: Sequence[tuple[str, ...]], guess: Sequence[str]) -> list[tuple[str, ...]]:
    """The rows that say all types; without any, those of kernels for any Tensor, one for each type of the guess."""
    if whole := [row for row in rows if all(row)]:
        return whole
    return [tuple(dtype or filling for dtype in row) for row in rows for filling in guess]


def _input_count(op: OpFacts, longest: Signature | None) -> int:
    if longest is not None:
        return max(1, len(longest.inputs) - len(op.params))  # an op of a spec has an input
    operands = op.inputs or op.operands
    return max(1, len(operands) - len(op.params)) if operands else 1


def _names(op: OpFacts, longest: Signature | None, count: int, taken: set[str]) -> list[str]:
    given = list(op.inputs[:count])
    if not given and longest is not None:
        given = [p.name for p in longest.inputs[:count]]
    return _unique(given or list(op.operands[:count]), count, "in", taken)


def _unique(given: Sequence[str], count: int, stem: str, taken: set[str]) -> list[str]:
    """As many names as needed: the given ones where a spec can use them."""
    out: list[str] = []
    used = set(taken)
    for i in range(count):
        name = given[i] if i < len(given) else ""
        if name_fault(name) is not None or snake(name) in used:
            name = f"{stem}{i}" if count > 1 or stem == "in" else stem
        while snake(name) in used:
            name += "_x"
        used.add(snake(name))
        out.append(name)
    return out


def _row(signature: Signature, count: int) -> tuple[str, ...]:
    return tuple(p.dtype for p in (*signature.outputs, *signature.inputs[:count]))


def typed(inputs: list[str], outputs: list[str], rows: list[tuple[str, ...]], optional: int) -> Tensors:
    """Gives each tensor a type by rows of types (outputs, then inputs): the tensors whose types always agree share a variable."""
    names = [*outputs, *inputs]
    rows = list(dict.fromkeys(row for row in rows if all(row)))  # a generic Tensor says nothing
    if not rows:
        types = dict.fromkeys(names, "T")
        variables: tuple[tuple[str, tuple[str, ...]], ...] = (("T", UNKNOWN),)
        return Tensors(_pairs(inputs, types), _pairs(outputs, types), variables, (), False, optional)
    columns = list(zip(*rows, strict=True))
    sorts = list(dict.fromkeys(column for column in columns if len(set(column)) > 1 or len(set(columns)) == 1))
    called = {column: "T" if i == 0 else f"T{i + 1}" for i, column in enumerate(sorts)}
    types = {name: called.get(column, column[0]) for name, column in zip(names, columns, strict=True)}
    variables = tuple((called[column], tuple(dict.fromkeys(column))) for column in sorts)
    combos: tuple[tuple[tuple[str, str], ...], ...] = ()
    if len(sorts) > 1:
        every = [tuple((called[column], column[i]) for column in sorts) for i in range(len(rows))]
        combos = tuple(dict.fromkeys(every))
    return Tensors(_pairs(inputs, types), _pairs(outputs, types), variables, combos, True, optional)


def _pairs(names: list[str], types: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, types[name]) for name in names)
