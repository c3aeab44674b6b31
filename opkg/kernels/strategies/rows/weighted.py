"""Results of a row that are a linear form of several elements times one more: a norm of a sum, with weights."""

from __future__ import annotations

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows.elements import has_words
from opkg.kernels.strategies.rows.form_text import FormText
from opkg.kernels.strategies.rows.forms import limit_lines, weight_of
from opkg.kernels.strategies.rows.loop_block import splat
from opkg.kernels.strategies.rows.results_wide import WideWriter

HEADERS = ("opkg/hvx_weighted.h",)


class WeightedText(FormText):
    """C++ of the numbers of such a form (opkg::hvx::Weighted)."""

    def write(self) -> list[str]:
        form, name = self.form, self.form.name
        outer, self._constant = self._constant, self._factor((form.weight,))
        inner = ", ".join([self._single(atom, form.weight) for atom in form.weighted])
        start, weight = self.plan.shared.names.take(f"{name}_start"), f"{name}_weight"
        self.lines += [
            f"const opkg::hvx::Term {name}_inner[] = {{{inner}}};",
            f"const double {start} = {self._constant};",
            f"const opkg::hvx::Weight {weight}{{{weight_of(self.plan, form)}}};",
        ]
        self._constant = outer
        product = f"{{opkg::hvx::largest({name}_inner, {start}), {weight}.most()}}"
        terms: list[str] = []
        for atom in form.single:
            terms.append(self._words(atom, [product, *terms]) if has_words(self.plan, atom) else self._single(atom))
        given = [f"{name}_inner", start, weight, f"{{{', '.join(terms)}}}", self._constant]
        self._linear(f"Weighted<{len(form.weighted)}, {len(terms)}>", [*given, " + ".join(self._blur) or "0.0f"])
        return self.lines + limit_lines(self.plan, form)


class WeightedWriter(WideWriter):
    """Instructions of such a form."""

    def write(self) -> None:
        body, form = self.body, self.form
        start = body.number("Q6_V_vsplat_R", f"{form.linear}.start", to=f"{form.name}_start_lanes")
        zero = self.setup.q6("Q6_Vh_vsplat_R", f"{form.linear}.zero", to=f"{form.name}_weight_zero")
        inner = [(self.plan.elements[atom], self._parts(atom)) for atom in form.weighted]
        singles = [(self.plan.elements[atom], self._parts(atom)) for atom in form.single]
        halves = []
        for part, weights in enumerate(self._weights()):
            sums = body.pair(start, start, to="form")
            for number, (operand, lanes) in enumerate(inner):
                sums = self._add_term(sums, operand, lanes[part], number)
            sums = self._times_weights(sums, weights, zero)
            for number, (operand, lanes) in enumerate(singles, start=len(inner)):
                sums = self._add_term(sums, operand, lanes[part], number)
            halves.append(self._half(sums))
        self._store(halves)

    def _weights(self) -> tuple[str, ...]:
        """Elements of a step in 16-bit lanes without sign; bytes times 256."""
        operand = self.plan.elements[self.form.weight]
        assert isinstance(operand, Operand)
        top = splat(1 << (operand.storage.bits - 1), operand.storage.bits)
        if operand.storage.bits == 8:
            return self.uppers_of(self._moved(self.body.load(operand.name), operand, top))
        whole = tuple([self.body.load(operand.name, part) for part in range(self.step // 64)])
        lanes = self.apart(self.form.weight) if self.by_parity() else whole
        return tuple([self._moved(lane, operand, top) for lane in lanes])

    def _moved(self, lanes: str, operand: Operand, top: str) -> str:
        if not operand.storage.signed:
            return lanes
        every = self.setup.q6("Q6_V_vsplat_R", top, to=f"top{operand.storage.bits}")
        return self.body.q6("Q6_V_vxor_VV", lanes, every, to="moved")

    def _times_weights(self, sums: str, weights: str, zero: str) -> str:
        """A pair of words times weights less their zero, and the bias."""
        body = self.body
        others = body.q6("Q6_Vuw_vlsr_VuwR", weights, 16, to="weight")
        ends = []
        for form, weight in ((body.lo(sums), weights), (body.hi(sums), others)):
            product = body.q6("Q6_Vw_vmpye_VwVuh", form, weight, to="product")
            taken = body.q6(
                "Q6_Vw_vsub_VwVw", self.bias, body.q6("Q6_Vw_vmpye_VwVuh", form, zero, to="taken"), to="rest"
            )
            ends.append(body.q6("Q6_Vw_vadd_VwVw", product, taken, to="weighted"))
        return body.pair(ends[1], ends[0], to="sums")
