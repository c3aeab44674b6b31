"""What is known of one value of float32 steps as torch's own are (`torch_plain`)."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.compute.tree import Function

POSITIVE = frozenset((Function.EXP, Function.SIGMOID, Function.SOFTPLUS, Function.SQRT, Function.RSQRT, Function.ABS))
# Functions that are not steep at 0: what a factor has lost there does not count.
SMOOTH = frozenset(
    (
        Function.EXP, Function.SIGMOID, Function.SOFTPLUS, Function.TANH, Function.ERF, Function.ATAN, Function.SIN,
        Function.COS, Function.SILU, Function.MISH, Function.GELU, Function.HARDSWISH,
    )
)  # fmt: skip
LEAST = 2.0**-60  # of such factors


@dataclass(frozen=True, slots=True)
class Step:
    """A value of float32 steps. `error`: how far it is off at most, in 2**-24 of its size: the computation with the magnitude of
    each value in it, where what is subtracted is added. `summed`: its size may be more than its magnitude. `made`: a function
    has made it, or a part of it. `positive`: it is not negative. `number`: it is one of the text, or a param. `inputs`: what
    it is made of, `decided`: those that `round` or its like has taken."""

    error: float = 0.0
    summed: bool = False
    made: bool = False
    positive: bool = False
    number: bool = False
    inputs: frozenset[str] = frozenset()
    decided: frozenset[str] = frozenset()


def worst(*steps: Step) -> Step:
    """The worst of several values."""
    return Step(
        max(step.error for step in steps),
        any(step.summed for step in steps),
        any(step.made for step in steps),
        all(step.positive for step in steps),
        all(step.number for step in steps),
        frozenset[str]().union(*(step.inputs for step in steps)),
        frozenset[str]().union(*(step.decided for step in steps)),
    )
