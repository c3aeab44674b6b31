"""128 elements of a quantized operand as two vectors of 16-bit lanes, and such results as they lie in memory."""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed.code import Code


def halves_of(setup: Block, body: Block, operand: Operand, split: bool, signed: bool = False) -> str:
    """As a pair: of even and of odd elements (`split`), or in their order. Elements from 0 on, or with `signed` those of 16
    bits less 32768."""
    name = operand.name
    if operand.storage.bits == 8:
        value = body.load(name)
        if operand.storage.signed:
            value = body.q6("Q6_V_vxor_VV", value, _splat(setup, "0x80808080"), to=f"{name}_u")
        return body.q6("Q6_Wuh_vzxt_Vub", value, to=f"{name}_wide")
    loaded = [body.load(name, part) for part in range(2)]
    if operand.storage.signed != signed:
        loaded = [body.q6("Q6_V_vxor_VV", v, _splat(setup, "0x80008000"), to=f"{name}_moved") for v in loaded]
    if split:
        return body.q6("Q6_W_vdeal_VVR", loaded[1], loaded[0], "-2", to=f"{name}_split")
    return body.pair(loaded[1], loaded[0], to=f"{name}_pair")


def in_memory(code: Code, output: Operand, results: str, split: bool) -> list[str]:
    """The vectors of an output, of results of which those of 16 bits are less 32768."""
    name, bits, body = output.name, "0x80808080", code.body
    if output.storage.bits == 8:
        found = [body.q6("Q6_Vub_vsat_VhVh", body.hi(results), body.lo(results), to=name)]
        move = output.storage.signed
    else:
        if split:
            results = body.q6("Q6_W_vshuff_VVR", body.hi(results), body.lo(results), "-2", to=f"{name}_pair")
        found, move, bits = [body.lo(results), body.hi(results)], not output.storage.signed, "0x80008000"
    return [body.q6("Q6_V_vxor_VV", v, code.splat(bits), to=name) if move else v for v in found]


def result_numbers(output: Operand) -> str:
    """C++ of a tensor's step, its zero point from the least element on, and its greatest element from there."""
    low, high = output.storage.limits
    if not output.quantized:
        return f"1.0, {output.bias - low}, {high - low}"
    zero = f"op.{output.name}.zero{f' + {-low}' if low else ''}"
    return f"static_cast<double>(op.{output.name}.scale), {zero}, {high - low}"


def _splat(setup: Block, value: str) -> str:
    return setup.q6("Q6_V_vsplat_R", value, to=f"all_{value.removeprefix('0x')}")
