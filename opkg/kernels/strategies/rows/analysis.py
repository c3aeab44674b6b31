"""What a graph with reductions needs of a row: extremes, sums, tables, and its results in terms of them.

Every value is a polynomial over elements (`x_q`, the stored number less the zero point), numbers of the row (extremes,
sums) and numbers of the call (scales, params), as far as it is one. Sums of polynomials then are sums of products of
elements, which integers hold exactly; other functions of one 8-bit element become tables, if need be of its distance from
the row's extreme.
"""

from __future__ import annotations

from collections.abc import Collection

from opkg.kernels.graphs.graph import REDUCE, Graph, Node
from opkg.kernels.portable.rows import Shared
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.choices import chosen
from opkg.kernels.strategies.rows.corners import corner_value
from opkg.kernels.strategies.rows.masks import masked_values, or_zero, table_value
from opkg.kernels.strategies.rows.plan import Cannot, Index, Plan, Table, by_distance, once
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.reductions import local_of, reduced
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind


def plan(
    snippet: Snippet, chooses: bool = False, masks: bool = False, or_one: bool = False, given: Collection[str] = ()
) -> Plan:
    """The plan of a snippet. `chooses`: choices between elements are sums of what is chosen; `masks`: tables may have masks;
    `or_one`: as of these; `given`: inputs that are numbers of the row. Raises Cannot."""
    graph = snippet.graph
    _same_axes(graph)
    for operand in read_inputs(snippet):
        if operand.is_float or (operand.dtype.kind is Kind.BOOL and not (chooses or masks)) or operand.is_param:
            raise Cannot(f"'{operand.name}' is {operand.dtype}")
        if operand.storage.bits > 32:
            raise Cannot(f"'{operand.name}' has {operand.storage.bits} bits")
    nodes = {node.name: at for at, node in enumerate(graph.nodes) if node.op == "input" and node.name in given}
    found = Plan(snippet, Shared(snippet), chooses=chooses, or_one=or_one, given=nodes)
    for at, node in enumerate(graph.nodes):
        _visit(found, at, node)
    found.count = found.shared.names.take(found.count)
    return found


def _same_axes(graph: Graph) -> None:
    nodes = [graph[at] for at in graph.reductions]
    if not nodes:
        raise Cannot("it reduces nothing")
    if len({node.axes for node in nodes}) > 1:
        raise Cannot("its reductions are over different dimensions")


def _visit(plan: Plan, at: int, node: Node) -> None:
    ranks = {plan.rank[arg] for arg in node.args}
    if node.op in REDUCE:
        reduced(plan, at, node)
    elif node.op == "input":
        _input(plan, at, node)
    elif node.uniform or node.op in ("const", "param"):
        _uniform(plan, at, node)
    elif "element" in ranks:
        plan.rank[at] = "element"
        _element(plan, at, node)
    else:
        plan.rank[at] = "row" if "row" in ranks else "uniform"
        _row_value(plan, at, node)


def _uniform(plan: Plan, at: int, node: Node) -> None:
    plan.rank[at] = "uniform"
    if node.op == "const" and node.type is not Type.BOOL:
        plan.polys[at] = poly.number(node.value or 0)
    elif at in plan.shared.given and node.type is not Type.BOOL:
        name = plan.shared.given[at]
        plan.polys[at] = poly.atom(name)
        if node.type is Type.INTEGER:
            plan.integers.add(name)


def _input(plan: Plan, at: int, node: Node) -> None:
    if node.name in plan.given:
        plan.rank[at] = "row"
        plan.locals[at] = name = plan.shared.names.take(f"{node.name}_of_row")
        plan.polys[at] = poly.atom(name)
        return
    plan.rank[at] = "element"
    if node.type is Type.BOOL:
        return
    operand = plan.snippet.operand(node.name)
    name = f"{node.name}_q"
    plan.elements[name] = operand
    plan.integers.add(name)
    value = poly.atom(name)
    if operand.quantized:
        scaled = poly.mul(value, poly.atom(f"{plan.shared.steps[node.name]}.scale"))
        assert scaled is not None
        value = scaled
    plan.polys[at] = value
    if operand.storage.bits == 8:
        plan.indices[at] = Index(node.name)


def _row_value(plan: Plan, at: int, node: Node) -> None:
    """A number of the row: a polynomial where it is one of extremes and numbers of the call; else a name."""
    if plan.rank[at] == "uniform":
        return
    plan.row.append(at)
    result = _algebra(plan, node) if node.type is not Type.BOOL else None
    if result is not None and not (poly.names(result) & _opaque(plan)):
        plan.polys[at] = result
        plan.locals[at] = local_of(plan, at, node)
        return
    plan.locals[at] = name = local_of(plan, at, node)
    if node.type is not Type.BOOL:
        plan.polys[at] = poly.atom(name)


