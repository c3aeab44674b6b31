"""Rules with every construct that QHPI carries (specs/rules.yaml): they fire where they should and build what they say."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import qlib

from opkg.rules.check import check_package
from opkg.rules.core import HtpType
from opkg.rules.sim import Settings, apply, read_text
from opkg.rules.sim.output import Output
from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import MACHINES
from opkg.verify.rules.meaning import Arg, Call
from opkg.verify.rules.meanings_elementwise import meanings
from opkg.verify.rules.tensors import real_of, rounded
from opkg.verify.rules.tensors import stored as numbers

sys.path.append(str(qlib.ROOT / "tests" / "sim_qhpi"))
import simlib
from simlib import Case, scalar

PKG = "rule.zoo"
HEAD = """#include "rule_zoo/{name}.h"

#include <initializer_list>

namespace rule_zoo {{
namespace {{
{body}
}}  // namespace
{functions}
}}  // namespace rule_zoo
"""


def elementwise(expression: str) -> str:
    return (
        "template <typename Args>\nopkg::Status compute(const Args& op) {\n"
        f"  for (size_t i = 0; i < op.y.size(); ++i) {expression}\n  return opkg::Status::ok;\n}}"
    )


def kernel(name: str, body: str, *types: str) -> tuple[str, str]:
    camel = name.title().replace("_", "")
    functions = "\n".join(
        f"opkg::Status {name}_{t}(const {camel}Args{t.upper()}& op) {{ return compute(op); }}" for t in types
    )
    return f"kernels/{name}.cpp", HEAD.format(name=name, body=body, functions=functions)


THIRD = "(op.c.data != nullptr ? op.c.data[i] : 0.0f)"
STACK = """template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t deep = op.y.dims[3];
  size_t start = 0;
  for (uint32_t part = 0; part < op.x.count; ++part) {
    const size_t depth = op.x[part].dims[3];
    for (size_t i = 0; i < op.x[part].size(); ++i) op.y.data[i / depth * deep + start + i % depth] = op.x[part].data[i];
    start += depth;
  }
  return opkg::Status::ok;
}"""
PROBE = """template <typename T>
bool holds(const T& tensor, std::initializer_list<uint32_t> dims, std::initializer_list<double> values) {
  if (tensor.rank != dims.size() || tensor.size() != values.size()) return false;
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] != dims.begin()[i]) return false;
  }
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (static_cast<double>(tensor.data[i]) != values.begin()[i]) return false;
  }
  return true;
}
template <typename Args>
opkg::Status compute(const Args& op) {
  const bool right = holds(op.f, {1, 1, 1, 3}, {2.5, 2.5, 2.5}) && holds(op.n, {1, 1, 1, 4}, {7, 7, 7, 7}) &&
                     holds(op.v, {1, 1, 1, 3}, {1, -2, 3}) && holds(op.m, {1, 1, 2, 2}, {1, 2, 3, 4}) &&
                     holds(op.s, {1, 1, 1, 1}, {9});
  for (size_t i = 0; i < op.y.size(); ++i) op.y.data[i] = right ? op.x.data[i] : 1000.0f;
  return opkg::Status::ok;
}"""
PEAK = """template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t row = static_cast<size_t>(op.y.dims[2]) * op.y.dims[3];
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float* from = op.x.data + i / row * op.s.dims[1] * row + i % row;
    float most = from[0];
    for (uint32_t k = 1; k < op.k.dims[1]; ++k) most = from[k * row] > most ? from[k * row] : most;
    op.y.data[i] = most;
  }
  return opkg::Status::ok;
}"""
KERNELS = dict(
    (
        kernel("copy", elementwise("op.y.store(i, op.x.load(i));"), "f32", "s8", "u8"),
        kernel("rows", elementwise("op.y.store(i, op.x.load(i));"), "s8", "s16"),
        kernel("pair", elementwise("op.y.data[i] = op.z.data[i] = op.x.data[i];"), "f32"),
        kernel("negate", elementwise("op.y.data[i] = -op.x.data[i];"), "f32", "i32"),
        kernel("flip", elementwise("op.y.data[i] = -op.x.data[i];"), "f32"),
        kernel("sum", elementwise(f"op.y.data[i] = op.a.data[i] + op.b.data[i] + {THIRD} + op.bias;"), "f32"),
        kernel("stack", STACK, "f32"),
        kernel("probe", PROBE, "f32"),
        kernel("peak", PEAK, "f32"),
    )
)  # fmt: skip

MACHINE = pytest.mark.parametrize("machine", ["host", pytest.param("htp", marks=pytest.mark.htp)])


def run(machine: str, cases: list[Case], directory: Path) -> list[simlib.Result]:
    state = MACHINES[machine].available()
    if not state.ok:
        qlib.missing(f"machine {machine}: {state.reason}")
    project = qlib.built(qlib.spec_of(qlib.HERE / "specs" / "rules.yaml"), KERNELS)
    binary = runner(MACHINES[machine].runner("qhpi"), qlib.ROOT)
    interface = [] if machine == "htp" else ["--interface", "qhpi"]
    results = simlib.run(binary, qlib.library(project), cases, directory, *interface,
                         provider=project.package.interface_provider)  # fmt: skip
    return [result for number, result in sorted(results.items()) if number >= 0]


def fired(result: simlib.Result) -> list[str]:
    assert result.status == "ok", result.text
    return [line.split()[1] for line in result.trace if line.startswith("rule ")]


def flip(height: int) -> Case:
    case = Case(f"flip{height}")
    case.input("x", "f32", data(height))
    case.output("y", "f32", (1, height, 2, 16))
    return case.node("n0", PKG, "Flip", ["x"], ["y"])


def data(height: int) -> np.ndarray:
    return np.arange(height * 32, dtype=np.float32).reshape(1, height, 2, 16) - 17


# height -> the rules that fire, and kernels that run (the host tells), in order
FLIPS = {
    2: ([], ["Flip"]),
    3: (["Flip.rows_of_two"], ["Copy", "Copy", "Negate"] * 2),
    4: (["Flip.chosen"], ["Copy", "Copy", "Negate"]),
    5: (["Flip.threads"], ["Negate"] * 3),
    6: (["Flip.by_hand"], ["Negate"] * 2),
    7: (["Flip.again"], ["Copy", "Flip", "Negate", "Copy", "Negate"]),
    8: (["Flip.second"], ["Pair", "Negate"]),
    10: (["Flip.nested"], ["Negate"] * 6),
    11: ([], ["Flip"]),
    12: ([], ["Flip"]),
    13: (["Flip.flagged"], ["Negate"]),
    14: ([], ["Flip"]),
    15: (["Flip.constants"], ["Probe", "Negate"]),
    16: (["Flip.thin"], ["Copy", "Negate"]),
}


@MACHINE
def test_what_a_rule_builds(machine: str, tmp_path: Path) -> None:
    results = run(machine, [flip(height) for height in FLIPS], tmp_path)
    for (height, (rules, kernels)), result in zip(FLIPS.items(), results, strict=True):
        assert fired(result) == rules, height
        np.testing.assert_array_equal(result.outputs["y"], -data(height), err_msg=str(height))
        if machine == "host":
            assert [use["op"].removeprefix("rule.zoo::") for use in result.kernels] == kernels, height


# Options as both machines have them.
OPTIONS = {"fold_relu_flag": 1, "relaxed_precision_flag": 0, "hvx_threads": 4}


def test_the_simulator_builds_the_same() -> None:
    """Which rules fire and what ops of the package remain; a slice beyond its input (height 12) is not looked at there."""
    rules = check_package(qlib.spec_of(qlib.HERE / "specs" / "rules.yaml")).rules
    for height, (fires, kernels) in FLIPS.items():
        if height == 12:
            continue
        shape = f"Float32[1,{height},2,16]"
        graph, _ = read_text(f"input x: {shape}\ny: {shape} = rule.zoo::Flip(x)\noutput y\n")
        assert graph is not None
        run = apply(graph, rules, Settings(options=OPTIONS))
        assert [step.rule.name for step in run.steps if step.rule is not None] == fires
        left = [
            node.op.removeprefix("rule.zoo::") for node in run.graph.nodes.values() if node.op.startswith("rule.zoo::")
        ]
        assert sorted(left) == sorted(kernels), height


@MACHINE
def test_an_iteration(machine: str, tmp_path: Path) -> None:
    """Height 9: the first 8 channels and the last 8, stacked."""
    (result,) = run(machine, [flip(9)], tmp_path)
    assert fired(result) == ["Flip.halves"]
    np.testing.assert_array_equal(result.outputs["y"], -data(9))
    if machine == "host":
        assert [use["op"].removeprefix("rule.zoo::") for use in result.kernels] == ["Copy", "Copy", "Stack", "Negate"]


def sums(name: str, shape: tuple[int, ...], inputs: list[str], bias: float, copy: str = "") -> Case:
    case = Case(name)
    for number, each in enumerate("abc"):
        case.input(each, "f32", np.full(shape, number + 1, np.float32))
    if copy:
        case.native("m", "f32", shape)
        case.node("n0", PKG, "Copy", [copy], ["m"])
    case.output("y", "f32", shape)
    return case.node("n1", PKG, "Sum", inputs, ["y"], [scalar("bias", "f32", bias)])


@MACHINE
def test_scalars_and_tags(machine: str, tmp_path: Path) -> None:
    shape = (1, 3, 2, 16)
    cases = [
        sums("scalars", shape, ["a", "b", "c"], 5.0),
        sums("other-shape", (1, 3, 2, 15), ["a", "b", "c"], 5.0),
        sums("twice", shape, ["a", "m"], 2.0, copy="a"),
        sums("not-twice", shape, ["a", "m"], 2.0, copy="b"),
    ]
    scalars, other, twice, not_twice = run(machine, cases, tmp_path)
    assert fired(scalars) == ["Sum.scalars"]
    assert (scalars.outputs["y"] == 1 + 2 + 100).all()
    assert fired(other) == []
    assert (other.outputs["y"] == 1 + 2 + 3 + 5).all()
    assert fired(twice) == ["Sum.same_twice"]
    assert (twice.outputs["y"] == 1 + 1 + 2.5).all()
    assert fired(not_twice) == []
    assert (not_twice.outputs["y"] == 1 + 2 + 2).all()


@MACHINE
def test_several_outputs(machine: str, tmp_path: Path) -> None:
    x = data(2)
    whole = Case("whole")  # Pair(Copy(Negate x)) becomes Pair(Negate x)
    whole.input("x", "f32", x)
    for name in ("m", "n"):
        whole.native(name, "f32", x.shape)
    for name in ("y", "z"):
        whole.output(name, "f32", x.shape)
    whole.node("n0", PKG, "Negate", ["x"], ["m"]).node("n1", PKG, "Copy", ["m"], ["n"])
    whole.node("n2", PKG, "Pair", ["n"], ["y", "z"])
    second = Case("second")  # Negate(Copy(first of Pair)) becomes the second of Pair: an output that is not the first
    second.input("x", "f32", x)
    for name in ("p", "q", "m"):
        second.native(name, "f32", x.shape)
    second.output("y", "f32", x.shape)
    second.node("n0", PKG, "Pair", ["x"], ["p", "q"]).node("n1", PKG, "Copy", ["p"], ["m"])
    second.node("n2", PKG, "Negate", ["m"], ["y"])
    first, other = run(machine, [whole, second], tmp_path)
    assert fired(first) == ["Pair.relu_first"]
    np.testing.assert_array_equal(first.outputs["y"], -x)
    np.testing.assert_array_equal(first.outputs["z"], -x)
    assert fired(other) == ["Negate.second_output"]
    np.testing.assert_array_equal(other.outputs["y"], x)


@MACHINE
@pytest.mark.parametrize(("dtype", "most"), [("s8", 127), ("s16", 32767)])
def test_parts_of_a_signed_graph_input(machine: str, dtype: str, most: int, tmp_path: Path) -> None:
    x = np.random.default_rng(3).integers(-most - 1, most + 1, (1, 5, 4, 8))
    case = Case("signed")
    case.input("x", dtype, x, (0.5, 3))
    case.output("y", dtype, x.shape, (0.5, 3))
    (result,) = run(machine, [case.node("n0", PKG, "Rows", ["x"], ["y"])], tmp_path)
    assert fired(result) == ["Rows.two", *["Rows.two_late"] * 3]
    np.testing.assert_array_equal(result.outputs["y"], x)


# Pairs that QNN 2.51 takes, with the element types that stand for them in rules.
CASTS = {
    "u8": (HtpType.QUInt8, (0.5, -10)),
    "u16": (HtpType.QUInt16, (0.5, -10)),
    "f32": (HtpType.Float32, None),
    "i32": (HtpType.Int32, None),
}
CAST_PAIRS = [
    "u8-u8",
    "u8-f32",
    "u8-i32",
    "f32-u8",
    "i32-u8",
    "u16-u8",
    "u16-u16",
    "f32-u16",
    "i32-u16",
    "f32-i32",
    "i32-f32",
]


@pytest.mark.htp
def test_casts_of_the_core(tmp_path: Path) -> None:
    """What `opkg rules test` takes Cast for is what the backend computes, element type by element type."""
    stored = np.array([0, 1, 10, 100, 120, 2, 3, 7]).reshape(1, 1, 1, 8)
    cases, meant = [], []
    for pair in CAST_PAIRS:
        (given, (source, one)), (made, (wanted, other)) = ((k, CASTS[k]) for k in pair.split("-"))
        x = stored + (0.6 if given == "f32" else 0)
        out = None if other is None else (0.25, -11)
        described = [
            Output(dtype, (1, 1, 1, 8), *(() if so is None else (-so[1], so[0])))
            for dtype, so in ((source, one), (wanted, out))
        ]
        case = Case(pair)
        case.input("x", given, x, one)
        case.output("y", made, x.shape, out)
        cases.append(case.node("n0", "qti.aisw", "Cast", ["x"], ["y"]))
        value = rounded(x, described[0]) if given == "f32" else real_of(x, described[0])
        call = Call("Cast", (Arg(value, described[0]),), wanted, x.shape, described[1])
        meant.append(numbers(meanings()["Cast"].compute(call), described[1]))
    for pair, expected, result in zip(CAST_PAIRS, meant, run("htp", cases, tmp_path), strict=True):
        assert result.status == "ok", (pair, result.text)
        np.testing.assert_array_equal(result.outputs["y"], expected, err_msg=pair)


@MACHINE
@pytest.mark.parametrize(("window", "stride", "rows"), [(3, 2, 9), (5, 1, 5), (1, 3, 10), (2, 4, 4)])
@pytest.mark.parametrize(("width", "rule", "part"), [(2, "Peak.rows", 4), (3, "Peak.by_name", 3)])
def test_parts_under_a_window(
    machine: str, window: int, stride: int, rows: int, width: int, rule: str, part: int, tmp_path: Path
) -> None:
    """The parts of an input that a window needs, with a last one that is shorter; numbers are those of the whole."""
    x = (
        np.random.default_rng(window)
        .normal(size=(1, stride * (rows - 1) + window + (stride > 1), width, 8))
        .astype(np.float32)
    )
    case = Case("peak")
    case.input("x", "f32", x)
    case.static("k", "f32", np.zeros((1, window, 1, 1)))
    case.static("s", "f32", np.zeros((1, stride, 1, 1)))
    case.output("y", "f32", (1, rows, width, 8))
    (result,) = run(machine, [case.node("n0", PKG, "Peak", ["x", "k", "s"], ["y"])], tmp_path)
    assert fired(result) == ([rule] if rows > part else [])
    expected = np.stack([x[0, at * stride : at * stride + window].max(0) for at in range(rows)])[None]
    np.testing.assert_array_equal(result.outputs["y"], expected)
    if machine == "host":
        assert len(result.kernels) == -(-rows // part)


@pytest.mark.parametrize("cxx", ["g++", "clang++-19"])
def test_no_warnings(cxx: str) -> None:
    package = qlib.spec_of(qlib.HERE / "specs" / "rules.yaml")
    assert qlib.library(qlib.built(package, KERNELS, cxx=qlib.tool(cxx) and cxx)).is_file()
