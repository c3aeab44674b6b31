"""What a `compute:` means: its tree evaluated on real values by numpy, in float64, int64 and bool."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from opkg.spec.compute.tree import (
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
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Combination, Op
from opkg.verify.arguments import arguments_of
from opkg.verify.case import Case, CaseTensor
from opkg.verify.numbers import Array

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
}
_ROUNDINGS: dict[Function, Any] = {
    Function.FLOOR: np.floor, Function.CEIL: np.ceil, Function.ROUND: np.rint, Function.TRUNC: np.trunc,
}  # fmt: skip
_REAL = frozenset(
    (Function.EXP, Function.LOG, Function.SQRT, Function.RSQRT, Function.ERF, Function.TANH, Function.SIGMOID)
)
_BINARY: dict[BinaryOp, Any] = {
    BinaryOp.ADD: np.add, BinaryOp.SUB: np.subtract, BinaryOp.MUL: np.multiply, BinaryOp.DIV: np.true_divide,
    BinaryOp.FLOOR_DIV: np.floor_divide, BinaryOp.MOD: np.mod,
}  # fmt: skip
_COMPARE: dict[CompareOp, Any] = {
    CompareOp.EQ: np.equal, CompareOp.NE: np.not_equal, CompareOp.LT: np.less, CompareOp.LE: np.less_equal,
    CompareOp.GT: np.greater, CompareOp.GE: np.greater_equal,
}  # fmt: skip
_REDUCE: dict[Reduction, Any] = {
    Reduction.SUM: np.sum, Reduction.MEAN: np.mean, Reduction.PROD: np.prod, Reduction.MIN: np.min,
    Reduction.MAX: np.max,
}  # fmt: skip


class Stuck(Exception):
    """A node that has no value in this call, and why."""

    def __init__(self, node: Node, why: str) -> None:
        super().__init__(why)
        self.node = node


def evaluate(
    compute: Compute, values: Mapping[str, Array | None], combination: Combination | None = None
) -> dict[str, Array]:
    """The values of all assigned names. `values`: inputs (None: absent) and params, as float64, int64 or bool arrays.

    `combination` says what casts to type variables make.

    Raises Stuck for shapes that do not broadcast and axes that are not there. Arithmetic never raises: as in IEEE 754,
    x / 0 is infinite or NaN; integers wrap, and x // 0 and x % 0 of integers are 0.
    """
    machine = _Machine(values, combination or Combination(()))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for statement in compute.statements:
            machine.assigned[statement.name] = machine.of(statement.expr)
    return machine.assigned


class _Machine:
    """The values of one call."""

    def __init__(self, values: Mapping[str, Array | None], combination: Combination) -> None:
        self.values = values
        self.combination = combination
        self.assigned: dict[str, Array] = {}

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
                return (np.logical_not if node.op is UnaryOp.NOT else np.negative)(self.of(node.operand))
            case Binary():
                return self._binary(node)
            case Compare():
                return _COMPARE[node.op](self.of(node.left), self.of(node.right))
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case Cast():
                return cast(self.of(node.operand), cast_type(node, self.combination))
            case Reduce():
                return self._reduce(node)

    def _binary(self, node: Binary) -> Any:
        left = self.of(node.left)
        if node.op in (BinaryOp.AND, BinaryOp.OR):
            # One bool on the left decides alone: what is on the right may name what is absent.
            if left.ndim == 0 and asks_presence(node.left) and bool(left) is (node.op is BinaryOp.OR):
                return left
            right = self.of(node.right)
            return (np.logical_and if node.op is BinaryOp.AND else np.logical_or)(left, right)
        right = self.of(node.right)
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
        args = [self.of(arg) for arg in node.args]
        rounding = _ROUNDINGS.get(node.function)
        if rounding is not None:
            return rounding(args[0]) if args[0].dtype.kind == "f" else args[0]
        if node.function in _REAL:
            args = [arg.astype(np.float64) for arg in args]
        return _CALLS[node.function](*args)

    def _reduce(self, node: Reduce) -> Any:
        axes: Any = node.axes
        if isinstance(axes, str):
            axes = tuple(int(axis) for axis in np.asarray(self.values[axes]).reshape(-1))
        keep = bool(self.values[node.keepdims]) if isinstance(node.keepdims, str) else node.keepdims
        return _REDUCE[node.op](self.of(node.operand), axis=axes, keepdims=keep)


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


@dataclass(frozen=True, slots=True)
class Computed:
    """An op's computation as a reference that can be called."""

    op: Op
    compute: Compute

    def __call__(self, case: Case) -> tuple[Array, ...]:
        """The expected outputs of a case, as real values, one per output tensor; raises OpkgError (OPK417, 424, 425)."""
        given: dict[str, Any] = arguments_of(case)
        values = {name: None if value is None else _array(value) for name, value in given.items()}
        try:
            found = evaluate(self.compute, values, case.combination)
        except Stuck as stuck:
            raise self._fail("OPK424", f"cannot be evaluated: {stuck}", stuck.node.span, case) from None
        return tuple(self._output(found[tensor.spec.name], tensor, case) for tensor in case.outputs)

    def _output(self, value: Array, tensor: CaseTensor, case: Case) -> Array:
        """The value as an output: one number fills it, anything else has its shape."""
        if value.ndim == 0:
            value = np.broadcast_to(value, tensor.shape)
        if value.shape != tensor.shape:
            message = f"{tensor.name} has the shape {list(value.shape)}, the spec says {list(tensor.shape)}"
            raise self._fail("OPK425", message, self._span(tensor.name), case)
        if tensor.dtype.quantized and value.dtype.kind == "f" and np.any(np.isnan(value)):
            message = f"{tensor.name} holds NaN and is quantized"
            raise self._fail("OPK417", message, self._span(tensor.name), case)
        return value.astype(np.float64) if not tensor.dtype.integral else value.copy()

    def _span(self, name: str) -> Span:
        spans = [statement.span for statement in self.compute.statements if statement.name == name]
        return spans[0] if spans else self.compute.span

    def _fail(self, id: str, message: str, span: Span, case: Case) -> OpkgError:
        hint = f"case {case.id}: {case.describe()}"
        return OpkgError([error(id, f"compute of {case.op.name}: {message}", span, hint)])


def difference(
    op: Op, span: Span, case: Case, said: tuple[Array, ...], computed: tuple[Array, ...]
) -> Diagnostic | None:
    """The finding when reference and computation differ by more than the rounding of float64 arithmetic, else None.

    Allowed: 1e-9 of the value and 1e-12 of the tensor's largest one, for sums are added in another order; integers and
    bools are equal.
    """
    for tensor, a, b in zip(case.outputs, said, computed, strict=True):
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        finite = np.abs(a[np.isfinite(a)])
        room = 1e-12 * float(finite.max()) if finite.size and not tensor.dtype.integral else 0.0
        same = np.isclose(a, b, rtol=0.0 if tensor.dtype.integral else 1e-9, atol=room, equal_nan=True)
        if not np.all(same):
            place = tuple(int(i) for i in np.argwhere(~same)[0])
            where = f"{tensor.name}[{', '.join(map(str, place))}]"
            message = f"compute and reference of {op.name} differ: {where} is {b[place]:.17g} and {a[place]:.17g}"
            return error("OPK426", message, span, f"case {case.id}: {case.describe()}")
    return None


def _array(value: object) -> Array:
    return np.asarray(value)
