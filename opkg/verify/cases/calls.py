"""Which inputs and params the generated calls give: every arrangement that a positional interface can tell apart.

QHPI hands a kernel the inputs and then the params in the caller's order, without names (facts/qhpi.md): a call is
possible when no fuller one has the same element types in the same positions. The QHPI target makes a kernel record for
each of them; tests/verify/test_calls.py holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.dtypes import Kind
from opkg.spec.model import Combination, Op, ParamSpec
from opkg.spec.presence import Counts, nulls, param_sets, presences

# Defaulted params are left out: "any" of them, only "last" ones, or "none". A caller may always give them all.
OMIT_PARAMS = "any"
NULL = "null"


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
    for params in param_sets(op.params):
        for inputs in presences(op.inputs):
            for absent in nulls(op.inputs, inputs):
                for outputs in presences(op.outputs):
                    names = [NULL if n in absent else types[n] for n, count in inputs for _ in range(count)]
                    key = tuple(names + [arriving[n] for n in params]), sum(n for _, n in outputs)
                    given = tuple(pair for pair in inputs if pair[0] not in absent)
                    seen.setdefault(key, Giving(given, params, outputs, absent))
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
