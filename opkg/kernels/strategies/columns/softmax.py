"""Results of 8 and 16 bits that are lines of exp(), or of any function of bytes, of how far elements are from their column's
extreme, or of elements and the logarithm of what these sum up to: softmax and log-softmax in three passes.

Of bytes the function is a table of 256 entries of 16 bits. Half a unit of an entry is at most a quarter of a step; what sums are
off is an eighth of a step (opkg/kernels/strategies/rows/errors.py), the line a sixteenth. Of 16 bits it is a polynomial within
2^-23, in units of 2^-30: sums of n are within n / 2 of these, at most a quarter of the largest result's step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Columns, Loop, Norm
from opkg.kernels.snippet import Operand
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.columns.exponential_turn import exponential_turn
from opkg.kernels.strategies.columns.found import parts_of, turn
from opkg.kernels.strategies.columns.norms import line_of
from opkg.kernels.strategies.columns.tables import table_turn
from opkg.kernels.strategies.columns.vectors import HEADERS, ColumnNumbers, per_step
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.errors import check_sums, logarithms, only_divides
from opkg.kernels.strategies.rows.exponentials import exponential_members, exponential_of
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Table
from opkg.kernels.strategies.rows.several_numbers import gate_headers, needed
from opkg.kernels.strategies.rows.several_text import polynomial, uniform
from opkg.kernels.strategies.rows.strategy import prepared

_PASSES = ("sums", "results")
_MOST = {8: "32767", 16: "8191"}  # elements of a column: of entries that 32 bits sum up; of exponentials
_LEAST_STEP = {8: "0x1p-16", 16: "0x1p-18"}  # of results that a logarithm is part of, of a sum within 2^-20 and 2^-23
_COARSE_STEP = "0x1p-7"  # of 8 bits, from which on a sum within 2^-11 does
_LOGARITHM_OFF = "0x1p28"  # units of 2^-31 in an eighth of such a step


@dataclass(frozen=True, slots=True)
class _Away:
    """The function of a distance from the extreme: a table, or an exponential."""

    extreme: Extreme
    name: str
    atom: str
    table: Table | None

    def loop(self, operand: Operand, what: str) -> Loop:
        if self.table is not None:
            return table_turn(operand, self.name, self.table, what)
        return exponential_turn(operand, self.name, self.extreme.largest, what)


def distance_columns(found: Plan) -> Columns:
    """The columns of bytes or of 16 bits, in three passes. Raises Cannot."""
    (operand,) = read_inputs(found.snippet)
    output, *others = found.snippet.outputs
    away = _away(found)
    bits = operand.storage.bits
    if others or output.storage.bits != bits or bits != (16 if away.table is None else 8) or not output.quantized:
        raise Cannot(f"results of {output.dtype} from a function of {operand.dtype}, down columns")
    check_sums(found)
    if away.table is not None and not only_divides(found) and not logarithms(found):
        raise Cannot("sums of tables that do more than divide, down columns")
    (result,) = found.graph.results
    if found.polys.get(result.node) is None:
        raise Cannot(f"'{output.name}' is no line of each column")
    of_elements = away.atom not in poly.names(found.polys[result.node])
    of_rows = {name: at for name, at in found.inverses.items() if at in found.row}
    maker = _Lines(replace(found, inverses=of_rows), operand, [away.extreme])
    maker.of_call = {name: at for name, at in found.inverses.items() if at not in found.row}
    maker.away = away
    lines = maker.made(result.node)
    members, prepare = prepared(found, [], [], [away.table] if away.table else [])
    prepare.append(f"{per_step(output)} = 1.0 / {found.shared.steps[output.name]}.scale;")
    if logarithms(found):
        least = _LEAST_STEP[bits]
        prepare.append(f"if ({found.shared.steps[output.name]}.scale < {least}) return false;  // not exact enough")
    function = exponential_of(found)
    if function is not None:
        member, text = exponential_members(function)
        members, prepare = [*members, member], [*prepare, text]
    return Columns(
        strategy="columns",
        title="3 passes down the columns, factors of 32 of them at a time between",
        error="within 1 step of the correctly rounded result",
        step=2 * 1024 // bits,
        members=(*members, Member("double", per_step(output))),
        prepare=tuple(prepare),
        stages=(turn(operand, [away.extreme]), *(away.loop(operand, f", {what}") for what in _PASSES)),
        reduced=frozenset(),
        headers=(*HEADERS, *gate_headers(lines), "opkg/columns_distance.h"),
        arch=65,
        parts=parts_of(operand, away.extreme),
        norm=Norm(
            (),
            tuple(lines),
            _MOST[bits],
            table=table8.table_name(away.name) if away.table else "",
            exponential="" if away.table else away.name,
            largest=away.extreme.largest,
            of_elements=of_elements,
            fine=f"{found.shared.steps[output.name]}.scale < {_COARSE_STEP}" if logarithms(found) else "false",
        ),
    )


def _away(found: Plan) -> _Away:
    """The function that all hangs on."""
    function = exponential_of(found)
    if function is not None:
        return _Away(function.extreme, function.name, function.atom, None)
    names = {name for atoms in found.totals for name in atoms}
    tables = [table for table in found.tables.values() if table.atom in names]
    if len(tables) != 1 or len(found.totals) != 1 or found.products:
        raise Cannot("more than the sum of one table, down columns")
    (table,) = tables
    if table.index.extreme is None or len(found.extremes) != 1:
        raise Cannot("tables of elements and other numbers, down columns")
    return _Away(table.index.extreme, table.name, table.atom, table)


class _Lines(ColumnNumbers):
    gates_of = (*ColumnNumbers.gates_of, "log")
    away: _Away
    of_call: dict[str, int]  # inverses of numbers of the call

    def made(self, node: int) -> list[str]:
        """The body of `lines`: of each of 32 columns what an entry, exponential or element adds to results, and the rest."""
        plan, (output,) = self.plan, self.plan.snippet.outputs
        out = [*self.words()]
        if self.away.table is not None:
            names = f"{self.away.name}_words", f"{self.away.name}_fraction_words"
            out += [f"const HVX_Vector {name} = found[{at + 1}];" for at, name in enumerate(names)]
        for name, at in self.of_call.items():
            out.append(self.named(name, f"inverse({uniform(plan, at)})"))
        out += self.numbers()
        value, center, scale = plan.polys[node] or {}, "Q6_V_vzero()", per_step(output)
        steep = 0 if self.away.table is not None else 10  # bits of steps that entries and 2^-16 of exponentials add
        if self.away.atom in poly.names(value):
            factor, constant = line_of(value, self.away.atom)
            by = f"Numbers({scale})" if self.away.table is not None else f"Numbers({scale} * 0x1p14)"
        else:
            moved = poly.add(poly.atom(self.away.extreme.name), poly.atom("d"))
            factor, constant = line_of(poly.substitute(value, f"{self.operand.name}_q", moved) or {}, "d")
            center, by, steep = "found[0]", f"Numbers({scale})", 10
        zero = f"Numbers(static_cast<double>({plan.shared.steps[output.name]}.zero))"
        rest = f"{polynomial(constant, self.known)} * Numbers({scale}) + " if constant else ""
        out += [
            self.named("factor", f"{polynomial(factor, self.known)} * {by}"),
            f"const Numbers none = {rest}{zero};",
        ]
        out, held = self.checked(out, f"Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R({steep}), factor.size())")
        if logarithms(plan) and self.away.table is None:
            out.insert(0, f"if (static_cast<double>(n) * {scale} > {_LOGARITHM_OFF}) return false;")
        return [
            "using opkg::hvx::Numbers;",
            *needed(
                [
                    *out,
                    f"if (!opkg::hvx::all_words({held}, live)) return false;",
                    f"return to.set({center}, factor, none, Q6_V_vsplat_R(1), live);",
                ]
            ),
        ]

    def found(self) -> list[str]:
        if self.away.table is not None:
            return super().found()
        (total,) = self.plan.totals.values()
        half = "opkg::hvx::plus(found[1], static_cast<int32_t>(n / 2))"  # what cutting off takes of n
        return [self.named(f"{total.name}_real", f"Numbers(found[2], Q6_V_vsplat_R(16)) + Numbers({half})")]
