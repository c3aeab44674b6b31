"""define_node of generated builders on fake graph nodes: every form of argument, and every reason to reject one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from executorch_graphs import FakeTensor, build, call, tensor

from opkg.spec.model import OpPackage

Import = Callable[[OpPackage], ModuleType]
PADS = [1, 2, 3, 4]


@pytest.fixture
def visitors(generated: Import, everything: OpPackage) -> dict[str, type[Any]]:
    """Builders by the name of the op."""
    return {v.__name__.removesuffix("Visitor"): v for v in generated(everything).visitors()}


def rejection(visitor: type[Any], node: Any, program: dict[str, Any] | None = None) -> str:
    """The reason a builder gives for not taking a node."""
    with pytest.warns(UserWarning, match=r"^\[test.everything\]") as warned:
        assert build(visitor, node, program) is None
    return str(warned[0].message).split("(op_1): ")[1]


def test_every_default_in_order(visitors: dict[str, type[Any]]) -> None:
    """Params come in the spec's order, defaults included, as numpy values of the QNN type."""
    x = tensor("x", 2, 3)
    op = build(visitors["AllParams"], call(x, required=-5, pads=PADS, out=(2, 3)))
    assert (op.package, op.op_type, op.name) == ("test.everything", "AllParams", "op_1")
    scalars = [(n, t, type(v), v.item()) for n, t, v, dims in op.params if dims is None]
    assert scalars == [
        ("i8", "INT_8", np.int8, -7),
        ("u8", "UINT_8", np.uint8, 200),
        ("i16", "INT_16", np.int16, -300),
        ("u16", "UINT_16", np.uint16, 40000),
        ("i32", "INT_32", np.int32, -70000),
        ("u32", "UINT_32", np.uint32, 3000000000),
        ("f16", "FLOAT_16", np.float16, float(np.float16(0.1))),
        ("f32", "FLOAT_32", np.float32, float(np.float32(0.1))),
        ("flag", "BOOL_8", np.bool_, True),
        ("mode", "UINT_32", np.uint32, 1),
        ("required", "INT_32", np.int32, -5),
    ]
    tensors = [(n, t, v.dtype, v.tolist(), dims) for n, t, v, dims in op.params if dims is not None]
    assert tensors == [
        ("ints", "INT_32", np.int32, [-1, 0, 1], (3,)),
        ("floats", "FLOAT_32", np.float32, [0.5, 1.5], (2,)),
        ("flags", "BOOL_8", np.bool_, [True, False], (2,)),
        ("pads", "UINT_32", np.uint32, [[1, 2], [3, 4]], (2, 2)),
    ]
    assert [name for name, *_ in op.params][-4:] == ["ints", "floats", "flags", "pads"]


def test_positional_and_keyword(visitors: dict[str, type[Any]]) -> None:
    x = tensor("x", 1)
    args = (x, -128, 0, 32767, 0, 99, 0, -1, 2, False, 2, 7, (3, -2, 1), [9], [False, True])
    op = build(visitors["AllParams"], call(*args, pads=(5, 6), out=(1,)))
    values = {name: value.tolist() for name, _, value, _ in op.params}
    assert values == {
        "i8": -128, "u8": 0, "i16": 32767, "u16": 0, "i32": 99, "u32": 0, "f16": -1.0, "f32": 2.0, "flag": False,
        "mode": 2, "required": 7, "ints": [3, -2, 1], "floats": [9.0], "flags": [False, True], "pads": [[5, 6]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"i8": 128}, "param 'i8': 128 is not in -128 .. 127"),
        ({"u8": -1}, "param 'u8': -1 is not in 0 .. 255"),
        ({"i32": 100}, "param 'i32' is 100; it must be < 100"),
        ({"i16": 1.5}, "param 'i16': 1.5 is no whole number"),
        ({"i16": True}, "param 'i16': True is a bool"),
        ({"f16": 1e6}, "param 'f16': 1000000.0 does not fit in float16"),
        ({"f32": 0.05}, "param 'f32' is 0.05000000074505806; it must be >= 0.10000000149011612"),
        ({"flag": 1}, "param 'flag': 1 is no bool"),
        ({"mode": 3}, "param 'mode' is 3; allowed are NEAREST (0), LINEAR (1), CUBIC (2)"),
        ({"required": None}, "param 'required' is missing"),
        ({"ints": [1, 2]}, "param 'ints' has 2 elements, not 3"),
        ({"ints": 1}, "param 'ints' must be a tensor"),
        ({"floats": []}, "param 'floats' is empty"),
        ({"floats": [1.0] * 4}, "'floats' are at most three, from below 10"),
        ({"pads": [1, 2]}, "one pair of 'pads' a dimension"),
        ({"pads": 3}, "param 'pads' must be a tensor"),
        ({"i32": tensor("n", 1)}, "param 'i32' is computed in the graph; it must be a constant"),
    ],
)
def test_rejected_params(visitors: dict[str, type[Any]], arguments: dict[str, Any], reason: str) -> None:
    given = {"required": 1, "pads": PADS} | arguments
    assert rejection(visitors["AllParams"], call(tensor("x", 2, 3), out=(2, 3), **given)) == reason


