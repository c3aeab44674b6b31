"""The outputs of a fixed-point kernel: sums of forms, rounded and clamped, and choices between them by exact decisions."""

from __future__ import annotations

from math import sqrt

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed import quotients, whole_results, whole_sums
from opkg.kernels.strategies.fixed.atoms import as_factor
from opkg.kernels.strategies.fixed.byte_decisions import ByteDecisions
from opkg.kernels.strategies.fixed.choices import Choices
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.decisions import Decisions
from opkg.kernels.strategies.fixed.forms import Forms
from opkg.kernels.strategies.fixed.numbers import Fit, Form, Number, Value, text
from opkg.kernels.strategies.fixed.questions import question
from opkg.kernels.strategies.fixed.wide import in_words, wide
from opkg.spec.dtypes import Kind

Clamp = tuple[str, Number]  # "max" or "min", and the bound


class Results:
    """The stored vectors of all outputs."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.graph = code.forms.graph
        self.decisions = Decisions(code)
        self.byte_decisions = ByteDecisions(self.decisions)
        self._choices = Choices(code, self.byte_decisions)
        self.exact = True  # so far: decisions and numbers alone

    def count_uses(self) -> None:
        """Tells the code which forms are made."""
        todo = [result.node for result in self.graph.results]
        forms: list[Form] = []
        while todo:
            node = todo.pop()
            if node in self.code.forms:
                forms.append(_peel(self.code.forms, self.code.forms.merged(self.code.forms[node]))[0])
            elif self.graph[node].op == "select":
                todo += self.graph[node].args[1:]
        self.code.count_uses(forms)

    def stored(self, operand: Operand, node: int) -> list[str]:
        """The vectors of an output, in the order of memory. Raises Unfit."""
        code, made = self.code, self.graph[node]
        if operand.dtype.kind is Kind.BOOL:
            if self.byte_decisions.can(node):
                test = self.byte_decisions.test(node)
                return self._either(operand, [test], [code.splat("0x01010101")], [code.splat("0")])
            (mask,) = self._masks(operand, self.decisions.test(node))
            return [code.body.q6("Q6_V_vand_VV", mask, code.splat("0x01010101"), to=operand.name)]
        if not operand.quantized:
            return self._integer(operand, node)
        whole = self._whole(operand, node)
        if whole is not None:
            return whole
        chosen_sum = self._choices.form(node) if operand.storage.bits == 8 else None
        if chosen_sum is not None:
            self.exact = False
            return self._computed(operand, chosen_sum, [])
        if node not in code.forms and made.op == "select":
            chosen = self._tests(operand, made.args[0])
            branches = [self.stored(operand, arg) for arg in made.args[1:]]
            return self._either(operand, chosen, *branches)
        if node not in code.forms and made.op == "sign":
            return self._sign(operand, made.args[0])
        form, clamps = _peel(code.forms, code.forms.merged(code.forms[node]))
        if form.uniform and not clamps:
            return [self._constant(operand, "value", form.constant)] * max(1, code.step * operand.storage.bits // 1024)
        self.exact = False
        return self._computed(operand, form, clamps)

    def _integer(self, operand: Operand, node: int) -> list[str]:
        """A whole number, or a choice between some. Raises Unfit."""
        made = self.graph[node]
        inner = self.graph[made.args[0]] if made.op == "cast" and made.dtype == operand.dtype.name else made
        if inner.op != "select":
            return whole_results.number(self.code, operand, node)
        chosen = self._tests(operand, inner.args[0])
        return self._either(operand, chosen, *[self._integer(operand, arg) for arg in inner.args[1:]])

    def _whole(self, operand: Operand, node: int) -> list[str] | None:
        """A whole number of inputs, or what a quotient leaves, as a result of its own; None where it is none."""
        asked = question(self.graph, self.graph[node])
        if asked is not None:
            self.exact = False
            return quotients.stored(self.code, operand, asked)
        rounded = whole_sums.rounded_sum(self.graph, self.graph[node])
        if rounded is None:
            return None
        self.exact = False
        return whole_sums.stored(self.code, operand, rounded)

    def _computed(self, operand: Operand, form: Form, clamps: list[Clamp]) -> list[str]:
        code = self.code
        words = operand.storage.bits == 16 or in_words(code, form)
        stored = wide(code, operand, form) if words else [_narrowed(code, operand, form)]
        token = ("" if operand.storage.signed else "u") + ("b" if operand.storage.bits == 8 else "h")
        for kind, bound in clamps:
            limit = self._constant(operand, "low" if kind == "max" else "high", bound)
            name = f"Q6_V{token}_v{kind}_V{token}V{token}"
            stored = [code.body.q6(name, v, limit, to=operand.name) for v in stored]
        return stored

    def _sign(self, operand: Operand, node: int) -> list[str]:
        """-1, 0 or 1 as stored numbers."""
        code = self.code
        zero = code.splat("0")
        difference = self.byte_decisions.difference(node)
        if operand.storage.bits == 8 and difference is not None:
            side = self.byte_decisions.side(difference)
            above, below = (
                [code.body.q6("Q6_Q_vcmp_gt_VbVb", *pair, to=name)]
                for name, pair in (("above", (side, zero)), ("below", (zero, side)))
            )
            return self._of_sign(operand, above, below)
        sides = self.decisions.sides(self.decisions.linear(node))
        above, below = (
            self._predicates(operand, tuple([code.body.q6("Q6_Q_vcmp_gt_VhVh", *pair, to=name) for pair in pairs]))
            for name, pairs in (("above", [(s, zero) for s in sides]), ("below", [(zero, s) for s in sides]))
        )
        return self._of_sign(operand, above, below)

    def _of_sign(self, operand: Operand, above: list[str], below: list[str]) -> list[str]:
        one, none, minus = (
            [self._constant(operand, name, number)] * len(above)
            for name, number in (("one", 1.0), ("none", 0.0), ("minus", -1.0))
        )
        return self._either(operand, above, one, self._either(operand, below, minus, none))

    def _either(self, operand: Operand, chosen: list[str], then: list[str], other: list[str]) -> list[str]:
        rows = zip(chosen, then, other, strict=True)
        return [self.code.body.q6("Q6_V_vmux_QVV", *row, to=operand.name) for row in rows]

    def _constant(self, operand: Operand, hint: str, number: Number) -> str:
        """A vector of a real number as a stored number, rounded."""
        code = self.code
        code.require(operand)
        member = code.member("int32_t", f"{operand.name}_{hint}", "in every lane")
        spread = "all_bytes" if operand.storage.bits == 8 else "both_halves"
        where = f"op.{operand.name}.scale, op.{operand.name}.zero"
        value = f"{NAMESPACE}::stored_bound<{operand.element}>({text(number)}, {where})"
        if isinstance(number, str):
            code.say(f"if (std::isnan({number})) return false;")
        code.say(f"{member} = {NAMESPACE}::{spread}({value});")
        return code.splat(member)

    # From predicates of 16-bit lanes to those of an output's ------------------------------------------------------------

    def _masks(self, operand: Operand, tests: tuple[str, ...]) -> list[str]:
        """Vectors of ones where a test holds, in the order of memory."""
        code, body = self.code, self.code.body
        ones, zero = code.splat("-1"), code.splat("0")
        masks = [body.q6("Q6_V_vmux_QVV", test, ones, zero, to="mask") for test in tests]
        if operand.storage.bits == 8:
            name = "Q6_Vb_vshuffe_VbVb" if code.split else "Q6_Vb_vpacke_VhVh"
            return [body.q6(name, masks[1], masks[0], to="mask")]
        halves = code.in_order(masks, "masks")
        if operand.storage.bits == 16:
            return halves
        words = [body.q6("Q6_Ww_vunpack_Vh", half, to="masks") for half in halves]
        return [part for word in words for part in (body.lo(word), body.hi(word))]

    def _tests(self, operand: Operand, node: int) -> list[str]:
        """The predicates of a bool node on the vectors of an output."""
        if operand.storage.bits == 8 and self.byte_decisions.can(node):
            return [self.byte_decisions.test(node)]
        return self._predicates(operand, self.decisions.test(node))

    def _predicates(self, operand: Operand, tests: tuple[str, ...]) -> list[str]:
        if operand.storage.bits == 16 and not self.code.split:
            return list(tests)
        return [self.code.body.q6("Q6_Q_vand_VR", mask, "-1", to="chosen") for mask in self._masks(operand, tests)]


def _peel(forms: Forms, form: Form) -> tuple[Form, list[Clamp]]:
    """Bounds by uniform values that the whole result has: they commute with rounding, so the stored result is clamped.

    In the order in which they are applied.
    """
    clamps: list[Clamp] = []
    while len(form.terms) == 1:
        index, factor = form.terms[0]
        atom = forms.atoms[index]
        if atom.kind not in ("max", "min") or not atom.args[1].uniform:
            break
        rises = forms.numbers.is_positive(factor)
        if isinstance(factor, str) and not rises:  # which end is which is not known
            break
        bound = forms.numbers.add(forms.numbers.mul(atom.args[1].constant, factor), form.constant)
        kind = atom.kind if rises else {"max": "min", "min": "max"}[atom.kind]
        clamps.append((kind, bound))
        form = forms.add(forms.scale(atom.args[0], factor), Form((), form.constant))
    return form, clamps[::-1]


def _narrowed(code: Code, operand: Operand, form: Form) -> str:
    """The vector of an 8-bit output."""
    name = operand.name
    code.require(operand)
    zero = f"op.{name}.zero * static_cast<double>(op.{name}.scale)"
    tries: list[str] = []
    folded = _folded(code, form)
    alone = folded is not None and not operand.storage.signed and _is_square(code, form)
    if folded is not None:
        index, fit, value, product = folded
        outer = code.fit(form, name, index, product, "" if alone else zero)
        tries.append(f"if (!{fit}) return false;")
        total = value if alone else code.sum(form, outer.member, index, value)
    else:
        outer = code.fit(form, name, more=zero)
        total = code.sum(form, outer.member)
    shift = _search(code, operand, outer, tries)
    even, odd = (*total.vectors, *total.vectors)[:2]
    stored = "b" if operand.storage.signed else "ub"
    narrow = code.body.q6(f"Q6_V{stored}_vasr_VhVhR_rnd_sat", odd, even, shift, to=name)
    if alone:
        least = code.member("int32_t", f"{name}_zero", "in every byte")
        code.say(f"{least} = {NAMESPACE}::all_bytes(op.{name}.zero);")
        narrow = code.body.q6("Q6_Vub_vadd_VubVub_sat", narrow, code.splat(least), to=name)
    return narrow if code.split else code.body.q6("Q6_Vb_vdeal_Vb", narrow, to=name, note="in the order of memory")


def _is_square(code: Code, form: Form) -> bool:
    """Whether a result is a square and nothing else. It is never negative, so that its zero point may be added to bytes: one
    addition less than to halves."""
    if len(form.terms) != 1 or form.constant != 0.0 or not isinstance(form.terms[0][1], float):
        return False
    args = code.forms.atoms[form.terms[0][0]].args
    return len(args) == 2 and args[0] == args[1] and form.terms[0][1] > 0


def _search(code: Code, operand: Operand, outer: Fit, tries: list[str]) -> str:
    """`prepare`: as many fraction bits as fit. The name of the member with their number."""
    name = operand.name
    shift = code.member("int32_t", f"{name}_shift", "fraction bits of the sum")
    fits = code.local(f"{name}_fits")
    inside = [*(f"  {line}" for line in tries), f"  return {outer.call('unit', True)};"]
    code.say(f"const auto {fits} = [&](double unit) {{", *inside, "};")
    code.say(f"{shift} = {NAMESPACE}::fraction_bits({fits}, {outer.member}.lanes, op.{name}.scale, 7);")
    code.say(f"if ({shift} < 0) return false;")
    return shift


def _folded(code: Code, form: Form) -> tuple[int, str, Value, str] | None:
    """A product whose second factor is made so that the product is in the unit of the sum: one multiplication less.

    The number of its atom, the text of the fit, its value and its lanes.
    """
    for index, factor in form.terms:
        atom = code.forms.atoms[index]
        if atom.kind != "product" or code.is_byte_product(atom) or code.used(index) != 1:
            continue
        if atom.args[0] == atom.args[1] and isinstance(factor, float) and factor > 0:
            return (index, *_square(code, atom.args[0], factor))
        fine, folded = _factors(code, atom.args)
        first = as_factor(code, fine)
        fit = code.fit(code.forms.scale(folded, factor), "factor")
        second = code.sum(folded, fit.member)
        unit = f"unit / (32768.0 * {first.lanes}.unit)"
        vectors = code.each("Q6_Vh_vmpy_VhVh_s1_rnd_sat", first, second, to="product")
        product = f"{NAMESPACE}::product({first.lanes}, {fit.member}.lanes)"
        return index, fit.call(unit), Value(vectors, ""), product
    return None


def _square(code: Code, form: Form, factor: float) -> tuple[str, Value, str]:
    """The square of a form, which is made once, in such a unit that factor times the square is in the unit of the sum."""
    form = code.forms.scale(code.forms.merged(form), sqrt(factor))
    fit = code.fit(form, "root")
    root = code.sum(form, fit.member)
    vectors = code.each("Q6_Vh_vmpy_VhVh_s1_rnd_sat", root, root, to="square")
    return fit.call("std::sqrt(unit / 32768.0)"), Value(vectors, ""), f"{NAMESPACE}::square({fit.member}.lanes)"


def _factors(code: Code, args: tuple[Form, ...]) -> tuple[Form, Form]:
    """Which factor is as fine as its lanes allow, and which takes the scale: a pattern along the row is computed once."""

    def rank(form: Form) -> tuple[bool, bool]:
        names = code.forms.inputs_of(form)
        return (names <= code.patterns, code.single(form) is None)

    first, second = args
    return (second, first) if rank(first) > rank(second) else (first, second)
