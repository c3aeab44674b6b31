"""What kernels cost in packets: of nodes that may become one, by the table of ops; of an op, by the code generated for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from opkg.fuse import language
from opkg.fuse.canonical import operands
from opkg.models.model import Links, Model
from opkg.models.partition.border import LANES, Border, domain, op_packets, packets
from opkg.models.partition.moved import borders
from opkg.spec.model import Op
from opkg.spec.shapes import Shape, product

REDUCTION_PACKETS = 1.0  # per vector and reduction, of one accumulation
_COSTS = {"Softmax": 12.0, "LayerNormalization": 6.0, "RMSNormalization": 4.0}


def estimated(model: Model, edges: Links, nodes: Sequence[int]) -> float:
    """Floor of the loop of nodes as one kernel. An op on fewer elements than the space has is computed once for each of its
    own, which fills a vector then."""
    space = domain(
        model, (name for number in nodes for name in (*operands(model.nodes[number]), *model.nodes[number].outputs))
    )
    narrow = 0.0
    whole = []
    for number in nodes:
        own = domain(model, (*operands(model.nodes[number]), *model.nodes[number].outputs))
        if len(nodes) > 1 and product(own or ()) * LANES < product(space or ()):
            narrow += _ops(model, (number,)) * product(own or ())
        else:
            whole.append(number)
    inputs, outputs = borders(model, edges, nodes)
    return narrow + packets(_ops(model, whole), Border(inputs, outputs, space))


def _ops(model: Model, nodes: Sequence[int]) -> float:
    """Packets of ops for one vector."""
    rows = [number for number in nodes if model.nodes[number].op in language.REDUCING]
    others = [number for number in nodes if number not in rows]
    return op_packets(model, others) + sum(_COSTS.get(model.nodes[n].op, REDUCTION_PACKETS) for n in rows)


@dataclass(frozen=True, slots=True)
class Code:
    """The kernel that is generated for the first combination of an op: packets of its loops in a call (None: not known), why it
    has no vector code ("" where it has), whether it also computes numbers for each row, which are not in the packets."""

    packets: float | None
    portable: str
    numbers: bool = False


def of_code(op: Op, shapes: Mapping[str, Shape], kernel: int = 0) -> Code:
    """The code for inputs of these shapes, of the kernel of this number."""
    from opkg.kernels.choose import best, candidates
    from opkg.kernels.cost import has_numbers
    from opkg.kernels.emit.parts import Source, parts
    from opkg.kernels.graphs.shapes import ShapeError
    from opkg.kernels.show.stages import Shown, loops_at_a_shape

    source = op.kernels[kernel]
    elements = dict.fromkeys((*(t.name for t in op.tensors), *(p.name for p in op.params)), "")
    total: float | None = 0.0
    numbers = False
    for snippet in next(parts(op, Source(source, "", elements), True)):
        found = candidates(snippet)
        chosen = best(found)
        if chosen is None or chosen.lowered is None:
            return Code(None, next((each.why for each in found if each.why), "no strategy for it"))
        try:
            loops = loops_at_a_shape(Shown(op, source.combination, snippet, shapes), chosen.lowered)
        except ShapeError:
            loops = None
        total = total + loops if total is not None and loops is not None else None
        numbers |= any(has_numbers(chosen.lowered))
    return Code(total, "", numbers)
