"""Whole numbers that say where elements move to: literals, params, sizes of inputs, and what is calculated from these."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Size:
    """`x.shape[axis]` of an input, counted from the end. `dim`: the name by which the text asks for it, or empty."""

    name: str
    axis: int
    dim: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.dim or f"{self.name}.shape[{self.axis}]"


@dataclass(frozen=True, slots=True)
class Calculated:
    """`left op right`, as in Python; `-a` is `0 - a`. Nothing is divided by 0."""

    op: str  # one of OPERATORS
    left: Whole
    right: Whole

    @property
    def sides(self) -> tuple[Whole, Whole]:
        return self.left, self.right

    def __str__(self) -> str:
        return whole_text(self)


Whole = int | str | Size | Calculated  # a text: the name of an integer param
Leaf = str | Size


@dataclass(frozen=True, slots=True)
class Range:
    """`start:stop:step` of one dimension, as in Python; None: not said."""

    start: Whole | None = None
    stop: Whole | None = None
    step: Whole | None = None

    def __str__(self) -> str:
        start, stop, step = ("" if end is None else str(end) for end in self.ends)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"

    @property
    def ends(self) -> tuple[Whole | None, Whole | None, Whole | None]:
        return self.start, self.stop, self.step


# A dimension in x[...]: a range, a place (it goes), None (a new one of 1), or as many as there are; of RESHAPE a number (-1:
# what remains); of TILE how often; of PAD a range from the number before to that behind.
Part = Range | Whole | None
REST = "..."

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_SUM, _PRODUCT, _NEGATE, _ATOM = range(4)  # how tight it binds
_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT}


def calculated(op: str, left: Whole, right: Whole) -> Whole:
    """`left op right`; of literals the number."""
    if isinstance(left, int) and isinstance(right, int):
        return OPERATORS[op](left, right)
    return Calculated(op, left, right)


def less(left: Whole, right: Whole) -> Whole:
    """`left - right` in few words."""
    match left, right:
        case _, 0:
            return left
        case _, int(number) if number < 0:
            return calculated("+", left, -number)
        case _, Calculated(op="-", left=same, right=rest) if same == left:
            return rest
        case _, Calculated(op="-", left=0, right=rest):
            return calculated("+", left, rest)
        case Calculated(op="-", left=base, right=int(first)), int(second):
            return less(base, first + second)
    return calculated("-", left, right)


def value_of(whole: Whole, leaf: Callable[[Leaf], int]) -> int:
    """The number. `leaf`: those of params and sizes."""
    match whole:
        case int():
            return whole
        case Calculated():
            return OPERATORS[whole.op](value_of(whole.left, leaf), value_of(whole.right, leaf))
    return leaf(whole)


def leaves(whole: Whole) -> Iterator[Leaf]:
    """The params and sizes in a number."""
    match whole:
        case Calculated():
            yield from leaves(whole.left)
            yield from leaves(whole.right)
        case str() | Size():
            yield whole


def wholes(parts: Iterable[Part]) -> Iterator[Whole]:
    """The numbers that are said for some dimensions."""
    for part in parts:
        for whole in part.ends if isinstance(part, Range) else (part,):
            if whole is not None and whole != REST:
                yield whole


def leaves_of(part: Part) -> Iterator[Leaf]:
    """The params and sizes in what stands for a dimension."""
    for whole in wholes((part,)):
        yield from leaves(whole)


def whole_text(whole: Whole, leaf: Callable[[Leaf], str] = str) -> str:
    """A number as Python has it. `leaf`: the text of params and sizes."""
    return _text(whole, leaf)[0]


def _text(whole: Whole, leaf: Callable[[Leaf], str]) -> tuple[str, int]:
    if isinstance(whole, int):
        return str(whole), _ATOM if whole >= 0 else _NEGATE
    if not isinstance(whole, Calculated):
        return leaf(whole), _ATOM
    level = _LEVELS[whole.op]
    if whole.op == "-" and whole.left == 0:
        return f"-{_inside(whole.right, leaf, _NEGATE)}", _NEGATE
    return f"{_inside(whole.left, leaf, level)} {whole.op} {_inside(whole.right, leaf, level + 1)}", level


def _inside(whole: Whole, leaf: Callable[[Leaf], str], level: int) -> str:
    text, own = _text(whole, leaf)
    return text if own >= level else f"({text})"
