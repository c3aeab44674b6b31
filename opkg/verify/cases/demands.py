"""Cases that an op always gets: of one with a computation lengths around vectors, extreme scales and zero points, NaN and
infinity; of one with enums or bools every value of each with corner shapes.

A generated kernel has code for whole vectors, for what remains of a row and for numbers that its fast path refuses; chance
alone would leave parts of that unvisited.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.dtypes import Kind
from opkg.spec.model import Combination, Op
from opkg.verify.cases import params

LENGTHS = (1, 127, 128, 129, 4096 + 37)  # elements: less than a vector, one, a bit more, many and a bit
CORNERS = (1, 127, 129)  # of each value of an enum or bool
TRIES = 8  # what constraints forbid is left out


@dataclass(frozen=True, slots=True)
class Demand:
    """What one case must be like. The defaults demand nothing.

    `length`: the last dimension, the others are 1. `ranges`: real ranges of quantized inputs, which take them in turn.
    `stretch`: the quantized outputs cover this multiple of their values' range. `special`: floats hold NaN and infinity.
    """

    label: str = ""
    length: int = 0
    ranges: tuple[tuple[float, float], ...] = ()
    stretch: float = 0.0
    special: bool = False
    bytes: int = 0  # of the largest input, at least
    params: tuple[tuple[str, bool | int | float], ...] = ()  # values of enums and bools


FREE = Demand()
_EXTREMES = (
    Demand("zero-low", ranges=((0.0, 8.0), (0.0, 1e-3), (0.0, 255.0)), stretch=1.0),
    Demand("zero-high", ranges=((-8.0, 0.0), (-1e-3, 0.0), (-255.0, 0.0)), stretch=1.0),
    Demand("scales-apart", ranges=((-1e-4, 1e-4), (-900.0, 1100.0)), stretch=1.0),
    Demand("scales-swapped", ranges=((-900.0, 1100.0), (-1e-4, 1e-4)), stretch=1.0),
    Demand("saturated", stretch=0.01),
    Demand("few-steps", stretch=60.0),
)


def demands(op: Op, combination: Combination) -> tuple[Demand, ...]:
    """The demands that make sense for one combination of element types.

    What a kernel that a user wrote does with NaN is the user's affair.
    """
    return (*_of_computation(op, combination), *_of_values(op))


def _of_values(op: Op) -> list[Demand]:
    """Every value of an enum or bool in every corner: a fault in one branch alone shows there."""
    found = []
    for param in op.params:
        names = {float(number): name for name, number in param.enum}
        for value in params.choices(param):
            label = f"{param.name}-{names.get(float(value), str(value).lower())}"
            found += [Demand(f"{label}-n{length}", length, params=((param.name, value),)) for length in CORNERS]
    return found


def _of_computation(op: Op, combination: Combination) -> list[Demand]:
    if op.compute is None:
        return []
    found = [Demand(f"n{length}", length) for length in LENGTHS]
    inputs = [tensor.dtype.of(combination) for tensor in op.inputs]
    outputs = [tensor.dtype.of(combination) for tensor in op.outputs]
    quantized_in, quantized_out = any(d.quantized for d in inputs), any(d.quantized for d in outputs)
    found += [d for d in _EXTREMES if (quantized_in if d.ranges else quantized_out)]
    own_body = any(kernel.body for kernel in op.kernels if kernel.combination == combination)
    if any(d.kind is Kind.FLOAT for d in inputs) and not quantized_out and not own_body:
        found.append(Demand("special", special=True))
    return found
