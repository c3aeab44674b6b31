"""How many bytes the ops of a model move: what each reads and writes, once a tensor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opkg.models.model import Links, Model
from opkg.models.ops import OPS, Group


def alone(model: Model, nodes: Iterable[int]) -> int:
    """Bytes of nodes that are computed one by one. A tensor without a known size counts nothing; nor does an op that
    only changes a shape."""
    total = 0
    for number in nodes:
        node = model.nodes[number]
        row = OPS.get(node.op)
        if row is None or row.group is not Group.VIEW:
            total += sum(model.tensor(name).bytes for name in {*node.reads, *node.outputs} if name)
    return total


def borders(model: Model, edges: Links, nodes: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tensors that go into and out of nodes which are computed as one: each once, constants of one element left out."""
    inside = set(nodes)
    reads = dict.fromkeys(name for number in nodes for name in model.nodes[number].reads)
    inputs = tuple(name for name in reads if edges.maker.get(name) not in inside and not is_number(model, name))
    gives = (name for number in nodes for name in model.nodes[number].outputs)
    outputs = tuple(
        name for name in gives if name in edges.results or any(user not in inside for user in edges.used(name))
    )
    return inputs, outputs


def together(model: Model, edges: Links, nodes: Sequence[int]) -> int:
    """Bytes of nodes that are computed as one kernel."""
    inputs, outputs = borders(model, edges, nodes)
    return sum(model.tensor(name).bytes for name in (*inputs, *outputs))


def largest(model: Model, nodes: Iterable[int]) -> int:
    """Bytes of the largest tensor that nodes read or give."""
    read = (model.nodes[number] for number in nodes)
    return max((model.tensor(name).bytes for node in read for name in (*node.reads, *node.outputs)), default=0)


def is_number(model: Model, name: str) -> bool:
    """Whether a tensor is a constant of one element, which becomes a number of the code."""
    shape = model.tensor(name).fixed
    return (
        name in model.constants and name not in model.whole and shape is not None and all(size == 1 for size in shape)
    )
