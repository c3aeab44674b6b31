"""The operations of integer kernels: for each, the forms of operands and result in which there are instructions for it.

A third party adds an operation by a row in `LOWERINGS` (and its ranges in `opkg.kernels.graphs.ranges`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opkg.kernels.graphs.ranges import Interval
from opkg.kernels.strategies.integer import doubles
from opkg.kernels.strategies.integer.lanes import (
    FORMS,
    S8,
    S16,
    S32,
    S64,
    T32,
    TESTS,
    U8,
    U16,
    U32,
    X8,
    X16,
    Form,
    Lanes,
    Vectors,
)
from opkg.kernels.strategies.integer.lowering import (
    ALU,
    DOUBLE,
    MULTIPLY,
    PLAIN,
    Lowering,
    Lowerings,
    Write,
    each,
    long,
)
from opkg.kernels.strategies.integer.lowerings_bits import BITS, times_power
from opkg.kernels.strategies.integer.lowerings_divide import DIVIDES


def _pairs(name: str, bits: int) -> Write:
    """A widening operation, whose results come apart."""
    return lambda lanes, args: lanes.apart_pairs(lanes.each(name, *args, to="wide"), bits)


def _alike(name: str, forms: tuple[Form, ...], cost: int = ALU, result: str = "") -> Iterator[Lowering]:
    """Both operands and the result in one form. `{0}` in the name is the form's lane."""
    for form in forms:
        yield Lowering((form, form), form, cost, each(name.format(form.lane, result)))


def _both_orders(lowering: Lowering) -> Iterator[Lowering]:
    """A commutative operation on two different forms."""
    yield lowering
    a, b = lowering.takes
    if a != b:
        yield replace(lowering, takes=(b, a), write=lambda lanes, args: lowering.write(lanes, (args[1], args[0])))


