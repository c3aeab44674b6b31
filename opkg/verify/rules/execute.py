"""Computes every node of a rule's graph from values of its inputs, rounded as the nodes' types say, or exactly."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import numpy as np

from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Node
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.meaning import Arg, Call, Unfit
from opkg.verify.rules.tensors import Value, rounded, unsaturated
from opkg.verify.rules.world import World

CASTS = ("Cast", "QNN_Cast")


class Rounding(StrEnum):
    """What happens to the results of inner nodes."""

    STORED = "stored"  # rounded and saturated, as in a tensor
    FREE = "free"  # rounded to steps, without ends of the range
    EXACT = "exact"  # kept


class NodeUnfit(Unfit):
    """A node that its own op does not allow, or (`described`) that is described as something else than the op gives."""

    def __init__(self, node: Node, message: str, described: bool = False) -> None:
        super().__init__(message)
        self.node = node
        self.described = described


def leaf_value(node: Node) -> Array | None:
    """The real values of a constant or shape; None for one whose values are not known."""
    if node.op == SHAPE:
        return np.array(node.output.shape, np.int64)
    if node.data is None:
        return None
    values = np.asarray(node.data.array(node.output))
    return rounded(values, node.output)


def run(
    graph: Graph, world: World, inputs: Mapping[int, Array], rounding: Rounding = Rounding.STORED, keep: int = -1,
    casts: bool = False,
) -> dict[int, Value]:  # fmt: skip
    """Node id -> real values, for what the graph's outputs need. `inputs`: values of `*Input` nodes by id. Node `keep`
    is not rounded. `casts`: those are rounded in any case, as it is what they are for.

    Raises NodeUnfit for a node whose op does not allow its operands, or which is described with another shape than
    its op gives; KeyError for an op without meaning.
    """
    found: dict[int, Value] = {}
    outputs = {id for _, id in graph.outputs}
    needed = _needed(graph, outputs)
    for node in graph.order():
        if node.id not in needed:
            continue
        if node.op == INPUT:
            found[node.id] = inputs[node.id]
        elif node.op in (CONST, SHAPE):
            value = leaf_value(node)
            if value is None:
                raise NodeUnfit(node, "a constant whose values are not known")
            found[node.id] = value
        else:
            way = Rounding.STORED if casts and node.op.rpartition("::")[2] in CASTS else rounding
            found[node.id] = _computed(graph, world, node, found, Rounding.EXACT if node.id == keep else way)
    return found


def _needed(graph: Graph, outputs: set[int]) -> set[int]:
    pending, seen = list(outputs), set()
    while pending:
        id = pending.pop()
        if id not in seen:
            seen.add(id)
            pending.extend(graph.nodes[id].inputs)
    return seen


def _computed(graph: Graph, world: World, node: Node, found: dict[int, Value], rounding: Rounding) -> Value:
    if node.op == OUT:
        value: Value = selected(node, found[node.inputs[0]], graph)
    else:
        args = []
        for id in node.inputs:
            operand = graph.nodes[id]
            args.append(Arg(found[id], operand.output, operand.op in (CONST, SHAPE)))
        multi = node.output.is_multi
        call = Call(node.op, tuple(args), node.output.dtype, None if multi else node.output.shape, node.output)
        try:
            value = world.compute(call)
        except NodeUnfit:
            raise
        except Unfit as unfit:
            raise NodeUnfit(node, str(unfit)) from None
    if isinstance(value, tuple):
        if node.output.is_multi and len(value) == node.output.count:
            return value
        raise NodeUnfit(node, f"{node.op} has {len(value)} outputs, its node {node.output.count}", True)
    if value.shape != node.output.shape:
        wanted = list(node.output.shape)
        raise NodeUnfit(node, f"{node.op} gives {list(value.shape)}, its node is described as {wanted}", True)
    return as_stored(value, node, rounding)


def as_stored(value: Array, node: Node, rounding: Rounding) -> Array:
    """A node's values under one way of rounding."""
    if rounding is Rounding.STORED:
        return rounded(value, node.output)
    return unsaturated(value, node.output) if rounding is Rounding.FREE else value


def selected(node: Node, value: Value, graph: Graph) -> Array:
    """What a `$Out` node takes of a multi-output op."""
    which = graph.nodes[node.inputs[1]].output.shape if len(node.inputs) > 1 else ()
    index = which[3] if len(which) > 3 else 0
    if not isinstance(value, tuple) or not 0 <= index < len(value):
        raise NodeUnfit(node, f"$Out of output {index}, which is not there")
    return value[index]
