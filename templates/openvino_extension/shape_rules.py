"""Shapes and conditions of an op whose dimensions may be unknown: a number is known to lie between two others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from openvino import Dimension, PartialShape, Type

DEVICE = {
    Type.f16: Type.f32, Type.boolean: Type.u8, Type.i16: Type.i32, Type.i64: Type.i32, Type.u16: Type.i32,
    Type.u32: Type.i32, Type.u64: Type.i32,
}  # fmt: skip  # what OpenVINO's CPU device computes with in place of a type


class Truth:
    """What is known of a condition."""

    def __init__(self, maybe: bool, maybe_not: bool | None = None) -> None:
        self.maybe, self.maybe_not = bool(maybe), not maybe if maybe_not is None else bool(maybe_not)


def _truth(value: Any) -> Truth:
    return value if isinstance(value, Truth) else Truth(bool(value))


def negated(a: Any) -> Truth:
    return Truth(_truth(a).maybe_not, _truth(a).maybe)


def both(a: Any, b: Any) -> Truth:
    a, b = _truth(a), _truth(b)
    return Truth(a.maybe and b.maybe, a.maybe_not or b.maybe_not)


def either(a: Any, b: Any) -> Truth:
    return negated(both(negated(a), negated(b)))


class Number:
    """What is known of a number: its ends, which are included."""

    def __init__(self, low: float, high: float | None = None) -> None:
        self.low, self.high = low, low if high is None else high

    @property
    def known(self) -> bool:
        return self.low == self.high

    def __neg__(self) -> Number:
        return Number(-self.high, -self.low)

    def __add__(self, other: Any) -> Number:
        other = number(other)
        return Number(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Any) -> Number:
        return self + -number(other)

    def __mul__(self, other: Any) -> Number:
        return _ends(self, number(other), lambda x, y: 0 if x == 0 or y == 0 else x * y)

    def __radd__(self, other: Any) -> Number:
        return self + other

    def __rsub__(self, other: Any) -> Number:
        return number(other) - self

    def __rmul__(self, other: Any) -> Number:
        return self * other

    def __lt__(self, other: Any) -> Truth:  # type: ignore[override]
        return _less(self, number(other))

    def __gt__(self, other: Any) -> Truth:  # type: ignore[override]
        return _less(number(other), self)

    def __le__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(_less(number(other), self))

    def __ge__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(_less(self, number(other)))

    def __eq__(self, other: Any) -> Truth:  # type: ignore[override]
        other = number(other)
        same = self.known and other.known and self.low == other.low
        return Truth(self.low <= other.high and other.low <= self.high, not same)

    def __ne__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(self == other)

    __hash__ = None  # type: ignore[assignment]


def _less(a: Number, b: Number) -> Truth:
    return Truth(a.low < b.high, a.high >= b.low)


def number(value: Any) -> Number:
    return value if isinstance(value, Number) else Number(value)


def _ends(a: Number, b: Number, function: Any) -> Number:
    found = [function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Number(min(found), max(found))


ANYTHING = Number(-math.inf, math.inf)
EXTENT = Number(0, math.inf)


def single(value: float) -> float:
    """A number, rounded to single precision."""
    return float(np.float32(value))


def least(a: Any, b: Any) -> Number:
    a, b = number(a), number(b)
    return Number(min(a.low, b.low), min(a.high, b.high))


def most(a: Any, b: Any) -> Number:
    return -least(-number(a), -number(b))


def magnitude(a: Any) -> Number:
    a = number(a)
    return most(a, -a) if a.low >= 0 or a.high <= 0 else Number(0, max(-a.low, a.high))


def select(test: Any, a: Any, b: Any) -> Number:
    test, a, b = _truth(test), number(a), number(b)
    if test.maybe and test.maybe_not:
        return Number(min(a.low, b.low), max(a.high, b.high))
    return a if test.maybe else b


def divide(a: Any, b: Any) -> Number:
    """a / b. Nothing is known of it where b may be 0; b that is 0 is refused."""
    a, b = number(a), number(b)
    if b.low == 0 and b.high == 0:
        raise ValueError("division by 0")
    if b.low <= 0 <= b.high:
        return ANYTHING
    return _ends(a, b, lambda x, y: 0.0 if math.isinf(y) else x / y)


def floor_div(a: Any, b: Any) -> Number:
    a, b = number(a), number(b)
    if a.known and b.known and b.low != 0:
        return Number(a.low // b.low)
    quotient = divide(a, b)
    return Number(*(end if math.isinf(end) else math.floor(end) for end in (quotient.low, quotient.high)))


def floor_mod(a: Any, b: Any) -> Number:
    a, b = number(a), number(b)
    quotient = floor_div(a, b)
    return a - quotient * b if a.known and b.known else Number(min(b.low, 0), max(b.high, 0))


def ceil_div(a: Any, b: Any) -> Number:
    return -floor_div(-number(a), b)


def round_up(a: Any, b: Any) -> Number:
    return ceil_div(a, b) * b


def numbers(values: Sequence[Any]) -> list[Number]:
    return [Number(value) for value in values]


def row(rows: Sequence[Sequence[Type]], inputs: Sequence[Type]) -> int:
    """The row of a call."""
    for device in (False, True):
        for place, types in enumerate(rows):
            if Rules.fits(types, inputs, device):
                return place
    raise ValueError("no kernel for these element types")


class Shape:
    """A shape; nothing is known of one whose rank is unknown, or whose tensor is absent (`dims` None)."""

    def __init__(self, dims: Sequence[Any] | None = None) -> None:
        self.dims = None if dims is None else [number(extent) for extent in dims]

    @classmethod
    def of(cls, shape: PartialShape) -> Shape:
        if shape.rank.is_dynamic:
            return cls()
        ends = [(extent.get_min_length(), extent.get_max_length()) for extent in shape]
        return cls([Number(low, math.inf if high < 0 or high >= 2**63 - 1 else high) for low, high in ends])

    def partial(self) -> PartialShape:
        if self.dims is None:
            return PartialShape.dynamic()
        ends = [(int(max(e.low, 0)), -1 if math.isinf(e.high) else int(e.high)) for e in self.dims]
        return PartialShape([Dimension(low, high) for low, high in ends])

    def __eq__(self, other: Any) -> Truth:  # type: ignore[override]
        if self.dims is None or other.dims is None:
            return Truth(True, True)
        same = Truth(len(self.dims) == len(other.dims))
        for a, b in zip(self.dims, other.dims, strict=False):
            same = both(same, a == b)
        return same

    def __ne__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(self == other)

    __hash__ = None  # type: ignore[assignment]


def rank(shape: Shape) -> Number:
    return EXTENT if shape.dims is None else Number(len(shape.dims))


def size(values: list[Number]) -> Number:
    return Number(len(values))


def product(shape: Shape) -> Number:
    result = EXTENT if shape.dims is None else Number(1)
    for extent in shape.dims or ():
        result = result * extent
    return result


def shape_of(values: list[Number]) -> Shape:
    return Shape(values)


def at(values: Any, index: Any) -> Number:
    index, values = number(index), values.dims if isinstance(values, Shape) else values
    if values is None or not index.known:
        return EXTENT if values is None else ANYTHING
    if not -len(values) <= index.low < len(values):
        raise ValueError(f"element {index.low} of {len(values)}")
    return number(values[int(index.low)])


def same_type(a: Type, b: Type) -> Truth:
    dynamic = Type.dynamic in (a, b)
    return Truth(dynamic or a == b, dynamic or a != b)


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape that both become by numpy's rule."""
    if a.dims is None or b.dims is None:
        return Shape()
    wide, narrow = (a.dims, b.dims) if len(a.dims) >= len(b.dims) else (b.dims, a.dims)
    found = wide[: len(wide) - len(narrow)]
    for x, y in zip(wide[len(found) :], narrow, strict=True):
        if not either(x == y, either(x == 1, y == 1)).maybe:
            raise ValueError(f"shapes {a.partial()} and {b.partial()} do not broadcast")
        if x.known and x.low == 1:
            found.append(y)
        elif y.known and y.low == 1:
            found.append(x)
        elif not (x == 1).maybe or not (y == 1).maybe:
            sure = [e for e in (x, y) if not (e == 1).maybe]
            found.append(Number(max(e.low for e in sure), min(e.high for e in sure)))
        else:
            found.append(Number(max(x.low, y.low), max(x.high, y.high)))
    return Shape(found)


