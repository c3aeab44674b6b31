"""Words of 32 bits on the way to a result: smooth functions of a 16-bit input (opkg/hvx_wide_curve.h) or of a sum
(opkg/hvx_word_curve.h), and products of them."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.strategies import curves
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.curve_parts import function
from opkg.kernels.strategies.fixed.numbers import Atom, Value

HEADER = "opkg/hvx_wide_curve.h"
SUMS_HEADER = "opkg/hvx_word_curve.h"
_SIDES = {"": "", "positive": ", 1", "negative": ", -1"}
Pair = tuple[str, str]  # vectors of words: of the even and of the odd halves
Words = tuple[list[Pair], str]  # of every part, and their lanes


def curve(code: Code, atom: Atom) -> Words:
    """The words of a curve, at most 2^30 in size."""
    operand = code.operands[atom.name]
    code.require(operand)
    part = function(code.forms.graph, atom)
    below, above = curves.lines(part)
    takes = curves.takes(part)
    flags = [operand.element, *_texts(curves.turns(part), below, above)]
    flags += [f"{NAMESPACE}::Inner::{takes}"] if takes != "line" else []
    where = f"op.{operand.name}.scale, op.{operand.name}.zero, {curves.apart(part)}{_SIDES[atom.side]}"
    member = fitted(code, part, "WideCurve", flags, where)
    halves = code.half(atom, signed=False)
    made = made_of(code, member, *curves.places(code.setup, code.body, halves, member))
    return [
        _with_lines(code, words, x, member, below, above) for words, x in zip(made, halves, strict=True)
    ], f"{member}.lanes"


def curve_of_sum(code: Code, atom: Atom, total: str, again: str, sums: list[Pair]) -> Words:
    """The same of a sum. `total`: its member; `again`: what makes it in units of `unit` from `origin` on; `sums`: its words."""
    part, body = function(code.forms.graph, atom), code.body
    below, above = curves.far_lines(part)
    fits = f"const auto fits = [&](double origin, double unit) {{ return {again}; }};"
    flags = _texts(curves.turns(part), below, above)
    member = fitted(code, part, "WordCurve", flags, f"{total}.lanes, fits, {curves.apart(part)}", fits)
    zero, top = code.splat("0"), code.splat(f"{member}.top")
    inside = [
        tuple(
            [
                body.q6("Q6_Vw_vmin_VwVw", body.q6("Q6_Vw_vmax_VwVw", x, zero, to="above"), top, to="inside")
                for x in pair
            ]
        )
        for pair in sums
    ]
    moved = code.splat(f"{member}.moved")
    places = [[body.q6("Q6_Vw_vasl_VwVw", x, moved, to="place") for x in pair[::-1]] for pair in inside]
    made = made_of(code, member, *curves.places_of_words(code.setup, body, places))
    for name in [name for name, has in (("below", below), ("above", above)) if has]:
        fraction, limit = code.splat(f"{member}.{name}_words"), "min" if name == "below" else "max"
        for at, both in enumerate(zip(sums, inside, strict=True)):
            far = [body.q6("Q6_Vw_vsub_VwVw", *words, to="far") for words in zip(*both, strict=True)]
            far = [body.q6(f"Q6_Vw_v{limit}_VwVw", x, zero, to=name) for x in far]
            more = [times(code, x, fraction) for x in far]
            even, odd = (body.q6("Q6_Vw_vadd_VwVw", *words, to="words") for words in zip(made[at], more, strict=True))
            made[at] = even, odd
    return made, f"{member}.lanes"


def _texts(*flags: bool) -> list[str]:
    return [str(flag).lower() for flag in flags]


def fitted(code: Code, part: Graph, kind: str, flags: list[str], where: str, *lines: str) -> str:
    """The member of a function in pieces. `lines`: statements of `prepare` in front of its `fit`."""
    member = code.member(f"{NAMESPACE}::{kind}", "curve", "the function in 128 pieces")
    code.tables += 1
    call = f"{member}.fit<{', '.join(flags)}>(function, argument, {where})"
    said = (*curves.function_lines(part), *lines, f"if (!{call}) return false;")
    code.say("{", *(f"  {line}" for line in said), "}")
    return member


def made_of(code: Code, member: str, index: str, along: list[str]) -> list[Pair]:
    """The words of both parts, by the numbers of pieces and t."""
    found = {
        table: curves.entries(code.setup, code.body, f"{member}.{table}", index, table)
        for table in ("twist", "bend", "slope_high", "slope_low", "value_high", "value_low")
    }
    return [
        _cubic(code, {table: both[at] for table, both in found.items()}, t, f"{member}.shift")
        for at, t in enumerate(along)
    ]


def _with_lines(code: Code, words: Pair, x: str, member: str, below: bool, above: bool) -> Pair:
    """What a function is more beyond the elements that its pieces are for."""
    body = code.body
    even, odd = words
    for name, operation in (("below", "vsub"), ("above", "vadd")):
        if not (below if name == "below" else above):
            continue
        end = code.splat(f"{member}.{'low' if name == 'below' else 'last'}")
        far = body.q6("Q6_Vuh_vsub_VuhVuh_sat", *((end, x) if name == "below" else (x, end)), to="far")
        steep = code.splat(f"{member}.{name}")
        for_odd = body.q6("Q6_Vuw_vlsr_VuwR", far, "16", to="far")
        more = [body.q6("Q6_Vw_vmpye_VwVuh", steep, at, to=name) for at in (far, for_odd)]
        even, odd = (
            body.q6(f"Q6_Vw_{operation}_VwVw", half, by, to="words") for half, by in zip((even, odd), more, strict=True)
        )
    return even, odd


def _cubic(code: Code, found: dict[str, str], t: str, shift: str) -> Pair:
    body = code.body
    bend = body.q6("Q6_Vh_vmpy_VhVh_s1_rnd_sat", found["twist"], t, to="product")
    bend = body.q6("Q6_Vh_vadd_VhVh_sat", found["bend"], bend, to="bend")
    more = body.q6("Q6_Ww_vmpy_VhVh", bend, t, to="more")
    slopes, values = (
        body.q6("Q6_Wh_vshuffoe_VhVh", found[f"{name}_high"], found[f"{name}_low"], to=f"{name}s")
        for name in ("slope", "value")
    )
    rises = []
    for half, along in ((body.lo, _even(code, t)), (body.hi, t)):
        slope = body.q6("Q6_Vw_vasracc_VwVwR", half(slopes), half(more), shift, to="slope")
        rise = body.q6("Q6_Vw_vmpyo_VwVh_s1_rnd_sat", slope, along, to="rise")
        rises.append(body.q6("Q6_Vw_vadd_VwVw", half(values), rise, to="words"))
    return rises[0], rises[1]


def by_halves(code: Code, words: Words, other: Value) -> Words:
    """A product of words of at most 2^30 and a value of 16 bits."""
    made, lanes = words
    member = code.member(f"{NAMESPACE}::WordProduct", "product")
    code.say(f"{member}.set({lanes}, {other.lanes});")
    body, zero = code.body, code.splat(f"{member}.zero")
    products = []
    for pair, halves in zip(made, other.vectors, strict=True):
        both = []
        for word, half in zip(pair, (_even(code, halves), halves), strict=True):
            times = [body.q6("Q6_Vw_vmpyo_VwVh_s1_rnd_sat", word, by, to="times") for by in (half, zero)]
            both.append(body.q6("Q6_Vw_vsub_VwVw", *times, to="product"))
        products.append((both[0], both[1]))
    return products, f"{member}.lanes"


def by_words(code: Code, first: Words, second: Words) -> Words:
    """A product of words of at most 2^30."""
    lanes = code.local("product_lanes")
    code.say(f"const {NAMESPACE}::Lanes {lanes} = {NAMESPACE}::product_of_words({first[1]}, {second[1]});")
    products = []
    for pairs in zip(first[0], second[0], strict=True):
        even, odd = (times(code, a, b) for a, b in zip(*pairs, strict=True))
        products.append((even, odd))
    return products, lanes


def times(code: Code, word: str, fraction: str) -> str:
    """A word times a fraction of 31 bits, rounded."""
    low = code.body.q6("Q6_Vw_vmpye_VwVuh", word, fraction, to="low")
    return code.body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", low, word, fraction, to="scaled")


def _even(code: Code, halves: str) -> str:
    """The even halves at the places of the odd ones."""
    return code.body.q6("Q6_Vw_vasl_VwR", halves, "16", to="even")
