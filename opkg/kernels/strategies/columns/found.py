"""What is found of a column (sums, extremes of stored numbers), and the instructions that two rows of it take."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.emit.columns import declared
from opkg.kernels.sequence import Loop, Part
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.rows.corners import corner_type
from opkg.kernels.strategies.rows.loop_block import LoopBlock, splat
from opkg.kernels.strategies.rows.plan import Cannot, Corner, Exponential, Extreme, Product, Smooth, Total
from opkg.kernels.strategies.rows.smooth import smooth_type

LANES = {
    Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t",
    Storage.S32: "int32_t",
}  # fmt: skip
_LETTER = {Storage.U8: "ub", Storage.S8: "b", Storage.U16: "uh", Storage.S16: "h", Storage.S32: "w"}
_MULTIPLY = {
    Storage.U8: "Q6_Wuh_vmpy_VubVub", Storage.S8: "Q6_Wh_vmpy_VbVb", Storage.U16: "Q6_Wuw_vmpy_VuhVuh",
    Storage.S16: "Q6_Ww_vmpy_VhVh",
}  # fmt: skip
_ADD_SQUARES = {False: "Q6_Vuw_vrmpyacc_VuwVubVub", True: "Q6_Vw_vrmpyacc_VwVbVb"}
Number = Total | Extreme | Product
ROWS = 2  # of one turn


def parts_of(operand: Operand, number: Number) -> tuple[Part, ...]:
    """The parts of opkg/hvx_columns_parts.h that find a number. Raises Cannot."""
    if operand.storage not in LANES:
        raise Cannot(f"'{operand.name}' is {operand.dtype}")
    bits, lane = operand.storage.bits, LANES[operand.storage]
    low, high = operand.storage.limits
    if isinstance(number, Extreme):
        kind = f"opkg::hvx::{'Largest' if number.largest else 'Smallest'}<{lane}>"
        return (Part(kind, number.stored, False, low, high, short=bits == 8),)
    if isinstance(number, Product):
        if bits != 32:
            raise Cannot(f"products of {operand.dtype} down columns")
        return (
            Part("opkg::hvx::ProductLow", low_half(number), True, 0, 1),
            Part("opkg::hvx::ProductTop", top_half(number), True, 0, 1),
        )
    if isinstance(number.of, Exponential):
        raise Cannot("results of a sum of exponentials that are none of elements, down columns")
    if isinstance(number.of, Smooth):
        of, member = smooth_type(operand), number.of.member
        lower = Part(f"opkg::hvx::SmoothLow<{lane}>", low_half(number), True, 0, 131070, table=member, of=of)
        return (lower, replace(lower, type=f"opkg::hvx::SmoothTop<{lane}>", name=top_half(number), offset=32768))
    if isinstance(number.of, Corner):
        of = corner_type(operand, number.of)
        return (Part(f"opkg::hvx::FunctionSum<{of}>", number.name, True, 0, 65535, table=number.of.member, of=of),)
    if len(number.atoms) == 2 and bits == 16:
        return (
            Part(f"opkg::hvx::SquaresLow<{lane}>", low_half(number), True, 0, 65535),
            Part(f"opkg::hvx::SquaresTop<{lane}>", top_half(number), True, 0, 65535),
        )
    if len(number.atoms) == 2:
        return (Part(f"opkg::hvx::Squares<{lane}>", number.name, True, 0, max(-low, high) ** 2),)
    if bits == 32:
        return (
            Part("opkg::hvx::SumLow", low_half(number), True, 0, 65535),
            Part("opkg::hvx::SumTop", top_half(number), True, 0, 65535, 32768),
        )
    return (Part(f"opkg::hvx::Sum<{lane}>", number.name, True, 0, high - low, -low, short=256 if bits == 8 else 0),)


def all_parts(operand: Operand, numbers: list[Number]) -> list[tuple[Part, ...]]:
    """Those of each number. Raises Cannot."""
    parts = [parts_of(operand, number) for number in numbers]
    if moments_of(operand, numbers):  # sums of stored numbers themselves
        (total,), squares = parts
        return [
            (replace(total, low=min(operand.storage.limits[0], 0), high=operand.storage.limits[1], offset=0),),
            squares,
        ]
    return parts


def moments_of(operand: Operand, numbers: list[Number]) -> str:
    """The type of opkg/hvx_columns_moments.h that finds both numbers; empty where they are not sums of bytes and of squares."""
    atoms = [isinstance(number, Total) and len(number.atoms) for number in numbers]
    return f"opkg::hvx::Moments<{LANES[operand.storage]}>" if atoms == [1, 2] and operand.storage.bits == 8 else ""


def in_halves(operand: Operand, number: Total) -> bool:
    """Whether a sum is found in two words, its low and its high half: of 32-bit numbers."""
    return operand.storage.bits * len(number.atoms) >= 32 or isinstance(number.of, Smooth)


def number_name(number: Number) -> str:
    """What C++ calls it."""
    return number.stored if isinstance(number, Extreme) else number.name


def low_half(number: Total | Product) -> str:
    """Name of the sum of the low halves."""
    return f"{number.name}_low"


def top_half(number: Total | Product) -> str:
    """Name of the sum of the high halves."""
    return f"{number.name}_top"


def joined(numbers: list[Number], operand: Operand, lines: list[str]) -> list[str]:
    """C++ of the sums whose halves were found apart, for `lines`, which may take zero points off them."""
    halves = [n for n in numbers if isinstance(n, Total) and in_halves(operand, n)]
    products = [n for n in numbers if isinstance(n, Product)]
    return [
        *(f"{declared(n.name, lines)} = {top_half(n)} * 65536 + {low_half(n)};" for n in halves),
        *(
            f"const int64_t {n.name} = {top_half(n)} * 4294967296 + static_cast<uint32_t>({low_half(n)});"
            for n in products
        ),
    ]


def turn(operand: Operand, numbers: list[Number]) -> Loop:
    """The loop down a vector of columns: two rows a step, four where both moments of bytes are found together."""
    setup = Block()
    body = LoopBlock(setup)
    together = bool(moments_of(operand, numbers))
    if together:
        _moments(body, operand, numbers)
    for number in () if together else numbers:
        if isinstance(number, Extreme):
            _extreme(body, operand, number)
        elif isinstance(number, Product):
            _product(body, operand, number)
        elif isinstance(number.of, Smooth):
            _smooth(body, operand, number, number.of)
        elif isinstance(number.of, Corner):
            _corner(body, operand, number, number.of)
        elif len(number.atoms) == 2:
            _squares(body, operand, number)
        else:
            _sum(body, operand, number)
    return Loop(
        title=f"Down the columns: {', '.join(number.name for number in numbers)}.",
        setup=tuple(setup.insts),
        carried=tuple(body.carried),
        body=tuple(body.insts),
    )


def _extreme(body: LoopBlock, operand: Operand, number: Extreme) -> None:
    storage = operand.storage
    low, high = storage.limits
    start = body.setup.q6("Q6_V_vsplat_R", splat(low if number.largest else high, storage.bits), to="none")
    after = name = body.carry(f"{number.name}_lanes", "V", start)
    for row in range(ROWS):
        letter, verb = _LETTER[storage], "vmax" if number.largest else "vmin"
        after = body.q6(f"Q6_V{letter}_{verb}_V{letter}V{letter}", after, body.load(operand.name, row), to=name)
    body.keep(name, after)


def _product(body: LoopBlock, operand: Operand, number: Product) -> None:
    one = body.setup.q6("Q6_V_vsplat_R", 1, to="ones")
    start = body.setup.pair(body.setup.q6("Q6_V_vzero", to="zero"), one, to="one")
    after = name = body.carry(f"{number.name}_lanes", "W", start)
    for row in range(ROWS):
        after = body.call("opkg::hvx::times<int32_t>", after, body.load(operand.name, row), kind="W", to=name)
    body.keep(name, after)


def _squares(body: LoopBlock, operand: Operand, number: Total) -> None:
    storage = operand.storage
    zero = body.setup.q6("Q6_V_vzero", to="zero")
    rows = [body.load(operand.name, row) for row in range(ROWS)]
    products = [body.q6(_MULTIPLY[storage], row, row, to="squares") for row in rows]
    for end in (body.lo, body.hi):  # of 16 bits: low halves and high halves of squares make a pair
        name = body.carry(f"{number.name}_lanes", "W", body.setup.pair(zero, zero, to="none"))
        body.keep(name, body.q6("Q6_Ww_vaddacc_WwVuhVuh", name, *map(end, products), to=name))


def _moments(body: LoopBlock, operand: Operand, numbers: list[Number]) -> None:
    """Four rows: four elements of a column become a word."""
    zero = body.setup.q6("Q6_V_vzero", to="zero")
    a, b, c, d = [body.load(operand.name, row) for row in range(4)]
    pairs = [body.q6("Q6_W_vshuff_VVR", y, x, -1, to="pairs") for x, y in ((a, b), (c, d))]
    words = [
        end(body.q6("Q6_W_vshuff_VVR", half(pairs[1]), half(pairs[0]), -2, to="words"))
        for half in (body.lo, body.hi)
        for end in (body.lo, body.hi)
    ]
    signed = operand.storage.signed
    for number, add in zip(numbers, ("Q6_Vuw_vrmpyacc_VuwVubRub", _ADD_SQUARES[signed]), strict=True):
        for word in words:
            name = body.carry(f"{number.name}_lanes", "V", zero)
            by = 0x01010101 if number is numbers[0] else word
            body.keep(name, body.q6(add, name, word, by, to=name))


def _smooth(body: LoopBlock, operand: Operand, number: Total, function: Smooth) -> None:
    zero = body.setup.q6("Q6_V_vzero", to="zero")
    tables = [body.setup.call("opkg::hvx::load", function.name, to="table") for _ in range(2)]
    index = body.q6("Q6_Vb_vshuffo_VbVb", *[body.load(operand.name, row) for row in range(ROWS)], to="piece")
    for part in ("twist", "bend", "slope", "lower", "upper"):
        found = body.q6("Q6_Wh_vlut16_VbVhI", index, tables[0], 0, to=part)
        for at in range(1, 8):
            found = body.q6("Q6_Wh_vlut16or_WhVbVhI", found, index, tables[at // 4], at, to=part)
        name = body.carry(f"{number.name}_{part}", "W", body.setup.pair(zero, zero, to="none"))
        body.keep(name, body.q6("Q6_Ww_vaddacc_WwVuhVuh", name, body.lo(found), body.hi(found), to=name))


def _corner(body: LoopBlock, operand: Operand, number: Total, corner: Corner) -> None:
    zeros = body.setup.q6("Q6_V_vzero", to="zero")
    zero = body.setup.q6("Q6_V_vsplat_R", 0, to="zeros")  # which one it is the struct knows
    name = body.carry(f"{number.name}_lanes", "W", body.setup.pair(zeros, zeros, to="none"))
    verb = "vabsdiff_VuhVuh" if corner.size else "vsub_VuhVuh_sat"
    rows = [body.q6(f"Q6_Vuh_{verb}", body.load(operand.name, row), zero, to=corner.atom) for row in range(ROWS)]
    body.keep(name, body.q6("Q6_Ww_vaddacc_WwVuhVuh", name, *rows, to=name))


def _sum(body: LoopBlock, operand: Operand, number: Total) -> None:
    storage = operand.storage
    zero = body.setup.q6("Q6_V_vzero", to="zero")
    name = body.carry(f"{number.name}_lanes", "W", body.setup.pair(zero, zero, to="none"))
    rows = [body.load(operand.name, row) for row in range(ROWS)]
    if storage.signed:
        top = body.setup.q6("Q6_V_vsplat_R", splat(1 << (storage.bits - 1), storage.bits), to="top")
        rows = [body.q6("Q6_V_vxor_VV", row, top, to="moved") for row in rows]
    add = "Q6_Wh_vaddacc_WhVubVub" if storage.bits == 8 else "Q6_Ww_vaddacc_WwVuhVuh"
    body.keep(name, body.q6(add, name, *rows, to=name))
    if storage.bits == 32:  # once for each half
        other = body.carry(f"{number.name}_lanes", "W", body.setup.pair(zero, zero, to="none"))
        body.keep(other, body.q6(add, other, *rows, to=other))
