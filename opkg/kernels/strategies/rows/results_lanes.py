"""What loops over full results are written with: factors, elements in 16-bit lanes, limits."""

from __future__ import annotations

from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.rows.forms import Form, limit
from opkg.kernels.strategies.rows.loop_block import LoopBlock, splat
from opkg.kernels.strategies.rows.loops import entries, kept, table_index
from opkg.kernels.strategies.rows.plan import Plan, Table


class FormWriter:
    """Instructions of one form."""

    def __init__(self, plan: Plan, body: LoopBlock, form: Form, step: int, keep: frozenset[str]) -> None:
        self.plan, self.body, self.setup, self.form, self.step = plan, body, body.setup, form, step
        self.keep = keep
        self.bias = body.number("Q6_V_vsplat_R", f"{form.linear}.bias", to=f"{form.name}_bias")

    def write(self) -> None:
        """All instructions."""
        raise NotImplementedError

    def clamped(self, result: str, letter: str) -> str:
        for number, (op, _) in enumerate(self.form.clamps):
            splat = "Q6_Vb_vsplat_R" if letter in ("b", "ub") else "Q6_Vh_vsplat_R"
            every = self.setup.q6(splat, limit(self.form, number), to=f"all_{limit(self.form, number)}")
            result = self.body.q6(f"Q6_V{letter}_v{op}_V{letter}V{letter}", result, every, to=self.form.name)
        return result

    def factor(self, number: int, which: str = "factor") -> str:
        """A factor in both halves of a scalar register; of several rows, in those of each word of a vector."""
        text = f"{self.form.linear}.{which}[{number}]"
        if self.body.several:
            return self.body.number("", text, to=f"{self.form.name}_{which}{number}")
        return self.setup.call("opkg::hvx::both_halves", text, kind="R", to=f"{self.form.name}_{which}{number}")

    def every(self, number: int, which: str) -> str:
        factor = self.factor(number, which)
        if self.body.several:
            return factor
        return self.setup.q6("Q6_V_vsplat_R", factor, to=f"all_{factor}")

    def times(self, sums: str, lanes: str, number: int, which: str = "factor") -> str:
        operation = "Q6_Ww_vmpyacc_WwVhVh" if self.body.several else "Q6_Ww_vmpyacc_WwVhRh"
        return self.body.q6(operation, sums, lanes, self.factor(number, which), to="sums")

    def by_parity(self) -> bool:
        """Whether lanes are apart by parity: where 8-bit elements are widened, or slots are of bytes."""
        if self.body.by_parity:
            return True
        operands = [self.plan.elements[atom] for atom in self.form.atoms]
        return any(isinstance(operand, Table) or operand.storage.bits == 8 for operand in operands)

    def apart(self, atom: str) -> tuple[str, str]:
        """An atom in 16-bit lanes: the elements at even places of the step, and those at odd places."""
        operand, body = self.plan.elements[atom], self.body
        if isinstance(operand, Table) and operand.name in self.keep:
            return body.load(kept(operand)), body.load(kept(operand), 1)
        if isinstance(operand, Table):
            values = table8.table_values(self.setup, operand.name, 16)
            return entries(self.plan, body, operand, values, table_index(self.plan, body, operand.index))
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
        if operand.storage.signed:
            raw = body.q6("Q6_V_vxor_VV", raw, self.setup.q6("Q6_V_vsplat_R", splat(0x80, 8), to="top8"), to="moved")
        lowest = min(operand.storage.limits[0], 0)
        both = body.number("Q6_V_vsplat_R", f"{center}.packed({lowest})", f"{self.form.name}_{operand.name}_packed")
        name = f"{self.form.name}_{operand.name}"
        lanes = body.q6("Q6_Vh_vshuffe_VhVh", both, both, to=f"{name}_center")
        lift = body.q6("Q6_Vh_vshuffo_VhVh", both, both, to=f"{name}_lift")
        pair = body.q6("Q6_Wuh_vmpy_VubVub", raw, lift, to=f"{operand.name}_wide")
        even, odd = [body.q6("Q6_Vh_vsub_VhVh", end, lanes, to="distance") for end in (body.lo(pair), body.hi(pair))]
        return even, odd

    def uppers_of(self, raw: str) -> tuple[str, str]:
        """Bytes times 256 in 16-bit lanes: those at even places, and those at odd ones."""
        mask = self.setup.q6("Q6_V_vsplat_R", splat(0xFF00, 16), to="upper_bytes")
        return self.body.q6("Q6_Vh_vasl_VhR", raw, 8, to="even"), self.body.q6("Q6_V_vand_VV", raw, mask, to="odd")


def unsigned(operand: Operand | Table) -> bool:
    """Whether the 16-bit lanes of an operand have no sign."""
    return isinstance(operand, Table) or operand.storage is Storage.U16
