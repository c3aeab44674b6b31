"""What reductions need of a row: its extremes, and sums of products of its elements, chosen or not."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Node
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.exponentials import exponential_value
from opkg.kernels.strategies.rows.factors import product_of
from opkg.kernels.strategies.rows.masks import chosen_value
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Table, Total
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.smooth import smooth_value
from opkg.kernels.strategies.rows.variances import may_cancel
from opkg.spec.compute.types import Type


def reduced(plan: Plan, at: int, node: Node) -> None:
    """Adds what a reduction needs of the row, and its value. Raises Cannot."""
    (arg,) = node.args
    if plan.rank[arg] != "element":
        raise Cannot("it reduces what does not vary along the row")
    value, chosen_one = plan.polys.get(arg), chosen_value(plan.graph, arg)
    if chosen_one is not None and node.op == "reduce_max":
        value = plan.polys.get(chosen_one)
    if node.op == "reduce_prod":
        _product(plan, at, node)
        return
    if value is None and node.op in ("reduce_sum", "reduce_mean"):
        value = smooth_value(plan, arg) or exponential_value(plan, arg)
    if value is None:
        why = plan.why.get(arg, "what is no polynomial of elements")
        raise Cannot(f"'{node.op.removeprefix('reduce_')}' of {why}")
    plan.rank[at] = "row"
    plan.row.append(at)
    plan.locals[at] = name = local_of(plan, at, node)
    if node.op in ("reduce_max", "reduce_min"):
        plan.polys[at] = _extreme(plan, node, value, -1 if chosen_one is None else plan.graph[arg].args[0])
        return
    parts = poly.split(value, plan.is_element)
    for atoms in parts:
        if atoms:
            _total(plan, atoms)
    if may_cancel(plan, value):
        plan.guarded.add(at)
    plan.polys[at] = poly.atom(name)


def _product(plan: Plan, at: int, node: Node) -> None:
    product = product_of(plan, node)
    if product not in plan.products.values():
        _claim(plan, product.name)
    plan.products[at] = product
    plan.rank[at] = "row"
    plan.row.append(at)
    plan.locals[at] = local_of(plan, at, node)  # no polynomial: these do not wrap


def _extreme(plan: Plan, node: Node, value: Poly, where: int) -> Poly:
    """`where`: as in Extreme."""
    parts = poly.split(value, plan.is_element)
    varying = [atoms for atoms in parts if atoms]
    if len(varying) != 1 or len(varying[0]) != 1:
        raise Cannot("the extreme of more than one element")
    (element,) = varying[0]
    if element in plan.functions:
        raise Cannot("the extreme of a function of 16-bit elements")
    operand = plan.elements.get(element)
    if not isinstance(operand, Operand):
        raise Cannot("the extreme of a table's values")
    sign = plan.sign(parts[varying[0]])
    if sign == 0:
        raise Cannot("the extreme of a product whose sign is not known before the call")
    extreme = Extreme(operand.name, (node.op == "reduce_max") == (sign > 0), where)
    if extreme.name not in plan.extremes:
        _claim(plan, extreme.name)
    plan.extremes[extreme.name] = extreme
    found = poly.substitute(value, element, poly.atom(extreme.name))
    assert found is not None
    return found


def _total(plan: Plan, atoms: tuple[str, ...]) -> None:
    tests = plan.tests_of(atoms)
    names = [name for name in atoms if name not in tests]
    operands = [plan.elements.get(name) for name in names]
    if len(names) > 2:
        raise Cannot("the sum of a product of three elements")
    if tests and any(isinstance(operand, Table) for operand in operands):
        raise Cannot("the sum of a chosen function of an element")
    if len(names) == 2:
        stored = [operand for operand in operands if isinstance(operand, Operand)]
        if len(stored) != 2:
            raise Cannot("the sum of a product with a function of an element")
        for operand in stored:
            if operand.storage.bits > 16 or operand.storage.bits != stored[0].storage.bits:
                raise Cannot("the sum of a product of elements of more than 16 bits, or of different ones")
        for name in names:  # the zero points are taken off the product's sum with these
            _total(plan, tuple(sorted((*tests, name))))
    if tests and names:  # and with how many are chosen
        _total(plan, tests)
    total = Total(atoms, plan.functions.get(names[0]) if names else None)
    if atoms not in plan.totals:
        _claim(plan, total.name)
    plan.totals[atoms] = total


def _claim(plan: Plan, name: str) -> None:
    """A number of the row that a loop finds."""
    if plan.shared.names.take(name) != name:
        raise Cannot(f"'{name}' is taken")
    plan.integers.add(name)


def local_of(plan: Plan, at: int, node: Node) -> str:
    """The name of a value of the row in C++."""
    name = plan.shared.names.take(f"{node.origin or node.op.removeprefix('reduce_')}_of_row")
    if node.type is Type.INTEGER:
        plan.integers.add(name)
    return name
