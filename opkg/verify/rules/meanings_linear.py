"""Meanings of core ops that sum: matrix products, convolutions and pooling (NHWC), reductions, normalizations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from opkg.rules.core import HtpType
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.meaning import Call, Meaning, Shape, Typing, Unfit, Want, bounded
from opkg.verify.rules.meanings_elementwise import one, scalar
from opkg.verify.rules.meanings_layout import INT, Draw, axis_of, whole, zero

# ---- matrix products


def _real(array: Array) -> Array:
    return array.astype(np.float64)


def _matmul(call: Call) -> Array:
    a, b = (_real(arg.array) for arg in call.args[:2])
    if min(a.ndim, b.ndim) < 2:
        raise Unfit("MatMul of vectors")
    a = a.swapaxes(-1, -2) if call.number(2, 0) else a
    b = b.swapaxes(-1, -2) if call.number(3, 0) else b
    try:
        bounded((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]))
        return np.asarray(np.matmul(a, b))
    except ValueError:
        raise Unfit(f"MatMul of {list(a.shape)} and {list(b.shape)}") from None


def _matmul_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    a, b = known[0], known[1]
    flags = [int(rng.chance(0.25)) for _ in range(2)]
    if len(known) < 4:
        flags[1] = 0
    if len(known) < 3:
        flags[0] = 0
    columns = rng.choice((1, 3, 4, 8, 16, 32))
    if a is None:
        a = draw() if b is None else (*b[:-2], rng.between(1, 8), b[-1 if flags[1] else -2])
        a = (*a[:-2], a[-1], a[-2]) if flags[0] and b is not None else a
    inner = a[-2 if flags[0] else -1]
    if b is None:
        batch = a[:-2] if rng.chance(0.7) else (1,) * (len(a) - 2)
        b = (*batch, columns, inner) if flags[1] else (*batch, inner, columns)
    return [Want(a), Want(b), scalar(flags[0], INT), scalar(flags[1], INT)][: len(known)]


def _bias(call: Call, index: int, channels: int) -> Array | float:
    found = call.arg(index)
    if found is None:
        return 0.0
    if found.size not in (1, channels):
        raise Unfit(f"a bias of {found.size} for {channels} channels")
    return _real(found).reshape(-1)


def _fully_connected(call: Call) -> Array:
    x, weights = _real(call.args[0].array), _real(call.args[1].array)
    units, inner = (1, *weights.shape)[-2:]
    if inner < 1 or x.size % inner:
        raise Unfit(f"FullyConnected of {list(x.shape)} with weights {list(weights.shape)}")
    y = x.reshape(-1, inner) @ weights.reshape(units, inner).T + _bias(call, 2, units)
    return y.reshape((1,) * (max(x.ndim, 2) - 2) + y.shape)


def _fc_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    x = known[0] if known[0] is not None else (1, 1, rng.between(1, 6), rng.choice((1, 4, 8, 32)))
    weights = known[1] if known[1] is not None else (1, 1, rng.choice((1, 4, 8, 16)), x[-1])
    bias = known[2] if len(known) > 2 and known[2] is not None else (1, 1, 1, weights[-2])
    return [Want(x), Want(weights), Want(bias)][: len(known)]


# ---- windows


def _pair(call: Call, index: int, default: tuple[int, int]) -> tuple[int, int]:
    found = call.numbers(index, default)
    if len(found) != 2 or min(found) < 1:
        raise Unfit(f"{list(found)} is no pair of sizes")
    return found[0], found[1]


def _windows(x: Array, size: tuple[int, int], stride: tuple[int, int], dilation: tuple[int, int] = (1, 1)) -> Array:
    """All windows of an NHWC tensor: [n, oh, ow, kh, kw, c]. Raises Unfit when it holds none."""
    extent = [(k - 1) * d + 1 for k, d in zip(size, dilation, strict=True)]
    if extent[0] > x.shape[1] or extent[1] > x.shape[2]:
        raise Unfit(f"a window of {extent} in {list(x.shape)}")
    seen = np.lib.stride_tricks.sliding_window_view(x, extent, (1, 2))
    seen = seen[:, :: stride[0], :: stride[1], :, :: dilation[0], :: dilation[1]]
    return np.asarray(seen.transpose(0, 1, 2, 4, 5, 3))


def _padded(call: Call, index: int, value: float = 0.0) -> tuple[Array, Array]:
    """Operand 0 with the padding of operand `index` ([2,2]: above, below, left, right), and a mask of what was there."""
    x = _real(call.args[0].array)
    if x.ndim != 4:
        raise Unfit(f"{call.op} of a tensor of rank {x.ndim}")
    amounts = call.numbers(index, (0, 0, 0, 0))
    if len(amounts) != 4 or min(amounts) < 0:
        raise Unfit(f"padding {list(amounts)}")
    bounded((x.shape[0], x.shape[1] + sum(amounts[:2]), x.shape[2] + sum(amounts[2:]), x.shape[3]))
    pads = [(0, 0), amounts[:2], amounts[2:], (0, 0)]
    return np.pad(x, pads, constant_values=value), np.pad(np.ones_like(x), pads)


def _conv(call: Call) -> Array:
    """Operands: tensor, filter [kh, kw, in / group, out], bias, stride, padding, dilation, group."""
    weights = _real(call.args[1].array)
    if weights.ndim != 4:
        raise Unfit(f"a filter of rank {weights.ndim}")
    x, _ = _padded(call, 4)
    groups = max(int(call.number(6, 1)), 1)
    kh, kw, depth, out = weights.shape
    if depth * groups != x.shape[3] or out % groups:
        raise Unfit(f"a filter {list(weights.shape)} for {x.shape[3]} channels in {groups} groups")
    seen = _windows(x, (kh, kw), _pair(call, 3, (1, 1)), _pair(call, 5, (1, 1)))
    each = out // groups
    parts = [
        np.tensordot(seen[..., g * depth : (g + 1) * depth], weights[..., g * each : (g + 1) * each], 3)
        for g in range(groups)
    ]
    return np.asarray(np.concatenate(parts, -1) + _bias(call, 2, out))


def _depthwise(call: Call) -> Array:
    """Operands: tensor, filter [kh, kw, 1, channels x multiplier], bias, stride, padding, dilation."""
    weights = _real(call.args[1].array)
    x, _ = _padded(call, 4)
    if weights.ndim != 4 or weights.shape[2] != 1 or weights.shape[3] % x.shape[3]:
        raise Unfit(f"a depthwise filter {list(weights.shape)} for {x.shape[3]} channels")
    kh, kw, _, out = weights.shape
    seen = _windows(x, (kh, kw), _pair(call, 3, (1, 1)), _pair(call, 5, (1, 1)))
    y = np.einsum("nhwklc,klcm->nhwcm", seen, weights.reshape(kh, kw, x.shape[3], out // x.shape[3]))
    return np.asarray(y.reshape(*y.shape[:3], out) + _bias(call, 2, out))


def _filters(deep: bool) -> Callable[[Rng, Sequence[Shape | None], Draw], list[Want]]:
    def propose(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
        x = (
            known[0]
            if known[0] is not None
            else (1, rng.between(3, 9), rng.between(3, 9), rng.choice((1, 2, 4, 8, 32)))
        )
        channels = x[-1]
        kernel = rng.choice((1, 2, 3)), rng.choice((1, 2, 3))
        drawn = (*kernel, channels, rng.choice((1, 4, 8, 32))) if deep else (*kernel, 1, channels)
        weights = known[1] if known[1] is not None else drawn
        bias = known[2] if len(known) > 2 and known[2] is not None else (1, 1, 1, weights[-1])
        stride = whole([rng.choice((1, 1, 2))] * 2)
        pads = whole([rng.below(2) for _ in range(4)], 2, 2)
        wants = [Want(x), Want(weights), Want(bias), stride, pads, whole([1, 1]), scalar(1, INT)]
        return wants[: len(known)]

    return propose


def _pool(call: Call, average: bool) -> Array:
    """Operands: tensor, window, stride, padding, (average: count padding,) rounding."""
    x, there = _padded(call, 3, 0.0 if average else -math.inf)
    size, stride = _pair(call, 1, (1, 1)), _pair(call, 2, (1, 1))
    seen = _windows(x, size, stride)
    if not average:
        return np.asarray(seen.max((3, 4)))
    counts = math.prod(size) if call.number(4, 0) else _windows(there, size, stride).sum((3, 4))
    return np.asarray(seen.sum((3, 4)) / np.maximum(counts, 1))


def _pool_window(rng: Rng, shape: Shape) -> Want:
    inner = (*shape, 1, 1)[1:3]
    return whole([rng.between(1, min(3, d)) for d in inner])


def _pool_stride(rng: Rng, shape: Shape) -> Want:
    return whole([rng.choice((1, 2)) for _ in range(2)])


def _no_pads(rng: Rng, shape: Shape) -> Want:
    return whole([0] * 4, 2, 2)


# ---- reductions and normalizations


def _axes(call: Call, index: int, rank: int) -> tuple[int, ...]:
    return tuple(sorted({axis_of(a, rank) for a in call.numbers(index, range(rank))}))


def _reduce(function: Callable[..., Array]) -> Callable[[Call], Array]:
    def compute(call: Call) -> Array:
        x = call.args[0].array
        found = np.asarray(function(x, axis=_axes(call, 1, x.ndim), keepdims=bool(call.number(2, 0))))
        return found if found.ndim else found.reshape(1)

    return compute


def _some_axes(rng: Rng, shape: Shape) -> Want:
    chosen = [i for i in range(len(shape)) if rng.chance(0.4)] or [len(shape) - 1]
    return whole(chosen)


def _keep(rng: Rng, shape: Shape) -> Want:
    return scalar(1, INT)


def _argmax(call: Call) -> Array:
    x = call.args[0].array
    axis = axis_of(call.number(1, -1), x.ndim)
    found = np.argmax(x, axis)
    return np.expand_dims(found, axis) if call.number(2, 0) else np.asarray(found)


def _softmax(call: Call) -> Array:
    """Operands: tensor, beta (a float), axis (an integer, the last one when it is not there), as HTP's graph has them."""
    x, axis, beta = _real(call.args[0].array), -1.0, 1.0
    for index in range(1, len(call.args)):
        if call.args[index].output.dtype is INT:
            axis = call.number(index, axis)
        else:
            beta = call.number(index, beta)
    place = axis_of(axis, x.ndim)
    shifted = beta * x - (beta * x).max(axis=place, keepdims=True, initial=-math.inf)
    powers = np.exp(shifted)
    return np.asarray(powers / powers.sum(axis=place, keepdims=True))


