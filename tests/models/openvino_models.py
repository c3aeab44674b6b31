"""Blocks of real networks as OpenVINO's models, made by code with fixed seeds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops


class Maker:
    """Weights by a seed; every op gets a name."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(0)
        self.count = 0

    def weight(self, *shape: int) -> Any:
        return ops.constant((self.random.standard_normal(shape) * 0.1).astype(np.float32))

    def number(self, value: float) -> Any:
        return ops.constant(np.float32(value))

    def conv(self, x: Any, out: int, size: int = 3, groups: int = 1, relu: bool = False) -> Any:
        inside = x.output(0).get_shape()[1]
        pads = [size // 2] * 2
        if groups > 1:
            kernel = self.weight(groups, out // groups, inside // groups, size, size)
            y = ops.group_convolution(x, kernel, [1, 1], pads, pads, [1, 1])
        else:
            y = ops.convolution(x, self.weight(out, inside, size, size), [1, 1], pads, pads, [1, 1])
        y = ops.add(y, self.weight(1, out, 1, 1))
        return ops.relu(y) if relu else y

    def dense(self, x: Any, out: int, bias: bool = True) -> Any:
        y = ops.matmul(x, self.weight(out, x.output(0).get_shape()[-1]), False, True)
        return ops.add(y, self.weight(1, 1, out)) if bias else y

    def mean(self, x: Any, axes: list[int]) -> Any:
        return ops.reduce_mean(x, np.array(axes, np.int64), True)

    def rms(self, x: Any) -> Any:
        scale = ops.divide(self.number(1.0), ops.sqrt(ops.add(self.mean(ops.multiply(x, x), [-1]), self.number(1e-5))))
        return ops.multiply(ops.multiply(x, scale), self.weight(1, 1, x.output(0).get_shape()[-1]))


def _image(channels: int = 16) -> Any:
    return ops.parameter([1, channels, 14, 14], np.float32, name="x")


def _tokens(width: int = 64) -> Any:
    return ops.parameter([1, 24, width], np.float32, name="x")


def resnet_se(m: Maker) -> tuple[Any, list[Any]]:
    x = _image()
    y = m.conv(m.conv(x, 16, relu=True), 16)
    gate = m.conv(m.mean(y, [2, 3]), 4, 1, relu=True)
    gate = ops.sigmoid(m.conv(gate, 16, 1))
    return x, [ops.relu(ops.add(ops.multiply(y, gate), x))]


def mobilenet_v3(m: Maker) -> tuple[Any, list[Any]]:
    x = _image()
    y = ops.hswish(m.conv(x, 64, 1))
    y = ops.hswish(m.conv(y, 64, 3, groups=64))
    gate = ops.hsigmoid(m.conv(m.conv(m.mean(y, [2, 3]), 16, 1, relu=True), 64, 1))
    return x, [ops.add(m.conv(ops.multiply(y, gate), 16, 1), x)]


def convnext(m: Maker) -> tuple[Any, list[Any]]:
    x = _image()
    y = ops.transpose(m.conv(x, 16, 7, groups=16), np.array([0, 2, 3, 1]))
    centred = ops.subtract(y, m.mean(y, [-1]))
    spread = ops.sqrt(ops.add(m.mean(ops.power(centred, m.number(2.0)), [-1]), m.number(1e-6)))
    y = ops.add(ops.multiply(ops.divide(centred, spread), m.weight(1, 1, 1, 16)), m.weight(1, 1, 1, 16))
    y = ops.add(ops.matmul(y, m.weight(64, 16), False, True), m.weight(1, 1, 1, 64))
    y = ops.gelu(y, "erf")
    y = ops.add(ops.matmul(y, m.weight(16, 64), False, True), m.weight(1, 1, 1, 16))
    y = ops.transpose(ops.multiply(y, m.weight(1, 1, 1, 16)), np.array([0, 3, 1, 2]))
    return x, [ops.add(y, x)]


def swiglu(m: Maker) -> tuple[Any, list[Any]]:
    x = _tokens()
    y = m.rms(x)
    gate, up = m.dense(y, 128, False), m.dense(y, 128, False)
    y = ops.multiply(ops.multiply(gate, ops.sigmoid(gate)), up)
    return x, [ops.add(m.dense(y, 64, False), x)]


def rope(m: Maker) -> tuple[Any, list[Any]]:
    """Halves of every head change places, one of them negated: split, ops, concat, ops."""
    x = _tokens()
    halves = ops.split(x, np.int64(2), 2)
    turned = ops.concat([ops.negative(halves.output(1)), halves.output(0)], 2)
    return x, [ops.add(ops.multiply(x, m.weight(1, 24, 64)), ops.multiply(turned, m.weight(1, 24, 64)))]


def branches(m: Maker) -> tuple[Any, list[Any]]:
    """A variadic split, a chain of elementwise ops on each part, and a concat; two results."""
    x = _tokens()
    parts = ops.variadic_split(x, np.int64(2), np.array([16, 16, 32]))
    one = ops.multiply(ops.exp(parts.output(0)), parts.output(1))
    two = ops.tanh(ops.add(one, parts.output(1)))
    three = ops.maximum(ops.erf(parts.output(2)), m.weight(1, 1, 32))
    joined = ops.concat([one, two, three], 2)
    return x, [ops.abs(ops.multiply(joined, m.number(0.5))), ops.sigmoid(three)]


def gates(m: Maker) -> tuple[Any, list[Any]]:
    """An LSTM's step written out."""
    x, h, c = (
        _tokens(),
        ops.parameter([1, 24, 64], np.float32, name="h"),
        ops.parameter([1, 24, 64], np.float32, name="c"),
    )
    four = ops.split(ops.add(m.dense(x, 256), m.dense(h, 256, False)), np.int64(2), 4)
    i, f, o = (ops.sigmoid(four.output(number)) for number in (0, 1, 3))
    new = ops.add(ops.multiply(f, c), ops.multiply(i, ops.tanh(four.output(2))))
    return [x, h, c], [ops.multiply(o, ops.tanh(new)), new]


def _boxes(m: Maker, *grid: int) -> tuple[Any, list[Any]]:
    """What stands behind a detector's convolutions: its boxes, of three anchors at each place of a grid, decoded."""
    axis = len(grid) + 2
    x = ops.parameter([1, 3, *grid, 4], np.float32, name="x")
    xy, wh = (ops.split(x, np.int64(axis), 2).output(number) for number in (0, 1))
    centre = ops.multiply(ops.add(ops.subtract(ops.multiply(ops.sigmoid(xy), m.number(2.0)), m.number(0.5)),
                                  m.weight(1, 1, *grid, 2)), m.number(8.0))  # fmt: skip
    anchors = m.weight(1, 3, *(1 for _ in grid), 2)
    size = ops.multiply(ops.power(ops.multiply(ops.sigmoid(wh), m.number(2.0)), m.number(2.0)), anchors)
    half = ops.multiply(size, m.number(0.5))
    return x, [ops.concat([ops.subtract(centre, half), ops.add(centre, half)], axis)]


def boxes(m: Maker) -> tuple[Any, list[Any]]:
    return _boxes(m, 400)


def boxes_5d(m: Maker) -> tuple[Any, list[Any]]:
    return _boxes(m, 20, 20)


BLOCKS: dict[str, Callable[[Maker], tuple[Any, list[Any]]]] = {
    made.__name__: made for made in (resnet_se, mobilenet_v3, convnext, swiglu, rope, branches, gates, boxes, boxes_5d)
}


UNARY = {"Exp": ops.exp, "Tanh": ops.tanh, "Sigmoid": ops.sigmoid, "Erf": ops.erf, "Sin": ops.sin}
BINARY = {"Maximum": ops.maximum, "Minimum": ops.minimum, "Multiply": ops.multiply, "Square": ops.squared_difference}


def drawn(seed: int, count: int, moves: bool = True) -> Any:
    """A random model of elementwise ops, with `moves` splits in halves and concats too; no op twice with the same operands."""
    choose = random.Random(seed)
    x, y = (ops.parameter([1, 8, 16], np.float32, name=name) for name in "xy")
    wide, narrow, done = [x.output(0), y.output(0)], [], set()
    while len(done) < count:
        pool = narrow if len(narrow) > 1 and choose.random() < 0.5 else wide
        kind = choose.choice([*UNARY, *BINARY, *["Concat" if pool is narrow else "Split"] * (3 if moves else 0)])
        reads = choose.sample(pool[-12 if moves else -20 :], 2 if kind in BINARY or kind == "Concat" else 1)
        key = (kind, tuple(sorted(str(read.get_node().get_name()) + str(read.get_index()) for read in reads)))
        same = len({read.get_node().get_name() for read in reads}) < len(reads)
        if key in done or (same and kind == "Concat"):
            continue  # would be one op, or none
        if kind == "Multiply" and any(a.get_node().get_type_name() == "Sigmoid" for a in reads):
            continue  # may become one op
        done.add(key)
        if kind == "Split":
            narrow += ops.split(reads[0], np.int64(2), 2).outputs()
        elif kind == "Concat":
            wide.append(ops.concat(reads, 2).output(0))
        else:
            pool.append((UNARY | BINARY)[kind](*reads).output(0))
    open_ = [value for value in wide[2:] + narrow if not value.get_target_inputs()]
    return ov.Model([ops.result(value) for value in open_], [x, y], f"drawn{seed}")


def block(name: str) -> Any:
    """An ov.Model."""
    inputs, results = BLOCKS[name](Maker())
    inputs = inputs if isinstance(inputs, list) else [inputs]
    return ov.Model([ops.result(each) for each in results], inputs, name)


def layers(model: Any) -> list[tuple[str, list[str]]]:
    """What the CPU plugin makes of a model: kind of layer, and the names of the ops that it came from."""
    compiled = ov.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    found = []
    for node in compiled.get_runtime_model().get_ordered_ops():
        info = node.get_rt_info()
        texts = []
        for key in ("layerType", "originalLayersNames"):
            value: Any = info[key]
            texts.append(str(value.astype(str)) if hasattr(value, "astype") else str(value))
        found.append((texts[0], [name for name in texts[1].split(",") if name]))
    return found
