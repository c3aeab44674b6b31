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
