"""Sums in 32-bit lanes of 16-bit inputs, whole numbers and exact products of two of them, and extremes of such sums.

Results of 16 bits, and those of 8 bits that hang on quotients.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.numbers import Atom, Form, Unfit, text

EXACT = ("input", "whole", "quotient")  # atoms whose lanes are off by nothing, or far less than their steps
Pair = tuple[str, str]  # vectors of words: of the even and of the odd halves


@dataclass(frozen=True, slots=True)
class Leaf:
    """A sum: its numbers, the text of their `fit`, and the vectors of its terms for every part."""

    member: str
    fit: str
    halves: tuple[tuple[str, ...], ...]
    words: tuple[tuple[Pair, ...], ...]
    steps: tuple[bool, ...]  # whether words are limited and moved up first


@dataclass(frozen=True, slots=True)
class Extreme:
    """max or min of two sums, or of more of its kind."""

    kind: str
    left: Leaf | Extreme
    right: Leaf | Extreme


def wide(code: Code, operand: Operand, form: Form) -> list[str]:
    """The vectors of an output, in the order of memory."""
    name = operand.name
    code.require(operand)
    zero = f"op.{name}.zero * static_cast<double>(op.{name}.scale)"
    tree = _tree(code, form, name, zero)
    shift = code.member("int32_t", f"{name}_shift", "fraction bits of the sum")
    fits = code.local(f"{name}_fits")
    lanes = _lanes(tree)
    if isinstance(tree, Leaf):
        code.say(f"const auto {fits} = [&](double unit) {{ return {tree.fit}; }};")
    else:
        made = code.local(f"{name}_lanes")
        lines = [f"if (!{leaf.fit}) return false;" for leaf in _leaves(tree)]
        code.say(f"{NAMESPACE}::Lanes {made};", f"const auto {fits} = [&](double unit) {{")
        code.say(*(f"  {line}" for line in lines), f"  {made} = {lanes};", "  return true;", "};")
        lanes = made
    code.say(f"{shift} = {NAMESPACE}::fraction_bits({fits}, {lanes}, op.{name}.scale, 15);")
    code.say(f"if ({shift} < 0) return false;")
    token = "h" if operand.storage.signed or operand.storage.bits == 8 else "uh"
    made_of = []
    for part in range(code.parts):
        pair = _vectors(code, tree, part)
        made_of.append(code.body.q6(f"Q6_V{token}_vasr_VwVwR_rnd_sat", pair[1], pair[0], shift, to="narrow"))
    if operand.storage.bits == 8:
        byte = "b" if operand.storage.signed else "ub"
        if not code.split:
            return [code.body.q6(f"Q6_V{byte}_vpack_VhVh_sat", made_of[1], made_of[0], to=name)]
        return [code.body.q6(f"Q6_V{byte}_vasr_VhVhR_sat", made_of[1], made_of[0], "0", to=name)]
    if not code.split:
        return made_of
    ordered = code.body.q6(
        "Q6_W_vshuff_VVR", made_of[1], made_of[0], "-2", to=f"{name}_pair", note="in the order of memory"
    )
    return [code.body.lo(ordered), code.body.hi(ordered)]


def _tree(code: Code, form: Form, name: str, zero: str) -> Leaf | Extreme:
    """A sum with an extreme as the extreme of sums: they are compared in the unit of the result."""
    forms = code.forms
    for index, factor in form.terms:
        atom = forms.atoms[index]
        if atom.kind in ("max", "min", "abs") and isinstance(factor, float):
            rest = Form(tuple(term for term in form.terms if term[0] != index), form.constant)
            first, second = atom.args[0], forms.scale(atom.args[0], -1.0) if atom.kind == "abs" else atom.args[1]
            sides = [forms.add(forms.scale(arg, factor), rest) for arg in (first, second)]
            kind = "min" if (atom.kind == "min") is (factor > 0) else "max"
            left, right = (_tree(code, side, name, zero) for side in sides)
            return Extreme(kind, left, right)
    return _leaf(code, form, name, zero)


def _leaf(code: Code, form: Form, name: str, zero: str) -> Leaf:
    member = code.member(f"{NAMESPACE}::WideSum", name)
    halves: list[tuple[str, ...]] = []
    words: list[tuple[Pair, ...]] = []
    steps: list[bool] = []
    rows = []
    for index, factor in form.terms:
        atom = code.forms.atoms[index]
        if atom.kind in EXACT or code.is_byte_product(atom):
            value = code.value(index)
            halves.append(value.vectors)
            rows.append(f"{{{value.lanes}, {text(factor)}, {NAMESPACE}::Enters::halves}}")
        else:
            vectors, lanes = _product(code, atom)
            words.append(tuple(vectors))
            steps.append(of_two(code, Form(((index, factor),))))
            enters = "steps" if steps[-1] else "words"
            rows.append(f"{{{lanes}, {text(factor)}, {NAMESPACE}::Enters::{enters}}}")
    constant = f"{text(form.constant)} + {zero}" if form.constant != 0.0 else zero
    span = f", 65536.0 * static_cast<double>(op.{name}.scale)" if of_two(code, form) else ""
    fit = f"{member}.fit({{{', '.join(rows)}}}, {constant}, unit{span})"
    return Leaf(member, fit, tuple(halves), tuple(words), tuple(steps))


def of_two(code: Code, form: Form) -> bool:
    """Whether a form hangs on whole numbers of two inputs, which 16-bit lanes are too coarse for."""
    atoms = [code.forms.atoms[index] for index, _ in form.terms]
    return any(
        atom.kind == "quotient"
        or (atom.whole is not None and atom.whole[0].other)
        or any(of_two(code, arg) for arg in atom.args)
        for atom in atoms
    )


def _leaves(tree: Leaf | Extreme) -> list[Leaf]:
    return [tree] if isinstance(tree, Leaf) else [*_leaves(tree.left), *_leaves(tree.right)]


def _lanes(tree: Leaf | Extreme) -> str:
    """C++ of what the lanes of a tree are."""
    if isinstance(tree, Leaf):
        return f"{tree.member}.lanes"
    function = "greatest_of" if tree.kind == "max" else "least_of"
    return f"{NAMESPACE}::{function}({_lanes(tree.left)}, {_lanes(tree.right)})"


def _vectors(code: Code, tree: Leaf | Extreme, part: int) -> Pair:
    if isinstance(tree, Leaf):
        words = [_moved(code, tree, number, w[part]) for number, w in enumerate(tree.words)]
        return _sum(code, tree.member, [v[part] for v in tree.halves], words)
    (a, b), (c, d) = (_vectors(code, side, part) for side in (tree.left, tree.right))
    name = f"Q6_Vw_v{tree.kind}_VwVw"
    return code.body.q6(name, a, c, to=tree.kind), code.body.q6(name, b, d, to=tree.kind)


def _moved(code: Code, leaf: Leaf, number: int, pair: Pair) -> Pair:
    """Words limited to what is not saturated anyway, as large as words may be."""
    if not leaf.steps[number]:
        return pair
    most, up = code.splat(f"{leaf.member}.most[{number}]"), f"{leaf.member}.up[{number}]"
    least, body = code.splat(f"-{leaf.member}.most[{number}]"), code.body
    limited = [
        body.q6("Q6_Vw_vmax_VwVw", body.q6("Q6_Vw_vmin_VwVw", w, most, to="limited"), least, to="limited") for w in pair
    ]
    even, odd = (body.q6("Q6_Vw_vasl_VwR", w, up, to="large") for w in limited)
    return even, odd


def _sum(code: Code, member: str, halves: list[str], words: list[Pair]) -> Pair:
    """start + the sum of half * multiplier + the sum of word * fraction."""
    body = code.body
    even = odd = code.splat(f"{member}.start")
    if halves:
        even, odd = _halves(code, member, halves)
    for number, pair in enumerate(words):
        fraction = code.splat(f"{member}.fraction[{number}]")
        scaled = []
        for word in pair:
            low = body.q6("Q6_Vw_vmpye_VwVuh", word, fraction, to="low")
            scaled.append(body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", low, word, fraction, to="scaled"))
        even = body.q6("Q6_Vw_vadd_VwVw", even, scaled[0], to="even")
        odd = body.q6("Q6_Vw_vadd_VwVw", odd, scaled[1], to="odd")
    return even, odd


def _halves(code: Code, member: str, vectors: list[str]) -> Pair:
    body = code.body
    high, low = code.splat_pair(f"{member}.start"), ""
    for number, vector in enumerate(vectors):
        high = body.q6("Q6_Ww_vmpyacc_WwVhRh", high, vector, f"{member}.high[{number}]", to="high")
        word = f"{member}.low[{number}]"
        if low:
            low = body.q6("Q6_Ww_vmpyacc_WwVhRh", low, vector, word, to="low")
        else:
            low = body.q6("Q6_Ww_vmpy_VhRh", vector, word, to="low")
    bits = f"{NAMESPACE}::WideSum::kLowShift"
    even = body.q6("Q6_Vw_vasracc_VwVwR", body.lo(high), body.lo(low), bits, to="even")
    odd = body.q6("Q6_Vw_vasracc_VwVwR", body.hi(high), body.hi(low), bits, to="odd")
    return even, odd


def _product(code: Code, atom: Atom) -> tuple[list[Pair], str]:
    """The exact product of two inputs in 32 bits, for every part, and its lanes."""
    singles = [single for arg in atom.args if (single := code.single(arg, EXACT)) is not None]
    if atom.kind != "product" or len(singles) != 2:
        what = "product of sums" if atom.kind == "product" else atom.kind
        raise Unfit(f"16-bit results of a {what}: 16-bit lanes are not enough")
    first, second = (code.value(arg.terms[0][0]) for arg in atom.args)
    member = code.member(f"{NAMESPACE}::HalfProduct", "product")
    code.say(f"{member}.set({first.lanes}, {second.lanes});")
    body, start = code.body, code.splat(f"{member}.start")
    made = []
    for a, b in zip(first.vectors, second.vectors, strict=True):
        zeros = body.q6("Q6_Ww_vmpy_VhRh", a, f"{member}.zero_b", to="zeros")
        zeros = body.q6("Q6_Ww_vmpyacc_WwVhRh", zeros, b, f"{member}.zero_a", to="zeros")
        rest = [body.q6("Q6_Vw_vsub_VwVw", start, half, to="rest") for half in (body.lo(zeros), body.hi(zeros))]
        product = body.q6("Q6_Ww_vmpyacc_WwVhVh", body.pair(rest[1], rest[0], to="rest"), a, b, to="product")
        made.append((body.lo(product), body.hi(product)))
    return made, f"{member}.lanes"
