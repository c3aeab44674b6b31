"""Interval analysis of integer graphs: what values a node can take, and between which ends they must be told apart.

Forward: the range of every node, from those of its operands. Backward: a store saturates, so of a sum that is stored in 8
bits only its value clamped to those 8 bits matters, and of its operands accordingly. The part of a node's range that must
be kept apart is its *needed* interval: a lane that holds it may saturate everything else.

Why saturating inside is right: let v be the exact value of a node in the range R, and W the interval to which its users
clamp it. A lane whose ends enclose the intersection of R and W holds a number r between v and clamp(v, W), and every
operation below takes such numbers r to a result that its own users cannot tell from the exact one. Where R and W have
nothing in common, W is widened to R.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from opkg.kernels.graphs.graph import Graph, Node

_INT64 = (-(1 << 63), (1 << 63) - 1)


@dataclass(frozen=True, slots=True)
class Interval:
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        assert self.low <= self.high, f"empty interval {self.low}..{self.high}"

    def __contains__(self, other: Interval) -> bool:
        return self.low <= other.low and other.high <= self.high

    def __or__(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def __and__(self, other: Interval) -> Interval | None:
        """What both hold, if anything."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else None

    @property
    def single(self) -> bool:
        return self.low == self.high

    @property
    def largest(self) -> int:
        """The largest magnitude."""
        return max(abs(self.low), abs(self.high))


BOOL = Interval(0, 1)


def clamped(range_: Interval, limits: Interval) -> Interval:
    """The values of a range after they were clamped to limits."""
    low, high = (min(max(end, limits.low), limits.high) for end in (range_.low, range_.high))
    return Interval(low, high)


class Wraps(Exception):
    """An operation whose result may leave int64."""


Forward = Callable[[Node, Sequence[Interval]], Interval]


def forward(node: Node, args: Sequence[Interval]) -> Interval:
    """The range of a node that is no leaf, from those of its operands.

    Raises Wraps when the result may leave int64, KeyError for an operation without a rule.
    """
    found = FORWARD[node.op](node, args)
    if found not in Interval(*_INT64):
        raise Wraps(node.op)
    return found


