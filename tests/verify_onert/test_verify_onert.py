"""`opkg verify --on onert`: what it runs in the real runtime, and what it says of kernels that are wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import onertprojects as projects
import pytest

from opkg.report import verify_html, verify_json, verify_junit, verify_text
from opkg.spec.model import OpPackage
from opkg.verify.judge.outcome import VerifyResult
from opkg.verify.machines.onert import calls

Run = Callable[..., VerifyResult]
pytestmark = [pytest.mark.usefixtures("runtime"), pytest.mark.xdist_group("onert")]


@pytest.fixture
def pair(project: tuple[Path, OpPackage], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Verifies Pair, with a fault."""

    def run(fault: str = "", **options: object) -> VerifyResult:
        monkeypatch.setenv("ONERT_FAULT", fault)
        return projects.run(*project, ops=("Pair",), **options)

    return run


def statuses(result: VerifyResult) -> set[str]:
    return {outcome.status for cell in result.cells for outcome in cell.outcomes}


def failures(result: VerifyResult) -> str:
    return "\n".join(outcome.reason() for _, outcome in result.failures)


def descriptions(result: VerifyResult) -> list[str]:
    return [outcome.description for cell in result.cells for outcome in cell.outcomes]


def test_every_param_type_arrives_and_defaults_too(project: tuple[Path, OpPackage]) -> None:
    result = projects.run(*project, ops=("Mixed",), cases=40)
    assert result.ok, failures(result)
    parts = {part.split(" -> ")[0].strip() for text in descriptions(result) for part in text.split(";")}
    for param in project[1].ops[0].params:
        mine = [part for part in parts if part.startswith(f"{param.name}=")]
        assert any("(default)" not in part for part in mine), param.name
    left_out = {part.partition("=")[0] for part in parts if "(default)" in part}
    assert len(left_out) >= 5, left_out


def test_types_ranks_outputs_and_an_input_left_out(pair: Run) -> None:
    result = pair(cases=10)
    assert result.ok, failures(result)
    assert [(cell.combination, cell.code) for cell in result.cells] == [
        ("f32", "by hand"), ("i32", "by hand"), ("u8", "by hand"), ("b8", "by hand")
    ]  # fmt: skip
    texts = descriptions(result)
    assert {"b: absent" in text for text in texts} == {True, False}
    assert {text.split(";")[0].split()[2].count("x") + 1 for text in texts} == {1, 2, 3, 4}
    assert verify_text.render(result, verify_text.plain, "").count("by hand") == 4
    assert 'onert 0.1.0"' in verify_junit.render(result)
    assert json.loads(verify_json.render(result))["columns"][0]["machine"] == "onert"
    assert "onert 0.1.0" in verify_html.render(result)


def test_any_optional_input_is_left_out(project: tuple[Path, OpPackage]) -> None:
    """Constants of the model are inputs, too; one that is left out before another is named by the options."""
    result = projects.run(*project, ops=("Affine",), cases=16)
    assert result.ok, failures(result)
    assert [(cell.combination, cell.code) for cell in result.cells] == [("f32", "portable"), ("u8", "portable")]
    there = {("scale: absent" not in text, "shift: absent" not in text) for text in descriptions(result)}
    assert len(there) == 4
    assert not any(finding.id == "OPK460" for finding in result.diagnostics)


def test_wrong_numbers_are_caught(pair: Run) -> None:
    result = pair("numbers")
    assert statuses(result) == {"passed", "failed"}
    assert "right: " in failures(result)
    cell, outcome = result.failures[0]
    assert "--on onert" in result.command(cell, outcome)
    again = pair("numbers", case=outcome.case)
    assert [o.case for _, o in again.failures] == [outcome.case]


def test_a_crash_is_a_finding_of_its_case(pair: Run) -> None:
    result = pair("crash")
    assert statuses(result) == {"passed", "crash"}
    assert "SIGSEGV" in failures(result)


def test_a_kernel_that_does_not_end_is_ended(pair: Run) -> None:
    result = pair("hang", cases=3, timeout=0.4)
    assert "timeout" in statuses(result)
    assert statuses(result) <= {"passed", "timeout"}
    assert "no result after 0.4 s" in failures(result)


def test_what_a_kernel_keeps_is_caught(pair: Run) -> None:
    assert "the kernel keeps something from call to call" in failures(pair("state", cases=3))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("behind", "write to byte "),
        ("before", "write to byte -"),
        ("far", "read of byte "),
        ("input", "write to an input, byte "),
    ],
)
def test_memory_that_is_not_the_kernels_is_guarded(pair: Run, fault: str, said: str) -> None:
    result = pair(fault, cases=2)
    assert statuses(result) == {"guard"}
    named = {"behind": "left", "before": "right", "far": "a", "input": "a"}[fault]
    for _, outcome in result.failures:
        assert said in outcome.message, outcome.message
        assert f"of '{named}', which has " in outcome.message


def test_a_kernel_that_refuses_says_so(pair: Run) -> None:
    result = pair("unsupported", cases=2)
    assert statuses(result) == {"error"}
    assert "error in execute (code 1): Pair: the kernel does not support this call" in failures(result)


def test_output_memory_that_is_not_written_is_caught(pair: Run) -> None:
    assert "failed" in statuses(pair("unwritten", cases=4))


def test_fail_fast_ends_with_the_first_failure(pair: Run) -> None:
    result = pair("error", cases=20, fail_fast=True)
    assert 0 < len(result.failures) < 80
    assert any(finding.id == "OPK438" for finding in result.diagnostics)


def test_a_model_that_the_spec_does_not_allow_is_refused(pair: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs of another shape, an operator that nobody registered, an option that nobody knows."""
    right, described = calls.graph, calls._described

    def other(change: str) -> str:
        def graph(case):  # type: ignore[no-untyped-def]
            made = right(case)
            if change == "option":
                options = calls.options.encoded({**calls.options.entries(case.params, case.tensors), "alhpa": 1})
                return calls.circle.Graph(made.code, made.tensors, made.inputs, made.outputs, options)
            if change == "absent":
                options = calls.options.encoded({**calls.options.entries((), case.tensors), "b.absent": [True]})
                return calls.circle.Graph(made.code, made.tensors, made.inputs, made.outputs, options)
            if change == "name":
                return calls.circle.Graph("Pear", made.tensors, made.inputs, made.outputs, made.options)
            first = made.tensors[made.outputs[0]]
            grown = calls.circle.Tensor(first.name, first.dtype, (*first.shape[:-1], first.shape[-1] + 1), first.quant)
            tensors = tuple(grown if place == made.outputs[0] else t for place, t in enumerate(made.tensors))
            return calls.circle.Graph(made.code, tensors, made.inputs, made.outputs, made.options)

        monkeypatch.setattr(calls, "graph", graph)

        def as_model(tensor):  # type: ignore[no-untyped-def]
            record = described(tensor)
            if change == "shape" and tensor.name == "left":
                last = tensor.shape[-1] + 1
                record["dims"] = [*tensor.shape[:-1], last]
                record["size"] = record["size"] // tensor.shape[-1] * last
            return record

        monkeypatch.setattr(calls, "_described", as_model)
        result = pair(cases=2)
        monkeypatch.setattr(calls, "_described", described)
        monkeypatch.setattr(calls, "graph", right)
        assert statuses(result) == {"error"}
        return failures(result)

    assert "'left' has shape" in other("shape")
    assert "Pair has no option 'alhpa'" in other("option")
    assert "error in " in other("name")
    assert "option 'b.absent' is no bool" in other("absent")
