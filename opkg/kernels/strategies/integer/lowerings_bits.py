"""Shifts and bits of integer lanes."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.graphs.ranges import Interval
from opkg.kernels.strategies.integer import doubles
from opkg.kernels.strategies.integer.lanes import S16, S32, S64, U8, U16, U32, Form, Lanes, Vectors
from opkg.kernels.strategies.integer.lowering import ALU, PLAIN, SHIFT, Lowering, Lowerings, Write, each, long


def _shift_right(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    bits = constants[1]
    for form, name in (
        (U8, "Q6_Vub_vlsr_VubR"), (S16, "Q6_Vh_vasr_VhR"), (U16, "Q6_Vuh_vlsr_VuhR"), (S32, "Q6_Vw_vasr_VwR"),
        (U32, "Q6_Vuw_vlsr_VuwR"),
    ):  # fmt: skip
        if form.signed or bits < form.bits:
            yield Lowering((form,), form, SHIFT, shifted(name, min(bits, form.bits - 1)))
    if bits < 64:
        yield long(lambda lanes, args: doubles.shifted_right(lanes, args[0], bits), 1, 3 * SHIFT)


def shifted(name: str, bits: int) -> Write:
    return lambda lanes, args: tuple([lanes.q6(name, v, bits) for v in args[0]])


def _low_bits(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    bits = constants[1]
    for form in PLAIN:
        for gives in (Form(form.bits, False), Form(form.bits, True)):
            if bits < form.bits or (bits == form.bits and not gives.signed):
                yield Lowering((form,), gives, ALU, _mask((1 << bits) - 1, form.bits))
    if bits < 64:
        yield long(lambda lanes, args: doubles.low_bits(lanes, args[0], bits), 1, 2 * ALU)


def _mask(mask: int, bits: int) -> Write:
    def write(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
        return lanes.each("Q6_V_vand_VV", args[0], (lanes.splat(mask, bits),) * len(args[0]))

    return write


def _bitwise(name: str) -> Lowerings:
    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        for form in (*PLAIN, S64):
            yield Lowering((form, form), form, ALU, each(f"Q6_V_v{name}_VV"))

    return lowerings


def _shift_by(names: dict[bool, str], least: int = 16) -> Lowerings:
    """Lane by lane, by counts that the instructions for lanes of at least so many bits take."""

    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        for form in (S16, U16, S32, U32):
            if form.bits < least:
                continue
            lane = Form(form.bits, True).lane
            name = f"Q6_V{lane}_{names[form.signed]}_V{lane}V{lane}"
            yield Lowering((form, Form(form.bits, True)), form, SHIFT, each(name), exact=True)
        if names[True] == "vasl":
            yield Lowering((S64, S32), S64, 3 * SHIFT, doubles.shifted_left_by, exact=True)

    return lowerings


def times_power(bits: int) -> Iterator[Lowering]:
    """x * 2^bits."""
    for form in (U16, S16, U32, S32):
        if bits < form.bits:
            lane = Form(form.bits, True).lane
            yield Lowering((form,), form, SHIFT, shifted(f"Q6_V{lane}_vasl_V{lane}R", bits), exact=True)
    yield long(lambda lanes, args: doubles.shifted_left(lanes, args[0], bits), 1, 3 * SHIFT)


BITS: dict[str, Lowerings] = {
    "shift_right": _shift_right,
    "shift_right_by": _shift_by({True: "vasr", False: "vlsr"}),
    "shift_right_far": _shift_by({True: "vasr", False: "vlsr"}, 32),
    "shift_left": _shift_by({True: "vasl", False: "vasl"}),
    "low_bits": _low_bits,
    "bit_and": _bitwise("and"),
    "bit_or": _bitwise("or"),
    "bit_xor": _bitwise("xor"),
}
