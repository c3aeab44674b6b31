"""Sums of squares about the mean of a row, in the polynomials that are summed up."""

from __future__ import annotations

from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.elements import has_halves
from opkg.kernels.strategies.rows.plan import Cannot, Plan
from opkg.kernels.strategies.rows.poly import Poly


def about_mean(plan: Plan, value: Poly) -> tuple[str, Poly] | None:
    """The element x and the factor of (x - mean(x))^2 that a polynomial is; None when it is something else."""
    parts = poly.split(value, plan.is_element)
    squares = [atoms for atoms in parts if len(atoms) == 2]
    if len(squares) != 1 or len(set(squares[0])) != 1:
        return None
    element = squares[0][0]
    for at in plan.row:
        node, name = plan.graph[at], plan.locals[at]
        if node.op != "reduce_mean":
            continue
        inner = poly.split(plan.polys[node.args[0]], plan.is_element)
        if set(inner) != {(element,)}:
            continue
        factor, mean = inner[element,], poly.atom(name)
        whole = {
            (element, element): poly.mul(factor, factor),
            (element,): poly.mul(poly.mul(factor, mean) or {}, poly.number(-2)),
            (): poly.mul(mean, mean),
        }
        if parts == whole:
            return element, parts[squares[0]]
    return None


def wide_about_mean(plan: Plan, value: Poly) -> tuple[str, Poly] | None:
    """The same of 16 bits: their sums of squares, of up to 2^32 each, cancel so far that numbers in double are not enough."""
    found = about_mean(plan, value)
    return found if found is not None and has_halves(plan, found[0]) else None


def about(plan: Plan, element: str) -> str:
    """Name of what is known of an element about its mean (opkg::hvx::AboutMean); empty where nothing is."""
    return f"{element.removesuffix('_q')}_about" if element in plan.varying else ""


def check_terms(plan: Plan, value: Poly) -> None:
    """Products of 16 bits stand alone, or are those of a variance: elsewhere they would cancel so far that double is not
    enough."""
    parts = poly.split(value, plan.is_element)
    if len(parts) == 1 or not any(len(atoms) == 2 and has_halves(plan, atoms[0]) for atoms in parts):
        return
    found = wide_about_mean(plan, value)
    if found is None:
        raise Cannot("the sum of a product of 16-bit elements and of something else")
    element = found[0]
    if element not in plan.varying:
        plan.varying.add(element)
        if plan.shared.names.take(about(plan, element)) != about(plan, element):
            raise Cannot(f"'{about(plan, element)}' is taken")
