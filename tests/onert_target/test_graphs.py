"""Generated operations inside the stand-in of onert: classes, validators, both shape inferers and layers agree with the spec."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from onert_graph import TYPES, Graphs
from onert_kit import package_of

from opkg.spec.model import Op
from opkg.targets.onert.types import usable
from opkg.verify.cases.case import Case
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.judge.verdict import judge

PACKAGE = package_of(Path(__file__).with_name("ops.yaml").read_text())


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Graphs:
    return Graphs(tmp_path_factory.mktemp("graphs"), PACKAGE)


def _cases(op: Op, count: int = 8) -> list[Case]:
    assert op.compute is not None
    cases, findings = generate(op, Computed(op, op.compute), Plan(count))
    assert not findings
    assert {case.combination for case in cases} == set(usable(op))
    return cases


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_shapes_and_results(graphs: Graphs, op: Op, dynamic: bool) -> None:
    for case in _cases(op):
        got = graphs.run(case, dynamic)
        assert got.stage == 0, f"{case.describe()}: {got.message}"
        assert got.shapes == tuple(tensor.shape for tensor in case.outputs), case.describe()
        outcome = judge(case, got.result)
        assert outcome.status == "passed", f"{case.id} {case.describe()}: {outcome.message} {outcome.outputs}"


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_other_element_types_are_refused(graphs: Graphs, op: Op) -> None:
    case = _cases(op, 1)[0]
    for tensor in case.tensors:
        if not tensor.absent:
            got = graphs.run(case, changed={tensor.name: {"type": TYPES.index("FLOAT16")}})
            assert got.stage == 1, f"{tensor.name}: {got.message}"


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_other_ranks_are_refused(graphs: Graphs, op: Op) -> None:
    case = _cases(op, 1)[0]
    for tensor in case.inputs:
        if not tensor.absent:
            got = graphs.run(case, changed={tensor.name: {"dims": (1,) * (tensor.spec.ranks.high + 1)}})
            assert got.stage == 2, f"{tensor.name}: {got.stage} {got.message}"


def test_generated_tests(graphs: Graphs) -> None:
    """Those of the core: static and dynamic shapes, refusals."""
    done = subprocess.run([graphs.tests], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    for op in PACKAGE.ops:
        for name in ("static_shape", "dynamic_shape", "neg_type", "neg_rank"):
            assert f"ok {op.name}.{name}\n" in done.stdout
