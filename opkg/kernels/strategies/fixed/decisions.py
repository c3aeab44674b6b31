"""Comparisons and signs of sums of stored elements, exactly: predicates of 16-bit lanes (templates/qnn/hvx_fixed_decide.h)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from opkg.kernels.graphs.graph import COMPARE, MIRRORED, Node
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.numbers import Atom, Unfit, Value, text
from opkg.spec.compute.types import Type

HEADER = "opkg/hvx_fixed_decide.h"
_MOST = 4  # terms: kMostDecided
JOINED = {"and": "Q6_Q_and_QQ", "or": "Q6_Q_or_QQ"}


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of factor * input, of factor * param, and a constant: exact numbers."""

    inputs: tuple[tuple[str, Fraction], ...] = ()
    params: tuple[tuple[str, Fraction], ...] = ()
    constant: Fraction = Fraction(0)

    def plus(self, other: Linear, factor: Fraction) -> Linear:
        return Linear(
            _joined(self.inputs, other.inputs, factor),
            _joined(self.params, other.params, factor),
            self.constant + other.constant * factor,
        )


def _joined(
    a: tuple[tuple[str, Fraction], ...], b: tuple[tuple[str, Fraction], ...], factor: Fraction
) -> tuple[tuple[str, Fraction], ...]:
    found = dict(a)
    for name, own in b:
        found[name] = found.get(name, Fraction(0)) + own * factor
    return tuple((name, own) for name, own in sorted(found.items()) if own)


