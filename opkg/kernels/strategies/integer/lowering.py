"""One way to compute an operation of integer lanes by instructions, and what many of them are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from opkg.kernels.graphs.ranges import Interval
from opkg.kernels.strategies.integer.lanes import S8, S16, S32, S64, U8, U16, U32, Form, Lanes, Vectors

# Rough costs of an instruction on one vector: quarters of a packet.
ALU, DOUBLE, SHIFT, MULTIPLY = 1, 2, 3, 4

Write = Callable[[Lanes, tuple[Vectors, ...]], Vectors]


@dataclass(frozen=True, slots=True)
class Lowering:
    """One way to compute an operation by instructions: operands in the forms `takes`, result in the form `gives`; `write`
    emits it. An operand beyond those of `takes` is a constant that the instruction holds.

    `cost`: quarters of a packet for one vector of the widest form. A lowering whose result must not saturate is `exact`.
    """

    takes: tuple[Form, ...]
    gives: Form
    cost: int
    write: Write
    exact: bool = False


Lowerings = Callable[[Interval, tuple[int, ...]], Iterator[Lowering]]


def each(name: str) -> Write:
    return lambda lanes, args: lanes.each(name, *args)


PLAIN = (U8, S8, U16, S16, U32, S32)


def long(write: Write, operands: int, cost: int, gives: Form = S64) -> Lowering:
    """An operation in lanes of 64 bits; `cost`: of 32 numbers."""
    return Lowering((S64,) * operands, gives, cost if gives.test else cost // 2, write)
