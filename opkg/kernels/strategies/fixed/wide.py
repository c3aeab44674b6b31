"""Sums in 32-bit lanes of 16-bit inputs, whole numbers and exact products of two of them, and extremes of such sums.

Results of 16 bits, and those of 8 bits that hang on quotients.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies import curves
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.curve_parts import function
from opkg.kernels.strategies.fixed.numbers import Atom, Form, Unfit, Value, text
from opkg.kernels.strategies.fixed.waves import wave
from opkg.kernels.strategies.fixed.words import Pair, Words, by_halves, by_words, curve, curve_of_sum, times

EXACT = ("input", "whole", "quotient")  # atoms whose lanes are off by nothing, or far less than their steps


@dataclass(frozen=True, slots=True)
class Leaf:
    """A sum: its numbers, the arguments of their `fit`, and the vectors of its terms for every part."""

    member: str
    terms: str
    constant: str
    span: str
    halves: tuple[tuple[str, ...], ...]
    words: tuple[tuple[Pair, ...], ...]
    steps: tuple[bool, ...]  # whether words are limited and moved up first

    def fit(self, unit: str) -> str:
        """C++ of it; without a unit in the finest one that makes words of at most 2^30."""
        return f"{self.member}.fit({self.terms}, {self.constant}{f', {unit}{self.span}' if unit else ''})"


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
        code.say(f"const auto {fits} = [&](double unit) {{ return {tree.fit('unit')}; }};")
    else:
        made = code.local(f"{name}_lanes")
        lines = [f"if (!{leaf.fit('unit')}) return false;" for leaf in _leaves(tree)]
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
            vectors, lanes = _words(code, index)
            words.append(tuple(vectors))
            steps.append(of_two(code, Form(((index, factor),))))
            enters = "steps" if steps[-1] else "words"
            rows.append(f"{{{lanes}, {text(factor)}, {NAMESPACE}::Enters::{enters}}}")
    constant = f"{text(form.constant)} + {zero}" if zero and form.constant != 0.0 else zero or text(form.constant)
    span = f", 65536.0 * static_cast<double>(op.{name}.scale)" if of_two(code, form) else ""
    return Leaf(member, f"{{{', '.join(rows)}}}", constant, span, tuple(halves), tuple(words), tuple(steps))


def of_two(code: Code, form: Form) -> bool:
    """Whether a form hangs on whole numbers of two inputs, which 16-bit lanes are too coarse for."""
    atoms = [code.forms.atoms[index] for index, _ in form.terms]
    return any(
        atom.kind == "quotient"
        or (atom.whole is not None and atom.whole[0].other)
        or any(of_two(code, arg) for arg in atom.args)
        for atom in atoms
    )


def in_words(code: Code, form: Form) -> bool:
    """Whether a form is made in 32-bit lanes for results of 8 bits, too."""
    atoms = [code.forms.atoms[index] for index, _ in form.terms]
    curved = any(atom.kind == "curve" or any(in_words(code, arg) for arg in atom.args) for atom in atoms)
    return curved or of_two(code, form)


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
        scaled = [times(code, word, fraction) for word in pair]
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


def _words(code: Code, index: int) -> Words:
    """An atom of other kinds as words, made once."""
    if index not in code.words:
        atom = code.forms.atoms[index]
        code.words[index] = _curve(code, atom) if atom.kind == "curve" else _product(code, atom)
    return code.words[index]


def _curve(code: Code, atom: Atom) -> Words:
    if not atom.args:
        waves = not atom.side and curves.waves_alone(function(code.forms.graph, atom)) is True
        return wave(code, atom) if waves else curve(code, atom)
    tree = _tree(code, atom.args[0], "inner", "")
    if not isinstance(tree, Leaf) or in_words(code, atom.args[0]):
        raise Unfit("a smooth function of extremes, of others, or of whole numbers of two inputs")
    code.say(f"if (!{tree.fit('')}) return false;")
    again = replace(tree, constant=f"{tree.constant} - origin").fit("unit")
    return curve_of_sum(code, atom, tree.member, again, [_vectors(code, tree, part) for part in range(code.parts)])


def _product(code: Code, atom: Atom) -> Words:
    if atom.kind != "product":
        raise Unfit(f"16-bit results of a {atom.kind}: 16-bit lanes are not enough")
    first, second = atom.args
    exact = [code.value(form.terms[0][0]) for form in (first, second) if code.single(form, EXACT) is not None]
    if len(exact) == 2:
        return _exact_product(code, exact[0], exact[1])
    if any(of_two(code, form) for form in (first, second)):
        raise Unfit("a product of whole numbers of two inputs and of something else")
    factors = [_factor(code, form) for form in dict.fromkeys((first, second)) if code.single(form, EXACT) is None]
    return by_halves(code, factors[0], exact[0]) if exact else by_words(code, factors[0], factors[-1])


def _factor(code: Code, form: Form) -> Words:
    """A factor of a product in words of at most 2^30."""
    alone = code.single(form, ("curve",))
    if alone is not None:
        return _words(code, form.terms[0][0])
    tree = _tree(code, form, "factor", "")
    leaves = _leaves(tree) if isinstance(tree, Extreme) else [tree]
    code.say(*(f"if (!{leaf.fit('')}) return false;" for leaf in leaves))
    if len(leaves) > 1:
        unit = code.local("factor_unit")
        code.say(f"const double {unit} = {_largest([f'{leaf.member}.lanes.unit' for leaf in leaves])};")
        code.say(*(f"if (!{leaf.fit(unit)}) return false;" for leaf in leaves))
    lanes = code.local("factor_lanes")
    code.say(f"const {NAMESPACE}::Lanes {lanes} = {_lanes(tree)};")
    return [_vectors(code, tree, part) for part in range(code.parts)], lanes


def _largest(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{NAMESPACE}::larger({numbers[0]}, {_largest(numbers[1:])})"


def _exact_product(code: Code, first: Value, second: Value) -> Words:
    """The exact product of two inputs in 32 bits, for every part, and its lanes."""
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