def test_rejected_tensors(visitors: dict[str, type[Any]]) -> None:
    visitor = visitors["AllParams"]
    base = {"required": 1, "pads": PADS, "out": (2, 3)}
    assert rejection(visitor, call(tensor("x", 2, 3, dtype="int32"), **base)) == (
        "'x' has element type int32, not float32 or ufixed8"
    )
    assert "which QNN has not" in rejection(visitor, call(tensor("x", 2, 3, dtype="complex"), **base))
    assert rejection(visitor, call(None, **base)) == "input 'x' is missing"
    assert rejection(visitor, call(**base)) == "input 'x' is missing"
    assert "which is no tensor" in rejection(visitor, call(1.5, **base))
    assert rejection(visitor, call(tensor("x", *[1] * 5), **base)) == "'x' has rank 5; allowed is 1 to 4"
    assert rejection(visitor, call(tensor("x", 2, 0), **base)) == (
        "'x' has shape [2, 0]; every dimension must be at least 1"
    )
    assert rejection(visitor, call(tensor("x", 2, 4), **base)) == "'y' has shape [2, 3], not [2, 4]"


def test_variadic(visitors: dict[str, type[Any]]) -> None:
    xs = [tensor(f"x{i}", 2, i + 1) for i in range(4)]
    op = build(visitors["Concat"], call(xs[:2], -1, out=(2, 3)))
    assert [(w.name, w.tensor_type, w.dims) for w in op.inputs] == [
        ("x0@0", "NATIVE", (2, 1)),
        ("x1@0", "NATIVE", (2, 2)),
    ]
    assert op.params == [("axis", "INT_32", -1, None)]
    assert len(build(visitors["Concat"], call(xs, out=(2, 10))).inputs) == 4
    assert rejection(visitors["Concat"], call(xs[:3], out=(2, 6))) == "three is a crowd"
    assert rejection(visitors["Concat"], call(xs[:1], out=(2, 1))) == "'xs' is given 1 times; allowed are 2 to 4"
    assert rejection(visitors["Concat"], call([], out=(2, 1))) == "input 'xs' is missing"
    assert "cannot be joined along axis 0" in rejection(visitors["Concat"], call(xs[:2], 0, out=(2, 1)))
    assert (
        rejection(visitors["Concat"], call(xs[:2], 2, out=(2, 1))) == "param 'axis' is 2; 'xs' has dimensions -2 to 1"
    )


def test_outputs(visitors: dict[str, type[Any]]) -> None:
    op = build(visitors["Halves"], call(tensor("x", 2, 5), out=[(2, 2), (2, 3)]))
    assert [(w.name, w.dims) for w in op.outputs] == [("op_1@0", (2, 2)), ("op_1@1", (2, 3))]
    assert rejection(visitors["Halves"], call(tensor("x", 2, 5), out=(2, 2))) == "the node has 1 outputs, not 2"
    op = build(visitors["Pieces"], call(tensor("x", 2, 6), 2, out=[(2, 2)] * 3))
    assert [w.name for w in op.outputs] == ["op_1@0", "op_1@1", "op_1@2"]
    assert rejection(visitors["Pieces"], call(tensor("x", 2, 6), 2, out=[(2, 2)] * 2)) == (
        "the pieces must make up the whole"
    )


def channels(count: int, axis: int = 0) -> dict[str, Any]:
    """Per-channel quantization of int8 weights."""
    pairs = np.zeros(count, dtype=[("scale", np.float32), ("offset", np.int32)])
    pairs["scale"] = 0.5
    return {"scale_offset": pairs, "axis": axis}


def test_static_and_optional(visitors: dict[str, type[Any]]) -> None:
    """Weights behind a dequantize, optional inputs missing, None or given."""
    visitor = visitors["Weighted"]
    x = tensor("x", 2, 3)
    weight = tensor("w", 3, 3, dtype="int8", quant=channels(3))
    bias = tensor("b", 3, dtype="int8", quant={"scale": 0.5, "offset": 0})
    frozen = tensor("dq", 3, 3)
    frozen.target, frozen.args = "dequantize", (weight,)
    program = {"w": FakeTensor((3, 3), "int8"), "b": FakeTensor((3,), "int8")}
    for args in ((x, weight), (x, frozen, None, None), (x, weight, None)):
        op = build(visitor, call(*args, out=(2, 3)), program)
        assert [(w.name, w.tensor_type, w.data_type) for w in op.inputs] == [
            ("x@0", "NATIVE", "FLOAT_32"),
            ("w@0", "STATIC", "SFIXED_POINT_8"),
        ]
        assert op.inputs[1].value is program["w"]
        assert [(n, v.tolist()) for n, _, v, _ in op.params] == [("alpha", 0.0), ("axes", [1])]
    mask = tensor("m", 2, 1, dtype="bool")
    op = build(visitor, call(x, weight, bias, mask, axes=[-1, 0], out=(2, 3)), program)
    assert [w.name for w in op.inputs] == ["x@0", "w@0", "b@0", "m@0"]
    assert op.params[1][2].tolist() == [1, 0]

    def reason(*args: Any, **kwargs: Any) -> str:
        return rejection(visitor, call(*args, out=(2, 3), **kwargs), program)

    assert reason(x, weight, None, mask) == "input 'mask' is given, but 'bias' before it is not"
    assert reason(x, tensor("v", 3, 3)) == "input 'weight' must be a constant"
    assert reason(tensor("x", 2, 4), weight) == "dimension C is 4 in 'x' and 3 in 'weight'"
    assert (
        reason(x, weight, bias, tensor("m", 5, 1, dtype="bool")) == "dimensions batch are [2] in 'x' and [5] in 'mask'"
    )
    assert reason(x, weight, axes=[2]) == "param 'axes' is 2; 'x' has dimensions 0 to 1"
    weight.meta["quant"] = channels(3, axis=1)
    assert reason(x, weight) == "'weight' is quantized per channel of dimension 1, not 0"


