"""The loop that computes full results of a row from linear forms, in fixed point.

Values are summed up in 32-bit lanes, those of elements at even places of a step apart from those at odd ones, which
narrowing joins again. 8-bit results: factors of 16 bits, narrowed twice. 16-bit results: factors of 32 bits.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.sequence import Loop
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.rows.forms import Form
from opkg.kernels.strategies.rows.loop_block import LoopBlock, splat
from opkg.kernels.strategies.rows.plan import Plan, Table
from opkg.kernels.strategies.rows.results_lanes import FormWriter, unsigned
from opkg.kernels.strategies.rows.results_wide import WideWriter
from opkg.kernels.strategies.rows.weighted import WeightedWriter


def result_loop(plan: Plan, forms: list[Form], step: int, keep: frozenset[str], several: bool = False) -> Loop:
    """The pass that computes all full outputs. `keep`: tables whose entries an earlier pass kept."""
    setup = Block()
    body = LoopBlock(setup, several, step)
    for form in forms:
        _writer(form)(plan, body, form, step, keep).write()
    return Loop(
        title=f"Over the row: {', '.join(form.name for form in forms)}.",
        setup=tuple(setup.insts),
        carried=(),
        body=tuple(body.insts),
        unroll=1,  # the compiler overlaps turns itself
        spread=tuple(body.spread.items()),
    )


def _writer(form: Form) -> type[FormWriter]:
    if form.weight:
        return WeightedWriter
    return WideWriter if form.wide else _Narrow


class _Narrow(FormWriter):
    """Instructions of one form of bytes."""

    def write(self) -> None:
        """8-bit results: two vectors of sums for the even elements and two for the odd ones."""
        if self.form.product:
            halves = self._bytes()
        else:
            singles = [(self.plan.elements[atom], self.apart(atom)) for atom in self.form.single]
            halves = []
            for half in (0, 1):
                sums = self.body.pair(self.bias, self.bias, to="sums")
                for number, (operand, lanes) in enumerate(singles):
                    sums = self._add(sums, operand, lanes[half], number)
                halves.append(self._half(self.body.hi(sums), self.body.lo(sums)))
        letter = "b" if self.form.output.storage is Storage.S8 else "ub"
        fraction = f"{self.form.linear}.kFraction"
        result = self.body.q6(f"Q6_V{letter}_vasr_VhVhR_rnd_sat", halves[1], halves[0], fraction, to=self.form.name)
        self.body.store(self.form.name, self.clamped(result, letter))

    def _half(self, high: str, low: str) -> str:
        return self.body.q6("Q6_Vh_vasr_VwVwR_sat", high, low, f"{self.form.linear}.shift", to="wide")

    def _bytes(self) -> list[str]:
        """(a * u + b) * v and other terms: a * u + b has 32 bits, made of u shifted into the upper byte of 16 bits."""
        body, form = self.body, self.form
        u, v = form.factors_of(self.plan)
        scale, start = [
            body.number("Q6_V_vsplat_R", f"{form.linear}.{which}", to=f"{form.name}_{which}")
            for which in ("scale", "start")
        ]
        even, odd = self._uppers(u)
        others = self.apart(v)
        beside = [self.apart(atom) for atom in form.beside(self.plan)]
        halves = []
        for half, lanes in enumerate((even, odd)):
            sums = body.pair(self.bias, self.bias, to="sums")
            for number, other in enumerate(beside):
                high = body.q6("Q6_Vh_vasl_VhR", other[half], f"{form.linear}.kLow", to="lifted")
                sums = self.times(self.times(sums, high, number), other[half], number, "low")
            by, both = others[half], (body.lo(sums), body.hi(sums))
            uppers = (lanes, body.q6("Q6_Vuw_vlsr_VuwR", lanes, 16, to="upper"))
            factors = (by, body.q6("Q6_Vuw_vlsr_VuwR", by, 16, to="by"))
            ends = []
            for upper, factor, word in zip(uppers, factors, both, strict=True):
                scaled = body.q6("Q6_Vw_vmpye_VwVuh", scale, upper, to="scaled")
                scaled = body.q6("Q6_Vw_vadd_VwVw", scaled, start, to="scaled")
                ends.append(body.q6("Q6_Vw_vmpyieacc_VwVwVh", word, scaled, factor, to="sum"))
            halves.append(self._half(ends[1], ends[0]))
        return halves

    def _uppers(self, atom: str) -> tuple[str, str]:
        """Bytes times 256 in 16-bit lanes, without sign: those at even places, and those at odd ones."""
        operand, body = self.plan.elements[atom], self.body
        assert isinstance(operand, Operand)
        raw = body.load(operand.name)
        if operand.storage.signed:
            raw = body.q6("Q6_V_vxor_VV", raw, self.setup.q6("Q6_V_vsplat_R", splat(0x80, 8), to="top8"), to="moved")
        return self.uppers_of(raw)

    def _add(self, sums: str, operand: Operand | Table, lanes: str, number: int) -> str:
        if unsigned(operand) and not self.form.centered:
            return self.body.q6("Q6_Ww_vmpyacc_WwVhVuh", sums, self.every(number, "factor"), lanes, to="sums")
        return self.times(sums, lanes, number)
