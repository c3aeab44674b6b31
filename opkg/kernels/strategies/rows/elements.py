"""What is known of a row's elements: how far stored numbers reach, their middle, their bits."""

from __future__ import annotations

from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.rows.plan import Plan

MOST = {
    Storage.U8: 255,
    Storage.S8: 128,
    Storage.U16: 65535,
    Storage.S16: 32768,
}  # largest magnitude of a stored number


def has_halves(plan: Plan, element: str) -> bool:
    """Whether an element is an operand of 16 bits."""
    operand = plan.elements.get(element)
    return isinstance(operand, Operand) and operand.storage.bits == 16


def has_words(plan: Plan, atom: str) -> bool:
    """Whether an element has 32 bits."""
    operand = plan.elements[atom]
    return isinstance(operand, Operand) and operand.storage is Storage.S32


def totals_of(plan: Plan, atom: str) -> tuple[str, str] | None:
    """The names of an element's sum and of that of its squares, where both are found."""
    if (atom,) in plan.totals and (atom, atom) in plan.totals:
        return plan.totals[atom,].name, plan.totals[atom, atom].name
    return None


def middle(plan: Plan, atom: str) -> str:
    """The value of an element of 8 or 16 bits in the middle of its range."""
    operand = plan.elements[atom]
    assert isinstance(operand, Operand)
    zero = plan.zero(operand.name)
    half = 0 if operand.storage.signed else 1 << (operand.storage.bits - 1)
    return f"{half}{f' - static_cast<int32_t>({zero})' if zero else ''}"


def lowest(plan: Plan, atom: str) -> str:
    """The smallest value of an element."""
    operand = plan.elements[atom]
    assert isinstance(operand, Operand)
    zero = plan.zero(operand.name)
    return f"{operand.storage.limits[0]}{f' - static_cast<int32_t>({zero})' if zero else ''}"


def stored_zero(plan: Plan, atom: str) -> str:
    """What is taken off an element of 16 bits that is moved up to have no sign."""
    operand = plan.elements[atom]
    assert isinstance(operand, Operand)
    return " + ".join([plan.zero(operand.name) or "0", *(["32768"] if operand.storage.signed else [])])