def _beta(rng: Rng, shape: Shape) -> Want:
    return scalar(rng.choice((1.0, 1.0, 0.5)), HtpType.Float32)


def _last_axis(rng: Rng, shape: Shape) -> Want:
    return scalar(len(shape) - 1, INT)


def _batchnorm(call: Call) -> Array:
    x, scale, shift = (_real(arg.array) for arg in call.args[:3])
    if not scale.size == shift.size == x.shape[-1]:
        raise Unfit(f"Batchnorm with {scale.size} and {shift.size} numbers for {x.shape[-1]} channels")
    return np.asarray(x * scale.reshape(-1) + shift.reshape(-1))


def _per_channel(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    x = known[0] if known[0] is not None else draw()
    rest = [s if s is not None else (1, 1, 1, x[-1]) for s in known[1:3]]
    return [Want(x), *(Want(s) for s in rest), scalar(1e-5, HtpType.Float32)][: len(known)]


def _layernorm(call: Call) -> Array:
    """Operands: tensor, weights, bias, epsilon; over the last dimension."""
    x = _real(call.args[0].array)
    scaled = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + call.number(3, 1e-5))
    for index, apply in ((1, np.multiply), (2, np.add)):
        if index < len(call.args):
            row = _real(call.args[index].array).reshape(-1)
            if row.size != x.shape[-1]:
                raise Unfit(f"{row.size} numbers for {x.shape[-1]} channels")
            scaled = apply(scaled, row)
    return np.asarray(scaled)


