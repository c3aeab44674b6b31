"""Which inputs and params the generated calls give: every arrangement that a positional interface can tell apart.

QHPI hands a kernel the inputs and then the params in the caller's order, without names (facts/qhpi.md): a call is
possible when no fuller one has the same element types in the same positions. The QHPI target makes a kernel record for
each of them; tests/verify/test_calls.py holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from opkg.spec.dtypes import Kind
from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec

# Defaulted params are left out: "any" of them, only "last" ones, or "none". A caller may always give them all.
OMIT_PARAMS = "any"
MOST_ORDERS = 24  # sets of params tried
MOST_NULLS = 3  # optional inputs that may be null in the middle
NULL = "null"

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Giving:
    """What a call gives: (tensor, how many) for the inputs and outputs that are there, params by name in spec order.

    `nulls`: optional inputs that are null tensors because a later input is given.
    """

    inputs: Counts
    params: tuple[str, ...]
    outputs: Counts
    nulls: tuple[str, ...] = ()


def possible_calls(op: Op, combination: Combination) -> tuple[Giving, ...]:
    """The calls that cases use, the fullest first."""
    types = {tensor.name: tensor.dtype.of(combination).qhpi for tensor in op.tensors}
    arriving = {param.name: _arrives(param) for param in op.params}
    seen: dict[object, Giving] = {}
    for params in _param_sets(op.params):
        for inputs in _presences(op.inputs):
            for nulls in _nulls(op.inputs, inputs):
                for outputs in _presences(op.outputs):
                    names = [NULL if n in nulls else types[n] for n, count in inputs for _ in range(count)]
                    key = tuple(names + [arriving[n] for n in params]), sum(n for _, n in outputs)
                    given = tuple(pair for pair in inputs if pair[0] not in nulls)
                    seen.setdefault(key, Giving(given, params, outputs, nulls))
    return tuple(call for call in seen.values() if _may_omit(op, call.params))


def _arrives(param: ParamSpec) -> str:
    """The element type under which a param reaches a kernel."""
    if param.dtype.kind is Kind.BOOL:
        return "QUInt8" if param.shape is not None else "Float32"
    return param.dtype.qhpi


def _may_omit(op: Op, given: tuple[str, ...]) -> bool:
    if len(given) == len(op.params) or OMIT_PARAMS == "any":
        return True
    return OMIT_PARAMS == "last" and given == tuple(p.name for p in op.params)[: len(given)]


def _param_sets(params: tuple[ParamSpec, ...]) -> list[tuple[str, ...]]:
    """Sets of given params in the order of the spec: all, then fewer."""
    found: list[tuple[str, ...]] = []
    optional = [p.name for p in params if p.optional]
    for left_out in range(len(optional) + 1):
        for missing in reversed(list(combinations(optional, left_out))):
            found.append(tuple(p.name for p in params if p.name not in missing))
            if len(found) >= MOST_ORDERS:
                return found
    return found


def _nulls(tensors: tuple[TensorSpec, ...], given: Counts) -> list[tuple[str, ...]]:
    """Which optional inputs before the last one are null: none, or some when the last one is optional too."""
    names = [name for name, _ in given]
    middle = [t.name for t in tensors if t.optional and t.name in names[:-1]]
    if len(middle) > MOST_NULLS or not any(t.optional and t.name == names[-1] for t in tensors):
        return [()]
    return [nulls for count in range(len(middle) + 1) for nulls in combinations(middle, count)]


def _presences(tensors: tuple[TensorSpec, ...]) -> Iterator[Counts]:
    """Which tensors are there and how many of a variadic one: all first, then optional ones leave from the end."""
    optional = [t.name for t in tensors if t.optional]
    for absent in range(len(optional) + 1):
        present = [t for t in tensors if t.name not in optional[len(optional) - absent :]]
        counts = [range(t.variadic[0], t.variadic[1] + 1) if t.variadic else (1,) for t in present]
        for chosen in product(*counts):
            yield tuple((t.name, n) for t, n in zip(present, chosen, strict=True))
