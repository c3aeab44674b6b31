"""Giving an arithmetic expression a value by choosing one of its arguments: the inverse of each operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from opkg.rules import core
from opkg.rules.sim.arithmetic import Scalar


class Assigner(Protocol):
    """Reads expressions and can give them values (`goals.Repair`)."""

    def value(self, expr: core.Expr) -> Scalar | None:
        """What the expression is now; None when it cannot be told."""

    def assign(self, expr: core.Expr, value: Scalar) -> bool:
        """Gives the expression a value; whether that can be."""

    def part(self, expr: core.Apply, solve: Callable[[Scalar, Scalar], Scalar | None], value: Scalar) -> bool:
        """Gives the first argument the value that `solve` finds from the wanted one and the other argument."""


def _add(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    values = [repair.value(arg) for arg in expr.args]
    for place, arg in enumerate(expr.args):
        rest = [v for i, v in enumerate(values) if i != place]
        known = not isinstance(arg, core.Const) and None not in rest
        if known and repair.assign(arg, value - sum(v for v in rest if v is not None)):
            return True
    return False


def _mul(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    values = [repair.value(arg) for arg in expr.args]
    for place, arg in enumerate(expr.args):
        product: Scalar = 1
        for i, v in enumerate(values):
            product = product * v if i != place and v is not None else product
        if isinstance(arg, core.Const) or not product:
            continue
        whole = expr.type is not core.Type.FLOAT
        if repair.assign(arg, -(-int(value) // int(product)) if whole else value / product):
            return True
    return False


def _sub(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    if repair.part(expr, lambda v, other: v + other, value):
        return True
    first = repair.value(expr.args[0])
    return first is not None and repair.assign(expr.args[1], first - value)


def _div(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    return repair.part(expr, lambda v, other: v * other, value)


def _mod(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    current = repair.value(expr.args[0]) or 0

    def solve(wanted: Scalar, divisor: Scalar) -> Scalar | None:
        if divisor <= 0 or not 0 <= wanted < divisor:
            return None
        return max(int(current) // int(divisor), 0 if wanted else 1) * divisor + wanted

    return repair.part(expr, solve, value)


def _extreme(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    made = [isinstance(arg, core.Const) or repair.assign(arg, value) for arg in expr.args]
    return all(made)


def _roundup(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    return repair.assign(expr.args[0], value)


def _neg(repair: Assigner, expr: core.Apply, value: Scalar) -> bool:
    return repair.assign(expr.args[0], -value)


INVERSES: dict[str, Callable[[Assigner, core.Apply, Scalar], bool]] = {
    "ADD": _add, "MUL": _mul, "SUB": _sub, "DIV": _div, "MOD": _mod, "REM": _mod, "MIN": _extreme, "MAX": _extreme,
    "ROUNDUP": _roundup, "ROUNDDOWN": _roundup, "NEG": _neg, "ABS": _roundup,
}  # fmt: skip
