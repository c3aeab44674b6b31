"""What QNN's operators compute, by numpy: a function of inputs and params for each that `compute:` says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Function = Callable[..., Any]
_erf = np.vectorize(math.erf, otypes=[float])


def _axes(axes: Any) -> tuple[int, ...]:
    return tuple(int(axis) for axis in np.atleast_1d(axes))


def _softmax(x: Any, axis: int, beta: float) -> Any:
    e = np.exp(beta * (x - x.max(axis, keepdims=True)))
    return e / e.sum(axis, keepdims=True)


def _softplus(x: Any, beta: float, threshold: float) -> Any:
    return np.where(x * beta > threshold, x, np.logaddexp(0, x * beta) / beta)


def _gelu(x: Any) -> Any:
    return x * (1 + _erf(x / math.sqrt(2))) / 2


def _elu(x: Any, alpha: float) -> Any:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _hard_swish(x: Any) -> Any:
    return x * np.clip(x / 6 + 0.5, 0, 1)


def _neuron(
    x: Any, operation: int, alpha: float, beta: float, min_value: float, max_value: float, threshold: float
) -> Any:
    ways = [
        lambda: _elu(x, alpha), lambda: _gelu(x), lambda: np.clip(alpha * x + beta, 0, 1), lambda: _hard_swish(x),
        lambda: np.maximum(x, 0), lambda: np.minimum(np.maximum(x, min_value), max_value), lambda: _sigmoid(x),
        lambda: _softplus(x, beta, threshold), lambda: np.tanh(x),
    ]  # fmt: skip
    return ways[operation]()


def _reduce(function: Function) -> Function:
    return lambda x, axes, keep_dims: function(x, axis=_axes(axes), keepdims=keep_dims)


def _moments(x: Any, axes: Any, keep_dims: bool) -> Any:
    return [f(x, axis=_axes(axes), keepdims=keep_dims) for f in (np.mean, np.var)]


def _scaled(n: Any, gamma: Any, beta: Any) -> Any:
    n = n if gamma is None else n * gamma
    return n if beta is None else n + beta


def _layer_norm(x: Any, gamma: Any, beta: Any, axes: Any, epsilon: float) -> Any:
    over = _axes(axes)
    spread = np.sqrt(x.var(over, keepdims=True) + epsilon)
    return _scaled((x - x.mean(over, keepdims=True)) / spread, gamma, beta)


def _rms_norm(x: Any, gamma: Any, beta: Any, axes: Any, epsilon: float) -> Any:
    return _scaled(x / np.sqrt((x * x).mean(_axes(axes), keepdims=True) + epsilon), gamma, beta)


def _group_norm(x: Any, gamma: Any, beta: Any, epsilon: float, group: int) -> Any:
    parts = x.reshape(*x.shape[:3], group, -1)
    normal = (parts - parts.mean((1, 2, 4), keepdims=True)) / np.sqrt(parts.var((1, 2, 4), keepdims=True) + epsilon)
    return _scaled(normal.reshape(x.shape), gamma, beta)


def _instance_norm(
    x: Any, weight: Any, bias: Any, epsilon: float, mode: int, normalize_variance: bool, region: int
) -> Any:
    over = [(1, 2), (3,), (1, 2, 3)][region]
    d = x if mode == 1 else x - x.mean(over, keepdims=True)
    n = d / np.sqrt((d * d).mean(over, keepdims=True) + epsilon) if normalize_variance else d
    return _scaled(n, weight, bias)


def _cumulative(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    turned = np.flip(x, axis) if reverse else x
    sums = np.cumsum(turned, axis)
    sums = sums - turned if exclusive else sums
    return np.flip(sums, axis) if reverse else sums


def _gather(x: Any, i: Any, axis: int) -> Any:
    size = x.shape[axis]
    return np.take(x, np.clip(np.where(i < 0, i + size, i), 0, size - 1), axis)


def _place(function: Function) -> Function:
    return lambda x, axis, keep_dims: function(x, axis=axis, keepdims=keep_dims)


def _rgb(x: Any, input_order: int, reverse_output: bool) -> Any:
    rgb = x[..., 1:4] if input_order == 0 else x[..., 0:3]
    return np.flip(rgb, -1) if reverse_output else rgb


def _connected(x: Any, weight: Any, bias: Any) -> Any:
    return _scaled(x @ weight.T, None, bias)


def _saturated(x: Any, dtype: str) -> Any:
    if dtype == "bool8":
        return x != 0
    limits = np.iinfo(dtype)
    whole = x if x.dtype.kind != "f" else np.trunc(np.nan_to_num(x, nan=0.0, posinf=2.0**40, neginf=-(2.0**40)))
    return np.clip(whole.astype(np.int64), limits.min, limits.max)


_ELEMENTWISE: dict[str, Function] = {
    "Abs": np.abs, "Asin": np.arcsin, "Atan": np.arctan, "Ceil": np.ceil, "Cos": np.cos, "Exp": np.exp,
    "Floor": np.floor, "Log": np.log, "Neg": np.negative, "Not": np.logical_not, "Round": np.rint,
    "Rsqrt": lambda x: 1 / np.sqrt(x), "Sign": np.sign, "Sin": np.sin, "SquareRoot": np.sqrt, "Softplus": _softplus,
    "Neuron": _neuron, "Select": lambda c, x, z: np.where(c, x, z),
}  # fmt: skip
_OF_TWO: dict[str, Function] = {
    "Add": np.add, "Divide": np.divide, "FloorDiv": np.floor_divide, "Fmod": np.fmod, "Maximum": np.maximum,
    "Minimum": np.minimum, "Mod": np.mod, "Multiply": np.multiply, "Power": np.power, "Subtract": np.subtract,
    "SquaredDifference": lambda x, z: np.square(x - z), "Equal": np.equal, "Greater": np.greater,
    "GreaterEqual": np.greater_equal, "Less": np.less, "LessEqual": np.less_equal, "NotEqual": np.not_equal,
    "And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor,
}  # fmt: skip
WHOLE: dict[str, Function] = {
    **{f"ElementWise{name}": function for name, function in _ELEMENTWISE.items()},
    **{f"ElementWise{name}": (lambda f: lambda x, z: f(x, z))(function) for name, function in _OF_TWO.items()},
    "Gelu": _gelu, "HardSwish": _hard_swish, "Relu": lambda x: np.maximum(x, 0), "Relu1": lambda x: np.clip(x, -1, 1),
    "Relu6": lambda x: np.clip(x, 0, 6), "Sigmoid": _sigmoid, "Tanh": np.tanh, "Logit": lambda x: np.log(x / (1 - x)),
    "Convert": lambda x: x, "Quantize": lambda x: x, "Dequantize": lambda x: x, "Elu": _elu, "Cast": _saturated,
    "ReluMinMax": lambda x, min_value, max_value: np.minimum(np.maximum(x, min_value), max_value),
    "Prelu": lambda x, z: np.where(x > 0, x, x * z), "IsNan": np.isnan,
    "IsInf": lambda x, detect_negative, detect_positive: (
        (np.isposinf(x) & detect_positive) | (np.isneginf(x) & detect_negative)
    ),
    "ReduceMax": _reduce(np.max), "ReduceMean": _reduce(np.mean), "ReduceMin": _reduce(np.min),
    "ReduceProd": _reduce(np.prod), "ReduceSum": _reduce(np.sum),
    "ReduceSumSquare": _reduce(lambda x, axis, keepdims: np.sum(np.square(x), axis=axis, keepdims=keepdims)),
    "Moments": _moments, "Softmax": _softmax, "LogSoftmax": lambda x, axis, beta: np.log(_softmax(x, axis, beta)),
    "L2Norm": lambda x, axes, epsilon: (
        x / np.sqrt(np.maximum(np.square(x).sum(_axes(axes), keepdims=True), epsilon))
    ),
    "LayerNorm": _layer_norm, "RmsNorm": _rms_norm, "InstanceNorm": _instance_norm,
    "Batchnorm": lambda x, weight, bias: _scaled(x, weight, bias), "Argmax": _place(np.argmax),
    "Argmin": _place(np.argmin), "Transpose": lambda x, perm: x.transpose(_axes(perm)),
    "Tile": lambda x, multiples: np.tile(x, multiples),
    "Gather": _gather, "BatchPermutation": lambda x, i: _gather(x, i, 0), "ArgbToRgb": _rgb,
}  # fmt: skip
PART: dict[str, Function] = {
    "Reshape": lambda x, shape: x.reshape(shape), "Squeeze": lambda x: np.squeeze(x, (1, 2)),
    "Pad": lambda x, amount, value: np.pad(x, amount, constant_values=value),
    "GroupNorm": _group_norm,
    "ChannelShuffle": lambda x, groups: (
        x.reshape(*x.shape[:3], groups, -1).swapaxes(-1, -2).reshape(x.shape)
    ),
    "Concat": lambda x, z, axis: np.concatenate([x, z], axis), "Pack": lambda x, z: np.stack([x, z]),
    "UnPack": lambda x: list(np.moveaxis(x, -1, 0)), "Split": lambda x: np.split(x, [3], -1),
    "StridedSlice": lambda x: np.flip(x[:, [7, 5, 3, 1]], -1), "ExpandDims": lambda x: np.expand_dims(x, 0),
    "FullyConnected": _connected, "MatMul": np.matmul, "CumulativeSum": _cumulative,
}  # fmt: skip
