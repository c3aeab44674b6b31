"""Which inputs and params the generated calls give: every arrangement that a positional interface can tell apart."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.model import Combination, Op
from opkg.targets.qnn_common.arrangements import Arrangement, arrangements

# Defaulted params are left out: "any" of them, only "last" ones, or "none". A caller may always give them all.
OMIT_PARAMS = "any"


def possible_calls(op: Op, combination: Combination) -> tuple[Arrangement, ...]:
    """The arrangements that cases use, the fullest first; params always in the order of the spec."""
    types = {tensor.name: tensor.dtype.of(combination).qhpi for tensor in op.tensors}
    arriving = {p.name: "Float32" if p.dtype.kind is Kind.BOOL else p.dtype.qhpi for p in op.params}

    def key(_: Op, call: Arrangement) -> object:
        inputs = [types[name] for name, count in call.inputs for _ in range(count)]
        return tuple(inputs + [arriving[name] for name in call.params]), sum(n for _, n in call.outputs)

    order = {param.name: place for place, param in enumerate(op.params)}
    found = []
    for call in arrangements(op, combination, key):
        places = [order[name] for name in call.params]
        if places == sorted(places) and _may_omit(op, len(op.params) - len(places), places):
            found.append(call)
    return tuple(found)


def _may_omit(op: Op, missing: int, places: list[int]) -> bool:
    if missing == 0 or OMIT_PARAMS == "any":
        return True
    return OMIT_PARAMS == "last" and places == list(range(len(op.params) - missing))
