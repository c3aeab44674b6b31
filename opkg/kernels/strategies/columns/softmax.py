"""Results of bytes that are lines of a function of how far elements are from their column's extreme: softmax in three passes.

The function is a table of 256 entries of 16 bits. Half a unit of an entry is at most a quarter of a step; what sums are off is an
eighth of a step (opkg/kernels/strategies/rows/errors.py), the line a sixteenth.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Columns, Norm
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.columns.found import parts_of, turn
from opkg.kernels.strategies.columns.norms import line_of
from opkg.kernels.strategies.columns.tables import table_turn
from opkg.kernels.strategies.columns.vectors import HEADERS, ColumnNumbers, per_step
from opkg.kernels.strategies.rows.errors import check_sums, only_divides
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Table
from opkg.kernels.strategies.rows.several_numbers import needed
from opkg.kernels.strategies.rows.several_text import polynomial
from opkg.kernels.strategies.rows.strategy import prepared

_PASSES = ("sums", "results")
_MOST = "32767"  # elements of a column: of entries that 32 bits sum up


def distance_columns(found: Plan) -> Columns:
    """The columns of bytes, in three passes. Raises Cannot."""
    (operand,) = read_inputs(found.snippet)
    output, *others = found.snippet.outputs
    table, extreme = _only_table(found)
    if others or output.storage.bits != 8 or operand.storage.bits != 8 or not output.quantized:
        raise Cannot(f"results of {output.dtype} from a table of {operand.dtype}, down columns")
    check_sums(found)
    if not only_divides(found):
        raise Cannot("sums of tables that do more than divide, down columns")
    (result,) = found.graph.results
    if found.polys.get(result.node) is None:
        raise Cannot(f"'{output.name}' is no line of each column")
    of_rows = {name: at for name, at in found.inverses.items() if at in found.row}
    lines = _Lines(replace(found, inverses=of_rows), operand, [extreme]).made(table, result.node)
    members, prepare = prepared(found, [], [], [table])
    return Columns(
        strategy="columns",
        title="3 passes down the columns, factors of 32 of them at a time between",
        error="within 1 step of the correctly rounded result",
        step=2 * 1024 // operand.storage.bits,
        members=(*members, Member("double", per_step(output))),
        prepare=(*prepare, f"{per_step(output)} = 1.0 / {found.shared.steps[output.name]}.scale;"),
        stages=(turn(operand, [extreme]), *(table_turn(operand, table.name, table, f", {what}") for what in _PASSES)),
        reduced=frozenset(),
        headers=(*HEADERS, "opkg/columns_distance.h"),
        arch=65,
        parts=parts_of(operand, extreme),
        norm=Norm((), tuple(lines), _MOST, table=table8.table_name(table.name), largest=extreme.largest),
    )


def _only_table(found: Plan) -> tuple[Table, Extreme]:
    """The table that all hangs on, and the extreme that elements are away from."""
    names = {name for atoms in found.totals for name in atoms}
    tables = [table for table in found.tables.values() if table.atom in names]
    if len(tables) != 1 or len(found.totals) != 1 or found.products:
        raise Cannot("more than the sum of one table, down columns")
    (table,) = tables
    if table.index.extreme is None or len(found.extremes) != 1:
        raise Cannot("tables of elements and other numbers, down columns")
    return table, table.index.extreme


class _Lines(ColumnNumbers):
    def made(self, table: Table, node: int) -> list[str]:
        """The body of `lines`: of each of 32 columns what an entry adds to results, and the result of no entry."""
        plan, (output,) = self.plan, self.plan.snippet.outputs
        names = f"{table.name}_words", f"{table.name}_fraction_words"
        out = [*self.words(), *(f"const HVX_Vector {name} = found[{at + 1}];" for at, name in enumerate(names))]
        out += self.numbers()
        factor, constant = line_of(plan.polys[node] or {}, table.atom)
        scale, zero = f"Numbers({per_step(output)})", f"static_cast<double>({plan.shared.steps[output.name]}.zero)"
        rest = f"{polynomial(constant, self.known)} * {scale} + " if constant else ""
        out += [
            self.named("factor", f"{polynomial(factor, self.known)} * {scale}"),
            f"const Numbers none = {rest}Numbers({zero});",
        ]
        out, held = self.checked(out, "Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), factor.size())")
        return [
            "using opkg::hvx::Numbers;",
            *needed(
                [
                    *out,
                    f"if (!opkg::hvx::all_words({held}, live)) return false;",
                    "return to.set(Q6_V_vzero(), factor, none, Q6_V_vsplat_R(1), live);",
                ]
            ),
        ]
