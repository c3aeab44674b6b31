"""The loop that computes full results of a row from factors of 32 bits: results of 16 bits, or of 16-bit elements."""

from __future__ import annotations

from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.curves import curve_lanes
from opkg.kernels.strategies.rows.curved import Curve
from opkg.kernels.strategies.rows.forms import lifted, words
from opkg.kernels.strategies.rows.loop_block import splat
from opkg.kernels.strategies.rows.plan import Table
from opkg.kernels.strategies.rows.results_lanes import FormWriter, unsigned


class WideWriter(FormWriter):
    """Instructions of one form in which a value is multiplied by 32 bits."""

    def write(self) -> None:
        """A value times 32 bits, 16 of which are behind the point."""
        product = [self._middled(atom) for atom in self.form.product]
        singles = [(self.plan.elements[atom], self._parts(atom)) for atom in self.form.single]
        halves = []
        for part in range(self.step // 64):
            sums = self.body.pair(self.bias, self.bias, to="sums")
            if product:
                sums = self._wide_product(sums, product[0][part], product[1][part])
            for number, (operand, lanes) in enumerate(singles, start=3 if product else 0):
                sums = self._add_term(sums, operand, lanes[part], number)
            halves.append(self._half(sums))
        self._store(halves)

    def _add_term(self, sums: str, operand: Operand | Table, lanes: str, number: int) -> str:
        """A single element times its factor."""
        if isinstance(operand, Operand) and operand.storage is Storage.S32:
            return self._add_scaled(sums, lanes, number)
        return self._add_wide(sums, operand, lanes, number)

    def _store(self, halves: list[str]) -> None:
        """Results of 16-bit lanes, in the order of memory."""
        if self.plan.curve is not None:
            self._store_curved(self.plan.curve, halves)
            return
        if self.form.output.storage.bits == 8:
            self._store_bytes(halves)
            return
        if len(halves) == 2 and self.by_parity():  # even and odd elements: back into the order of memory
            pair = self.body.q6("Q6_W_vshuff_VVR", halves[1], halves[0], -2, to="ordered")
            halves = [self.body.lo(pair), self.body.hi(pair)]
        letter = "h" if self.form.output.storage is Storage.S16 else "uh"
        for part, result in enumerate(halves):
            self.body.store(self.form.name, self.clamped(result, letter), part)

    def _half(self, sums: str) -> str:
        body, shift = self.body, f"{self.form.linear}.shift"
        unsigned = self.form.output.storage is Storage.U16
        narrow = f"Q6_V{'uh' if unsigned else 'h'}_vasr_VwVwR_rnd_sat"
        return body.q6(narrow, body.hi(sums), body.lo(sums), shift, to=self.form.name)

    def _store_bytes(self, halves: list[str]) -> None:
        """Results of 8 bits, which 16-bit lanes hold; saturated once more."""
        letter = "b" if self.form.output.storage is Storage.S8 else "ub"
        if self.by_parity():
            result = self.body.q6(f"Q6_V{letter}_vasr_VhVhR_sat", halves[1], halves[0], 0, to=self.form.name)
        else:
            result = self.body.q6(f"Q6_V{letter}_vpack_VhVh_sat", halves[1], halves[0], to=self.form.name)
        self.body.store(self.form.name, self.clamped(result, letter))

    def _store_curved(self, curve: Curve, halves: list[str]) -> None:
        """Bytes that are a function of these lanes, which has 6 bits behind the point."""
        body, output = self.body, curve.output
        found = curve_lanes(self.setup, body, halves, curve.member, output.name)
        if self.by_parity():
            result = body.q6("Q6_Vb_vasr_VhVhR_rnd_sat", found[1], found[0], 6, to=output.name)
        else:
            half = self.setup.q6("Q6_V_vsplat_R", splat(32, 16), to="half")
            sums = [body.q6("Q6_Vh_vadd_VhVh_sat", lanes, half, to="sum") for lanes in found]
            steps = [body.q6("Q6_Vh_vasr_VhR", lanes, 6, to="steps") for lanes in sums]
            result = body.q6("Q6_Vb_vpack_VhVh_sat", steps[1], steps[0], to=output.name)
        if not output.storage.signed:
            top = self.setup.q6("Q6_V_vsplat_R", splat(0x80, 8), to="top8")
            result = body.q6("Q6_V_vxor_VV", result, top, to=output.name)
        body.store(output.name, result)

    def _wide_product(self, sums: str, x: str, y: str) -> str:
        """The product of two elements less their middles, times a fraction of 31 bits; then each element by itself."""
        sums = self._add_scaled(sums, self.body.q6("Q6_Ww_vmpy_VhVh", x, y, to="product"), 0)
        for number, value in ((1, x), (2, y)):
            sums = self._add_signed(sums, value, number)
        return sums

    def _add_scaled(self, sums: str, both: str, number: int) -> str:
        """A pair of words times a fraction of 31 bits."""
        body, name = self.body, f"{self.form.name}_whole{number}"
        by = body.number("Q6_V_vsplat_R", f"{self.form.linear}.whole({number})", to=f"all_{name}")

        def scaled(end: str) -> str:
            low = body.q6("Q6_Vw_vmpye_VwVuh", end, by, to="scaled")
            return body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", low, end, by, to="scaled")

        pair = body.pair(scaled(body.hi(both)), scaled(body.lo(both)), to="scaled")
        return body.q6("Q6_Ww_vadd_WwWw", sums, pair, to="sums")

    def _words(self, operand: Operand) -> tuple[str, ...]:
        """Pairs of words in the order of products of 16-bit lanes, limited and shifted up (opkg::hvx::Words)."""
        body, name = self.body, words(self.form, operand)
        ends = [
            (verb, self.setup.q6("Q6_V_vsplat_R", text, to=f"{name}_{verb}"))
            for verb, text in (("vmin", f"{name}.most"), ("vmax", f"-{name}.most"))
        ]
        found = []
        for part in range(self.step // 32):
            value = body.load(operand.name, part)
            for verb, end in ends:
                value = body.q6(f"Q6_Vw_{verb}_VwVw", value, end, to="limited")
            found.append(body.q6("Q6_Vw_vasl_VwR", value, f"{name}.lift", to="lifted"))
        pairs = [self._dealt(found[at + 1], found[at]) for at in range(0, len(found), 2)]
        if not self.by_parity():
            return tuple(pairs)
        (low, high), ends_of = pairs, (body.lo, body.hi)
        return tuple([self._dealt(end(high), end(low)) for end in ends_of])

    def _dealt(self, high: str, low: str) -> str:
        return self.body.q6("Q6_W_vdeal_VVR", high, low, -4, to="words")

    def _middled(self, atom: str) -> tuple[str, ...]:
        """Elements of a step less what is taken off them (opkg::hvx::Middle), as signed numbers of 16 bits."""
        operand = self.plan.elements[atom]
        assert isinstance(operand, Operand)
        if operand.storage.bits == 8:
            return self._signed_bytes(operand)
        whole = tuple([self.body.load(operand.name, part) for part in range(self.step // 64)])
        lanes = self.apart(atom) if self.by_parity() else whole
        if lifted(self.plan, self.form, atom):
            return tuple([self._lifted(operand, atom, lane) for lane in lanes])
        if operand.storage.signed:
            return lanes
        top = self.setup.q6("Q6_V_vsplat_R", splat(0x8000, 16), to="top16")
        return tuple([self.body.q6("Q6_V_vxor_VV", lane, top, to="middled") for lane in lanes])

    def _signed_bytes(self, operand: Operand) -> tuple[str, str]:
        """Bytes less their middle, in the upper halves of 16-bit lanes: those at even places, and those at odd ones."""
        raw = self.body.load(operand.name)
        if not operand.storage.signed:
            raw = self.body.q6(
                "Q6_V_vxor_VV", raw, self.setup.q6("Q6_V_vsplat_R", splat(0x80, 8), to="top8"), to="moved"
            )
        return self.uppers_of(raw)

    def _lifted(self, operand: Operand, atom: str, lanes: str) -> str:
        """16-bit elements less zero or their middle, shifted up."""
        body, form, zero = self.body, self.form, self.plan.zero(operand.name) or "0"
        at = f"{form.center}_{'xy'[form.product.index(atom)] if form.product else 'x'}"
        words = f"opkg::hvx::in_both_halves(opkg::hvx::plus({at}.at, static_cast<int32_t>({zero})))"
        place = f"{at}.at + static_cast<int32_t>({zero})"
        middle = body.number("Q6_Vh_vsplat_R", place, f"{form.name}_{operand.name}_middle", words)
        lanes = body.q6("Q6_Vh_vsub_VhVh", lanes, middle, to="middled")
        if not body.several:
            return body.q6("Q6_Vh_vasl_VhR", lanes, f"{at}.lift", to="middled")
        by = body.number("", "", f"{form.name}_{operand.name}_lift", f"opkg::hvx::in_both_halves({at}.lift)")
        return body.q6("Q6_Vh_vasl_VhVh", lanes, by, to="middled")

    def _add_wide(self, sums: str, operand: Operand | Table, lanes: str, number: int) -> str:
        moved = isinstance(operand, Operand) and lifted(self.plan, self.form, f"{operand.name}_q")
        if moved or not unsigned(operand):
            return self._add_signed(sums, lanes, number)
        body, high, low = self.body, self.every(number, "factor"), self.every(number, "low")
        sums = body.q6("Q6_Ww_vmpyacc_WwVhVuh", sums, high, lanes, to="sums")
        return self._add_rest(sums, body.q6("Q6_Wuw_vmpy_VuhVuh", lanes, low, to="rest"), "Q6_Vuw_vlsr_VuwR")

    def _add_signed(self, sums: str, lanes: str, number: int) -> str:
        body, high, low = self.body, self.every(number, "factor"), self.every(number, "low")
        sums = body.q6("Q6_Ww_vmpyacc_WwVhVh", sums, lanes, high, to="sums")
        return self._add_rest(sums, body.q6("Q6_Ww_vmpy_VhVuh", lanes, low, to="rest"), "Q6_Vw_vasr_VwR")

    def _add_rest(self, sums: str, rest: str, shift: str) -> str:
        body = self.body
        ends = [body.q6(shift, end, 16, to="rest") for end in (body.lo(rest), body.hi(rest))]
        return body.q6("Q6_Ww_vadd_WwWw", sums, body.pair(ends[1], ends[0], to="rest"), to="sums")

    def _parts(self, atom: str) -> tuple[str, ...]:
        """A single element of a step as it is multiplied, in 16-bit lanes."""
        operand = self.plan.elements[atom]
        if isinstance(operand, Operand) and operand.storage is Storage.S32:
            return self._words(operand)
        if isinstance(operand, Operand) and (operand.storage.bits == 8 or lifted(self.plan, self.form, atom)):
            return self._middled(atom)
        if self.by_parity():
            return self.apart(atom)
        assert isinstance(operand, Operand)
        return tuple([self.body.load(operand.name, part) for part in range(self.step // 64)])
