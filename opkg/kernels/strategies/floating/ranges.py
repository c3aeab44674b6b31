"""Between which ends real values lie, in the float strategy: where a result cannot leave qfloat's range, nobody looks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from opkg.kernels.graphs.graph import Node
from opkg.kernels.snippet import Snippet, Storage
from opkg.spec.compute.types import Type

Ends = tuple[float, float]

LIMIT = 2.0**127  # floats of this size and more are computed again
_ROUNDING = 1 + 2.0**-16  # more than any function is off
_NORMAL = 2.0**-125
EVERYTHING: Ends = (-LIMIT, LIMIT)


def leaves(node: Node, args: Sequence[Ends]) -> bool:
    """Whether the result may be NaN, infinite or too large when the operands lie between these ends."""
    if node.op in ("sqrt", "rsqrt", "log"):
        return args[0][0] < _NORMAL
    if node.op in ("div", "pow"):  # also a subnormal dividend or base
        return True
    return may_be_large(node, args)


def may_be_large(node: Node, args: Sequence[Ends]) -> bool:
    """Whether the result may be too large."""
    low, high = _ends(node, args)
    return max(-low, high) >= LIMIT


def ends(node: Node, args: Sequence[Ends], snippet: Snippet) -> Ends:
    """Where the value of a node lies, given that what is too large is computed again. `args`: of its operands."""
    if node.op in ("input", "param") and not node.uniform:
        return _stored(snippet, node)
    if node.type is Type.BOOL:
        return 0.0, 1.0
    if node.op == "const":
        return float(node.value or 0), float(node.value or 0)
    if node.uniform:
        return -1e38, 1e38  # `prepare` sees to it
    low, high = _ends(node, args)
    return max(low, -LIMIT), min(high, LIMIT)


def _stored(snippet: Snippet, node: Node) -> Ends:
    operand = snippet.operand(node.name)
    if operand.is_float:
        return (-65504.0, 65504.0) if operand.storage is Storage.F16 else EVERYTHING
    if operand.quantized:
        return -1e36, 1e36  # 17 bits times a scale below 1e30
    low, high = operand.storage.limits
    return float(low - operand.bias), float(high - operand.bias)


def _ends(node: Node, args: Sequence[Ends]) -> Ends:
    rule = _square if node.op == "mul" and node.args[0] == node.args[1] else _RULES.get(node.op)
    low, high = rule(args) if rule else EVERYTHING
    wider = (low - abs(low) * (_ROUNDING - 1), high + abs(high) * (_ROUNDING - 1))
    return EVERYTHING if math.isnan(wider[0]) or math.isnan(wider[1]) else wider


def _exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf


def _monotone(function: Callable[[float], float]) -> Callable[[Sequence[Ends]], Ends]:
    return lambda args: (function(args[0][0]), function(args[0][1]))


def _absolute(args: Sequence[Ends]) -> Ends:
    low, high = args[0]
    return max(low, -high, 0.0), max(-low, high)


def _product(args: Sequence[Ends]) -> Ends:
    found = [x * y for x in args[0] for y in args[1]]
    return min(found), max(found)


def _root(args: Sequence[Ends]) -> Ends:
    return math.sqrt(max(args[0][0], 0.0)), math.sqrt(max(args[0][1], 0.0))


def _square(args: Sequence[Ends]) -> Ends:
    low, high = _absolute(args)
    return low * low, high * high


def _quotient(args: Sequence[Ends]) -> Ends:
    (low, high), (divisor, same) = args
    if divisor != same or divisor == 0:
        return EVERYTHING
    return _product([(low, high), (1 / divisor, 1 / divisor)])


_RULES: dict[str, Callable[[Sequence[Ends]], Ends]] = {
    "add": lambda a: (a[0][0] + a[1][0], a[0][1] + a[1][1]),
    "sub": lambda a: (a[0][0] - a[1][1], a[0][1] - a[1][0]),
    "mul": _product,
    "div": _quotient,
    "neg": lambda a: (-a[0][1], -a[0][0]),
    "abs": _absolute,
    "sign": lambda a: (-1.0, 1.0),
    "min": lambda a: (min(a[0][0], a[1][0]), min(a[0][1], a[1][1])),
    "max": lambda a: (max(a[0][0], a[1][0]), max(a[0][1], a[1][1])),
    "floor": lambda a: (a[0][0] - 1, a[0][1]),
    "ceil": lambda a: (a[0][0], a[0][1] + 1),
    "round": lambda a: (a[0][0] - 1, a[0][1] + 1),
    "trunc": lambda a: (min(a[0][0], 0.0), max(a[0][1], 0.0)),
    "sqrt": _root,
    "rsqrt": lambda a: (0.0, 2.0**64),
    "exp": _monotone(_exp),
    "log": lambda a: (-104.0, 104.0),
    "sigmoid": lambda a: (0.0, 1.0),
    "tanh": lambda a: (-1.0, 1.0),
    "erf": lambda a: (-1.0, 1.0),
    "select": lambda a: (min(a[1][0], a[2][0]), max(a[1][1], a[2][1])),
    "cast": lambda a: a[0],
}
