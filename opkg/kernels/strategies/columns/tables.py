"""Sums and means down columns of a function of one byte: entries of a table are summed up (opkg/hvx_columns_table.h)."""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Columns, Loop, Part
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.columns.lines import is_line
from opkg.kernels.strategies.rows.loop_block import LoopBlock
from opkg.kernels.strategies.rows.numbers import number_lines, value_lines
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table
from opkg.kernels.strategies.rows.strategy import Reduced, prepared, used_extremes
from opkg.kernels.strategies.rows.tables import table_values

_UNIT = 65536  # sums of tables count 2^-16 entries


def table_columns(found: Plan, operand: Operand, reduced: list[Reduced]) -> Columns:
    """The columns of bytes whose only result, quantized in 8 bits, is a line of a table's sum. Raises Cannot."""
    table = _only_table(found, reduced)
    output, node = reduced[0]
    (total,) = found.totals.values()
    members, prepare = prepared(found, [], reduced, [])
    spread, values = f"{table.name}_spread", f"{table.name}_values"
    part = Part("opkg::hvx::Entries", total.name, True, 0, 65535, unit=_UNIT, table=spread)
    return Columns(
        strategy="columns",
        title="1 pass down the columns",
        error="within 1 step of the correctly rounded result",
        step=256,
        members=(*members, Member("opkg::hvx::ColumnTable", spread, f"{table.name} for stored elements")),
        prepare=(*prepare, *table_values(found, table, values), f"if (!{spread}.set({values})) return false;"),
        stages=(table_turn(operand, total.name, table),),
        reduced=frozenset([output.name]),
        headers=("opkg/hvx_columns_table.h",),
        arch=65,
        parts=(part,),
        column=tuple(_sure(number_lines(found, [], reduced))),
        line=tuple(_sure(value_lines(found, node))),
        results="line",
    )


def _only_table(found: Plan, reduced: list[Reduced]) -> Table:
    """The table whose sum is all that the only result hangs on."""
    atoms = list(found.totals)
    table = found.elements[atoms[0][0]] if len(atoms) == 1 and len(atoms[0]) == 1 else None
    if not isinstance(table, Table) or table.index.extreme is not None:
        raise Cannot("sums of a table's values and of something else, down columns")
    output, node = reduced[0]
    if len(reduced) != 1 or not output.quantized or output.storage.bits != 8 or not is_line(found, output, node):
        raise Cannot("results of a table's sum that are no lines of it in 8 bits, down columns")
    if used_extremes(found, [], number_lines(found, [], reduced)):
        raise Cannot("extremes beside a table's sum, down columns")
    return table


def _sure(lines: list[str]) -> list[str]:
    """Without what turns down single rows: `prepare` knows how exact sums are."""
    return [line for line in lines if "return false;" not in line]


def table_turn(operand: Operand, name: str, table: Table, what: str = "") -> Loop:
    """Two rows, for estimates: a table's entries are added to the sums of this name."""
    setup = Block()
    body = LoopBlock(setup)
    zero = setup.q6("Q6_V_vzero", to="zero")
    values = table8.table_values(setup, table.name, 16)
    rows = [table8.lookup16_apart(body, values, body.load(operand.name, row)) for row in range(2)]
    for first, second in zip(*rows, strict=True):
        sums = body.carry(f"{name}_lanes", "W", setup.pair(zero, zero, to="none"))
        body.keep(sums, body.q6("Q6_Ww_vaddacc_WwVuhVuh", sums, first, second, to="sums"))
    return Loop(
        title=f"Down the columns: {name}{what}.",
        setup=tuple(setup.insts),
        carried=tuple(body.carried),
        body=tuple(body.insts),
    )