def test_quantization(visitors: dict[str, type[Any]]) -> None:
    half = {"scale": 0.0078125, "offset": -128}
    x, z = (tensor(n, 4, dtype="uint8", quant=dict(half)) for n in "xz")
    node = call(x, z, out=(4,))
    node.meta["val"] = FakeTensor((4,), "uint8")
    node.meta["quant"] = dict(half)
    op = build(visitors["Fixed"], node)
    assert {w.data_type for w in (*op.inputs, *op.outputs)} == {"UFIXED_POINT_8"}
    for at, key, value, reason in (
        (x, "offset", 0, "'x' has offset 0; it must be -128"),
        (z, "offset", 0, "'z' has offset 0; it must be -128 to be symmetric"),
        (node, "scale", 0.5, "'y' has scale 0.5; it must be 0.0078125"),
        (z, "scale", 99.0, "scales too large"),
    ):
        before = at.meta["quant"][key]
        at.meta["quant"][key] = value
        assert rejection(visitors["Fixed"], node) == reason
        at.meta["quant"][key] = before
    x.meta["val"] = FakeTensor((4,), "int8")
    assert rejection(visitors["Fixed"], node) == (
        "no kernel takes these element types together: x: sfixed8, z: ufixed8, y: ufixed8"
    )


def test_changed_layout(visitors: dict[str, type[Any]]) -> None:
    """After the backend's change of layout, checks see torch's order and QNN the new one, counted from the end."""
    xs = [tensor("a", 1, 2, 5, 6), tensor("b", 1, 3, 5, 6)]
    node = call(xs, 1, out=(1, 5, 5, 6))
    node.meta["axis_order"] = [0, 2, 3, 1]
    op = build(visitors["Concat"], node)
    assert op.inputs[1].dims == (1, 5, 6, 3)
    assert op.outputs[0].dims == (1, 5, 6, 5)
    assert op.params == [("axis", "INT_32", -1, None)]


def test_names_that_ours_use(visitors: dict[str, type[Any]]) -> None:
    node = call(tensor("n", 2, 3), tensor("c", 3), 2, [7], True, out=(2, 3))
    op = build(visitors["Reduce"], node)
    assert [(n, v.tolist()) for n, _, v, _ in op.params] == [("types", 2), ("reason", [7]), ("inputs", True)]


def test_a_rank_0_tensor_has_one_dimension(visitors: dict[str, type[Any]]) -> None:
    assert build(visitors["AllParams"], call(tensor("x"), required=1, pads=[0, 0], out=())) is not None


def test_package_info(generated: Import, everything: OpPackage, tmp_path: Path) -> None:
    package = generated(everything)
    assert sorted(t for v in package.visitors() for t in v.target) == sorted(package.TARGETS)
    assert "test_everything.all_params.default" in package.TARGETS
    library = tmp_path / "libtest_everything.so"
    with pytest.raises(ValueError, match="no such file"):
        package.package_info(library)
    library.write_bytes(b"\x7fELF otherInterfaceProvider\0")
    with pytest.raises(ValueError, match="does not export test_everythingInterfaceProvider"):
        package.package_info(library)
    library.write_bytes(b"\x7fELF\0test_everythingInterfaceProvider\0")
    infos = package.package_info(str(library))
    assert [(info.op_package_path, info.target.name, info.platform.name) for info in infos] == [
        ("libtest_everything.so", "CPU", "X86_64"),
        ("libtest_everything.so", "CPU", "AARCH64_ANDROID"),
        ("libtest_everything_HTP.so", "HTP", "AARCH64_ANDROID"),
    ]
    for info in infos:
        assert info.op_package_name == "test.everything"
        assert info.interface_provider == "test_everythingInterfaceProvider"
        assert info.custom_op_name not in package.TARGETS
    other = tmp_path / "libother.so"
    library.rename(other)
    with pytest.raises(ValueError, match="is not called libtest_everything"):
        package.load_library(other)
