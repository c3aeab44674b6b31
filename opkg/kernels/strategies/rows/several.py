"""Several rows at a time: the loops of a row over up to 32 of them, and C++ of their numbers, a word of a vector for each."""

from __future__ import annotations

import re
from dataclasses import replace

from opkg.kernels.sequence import Loop, Numbers, Slots
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.elements import has_halves
from opkg.kernels.strategies.rows.errors import less_logarithm, logarithms, only_divides, table_sums
from opkg.kernels.strategies.rows.forms import Form, lifted, limit_lines, per_unit
from opkg.kernels.strategies.rows.loops import LANE, first_loop, kept, table_loop
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Table, Total
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.results import result_loop
from opkg.kernels.strategies.rows.several_forms import BLUR, WIDE_BLUR, form_lines
from opkg.kernels.strategies.rows.several_numbers import (
    FAR,
    GATES,
    RowNumbers,
    cancels,
    gate_headers,
    is_number,
    needed,
)
from opkg.kernels.strategies.rows.several_text import polynomial
from opkg.kernels.strategies.rows.variances import about

HEADERS = ("opkg/hvx_lines.h", "opkg/hvx_middles.h", "opkg/hvx_products.h", "opkg/hvx_slot_operands.h")
RESULT_HEADERS = ("opkg/hvx_slot_results.h",)
SUM_HEADERS = ("opkg/hvx_sum_lines.h",)
MOST = 32767  # elements of a row: sums of squares of bytes have 31 bits
BITS = 9  # n << these bits is the least sum of n entries whose results are that exact, whatever they are
MOST_WIDE = 8191  # of 16 bits
_LOGARITHM = ("log",)  # the only gate of numbers that full results are made of
_LIMIT = -5  # the exponent from which on results of 32 bits are row by row: numbers are within 2^-27 of themselves


def _words_of(extreme: Extreme) -> str:
    """Name of the words whose lowest lane is the extreme of each row."""
    return f"{extreme.name}_words"


def slots_of(
    plan: Plan,
    results: tuple[list[Form], list[tuple[Operand, int]]],
    loops: tuple[list[Total], list[Extreme], list[Table]],
    kept: frozenset[str],
    step: int,
) -> Slots | None:
    """How several rows are computed at a time; None where they are not. `results`: full ones, or those of which rows have one
    element each, with their nodes; `loops`: the sums, extremes and tables of a row."""
    try:
        return _Several(plan, *results, loops, kept, step).slots()
    except Cannot:
        return None


