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


def about(plan: Plan, element: str) -> str:
    """Name of what is known of an element about its mean (opkg::hvx::AboutMean); empty where nothing is."""
    return f"{element.removesuffix('_q')}_about" if element in plan.varying else ""


def may_cancel(plan: Plan, value: Poly) -> bool:
    """Whether the terms of a sum may cancel so far that double is not enough: products of 16 bits that do not stand alone.
    Those of one element's variance are taken about its mean: sums of squares, of up to 2^32 each, cancel so far."""
    parts = poly.split(value, plan.is_element)
    stored = [[name for name in atoms if name not in plan.tests] for atoms in parts]
    if len(parts) == 1 or not any(len(names) == 2 and has_halves(plan, names[0]) for names in stored):
        return False
    found = about_mean(plan, value)
    if found is None or not has_halves(plan, found[0]):
        return True
    element = found[0]
    if element not in plan.varying:
        plan.varying.add(element)
        if plan.shared.names.take(about(plan, element)) != about(plan, element):
            raise Cannot(f"'{about(plan, element)}' is taken")
    return False


def rest(plan: Plan, element: str) -> str:
    """Name of what the mean of an element is above the number that it is known about (opkg::hvx::AboutMeans)."""
    return f"{about(plan, element)}.rest"


def about_means(plan: Plan, factors: dict[tuple[str, ...], Poly]) -> dict[tuple[str, ...], Poly]:
    """A form's factors where elements that are known about their mean are distances from the whole number next to it, so that
    nothing of it cancels. Raises Cannot where that number stays."""
    found = dict(factors)
    for element in sorted(plan.varying):
        at = poly.atom(f"{about(plan, element)}.at")
        for name, factor in _means(plan, element):
            by = poly.mul(factor, poly.add(at, poly.atom(rest(plan, element))))
            found = {atoms: _replaced(value, name, by) for atoms, value in found.items()}
        for atoms, value in factors.items():
            if element in atoms:  # value * element is value * distance + value * at
                others = tuple([atom for atom in atoms if atom != element])
                found[others] = poly.add(found.get(others, {}), _product(value, at))
        if any(key in poly.names(value) for value in found.values() for (key,) in at):
            raise Cannot("a form that is not about the mean of its elements")
    return found


def _means(plan: Plan, element: str) -> list[tuple[str, Poly]]:
    """Means of a row that are an element's mean times a factor: their names, and the factors."""
    found = []
    for at in plan.row:
        node = plan.graph[at]
        if node.op == "reduce_mean":
            inner = poly.split(plan.polys[node.args[0]], plan.is_element)
            if set(inner) == {(element,)}:
                found.append((plan.locals[at], inner[element,]))
    return found


def _product(a: Poly, b: Poly) -> Poly:
    found = poly.mul(a, b)
    if found is None:
        raise Cannot("a form of too many terms")
    return found


def _replaced(value: Poly, name: str, by: Poly | None) -> Poly:
    found = poly.substitute(value, name, by) if by is not None else None
    if found is None:
        raise Cannot("a form of too many terms")
    return found
