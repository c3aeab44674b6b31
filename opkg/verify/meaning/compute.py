"""What a `compute:` means: its tree evaluated on real values by numpy, in float64, int64 and bool."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from opkg.spec.compute.tree import (
    PLACES,
    REAL_FUNCTIONS,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    CompareOp,
    Compute,
    Const,
    Function,
    Input,
    Move,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    asks_presence,
)
from opkg.spec.compute.types import cast_type, is_whole_power
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Combination
from opkg.verify.meaning.deciding import Decisions
from opkg.verify.meaning.moves import moved
from opkg.verify.meaning.numbers import Array

_erf = np.vectorize(math.erf, otypes=[np.float64])


def _sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)); exp() of what is large overflows to infinity, whose inverse is the right 0."""
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


def _fold(function: Any) -> Any:
    def folded(*args: Array) -> Array:
        result = args[0]
        for arg in args[1:]:
            result = function(result, arg)
        return result

    return folded


_CALLS: dict[Function, Any] = {
    Function.MIN: _fold(np.minimum),
    Function.MAX: _fold(np.maximum),
    Function.CLIP: lambda x, low, high: np.minimum(np.maximum(x, low), high),
    Function.ABS: np.abs,
    Function.SIGN: np.sign,
    Function.EXP: np.exp,
    Function.LOG: np.log,
    Function.SQRT: np.sqrt,
    Function.RSQRT: lambda x: 1.0 / np.sqrt(x),
    Function.ERF: lambda x: _erf(x) if x.size else x,
    Function.TANH: np.tanh,
    Function.SIGMOID: _sigmoid,
    Function.SIN: np.sin,
    Function.COS: np.cos,
    Function.ASIN: np.arcsin,
    Function.ATAN: np.arctan,
    Function.LOG1P: np.log1p,
    Function.SOFTPLUS: lambda x: np.logaddexp(x, 0.0),
    Function.SILU: lambda x: x * _sigmoid(x),
    Function.GELU: lambda x: 0.5 * x * (1.0 + (_erf(x / math.sqrt(2.0)) if x.size else x)),
    Function.MISH: lambda x: x * np.tanh(np.logaddexp(x, 0.0)),
    Function.HARDSWISH: lambda x: x * np.minimum(np.maximum(x + 3.0, 0.0), 6.0) / 6.0,
}
_ROUNDINGS: dict[Function, Any] = {
    Function.FLOOR: np.floor, Function.CEIL: np.ceil, Function.ROUND: np.rint, Function.TRUNC: np.trunc,
}  # fmt: skip
CALLS: dict[str, Any] = {function.value: compute for function, compute in _CALLS.items()}
_BINARY: dict[BinaryOp, Any] = {
    BinaryOp.ADD: np.add, BinaryOp.SUB: np.subtract, BinaryOp.MUL: np.multiply, BinaryOp.DIV: np.true_divide,
    BinaryOp.FLOOR_DIV: np.floor_divide, BinaryOp.MOD: np.mod, BinaryOp.BIT_AND: np.bitwise_and,
    BinaryOp.BIT_OR: np.bitwise_or, BinaryOp.BIT_XOR: np.bitwise_xor,
    BinaryOp.SHIFT_LEFT: lambda a, n: np.where(n > 63, 0, np.left_shift(a, np.clip(n, 0, 63))),
    BinaryOp.SHIFT_RIGHT: lambda a, n: np.right_shift(a, np.clip(n, 0, 63)),
}  # fmt: skip
_UNARY: dict[UnaryOp, Any] = {
    UnaryOp.NOT: np.logical_not, UnaryOp.NEG: np.negative, UnaryOp.INVERT: np.invert,
}  # fmt: skip
_COMPARE: dict[CompareOp, Any] = {
    CompareOp.EQ: np.equal, CompareOp.NE: np.not_equal, CompareOp.LT: np.less, CompareOp.LE: np.less_equal,
    CompareOp.GT: np.greater, CompareOp.GE: np.greater_equal,
}  # fmt: skip
_REDUCE: dict[Reduction, Any] = {
    Reduction.SUM: np.sum, Reduction.MEAN: np.mean, Reduction.PROD: np.prod, Reduction.MIN: np.min,
    Reduction.MAX: np.max, Reduction.ARGMAX: np.argmax, Reduction.ARGMIN: np.argmin,
}  # fmt: skip