def _corners(function: Callable[[int, int], int]) -> Forward:
    """The range of a function that is monotone in each operand."""

    def ends(node: Node, args: Sequence[Interval]) -> Interval:
        a, b = args
        found = [function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return Interval(min(found), max(found))

    return ends


def _abs(node: Node, args: Sequence[Interval]) -> Interval:
    (a,) = args
    return Interval(max(a.low, -a.high, 0), a.largest)


def _absdiff(node: Node, args: Sequence[Interval]) -> Interval:
    a, b = args
    return _abs(node, [Interval(a.low - b.high, a.high - b.low)])


def _power(node: Node, args: Sequence[Interval]) -> Interval:
    base, exponent = args
    if exponent.low < 0 or exponent.high > 64:
        raise Wraps(node.op)
    most = base.largest**exponent.high
    return Interval(-most, most) | Interval(0, 1)


def _floor_div(node: Node, args: Sequence[Interval]) -> Interval:
    """Quotients by positive and by negative divisors, at the ends of both; 0 by 0."""
    a, b = args
    ends = [end for part in _signs(b) for end in (part.low, part.high)]
    found = [x // y for x in (a.low, a.high) for y in ends] + [0] * (0 in range(b.low, b.high + 1))
    return Interval(min(found), max(found))


def _signs(b: Interval) -> list[Interval]:
    """The positive and the negative numbers of a range."""
    parts = (b & Interval(1, max(b.high, 1)), b & Interval(min(b.low, -1), -1))
    return [part for part in parts if part is not None]


def _mod(node: Node, args: Sequence[Interval]) -> Interval:
    a, b = args
    if a.low >= 0 and b.low >= 0:
        return Interval(0, min(a.high, max(b.high - 1, 0)))
    return Interval(min(b.low + 1, 0), max(b.high - 1, 0))


def _bits(node: Node, args: Sequence[Interval]) -> Interval:
    """All numbers of as many bits."""
    a, b = args
    if node.op == "bit_and" and max(a.low, b.low) >= 0:
        return Interval(0, min(side.high for side in args if side.low >= 0))
    size = max(max(-1 - side.low, side.high).bit_length() for side in args)
    return Interval(0 if min(a.low, b.low) >= 0 else -(1 << size), (1 << size) - 1)


def _decided(holds: Callable[[Interval, Interval], bool | None]) -> Forward:
    """A comparison: one value where the ranges decide it."""

    def outcome(node: Node, args: Sequence[Interval]) -> Interval:
        found = holds(args[0], args[1])
        return BOOL if found is None else Interval(int(found), int(found))

    return outcome


def _less(a: Interval, b: Interval) -> bool | None:
    return True if a.high < b.low else False if a.low >= b.high else None


def _equal(a: Interval, b: Interval) -> bool | None:
    if a & b is None:
        return False
    return True if a.single and a == b else None


def _inverse(found: bool | None) -> bool | None:
    return None if found is None else not found


def _select(node: Node, args: Sequence[Interval]) -> Interval:
    test, then, other = args
    return other if test.high == 0 else then if test.low == 1 else then | other


FORWARD: dict[str, Forward] = {
    "add": _corners(lambda a, b: a + b),
    "sub": _corners(lambda a, b: a - b),
    "mul": _corners(lambda a, b: a * b),
    "wrapping_add": lambda node, args: Interval(*_INT64),
    "wrapping_sub": lambda node, args: Interval(*_INT64),
    "wrapping_mul": lambda node, args: Interval(*_INT64),
    "min": _corners(min),
    "max": _corners(max),
    "avg": _corners(lambda a, b: (a + b) >> 1),
    "avg_round": _corners(lambda a, b: (a + b + 1) >> 1),
    "shift_left": _corners(lambda a, b: a << min(max(b, 0), 64)),
    "shift_right": _corners(lambda a, b: a >> min(max(b, 0), 63)),
    "shift_right_by": _corners(lambda a, b: a >> b),
    "shift_right_far": _corners(lambda a, b: a >> b),
    "bit_and": _bits,
    "bit_or": _bits,
    "bit_xor": _bits,
    "low_bits": lambda node, args: Interval(0, (1 << args[1].high) - 1),
    "neg": lambda node, args: Interval(-args[0].high, -args[0].low),
    "abs": _abs,
    "absdiff": _absdiff,
    "absdiff_loaded": _absdiff,
    "sign": lambda node, args: Interval(min(max(args[0].low, -1), 1), min(max(args[0].high, -1), 1)),
    "pow": _power,
    "floor_div": _floor_div,
    "mod": _mod,
    "select": _select,
    "lt": _decided(_less),
    "gt": _decided(lambda a, b: _less(b, a)),
    "le": _decided(lambda a, b: _inverse(_less(b, a))),
    "ge": _decided(lambda a, b: _inverse(_less(a, b))),
    "eq": _decided(_equal),
    "ne": _decided(lambda a, b: _inverse(_equal(a, b))),
    "and": _corners(min),
    "or": _corners(max),
    "not": lambda node, args: Interval(1 - args[0].high, 1 - args[0].low),
}


Backward = Callable[[Interval, Sequence[Interval]], Sequence[Interval]]


def needed(graph: Graph, ranges: Sequence[Interval], stored: Mapping[int, Interval]) -> tuple[Interval, ...]:
    """For every node, the part of its range whose numbers must be told apart; beyond it they may be saturated.

    `stored`: for nodes that are results, the ends to which the store saturates them.
    """
    windows: list[Interval | None] = [stored.get(index) for index in range(len(graph))]
    found: list[Interval] = list(ranges)
    for index in reversed(range(len(graph))):
        window, node = windows[index], graph[index]
        cut = ranges[index] if window is None else window & ranges[index] or ranges[index]
        found[index] = cut
        operands = [ranges[arg] for arg in node.args]
        rule = BACKWARD.get(node.op)
        wanted = rule(cut, operands) if rule else operands
        for arg, window in zip(node.args, wanted, strict=True):
            before = windows[arg]
            windows[arg] = window if before is None else before | window
    return tuple(found)


def _around(low: int, high: int) -> Interval:
    """An interval whose ends may have crossed, when an operand cannot matter."""
    return Interval(min(low, high), max(low, high))


def _add_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return [Interval(w.low - b.high, w.high - b.low), Interval(w.low - a.high, w.high - a.low)]


def _sub_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return [Interval(w.low + b.low, w.high + b.high), Interval(a.low - w.high, a.high - w.low)]


def _min_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return [_around(w.low, min(w.high, b.high)), _around(w.low, min(w.high, a.high))]


def _max_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return [_around(max(w.low, b.low), w.high), _around(max(w.low, a.low), w.high)]


def _abs_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    return [Interval(-max(w.high, 0), max(w.high, 0))]


def _shift_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    bits = args[1].high
    return [Interval(w.low << bits, ((w.high + 1) << bits) - 1), args[1]]


def _select_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    return [args[0], w, w]


def _greater_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    """a > b: below b's range and above it, one number stands for all. The ranges overlap, else it is decided."""
    a, b = args
    return [Interval(b.low, b.high + 1), Interval(a.low - 1, a.high)]


def _equal_back(w: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return [Interval(b.low - 1, b.high + 1), Interval(a.low - 1, a.high + 1)]


# Operations that are not here need their operands exactly.
BACKWARD: dict[str, Backward] = {
    "add": _add_back,
    "sub": _sub_back,
    "min": _min_back,
    "max": _max_back,
    "abs": _abs_back,
    "shift_right": _shift_back,
    "select": _select_back,
    "gt": _greater_back,
    "eq": _equal_back,
}