class Decisions:
    """The decisions of one kernel. Lanes of one sum are made once, whatever is asked of them."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.graph = code.forms.graph
        self._sides: dict[Linear, tuple[str, ...]] = {}

    @property
    def used(self) -> bool:
        """Whether anything was decided."""
        return bool(self._sides)

    def test(self, node: int) -> tuple[str, ...]:
        """The predicate of a bool node on 16-bit lanes, for every vector. Raises Unfit."""
        made, body = self.graph[node], self.code.body
        if made.op == "not":
            return tuple([body.q6("Q6_Q_not_Q", q, to="inverse") for q in self.test(made.args[0])])
        if made.op in JOINED:
            pairs = zip(*map(self.test, made.args), strict=True)
            return tuple(
                [body.q6(JOINED[made.op], *pair, to="both" if made.op == "and" else "either") for pair in pairs]
            )
        if made.op not in COMPARE or self.of_bools(node):
            raise Unfit("a choice by something else than comparisons")
        sized = [place for place, arg in enumerate(made.args) if self.graph[arg].op == "abs"]
        if len(sized) == 2:
            return self._of_sizes(made)
        if sized:
            return self._of_size(made, sized[0])
        left, right = (self.linear(arg) for arg in made.args)
        return self._compared(made.op, left.plus(right, Fraction(-1)), made.origin or "test")

    def _of_size(self, made: Node, place: int) -> tuple[str, ...]:
        """An absolute value is above a number where the value or its negative is, and below where both are."""
        op = made.op if place == 0 else MIRRORED[made.op]
        if op in ("eq", "ne"):
            raise Unfit("whether an absolute value is equal to something")
        inner = self.linear(self.graph[made.args[place]].args[0])
        bound = self.linear(made.args[1 - place])
        above = inner.plus(bound, Fraction(-1))
        below = Linear().plus(inner, Fraction(-1)).plus(bound, Fraction(-1))
        found = [self._compared(op, side, made.origin or "test") for side in (above, below)]
        joined, name = (JOINED["or"], "either") if op in ("gt", "ge") else (JOINED["and"], "both")
        return tuple([self.code.body.q6(joined, *pair, to=name) for pair in zip(*found, strict=True)])

    def _of_sizes(self, made: Node) -> tuple[str, ...]:
        found = [
            tuple([self._compared(op, sum_, made.origin or "test") for op, sum_ in pair])
            for pair in self.sizes(made) or ()
        ]
        inner, outer = sizes_joined(made.op)
        rows = []
        for part in range(len(found[0][0])):
            pairs = [self.code.body.q6(JOINED[inner], *[tests[part] for tests in pair], to="both") for pair in found]
            rows.append(pairs[0] if len(pairs) == 1 else self.code.body.q6(JOINED[outer], *pairs, to="either"))
        return tuple(rows)

    def sizes(self, made: Node) -> list[list[tuple[str, Linear]]] | None:
        """What a comparison of two absolute values hangs on: pairs of comparisons of their difference and sum with 0. |a| is
        above |b| where a - b and a + b have the same sign. None where one of them is no absolute value. Raises Unfit."""
        if made.op not in COMPARE or any(self.graph[arg].op != "abs" for arg in made.args):
            return None
        a, b = (self.linear(self.graph[arg].args[0]) for arg in made.args)
        sums = [a.plus(b, Fraction(sign)) for sign in (-1, 1)]
        if made.op in ("eq", "ne"):
            return [[(made.op, sum_) for sum_ in sums]]
        if made.op in ("lt", "le"):  # |b| is above |a|: b - a and b + a
            sums[0] = Linear().plus(sums[0], Fraction(-1))
        op = "gt" if made.op in ("gt", "lt") else "ge"
        return [[(op, sum_) for sum_ in sums], [(MIRRORED[op], sum_) for sum_ in sums]]

    def _compared(self, op: str, difference: Linear, name: str) -> tuple[str, ...]:
        zero, body = self.code.splat("0"), self.code.body
        inverse = op in ("le", "ge", "ne")
        found = []
        for side in self.sides(difference):
            args = (side, zero) if op in ("gt", "le", "eq", "ne") else (zero, side)
            intrinsic = "Q6_Q_vcmp_eq_VhVh" if op in ("eq", "ne") else "Q6_Q_vcmp_gt_VhVh"
            q = body.q6(intrinsic, *args, to="" if inverse else name)
            found.append(body.q6("Q6_Q_not_Q", q, to=name) if inverse else q)
        return tuple(found)

    def of_bools(self, node: int) -> bool:
        """Whether an operand of a node is bool."""
        return any(self.graph[arg].type is Type.BOOL for arg in self.graph[node].args)

    def difference(self, node: int) -> Linear | None:
        """What a comparison compares with 0; None where that is no sum."""
        return self.sum_of(*self.graph[node].args)

    def sum_of(self, first: int, second: int | None = None) -> Linear | None:
        """first, or first - second; None where that is no sum that can be decided."""
        try:
            found = self.linear(first)
            found = found if second is None else found.plus(self.linear(second), Fraction(-1))
            self.check(found)
        except Unfit:
            return None
        return found

    # Sums ------------------------------------------------------------------------------------------------------------

    def linear(self, index: int) -> Linear:
        """A node as a sum. Raises Unfit."""
        node = self.graph[index]
        if node.op == "const" and isinstance(node.value, int | float):
            return Linear(constant=Fraction(node.value))
        if node.op == "input":
            return Linear(inputs=((node.name, Fraction(1)),))
        if node.op == "param" and node.uniform and node.type is Type.REAL:
            return Linear(params=((node.name, Fraction(1)),))
        if node.op == "neg":
            return Linear().plus(self.linear(node.args[0]), Fraction(-1))
        if node.op in ("add", "sub"):
            left, right = (self.linear(arg) for arg in node.args)
            return left.plus(right, Fraction(1 if node.op == "add" else -1))
        if node.op in ("mul", "div"):
            factor = self.graph[node.args[1]].value
            if self.graph[node.args[1]].op == "const" and factor:
                scale = Fraction(factor) if node.op == "mul" else 1 / Fraction(factor)
                return Linear().plus(self.linear(node.args[0]), scale)
        raise Unfit(f"a comparison of a '{node.op}'")

    def sides(self, sum_: Linear) -> tuple[str, ...]:
        """Vectors of 16-bit lanes with the sign of a sum. Raises Unfit."""
        if sum_ not in self._sides:
            self._sides[sum_] = self._made(sum_)
        return self._sides[sum_]

    def _made(self, sum_: Linear) -> tuple[str, ...]:
        code = self.code
        terms, constant = self.terms(sum_)
        atoms = [code.forms.of_atom(Atom("input", name)).terms[0][0] for name, _ in sum_.inputs]
        values = [code.value(index) for index in atoms]
        words = self._words(sum_)
        member = code.member(f"{NAMESPACE}::SignOf<{words}>", "decided", "coefficients in words of 14 bits")
        code.say(f"if (!{member}.fit({{{', '.join(terms)}}}, {constant})) return false;")
        return tuple([self._side(member, words, values, part) for part in range(len(values[0].vectors))])

    def check(self, sum_: Linear) -> None:
        """Raises Unfit for sums that cannot be decided."""
        if not sum_.inputs or len(sum_.inputs) > _MOST or len(sum_.params) + bool(sum_.constant) > 1:
            raise Unfit("a comparison of a sum with too many parts" if sum_.inputs else "a comparison of no input")
        for factor in _whole(sum_).values():
            _double(factor)
        if sum_.params and abs(_whole(sum_)[sum_.params[0][0]]) != 1:
            raise Unfit("a comparison with a multiple of a param")

    def terms(self, sum_: Linear) -> tuple[list[str], str]:
        """C++ of the terms of a sum and of its constant: whole multiples. Raises Unfit."""
        self.check(sum_)
        factors = {name: _double(factor) for name, factor in _whole(sum_).items()}
        constant = text(factors[""])
        for name, _ in sum_.params:
            constant = f"{'-' if factors[name] < 0 else ''}static_cast<double>(op.{name})"
        return [f"{{{self.code.stored(name)}, {text(factors[name])}}}" for name, _ in sum_.inputs], constant

    def _words(self, sum_: Linear) -> int:
        """14 bits for bytes and what one element is compared with, 28 for two halves, 42 for the bits of the scales."""
        plain = not sum_.params and not sum_.constant
        if len(sum_.inputs) == 1:
            return 1
        if len(sum_.inputs) > 2 or not plain:
            return 3
        return 1 if all(self.code.operands[name].storage.bits == 8 for name, _ in sum_.inputs) else 2

    def _side(self, member: str, words: int, values: list[Value], part: int) -> str:
        """One vector of lanes below, at or above 0."""
        body = self.code.body
        made: list[tuple[str, str]] = []  # words of even and of odd halves, with what the word below carries
        for word in range(words):
            total = self.code.splat_pair(f"{member}.start[{word}]")
            for number, value in enumerate(values):
                factor = f"{member}.factor[{word}][{number}]"
                total = body.q6("Q6_Ww_vmpyacc_WwVhRh", total, value.vectors[part], factor, to="whole")
            even, odd = body.lo(total), body.hi(total)
            if made:
                bits = f"{member}.kBits"
                even = body.q6("Q6_Vw_vasracc_VwVwR", even, made[-1][0], bits, to="even")
                odd = body.q6("Q6_Vw_vasracc_VwVwR", odd, made[-1][1], bits, to="odd")
            made.append((even, odd))
        top = body.q6("Q6_Vh_vsat_VwVw", made[-1][1], made[-1][0], to="side")
        if words == 1:
            return top
        mask = self.code.splat(f"{member}.kRest")
        rests: list[str] = []
        for even, odd in made[:-1]:
            rest = [body.q6("Q6_V_vand_VV", w, mask, to="rest") for w in (odd, even)]
            rests.append(body.q6("Q6_Vh_vsat_VwVw", *rest, to="rest"))
        some = rests[0] if len(rests) == 1 else body.q6("Q6_V_vor_VV", *rests, to="rest")
        one = body.q6("Q6_Vh_vmin_VhVh", some, self.code.splat("0x00010001"), to="more")
        return body.q6("Q6_Vh_vadd_VhVh_sat", body.q6("Q6_Vh_vadd_VhVh_sat", top, top, to="twice"), one, to="side")


def sizes_joined(op: str) -> tuple[str, str]:
    """How the comparisons of `Decisions.sizes` are joined: those of a pair, and pairs."""
    return ("or" if op == "eq" else "and"), "or"


def _whole(sum_: Linear) -> dict[str, Fraction]:
    """Factors by name, the constant by "": all times their denominators."""
    numbers = dict((*sum_.inputs, *sum_.params, ("", sum_.constant)))
    whole = lcm(*[number.denominator for number in numbers.values()])
    return {name: number * whole for name, number in numbers.items()}


def _double(number: Fraction) -> float:
    """A number that a double holds. Raises Unfit."""
    found = float(number)
    if Fraction(found) != number:
        raise Unfit("a comparison with factors of many digits")
    return found
