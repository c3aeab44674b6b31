"""Rules with every construct that QHPI carries (specs/rules.yaml): they fire where they should and build what they say."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import qlib
from rulezoo import KERNELS, MACHINE, PKG, fired, run

from opkg.rules.check import check_package
from opkg.rules.sim import Settings, apply, read_text

sys.path.append(str(qlib.ROOT / "tests" / "sim_qhpi"))
from simlib import Case, scalar


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
