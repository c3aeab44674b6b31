"""Values of 16-bit elements that are lines on either side of zero (abs, relu, leaky relu): exact, as polynomials of the element
and of what of it is above zero, or of its size.
"""

from __future__ import annotations

from opkg.kernels.graphs.graph import MIRRORED, Graph, Node
from opkg.kernels.lowered import Member
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.plan import Corner, Plan
from opkg.kernels.strategies.rows.poly import Poly

HEADERS = ("opkg/hvx_columns_function.h",)
_ABOVE = {"gt": True, "ge": True, "lt": False, "le": False}  # whether it holds of large numbers


def corner_value(plan: Plan, node: Node) -> Poly | None:
    """The polynomial of a node of elements whose value is one line above zero and another one below; None if it is not."""
    if node.op == "abs":
        found = _line(plan, node.args[0])
        if found is None:
            return None
        element, factor = found
        sign = plan.sign(factor)
        size = poly.mul(poly.add({}, factor, sign), _size(plan, element))
        return size if sign else None
    if node.op in ("max", "min"):
        return _limit(plan, node)
    if node.op == "select":
        return _choice(plan, node)
    return None


def corners(plan: Plan) -> list[Corner]:
    """Those whose sums are asked for."""
    return [total.of for total in plan.totals.values() if isinstance(total.of, Corner)]


def corner_members(plan: Plan) -> tuple[list[Member], list[str]]:
    """The members that know where the corners are, and what sets them."""
    members, prepare = [], []
    for corner in corners(plan):
        zero = plan.zero(corner.operand) or "0"
        members.append(Member(corner_type(plan.snippet.operand(corner.operand), corner), corner.member))
        prepare.append(f"if (!{corner.member}.set({zero})) return false;")
    return members, prepare


def corner_type(operand: Operand, corner: Corner) -> str:
    """The C++ type that makes its values of elements."""
    return f"opkg::hvx::{'Size' if corner.size else 'Above'}<{operand.element}>"


def _limit(plan: Plan, node: Node) -> Poly | None:
    """The larger or the smaller one of two multiples of an element, of which one may be 0."""
    lines = [_line(plan, arg) for arg in node.args]
    zeros = [plan.polys.get(arg) == {} for arg in node.args]
    element, factor = next((line for line in lines if line is not None), ("", {}))
    if not element or any(line is None and not zero for line, zero in zip(lines, zeros, strict=True)):
        return None
    (key,) = factor
    if any(line is not None and (line[0] != element or set(line[1]) != {key}) for line in lines):
        return None
    if plan.sign({key: 1}) == 0:
        return None
    low, high = sorted(0.0 if line is None else line[1][key] for line in lines)
    above, below = (high, low) if node.op == "max" else (low, high)
    return _bent(plan, element, {key: above}, {key: below})


def _choice(plan: Plan, node: Node) -> Poly | None:
    """One multiple of an element where it is above zero, another one where it is below."""
    test, *values = node.args
    compared = plan.graph[test]
    if compared.op not in _ABOVE:
        return None
    left, right = compared.args
    op = compared.op
    if plan.polys.get(left) == {}:
        left, right, op = right, left, MIRRORED[op]
    line = _line(plan, left)
    if line is None or plan.polys.get(right) != {}:
        return None
    element, by = line
    above = _ABOVE[op] == (plan.sign(by) > 0)
    factors = [_factor(plan, value, element) for value in values]
    if plan.sign(by) == 0 or factors[0] is None or factors[1] is None:
        return None
    return _bent(plan, element, *(factors if above else factors[::-1]))  # type: ignore[arg-type]


def _factor(plan: Plan, at: int, element: str) -> Poly | None:
    """That of an element in a value which is a multiple of it, with numbers of the call."""
    value = plan.polys.get(at)
    if value is None:
        return None
    parts = poly.split(value, plan.is_element)
    known = not poly.names(value) & (set(plan.locals.values()) | set(plan.inverses) | set(plan.extremes))
    return parts.get((element,), {}) if known and set(parts) <= {(element,)} else None


def _line(plan: Plan, at: int) -> tuple[str, Poly] | None:
    """The 16-bit element that a value is a multiple of, and the factor: a number times scales."""
    value = plan.polys.get(at)
    used = [name for name in poly.names(value or {}) if plan.is_element(name)]
    if len(used) != 1:
        return None
    operand = plan.elements.get(used[0])
    factor = _factor(plan, at, used[0])
    held = isinstance(operand, Operand) and operand.storage.bits == 16
    return (used[0], factor) if held and factor is not None and len(factor) == 1 else None


def _bent(plan: Plan, element: str, above: Poly, below: Poly) -> Poly | None:
    """above * x where x is above zero, below * x elsewhere."""
    more = poly.mul(poly.add(above, below, -1), _above(plan, element))
    line = poly.mul(below, poly.atom(element))
    return poly.add(line, more) if line is not None and more is not None else None


def _above(plan: Plan, element: str) -> Poly:
    return poly.atom(_corner(plan, element, size=False))


def _size(plan: Plan, element: str) -> Poly:
    """One number where nothing else has a corner, else 2 * above - x."""
    if all(op not in ("max", "min", "select") for op in _operations(plan.graph)):
        return poly.atom(_corner(plan, element, size=True))
    return {(_corner(plan, element, size=False),): 2, (element,): -1}


def _operations(graph: Graph) -> frozenset[str]:
    return frozenset([node.op for node in graph.nodes])


def _corner(plan: Plan, element: str, size: bool) -> str:
    """The atom."""
    corner = Corner(element.removesuffix("_q"), size)
    plan.functions[corner.atom] = corner
    plan.integers.add(corner.atom)
    return corner.atom
