"""What arrives at a kernel: element types, ranks, params, absent inputs (docs/measured-qhpi.md says it in words)."""

import re

import numpy as np
import pytest
from simlib import QNN, Case, scalar, tensor_param

QUANTIZED = {"s8", "s16", "s32", "u8", "u16", "u32"}


def seen(result, start):
    """The numbers of one log line of toy_probe, by name."""
    for line in result.log:
        if line["text"].startswith(start):
            return dict(re.findall(r"(\w+)=(\S+)", line["text"]))
    raise AssertionError(f"no line '{start}' in {result.text}")


def unary(name, dtype, x, op="Dump1", so=None, inputs=(), params=(), before=None):
    case = Case(name)
    case.input("x", dtype, x, so=so)
    if before:
        before(case)
    case.output("y", dtype, np.shape(x), so=so)
    return case.node("n0", "toy.probe", op, ["x", *inputs], ["y"], params)


# QNN type: (QHPI type early, QHPI type in the kernel, zero offset of an unquantized / of a tensor with offset -3)
ARRIVALS = {
    "i8": (7, 1, 128), "i16": (3, 2, 32768), "i32": (5, 5, 0), "ui8": (1, 1, 0), "ui16": (2, 2, 0), "ui32": (5, 5, 0),
    "f16": (8, 8, 0), "f32": (4, 4, 0), "s8": (7, 1, 131), "s16": (3, 2, 32771), "s32": (6, 6, 3), "u8": (1, 1, 3),
    "u16": (2, 2, 3), "u32": (6, 6, 3), "b8": (1, 1, 0),
}  # fmt: skip


def values_of(dtype):
    x = np.arange(32) % 2 if dtype == "b8" else np.arange(32) - (16 if dtype[0] in "is" else 0)
    return x.astype(QNN[dtype][1])


def test_dtype_of_graph_tensors(machine):
    cases = [unary(d, d, values_of(d), so=(0.5, -3) if d in QUANTIZED else None) for d in ARRIVALS]
    for result in machine("toy_probe", cases).values():
        dtype = result.name
        early, kernel, zero = ARRIVALS[dtype]
        assert result.status == "ok", (dtype, result.text)
        assert seen(result, "early in 0")["type"] == str(early), dtype
        assert seen(result, "early out 0")["type"] == str(kernel), dtype
        inside = seen(result, "in 0")
        assert (inside["type"], inside["zero"]) == (str(kernel), str(zero)), dtype
        assert float(inside["step"]) == (0.5 if dtype in QUANTIZED else 1.0), dtype
        np.testing.assert_array_equal(result.outputs["y"], values_of(dtype))


@pytest.mark.parametrize(
    ("dtype", "status", "code"), [("i64", "crash", 11), ("ui64", "error", 7004), ("f64", "error", 7004)]
)
def test_dtypes_that_no_kernel_can_have(machine, dtype, status, code):
    result = machine.one("toy_probe", unary("t", dtype, np.arange(8)))
    assert (result.status, result.code) == (status, code)


@pytest.mark.parametrize("shape", [(32,), (4, 8), (2, 4, 8), (1, 2, 4, 8)])
def test_ranks_up_to_four_arrive_as_four(machine, shape):
    result = machine.one("toy_probe", unary("t", "f32", np.ones(shape)))
    padded = "4[" + ",".join(map(str, (1,) * (4 - len(shape)) + shape)) + "]"
    assert seen(result, "early in 0")["shape"] == padded
    assert seen(result, "in 0")["shape"] == padded


@pytest.mark.parametrize("dtype", ["f32", "f16", "u8", "u16", "i32"])
def test_rank_five_needs_flat5(machine, dtype):
    so = (0.5, -3) if dtype in QUANTIZED else None
    case = unary("t", dtype, np.arange(720).reshape(2, 3, 4, 5, 6) % 251, so=so)
    result = machine.one("toy_probe", case, flags=("-DPROBE_LAYOUT=3",))
    assert result.status == "ok"
    assert seen(result, "in 0")["shape"] == "5[2,3,4,5,6]"
    assert machine.one("toy_probe", case).code == 1002


@pytest.mark.parametrize("shape", [(), (1, 1, 2, 2, 4, 8)])
def test_rank_zero_and_six_fail_in_finalize(machine, shape):
    result = machine.one("toy_probe", unary("t", "f32", np.ones(shape)))
    assert (result.status, result.stage, result.code) == ("error", "finalize", 1002)


# dtype, value: (QHPI type, first stored bytes)
SCALARS = [
    ("i8", 3, 1, "83"), ("i8", -3, 1, "7d"), ("i16", 3, 2, "0380"), ("i32", -3, 5, "fdffffff"), ("ui8", 3, 1, "03"),
    ("ui16", 3, 2, "0300"), ("ui32", 3, 5, "03000000"), ("f32", 3.0, 4, "00004040"), ("b8", 1, 4, "01"),
    ("b8", 0, 4, "00"),
]  # fmt: skip


def test_scalar_params(machine):
    ones = np.ones(32)
    cases = [unary("t", "f32", ones, "Dump2", params=[scalar("p", d, value)]) for d, value, _, _ in SCALARS]
    for result, (dtype, _, kind, stored) in zip(machine("toy_probe", cases).values(), SCALARS, strict=True):
        inside = seen(result, "in 1")
        assert (inside["type"], inside["shape"]) == (str(kind), "4[1,1,1,1]"), dtype
        assert inside["bytes"].startswith(stored), dtype
        assert seen(result, "early in 1")["const"] == "1", dtype


