"""Models for the tests of fused ops: ONNX files made by code with fixed seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper


class Maker:
    """Nodes and constants; every result gets the name of its node."""

    def __init__(self, opset: int = 18) -> None:
        self.random = np.random.default_rng(0)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.opset = opset

    def input(self, name: str, *shape: int | str) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def constant(self, name: str, value: Any, kind: str = "float32") -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def weight(self, name: str, *shape: int) -> str:
        return self.constant(name, self.random.standard_normal(shape) / np.sqrt(shape[0]))

    def op(self, kind: str, name: str, *inputs: str, **attributes: Any) -> str:
        result = f"{name}_output_0"
        self.nodes.append(helper.make_node(kind, inputs, [result], name, **attributes))
        return result

    def model(self, name: str, outputs: Sequence[str]) -> Any:
        results = [helper.make_tensor_value_info(each, TensorProto.FLOAT, None) for each in outputs]
        graph = helper.make_graph(self.nodes, name, self.inputs, results, self.constants)
        opsets = [helper.make_opsetid("", self.opset)]
        from onnx import shape_inference

        return shape_inference.infer_shapes(helper.make_model(graph, opset_imports=opsets, ir_version=8))


def mlp(blocks: int = 3, scales: Sequence[float] = (0.5, 0.5, 0.5)) -> Any:
    """MatMul, GELU by its ops, MatMul, some times; the last factor of each GELU as given."""
    m = Maker(17)
    x = m.input("x", 1, 17, 64)
    for number in range(blocks):
        path = f"/layers.{number}/act"
        h = m.op("MatMul", f"/layers.{number}/up/MatMul", x, m.weight(f"layers.{number}.up", 64, 128))
        d = m.op("Div", f"{path}/Div", h, m.constant(f"{path}/root", np.sqrt(2.0)))
        e = m.op("Add", f"{path}/Add", m.op("Erf", f"{path}/Erf", d), m.constant(f"{path}/one", 1.0))
        operands = (h, e) if number % 2 else (e, h)  # the same op
        p = m.op("Mul", f"{path}/Mul", *operands)
        g = m.op("Mul", f"{path}/Mul_1", p, m.constant(f"{path}/factor", scales[number]))
        x = m.op("MatMul", f"/layers.{number}/down/MatMul", g, m.weight(f"layers.{number}.down", 128, 64))
    return m.model("mlp", [x])


def _conv(m: Maker, name: str, x: str, out: int, inside: int, size: int = 1, groups: int = 1) -> str:
    weight = m.constant(
        f"{name}.weight", m.random.standard_normal((out, inside // groups, size, size)) / size / inside**0.5
    )
    bias = m.constant(f"{name}.bias", m.random.standard_normal(out) / 4)
    return m.op("Conv", f"{name}/Conv", x, weight, bias, group=groups, pads=[size // 2] * 4)


def mobilenet_v3() -> Any:
    """An inverted residual with squeeze and excitation; hard swish by its ops, twice."""
    m = Maker()
    x = m.input("x", 1, 16, 14, 14)

    def hard_swish(path: str, y: str) -> str:
        three, zero, six = (m.constant(f"{path}/{n}", v) for n, v in (("three", 3.0), ("zero", 0.0), ("six", 6.0)))
        bounded = m.op("Clip", f"{path}/Clip", m.op("Add", f"{path}/Add", y, three), zero, six)
        return m.op("Div", f"{path}/Div", m.op("Mul", f"{path}/Mul", y, bounded), six)

    y = hard_swish("/block/0/hswish", _conv(m, "/block/expand", x, 64, 16))
    y = hard_swish("/block/1/hswish", _conv(m, "/block/depth", y, 64, 64, 3, 64))
    s = _conv(m, "/block/fc1", m.op("GlobalAveragePool", "/block/pool", y), 16, 64)
    s = _conv(m, "/block/fc2", m.op("Relu", "/block/relu", s), 64, 16)
    gate = m.op("HardSigmoid", "/block/se/HardSigmoid", s, alpha=1 / 6, beta=0.5)
    y = _conv(m, "/block/project", m.op("Mul", "/block/se/Mul", y, gate), 16, 64)
    return m.model("mobilenet_v3", [m.op("Add", "/block/Add", y, x)])


def resnet_se() -> Any:
    m = Maker()
    x = m.input("x", 1, 16, 14, 14)
    y = m.op("Relu", "/block/relu", _conv(m, "/block/conv1", x, 16, 16, 3))
    y = _conv(m, "/block/conv2", y, 16, 16, 3)
    s = m.op("Relu", "/block/se/relu", _conv(m, "/block/fc1", m.op("GlobalAveragePool", "/block/pool", y), 4, 16))
    gate = m.op("Sigmoid", "/block/se/Sigmoid", _conv(m, "/block/fc2", s, 16, 4))
    y = m.op("Add", "/block/se/Add", m.op("Mul", "/block/se/Mul", y, gate), x)
    return m.model("resnet_se", [m.op("Relu", "/block/se/Relu", y)])


def convnext() -> Any:
    """Depthwise convolution, LayerNorm by its ops, GELU by its ops, scale, residual."""
    m = Maker()
    x = m.input("x", 1, 16, 14, 14)
    y = m.op("Transpose", "/block/Transpose", _conv(m, "/block/depth", x, 16, 16, 7, 16), perm=[0, 2, 3, 1])
    axes = m.constant("axes", [-1], "int64")
    d = m.op("Sub", "/block/norm/Sub", y, m.op("ReduceMean", "/block/norm/ReduceMean", y, axes))
    v = m.op("ReduceMean", "/block/norm/ReduceMean_1", m.op("Pow", "/block/norm/Pow", d, m.constant("two", 2.0)), axes)
    v = m.op("Sqrt", "/block/norm/Sqrt", m.op("Add", "/block/norm/Add", v, m.constant("norm.epsilon", 1e-6)))
    y = m.op("Mul", "/block/norm/Mul", m.op("Div", "/block/norm/Div", d, v), m.weight("norm.weight", 16))
    y = m.op("Add", "/block/norm/Add_1", y, m.weight("norm.bias", 16))
    h = m.op("MatMul", "/block/up/MatMul", y, m.weight("up.weight", 16, 64))
    h = m.op("Add", "/block/up/Add", h, m.weight("up.bias", 64))
    e = m.op("Erf", "/block/act/Erf", m.op("Div", "/block/act/Div", h, m.constant("root", np.sqrt(2.0))))
    p = m.op("Mul", "/block/act/Mul", h, m.op("Add", "/block/act/Add", e, m.constant("one", 1.0)))
    h = m.op("Mul", "/block/act/Mul_1", p, m.constant("half", 0.5))
    y = m.op("MatMul", "/block/down/MatMul", h, m.weight("down.weight", 64, 16))
    y = m.op("Add", "/block/down/Add", y, m.weight("down.bias", 16))
    y = m.op("Mul", "/block/scale/Mul", y, m.weight("gamma", 16))
    y = m.op("Transpose", "/block/Transpose_1", y, perm=[0, 3, 1, 2])
    return m.model("convnext", [m.op("Add", "/block/Add", y, x)])


def transformer(blocks: int = 2) -> Any:
    """RMSNorm, rotary embedding, attention, RMSNorm, SwiGLU, as a decoder has them."""
    m = Maker()
    x = m.input("x", 1, 24, 64)
    for number in range(blocks):
        x = _attention(m, f"/layers.{number}", x)
        x = _gated(m, f"/layers.{number}", x)
    return m.model("transformer", [x])


def _rms(m: Maker, path: str, x: str) -> str:
    axes = m.constant(f"{path}/axes", [-1], "int64")
    squares = m.op("Pow", f"{path}/Pow", x, m.constant(f"{path}/two", 2.0))
    mean = m.op("ReduceMean", f"{path}/ReduceMean", squares, axes)
    spread = m.op("Sqrt", f"{path}/Sqrt", m.op("Add", f"{path}/Add", mean, m.constant(f"{path}/epsilon", 1e-5)))
    scaled = m.op("Div", f"{path}/Div", x, spread)
    return m.op("Mul", f"{path}/Mul", scaled, m.weight(f"{path}.weight", 64))


def _attention(m: Maker, path: str, x: str) -> str:
    y = _rms(m, f"{path}/norm", x)
    angles = np.arange(24)[:, None] / 100.0 ** (np.arange(32) / 32)
    cos = m.constant(f"{path}/cos", np.cos(np.concatenate([angles, angles], 1)))
    sin = m.constant(f"{path}/sin", np.sin(np.concatenate([angles, angles], 1)))
    turned = []
    for name in ("q", "k"):
        q = m.op("MatMul", f"{path}/{name}/MatMul", y, m.weight(f"{path}.{name}", 64, 64))
        ends = [m.constant(f"{path}/{name}/{n}", [v], "int64") for n, v in (("start", 0), ("middle", 32), ("end", 64))]
        last = m.constant(f"{path}/{name}/last", [2], "int64")
        low = m.op("Slice", f"{path}/{name}/low", q, ends[0], ends[1], last)
        high = m.op("Slice", f"{path}/{name}/high", q, ends[1], ends[2], last)
        half = m.op("Concat", f"{path}/{name}/Concat", m.op("Neg", f"{path}/{name}/Neg", high), low, axis=2)
        turned.append(
            m.op("Add", f"{path}/{name}/rope/Add", m.op("Mul", f"{path}/{name}/rope/Mul", q, cos),
                 m.op("Mul", f"{path}/{name}/rope/Mul_1", half, sin))
        )  # fmt: skip
    v = m.op("MatMul", f"{path}/v/MatMul", y, m.weight(f"{path}.v", 64, 64))
    scores = m.op("MatMul", f"{path}/scores", turned[0], m.op("Transpose", f"{path}/turn", turned[1], perm=[0, 2, 1]))
    scores = m.op("Mul", f"{path}/attn/Mul", scores, m.constant(f"{path}/scale", 0.125))
    scores = m.op("Softmax", f"{path}/attn/Softmax", scores, axis=-1)
    out = m.op("MatMul", f"{path}/out", m.op("MatMul", f"{path}/mix", scores, v), m.weight(f"{path}.o", 64, 64))
    return m.op("Add", f"{path}/Add", x, out)


def _gated(m: Maker, path: str, x: str) -> str:
    y = _rms(m, f"{path}/norm2", x)
    gate = m.op("MatMul", f"{path}/gate/MatMul", y, m.weight(f"{path}.gate", 64, 128))
    up = m.op("MatMul", f"{path}/up/MatMul", y, m.weight(f"{path}.up", 64, 128))
    silu = m.op("Mul", f"{path}/swiglu/Mul", gate, m.op("Sigmoid", f"{path}/swiglu/Sigmoid", gate))
    h = m.op("Mul", f"{path}/swiglu/Mul_1", silu, up)
    return m.op("Add", f"{path}/Add_1", x, m.op("MatMul", f"{path}/down/MatMul", h, m.weight(f"{path}.down", 128, 64)))


BLOCKS = {made.__name__: made for made in (mobilenet_v3, resnet_se, convnext, transformer)}


def quantized(proto: Any, kind: str = "uint8") -> Any:
    """The model in QDQ form: behind every op but the last a pair of steps, by the ranges of a run of it, and at its inputs."""
    import onnx
    import onnxruntime

    seen = onnx.ModelProto()
    seen.CopyFrom(proto)
    last = {value.name for value in proto.graph.output}
    floats = {
        value.name: value for value in proto.graph.value_info if value.type.tensor_type.elem_type == TensorProto.FLOAT
    }
    seen.graph.output.extend(value for name, value in floats.items() if name not in last)
    session = onnxruntime.InferenceSession(seen.SerializeToString(), providers=["CPUExecutionProvider"])
    given = {
        value.name: np.random.default_rng(7).standard_normal([d.dim_value for d in value.type.tensor_type.shape.dim])
        for value in proto.graph.input
    }
    given = {name: value.astype("float32") for name, value in given.items()}
    values = dict(zip([o.name for o in session.get_outputs()], session.run(None, given), strict=True)) | given
    made = onnx.ModelProto()
    made.CopyFrom(proto)
    del made.graph.node[:]
    del made.graph.value_info[:]
    renamed: dict[str, str] = {}

    def steps(name: str) -> None:
        info = np.iinfo(kind)
        low, high = min(float(values[name].min()), 0.0), max(float(values[name].max()), 0.0)
        scale = np.float32((high - low) / (info.max - info.min) or 1.0)
        zero = np.array(np.clip(round(info.min - low / scale), info.min, info.max), kind)
        made.graph.initializer.append(numpy_helper.from_array(np.asarray(scale), f"{name}_scale"))
        made.graph.initializer.append(numpy_helper.from_array(zero, f"{name}_zero"))
        parts = [f"{name}_scale", f"{name}_zero"]
        made.graph.node.append(helper.make_node("QuantizeLinear", [name, *parts], [f"{name}_q"], f"{name}_Q"))
        made.graph.node.append(helper.make_node("DequantizeLinear", [f"{name}_q", *parts], [f"{name}_d"], f"{name}_DQ"))
        renamed[name] = f"{name}_d"

    def stored(tensor: Any) -> None:
        """A weight in 8 bits, with one scale."""
        info = np.iinfo(kind)
        value = numpy_helper.to_array(tensor)
        low, high = min(float(value.min()), 0.0), max(float(value.max()), 0.0)
        scale = np.float32((high - low) / (info.max - info.min))
        zero = int(np.clip(round(info.min - low / scale), info.min, info.max))
        whole = np.clip(np.rint(value / scale) + zero, info.min, info.max).astype(kind)
        name = tensor.name
        for each, number in (("q", whole), ("s", np.asarray(scale)), ("z", np.array(zero, kind))):
            made.graph.initializer.append(numpy_helper.from_array(number, f"{name}_{each}"))
        parts = [f"{name}_{each}" for each in "qsz"]
        made.graph.node.append(helper.make_node("DequantizeLinear", parts, [f"{name}_d"], f"{name}_DQ"))
        renamed[name] = f"{name}_d"
        made.graph.initializer.remove(tensor)

    for name in given:
        steps(name)
    for tensor in [*made.graph.initializer]:
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) > 1:
            stored(tensor)
    for node in proto.graph.node:
        copy = made.graph.node.add()
        copy.CopyFrom(node)
        names = [renamed.get(name, name) for name in node.input]
        del copy.input[:]
        copy.input.extend(names)
        for name in node.output:
            if name in floats and name not in last:
                steps(name)
    return onnx.shape_inference.infer_shapes(made)


def statements() -> Any:
    """What the guide of OpenVINO's snippets says of kernels, one subgraph each, between matrix products."""
    m = Maker(17)
    x = m.input("x", 2, 17, 64)

    def product(name: str, y: str) -> str:
        return m.op("MatMul", f"/{name}/MatMul", y, m.weight(f"{name}.weight", 64, 64))

    g = product("a", x)
    e = m.op("Erf", "/gelu/Erf", m.op("Div", "/gelu/Div", g, m.constant("root", np.sqrt(2.0))))
    p = m.op("Mul", "/gelu/Mul", g, m.op("Add", "/gelu/Add", e, m.constant("one", 1.0)))
    y = product("b", m.op("Mul", "/gelu/Mul_1", p, m.constant("half", 0.5)))
    s = m.op("Add", "/diamond/Add", y, g)
    bent = m.op("Max", "/diamond/Max", m.op("Add", "/diamond/Add_1", s, m.op("Abs", "/diamond/Abs", s)), s)
    y = product("c", m.op("Mul", "/diamond/Mul", s, bent))
    row = m.op("ReduceMax", "/row", product("d", y), axes=[-1], keepdims=1)
    joined = m.op("Concat", "/joined", row, row, axis=2)
    first = m.op("Slice", "/first", joined, *(m.constant(f"at{n}", [v], "int64") for n, v in enumerate((0, 1, 2))))
    y = m.op("Mul", "/narrow/Mul", m.op("Add", "/narrow/Add", y, first), first)
    return m.model("statements", [product("e", y)])
