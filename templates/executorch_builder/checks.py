"""What the checks of this package are made of: tensors, rejections, params. No torch."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

Shape = tuple[int, ...]
Number = TypeVar("Number", int, float)
Dims = TypeVar("Dims", int, tuple[int, ...])


class Rejected(ValueError):
    """The op does not allow this call; the text names the condition that does not hold."""


class Failed(ValueError):
    """Shapes or indexes do not fit, so that an expression has no value."""


@dataclass(frozen=True)
class Tensor:
    """Shape, element type and quantization of a tensor; real = (q + offset) * scale, as in QNN.

    Per channel: `axis`, with one of `scales` and `offsets` per channel; then `scale` is None.
    """

    shape: Shape
    dtype: str
    scale: float | None = None
    offset: int | None = None
    axis: int | None = None
    scales: tuple[float, ...] = ()
    offsets: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)


Given = Tensor | Sequence[Tensor] | None


def several(given: Given) -> tuple[Tensor, ...]:
    """The tensors of an argument: none, one or all of a variadic one."""
    return () if given is None else (given,) if isinstance(given, Tensor) else tuple(given)


def require(condition: bool, message: str) -> None:
    """Reject the call unless the condition holds."""
    if not condition:
        raise Rejected(message)


@contextmanager
def rejecting(before: str, after: str = "") -> Iterator[None]:
    """Turn an expression that has no value into a rejection."""
    try:
        yield
    except (ArithmeticError, IndexError, Failed) as failure:
        raise Rejected(f"{before}{failure}{after}") from None


def text_of(shape: Sequence[int]) -> str:
    """`[1, 2]`"""
    return "[" + ", ".join(map(str, shape)) + "]"


# Tensors


def gap(inputs: Mapping[str, object]) -> str:
    """QNN tells inputs by position, so none may follow one that is left out (None): which one does, else empty."""
    absent = ""
    for name, given in inputs.items():
        if given is None:
            absent = absent or name
        elif absent:
            return f"input '{name}' is given, but '{absent}' before it is not"
    return ""


def match(
    combinations: Sequence[Mapping[str, str]], given: Mapping[str, Given]
) -> Mapping[str, str]:
    """The first allowed combination of element types that fits the tensors that are there."""
    found = {name: tensors for name, given_ in given.items() if (tensors := several(given_))}
    for types in combinations:
        if all(
            tensor.dtype == types[name] for name, tensors in found.items() for tensor in tensors
        ):
            return types
    for name, tensors in found.items():
        allowed = list(dict.fromkeys(types[name] for types in combinations))
        for tensor in tensors:
            if tensor.dtype not in allowed:
                raise Rejected(
                    f"'{name}' has element type {tensor.dtype}, not {' or '.join(allowed)}"
                )
    texts = ", ".join(
        f"{name}: {tensor.dtype}" for name, tensors in found.items() for tensor in tensors
    )
    raise Rejected(f"no kernel takes these element types together: {texts}")


def count_within(name: str, given: Sequence[Tensor] | None, least: int, most: int) -> None:
    """The number of tensors of a variadic argument."""
    if given is not None and not least <= len(given) <= most:
        raise Rejected(f"'{name}' is given {len(given)} times; allowed are {least} to {most}")


def rank_within(name: str, given: Given, low: int, high: int) -> None:
    """Rank of a tensor; every dimension is at least 1. QNN's graphs have [1] for rank 0."""
    for tensor in several(given):
        if not low <= tensor.rank <= high and (high, tensor.shape) != (0, (1,)):
            allowed = f"{low}" if low == high else f"{low} to {high}"
            raise Rejected(f"'{name}' has rank {tensor.rank}; allowed is {allowed}")
        if any(dim < 1 for dim in tensor.shape):
            raise Rejected(
                f"'{name}' has shape {text_of(tensor.shape)}; every dimension must be at least 1"
            )


def bind(name: str, known: Dims | None, first: str, value: Dims, where: str) -> Dims:
    """A named dimension: what `first` bound it to, if any, must be what `where` has."""
    if known is None or known == value:
        return value
    if isinstance(value, tuple) and isinstance(known, tuple):
        both = (
            f"dimensions {name} are {text_of(known)} in '{first}' and {text_of(value)} in '{where}'"
        )
        raise Rejected(both)
    raise Rejected(f"dimension {name} is {known} in '{first}' and {value} in '{where}'")


def same_dim(at: int, name: str, shape: Shape, wanted: int) -> None:
    """One dimension against the value of its expression."""
    if shape[at] != wanted:
        raise Rejected(f"dimension {at % len(shape)} of '{name}' is {shape[at]}, not {wanted}")


def same_shape(name: str, shape: Shape, wanted: Shape) -> None:
    """A shape against the value of its expression. QNN's graphs have [1] for rank 0."""
    same = shape == wanted or (shape, wanted) == ((1,), ())
    require(same, f"'{name}' has shape {text_of(shape)}, not {text_of(wanted)}")


