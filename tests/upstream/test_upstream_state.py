"""Judging that goes on where it was broken off: what is kept, of which builders; orders; which tests an expression keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from opkg.spec.reader import read
from opkg.targets.executorch_builder import TARGET
from opkg.targets.executorch_builder.parts import EAGER, of_all_ops, op_digests
from opkg.verify.machines.executorch import upstream_tests
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.upstream_state import State, shuffled
from opkg.verify.machines.executorch.upstream_tests import Ran

HERE = Environment(Path("python"), Path("sdk"), "1.5.1", "2.13.0", "2.49")
ONE = Ran("F.test_one", "passed", "", 1.5, {"aten.relu.default": 2}, {}, ("Relu: rank 7",))
TWO = Ran("F.test_two", "failed", "an output differs", 0.5, {}, {"aten.elu.default": 1}, ())


@pytest.fixture
def builders(tmp_path: Path) -> Path:
    folder = tmp_path / "builders"
    folder.mkdir()
    (folder / "op_relu.py").write_text("a = 1\n")
    return folder


def test_results_are_kept(tmp_path: Path, builders: Path) -> None:
    state = State(tmp_path / "build", [builders], HERE)
    assert state.read() == {}
    state.add(ONE)
    state.add(TWO)
    assert State(tmp_path / "build", [builders], HERE).read() == {"F.test_one": ONE, "F.test_two": TWO}
    state.add(replace(TWO, outcome="passed"))
    assert state.read()["F.test_two"].outcome == "passed"
    state.forget()
    assert state.read() == {}


def test_a_line_that_was_cut_off_is_none(tmp_path: Path, builders: Path) -> None:
    state = State(tmp_path / "build", [builders], HERE)
    state.add(ONE)
    state.add(TWO)
    state.path.write_text(state.path.read_text()[:-20])
    assert list(state.read()) == ["F.test_one"]


def test_other_builders_and_other_wheels_are_judged_anew(tmp_path: Path, builders: Path) -> None:
    first = State(tmp_path, [builders], HERE).path
    assert State(tmp_path, [builders], replace(HERE, executorch="1.5.2")).path != first
    (builders / "op_relu.py").write_text("a = 2\n")
    assert State(tmp_path, [builders], HERE).path != first


def test_a_change_of_an_op_concerns_its_tests(tmp_path: Path, builders: Path) -> None:
    """A result hangs on the builders of the test's nodes; on all, where the test failed; on none, where it was skipped."""
    (builders / "backend.py").write_text("a = 1\n")
    apart, parts = {"op_relu.py"}, {"aten.relu.default": "1", "aten.elu.default": "1"}
    three = replace(ONE, test="F.test_three", others={"aten.elu.default": 1})
    first = State(tmp_path, [builders], HERE, parts, apart)
    skipped = Ran("F.test_skipped", "skipped", "", 0.0, {}, {}, ())
    for each in (ONE, TWO, three, skipped):
        first.add(each)
    (builders / "op_relu.py").write_text("a = 2\n")
    assert first.read() == {each.test: each for each in (ONE, TWO, three, skipped)}

    def kept(**changed: str) -> list[str]:
        found = list(State(tmp_path, [builders], HERE, {**parts, **changed}, apart).read())
        assert found[-1] == "F.test_skipped"
        return found[:-1]

    assert kept() == ["F.test_one", "F.test_two", "F.test_three"]
    assert kept(**{"aten.elu.default": "2"}) == ["F.test_one"]
    assert kept(**{"aten.relu.default": "2"}) == []
    assert kept(**{"aten.cat.default": "1"}) == ["F.test_one", "F.test_three"]
    (builders / "backend.py").write_text("a = 2\n")
    assert State(tmp_path, [builders], HERE, parts, apart).read() == {}


