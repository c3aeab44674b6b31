"""Writing the text form of graphs, also single lines of it (docs/rules-graphs.md)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Fill, Listed, Random
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Node, OptionValue, Output
from opkg.rules.sim.text_tokens import quoted


def write_text(graph: Graph, limit: int | None = None) -> str:
    """The graph's text; `read_text` gives an equal graph. Origins and split history are not in it.

    `limit`: constants with more listed values are written as unknown.
    """
    lines = [f"option {quoted(name)} = {_written(value)}" for name, value in sorted(graph.options.items())]
    inline = {node.id for node in graph.nodes.values() if _is_inline(graph, node)}
    lines += [node_text(graph, node, inline, limit) for node in graph.order() if node.id not in inline]
    for name, id in graph.outputs:
        node = reference(graph, id)
        lines.append(f"output {quoted(name)}" + (f" = {node}" if node != quoted(name) else ""))
    return "".join(f"{line}\n" for line in lines)


def reference(graph: Graph, id: int) -> str:
    """How a node is named in the text form."""
    name = graph.nodes[id].name
    return quoted(name) if name else f"%{id}"


def output_text(output: Output) -> str:
    """A type as the text form has it: `QUInt8[1,8,8,32] zero 128 step 0.05`."""
    if output.is_multi:
        return f"Multi({output.count})"
    text = f"{output.dtype.name}{_list(output.shape)}"
    if output.quantized and (output.zero_offset, output.step_size) != (0, 1.0):
        text += f" zero {output.zero_offset} step {output.step_size!r}"
    return text


def node_text(graph: Graph, node: Node, inline: Collection[int] = (), limit: int | None = None) -> str:
    """A node's line; the `$Shape` nodes in `inline` stand inside it; `limit` as for `write_text`."""
    name = reference(graph, node.id)
    if node.op == SHAPE and not node.inputs and _is_plain_shape(node):
        return f"shape {name}: {_list(node.output.shape)}"
    typed = f"{name}: {output_text(node.output)}"
    if node.op == INPUT and not node.inputs:
        return f"input {typed}"
    if node.op == CONST and not node.inputs:
        return f"const {typed} = {_values(node, limit)}"
    if node.op == OUT and len(node.inputs) == 2 and node.inputs[1] in inline:
        multi, which = (graph.nodes[i].output for i in node.inputs)
        if multi.is_multi and which.shape[:3] == (0, 0, multi.count) and which.shape[3:] < (multi.count,):
            return f"{typed} = {reference(graph, node.inputs[0])}.{which.shape[3]}"
    args = (_list(graph.nodes[i].output.shape) if i in inline else reference(graph, i) for i in node.inputs)
    return f"{typed} = {quoted(node.op, op=True)}({', '.join(args)})"


def _is_plain_shape(node: Node) -> bool:
    return node.output == Output(HtpType.Int32, node.output.shape)


def _is_inline(graph: Graph, node: Node) -> bool:
    """Whether a shape can stand inside the one line that reads it."""
    if node.op != SHAPE or node.name or node.inputs or not _is_plain_shape(node) or graph.is_output(node.id):
        return False
    users = graph.users(node.id)
    return len(users) == 1 and graph.nodes[users[0]].inputs.count(node.id) == 1


def _list(values: Iterable[object]) -> str:
    return f"[{','.join(map(str, values))}]"


def _written(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    return repr(value)


def _values(node: Node, limit: int | None) -> str:
    data = node.data
    if data is None:
        return "?"
    if isinstance(data, Fill):
        return f"fill {data.value!r}"
    if isinstance(data, Random):
        return f"random {data.seed}"
    if limit is not None and node.output.elements > limit:
        return f"?  # {node.output.elements} values"
    values = data.values if isinstance(data, Listed) else data.values.reshape(-1).tolist()
    return f"[{', '.join(map(repr, values))}]"
