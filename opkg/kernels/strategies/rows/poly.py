"""Polynomials over named numbers: what the values of a row are in terms of stored elements, extremes and scales.

A polynomial maps products of names, sorted, to coefficients. Names are C++ expressions of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Monomial = tuple[str, ...]
Poly = dict[Monomial, float]
MOST_TERMS = 48


def number(value: float) -> Poly:
    """A constant."""
    return {(): value} if value != 0 else {}


def atom(name: str) -> Poly:
    """One named number."""
    return {(name,): 1}


def add(a: Poly, b: Poly, sign: int = 1) -> Poly:
    """a + sign * b."""
    found = dict(a)
    for key, value in b.items():
        total = found.get(key, 0) + sign * value
        if total == 0:
            found.pop(key, None)
        else:
            found[key] = total
    return found


def mul(a: Poly, b: Poly) -> Poly | None:
    """a * b; None when that has too many terms."""
    found: Poly = {}
    if len(a) * len(b) > 4 * MOST_TERMS:
        return None
    for left, x in a.items():
        for right, y in b.items():
            found = add(found, {tuple(sorted(left + right)): x * y})
    return found if len(found) <= MOST_TERMS else None


def names(poly: Poly) -> frozenset[str]:
    """All names in a polynomial."""
    return frozenset([name for key in poly for name in key])


def substitute(poly: Poly, name: str, by: Poly) -> Poly | None:
    """The polynomial with a name replaced."""
    found: Poly = {}
    for key, value in poly.items():
        part: Poly | None = {tuple([n for n in key if n != name]): value}
        for _ in range(key.count(name)):
            part = mul(part, by) if part is not None else None
        if part is None:
            return None
        found = add(found, part)
    return found


def split(poly: Poly, inner: Callable[[str], bool]) -> dict[Monomial, Poly]:
    """The polynomial in the names for which `inner` holds: their products, each with its coefficient in the others."""
    found: dict[Monomial, Poly] = {}
    for key, value in poly.items():
        mine = tuple([n for n in key if inner(n)])
        rest = tuple([n for n in key if not inner(n)])
        found[mine] = add(found.get(mine, {}), {rest: value})
    return found


def text(poly: Poly, integers: Mapping[str, str] | frozenset[str], whole: bool = False) -> str:
    """C++ of a polynomial: in double (names in `integers` are converted), or in int64_t when `whole`."""
    parts = [_term(key, value, integers, whole) for key, value in sorted(poly.items(), key=lambda item: item[0])]
    return joined(parts) if parts else ("0" if whole else "0.0")


def joined(parts: Sequence[str]) -> str:
    """The sum of some terms."""
    found = parts[0]
    for part in parts[1:]:
        found += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return found


def _term(key: Monomial, value: float, integers: Mapping[str, str] | frozenset[str], whole: bool) -> str:
    factors = [f"static_cast<double>({n})" if n in integers and not whole else n for n in key]
    if abs(value) != 1 or not factors:
        factors.insert(0, str(int(abs(value))) if whole else repr(float(abs(value))))
    return ("-" if value < 0 else "") + " * ".join(factors)