class Stuck(Exception):
    """A node that has no value in this call, and why."""

    def __init__(self, node: Node, why: str) -> None:
        super().__init__(why)
        self.node = node


def evaluate(
    compute: Compute, values: Mapping[str, Array | None], combination: Combination | None = None, exact: bool = True
) -> dict[str, Array]:
    """The values of all assigned names. `values`: inputs (None: absent) and params, as float64, int64 or bool arrays.

    `combination` says what casts to type variables make. What is decided on real values (comparisons, signs, roundings to
    whole numbers, casts) is decided as for the exact numbers (see `opkg.verify.meaning.deciding`) or, not `exact`, on doubles.

    Raises Stuck for shapes that do not broadcast and axes that are not there. Arithmetic never raises: as in IEEE 754,
    x / 0 is infinite or NaN; integers wrap, and x // 0 and x % 0 of integers are 0.
    """
    return _run(compute, values, combination or Combination(()), {}, {}, exact)[0]


def evaluate_others(
    compute: Compute, values: Mapping[str, Array | None], combination: Combination, units: Mapping[str, float]
) -> list[dict[str, Array]]:
    """What the assigned names may be instead where rounding in the types of float inputs turns a decision.

    `units`: the roundoff of these types by input. One decision at a time is turned, and all of them together.
    """
    loose = list(_run(compute, values, combination, units, {})[1])
    turned: list[dict[int, int]] = [{site: way} for site in loose for way in (-1, 0, 1)]
    if len(loose) == 2:
        turned += [{loose[0]: one, loose[1]: other} for one in (-1, 0, 1) for other in (-1, 0, 1)]
    elif loose[1:]:
        turned += [dict.fromkeys(loose, way) for way in (-1, 0, 1)]
    return [_run(compute, values, combination, units, nudges)[0] for nudges in turned]


def _run(
    compute: Compute,
    values: Mapping[str, Array | None],
    combination: Combination,
    units: Mapping[str, float],
    nudges: Mapping[int, int],
    exact: bool = True,
) -> tuple[dict[str, Array], dict[int, None]]:
    """The assigned names, and the decisions that rounding may turn."""
    machine = _Machine(values, combination, compute, units, nudges)
    machine.decisions.exact = exact
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for statement in compute.statements:
                machine.assigned[statement.name] = machine.of(statement.expr)
        return machine.assigned, machine.decisions.loose
    finally:
        del machine.decisions  # the two hold one another: tensors of a case would stay until a collection