def inferred(name: str, shape: Shape, low: int, high: int) -> Shape:
    """The shape that the spec gives an output."""
    at_least_1 = f"'{name}' would have shape {text_of(shape)}; every dimension must be at least 1"
    require(all(dim >= 1 for dim in shape), at_least_1)
    require(low <= len(shape) <= high, f"'{name}' would have rank {len(shape)}")
    return shape


def agree(name: str, given: Given, shape: Shape) -> None:
    """An output that the graph has already, against the shape that the spec gives it."""
    for tensor in several(given):
        same_shape(name, tensor.shape, shape)


# Params


def as_bool(name: str, value: object) -> bool:
    """A bool param."""
    if isinstance(value, bool):
        return value
    raise Rejected(f"param '{name}': {value} is no bool")


def as_int(name: str, value: object, low: int, high: int) -> int:
    """An integer param whose element type holds `low` to `high`."""
    if isinstance(value, bool):
        raise Rejected(f"param '{name}': {value} is a bool")
    if not isinstance(value, int):
        raise Rejected(f"param '{name}': {value} is no whole number")
    require(low <= value <= high, f"param '{name}': {value} is not in {low} .. {high}")
    return value


def rounded(value: float, code: str) -> float:
    """A float as its element type stores it (`struct` code f or e); infinite when too large."""
    try:
        result: float = struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return result


def as_float(name: str, value: object, code: str) -> float:
    """A float param, rounded to its element type."""
    if isinstance(value, bool):
        raise Rejected(f"param '{name}': {value} is a bool")
    if not isinstance(value, int | float):
        raise Rejected(f"param '{name}': {value} is no number")
    result = rounded(float(value), code)
    require(
        math.isfinite(result),
        f"param '{name}': {value} does not fit in {'float16' if code == 'e' else 'float32'}",
    )
    return result


def elements(name: str, values: object) -> list[object]:
    """The elements of a tensor param, row-major."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise Rejected(f"param '{name}' must be a tensor")
    require(len(values) > 0, f"param '{name}' is empty")
    rows = [each if isinstance(each, list | tuple) else [each] for each in values]
    return [each for row in rows for each in row]


def length_of(name: str, values: object) -> int:
    """The number of elements of a tensor param."""
    return len(elements(name, values))


def as_bools(name: str, values: object) -> tuple[bool, ...]:
    """A tensor param of bools."""
    return tuple(as_bool(name, value) for value in elements(name, values))


def as_ints(name: str, values: object, low: int, high: int) -> tuple[int, ...]:
    """A tensor param of integers."""
    return tuple(as_int(name, value, low, high) for value in elements(name, values))


def as_floats(name: str, values: object, code: str) -> tuple[float, ...]:
    """A tensor param of floats."""
    return tuple(as_float(name, value, code) for value in elements(name, values))


def from_end(axis: int, rank: int) -> int:
    """A negative axis, which counts from the end in torch, counted from 0."""
    return axis + rank if isinstance(axis, int) and -rank <= axis < 0 else axis


def from_end_all(axes: Sequence[int], rank: int) -> Sequence[int]:
    """Negative axes counted from 0."""
    return [from_end(axis, rank) for axis in axes] if isinstance(axes, Sequence) else axes


def each_of(value: Number | Sequence[Number]) -> Sequence[Number]:
    return value if isinstance(value, Sequence) else (value,)


def element_count(name: str, values: Sequence[object], count: int) -> None:
    """The number of elements of a tensor param."""
    require(len(values) == count, f"param '{name}' has {len(values)} elements, not {count}")


def one_of(name: str, value: int | Sequence[int], allowed: Mapping[str, int]) -> None:
    """A param with named values."""
    for each in each_of(value):
        if each not in allowed.values():
            names = ", ".join(f"{key} ({number})" for key, number in allowed.items())
            raise Rejected(f"param '{name}' is {each}; allowed are {names}")


def at_least(name: str, value: Number | Sequence[Number], limit: Number) -> None:
    for each in each_of(value):
        require(each >= limit, f"param '{name}' is {each}; it must be >= {limit}")


def above(name: str, value: Number | Sequence[Number], limit: Number) -> None:
    for each in each_of(value):
        require(each > limit, f"param '{name}' is {each}; it must be > {limit}")


def at_most(name: str, value: Number | Sequence[Number], limit: Number) -> None:
    for each in each_of(value):
        require(each <= limit, f"param '{name}' is {each}; it must be <= {limit}")


def below(name: str, value: Number | Sequence[Number], limit: Number) -> None:
    for each in each_of(value):
        require(each < limit, f"param '{name}' is {each}; it must be < {limit}")


def axis_within(
    name: str, value: int | Sequence[int], tensor: str, rank: int, signed: bool
) -> None:
    """A param that numbers a dimension of a tensor."""
    low = -rank if signed else 0
    for each in each_of(value):
        known = f"'{tensor}' has dimensions {low} to {rank - 1}"
        require(low <= each < rank, f"param '{name}' is {each}; {known}")
