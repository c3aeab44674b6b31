"""Sums of products of stored elements, in the first loop of a row."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows.loop_block import Gathered, LoopBlock, power_below, zero_vector


def products(
    body: LoopBlock, found: Gathered, pair: tuple[Operand, Operand], member: str, step: int, where: Sequence[str] = ()
) -> None:
    """Sums of products of 8-bit elements, four of them in each 32-bit lane. `where`: predicates of those that count."""
    zero = zero_vector(body)
    left, right = sorted(pair, key=lambda operand: operand.storage.signed)  # the unsigned one first
    sums = body.carry(f"{member}_sums", "V", zero)
    live = body.masked(body.where(where, 0, body.load(left.name)), zero, 8, 0)
    other = live if left.name == right.name else body.load(right.name)
    forms = {
        (False, False): ("Q6_Vuw_vrmpyacc_VuwVubVub", "uint32_t", (1 << 32) // (255 * 255 * step)),
        (False, True): ("Q6_Vw_vrmpyacc_VwVubVb", "int32_t", (1 << 31) // (255 * 128 * step)),
        (True, True): ("Q6_Vw_vrmpyacc_VwVbVb", "int32_t", (1 << 31) // (128 * 128 * step)),
    }
    name, lane, most = forms[left.storage.signed, right.storage.signed]
    body.keep(sums, body.q6(name, sums, live, other, to="sums"))
    found.joined.append((sums, "SumOf", member))
    found.finish.append(f"{member} += opkg::hvx::total<{lane}>({sums});")
    found.limit(power_below(most))


def products16(
    body: LoopBlock, found: Gathered, pair: tuple[Operand, Operand], member: str, step: int, where: Sequence[str] = ()
) -> None:
    """Sums of products of 16-bit elements: of their low and of their high halves. Products that may be below zero are moved
    up by 2^31, in lanes without element, too."""
    zero = zero_vector(body)
    left, right = sorted(pair, key=lambda operand: not operand.storage.signed)  # the signed one first
    squares = left.name == right.name
    moved = left.storage.signed and not squares
    after = sums = body.carry(f"{member}_sums", "W", body.setup.q6("Q6_W_vcombine_VV", zero, zero, to="none"))
    others = body.halves(right, step)
    for part, value in enumerate(body.halves(left, step)):
        live = body.masked(body.where(where, part, value), zero, 16, part)
        other = live if squares else others[part]
        lanes = [f"V{'h' if operand.storage.signed else 'uh'}" for operand in (left, right)]
        product = body.q6(
            f"Q6_W{'w' if left.storage.signed else 'uw'}_vmpy_{''.join(lanes)}", live, other, to="product"
        )
        ends = [body.lo(product), body.hi(product)]
        if moved:
            top = body.setup.q6("Q6_V_vsplat_R", "INT32_MIN", to="top32")
            ends = [body.q6("Q6_V_vxor_VV", end, top, to="moved") for end in ends]
        after = body.q6("Q6_Ww_vaddacc_WwVuhVuh", after, *ends, to="sums")
    body.keep(sums, after)
    if not moved:
        found.joined += [
            (f"Q6_V_{end}_W({sums})", "SumOf", f"{member}_{word}") for end, word in (("hi", "high"), ("lo", "low"))
        ]
    found.finish.append(f"{member} += opkg::hvx::total_of_halves({sums});")
    if moved:
        found.declare[-1] = f"int64_t {member} = -((static_cast<int64_t>(n) + opkg::hvx::missing(n, kStep)) << 31);"
    found.limit(power_below((1 << 32) // (65536 * step)))
