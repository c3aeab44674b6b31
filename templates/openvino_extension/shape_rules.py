"""Shapes and conditions of an op whose dimensions may be unknown, with the operators of rules over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from openvino import Dimension, PartialShape, Type

from .shape_numbers import ANYTHING as ANYTHING
from .shape_numbers import EXTENT as EXTENT
from .shape_numbers import Number as Number
from .shape_numbers import Truth as Truth
from .shape_numbers import both as both
from .shape_numbers import ceil_div as ceil_div
from .shape_numbers import divide as divide
from .shape_numbers import either as either
from .shape_numbers import floor_div as floor_div
from .shape_numbers import floor_mod as floor_mod
from .shape_numbers import least as least
from .shape_numbers import magnitude as magnitude
from .shape_numbers import most as most
from .shape_numbers import negated as negated
from .shape_numbers import number as number
from .shape_numbers import round_up as round_up
from .shape_numbers import select as select
from .shape_numbers import single as single
from .shape_numbers import truth as truth

DEVICE = {
    Type.f16: Type.f32, Type.boolean: Type.u8, Type.i16: Type.i32, Type.i64: Type.i32, Type.u16: Type.i32,
    Type.u32: Type.i32, Type.u64: Type.i32,
}  # fmt: skip  # what OpenVINO's CPU device computes with in place of a type


def numbers(values: Sequence[Any]) -> list[Number]:
    return [Number(value) for value in values]


def changed(row: Sequence[Type], inputs: Sequence[Type]) -> bool:
    """Whether the device has changed whole numbers of a row's inputs to these types."""
    pairs = list(zip(inputs, row, strict=False))
    other = any(a != b and not b.is_real() for a, b in pairs)
    return other and all(a == DEVICE.get(b, b) for a, b in pairs)


def row(rows: Sequence[Sequence[Type]], inputs: Sequence[Type], made: int | None = None) -> int:
    """The row of a call. `made`: that of the types that the op had before, which the device may have changed to those of another."""
    if made is not None and changed(rows[made], inputs):
        return made
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
        return Shape() if truth(keep).maybe_not else Shape([EXTENT] * len(shape.dims))
    total = len(shape.dims)
    if any(not -total <= axis.low < total for axis in places):
        raise ValueError(f"an axis of rank {total}")
    reduced = {int(axis.low) % total for axis in places}
    kept = [Number(1) if i in reduced else extent for i, extent in enumerate(shape.dims)]
    return Shape(kept if truth(keep).maybe else [e for i, e in enumerate(kept) if i not in reduced])


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
        if not truth(condition).maybe:
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
