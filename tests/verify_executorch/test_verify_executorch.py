"""`opkg verify --on executorch`: a column of models around the ops, on the real backend."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opkg.report import verify_json, verify_junit, verify_text
from opkg.spec.model import OpPackage
from opkg.verify.api import verify
from opkg.verify.judge.outcome import VerifyResult
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.options import VerifyOptions

pytestmark = pytest.mark.xdist_group("executorch")


@pytest.fixture(scope="module")
def result(environment: Environment, project: tuple[Path, OpPackage]) -> VerifyResult:
    root, package = project
    options = VerifyOptions(on=("host", "executorch"), cases=10, timeout=180)  # other tests run beside it
    return verify(root, [package], options)


def test_every_op_and_mode_has_a_cell_beside_the_host(result: VerifyResult) -> None:
    found = {(c.column.machine, c.op, c.combination): c for c in result.cells}
    wanted = {("Swish", "f32"), ("Swish", "u8"), ("Swish", "u16"), ("Centered", "f32"), ("Centered", "u8")}
    wanted |= {("Scaled", "f32"), ("Scaled", "u8")}
    assert {key[1:] for key in found if key[0] == "executorch"} == wanted
    assert {key[1:] for key in found if key[0] == "host"} == wanted | {("Swish", "s8")}
    bad = [(c.op, o.case, o.status, o.message) for c in result.cells for o in c.failures]
    assert bad == []
    assert result.ok
    assert all(len(found["executorch", *key].outcomes) == 2 for key in wanted)


def test_the_kernels_are_those_of_the_library(result: VerifyResult) -> None:
    for cell in result.cells:
        if cell.column.machine == "executorch":
            for outcome in cell.outcomes:
                assert outcome.kernels, (cell.op, outcome)
                assert outcome.paths.total > 0, (cell.op, outcome)
                assert all(f"_{cell.combination}" in name for name in outcome.kernels), outcome.kernels


def test_models_differ_in_mode_and_neighbours(result: VerifyResult) -> None:
    cells = [cell for cell in result.cells if cell.column.machine == "executorch"]
    heads = [o.description.split(":")[0].split(", ") for cell in cells for o in cell.outcomes]
    assert {head[0] for head in heads} == {"float", "8a8w", "16a8w"}
    assert len({head[1] for head in heads}) >= 4


def test_element_types_without_a_mode_are_named(result: VerifyResult) -> None:
    notes = [d for d in result.diagnostics if d.id == "OPK436"]
    assert [(d.severity, d.message) for d in notes] == [
        (
            "info",
            "Swish is not run through ExecuTorch in all element types (s8: the quantizer's modes make no sfixed8 activations)",
        )
    ]


def test_reports_show_the_column(result: VerifyResult) -> None:
    head, first = verify_text.table(result).splitlines()[:2]
    assert head.split() == ["host", "executorch", "1.5.1"]
    assert first.startswith("Swish")
    data = json.loads(verify_json.render(result))
    assert "executorch 1.5.1" in json.dumps(data)
    assert "executorch" in verify_junit.render(result)


def test_one_case_is_repeated_with_the_same_neighbours(
    result: VerifyResult, environment: Environment, project: tuple[Path, OpPackage]
) -> None:
    root, package = project
    cell = next(
        c for c in result.cells if c.column.machine == "executorch" and (c.op, c.combination) == ("Centered", "u8")
    )
    outcome = cell.outcomes[1]
    assert f"--on executorch --op Centered --seed 0 --case {outcome.case}" in result.command(cell, outcome)
    again = verify(root, [package], VerifyOptions(on=("executorch",), ops=("Centered",), case=outcome.case))
    repeated = again.cells[0].outcomes[0]
    assert repeated.description == outcome.description
    assert repeated.outputs == outcome.outputs
