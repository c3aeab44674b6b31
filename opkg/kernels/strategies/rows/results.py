"""The loop that computes full results of a row from linear forms, in fixed point.

Values are summed up in 32-bit lanes, those of elements at even places of a step apart from those at odd ones, which
narrowing joins again. 8-bit results: factors of 16 bits, narrowed twice. 16-bit results: factors of 32 bits.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.sequence import Loop
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.rows.forms import Form, lifted, limit
from opkg.kernels.strategies.rows.loop_block import LoopBlock, splat
from opkg.kernels.strategies.rows.loops import kept, table_index
from opkg.kernels.strategies.rows.plan import Plan, Table

LIFT = 3  # kLift of opkg::hvx::Single


def result_loop(plan: Plan, forms: list[Form], step: int, keep: frozenset[str], several: bool = False) -> Loop:
    """The pass that computes all full outputs. `keep`: tables whose entries an earlier pass kept."""
    setup = Block()
    body = LoopBlock(setup, several)
    for form in forms:
        writer = _Writer(plan, body, form, step, keep)
        if form.wide:
            writer.wide()
        else:
            writer.narrow()
    return Loop(
        title=f"Over the row: {', '.join(form.name for form in forms)}.",
        setup=tuple(setup.insts),
        carried=(),
        body=tuple(body.insts),
        unroll=2,  # a fifth faster than 1; with 4, no more than that
        spread=tuple(body.spread.items()),
    )


class _Writer:
    """Instructions of one form."""

    def __init__(self, plan: Plan, body: LoopBlock, form: Form, step: int, keep: frozenset[str]) -> None:
        self.plan, self.body, self.setup, self.form, self.step = plan, body, body.setup, form, step
        self.keep = keep
        self.bias = body.number("Q6_V_vsplat_R", f"{form.linear}.bias", to=f"{form.name}_bias")

    def narrow(self) -> None:
        """8-bit results: two vectors of sums for the even elements and two for the odd ones."""
        if self.form.product:
            halves = self._bytes()
        else:
            singles = [(self.plan.elements[atom], self._apart(atom)) for atom in self.form.single]
            halves = []
            for half in (0, 1):
                sums = self.body.pair(self.bias, self.bias, to="sums")
                for number, (operand, lanes) in enumerate(singles):
                    sums = self._add(sums, operand, lanes[half], number)
                halves.append(self._half(self.body.hi(sums), self.body.lo(sums)))
        letter = "b" if self.form.output.storage is Storage.S8 else "ub"
        fraction = f"{self.form.linear}.kFraction"
        result = self.body.q6(f"Q6_V{letter}_vasr_VhVhR_rnd_sat", halves[1], halves[0], fraction, to=self.form.name)
        self.body.store(self.form.name, self._clamped(result, letter))

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
        others = self._apart(v)
        beside = [self._apart(atom) for atom in form.beside(self.plan)]
        halves = []
        for half, lanes in enumerate((even, odd)):
            sums = body.pair(self.bias, self.bias, to="sums")
            for number, other in enumerate(beside):
                high = body.q6("Q6_Vh_vasl_VhR", other[half], f"{form.linear}.kLow", to="lifted")
                sums = self._times(self._times(sums, high, number), other[half], number, "low")
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
        mask = self.setup.q6("Q6_V_vsplat_R", splat(0xFF00, 16), to="upper_bytes")
        return body.q6("Q6_Vh_vasl_VhR", raw, 8, to="even"), body.q6("Q6_V_vand_VV", raw, mask, to="odd")

    def wide(self) -> None:
        """16-bit results: a value times 32 bits, 16 of which are behind the point."""
        signed = self.form.output.storage is Storage.S16
        letter = "h" if signed else "uh"
        product = [self._middled(atom) for atom in self.form.product]
        singles = [(self.plan.elements[atom], self._parts(atom)) for atom in self.form.single]
        count = self.step // 64
        results = []
        for part in range(count):
            sums = self.body.pair(self.bias, self.bias, to="sums")
            if product:
                sums = self._wide_product(sums, product[0][part], product[1][part])
            for number, (operand, lanes) in enumerate(singles, start=3 if product else 0):
                sums = self._add_wide(sums, operand, lanes[part], number)
            shift = f"{self.form.linear}.shift"
            narrow = f"Q6_V{letter}_vasr_VwVwR_rnd_sat"
            results.append(self.body.q6(narrow, self.body.hi(sums), self.body.lo(sums), shift, to=self.form.name))
        if count == 2 and self._by_parity():  # even and odd elements: back into the order of memory
            pair = self.body.q6("Q6_W_vshuff_VVR", results[1], results[0], -2, to="ordered")
            results = [self.body.lo(pair), self.body.hi(pair)]
        for part, result in enumerate(results):
            self.body.store(self.form.name, self._clamped(result, letter), part)

    def _clamped(self, result: str, letter: str) -> str:
        for number, (op, _) in enumerate(self.form.clamps):
            splat = "Q6_Vb_vsplat_R" if letter in ("b", "ub") else "Q6_Vh_vsplat_R"
            every = self.setup.q6(splat, limit(self.form, number), to=f"all_{limit(self.form, number)}")
            result = self.body.q6(f"Q6_V{letter}_v{op}_V{letter}V{letter}", result, every, to=self.form.name)
        return result

    def _factor(self, number: int, which: str = "factor") -> str:
        """A factor in both halves of a scalar register; of several rows, in those of each word of a vector."""
        text = f"{self.form.linear}.{which}[{number}]"
        if self.body.several:
            return self.body.number("", text, to=f"{self.form.name}_{which}{number}")
        return self.setup.call("opkg::hvx::both_halves", text, kind="R", to=f"{self.form.name}_{which}{number}")

    def _every(self, number: int, which: str) -> str:
        factor = self._factor(number, which)
        if self.body.several:
            return factor
        return self.setup.q6("Q6_V_vsplat_R", factor, to=f"all_{factor}")

    def _times(self, sums: str, lanes: str, number: int, which: str = "factor") -> str:
        operation = "Q6_Ww_vmpyacc_WwVhVh" if self.body.several else "Q6_Ww_vmpyacc_WwVhRh"
        return self.body.q6(operation, sums, lanes, self._factor(number, which), to="sums")

    def _wide_product(self, sums: str, x: str, y: str) -> str:
        """The product of two elements less their middles, times a fraction of 31 bits; then each element by itself."""
        body = self.body
        both = body.q6("Q6_Ww_vmpy_VhVh", x, y, to="product")
        by = body.number("Q6_V_vsplat_R", f"{self.form.linear}.whole(0)", to=f"all_{self.form.name}_whole0")

        def scaled(end: str) -> str:
            low = body.q6("Q6_Vw_vmpye_VwVuh", end, by, to="scaled")
            return body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", low, end, by, to="scaled")

        both_scaled = body.pair(scaled(body.hi(both)), scaled(body.lo(both)), to="scaled")
        sums = body.q6("Q6_Ww_vadd_WwWw", sums, both_scaled, to="sums")
        for number, value in ((1, x), (2, y)):
            sums = self._add_signed(sums, value, number)
        return sums

    def _middled(self, atom: str) -> tuple[str, ...]:
        """16-bit elements of a step less what is taken off them (opkg::hvx::Middle), as signed numbers."""
        operand = self.plan.elements[atom]
        assert isinstance(operand, Operand)
        whole = tuple([self.body.load(operand.name, part) for part in range(self.step // 64)])
        lanes = self._apart(atom) if self._by_parity() else whole
        if lifted(self.plan, self.form, atom):
            return tuple([self._lifted(operand, atom, lane) for lane in lanes])
        if operand.storage.signed:
            return lanes
        top = self.setup.q6("Q6_V_vsplat_R", splat(0x8000, 16), to="top16")
        return tuple([self.body.q6("Q6_V_vxor_VV", lane, top, to="middled") for lane in lanes])

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

    def _add(self, sums: str, operand: Operand | Table, lanes: str, number: int) -> str:
        if _unsigned(operand) and not self.form.centered:
            return self.body.q6("Q6_Ww_vmpyacc_WwVhVuh", sums, self._every(number, "factor"), lanes, to="sums")
        return self._times(sums, lanes, number)

    def _add_wide(self, sums: str, operand: Operand | Table, lanes: str, number: int) -> str:
        moved = isinstance(operand, Operand) and lifted(self.plan, self.form, f"{operand.name}_q")
        if moved or not _unsigned(operand):
            return self._add_signed(sums, lanes, number)
        body, high, low = self.body, self._every(number, "factor"), self._every(number, "low")
        sums = body.q6("Q6_Ww_vmpyacc_WwVhVuh", sums, high, lanes, to="sums")
        return self._add_rest(sums, body.q6("Q6_Wuw_vmpy_VuhVuh", lanes, low, to="rest"), "Q6_Vuw_vlsr_VuwR")

    def _add_signed(self, sums: str, lanes: str, number: int) -> str:
        body, high, low = self.body, self._every(number, "factor"), self._every(number, "low")
        sums = body.q6("Q6_Ww_vmpyacc_WwVhVh", sums, lanes, high, to="sums")
        return self._add_rest(sums, body.q6("Q6_Ww_vmpy_VhVuh", lanes, low, to="rest"), "Q6_Vw_vasr_VwR")

    def _add_rest(self, sums: str, rest: str, shift: str) -> str:
        body = self.body
        ends = [body.q6(shift, end, 16, to="rest") for end in (body.lo(rest), body.hi(rest))]
        return body.q6("Q6_Ww_vadd_WwWw", sums, body.pair(ends[1], ends[0], to="rest"), to="sums")

    def _by_parity(self) -> bool:
        """Whether lanes are apart by parity: where 8-bit elements are widened."""
        return any(
            isinstance(operand, Table) or operand.storage.bits == 8
            for operand in [self.plan.elements[atom] for atom in self.form.single]
        )

    def _parts(self, atom: str) -> tuple[str, ...]:
        if self._by_parity():
            return self._apart(atom)
        operand = self.plan.elements[atom]
        assert isinstance(operand, Operand)
        if lifted(self.plan, self.form, atom):
            return self._middled(atom)
        return tuple([self.body.load(operand.name, part) for part in range(self.step // 64)])

    def _apart(self, atom: str) -> tuple[str, str]:
        """An atom in 16-bit lanes: the elements at even places of the step, and those at odd places."""
        operand, body = self.plan.elements[atom], self.body
        if isinstance(operand, Table) and operand.name in self.keep:
            return body.load(kept(operand)), body.load(kept(operand), 1)
        if isinstance(operand, Table):
            values = table8.table_values(self.setup, operand.name, 16)
            return table8.lookup16_apart(body, values, table_index(self.plan, body, operand.index))
        if operand.storage.bits == 16:
            pair = body.q6("Q6_W_vdeal_VVR", body.load(operand.name, 1), body.load(operand.name), -2, to="apart")
        elif self.form.centered and operand.storage.bits == 8:
            return self._distances(operand)
        else:
            widen = "Q6_Wh_vsxt_Vb" if operand.storage is Storage.S8 else "Q6_Wuh_vzxt_Vub"
            pair = body.q6(widen, body.load(operand.name), to=f"{operand.name}_wide")
        zero = self.plan.zero(operand.name)
        if not (zero and self.form.product) or self.form.wide or atom != self.form.factors_of(self.plan)[1]:
            return body.lo(pair), body.hi(pair)
        every = self.setup.q6("Q6_Vh_vsplat_R", f"static_cast<int32_t>({zero})", to=f"{operand.name}_zero")
        even, odd = [body.q6("Q6_Vh_vsub_VhVh", end, every, to="value") for end in (body.lo(pair), body.hi(pair))]
        return even, odd

    def _distances(self, operand: Operand) -> tuple[str, str]:
        """Elements less the row's number near the middle of the results, shifted up."""
        body, center = self.body, self.form.center
        raw = body.load(operand.name)
        place = f"{center}.at"
        if operand.storage.signed:
            raw = body.q6("Q6_V_vxor_VV", raw, self.setup.q6("Q6_V_vsplat_R", splat(0x80, 8), to="top8"), to="moved")
            place = f"opkg::hvx::plus({place}, 128)" if body.several else f"({place} + 128)"
        pair = body.q6("Q6_Wuh_vmpy_VubRub", raw, splat(1 << LIFT, 8), to=f"{operand.name}_wide")
        words = f"opkg::hvx::in_both_halves(Q6_Vw_vasl_VwR({place}, {center}.kLift))"
        lanes = body.number(
            "Q6_Vh_vsplat_R", f"{place} * (1 << {center}.kLift)", f"{self.form.name}_{operand.name}_center", words
        )
        even, odd = [body.q6("Q6_Vh_vsub_VhVh", end, lanes, to="distance") for end in (body.lo(pair), body.hi(pair))]
        return even, odd


def _unsigned(operand: Operand | Table) -> bool:
    return isinstance(operand, Table) or operand.storage is Storage.U16
