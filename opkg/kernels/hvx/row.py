"""What one HVX intrinsic computes: a row of the table, and how rows are made for families of names.

In an expression the operands are arrays: `a`, `b` of vectors, `a0`, `a1` the low and high vector of a pair, `x` (`x0`,
`x1`) of the operand that is also the result, `q`, `s` bytes of predicates (0 or 0xff), `r` and `p` the elements of a
scalar register (`r` is a number when the name gives no element type), `n` a constant. `T` is the result's element type.
Element types come from the name; `types` gives them where the name is silent. Source of the facts: the programmer's
reference, and qemu, with which every row is compared bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """Meaning of one intrinsic. `high` is the expression of a pair's high vector; `body` statements of the loop."""

    name: str
    low: str
    high: str = ""
    types: str = ""  # of result and operands, as in "Vw Ww Vw", where the name does not tell
    body: str = ""
    before: str = ""  # statements before the loop
    step: int = 1  # lanes of the result that one turn of the loop writes


def accumulating(name: str) -> str:
    """Name of the form that adds to its first operand: `Q6_Vw_vmpy_VhRh` -> `Q6_Vw_vmpyacc_VwVhRh`."""
    prefix, result, operation, *rest = name.split("_")
    return "_".join([prefix, result, f"{operation}acc", result + rest[0], *rest[1:]])


def plus(x: str, expression: str, saturating: bool) -> str:
    if not expression:
        return ""
    return f"saturate<T>({x}[i] + ({expression}))" if saturating else f"wrap({x}[i], {expression})"


def halves(name: str, low: str, types: str = "") -> Row:
    """A row whose high vector does the same as its low one: `a0`, `b0`, `x0` become `a1`, `b1`, `x1`."""
    return Row(name, low, low.replace("0[", "1["), types)


def odd(even: str) -> str:
    """The expression for lanes `2 * i + 1` from the one for lanes `2 * i`."""
    return even.replace("2 * i", "2 * i + 1")


def both(name: str, low: str, high: str = "") -> list[Row]:
    """The row and its accumulating form; names with `sat` saturate the sum."""
    sat = name.endswith("_sat")
    x = ("x0", "x1") if high else ("x", "")
    plain = [f"saturate<T>({e})" if sat and e else e for e in (low, high)]
    return [
        Row(name, plain[0], plain[1]),
        Row(accumulating(name), plus(x[0], low, sat), plus(x[1], high, sat)),
    ]
