"""What computations mean, once more and independent of opkg: Python's own reading of the text, numpy in extended precision."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

Value = Any  # an array of `real`, of int64 or of bool

_erf = np.vectorize(math.erf, otypes=[np.float64])
_COMPARE: dict[type, Callable[..., Value]] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}  # fmt: skip
_ARITHMETIC: dict[type, Callable[..., Value]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.BitAnd: np.bitwise_and,
    ast.BitOr: np.bitwise_or, ast.BitXor: np.bitwise_xor,
}  # fmt: skip
_ROUNDED = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.rint}
_FOLDS = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "argmax": np.argmax, "argmin": np.argmin}


def meaning(text: str, values: Mapping[str, Value], types: Mapping[str, str], real: type = np.longdouble) -> Value:
    """The values of all names that the text assigns. `types`: the element types of type variables; `real`: what reals are."""
    own = _Own(dict(values), types, real)
    with np.errstate(all="ignore"):
        for statement in ast.parse(text).body:
            assert isinstance(statement, ast.Assign)
            assert isinstance(statement.targets[0], ast.Name)
            own.names[statement.targets[0].id] = own.of(statement.value)
    return own.names


def whole(value: Value) -> bool:
    return value.dtype.kind == "i"


class _Own:
    def __init__(self, names: dict[str, Value], types: Mapping[str, str], real: type) -> None:
        self.names, self.types, self.kind = names, types, real
        self.functions: dict[str, Callable[[Value], Value]] = {
            "exp": np.exp, "log": np.log, "log1p": np.log1p, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
            "tanh": np.tanh, "sin": np.sin, "cos": np.cos, "asin": np.arcsin, "atan": np.arctan,
            "erf": self.erf, "sigmoid": self.sigmoid, "softplus": self.softplus,
            "silu": lambda x: x * self.sigmoid(x), "gelu": lambda x: x * (1 + self.erf(x / np.sqrt(self.kind(2)))) / 2,
            "mish": lambda x: x * np.tanh(self.softplus(x)), "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
        }  # fmt: skip

    def of(self, node: ast.expr) -> Value:
        found = getattr(self, type(node).__name__.lower())(node)
        return found

    def real(self, value: Value) -> Value:
        return np.asarray(value).astype(self.kind)

    def alike(self, *values: Value) -> tuple[Value, ...]:
        """As they are where all are whole or all bools, else as reals."""
        kinds = {value.dtype.kind for value in values}
        return values if kinds in ({"i"}, {"b"}) else tuple(map(self.real, values))

    # Functions --------------------------------------------------------------------------------------------------------

    def erf(self, x: Value) -> Value:
        return self.real(_erf(x.astype(np.float64)))

    def sigmoid(self, x: Value) -> Value:
        e = np.exp(-np.abs(x))
        return np.where(np.isnan(x), x, np.where(x >= 0, 1, e) / (1 + e))

    def softplus(self, x: Value) -> Value:
        return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))

    def cast(self, value: Value, name: str) -> Value:
        name = self.types.get(name, name)
        if name == "bool8":
            return value != 0
        if "float" in name:
            return self.real(self.real(value).astype(np.float64).astype(name))
        limits = np.iinfo(name)
        if value.dtype.kind == "b" or whole(value):
            return np.clip(value.astype(np.int64), limits.min, limits.max)
        value = np.nan_to_num(np.trunc(value), nan=0.0, posinf=limits.max, neginf=limits.min)
        inside = np.clip(value, -(2.0**62), 2.0**62).astype(np.int64)
        return np.clip(inside, limits.min, limits.max)

    # Forms of the text ------------------------------------------------------------------------------------------------

    def constant(self, node: ast.Constant) -> Value:
        value = node.value
        return np.asarray(value) if isinstance(value, bool | int) else self.real(value)

    def name(self, node: ast.Name) -> Value:
        return self.names[node.id]

    def unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.of(node.operand)
        return -value if isinstance(node.op, ast.USub) else ~value

    def boolop(self, node: ast.BoolOp) -> Value:
        function = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        return function(*map(self.of, node.values))

    def compare(self, node: ast.Compare) -> Value:
        sides = [self.of(each) for each in (node.left, *node.comparators)]
        tests = [_COMPARE[type(op)](*self.alike(a, b)) for op, a, b in zip(node.ops, sides, sides[1:], strict=False)]
        return reduce(np.logical_and, tests)  # which need not have one shape

    def ifexp(self, node: ast.IfExp) -> Value:
        return np.where(self.of(node.test), *self.alike(self.of(node.body), self.of(node.orelse)))

    def binop(self, node: ast.BinOp) -> Value:
        a, b = self.of(node.left), self.of(node.right)
        match node.op:
            case ast.Pow():
                is_product = whole(a) and isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
                return np.power(a, b) if is_product else np.power(self.real(a), self.real(b))
            case ast.Div():
                return self.real(a) / self.real(b)
            case ast.FloorDiv() | ast.Mod():
                return self._divided(a, b, isinstance(node.op, ast.Mod))
            case ast.LShift():
                return np.left_shift(a, np.clip(b, 0, 63))
            case ast.RShift():
                return np.right_shift(a, np.clip(b, 0, 63))
        return _ARITHMETIC[type(node.op)](*self.alike(a, b))

    def _divided(self, a: Value, b: Value, rest: bool) -> Value:
        function = np.mod if rest else np.floor_divide
        if whole(a) and whole(b):
            return np.where(b == 0, 0, function(a, np.where(b == 0, 1, b)))
        return function(self.real(a), self.real(b))

    def call(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name == "cast":
            assert isinstance(node.args[1], ast.Name)
            return self.cast(self.of(node.args[0]), node.args[1].id)
        args = [self.of(arg) for arg in node.args]
        if node.keywords:
            return self._reduced(name, args[0], {each.arg: each.value for each in node.keywords})
        match name:
            case "min" | "max":
                function = np.minimum if name == "min" else np.maximum
                found = args[0]
                for arg in args[1:]:
                    found = function(*self.alike(found, arg))
                return found
            case "clip":
                x, low, high = self.alike(*args)
                return np.minimum(np.maximum(x, low), high)
            case "where":
                return np.where(args[0], *self.alike(*args[1:]))
            case "abs" | "sign":
                return np.abs(args[0]) if name == "abs" else np.sign(args[0])
        if name in _ROUNDED:
            return args[0] if whole(args[0]) else _ROUNDED[name](args[0])
        return self.functions[name](self.real(args[0]))

    def _reduced(self, name: str, x: Value, given: dict[str | None, ast.expr]) -> Value:
        axis = ast.literal_eval(given["axis"])
        keep = "keepdims" in given and bool(ast.literal_eval(given["keepdims"]))
        if name in _FOLDS:
            return np.asarray(_FOLDS[name](x, axis=axis, keepdims=keep))
        x = self.real(x)
        if name == "mean":
            return np.asarray(np.mean(x, axis=axis, keepdims=keep))
        squares = (x - np.mean(x, axis=axis, keepdims=True)) ** 2
        found = np.asarray(np.mean(squares, axis=axis, keepdims=keep))
        return found if name == "var" else np.sqrt(found)