def reduce(shape: Shape, axes: Sequence[Any], keep: Any) -> Shape:
    """A shape whose dimensions `axes` are 1, or gone."""
    if shape.dims is None:
        return Shape()
    places = [number(axis) for axis in axes]
    if not all(axis.known for axis in places):
        return Shape() if _truth(keep).maybe_not else Shape([EXTENT] * len(shape.dims))
    total = len(shape.dims)
    if any(not -total <= axis.low < total for axis in places):
        raise ValueError(f"an axis of rank {total}")
    reduced = {int(axis.low) % total for axis in places}
    kept = [Number(1) if i in reduced else extent for i, extent in enumerate(shape.dims)]
    return Shape(kept if _truth(keep).maybe else [e for i, e in enumerate(kept) if i not in reduced])


def settle(settled: dict[str, Any], name: str, value: Any) -> None:
    """The value of a computed default, once it is known."""
    listed = isinstance(value, list)
    values = value if listed else [value]
    if all(each.known for each in values):
        kind = type(settled[name]) if not listed else type((settled[name] or [0])[0])
        found = [kind(each.low) for each in values]
        settled[name] = found if listed else found[0]


class Dim(Number):
    """A named dimension: what all places say that have it."""

    def __init__(self, name: str) -> None:
        super().__init__(0, math.inf)
        self.name = name