def _opaque(plan: Plan) -> frozenset[str]:
    """Names of the row's numbers that are no extremes: polynomials do not look through them."""
    return frozenset(plan.locals.values()) | frozenset([total.name for total in plan.totals.values()])


def _algebra(plan: Plan, node: Node) -> Poly | None:
    """The polynomial of a node of polynomials; None when it is none."""
    args = [plan.polys.get(arg) for arg in node.args]
    if any(arg is None for arg in args):
        return None
    a = args[0] if args else None
    b = args[1] if len(args) > 1 else None
    if a is not None and b is not None:
        if node.op == "add":
            return poly.add(a, b)
        if node.op == "sub":
            return poly.add(a, b, -1)
        if node.op == "mul":
            return poly.mul(a, b)
        if node.op == "div" and set(b) == {()}:
            return poly.mul(a, poly.number(1.0 / b[()]))
    if a is not None and node.op == "neg":
        return poly.add({}, a, -1)
    if a is not None and node.op == "cast":
        return _cast(plan, node, a)
    return None


def _cast(plan: Plan, node: Node, value: Poly) -> Poly | None:
    """A cast that keeps every number: of a stored integer to a type that holds it."""
    row, operand = DTYPES[node.dtype], plan.graph[node.args[0]]
    if operand.op != "input" or operand.type is not Type.INTEGER:
        return None
    source = plan.snippet.operand(operand.name).dtype
    if row.kind is Kind.FLOAT:
        return value if source.bits <= (8 if row.bits == 16 else 16) else None
    low, high = row.limits
    return value if low <= source.limits[0] and source.limits[1] <= high else None


def _element(plan: Plan, at: int, node: Node) -> None:
    result = _algebra(plan, node) if node.type is not Type.BOOL else None
    if result is None and node.op == "div" and plan.rank[node.args[1]] != "element":
        result = _divided(plan, node)
    if result is None and node.type is not Type.BOOL:
        result = chosen(plan, node) if plan.chooses else corner_value(plan, node)
    if result is not None:
        plan.polys[at] = result = once(plan, result)
    if result is None and not plan.chooses and or_zero(plan.graph, at):
        result = plan.polys[at] = masked_values(plan, node)
    index = _index(plan, at, node)
    if index is not None:
        plan.indices[at] = index
        result = None if result is not None and _multiplies_table(plan, result) else result
    if result is None and index is not None and node.type is not Type.BOOL:
        _table(plan, at, node, index)
    elif result is None and index is None:
        first = [plan.why[arg] for arg in node.args if arg in plan.why]
        plan.why[at] = first[0] if first else f"'{node.op}' of anything but one 8-bit element"


def _multiplies_table(plan: Plan, value: Poly) -> bool:
    """Whether a polynomial has products with a table's values: of one byte they are a table of their own."""
    products = [atoms for atoms in poly.split(value, plan.is_element) if len(atoms) > 1]
    return any(isinstance(plan.elements.get(name), Table) for atoms in products for name in atoms)


def _divided(plan: Plan, node: Node) -> Poly | None:
    """x / r as x times the inverse of r, which is computed once per row."""
    left = plan.polys.get(node.args[0])
    if left is None:
        return None
    name = f"inverse_{node.args[1]}"
    plan.inverses[name] = node.args[1]
    return poly.mul(left, poly.atom(name))


def _index(plan: Plan, at: int, node: Node) -> Index | None:
    """What an element's value is a function of, beside numbers of the call."""
    value = plan.polys.get(at)
    if value is not None:
        found = _distance(plan, value)
        if found is not None:
            return found
    given = [plan.indices.get(arg) for arg in node.args if plan.rank[arg] == "element"]
    if any(plan.rank[arg] == "row" for arg in node.args):
        return None
    return given[0] if given and all(index == given[0] for index in given) else None


def _distance(plan: Plan, value: Poly) -> Index | None:
    """The element, or the distance from an extreme, that a polynomial is of."""
    used = [name for name in poly.names(value) if plan.is_element(name)]
    if len(used) != 1 or plan.tests_of(tuple(used)):
        return None
    operand = plan.elements.get(used[0])
    if not isinstance(operand, Operand) or operand.storage.bits != 8:
        return None
    if poly.names(value) & (_opaque(plan) | set(plan.inverses)):
        return None
    extremes = [e for e in plan.extremes.values() if e.name in poly.names(value)]
    if not extremes:
        return Index(operand.name)
    if len(extremes) > 1 or extremes[0].operand != operand.name:
        return None
    moved = by_distance(value, used[0], extremes[0])
    return Index(operand.name, extremes[0]) if moved is not None else None


def _table(plan: Plan, at: int, node: Node, index: Index) -> None:
    plan.polys[at] = table_value(plan, Table(plan.shared.names.take(node.origin or node.op), at, index))