def meanings() -> dict[str, Meaning]:
    """The ops by QNN name without prefix."""
    linear, real = Typing.LINEAR, Typing.FLOAT
    window = ((-1, (1, -1)),)
    reductions: dict[str, Callable[..., Array]] = {
        "ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod,
    }  # fmt: skip
    average = one(_pool_window, _pool_stride, _no_pads, zero, zero)
    return {
        "MatMul": Meaning(_matmul, _matmul_operands, 2, 4, 2, real, dim_source=window),
        "FullyConnected": Meaning(_fully_connected, _fc_operands, 2, 3, 3, linear, dim_source=((-1, (1, -2)),)),
        "Conv2d": Meaning(_conv, _filters(True), 2, 7, 3, linear, dim_source=window),
        "DepthWiseConv2d": Meaning(_depthwise, _filters(False), 2, 6, 3, linear, dim_source=window),
        "PoolMax2d": Meaning(lambda c: _pool(c, False), one(_pool_window, _pool_stride, _no_pads, zero), 3, 5, 1),
        "PoolAvg2d": Meaning(lambda c: _pool(c, True), average, 3, 6, 1, real),
        **{n: Meaning(_reduce(f), one(_some_axes, _keep), 2, 3, 1, Typing.SAME) for n, f in reductions.items()},
        "Argmax": Meaning(_argmax, one(_last_axis, _keep), 2, 3, 1, Typing.INDEX),
        "Softmax": Meaning(_softmax, one(_beta, _last_axis), 1, 3, 1, real),
        "Batchnorm": Meaning(_batchnorm, _per_channel, 3, 3, 3, real),
        "LayerNorm": Meaning(_layernorm, _per_channel, 1, 4, 3, real),
    }
