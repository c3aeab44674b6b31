"""The table of the HVX instruction set: the meaning of every integer intrinsic that code is generated for."""

from __future__ import annotations

from functools import cache

from opkg.kernels.hvx import arithmetic, moves, multiply
from opkg.kernels.hvx.row import Row


@cache
def table() -> dict[str, Row]:
    """All rows by name, in the order of the generated header."""
    rows = [*arithmetic.rows(), *moves.rows(), *multiply.rows()]
    assert len({row.name for row in rows}) == len(rows)
    return {row.name: row for row in rows}
