"""The kernel files: compiled as C++14 without a warning, and run on the cases of `opkg verify`."""

from __future__ import annotations

from pathlib import Path

import pytest
from onert_kit import Kernels, package_of

from opkg.targets.onert.types import usable
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.judge.verdict import judge

SPEC = Path(__file__).with_name("ops.yaml").read_text()
PACKAGE = package_of(SPEC)
pytestmark = pytest.mark.xdist_group("onert_kernels")  # compiled once


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Kernels:
    return Kernels(tmp_path_factory.mktemp("kernels"), PACKAGE.ops)


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_agrees_with_the_computation(kernels: Kernels, op) -> None:  # type: ignore[no-untyped-def]
    assert op.compute is not None
    cases, findings = generate(op, Computed(op, op.compute), Plan(12))
    assert not findings
    assert {case.combination for case in cases} == set(usable(op))
    for case in cases:
        outcome = judge(case, kernels.run(case))
        assert outcome.status == "passed", f"{case.id} {case.describe()}: {outcome.message} {outcome.outputs}"


LOOPS = """opkg: 1
package: {name: onert.loops, targets: [onert]}
ops:
  Places:
    inputs: {i: {dtype: int32}}
    params: {n: {dtype: int32, default: 7, range: "> 0"}}
    outputs: {row: {dtype: int32, shape: i.shape}, at: {dtype: int32, shape: i.shape}}
    compute: row = i // n; at = i % n
  Sums:
    inputs: {frame: {dtype: float32, shape: [N, C]}, axes: {dtype: float32, shape: [C]}}
    outputs: {row: {dtype: float32, shape: [N, 1]}}
    compute: row = sum(frame * axes, axis=-1, keepdims=True)
"""


@pytest.mark.parametrize("name", ["Places", "Sums"])
def test_tensors_that_are_called_as_loops_are(tmp_path: Path, name: str) -> None:
    op = next(op for op in package_of(LOOPS).ops if op.name == name)
    assert op.compute is not None
    kernels = Kernels(tmp_path, [op])
    cases, findings = generate(op, Computed(op, op.compute), Plan(3))
    assert not findings
    assert all(judge(case, kernels.run(case)).status == "passed" for case in cases)