class Run(Shape):
    """A named run of dimensions."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


ANY = Run("")


def joined(items: Sequence[Any]) -> Shape:
    """The shape of a list."""
    dims: list[Any] = []
    for item in items:
        if isinstance(item, Run):
            if item.dims is None:
                return Shape()
            dims += item.dims
        else:
            dims.append(item)
    return Shape(dims)


class Rules:
    """The checks of a call: each one that cannot hold, whatever the unknown dimensions are, is refused (ValueError)."""

    def __init__(self, op: str, shapes: Sequence[PartialShape]) -> None:
        self._op, self._shapes = op, shapes

    def require(self, condition: Any, message: str) -> None:
        if not _truth(condition).maybe:
            raise ValueError(f"{self._op}: {message}")

    def count(self, low: int, high: int) -> None:
        span = str(low) if low == high else f"{low} to {high}"
        self.require(low <= len(self._shapes) <= high, f"{len(self._shapes)} inputs given, expected {span}")

    def given(self, place: int) -> bool:
        return place < len(self._shapes)

    def input(self, name: str, place: int, low: int, high: int) -> Shape:
        """The shape of an input, whose rank lies between two."""
        if not self.given(place):
            return Shape()
        shape = Shape.of(self._shapes[place])
        if shape.dims is not None:
            ranks = len(shape.dims)
            self.require(low <= ranks <= high, f"'{name}' has rank {ranks}, allowed is {low} to {high}")
        return shape

    def match(self, name: str, shape: Shape, items: Sequence[Any]) -> None:
        """Compares a shape with a list, and learns what its names are."""
        if shape.dims is None:
            return
        total, fixed = len(shape.dims), sum(not isinstance(item, Run) for item in items)
        fits = total == fixed or (total > fixed and fixed != len(items))
        self.require(fits, f"'{name}' has rank {total}, which does not fit")
        place = 0
        for item in items:
            if isinstance(item, Run):
                end = place + total - fixed
                if item is not ANY:
                    self._meet_run(name, item, shape.dims[place:end])
                place = end
            else:
                self._meet(name, place, shape.dims[place], item)
                place += 1

    def same_shape(self, name: str, shape: Shape, wanted: Shape) -> None:
        if shape.dims is not None and wanted.dims is not None:
            message = f"'{name}' has shape {shape.partial()}, expected {wanted.partial()}"
            self.require(shape == wanted, message.replace("{", "[").replace("}", "]"))

    def axis(self, name: str, value: Any, shape: Shape, from_end: bool) -> None:
        """A param that numbers a dimension, from the end when negative."""
        low = -rank(shape) if from_end else Number(0)
        value = number(value)
        self.require(both(value >= low, value < rank(shape)), f"param '{name}' numbers no dimension")

    def types(self, rows: Sequence[Sequence[Type]], inputs: Sequence[Type], outputs: int) -> list[Type]:
        """The types of the outputs; dynamic as long as those of the inputs allow several."""
        for device in (False, True):
            fitting = [row for row in rows if self.fits(row, inputs, device)]
            if fitting:
                ends = [[DEVICE.get(t, t) if device else t for t in row[-outputs:]] for row in fitting]
                return [
                    column[0] if len(set(map(str, column))) == 1 else Type.dynamic for column in zip(*ends, strict=True)
                ]
        raise ValueError(
            f"{self._op}: no kernel for these element types: {', '.join(t.get_type_name() for t in inputs)}"
        )

    @staticmethod
    def fits(row: Sequence[Type], inputs: Sequence[Type], device: bool) -> bool:
        pairs = list(zip(inputs, row, strict=False))
        return all(same_type(a, b).maybe or (device and a == DEVICE.get(b)) for a, b in pairs)

    def _meet(self, name: str, place: int, extent: Number, item: Any) -> None:
        wanted = number(item)
        named = f" ({item.name})" if isinstance(item, Dim) else ""
        text = f"dimension {place} of '{name}' is {_text(extent)}, expected {_text(wanted)}{named}"
        self.require(extent == wanted, text)
        if isinstance(item, Dim):
            item.low, item.high = max(item.low, extent.low), min(item.high, extent.high)

    def _meet_run(self, name: str, run: Run, extents: list[Number]) -> None:
        if run.dims is None:
            run.dims = list(extents)
            return
        self.require(run == Shape(extents), f"'{name}' differs in *{run.name}")
        run.dims = [Number(max(a.low, b.low), min(a.high, b.high)) for a, b in zip(run.dims, extents, strict=True)]


def _text(value: Number) -> str:
    low, high = ("" if math.isinf(end) else str(int(end)) for end in (value.low, value.high))
    return low if value.known else f"{low}..{high}"
