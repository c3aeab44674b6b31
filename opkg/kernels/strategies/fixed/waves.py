"""Functions of the sine or cosine of a 16-bit input, at any number of turns (opkg/hvx_wave_curve.h)."""

from __future__ import annotations

from opkg.kernels.strategies import curves
from opkg.kernels.strategies.fixed.code import Code
from opkg.kernels.strategies.fixed.curve_parts import function
from opkg.kernels.strategies.fixed.numbers import Atom
from opkg.kernels.strategies.fixed.words import Pair, Words, fitted, made_of

HEADER = "opkg/hvx_wave_curve.h"


def wave(code: Code, atom: Atom) -> Words:
    """The words of such a function, at most 2^30 in size."""
    operand, body = code.operands[atom.name], code.body
    code.require(operand)
    part = function(code.forms.graph, atom)
    member = fitted(code, part, "WaveCurve", [operand.element], f"op.{operand.name}.scale, op.{operand.name}.zero")
    places = []
    for x in code.half(atom, signed=False):
        even, odd = _angles(code, member, x)
        places.append([body.q6("Q6_Vuw_vlsr_VuwR", angle, "9", to="place") for angle in (odd, even)])
    return made_of(code, member, *curves.places_of_words(code.setup, body, places)), f"{member}.lanes"


def _angles(code: Code, member: str, x: str) -> Pair:
    """The angles of even and of odd elements."""
    body = code.body
    start, middle = code.splat_pair(f"{member}.start"), code.splat(f"{member}.middle")
    angles = body.q6("Q6_Wuw_vmpyacc_WuwVuhVuh", start, x, middle, to="angles")
    rest = body.q6("Q6_Wuw_vmpy_VuhVuh", x, code.splat(f"{member}.rest"), to="rest")
    turns = body.q6("Q6_Vh_vmpyi_VhVh", x, code.splat(f"{member}.high"), to="turns")
    even, odd = (
        body.q6("Q6_Vw_vasracc_VwVwR", half(angles), half(rest), "15", to="angle") for half in (body.lo, body.hi)
    )
    even = body.q6("Q6_Vw_vaslacc_VwVwR", even, turns, "16", to="angle")
    odd = body.q6(
        "Q6_Vw_vadd_VwVw", odd, body.q6("Q6_V_vand_VV", turns, code.splat("0xffff0000"), to="turns"), to="angle"
    )
    return even, odd