SPEC = """opkg: 1
package: {name: acme.two, targets: [executorch-builder]}
ops:
  Turn:
    inputs: {x: {dtype: float32}}
    params: {by: {dtype: uint32, default: 1}}
    outputs: {y: {dtype: float32, shape: x.shape}}
  Dot:
    inputs: {a: {dtype: float32}, b: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: [...]}}
    torch: {op: aten.mm.default, args: {a: self}, inputs: {b: Turn(mat2)}, lowered: true}
  Relu:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    torch: aten.relu.default
"""


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("default: 1", "default: 2", {"acme_two.turn.default", "acme_two.dot.default", "aten.mm.default"}),
        ("shape: [...]", "shape: a.shape", {"acme_two.dot.default", "aten.mm.default"}),
        ("aten.relu.default", "{op: aten.relu.default, decompose: true}", {"acme_two.relu.default", "aten.relu.default"}),
        ("torch: aten.relu.default", "torch: [aten.relu.default, aten.relu6.default]",
         {"acme_two.relu.default", "aten.relu.default", "aten.relu6.default"}),
    ],
)  # fmt: skip
def test_digests_of_ops(old: str, new: str, changed: set[str]) -> None:
    first, second = (read(text.encode(), "two.yaml")[0] for text in (SPEC, SPEC.replace(old, new)))
    assert first is not None
    assert second is not None
    before, after = op_digests(first), op_digests(second)
    assert {name for name, digest in after.items() if before.get(name) != digest} == changed
    apart = of_all_ops(first)
    texts = [{a.path.rpartition("/")[2]: a.text for a in TARGET.render(each)} for each in (first, second)]
    assert {name for name in texts[0] if texts[0][name] != texts[1][name]} <= apart
    assert {"backend.py", "mapping.py", "checks.py"} <= {*texts[0]} - apart


@pytest.mark.parametrize("compute", ["y = -x", "y = abs(x)"])
def test_computing_in_pytorch_changes_no_result(compute: str) -> None:
    """What an op computes is in files that no builder reads; these are apart, and in no op's digest."""
    mark = "    torch: aten.relu.default\n"
    texts = [SPEC.replace(mark, f"    compute: {each}\n{mark}") for each in ("y = x", compute)]
    first, second = (read(text.encode(), "two.yaml")[0] for text in texts)
    assert first is not None
    assert second is not None
    assert op_digests(first) == op_digests(second)
    files = [{a.path.rpartition("/")[2]: a.text for a in TARGET.render(each)} for each in (first, second)]
    assert {name for name in files[0] if files[0][name] != files[1][name]} == {"computations.py"}
    assert of_all_ops(first) & {*files[0]} >= EAGER


def test_orders() -> None:
    tests = [f"F.test_{n}" for n in range(40)]
    assert sorted(shuffled(tests, "a")) == sorted(tests)
    assert shuffled(tests, "a") == shuffled(tests, "a") != shuffled(tests, "b")
    chosen = {test for seed in range(30) for test in shuffled(tests, str(seed))[:10]}
    assert chosen == set(tests)  # in time all have their turn


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("", ["relu", "relu6", "elu"]),
        ("relu", ["relu", "relu6"]),
        ("RELU and not relu6", ["relu"]),
        ("not (relu or elu)", []),
        ("backend_elu", ["elu"]),
        ("FloatingPoint", ["relu", "relu6", "elu"]),
        ("TestQNNFloatingPointOperator.test_qnn_backend_relu", ["relu"]),
        ("Operator.test_qnn_backend_relu", ["relu", "relu6"]),
    ],
)
def test_expressions(expression: str, kept: list[str]) -> None:
    tests = [f"TestQNNFloatingPointOperator.test_qnn_backend_{name}" for name in ("relu", "relu6", "elu")]
    assert [test.rpartition("_")[2] for test in upstream_tests.chosen(tests, expression)] == kept


@pytest.mark.parametrize("expression", ["relu and", "(", "a b", "and"])
def test_no_expression(expression: str) -> None:
    with pytest.raises(SyntaxError):
        upstream_tests.chosen(["F.test_one"], expression)
