"""Polynomials of names: their algebra holds for every number, their C++ text is Python too."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.poly import Poly

NAMES = ("a", "b", "x_q", "steps")
monomials = st.lists(st.sampled_from(NAMES), max_size=3).map(lambda names: tuple(sorted(names)))
polys = st.dictionaries(monomials, st.integers(-5, 5).filter(bool), max_size=5)
numbers = st.fixed_dictionaries({name: st.integers(-20, 20) for name in NAMES})


def value(of: Poly, at: dict[str, int]) -> Fraction:
    total = Fraction(0)
    for key, factor in of.items():
        product = Fraction(factor)
        for name in key:
            product *= at[name]
        total += product
    return total


@given(polys, polys, numbers)
def test_algebra(a: Poly, b: Poly, at: dict[str, int]) -> None:
    assert value(poly.add(a, b, -1), at) == value(a, at) - value(b, at)
    product = poly.mul(a, b)
    assert product is not None
    assert value(product, at) == value(a, at) * value(b, at)
    assert poly.add(a, a, -1) == {}


@given(polys, polys, numbers)
def test_substitution(a: Poly, b: Poly, at: dict[str, int]) -> None:
    found = poly.substitute(a, "x_q", b)
    assert found is None or value(found, at) == value(a, {**at, "x_q": value(b, at)})  # type: ignore[dict-item]


@given(polys, numbers)
def test_split_and_text(a: Poly, at: dict[str, int]) -> None:
    parts = poly.split(a, lambda name: name == "x_q")
    whole = sum((value(part, at) * at["x_q"] ** len(key) for key, part in parts.items()), Fraction(0))
    assert whole == value(a, at)
    assert eval(poly.text(a, frozenset(), whole=True), {}, dict(at)) == whole
    assert eval(poly.text(a, frozenset()), {}, dict(at)) == float(whole)


def test_products_of_too_many_terms_are_given_up() -> None:
    many = {(f"n{i}",): 1 for i in range(40)}
    assert poly.mul(many, many) is None
