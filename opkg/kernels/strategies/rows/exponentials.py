"""Sums down columns of exp() of how far 16-bit elements are from their column's extreme (opkg/hvx_columns_exponential.h)."""

from __future__ import annotations

from opkg.kernels.lowered import Member
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.plan import Cannot, Exponential, Plan, by_distance
from opkg.kernels.strategies.rows.poly import Poly

UNIT = 2.0**-30


def exponential_value(plan: Plan, at: int) -> Poly | None:
    """The polynomial of such an exponential; None if a node is none, or where rows are in one piece."""
    node = plan.graph[at]
    value = plan.polys.get(node.args[0]) if node.op == "exp" and plan.snippet.scattered else None
    names = poly.names(value or {})
    elements = [plan.elements.get(name) for name in names if plan.is_element(name)]
    extremes = [extreme for extreme in plan.extremes.values() if extreme.name in names]
    if value is None or len(elements) != 1 or len(extremes) != 1:
        return None
    (operand,), (extreme,) = elements, extremes
    if not isinstance(operand, Operand) or operand.storage.bits != 16 or extreme.operand != operand.name:
        return None
    moved = by_distance(value, f"{operand.name}_q", extreme)
    factor = _factor(plan, moved or {})
    if not factor:
        return None
    name = plan.shared.names.take(f"{node.origin or node.op}_of_{operand.name}")
    function = Exponential(name, operand.name, extreme, factor)
    plan.functions[function.atom] = function
    plan.polys[at] = {(function.atom,): UNIT}
    return plan.polys[at]


def _factor(plan: Plan, moved: Poly) -> str:
    """C++ of a positive number that minus a distance is multiplied with; empty where there is more, or another sign."""
    if len(moved) != 1:
        return ""
    ((key, value),) = moved.items()
    if key.count("d") != 1 or value >= 0:
        return ""
    text = repr(-value) if value != -1 else ""
    for name in key:
        if name in plan.inverses:
            below = plan.graph[plan.inverses[name]]
            known = plan.shared.given.get(plan.inverses[name])
            lows = {param.name: param.low for param in plan.snippet.params if param.low is not None}
            if known is None or below.op != "param" or lows.get(below.name, 0.0) <= 0:
                return ""
            text = f"{text or '1.0'} / {known}"
        elif name != "d":
            if not plan.sign({(name,): 1}):
                return ""
            text = f"{text} * {name}" if text else name
    return text


def exponential_of(plan: Plan) -> Exponential | None:
    """The exponential whose sum is all that is found beside its extreme. Raises Cannot where there is more."""
    found = [element for element in plan.functions.values() if isinstance(element, Exponential)]
    if not found:
        return None
    if len(plan.functions) > 1 or len(plan.totals) > 1 or len(plan.extremes) > 1 or plan.products or plan.tables:
        raise Cannot("sums of exponentials of 16-bit elements and of something else")
    return found[0]


def exponential_members(function: Exponential) -> tuple[Member, str]:
    """The member that makes them of distances, and what sets it."""
    text = "exp() of distances from the extreme of a column"
    return (
        Member("opkg::hvx::Exponential", function.name, text),
        f"if (!{function.name}.set({function.factor})) return false;",
    )
