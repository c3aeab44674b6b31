"""Graphs, linear code and registers as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opkg.kernels.graphs.classify import Verdict
from opkg.kernels.graphs.graph import LEAVES, MOVES, Graph, Node
from opkg.kernels.graphs.shapes import Dim, text_of
from opkg.kernels.linear.memory import Linear
from opkg.kernels.linear.registers import Allocation
from opkg.kernels.linear.schedule import Schedule
from opkg.kernels.lowered import Inst


def symbol(node: Node) -> str:
    """A node without its operands: `mul`, `x`, `0.5`, `cast int8`, `reduce_sum over -1`."""
    if node.op == "const":
        return _constant(node.value)
    if node.op in ("input", "param"):
        return node.name
    if node.op == "cast":
        return f"cast {node.dtype}"
    if node.op.startswith("reduce_"):
        axes = node.axes if isinstance(node.axes, str) else ", ".join(map(str, node.axes or ())) or "everything"
        kept = " kept" if node.keepdims is True else f" kept if {node.keepdims}" if node.keepdims else ""
        return f"{node.op} over {axes}{kept}"
    if node.op in MOVES:
        how = ", ".join("new" if p is None else str(p) for p in node.parts) or node.axes or "reversed"
        return f"{node.op.removeprefix('move_')} {how}"
    return node.op


def _constant(value: bool | int | float | None) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def graph_lines(graph: Graph, verdicts: Sequence[Verdict] = ()) -> list[str]:
    """One line per operation, in order: its number, what it does, its type, its name in the text, its layout class."""
    rows = []
    for at, node in enumerate(graph.nodes):
        if node.op in LEAVES and node.op != "input":
            continue
        words = f"{symbol(node)} {', '.join(_operand(graph, arg) for arg in node.args)}".rstrip()
        notes = [f"{node.type}" + (", one number" if node.uniform else "")]
        if node.origin:
            notes.append(node.origin)
        if verdicts and verdicts[at].layout:
            notes.append(f"{verdicts[at].layout}: {verdicts[at].why}")
        rows.append((f"%{at}", "input " + words if node.op == "input" else words, "; ".join(notes)))
    rows += [("", f"output {result.name} = {_operand(graph, result.node)}", "") for result in graph.results]
    return _table(rows)


def _operand(graph: Graph, at: int) -> str:
    node = graph[at]
    return symbol(node) if node.op in ("const", "param") else f"%{at}"


def linear_lines(code: Linear, graph: Graph, loops: Schedule) -> list[str]:
    """The loops with the steps before and in them."""
    extents = (*loops.outer, loops.inner.length)
    lines = [
        f"{access.tensor} {'written' if access.stores else 'read'}: {_walk(access.advances, extents)}"
        for access in loops.accesses
    ]
    depth = 0
    for extent in loops.outer:
        lines.append("  " * depth + f"for each of {extent}:")
        depth += 1
    for number, walk in enumerate(loops.passes):
        if len(loops.passes) > 1:
            lines.append("  " * depth + f"pass {number + 1}:")
        inside = depth + (len(loops.passes) > 1)
        lines += ["  " * inside + _step(code, graph, at) for at in walk.before]
        if walk.body:
            lines.append("  " * inside + f"vectors, {loops.inner}:")
            lines += ["  " * (inside + 1) + _step(code, graph, at) for at in walk.body]
    return lines


def _walk(advances: Sequence[bool], extents: Sequence[Dim]) -> str:
    """How a tensor is walked; extents and whether it advances are those of the loops, the row last."""
    again = [str(extent) for extent, go in zip(extents, advances, strict=False) if not go]
    if not again:
        return "every element once"
    if not advances[-1]:
        again[-1] = f"the {again[-1]} of a row"
    return f"the same for each of {' and '.join(again)}"


def _step(code: Linear, graph: Graph, at: int) -> str:
    step = code.steps[at]
    args = ", ".join(f"%{arg}" for arg in step.args)
    if step.op == "store":
        return f"store {step.tensor}, {args}  {text_of(step.lies)}"
    if step.op == "scalar":
        return f"%{at} = scalar {symbol(graph[step.node])}"
    what = f"{step.op} {step.tensor}{args}".rstrip()
    if step.node >= 0 and not step.tensor:
        what = f"{symbol(graph[step.node])} {args}"
    return f"%{at} = {what}  {text_of(step.lies if step.tensor else step.shape)}"


def register_lines(insts: Sequence[Inst], allocation: Allocation) -> list[str]:
    """Instructions with the registers of their values."""
    rows = []
    for inst in insts:
        args = ", ".join(_placed(arg, allocation.registers) for arg in _values(inst))
        place = allocation.registers.get(inst.dest, "memory" if inst.dest in allocation.spills else "")
        rows.append((place, f"{inst.dest} = {inst.op}({args})" if inst.dest else f"{inst.op}({args})", inst.note))
    return _table(rows)


def _values(inst: Inst) -> Sequence[str]:
    """The operands; of memory operations without the part that is the first one, and the name of the tensor quoted."""
    if inst.op not in ("load", "store"):
        return inst.args
    name, part = inst.args[:2]
    return (f"'{name}'" + (f" part {part}" if part != "0" else ""), *inst.args[2:])


def _placed(arg: str, registers: Mapping[str, str]) -> str:
    return f"{arg}[{registers[arg]}]" if arg in registers else arg


def _table(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Three columns; the last one after two blanks where it is not empty."""
    first = max((len(row[0]) for row in rows), default=0)
    second = max((len(row[1]) for row in rows if row[2] and len(row[1]) <= 60), default=0)
    return [f"{a:{first}}  {b:{second}}  {c}".rstrip() for a, b, c in rows]