class _Machine:
    """The values of one call."""

    def __init__(
        self,
        values: Mapping[str, Array | None],
        combination: Combination,
        compute: Compute,
        units: Mapping[str, float],
        nudges: Mapping[int, int],
    ) -> None:
        self.values = values
        self.combination = combination
        self.assigned: dict[str, Array] = {}
        names = {statement.name: statement.expr for statement in compute.statements}
        self.decisions = Decisions(self.of, self._applied, self._to_bool, names, units, nudges)

    def of(self, node: Node) -> Array:
        """The value of a node."""
        try:
            return np.asarray(self._of(node))
        except (ValueError, TypeError) as failure:
            raise Stuck(node, str(failure).split("\n")[0]) from None

    def _of(self, node: Node) -> Any:
        match node:
            case Const():
                return np.asarray(node.value)
            case Input() | Param():
                value = self.values[node.name]
                if value is None:
                    raise Stuck(node, f"'{node.name}' is absent")
                return value
            case Assigned():
                return self.assigned[node.name]
            case Present():
                return np.asarray(self.values[node.name] is not None)
            case Unary():
                return _UNARY[node.op](self.of(node.operand))
            case Binary():
                return self._binary(node)
            case Compare():
                sign = self.decisions.decided(node)
                sides = (self.of(node.left), self.of(node.right)) if sign is None else (sign, np.asarray(0.0))
                return _COMPARE[node.op](*sides)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case Cast():
                return self._cast(node)
            case Move():
                return moved(node, [self.of(arg) for arg in node.args], self.values)
            case Reduce():
                return self._reduced(node, self.of(node.operand))

    def _binary(self, node: Binary) -> Any:
        left = self.of(node.left)
        if node.op in (BinaryOp.AND, BinaryOp.OR):
            # One bool on the left decides alone: what is on the right may name what is absent.
            if left.ndim == 0 and asks_presence(node.left) and bool(left) is (node.op is BinaryOp.OR):
                return left
            right = self.of(node.right)
            return (np.logical_and if node.op is BinaryOp.AND else np.logical_or)(left, right)
        right = self.of(node.right)
        if node.op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD) and (whole := self.decisions.decided(node)) is not None:
            plain = np.floor_divide(left, right)
            if node.op is BinaryOp.FLOOR_DIV:
                return np.where(np.isfinite(plain), whole, plain)
            # Of a quotient beyond 2^53 what is left is rounding, which goes beyond the divisor.
            rest = np.clip(left - whole * right, np.minimum(right, 0), np.maximum(right, 0))
            return np.where((plain == whole) | ~np.isfinite(plain), np.mod(left, right), rest)
        if node.op is not BinaryOp.POW:
            return _BINARY[node.op](left, right)
        if left.dtype.kind != "f" and is_whole_power(node.right):
            return np.power(left, right)
        return np.power(left.astype(np.float64), right.astype(np.float64))

    def _select(self, node: Select) -> Any:
        test = self.of(node.test)
        if test.ndim == 0 and asks_presence(node.test):
            return self.of(node.then if bool(test) else node.other)
        return np.where(test, self.of(node.then), self.of(node.other))

    def _call(self, node: Call) -> Any:
        decided = self.decisions.decided(node)
        if decided is not None:
            return decided
        args = [self.of(arg) for arg in node.args]
        rounding = _ROUNDINGS.get(node.function)
        if rounding is not None:
            return rounding(args[0]) if args[0].dtype.kind == "f" else args[0]
        return self._applied(node, args)

    def _applied(self, node: Call | Reduce, args: list[Array]) -> Any:
        """A function or reduction of values."""
        if isinstance(node, Reduce):
            return self._reduced(node, args[0])
        if node.function in REAL_FUNCTIONS:
            args = [arg.astype(np.float64) for arg in args]
        return _CALLS[node.function](*args)

    def _to_bool(self, node: Cast) -> bool:
        return cast_type(node, self.combination).kind is Kind.BOOL

    def _cast(self, node: Cast) -> Any:
        row = cast_type(node, self.combination)
        decided = self.decisions.decided(node) if row.kind is not Kind.FLOAT else None
        return cast(self.of(node.operand) if decided is None else decided, row)

    def _reduced(self, node: Reduce, value: Array) -> Any:
        axes: Any = node.axes
        if isinstance(axes, str):
            axes = tuple(int(axis) for axis in np.asarray(self.values[axes]).reshape(-1))
        if isinstance(axes, tuple) and len({axis % max(value.ndim, 1) for axis in axes}) < len(axes):
            raise Stuck(node, "a dimension is reduced twice")  # of very many axes numpy raises OverflowError
        keep = bool(self.values[node.keepdims]) if isinstance(node.keepdims, str) else node.keepdims
        if node.op is Reduction.CUMSUM:
            return np.cumsum(value, axis=axes[0])
        if node.op in PLACES:
            axes = None if axes is None else axes[0]
        return _REDUCE[node.op](value, axis=axes, keepdims=keep)


def cast(value: Array, row: DType) -> Array:
    """A value as an element type holds it, in its real type: see `Cast`."""
    if row.kind is Kind.BOOL:
        return np.asarray(value != 0)
    if row.kind is Kind.FLOAT:
        return np.asarray(value.astype(row.numpy).astype(np.float64))
    low, high = row.limits
    if value.dtype.kind == "b":
        return np.asarray(value.astype(np.int64))
    if value.dtype.kind == "f":
        # float64 has no 2**63 - 1: what reaches the end of the type is set to the end as an integer.
        whole = np.trunc(np.nan_to_num(value, nan=0.0, posinf=np.inf, neginf=-np.inf))
        inside = np.where((whole > low) & (whole < high), whole, 0).astype(np.uint64 if high >= 1 << 63 else np.int64)
        kind = inside.dtype.type
        return np.asarray(np.where(whole >= high, kind(high), np.where(whole <= low, kind(low), inside)))
    if high >= 1 << 63:
        return np.asarray(np.maximum(value, 0).astype(np.uint64))
    return np.asarray(np.clip(value, max(low, np.iinfo(value.dtype).min), high).astype(np.int64))
