"""Forms and atoms of fixed-point computations, their values in lanes, and the numbers that `prepare` computes for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite

from opkg.kernels.strategies.fixed.questions import Question

Number = float | str  # known now, or the name of a double in `prepare`


class Unfit(Exception):
    """This graph has no fixed-point code; the text says why."""


@dataclass(frozen=True, slots=True)
class Form:
    """constant + the sum of factor * atom. Atoms are numbers of `Forms.atoms`, in rising order."""

    terms: tuple[tuple[int, Number], ...] = ()
    constant: Number = 0.0

    @property
    def uniform(self) -> bool:
        return not self.terms


@dataclass(frozen=True, slots=True)
class Linear:
    """input * other * factor * times / under + constant + sign * more: exact numbers, and params by name; `more` is a whole
    one, and `other` an input, or no factor."""

    name: str = ""
    other: str = ""
    factor: Fraction = Fraction(0)
    times: str = ""
    under: str = ""
    constant: Fraction = Fraction(0)
    more: str = ""
    sign: int = 1

    def scaled(self, factor: Fraction) -> Linear:
        if self.more and abs(factor) != 1:
            raise Unfit("a rounding of a multiple of a sum with a param")
        sign = -self.sign if factor < 0 else self.sign
        return replace(self, factor=self.factor * factor, constant=self.constant * factor, sign=sign)

    def plus(self, constant: Fraction) -> Linear:
        return replace(self, constant=self.constant + constant)


@dataclass(frozen=True, slots=True)
class Atom:
    """`kind`: input (part: "", "positive" or "negative"), product, max, min or abs of `args`; table: any function of a byte
    input, curve: a smooth one of a 16-bit input (part: the number of its node) or of its part on a side of 0; whole: the
    floor of a linear function of an input or its part; or quotient: a whole number of two inputs, or what it leaves."""

    kind: str
    name: str = ""
    part: str = ""
    args: tuple[Form, ...] = ()
    whole: tuple[Linear, bool] | None = None  # the function, and whether halves go to even numbers
    asked: Question | None = None
    side: str = ""  # of a curve, as the part of an input

    @property
    def names(self) -> frozenset[str]:
        """The inputs that the atom itself reads."""
        if self.asked is not None:
            return frozenset((self.asked.first, self.asked.second))
        other = self.whole[0].other if self.whole is not None else ""
        return frozenset(name for name in (self.name, other) if name)


@dataclass(frozen=True, slots=True)
class Value:
    """Vectors of 16-bit lanes, and the C++ expression of their `Lanes`."""

    vectors: tuple[str, ...]
    lanes: str


@dataclass(frozen=True, slots=True)
class Fit:
    """A member of type `Sum` and the arguments of its `fit` but for the unit."""

    member: str
    terms: str
    constant: str

    def call(self, unit: str = "", saturating: bool = False) -> str:
        more = f", {unit}, {'true' if saturating else 'false'}" if unit else ""
        return f"{self.member}.fit({self.terms}, {self.constant}{more})"


@dataclass
class Numbers:
    """C++ doubles that `prepare` computes: each expression once, by name. `positive`: params that are never below 0."""

    positive: frozenset[str] = frozenset()
    _known: dict[str, str] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)
    _positive: set[str] = field(default_factory=set)

    def named(self, text: str, positive: bool = False) -> str:
        name = self._known.setdefault(text, f"number{len(self._known)}")
        if positive:
            self._positive.add(name)
        return name

    def of_param(self, name: str) -> str:
        return self.named(f"static_cast<double>(op.{name})", name in self.positive)

    def is_positive(self, a: Number) -> bool:
        """Whether a number is known not to be below 0."""
        return a in self._positive if isinstance(a, str) else a >= 0

    def needed(self, lines: Iterable[str]) -> list[str]:
        """Definitions of the numbers in these statements that no earlier ones had."""
        made: list[str] = []
        texts = {name: text for text, name in self._known.items()}
        for line in lines:
            for name in re.findall(r"(?<![\w.])number\d+\b", line):
                if name in texts and name not in self._said:
                    self._said.add(name)
                    made += [*self.needed([texts[name]]), f"const double {name} = {texts[name]};"]
        return made

    def add(self, a: Number, b: Number) -> Number:
        if a == 0.0 or b == 0.0:
            return b if a == 0.0 else a
        return a + b if isinstance(a, float) and isinstance(b, float) else self.named(f"{text(a)} + {text(b)}")

    def mul(self, a: Number, b: Number) -> Number:
        if a == 1.0 or b == 1.0:
            return b if a == 1.0 else a
        if isinstance(a, float) and isinstance(b, float):
            return a * b
        if a == 0.0 or b == 0.0:
            return 0.0
        return self.named(f"{text(a)} * {text(b)}", self.is_positive(a) and self.is_positive(b))

    def inverse(self, a: Number) -> Number:
        return 1.0 / a if isinstance(a, float) else self.named(f"1.0 / {a}", self.is_positive(a))

    def extreme(self, kind: str, a: Number, b: Number) -> Number:
        if isinstance(a, float) and isinstance(b, float):
            return max(a, b) if kind == "max" else min(a, b)
        function = "larger" if kind == "max" else "smaller"
        return a if a == b else self.named(f"opkg::fixed::{function}({text(a)}, {text(b)})")

    def apply(self, function: str, a: Number) -> Number:
        return self.named(f"std::{function}({text(a)})")


def text(number: Number) -> str:
    """C++ text of a double."""
    if isinstance(number, str):
        return number
    if not isfinite(number):
        raise Unfit("a number that is not finite")
    return f"({number!r})" if number < 0 else repr(abs(float(number)))  # no -0.0
