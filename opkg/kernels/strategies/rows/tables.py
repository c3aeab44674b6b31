"""Tables of a function of one 8-bit element, or of its distance from the row's extreme: 16-bit entries and what they miss."""

from __future__ import annotations

import re

from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import CPP, Names, Writer
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.plan import Plan, Table, by_distance
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type


def table_members(table: Table) -> list[Member]:
    """The members that hold a table."""
    of = f"for {'distances from the extreme' if table.index.extreme else 'stored elements'}"
    return [
        Member("opkg::hvx::Spread", f"{table.name}_spread", f"range of the table of {table.name}"),
        Member("alignas(128) uint16_t", f"{table8.table_name(table.name)}[256]", f"{table.name} {of}"),
        Member("alignas(128) uint16_t", f"{table8.table_name(table.name + '_fraction')}[256]", "what its entries miss"),
    ]


def table_prepare(plan: Plan, table: Table) -> list[str]:
    """Statements that fill a table."""
    values = f"{table.name}_values"
    entries = f"{table8.table_name(table.name)}, {table8.table_name(table.name + '_fraction')}"
    least = ", 0.0" if table.where >= 0 else ""
    lines = [f"if (!{table.name}_spread.set({values}, {entries}{least})) return false;"]
    if table.where >= 0:
        lines.append(f"if ({table.name}_spread.low != 0.0) return false;")
    return [*table_values(plan, table, values), *lines]


def table_values(plan: Plan, table: Table, values: str) -> list[str]:
    """Statements that make an array of the values."""
    entry = _entry(plan, table, values)
    return [
        f"double {values}[256];",
        *_call_inverses(plan, entry),
        "for (int32_t i = 0; i < 256; ++i) {",
        *(f"  {line}" for line in entry),
        "}",
    ]


def _call_inverses(plan: Plan, lines: list[str]) -> list[str]:
    """Inverses of numbers of the call that lines ask for."""
    asked = {name for line in lines for name in re.findall(r"\w+", line)}
    found = {name: node for name, node in plan.inverses.items() if node not in plan.row and name in asked}
    return [f"const double {name} = 1.0 / {plan.shared.given[node]};" for name, node in found.items()]


def _entry(plan: Plan, table: Table, values: str) -> list[str]:
    """One entry: the nodes that are polynomials of the index first, then what is computed of them."""
    graph = plan.graph
    names = Names(["i", values, "op", *plan.shared.given.values()])
    signed = table.index.extreme is None and plan.snippet.operand(table.index.operand).storage.signed
    index = "static_cast<int8_t>(i)" if signed else "i"
    name = names.take("d" if table.index.extreme else f"{table.index.operand}_q")
    zero = "" if table.index.extreme else plan.zero(table.index.operand)
    lines = [f"const int64_t {name} = {index}{f' - {zero}' if zero else ''};"]
    given = dict(plan.shared.given)
    for node in _leaves(plan, table):
        kind = graph[node].type
        local = names.take(graph[node].origin or "t")
        text = poly.text(_of_index(plan, table, node), frozenset(plan.integers | {name}), kind is Type.INTEGER)
        lines.append(f"const {CPP[kind]} {local} = {text};")
        given[node] = local
    writer = Writer(graph, given, names, plan.shared.bounds())
    writer.write([table.node])
    lines += [*writer.lines, f"{values}[i] = {writer.value(table.node, Type.REAL)};"]
    asked = any(re.search(rf"\b{name}\b", line) for line in lines[1:])
    return lines if asked else lines[1:]


def _leaves(plan: Plan, table: Table) -> list[int]:
    """The nodes that a table's node is computed of and that are polynomials of its index."""
    found: set[int] = set()
    todo = list(plan.graph[table.node].args)
    while todo:
        at = todo.pop()
        if at in found or plan.rank[at] != "element":
            continue
        if _polynomial(plan, at):
            found.add(at)
        else:
            todo += plan.graph[at].args
    return sorted(found)


def _polynomial(plan: Plan, at: int) -> bool:
    value = plan.polys.get(at)
    return value is not None and not any(table.atom in poly.names(value) for table in plan.tables.values())


def _of_index(plan: Plan, table: Table, node: int) -> Poly:
    value = plan.polys[node]
    if table.index.extreme is None:
        return value
    moved = by_distance(value, f"{table.index.operand}_q", table.index.extreme)
    assert moved is not None, "the index was found by this"
    return moved
