"""Loads and stores of the float strategy: elements of any width from and to groups of 32 lanes of 32 bits.

A step has step / 32 groups. They are in the order of memory, except where all operands are halves: then the even and the
odd elements of a vector are a group each, which is how halves widen.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.lowered import Member
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.floating.ops import PREFIX, number, word
from opkg.spec.dtypes import Kind

_UNPACK = {Storage.U8: "Q6_Wuh_vunpack_Vub", Storage.S8: "Q6_Wh_vunpack_Vb"}
_UNPACK |= {Storage.U16: "Q6_Wuw_vunpack_Vuh", Storage.S16: "Q6_Ww_vunpack_Vh"}
_WIDER = {Storage.U8: Storage.U16, Storage.S8: Storage.S16}
_PACK = {32: (), 16: ("Q6_Vh_vpacke_VwVw",), 8: ("Q6_Vh_vpacke_VwVw", "Q6_Vb_vpacke_VhVh")}
_SATURATE: dict[Storage, tuple[str, ...]] = {
    Storage.U8: ("Q6_Vh_vpack_VwVw_sat", "Q6_Vub_vpack_VhVh_sat"),
    Storage.S8: ("Q6_Vh_vpack_VwVw_sat", "Q6_Vb_vpack_VhVh_sat"),
    Storage.U16: ("Q6_Vuh_vpack_VwVw_sat",),
    Storage.S16: ("Q6_Vh_vpack_VwVw_sat",),
}
_FURTHEST = 32768  # no 16 bits hold zero points below it


def obstacle(operand: Operand, written: bool) -> str:
    """Why an operand cannot be read or written; empty when it can."""
    wide = operand.storage is Storage.S32 and operand.quantized  # more bits than single precision has
    if (wide and written) or operand.storage in (Storage.U32, Storage.U64, Storage.S64):
        return f"'{operand.name}' is {operand.dtype}"
    return ""


class Streams:
    """The operands of a kernel in vectors."""

    def __init__(self, operands: tuple[Operand, ...], setup: Block, body: Block) -> None:
        self.setup, self.body = setup, body
        narrowest = min([o.storage.bits for o in operands])
        self.step = 1024 // narrowest
        self.groups = self.step // 32
        self.ordered = any(o.storage is not Storage.F16 for o in operands)
        self.members: list[Member] = []
        self.prepare: list[str] = []

    # Loads ----------------------------------------------------------------------------------------------------------

    def load(self, operand: Operand) -> list[str]:
        """The values of an input, one per group: reals, words, or predicates for bool8."""
        body, storage = self.body, operand.storage
        if storage is Storage.F16:
            return self._load_halves(operand)
        if storage in (Storage.F32, Storage.S32):
            loaded = [body.load(operand.name, group) for group in range(self.groups)]
            return [self._real(operand, value) for value in loaded] if operand.quantized else loaded
        found = [
            w for part in range(self._parts(operand)) for w in self._unpacked(body.load(operand.name, part), storage)
        ]
        if operand.dtype.kind is Kind.BOOL:
            none = word(self.setup, "0")
            return [body.q6("Q6_Q_not_Q", body.q6("Q6_Q_vcmp_eq_VwVw", v, none), to=operand.name) for v in found]
        if operand.quantized:
            return [self._real(operand, value) for value in found]
        if operand.bias:
            bias = word(self.setup, str(operand.bias))
            return [body.q6("Q6_Vw_vsub_VwVw", value, bias, to=operand.name) for value in found]
        return found

    def _parts(self, operand: Operand) -> int:
        return self.step * operand.storage.bits // 1024

    def _load_halves(self, operand: Operand) -> list[str]:
        body, found = self.body, []
        for part in range(self._parts(operand)):
            vector = body.load(operand.name, part)
            pair = body.call(PREFIX + "sf_from_hf", vector, kind="W", to=f"{operand.name}_wide")
            if self.ordered:
                pair = body.q6("Q6_W_vshuff_VVR", body.hi(pair), body.lo(pair), -4, to=f"{operand.name}_ordered")
            found += [body.lo(pair), body.hi(pair)]
        return found

    def _unpacked(self, vector: str, storage: Storage) -> list[str]:
        pair = self.body.q6(_UNPACK[storage], vector, to="wide")
        halves = [self.body.lo(pair), self.body.hi(pair)]
        if storage not in _WIDER:
            return halves
        return [value for half in halves for value in self._unpacked(half, _WIDER[storage])]

    def _steps(self, operand: Operand) -> tuple[str, str]:
        """Members with scale and zero point of a quantized tensor."""
        scale, zero = f"{operand.name}_scale_sf", f"{operand.name}_zero_sf"
        if scale not in {member.name for member in self.members}:
            wide, given = operand.storage is Storage.S32, f"op.{operand.name}"
            beyond = f"{given}.zero < -{_FURTHEST} || {given}.zero > {2 * _FURTHEST}"
            self.members += [Member("float", scale), *([] if wide else [Member("int32_t", zero)])]
            self.prepare += [
                f"if ({f'{given}.zero != 0' if wide else beyond}) return false;",
                f"if (!({given}.scale > 1e-30f && {given}.scale < 1e30f)) return false;",
                *([] if wide else [f"{zero} = {given}.zero;"]),
            ]
        return scale, zero

    def _real(self, operand: Operand, value: str) -> str:
        scale, zero = self._steps(operand)
        line = f"{scale} = op.{operand.name}.scale;"
        if line not in self.prepare:
            self.prepare.append(line)
        if operand.storage is Storage.S32:
            steps = self.body.call(PREFIX + "sf_from_w", value, to="steps")
        else:
            steps = self.body.call(PREFIX + "sf_from_stored", value, word(self.setup, zero), to="steps")
        return self.body.call(PREFIX + "mul_sf", steps, number(self.setup, scale), to=f"{operand.name}_real")

    # Stores ---------------------------------------------------------------------------------------------------------

    def store(self, operand: Operand, values: list[str]) -> None:
        """Writes one value per group: reals, or words for what is no float."""
        body, storage = self.body, operand.storage
        if storage is Storage.F16:
            self._store_halves(operand, values)
            return
        if operand.quantized:
            values = [self._quantized(operand, value) for value in values]
        elif operand.bias:
            bias = word(self.setup, str(operand.bias))
            values = [body.q6("Q6_Vw_vadd_VwVw", value, bias) for value in values]
        for name in _PACK[storage.bits] if not operand.quantized else _SATURATE[storage]:
            values = self._packed(values, name)
        for part, value in enumerate(values):
            body.store(operand.name, value, part)

    def _packed(self, values: list[str], name: str) -> list[str]:
        return [self.body.q6(name, values[i + 1], values[i], to="packed") for i in range(0, len(values), 2)]

    def _store_halves(self, operand: Operand, values: list[str]) -> None:
        body = self.body
        for part in range(self._parts(operand)):
            even, odd = values[2 * part : 2 * part + 2]
            if self.ordered:
                pair = body.q6("Q6_W_vdeal_VVR", odd, even, -4, to="apart")
                even, odd = body.lo(pair), body.hi(pair)
            body.store(operand.name, body.call(PREFIX + "hf_from_sf", odd, even, to="half"), part)

    def _quantized(self, operand: Operand, value: str) -> str:
        """The nearest stored number as a word, which the store saturates."""
        scale, zero = self._steps(operand)
        line = f"{scale} = 1.0f / op.{operand.name}.scale;"
        if line not in self.prepare:
            self.prepare.append(line)
        steps = self.body.call(PREFIX + "mul_sf", value, number(self.setup, scale), to="steps")
        return self.body.call(PREFIX + "stored_from_sf", steps, word(self.setup, zero), to="stored")
