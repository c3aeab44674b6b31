"""What only the whole rule shows: differences of sizes that may wrap, dimensions beside a rank that the constraint fixes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from opkg.rules.core_match import Type
from opkg.rules.core_scalar import (
    Apply,
    Cast,
    Expr,
    Operand,
    Property,
    PropertyKind,
)
from opkg.rules.elaborate.state import State
from opkg.rules.elaborate.traps import check_dim
from opkg.rules.elaborate.values import is_constant, value_of


def check_together(state: State, when: Expr, replace: Any) -> None:
    """Traps that depend on what the constraint says (OPK535, OPK536)."""
    terms = conjuncts(when)
    ranks = dict(_ranks(terms))
    bounds = {pair for term in terms for pair in _not_less(term)}
    for node, parent in walk(when, None):
        _check(state, node, parent, ranks, bounds)
    for node, parent in walk(replace, None):
        _check(state, node, parent, ranks, bounds)


def _check(state: State, node: Any, parent: Any, ranks: dict[Operand, int], bounds: set[tuple[Expr, Expr]]) -> None:
    if isinstance(node, Property) and node.kind is PropertyKind.DIM and node.operand in ranks:
        check_dim(state, node.index or 0, node.at, ranks[node.operand])
    if isinstance(node, Apply) and node.operator == "SUB" and node.type is Type.SIZE and not is_constant(node):
        _check_difference(state, node, parent, bounds)


def _check_difference(state: State, node: Apply, parent: Any, bounds: set[tuple[Expr, Expr]]) -> None:
    """A difference of sizes wraps below 0. Harmless where it is only compared for equality, or where the constraint
    says that it cannot happen; what is taken from it being 0 or 1 is taken to be fine."""
    a, b = (bare(arg) for arg in node.args)
    value = value_of(b)
    equality = isinstance(parent, Apply) and parent.operator in ("EQ", "NE")
    rounded = isinstance(a, Apply) and a.operator in ("ROUNDUP", "MAX", "ADD") and b in map(bare, a.args)
    reduced = isinstance(b, Apply) and b.operator in ("MIN", "ROUNDDOWN", "REM", "MOD") and a in map(bare, b.args)
    if equality or rounded or reduced or (a, b) in bounds or (value is not None and value in (0, 1)):
        return
    if value is not None and any(x == a and (least := value_of(y)) is not None and least >= value for x, y in bounds):
        return
    message = "a difference of sizes is never negative: below 0 it wraps to a huge number"
    state.warning("OPK535", message, node.at, "write SUB(INT(...), INT(...)), or let the constraint exclude it")


def bare(expr: Expr) -> Expr:
    """The expression without C++'s own conversions."""
    while isinstance(expr, Cast) and expr.implicit:
        expr = expr.operand
    return expr


def conjuncts(expr: Expr) -> list[Expr]:
    """The terms that all must hold for the expression to hold."""
    if isinstance(expr, Apply) and expr.operator == "AND":
        return [term for arg in expr.args for term in conjuncts(arg)]
    return [expr]


def _ranks(terms: list[Expr]) -> Iterator[tuple[Operand, int]]:
    """Operands whose rank a term fixes: EQ(RANK_OF(x), n)."""
    for term in terms:
        if isinstance(term, Apply) and term.operator == "EQ":
            for one, other in (term.args, tuple(reversed(term.args))):
                one, value = bare(one), value_of(bare(other))
                if isinstance(one, Property) and one.kind is PropertyKind.RANK and isinstance(value, int):
                    yield one.operand, value


def _not_less(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Pairs (a, b) with a >= b."""
    if isinstance(term, Apply) and term.operator in ("GE", "GT", "LE", "LT", "EQ"):
        a, b = (bare(arg) for arg in term.args)
        if term.operator in ("GE", "GT", "EQ"):
            yield a, b
        if term.operator in ("LE", "LT", "EQ"):
            yield b, a


def walk(node: Any, parent: Any) -> Iterator[tuple[Any, Any]]:
    """All nodes of a typed tree with their parents, from the top; implicit casts are no parents."""
    yield node, parent
    above = parent if isinstance(node, Cast) and node.implicit else node
    for field in fields(node):
        value = getattr(node, field.name)
        for child in value if isinstance(value, tuple) else (value,):
            if is_dataclass(child):
                yield from walk(child, above)