class _Several(RowNumbers):
    def __init__(
        self,
        plan: Plan,
        forms: list[Form],
        reduced: list[tuple[Operand, int]],
        loops: tuple[list[Total], list[Extreme], list[Table]],
        kept: frozenset[str],
        step: int,
    ) -> None:
        super().__init__(
            plan, any(has_halves(plan, total.atoms[0]) for total in loops[0]), gates=GATES if reduced else _LOGARITHM
        )
        self.forms, self.reduced, self.kept, self.step = forms, reduced, kept, step
        self.count, self.share = "Numbers(slots.count())", "Numbers(slots.share())"
        self.numbers_name = self.names.take("numbers")
        self.call_numbers: dict[str, int] = {}  # C++ in double -> place
        self.number = self._number
        self.sums, extremes, self.tables = loops
        self.first_extremes = [e for e in extremes if any(table.index.extreme == e for table in self.tables)]
        self.result_extremes = {e.name: e for e in extremes if e not in self.first_extremes}  # numbers of rows
        # Those that tables are indexed with, where results are made of their numbers, too.
        self.index_extremes = tuple(self.first_extremes) if reduced or logarithms(plan) else ()
        self.numbers_of = {e.name: f"{e.name}_number" for e in self.index_extremes}
        self.less_logarithm = len(forms) == 1 and less_logarithm(plan, forms[0].factors.get((), {}))

    def slots(self) -> Slots:
        self._check()
        stages: list[Loop | Numbers] = []
        numbers = self._numbers() if self.result_extremes else []
        asked = "\n".join(numbers)
        self.first_extremes += [e for e in self.result_extremes.values() if _words_of(e) in asked]
        if self.sums or self.first_extremes:
            stages.append(self._joined(first_loop(self.plan, self.sums, self.first_extremes, self.step, several=True)))
        stages += self._table_stages()
        stages.append(Numbers(tuple(numbers or self._numbers())))
        loops = [stage for stage in stages if isinstance(stage, Loop)]
        if self.forms:
            stages.append(result_loop(self.plan, self.forms, self.step, self.kept, several=True))
        walked = {inst.args[0] for loop in loops for inst in loop.body if inst.op == "load"}
        patterns = frozenset([operand.name for operand in read_inputs(self.plan.snippet)]) - walked
        return self._counted(stages, patterns)

    def _counted(self, stages: list[Loop | Numbers], patterns: frozenset[str]) -> Slots:
        """With those numbers of the call that are used."""
        place = re.compile(rf"\b{self.numbers_name}\[(\d+)\]")
        lines = [line for stage in stages if isinstance(stage, Numbers) for line in stage.lines]
        used = list(dict.fromkeys(int(found) for line in lines for found in place.findall(line)))

        def moved(stage: Loop | Numbers) -> Loop | Numbers:
            if isinstance(stage, Loop):
                return stage
            counted = (place.sub(lambda at: f"{self.numbers_name}[{used.index(int(at[1]))}]", s) for s in stage.lines)
            return Numbers(tuple(counted))

        values = list(self.call_numbers)
        most = MOST_WIDE if any(form.wide for form in self.forms) or (self.wide and self.reduced) else MOST
        numbers = tuple([values[at] for at in used])
        buffers = tuple(sorted((kept(table), 2) for table in self.tables if table.name in self.kept))
        return Slots(tuple(map(moved, stages)), patterns, most, self.numbers_name, numbers, buffers=buffers)

    def _number(self, value: str) -> str:
        """A number of the call, which `prepare` makes. `value`: C++ in double."""
        at = self.call_numbers.setdefault(value, len(self.call_numbers))
        return f"Numbers({self.numbers_name}[{at}])"

    def _check(self) -> None:
        storages = {operand.storage for operand in (*read_inputs(self.plan.snippet), *self.plan.snippet.outputs)}
        if any(storage.bits > 16 for storage in storages - {Storage.S32}):
            raise Cannot("several rows at a time have 8 or 16 bits, or 32 with sign")
        if len({has_halves(self.plan, total.atoms[0]) for total in self.sums}) > 1:
            raise Cannot("sums of 8 and of 16 bits")
        if any(
            not lifted(self.plan, form, atom)
            for form in self.forms
            for key in form.factors
            for atom in key
            if atom in self.plan.varying
        ):
            raise Cannot("elements about their mean beside others")
        if self.tables and len(self.forms) > 1:
            raise Cannot("several results of tables")
        if any(not output.quantized for output, _ in self.reduced):
            raise Cannot("results of rows that are not quantized")
        if logarithms(self.plan) and any(form.wide for form in self.forms):
            raise Cannot("logarithms in results of 16 bits")

    def _joined(self, loop: Loop) -> Loop:
        carried = {word for carry, _, _ in loop.joined for word in re.findall(r"\w+", carry)}
        if not {carry.name for carry in loop.carried} <= carried:
            raise Cannot("what is found of a row has more than 32 bits")
        words = {e.name: _words_of(e) for e in self.result_extremes.values()}
        return replace(loop, joined=tuple([(carry, of, words.get(name, name)) for carry, of, name in loop.joined]))

    # Sums of tables -----------------------------------------------------------------------------------------------------

    def _table_stages(self) -> list[Loop | Numbers]:
        """The sums of entries, and, where that matters for some row, of what they miss."""
        summed = [table for table in self.tables if Total((table.atom,)) in table_sums(self.plan)]
        if not summed:
            return []
        (table,) = summed if len(summed) == 1 else (None,)
        if table is None:
            raise Cannot("sums of several tables")
        found, missed, least = f"{table.name}_words", f"{table.name}_fraction_words", self.names.take("least")
        whole = self._joined(table_loop(self.plan, summed, self.step, False, self.kept, several=True))
        rest = self._joined(table_loop(self.plan, summed, self.step, True, frozenset(), several=True))
        summed_up = ["using opkg::hvx::Numbers;", *self._less_missing(table, found, "first >> 16")]
        missing = self._less_missing(table, missed, "first_fraction")
        if self._blur() != BLUR:
            return [whole, Numbers(tuple(summed_up)), rest, *([Numbers(tuple(missing))] if missing else [])]
        return [
            whole,
            Numbers((
                *summed_up,
                f"HVX_Vector {missed} = Q6_V_vzero();",
                f"const HVX_VectorPred {least} = {self._entries_do(table, found)};",
                f"if (!opkg::hvx::for_all(slots, {least})) {{",
            )),
            rest,
            Numbers((*missing, "}")),
        ]  # fmt: skip

    def _blur(self) -> int:
        """How much of a step, in 1/256, sums of tables leave out."""
        if not table_sums(self.plan):
            return 0
        return BLUR if self.less_logarithm or only_divides(self.plan) else WIDE_BLUR

    def _entries_do(self, table: Table, words: str) -> str:
        """Whether the sum T of n entries is exact enough by itself: results are within BLUR / 256 of a step. Each entry is
        off by half a unit at most, so a value that T divides by n / (2 T); such values add up to 1: the largest is 65535 / T.
        A logarithm is off by n / (2 T)."""
        if self.less_logarithm:
            least = self._number(f"{128.0 / BLUR} * {per_unit(self.forms[0])}")
            return f"opkg::hvx::larger(Numbers({words}), {least} * {self.count})"
        if self._divides(table):
            least = self._number(f"{65535.0 * 128 / BLUR} * {per_unit(self.forms[0])}")
            larger = f"opkg::hvx::larger(Numbers({words}) * Numbers({words}), {least} * {self.count})"
            return f"Q6_Q_or_QQ({larger}, Q6_Q_vcmp_eq_VwVw({words}, Q6_V_vzero()))" if table.or_one else larger
        return f"Q6_Q_vcmp_gt_VwVw({words}, Q6_V_vsplat_R((static_cast<int32_t>(n) << {BITS}) - 1))"

    def _divides(self, table: Table) -> bool:
        """Whether the result is an entry over the sum of entries."""
        total = self.plan.totals[table.atom,]
        sums = [at for at in self.plan.row if self.plan.graph[at].op == "reduce_sum"]
        inverses = [name for name, node in self.plan.inverses.items() if node in sums]
        wanted: Poly = {tuple(sorted((f"{table.name}_spread.unit", name))): 1 for name in inverses}
        return len(inverses) == 1 and total is not None and self.forms[0].factors.get((table.atom,)) == wanted

    def _less_missing(self, table: Table, words: str, first: str) -> list[str]:
        """Takes off a sum what lanes without element added to it."""
        if table.where >= 0:
            return []
        missing = f"-static_cast<int32_t>(slots.missing(1)) * static_cast<int32_t>({table.name}_spread.{first})"
        return [f"{words} = opkg::hvx::plus({words}, {missing});"]

    # Numbers ------------------------------------------------------------------------------------------------------------

    def found(self) -> list[str]:
        lines = [*super().found(), *self._about()]
        lines += [self._of_extreme(e, e.name, _words_of(e)) for e in self.result_extremes.values()]
        return lines + [self._of_extreme(e, self.numbers_of[e.name], e.name) for e in self.index_extremes]

    def _of_extreme(self, extreme: Extreme, name: str, found: str) -> str:
        operand = self.plan.snippet.operand(extreme.operand)
        words = f"opkg::hvx::lowest_lanes<{LANE[operand.storage]}>({found})"
        zero = self.plan.zero(operand.name)
        return self.named(
            name, f"Numbers({f'opkg::hvx::plus({words}, -static_cast<int32_t>({zero}))' if zero else words})"
        )

    def _extreme(self, at: int) -> list[str]:
        value = self._with_numbers(self.plan.polys[at])
        if not poly.names(value) & {*self.result_extremes, *self.numbers_of.values()}:
            return []
        return [self.named(self.plan.locals[at], polynomial(value, self.known, self.number))]

    def _with_numbers(self, value: Poly) -> Poly:
        """A polynomial of extremes that tables are indexed with, by the names of their numbers."""
        return {tuple([self.numbers_of.get(name, name) for name in key]): factor for key, factor in value.items()}

    def upper(self, total: Total) -> str:
        words = super().upper(total)
        if self.plan.snippet.operand(total.atoms[0].removesuffix("_q")).storage.signed:
            return f"opkg::hvx::squares_without_sign({words}, {Total(total.atoms[:1]).name}, n)"
        return words

    def _about(self) -> list[str]:
        """What is known of elements of 16 bits about their means."""
        lines = []
        for element in sorted(self.plan.varying):
            total, squares = Total((element,)), Total((element, element))
            whole = f"opkg::hvx::less_zeros({total.name}, -32768, n)"
            given = f"{whole}, {self.upper(squares)}, {squares.name}_low, n, {self.share}"
            lines.append(f"const opkg::hvx::AboutMeans {about(self.plan, element)}({given});")
        return lines

    def variance(self, element: str) -> str:
        known = about(self.plan, element)
        return f"{known}.variance" if known else super().variance(element)

    def _numbers(self) -> list[str]:
        out = self.numbers()
        for form in self.forms:
            named = {atoms: self._with_numbers(value) for atoms, value in form.factors.items()}
            made = (self.known, self.names, self.share, self._number)
            out += form_lines(self.plan, replace(form, factors=named), self._blur(), *made)
        steps = {output.name: self.names.take(f"{output.name}_in_steps") for output, _ in self.reduced}
        out += [self.named(steps[output.name], self._in_steps(output, node)) for output, node in self.reduced]
        limits = [
            is_number(steps[output.name], _LIMIT if output.storage.bits == 32 else FAR) for output, _ in self.reduced
        ]
        held, *others = [*(f"{form.linear}.held" for form in self.forms), *limits]
        for other in others:
            held = f"Q6_Q_and_QQ({held}, {other})"
        out, held = self.checked(out, held)
        puts = [
            f"opkg::hvx::put_results<{LANE[output.storage]}>(slots, {steps[output.name]}, out[{at}]);"
            for at, (output, _) in enumerate(self.reduced)
        ]
        out = needed([*out, f"if (!opkg::hvx::for_all(slots, {held})) return false;", *puts])
        if any(output.storage.bits == 32 for output, _ in self.reduced) and (gate_headers(out) or cancels(out)):
            raise Cannot("results of 32 bits that are more than products")
        using = [] if table_sums(self.plan) else ["using opkg::hvx::Numbers;"]
        return [*using, *out, *(line for form in self.forms for line in limit_lines(self.plan, form))]

    def _in_steps(self, output: Operand, node: int) -> str:
        """A row's result in steps of its output."""
        steps = self.plan.shared.steps[output.name]
        zero = self._number(f"static_cast<double>({steps}.zero)")
        return f"{self.value(node)} * {self._number(f'1.0 / {steps}.scale')} + {zero}"
