"""The qfloat arithmetic of v68 to v75 in exact rationals, written apart from the host's headers, and rows of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Format:
    """qf32 or qf16, and its IEEE sibling: names, bits of a number, of its exponent and of its fraction."""

    qfloat: str
    ieee: str
    width: int
    bits: int
    fraction: int

    @property
    def most(self) -> int:
        return (1 << self.bits) - 1

    @property
    def bias(self) -> int:
        return self.most >> 1


FORMATS = (Format("qf32", "sf", 32, 8, 23), Format("qf16", "hf", 16, 5, 10))


@dataclass(frozen=True, slots=True)
class Number:
    """units 2^-fraction 2^(exponent - bias)."""

    units: int
    exponent: int
    negative: bool

    def negated(self) -> Number:
        return Number(-self.units, self.exponent, not self.negative)

    def size(self) -> Number:
        return Number(abs(self.units), self.exponent, False)


def from_ieee(form: Format, word: int) -> Number:
    field, fraction = word >> form.fraction & form.most, word & ((1 << form.fraction) - 1)
    units = fraction | (1 << form.fraction) if field else fraction
    negative = bool(word >> (form.width - 1))
    return Number(-units if negative else units, max(field, 1), negative)


def from_qfloat(form: Format, word: int) -> Number:
    signed = word - (1 << form.width) if word >> (form.width - 1) else word
    units = 2 * (signed >> form.bits) + 1
    return Number(units, word & form.most, units < 0)


def complement(form: Format, word: int) -> int:
    return word ^ ((1 << form.width) - 1 - form.most)


def rounded(form: Format, value: Fraction, exponent: int) -> int:
    """The word of `value` units at a working exponent."""
    if value == 0:
        return 0
    ends = False
    if not -(2 << form.fraction) <= value < 2 << form.fraction:
        value, exponent, ends = value / 2, exponent + 1, True
    if exponent > form.most:
        return (1 << (form.width - 1)) - 1 if value > 0 else 1 << (form.width - 1) | form.most
    if exponent < 0:
        value, exponent, ends = value / 2, exponent + 1, True
    fours = value // 4 * 4
    rest = value - fours
    if ends or exponent == form.most:
        units = fours + (1 if rest <= 2 else 3)
    elif Fraction(3, 2) < rest <= Fraction(5, 2):
        units, exponent = (fours + 2) // 2, exponent + 1
    else:
        units = fours + (1 if rest < 2 else 3)
    return (units - 1) // 2 % (1 << (form.width - form.bits)) << form.bits | exponent


def summed(form: Format, a: Number, b: Number) -> int:
    large, small = (a, b) if a.exponent >= b.exponent else (b, a)
    normalized = large.exponent + abs(large.units).bit_length() - 1 - form.fraction if large.units else -form.width
    working = max(normalized, small.exponent)
    two = Fraction(2)
    value = large.units * two ** (large.exponent - working) + small.units * two ** (small.exponent - working)
    return rounded(form, value, working)


def multiplied(form: Format, a: Number, b: Number) -> int:
    exponent = a.exponent + b.exponent - form.bias
    if a.units * b.units and exponent < -1:
        return complement(form, 0) if a.negative != b.negative else 0
    return rounded(form, Fraction(a.units * b.units, 1 << form.fraction), exponent)


def total(form: Format, a: Number, b: Number, of_ieee: int) -> int:
    if of_ieee == 2 and a.negative and b.negative:
        return complement(form, summed(form, a.negated(), b.negated()))
    return summed(form, a, b)


def product(form: Format, a: Number, b: Number, of_ieee: int) -> int:
    if of_ieee == 0:
        return multiplied(form, a, b)
    negative = b.negative if of_ieee == 1 else a.negative != b.negative
    word = multiplied(form, a if of_ieee == 1 else a.size(), b.size())
    return complement(form, word) if negative else word


OPERATIONS: dict[str, Callable[[Format, Number, Number, int], int]] = {
    "vadd": total,
    "vsub": lambda form, a, b, of_ieee: total(form, a, b.negated(), of_ieee),
    "vmpy": product,
}


def pattern(rng: random.Random, form: Format, qfloat: bool) -> int:
    """Bits of a number, with exponents and significands at the ends and in between."""
    most, n = form.most, form.width - form.bits
    exponent = rng.choice([0, 1, 2, most, most - 1, most - 2, form.bias, form.bias + 1, rng.randrange(most + 1)])
    some = rng.randrange(1 << n)
    body = rng.choice([0, 1, (1 << n) - 1, 1 << (n - 2), (1 << (n - 1)) - 1, 1 << rng.randrange(n), some, some])
    if qfloat:
        return body << form.bits | exponent
    return body >> (n - 1) << (form.width - 1) | exponent << form.fraction | body & ((1 << form.fraction) - 1)


def rows(seed: int, count: int) -> list[str]:
    """`count` rows of each sum, difference and product, as scripts/hvx_float_oracle.py reads them."""
    rng, lines = random.Random(seed), []
    for form in FORMATS:
        forms = [(form.ieee, form.ieee), (form.qfloat, form.ieee), (form.qfloat, form.qfloat)]
        for operation, exact in OPERATIONS.items():
            for names in forms:
                if (operation, names) == ("vmpy", ("qf32", "sf")):
                    continue  # there is no such intrinsic
                name = f"Q6_V{form.qfloat}_{operation}_V{names[0]}V{names[1]}"
                lines += [f"{name}\t{_row(rng, form, names, exact)}" for _ in range(count)]
    return lines


def _row(
    rng: random.Random, form: Format, names: tuple[str, str], exact: Callable[[Format, Number, Number, int], int]
) -> str:
    a = b = out = 0
    qfloat = [name == form.qfloat for name in names]
    for shift in range(0, 32, form.width):
        x, y = (pattern(rng, form, q) for q in qfloat)
        if rng.random() < 0.3:  # nearly the same, or nearly the opposite
            y = x ^ rng.randrange(8) << rng.choice([0, form.bits]) ^ rng.randrange(2) << (form.width - 1)
        read = [from_qfloat if q else from_ieee for q in qfloat]
        word = exact(form, read[0](form, x), read[1](form, y), 2 - sum(qfloat))
        a, b, out = a | x << shift, b | y << shift, out | word << shift
    return f"{a:08x}\t{b:08x}\t-\t{out:08x}"
