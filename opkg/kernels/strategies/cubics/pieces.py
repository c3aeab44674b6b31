"""Which pieces serve a function of one half: the cheapest that keep its error small, found by trying all halves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.strategies.cubics.model import NO_LEAST, Cubics, wide
from opkg.kernels.strategies.cubics.values import FINITE, HALVES, NEAR_ZERO, Array, Values, known

# Of a half, the largest error; where no pieces leave less than the first, few may do with the second.
GOOD_ULPS, MOST_ULPS = 0.9, 1.0
FEW = 96  # more pieces take almost as long as single precision
_MOST_PIECES = 128
_ENDLESS = "it changes over too many halves, or its sign does other than that of x"
_NONE = 45  # a power of pieces of which nothing is left
_LENGTHS, _POINTS = (11, 10, 9, 8), (13, 12, 11, 10)
_NODES = np.cos(np.pi * (2 * np.arange(4) + 1) / 8)
_THROUGH = np.linalg.inv(np.vander(_NODES, 4, increasing=True))
_BETWEEN = np.linspace(-1, 1, 33)


@dataclass(frozen=True)
class Side:
    """One side of 0. `end`: beyond it all results are known; `keeps`: they are those of the end; `nothing`: they are 0."""

    end: float
    keeps: bool
    nothing: bool


def fitted(graph: Graph) -> tuple[Cubics, float] | str:
    """The cubics of a function and their largest error in ulp of a half; a text says why there are none."""
    if not known(graph):
        return "it is no function of one half with exp, log, sigmoid, tanh or erf in it"
    values = Values(graph)
    times = _times(values)
    sides = [_side(values, negative, times) for negative in (True, False)]
    low, high = sides
    if low is None or high is None:
        return _ENDLESS
    why, near = _ENDLESS, None
    for cubics in _tried(values, times, low, high):
        why = f"{_MOST_PIECES} pieces leave more than {GOOD_ULPS:g} ulp of half precision"
        error = values.error(cubics.results())
        if error <= GOOD_ULPS:
            return cubics, error
        if error <= MOST_ULPS and cubics.pieces <= FEW and near is None:
            near = cubics, error
    return near or why


def _times(values: Values) -> bool:
    """Whether f(x) / x is what goes on smoothly through 0."""
    near = np.asarray([-NEAR_ZERO, NEAR_ZERO])
    return bool(np.all(np.abs(values.at(near)) < 8 * NEAR_ZERO))


def _side(values: Values, negative: bool, times: bool) -> Side | None:
    """Where results of finite halves begin to be all alike, or all the same multiple of x."""
    order = HALVES[(HALVES >= 0x8000) == negative]
    order = order[FINITE[order]][::-1]  # from the largest magnitude on
    bits, x = values.bits[order], order.view(np.float16).astype(np.float64)
    alike = _run(bits == bits[0])
    with np.errstate(all="ignore"):
        scaled = (x * (values.wanted[order][0] / x[0])).astype(np.float16).view(np.uint16)
    along = _run(bits == scaled) if times else 0
    run = max(alike, along)
    if run < 2:
        return None
    nothing = int(bits[0]) & 0x7FFF == 0
    return Side(abs(float(x[run - 1])), times and alike >= along and not nothing, nothing)


def _run(same: Array) -> int:
    """How many are true from the first one on."""
    return int(same.size if same.all() else np.argmin(same))


def _tried(values: Values, times: bool, low: Side, high: Side) -> Iterator[Cubics]:
    """Cubics from the cheapest on."""
    found = []
    for point in _POINTS:
        for length in _LENGTHS:
            width = 2.0 ** (length - point)
            before, behind = (math.ceil(side.end / width) + (not side.keeps) for side in (low, high))
            pieces, origin = before + behind, before << length
            if pieces <= _MOST_PIECES and pieces << length <= 1 << 16:
                cost = 2 * -(-pieces // 16) + -(-pieces // 32) / 2 + 1.5 * wide(origin, pieces, length)
                found.append((cost, -point, length, before, pieces))
    least, most = (_bits(side) if side.keeps else 0x7C00 for side in (low, high))
    with np.errstate(all="ignore"):
        overflows = bool(np.any(np.isinf(values.bits.view(np.float16)) & FINITE))
    undefined = bool(np.isnan(values.wanted[NO_LEAST]))
    for _, negative, length, before, pieces in sorted(found):
        table = _table(values, times, before, pieces, 2.0 ** (length + negative))
        if table is not None:
            for side, end in ((low, 0), (high, -1)):
                if side.nothing:
                    table[end] = _nothing(times)
            yield Cubics(times, -negative, length, before << length, least | 0x8000, most, overflows, undefined, table)


def _bits(side: Side) -> int:
    return int(np.float16(side.end).view(np.uint16))


def _table(values: Values, times: bool, before: int, pieces: int, width: float) -> Array | None:
    """A row for each piece; None where g is not finite or below 0."""
    center = (np.arange(pieces) - before + 0.5) * width
    g = values.factor if times else values.at
    at = g(center[:, None] + _NODES * (width / 2))
    ends = g(center[:, None] + np.asarray([-0.4999, 0.0, 0.4999]) * width)
    largest = np.maximum(at.max(axis=1), ends.max(axis=1))
    if not np.all(np.isfinite(largest)) or min(at.min(), ends.min()) < -(2.0**-30):
        return None
    nothing = largest * (np.abs(center) + width if times else 1.0) < 2.0**-26
    table = np.zeros((pieces, 5), np.int32)
    for piece in range(pieces):
        if nothing[piece]:
            table[piece] = _nothing(times)
            continue
        power = 15 - math.frexp(float(largest[piece]))[1]
        row = np.rint(_THROUGH @ at[piece] * 2.0**power)
        if np.abs(np.polyval(row[::-1], _BETWEEN)).max() > 32767 or np.abs(row).max() > 32767:
            power -= 1
            row = np.rint(_THROUGH @ at[piece] * 2.0**power)
        if np.abs(row).max() > 32767 or abs(power) > 100:
            return None
        table[piece] = (*row, power - 15 if times else 29 - power)
    return table


def _nothing(times: bool) -> tuple[int, ...]:
    """A piece of zeros: its exponent is below that of any half."""
    return 0, 0, 0, 0, (_NONE - 15 if times else 29 - _NONE)
