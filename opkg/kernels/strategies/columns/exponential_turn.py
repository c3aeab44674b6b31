"""Instructions of sums of exponentials down columns of 16 bits, for estimates: what opkg/hvx_columns_exponential.h takes."""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.sequence import Loop
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows.loop_block import LoopBlock

_POWERS = 5


def exponential_turn(operand: Operand, name: str, largest: bool, what: str) -> Loop:
    """Two rows: exp() of distances from the extremes is added to sums of low and of high halves."""
    setup = Block()
    body = LoopBlock(setup)
    extremes = setup.q6("Q6_V_vsplat_R", "found.extreme", to="extremes")
    words = [
        _exponential(body, setup, (extremes, row) if largest else (row, extremes))
        for row in (body.load(operand.name, at) for at in range(2))
    ]
    zero = setup.q6("Q6_V_vzero", to="zero")
    for half, shuffle in (("low", "Q6_Vh_vshuffe_VhVh"), ("high", "Q6_Vh_vshuffo_VhVh")):
        sums = body.carry(f"{name}_{half}", "W", setup.pair(zero, zero, to="none"))
        first, second = (body.q6(shuffle, odd, even, to=half) for even, odd in words)
        body.keep(sums, body.q6("Q6_Ww_vaddacc_WwVuhVuh", sums, first, second, to=half))
    return Loop(
        title=f"Down the columns: {name}{what}.",
        setup=tuple(setup.insts),
        carried=tuple(body.carried),
        body=tuple(body.insts),
    )


def _exponential(body: LoopBlock, setup: Block, ends: tuple[str, str]) -> tuple[str, str]:
    """Words of elements at even places, and at odd ones."""
    farthest = setup.q6("Q6_V_vsplat_R", "values.most", to="farthest")
    near = body.q6("Q6_Vuh_vmin_VuhVuh", body.q6("Q6_Vh_vsub_VhVh", *ends, to="away"), farthest, to="near")
    near = body.q6("Q6_Vh_vasl_VhR", near, "values.left", to="near")
    high, low = (body.q6("Q6_Wuw_vmpy_VuhRuh", near, f"values.{half}", to=half) for half in ("upper", "lower"))
    even, odd = (_power(body, setup, end(high), end(low)) for end in (body.lo, body.hi))
    return even, odd


def _power(body: LoopBlock, setup: Block, high: str, low: str) -> str:
    most, mask = (setup.q6("Q6_V_vsplat_R", text, to=to) for text, to in (("31", "most"), ("INT32_MAX", "mask")))
    x = body.q6("Q6_Vw_vadd_VwVw", high, body.q6("Q6_Vuw_vlsr_VuwR", low, 16, to="rest"), to="x")
    whole = body.q6("Q6_Vw_vmin_VwVw", body.q6("Q6_Vuw_vlsr_VuwR", x, "values.point", to="whole"), most, to="whole")
    rest = body.q6("Q6_V_vand_VV", body.q6("Q6_Vw_vasl_VwR", x, "31 - values.point", to="rest"), mask, to="rest")
    found = setup.q6("Q6_V_vsplat_R", f"factors[{_POWERS}]", to="factor")
    for power in range(_POWERS):
        product = body.q6("Q6_Vw_vmpye_VwVuh", found, rest, to="low")
        product = body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", product, found, rest, to="product")
        factor = setup.q6("Q6_V_vsplat_R", f"factors[{power}]", to="factor")
        found = body.q6("Q6_Vw_vadd_VwVw", product, factor, to="found")
    return body.q6("Q6_Vw_vasr_VwVw", found, whole, to="power")