def _add(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    for form in PLAIN:
        if range_ in form.limits:
            lane = Form(form.bits, True).lane
            yield Lowering((form, form), form, ALU, each(f"Q6_V{lane}_vadd_V{lane}V{lane}"))
        else:
            yield Lowering((form, form), form, ALU, each(f"Q6_V{form.lane}_vadd_V{form.lane}V{form.lane}_sat"))
    for form in (U8, X8):
        yield from _both_orders(Lowering((form, S8), form, ALU, each("Q6_Vub_vadd_VubVb_sat")))
    yield from _both_orders(Lowering((X16, S16), X16, ALU, each("Q6_Vh_vadd_VhVh"), exact=True))
    for gives in (U16, S16):
        yield Lowering((U8, U8), gives, ALU, _pairs("Q6_Wh_vadd_VubVub", 16))
    yield Lowering((S16, S16), S32, ALU, _pairs("Q6_Ww_vadd_VhVh", 32))
    yield Lowering((U16, U16), S32, ALU, _pairs("Q6_Ww_vadd_VuhVuh", 32))
    yield long(doubles.add, 2, 3 * ALU)


def _sub(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    for form in PLAIN:
        if range_ in form.limits:
            lane = Form(form.bits, True).lane
            yield Lowering((form, form), form, ALU, each(f"Q6_V{lane}_vsub_V{lane}V{lane}"))
        else:
            yield Lowering((form, form), form, ALU, each(f"Q6_V{form.lane}_vsub_V{form.lane}V{form.lane}_sat"))
    for form in (U8, X8):
        yield Lowering((form, S8), form, ALU, each("Q6_Vub_vsub_VubVb_sat"))
        yield Lowering((form, form), S16, ALU, _pairs("Q6_Wh_vsub_VubVub", 16))
    yield Lowering((X16, S16), X16, ALU, each("Q6_Vh_vsub_VhVh"), exact=True)
    for form in (U16, X16):
        yield Lowering((form, form), S32, ALU, _pairs("Q6_Ww_vsub_VuhVuh", 32))
    yield Lowering((S16, S16), S32, ALU, _pairs("Q6_Ww_vsub_VhVh", 32))
    yield long(doubles.sub, 2, 4 * ALU)


def _absdiff(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    for form in (U8, X8):
        yield Lowering((form, form), U8, DOUBLE, each("Q6_Vub_vabsdiff_VubVub"))
    for form in (U16, X16):
        yield Lowering((form, form), U16, DOUBLE, each("Q6_Vuh_vabsdiff_VuhVuh"))
    yield Lowering((S16, S16), U16, DOUBLE, each("Q6_Vuh_vabsdiff_VhVh"))
    yield Lowering((S32, S32), U32, DOUBLE, each("Q6_Vuw_vabsdiff_VwVw"))
    yield long(doubles.difference, 2, 12 * ALU)


def _absdiff_loaded(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    """Of bytes by two differences, of which one is 0: `vabsdiff` takes a multiply unit, which would wait for the loads."""
    for form in (U8, X8):
        yield Lowering((form, form), U8, ALU, _two_differences)
    yield from _absdiff(range_, constants)


def _two_differences(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    above, below = (lanes.each("Q6_Vub_vsub_VubVub_sat", a, b) for a, b in (args, args[::-1]))
    return lanes.each("Q6_V_vor_VV", above, below)


def _abs(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    for form in (S8, S16, S32):
        name = f"Q6_V{form.lane}_vabs_V{form.lane}"
        yield Lowering((form,), form, ALU, each(f"{name}_sat"))
        yield Lowering((form,), Form(form.bits, False), ALU, each(name))
    yield long(doubles.absolute, 1, 8 * ALU)


def _extreme(name: str) -> Lowerings:
    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        for form in FORMS:
            if form == U32:
                continue
            yield Lowering((form, form), form, ALU, each(f"Q6_V{form.lane}_v{name}_V{form.lane}V{form.lane}"))
        write = Lanes.smaller if name == "min" else Lanes.larger
        yield Lowering((U32, U32), U32, DOUBLE, lambda lanes, args: write(lanes, args[0], args[1], U32))
        yield long(doubles.smaller if name == "min" else doubles.larger, 2, 5 * ALU)

    return lowerings


def _avg(suffix: str) -> Lowerings:
    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        yield from _alike("Q6_V{0}_vavg_V{0}V{0}" + suffix, FORMS)

    return lowerings


def _mul(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    bits = constants[1].bit_length() - 1
    if constants[1] > 1 and constants[1] == 1 << bits:
        yield from times_power(bits)
    for gives in (U16, S16):
        yield Lowering((U8, U8), gives, MULTIPLY, _pairs("Q6_Wuh_vmpy_VubVub", 16), exact=True)
        for a in (U16, S16):
            for b in (U16, S16):
                yield Lowering((a, b), gives, MULTIPLY, each("Q6_Vh_vmpyi_VhVh"), exact=True)
    yield Lowering((S8, S8), S16, MULTIPLY, _pairs("Q6_Wh_vmpy_VbVb", 16), exact=True)
    yield from _both_orders(Lowering((U8, S8), S16, MULTIPLY, _pairs("Q6_Wh_vmpy_VubVb", 16), exact=True))
    yield Lowering((S16, S16), S32, MULTIPLY, _pairs("Q6_Ww_vmpy_VhVh", 32), exact=True)
    yield from _both_orders(Lowering((S16, U16), S32, MULTIPLY, _pairs("Q6_Ww_vmpy_VhVuh", 32), exact=True))
    for gives in (U32, S32):
        yield Lowering((U16, U16), gives, MULTIPLY, _pairs("Q6_Wuw_vmpy_VuhVuh", 32), exact=True)
        for a in (U32, S32):
            for b in (U32, S32):
                yield Lowering((a, b), gives, 3 * MULTIPLY, _long_product, exact=True)
    yield Lowering((S32, S32), S64, MULTIPLY, doubles.product_of_words, exact=True)
    yield from _both_orders(Lowering((S32, U32), S64, MULTIPLY + ALU, doubles.product_with_unsigned, exact=True))
    yield long(doubles.mul, 2, 7 * MULTIPLY)


def _long_product(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """The low 32 bits of a product: of the upper halfword of b, moved up, and of the lower one."""
    found = []
    for a, b in zip(*args, strict=True):
        upper = lanes.q6("Q6_Vw_vasl_VwR", lanes.q6("Q6_Vw_vmpyio_VwVh", a, b, to="upper"), 16, to="upper")
        found.append(lanes.q6("Q6_Vw_vmpyieacc_VwVwVuh", upper, a, b, to="product"))
    return tuple(found)


def _compare(name: str) -> Lowerings:
    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        for form in FORMS:
            lane = Form(form.bits, True).lane if name == "eq" else form.lane
            test = Form(form.bits, False, test=True)
            yield Lowering((form, form), test, ALU, each(f"Q6_Q_vcmp_{name}_V{lane}V{lane}"))
        yield long(doubles.equal if name == "eq" else doubles.greater, 2, 3 * ALU, T32)

    return lowerings


def _select(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
    for form in FORMS:
        yield Lowering(
            (Form(form.bits, False, test=True), form, form), form, ALU, lambda lanes, args: lanes.chosen(*args)
        )
    yield Lowering((T32, S64, S64), S64, ALU, doubles.chosen)


def _tests(name: str, count: int) -> Lowerings:
    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        for form in TESTS:
            yield Lowering((form,) * count, form, ALU, each(name))

    return lowerings


# Lowerings of an operation; its range and the values of operands that are constants (else 0) are given.
LOWERINGS: dict[str, Lowerings] = {
    "add": _add,
    "sub": _sub,
    "wrapping_add": lambda range_, constants: iter([long(doubles.wrapping_add, 2, 4 * ALU)]),
    "wrapping_sub": lambda range_, constants: iter([long(doubles.sub, 2, 4 * ALU)]),
    "wrapping_mul": lambda range_, constants: iter([long(doubles.mul, 2, 7 * MULTIPLY)]),
    "absdiff": _absdiff,
    "absdiff_loaded": _absdiff_loaded,
    "abs": _abs,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "avg": _avg(""),
    "avg_round": _avg("_rnd"),
    **BITS,
    **DIVIDES,
    "mul": _mul,
    "eq": _compare("eq"),
    "gt": _compare("gt"),
    "select": _select,
    "and": _tests("Q6_Q_and_QQ", 2),
    "or": _tests("Q6_Q_or_QQ", 2),
    "ne": _tests("Q6_Q_xor_QQ", 2),
    "not": _tests("Q6_Q_not_Q", 1),
}
