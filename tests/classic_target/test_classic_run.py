"""Generated packages run in opkg-host through the classic interface and agree with the numpy references."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from targetlib import EXAMPLES

from opkg.spec.model import OpPackage
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.judge.outcome import CaseOutcome

Projects = Callable[..., tuple[Path, OpPackage]]


def outcomes(project: tuple[Path, OpPackage], cases: int = 24, ops: tuple[str, ...] = ()) -> list[CaseOutcome]:
    """Every case of a package on the host; whatever else went wrong fails the test."""
    root, made = project
    options = VerifyOptions(on=("host",), cases=cases, ops=ops, trace=True, check_current=False)
    result = verify(root, [made], options)
    assert [f for f in result.diagnostics if f.is_error] == []
    assert {cell.column.interface for cell in result.cells} == {"classic"}
    return [outcome for cell in result.cells for outcome in cell.outcomes]


def of_rank_5(outcome: CaseOutcome) -> bool:
    """Tensors of this interface have rank 4: validation refuses more, whatever the spec allows."""
    return re.search(r"\d(x\d+){4}\b", outcome.description) is not None


# The examples run in this interface in tests/product/test_examples.py, too.
@pytest.mark.parametrize("name", [*(pytest.param(name, marks=pytest.mark.sweep) for name in EXAMPLES), "odd"])
def test_agrees_with_the_reference(project: Projects, name: str) -> None:
    found = outcomes(project(name))
    assert len(found) >= 100
    for outcome in found:
        if of_rank_5(outcome):
            assert outcome.status == "rejected"
            assert "has rank 5, allowed is 1 to 4" in outcome.log[0].text
        else:
            assert outcome.ok, (outcome.case, outcome.description, outcome.reason(), outcome.log)


def test_initialised_as_before_2_17(project: Projects, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXXFLAGS", "-O1 -DOPKG_SIM_SDK=225")
    found = outcomes(project("odd", "2.13"), 8)
    assert all(outcome.ok for outcome in found), [o.reason() for o in found if not o.ok]
    assert any("3 rules" in line for line in found[0].trace), found[0].trace


def test_signed_and_unsigned_have_kernels_of_their_own(project: Projects) -> None:
    kernels = {kernel for o in outcomes(project("activations"), 4, ("Relu",)) for kernel in o.kernels}
    assert any("relu_s8_kernel<QuantInt8Tensor, QuantInt8Tensor>" in kernel for kernel in kernels)
    assert any("relu_u8_kernel<QuantUint8Tensor, QuantUint8Tensor>" in kernel for kernel in kernels)


def test_each_number_of_inputs_has_its_kernel(project: Projects) -> None:
    found = outcomes(project("odd"), 24, ("Scale", "Join"))
    used = {kernel.partition("<")[2].partition(", P")[0] for o in found for kernel in o.kernels if "_f32" in kernel}
    assert used == {"1", "2", "3", "4", "1, 2, 3", "1, -1, 2", "-1, -1, 1"}
    null = [o for o in found if "factor: absent; shift: float32" in o.description]
    assert null, "no case with a null input in the middle"
    assert all("const Tensor, const PlainFloatTensor" in o.kernels[0] for o in null)


def test_layouts_and_placements(project: Projects) -> None:
    found = outcomes(project("odd"), 4, ("Blocks", "InTcm"))
    kernels = {kernel for o in found for kernel in o.kernels}
    assert any("<QInt8CroutonTensor, QInt8CroutonTensor, Tensor>" in kernel for kernel in kernels)
    assert any("<PlainFloatTensor_TCM, PlainFloatTensor_TCM>" in kernel for kernel in kernels)