def test_a_bool_scalar_is_a_float_with_one_valid_byte(host):
    """The backend leaves garbage in the other three; the simulation always does, so that nobody relies on them."""
    result = host.one("toy_probe", unary("t", "f32", np.ones(32), "Dump2", params=[scalar("p", "b8", 1)]))
    assert not seen(result, "in 1")["bytes"].startswith("01000000")


def test_scalar_params_that_are_refused(machine):
    refused = ["i64", "ui64", "f16", "f64"]
    cases = [unary(d, "f32", np.ones(32), "Dump2", params=[scalar("p", d, 3)]) for d in refused]
    for result in machine("toy_probe", cases).values():
        assert (result.status, result.stage, result.code) == ("error", "compose", 6000), result.name


def static_case(dtype, as_param):
    def add(case):
        case.static("w", dtype, [1, 0, 1], so=(0.5, -3) if dtype in QUANTIZED else None)

    how = {"params": [tensor_param("p", "w")]} if as_param else {"inputs": ["w"]}
    return unary(dtype, "f32", np.ones(32), "Dump2", before=add, **how)


@pytest.mark.parametrize("as_param", [True, False])
def test_static_tensors(machine, as_param):
    """As a param or as an input: the same, and already unsigned in early_rewrite."""
    for result in machine("toy_probe", [static_case(dtype, as_param) for dtype in ARRIVALS]).values():
        early, inside = seen(result, "early in 1"), seen(result, "in 1")
        _, kind, zero = ARRIVALS[result.name]
        assert early["type"] == inside["type"] == str(kind), result.name
        assert inside["zero"] == str(zero), result.name
        assert inside["shape"] == "4[1,1,1,3]", result.name
        assert early["const"] == "1", result.name


@pytest.mark.parametrize(("place", "code"), [("0", 0), ("1", 1002), ("2", 1002)])
def test_int64_constants_stay_in_ddr(machine, place, code):
    case = unary("t", "f32", np.ones(8), "Dump2", inputs=["w"], before=lambda c: c.static("w", "i64", [1, 2, 3]))
    assert machine.one("toy_probe", case, flags=(f"-DPROBE_PLACE={place}",)).code == code


def test_per_axis_quantization_is_refused(machine):
    def add(case):
        case.tensor("w", "static", "s8", [2, 2], data=np.arange(4), axis=(1, [(0.5, 0), (0.25, 0)]))

    result = machine.one("toy_probe", unary("t", "f32", np.ones(8), "Dump2", inputs=["w"], before=add))
    assert (result.stage, result.code) == ("compose", 1000)


def test_params_follow_inputs_in_the_order_given(machine):
    def add(case):
        case.static("w", "i32", [10, 20])
        case.input("b", "f32", np.full(32, 7.0))
        case.static("v", "f32", [1.5])

    params = [scalar("zz", "f32", 0.25), tensor_param("mm", "w"), scalar("aa", "i32", 9), tensor_param("bb", "v")]
    expected = ["0000803f", "0000e040", "0000803e", "0a000000", "09000000", "0000c03f"]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0]):
        case = unary("t", "f32", np.ones(32), "Dump6", inputs=["b"], params=[params[i] for i in order], before=add)
        result = machine.one("toy_probe", case)
        got = [seen(result, f"in {i}")["bytes"][:8] for i in range(6)]
        assert got == expected[:2] + [expected[2 + i] for i in order]


def test_two_nodes_have_their_own_params(machine):
    case = Case("t")
    case.input("x", "f32", np.ones(32))
    case.native("m", "f32", (32,))
    case.output("y", "f32", (32,))
    case.node("a", "toy.probe", "Dump2", ["x"], ["m"], [scalar("p", "f32", 1.0)])
    case.node("b", "toy.probe", "Dump2", ["m"], ["y"], [scalar("p", "f32", 2.0)])
    result = machine.one("toy_probe", case)
    values = [line["text"].split("bytes=")[1][:8] for line in result.log if line["text"].startswith("in 1")]
    assert values == ["0000803f", "00000040"]


def optional_case(present):
    case = Case("t")
    case.input("x", "f32", np.arange(8).reshape(2, 4))
    if present:
        case.static("b", "f32", [1, 2, 3, 4])
    else:
        case.null("b")
    case.output("y", "f32", (2, 4))
    return case.node("n0", "toy.null", "Opt", ["x", "b"], ["y"])


def test_an_absent_input_filled_by_early_rewrite(machine):
    absent, present = machine("toy_null", [optional_case(False), optional_case(True)]).values()
    np.testing.assert_array_equal(absent.outputs["y"].ravel(), np.arange(8))
    np.testing.assert_array_equal(present.outputs["y"].ravel(), np.arange(8) + [1, 2, 3, 4] * 2)


@pytest.mark.parametrize(
    ("signature", "matches"),
    [
        ("240,1,0,0", True),
        ("240,1,2,2", True),
        ("240,0,0,0", True),
        ("1,1,0,0", False),
        ("1,2,0,2", False),
        ("240,5,0,0", False),
    ],
)
def test_an_absent_input_taken_by_a_kernel(machine, signature, matches):
    result = machine.one("toy_null", optional_case(False), flags=(f"-DNULL_SIG={signature}",))
    assert result.code == (0 if matches else 1002)
    if matches:
        assert "null arrives type=0 layout=1 rank=4 dims=0,0,0,0" in result.text
