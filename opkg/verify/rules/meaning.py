"""What it takes to give an op a meaning: what it computes on real values, and which operands make sense for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from opkg.rules.core import HtpType
from opkg.rules.sim.model import Output
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.tensors import Value

Shape = tuple[int, ...]


class Unfit(Exception):
    """The op does not allow such operands; the text says why."""


MOST_ELEMENTS = 1 << 22  # of a result; larger ones are not computed


def bounded(shape: Iterable[int]) -> None:
    """Raises Unfit for a result that is too large to be computed."""
    if math.prod(shape) > MOST_ELEMENTS:
        raise Unfit(f"a result of more than {MOST_ELEMENTS} elements")


@dataclass(frozen=True, slots=True)
class Arg:
    """One operand: real values (several arrays for a multi-output op), description; `const`: a constant or shape."""

    value: Value
    output: Output
    const: bool = False

    @property
    def array(self) -> Array:
        """The values; raises Unfit for an operand with several outputs."""
        if isinstance(self.value, tuple):
            raise Unfit("an op with several outputs is read without $Out")
        return self.value

    @property
    def shape(self) -> Shape:
        return self.array.shape


@dataclass(frozen=True, slots=True)
class Call:
    """One op on its operands. `output`: what the node is described as; its shape is None while a graph is being made."""

    op: str
    args: tuple[Arg, ...]
    dtype: HtpType
    shape: Shape | None = None
    output: Output | None = None

    def arg(self, index: int) -> Array | None:
        """The values of an operand, None when it is not there."""
        return self.args[index].array if index < len(self.args) else None

    def numbers(self, index: int, default: Sequence[int] = ()) -> tuple[int, ...]:
        """A small operand as whole numbers: a constant's values, or the dimensions of a `$Shape`."""
        found = self.arg(index)
        return tuple(default) if found is None else tuple(int(v) for v in found.reshape(-1))

    def number(self, index: int, default: float) -> float:
        """The first value of a small operand."""
        found = self.arg(index)
        return default if found is None or not found.size else float(found.reshape(-1)[0])


class Typing(StrEnum):
    """How element types of an op's data operands and of its output hang together."""

    SAME = "same"  # all alike; quantizations are free
    KEPT = "kept"  # as SAME, and the output has the quantization of the first operand
    FLOAT = "float"  # as SAME, but not for plain integers
    LINEAR = "linear"  # as FLOAT; operand 2 (bias) is QInt32 when the others are quantized
    CAST = "cast"  # any to any
    QUANTIZE = "quantize"  # float to quantized
    DEQUANTIZE = "dequantize"  # quantized to float
    COMPARE = "compare"  # alike to truth values: QUInt8 of step 1
    INDEX = "index"  # anything to Int32


@dataclass(frozen=True, slots=True)
class Want:
    """An operand that a graph should have: data of a shape, or (`values`) a constant of that type."""

    shape: Shape
    values: Array | None = None
    dtype: HtpType = HtpType.UNKNOWN


def const(values: Array, dtype: HtpType) -> Want:
    """A constant operand."""
    return Want(values.shape, values, dtype)


# (random numbers, shapes known so far or None for each operand, how to draw a shape) -> an operand for each place.
Propose = Callable[[Rng, Sequence[Shape | None], Callable[[], Shape]], list[Want]]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A core op. `compute` raises Unfit for operands that the op does not allow; `least`..`most` operands (`most` -1: any).

    `data`: how many of the first operands are tensors (-1: all that `propose` gives no values); the others are params.
    `free_shape`: the op's output shape is not determined by its operands (a Reshape without a shape operand): `propose_shape`
    draws one. `dim_source`: output dimension (negative: from the end) -> (operand, its dimension), where not operand 0's.
    """

    compute: Callable[[Call], Value]
    propose: Propose
    least: int
    most: int
    data: int = -1
    typing: Typing = Typing.SAME
    outputs: Callable[[int], int] | None = None
    free_shape: Callable[[Rng, Shape], Shape] | None = None
    dim_source: tuple[tuple[int, tuple[int, int]], ...] = ()


def operands(
    meaning: Meaning, op: str, rng: Rng, known: Sequence[Shape | None], draw: Callable[[], Shape]
) -> list[Want]:
    """An operand for each place, beside those whose shapes are known. Raises Unfit when there are none."""
    count = len(known)
    if count < meaning.least or (meaning.most >= 0 and count > meaning.most):
        raise Unfit(f"{op} with {count} operands")
    try:
        wants = meaning.propose(rng, known, draw)
    except (ValueError, IndexError, TypeError) as wrong:  # shapes of odd ranks among the known ones
        raise Unfit(f"{op} has no operands beside {list(known)}: {wrong}") from None
    if len(wants) < count:
        raise Unfit(f"{op} with {count} operands")
    return wants[:count]
