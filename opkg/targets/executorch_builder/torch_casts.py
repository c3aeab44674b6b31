"""Casts to integers in as few steps as their operands allow, and which integers a computation may take as reals at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Const,
    Function,
    Input,
    Node,
    Param,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    children,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.compute.walk import walk
from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.torch_known import ATOM, Printed
from opkg.targets.executorch_builder.torch_whole import HELD

_WHOLE = frozenset((Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC))
_INT64 = 2.0**63
DOUBLED = (HELD | {"uint16", "uint32"}) - {"bool8"}  # integers that float64 holds


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a value lies; `nan`: it may be NaN."""

    low: float = -math.inf
    high: float = math.inf
    nan: bool = True

    def within(self, dtype: str) -> bool:
        """Whether it is in an integer type, but for NaN, when its fraction is left out."""
        low, high = DTYPES[dtype].limits
        return self.low > low - 1 and self.high < high + 1


class Reaches:
    """The reaches of a computation's values in some rows of element types."""

    def __init__(self, op: Op, rows: Sequence[Combination]) -> None:
        assert op.compute is not None
        dtypes = {t.name: {t.dtype.of(row).name for row in rows} for t in op.inputs}
        self._known = {name: _joined([_of_type(dtype) for dtype in found]) for name, found in dtypes.items()}
        self._known |= {p.name: _of_type(p.dtype.name) for p in op.params}
        self._types = [Types(op.compute, op, row) for row in rows]
        self._names: dict[str, Reach] = {}
        for statement in op.compute.statements:  # each once, however often others use it
            self._names[statement.name] = self.of(statement.expr)

    def of(self, node: Node) -> Reach:
        found = self._of(node)
        if (found.low >= -_INT64 and found.high < _INT64) or not any(t[node] is Type.INTEGER for t in self._types):
            return found
        return Reach(-_INT64, _INT64, nan=False)  # an integer that may have wrapped

    def _of(self, node: Node) -> Reach:
        match node:
            case Const(value):
                return Reach(float(value), float(value), nan=math.isnan(value))
            case Input(name) | Param(name):
                return self._known[name]
            case Assigned(name):
                return self._names[name]
            case Compare():
                return Reach(0, 1, nan=False)
            case Unary(UnaryOp.NEG):
                x = self.of(node.operand)
                return Reach(-x.high, -x.low, x.nan)
            case Binary(BinaryOp.ADD | BinaryOp.SUB | BinaryOp.MUL | BinaryOp.DIV):
                return self._binary(node)
            case Select():
                return _joined([self.of(node.then), self.of(node.other)])
            case Call():
                return self._call(node)
            case Cast():
                return self._cast(node)
            case Reduce(Reduction.MIN | Reduction.MAX):
                return self.of(node.operand)
            case Reduce(Reduction.MEAN):  # of no elements it is NaN
                return replace(_widened(self.of(node.operand), 2.0**-40), nan=True)
            case _:
                return Reach()

    def _binary(self, node: Binary) -> Reach:
        a, b = self.of(node.left), self.of(node.right)
        if node.op is BinaryOp.DIV:
            if not isinstance(node.right, Const) or not node.right.value:
                return Reach()
            a, b = a, Reach(1 / b.low, 1 / b.high, b.nan)
        if not all(map(math.isfinite, (a.low, a.high, b.low, b.high))):
            return Reach()
        if node.op is BinaryOp.ADD:
            ends = [a.low + b.low, a.high + b.high]
        elif node.op is BinaryOp.SUB:
            ends = [a.low - b.high, a.high - b.low]
        else:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return _widened(Reach(min(ends), max(ends), a.nan or b.nan), 2.0**-50)

    def _call(self, node: Call) -> Reach:
        args = [self.of(arg) for arg in node.args]
        x = args[0]
        match node.function:
            case Function.MIN:
                return Reach(min(a.low for a in args), min(a.high for a in args), any(a.nan for a in args))
            case Function.MAX:
                return Reach(max(a.low for a in args), max(a.high for a in args), any(a.nan for a in args))
            case Function.CLIP:
                low, high = (min(max(a, b), c) for a, b, c in ([a.low for a in args], [a.high for a in args]))
                return Reach(low, high, any(a.nan for a in args))
            case Function.ABS:
                return Reach(0, max(-x.low, x.high), x.nan)
            case Function.SIGN:
                return Reach(-1, 1, x.nan)
            case function if function in _WHOLE:
                low = math.floor(x.low) if math.isfinite(x.low) else x.low
                return Reach(low, math.ceil(x.high) if math.isfinite(x.high) else x.high, x.nan)
            case _:
                return Reach()

    def _cast(self, node: Cast) -> Reach:
        x = self.of(node.operand)
        if node.dtype == "float32" and max(-x.low, x.high) < 2.0**127:
            return _widened(x, 2.0**-23)
        if node.dtype not in DTYPES or DTYPES[node.dtype].kind not in (Kind.INT, Kind.UINT):
            return Reach()
        low, high = map(float, DTYPES[node.dtype].limits)
        if x.nan:
            return Reach(low, high, nan=False)
        return Reach(min(max(x.low, low), high), min(max(x.high, low), high), nan=False)


def cast_text(node: Cast, x: Printed, reach: Reach, is_real: bool, suffix: str) -> str:
    """The text of a cast to an integer type that int32 holds; of a real operand NaN is 0. `suffix`: what makes integers of it."""
    if is_real and reach.nan:
        return f"torch.nan_to_num({x.text}){suffix}"
    if reach.within(node.dtype):
        return x.at(ATOM) + suffix if suffix else x.text
    low, high = DTYPES[node.dtype].limits
    return f"torch.clamp({x.text}, {low}, {high}){suffix}"


def are_reals(op: Op, row: Combination) -> bool:
    """Whether all that is made of integer inputs is real, so that they may be float64 from the start."""
    assert op.compute is not None
    types = Types(op.compute, op, row)
    dtypes = {t.name: t.dtype.of(row).name for t in op.inputs}
    inputs = {name for name, dtype in dtypes.items() if DTYPES[dtype].kind in (Kind.INT, Kind.UINT)}
    if not inputs or any(dtypes[name] not in DOUBLED for name in inputs):
        return False

    def is_free(node: Node) -> bool:
        """Whether a step is real, though an operand is not. A cast to a type that int32 holds is integers, and may be the
        operand as it is."""
        is_real = isinstance(node, Cast) and node.dtype not in HELD
        return types[node] is Type.REAL or is_real or isinstance(node, Compare)

    roots = [statement.expr for statement in op.compute.statements]
    if any(isinstance(root, Input) for root in roots):
        return False
    steps = [node for node in walk(roots) if any(isinstance(c, Input) and c.name in inputs for c in children(node))]
    return all(is_free(node) for node in steps)


def _of_type(dtype: str) -> Reach:
    known = DTYPES[dtype]
    if known.kind not in (Kind.INT, Kind.UINT, Kind.BOOL):
        return Reach()
    low, high = known.limits
    return Reach(float(low), float(high), nan=False)


def _joined(values: Sequence[Reach]) -> Reach:
    return Reach(min(v.low for v in values), max(v.high for v in values), any(v.nan for v in values))


def _widened(x: Reach, part: float) -> Reach:
    """With what its ends may have been rounded by."""
    return replace(x, low=x.low - abs(x.low) * part, high=x.high + abs(x.high) * part)
