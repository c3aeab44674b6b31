"""Graphs of the rule simulator as pictures: boxes and arrows, and the part of a graph around a change."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from opkg.report.rules_picture import Arrow, Box, Picture, shortened
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE
from opkg.rules.sim.text_write import node_text, output_text

if TYPE_CHECKING:
    from opkg.rules.sim.model import Graph, Node

MOST_VALUES = 6  # of a constant, shown
LONGEST = 400  # characters of a node's line
_TONES = {INPUT: "input", CONST: "const", SHAPE: "const"}


def line_of(graph: Graph, id: int) -> str:
    """A node's line of the text form, shapes only it reads inside: `y: Float32[1,4] = q::Relu(x)`; %7 for one that is gone."""
    node = graph.nodes.get(id)
    if node is None:
        return f"%{id}"
    return shortened(node_text(graph, node, {i for i in node.inputs if is_inline(graph, i)}, MOST_VALUES), LONGEST)


def is_inline(graph: Graph, id: int) -> bool:
    """Whether a node is a shape without a name that one op reads: shown in that op's box."""
    node = graph.nodes.get(id)
    if node is None or node.op != SHAPE or node.name or node.inputs or graph.is_output(id):
        return False
    users = graph.users(id)
    return len(users) == 1 and graph.nodes[users[0]].inputs.count(id) == 1


def picture(graph: Graph, only: Collection[int] | None = None) -> Picture:
    """The graph, or the nodes of `only`, and a box for each output of the graph that one of them gives.

    Boxes are keyed by node id; the box of output number n is keyed -1 - n.
    """
    boxes, arrows = [], []
    shown = {id for id in (graph.nodes if only is None else only) if not is_inline(graph, id)}
    for node in graph.order() if only is None else _ordered(graph, shown):
        if node.id not in shown:
            continue
        boxes.append(_box(graph, node))
        inputs = [i for i in node.inputs if i in shown]
        arrows += [Arrow(i, node.id, port, len(inputs)) for port, i in enumerate(inputs)]
    for number, (name, id) in enumerate(graph.outputs):
        if id in shown:
            boxes.append(Box(-1 - number, (shortened(name), "output"), "output", f"output {name}"))
            arrows.append(Arrow(id, -1 - number))
    return Picture(tuple(boxes), tuple(arrows))


def _ordered(graph: Graph, ids: Collection[int]) -> Iterable[Node]:
    """Some nodes of a graph, those read before those that read them: as `Graph.order`, without looking at the rest."""
    done: set[int] = set()
    for root in sorted(ids):
        pending = [root]
        while pending:
            id = pending[-1]
            needed = [i for i in graph.nodes[id].inputs if i in ids and i not in done] if id not in done else []
            if needed:
                pending.append(needed[0])
                continue
            pending.pop()
            if id not in done:
                done.add(id)
                yield graph.nodes[id]


def _box(graph: Graph, node: Node) -> Box:
    lines = [graph.label(node.id)]
    shapes = [graph.nodes[i].output.shape for i in node.inputs if is_inline(graph, i)]
    if node.op == SHAPE:
        lines.append(f"shape {_dims(node.output.shape)}")
    elif node.op == OUT and shapes and len(shapes[0]) == 4:
        lines += [f"output {shapes[0][3]}", *_typed(node)]
    else:
        lines += [node.op, *_typed(node), *(_dims(shape) for shape in shapes), *_values(node)]
    short = tuple(shortened(line) for line in lines)
    return Box(node.id, short, _TONES.get(node.op, "op"), line_of(graph, node.id))


def _dims(shape: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, shape))}]"


def _typed(node: Node) -> Iterable[str]:
    """Type and shape; on a line of its own, the quantization."""
    text, mark, quantization = output_text(node.output).partition(" zero ")
    yield text
    if mark:
        yield f"zero {quantization}"


def _values(node: Node) -> Iterable[str]:
    """The values of a constant whose values are known and few."""
    if node.op == CONST and node.data is not None and 0 < node.output.elements <= MOST_VALUES:
        values = [node.data.element(node.output, i) for i in range(node.output.elements)]
        yield ", ".join(f"{value:.7g}" if isinstance(value, float) else str(value) for value in values)


def around(graph: Graph, ids: Iterable[int], most: int) -> set[int]:
    """Nodes near some others, those included (of them, as many as fit): step by step outwards, at most `most` in all."""
    found: dict[int, None] = {}
    ring = [id for id in dict.fromkeys(ids) if id in graph.nodes]
    while ring and len(found) < most:
        found.update(dict.fromkeys(ring[: most - len(found)]))
        near = [i for id in ring for i in (*graph.nodes[id].inputs, *graph.users(id)[:most])]
        ring = [id for id in dict.fromkeys(near) if id not in found]
    return set(found)
