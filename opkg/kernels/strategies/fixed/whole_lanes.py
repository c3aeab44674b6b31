"""Floors of linear functions of a 16-bit input or a product of two bytes, in 16-bit lanes (templates/qnn/hvx_fixed_whole.h)."""

from __future__ import annotations

from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.numbers import Atom, Unfit, Value, text

HEADER = "opkg/hvx_fixed_whole.h"


def lanes_of(code: Code, atom: Atom) -> Value:
    """16-bit lanes of an atom: the top of three words of 14 bits, each of which carries into the next one."""
    assert atom.whole is not None
    of, even = atom.whole
    member = code.member(f"{NAMESPACE}::Whole", "whole", "factors in words of 14 bits")
    source = _source(code, atom)
    top = text(float(of.factor.numerator)) + (f" * static_cast<double>(op.{of.times})" if of.times else "")
    under = text(float(of.factor.denominator)) + (f" * static_cast<double>(op.{of.under})" if of.under else "")
    halves = str(int(of.constant * 2))
    if of.more:
        number = f"static_cast<double>(op.{of.more})"
        code.say(f"if (!(std::fabs({number}) <= 32767.0) || {number} != std::floor({number})) return false;")
        halves += f" {'+' if of.sign > 0 else '-'} 2 * static_cast<int32_t>(op.{of.more})"
    numbers = f"{top}, {under}, {halves}, {'true' if even else 'false'}"
    code.say(f"if (!{member}.fit({source.lanes}, {numbers})) return false;")
    made = [_vector(code, member, value, even) for value in source.vectors]
    return Value(tuple(made), f"{member}.lanes")


def _source(code: Code, atom: Atom) -> Value:
    """What is rounded, in 16-bit lanes: an input, its part, or a product of two bytes."""
    assert atom.whole is not None
    if not atom.whole[0].other:
        return Value(code.half(Atom("input", atom.name, atom.part)), code.stored(atom.name, atom.part))
    factors = [code.forms.of_atom(Atom("input", name)) for name in sorted(atom.names)]
    if len(factors) == 1:
        factors *= 2
    index = code.forms.product(*factors).terms[0][0]
    if not code.is_byte_product(code.forms.atoms[index]):
        raise Unfit("a rounding of a product of a byte and one per channel")
    return code.value(index)


def _vector(code: Code, member: str, value: str, even: bool) -> str:
    body, bits = code.body, f"{member}.kBits"
    low = high = ""
    for word in range(3):
        start = code.splat_pair(f"{member}.start[{word}]")
        total = body.q6("Q6_Ww_vmpyacc_WwVhRh", start, value, f"{member}.factor[{word}]", to="word")
        if word:
            low = body.q6("Q6_Vw_vasracc_VwVwR", body.lo(total), low, bits, to="carried")
            high = body.q6("Q6_Vw_vasracc_VwVwR", body.hi(total), high, bits, to="carried")
        else:
            low, high = body.lo(total), body.hi(total)
    tops = [body.q6("Q6_V_vand_VV", word, code.splat(f"{member}.kWhole"), to="top") for word in (high, low)]
    whole = body.q6("Q6_Vh_vasr_VwVwR_sat", *tops, f"{member}.shift", to="whole")
    if not even:
        return whole
    rest = body.q6(
        "Q6_V_vand_VV", body.q6("Q6_Vh_vshuffe_VhVh", high, low, to="rest"), code.splat("0x7fff7fff"), to="rest"
    )
    odd = body.q6("Q6_Q_vcmp_eq_VhVh", rest, code.splat(f"{member}.odd"), to="odd")
    return body.q6("Q6_Vh_condnac_QVhVh", odd, whole, code.splat(f"{member}.one"), to="even")
