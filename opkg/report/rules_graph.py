"""Graphs of the rule simulator in words and as pictures: labels of nodes, boxes and arrows, the part around a change."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from opkg.report.rules_picture import Arrow, Box, Picture, shortened
from opkg.rules.sim.model import CONST, INPUT, SHAPE

if TYPE_CHECKING:
    from opkg.rules.sim.model import Graph, Node, Output

MOST_VALUES = 6  # of a constant, shown


def described(output: Output) -> str:
    """`QUInt8 [1,8,8,32]`; with the quantization of a quantized type: `QUInt8(128, 0.5) [1,8,8,32]`."""
    quantization = f"({output.zero_offset}, {output.step_size:.7g})" if output.quantized else ""
    if output.is_multi:
        return f"{output.count} outputs"
    return f"{output.dtype.name}{quantization} [{','.join(map(str, output.dims))}]"


def labelled(graph: Graph, id: int) -> str:
    """`add q::ElementWiseAdd QUInt8(...) [...]`: the node as one line."""
    node = graph.nodes.get(id)
    if node is None:
        return f"%{id}"
    return " ".join((graph.label(id), node.op, described(node.output), *_values(node))).rstrip()


def called(graph: Graph, id: int) -> str:
    """`add = q::ElementWiseAdd(x, y) QUInt8(...) [...]`: the node with what it reads."""
    node = graph.nodes.get(id)
    if node is None:
        return f"%{id}"
    inputs = ", ".join(graph.label(i) for i in node.inputs)
    return " ".join((f"{graph.label(id)} = {node.op}({inputs})", described(node.output), *_values(node)))


def _values(node: Node) -> Iterable[str]:
    """The first values of a constant whose values are known and few."""
    if node.op != CONST or node.data is None or not 0 < node.output.elements <= MOST_VALUES:
        return
    values = [node.data.element(node.output, i) for i in range(node.output.elements)]
    yield f"= {', '.join(f'{value:.7g}' if isinstance(value, float) else str(value) for value in values)}"


def picture(graph: Graph, only: Collection[int] | None = None) -> Picture:
    """The graph, or the nodes of `only`, and a box for each output of the graph that one of them gives.

    Boxes are keyed by node id; the box of output number n is keyed -1 - n.
    """
    boxes, arrows = [], []
    for node in graph.order():
        if only is not None and node.id not in only:
            continue
        boxes.append(_box(graph, node))
        count = len(node.inputs)
        for port, source in enumerate(node.inputs):
            if only is None or source in only:
                arrows.append(Arrow(source, node.id, port, count))
    for number, (name, id) in enumerate(graph.outputs):
        if only is None or id in only:
            boxes.append(Box(-1 - number, (shortened(name), "output"), "output", f"output {name}"))
            arrows.append(Arrow(id, -1 - number))
    return Picture(tuple(boxes), tuple(arrows))


def _box(graph: Graph, node: Node) -> Box:
    tone = {INPUT: "input", CONST: "const", SHAPE: "const"}.get(node.op, "op")
    name = graph.label(node.id)
    title = called(graph, node.id)
    if node.op == SHAPE:
        return Box(node.id, (name, f"shape [{','.join(map(str, node.output.dims))}]"), tone, title)
    lines = [shortened(name), shortened(node.op), shortened(described(node.output))]
    lines += [shortened(values) for values in _values(node)]
    return Box(node.id, tuple(lines), tone, title)


def around(graph: Graph, ids: Iterable[int], most: int) -> set[int]:
    """Nodes near some others, those included (of them, as many as fit): step by step outwards, at most `most` in all."""
    found: dict[int, None] = {}
    ring = [id for id in dict.fromkeys(ids) if id in graph.nodes]
    while ring and len(found) < most:
        found.update(dict.fromkeys(ring[: most - len(found)]))
        near = [i for id in ring for i in (*graph.nodes[id].inputs, *graph.users(id)[:most])]
        ring = [id for id in dict.fromkeys(near) if id not in found]
    return set(found)
