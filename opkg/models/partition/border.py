"""What a set of nodes would be as one kernel: tensors at its border, the space it loops over, registers, bytes, packets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from opkg.kernels.cost import of_units
from opkg.models.model import Links, Model
from opkg.models.ops import OPS
from opkg.models.partition.limits import Limits
from opkg.models.partition.moved import is_number
from opkg.spec.shapes import EvaluationError, Shape, broadcast, product

VECTOR = 128  # bytes
LANES = 32  # floats of a vector


@dataclass(frozen=True, slots=True)
class Border:
    """`domain`: the shape to which all results broadcast; None when they do not."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    domain: Shape | None


def domain(model: Model, outputs: Iterable[str]) -> Shape | None:
    """The shape that a kernel with these results loops over."""
    shapes = [model.tensor(name).fixed or () for name in outputs]
    try:
        return broadcast(shapes) if shapes else ()
    except EvaluationError:
        return None


def refused(model: Model, edges: Links, nodes: Sequence[int], border: Border, limits: Limits) -> str:
    """Which limit of the target several nodes break as one kernel; "" for none."""
    counts = (len(border.inputs), len(border.outputs))
    if sum(counts) > limits.tensors or counts[0] > limits.inputs or counts[1] > limits.outputs:
        return f"{counts[0]} inputs and {counts[1]} outputs"
    if len(nodes) > limits.nodes:
        return f"{len(nodes)} ops"
    if border.domain is None:
        return "results that do not broadcast"
    if (held := tile_bytes(model, border)) > limits.tile:
        return f"{held} bytes of the smallest tile"
    if 3 * len(nodes) + len(border.inputs) < limits.registers:
        return ""  # not all of them together
    if limits.registers and (alive := registers(model, edges, sorted(nodes), border.inputs)) > limits.registers:
        return f"{alive} vectors alive at once"
    return ""


def tile_bytes(model: Model, border: Border) -> int:
    """Bytes of the smallest tile: kernels of elementwise ops are cut along every dimension, down to one vector a tensor."""
    return sum(min(model.tensor(name).bytes, VECTOR) for name in (*border.inputs, *border.outputs))


def registers(model: Model, edges: Links, nodes: Sequence[int], inputs: Collection[str]) -> int:
    """How many vectors are alive at once when nodes are computed in this order: operands are loaded where they are read, results
    stored where they are made. Constants of one element are held all the time."""
    last: dict[str, int] = {}
    held: set[str] = set()
    for at, number in enumerate(nodes):
        for name in model.nodes[number].reads:
            last[name] = at
            if is_number(model, name):
                held.add(name)
    alive: set[str] = set()
    most = 0
    for at, number in enumerate(nodes):
        node = model.nodes[number]
        loaded = {name for name in node.reads if name not in held and (name in inputs or name not in alive)}
        most = max(most, len(alive | loaded))
        alive = {name for name in alive if last[name] > at}
        alive |= {name for name in node.outputs if last.get(name, -1) > at}
        most = max(most, len(alive | set(node.outputs)))
    return most + len(held)


def packets(ops: float, border: Border) -> float:
    """The floor of a kernel's loop, in packets, over all of the space it loops over: loads and stores by opkg.kernels.cost,
    and `ops`: those of its ops for one vector, each of which counts for every vector of that space."""
    loads, stores = len(border.inputs), len(border.outputs)
    floor, _ = of_units({"load": loads, "store": stores, "memory": loads})
    return (floor + ops) * -(-product(border.domain or ()) // LANES)


def op_packets(model: Model, nodes: Iterable[int]) -> float:
    """What the ops of a kernel cost for one vector in registers."""
    return sum(OPS[model.nodes[number].op].packets for number in nodes)
