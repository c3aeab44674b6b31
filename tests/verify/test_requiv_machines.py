"""Rules on machines: graphs on which they fire are run beside the ops' own cases, and a wrong rule fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opkg.report.verify_text import render
from opkg.rules.core import HtpType
from opkg.rules.sim import Graph, Output
from opkg.rules.sim.data import Listed
from opkg.spec.diagnostics import Severity
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.cases.casefile import Data
from opkg.verify.judge.outcome import VerifyResult
from opkg.verify.judge.results import RawOutput, RawResult
from opkg.verify.machines import htp
from opkg.verify.rules import machine_cases
from opkg.verify.rules.execute import run
from opkg.verify.rules.machine_file import GraphCase, NotCarried
from opkg.verify.rules.machine_ops import split_operands
from opkg.verify.rules.machine_run import built_rules, cases_of
from opkg.verify.rules.outcome import Status
from opkg.verify.rules.sampler import Sample
from opkg.verify.rules.tensors import stored
from opkg.verify.rules.world import World

from . import projects
from .rulelib import package as rule_package
from .rulelib import verdict

needs_htp = pytest.mark.skipif(htp.library() is None, reason="no libQnnHtp.so")
MACHINES = ["host", pytest.param("htp", marks=[pytest.mark.htp, needs_htp])]
RELU = projects.RELU
OPTIONS = VerifyOptions(on=("host",), cases=4, timeout=5.0, check_current=False)
RULES = """\
    rules:
      - name: once
        match: Op("Relu", Op("Relu", "X"))
        when: IS_FLOAT32("*")
        replace: Op("Relu", "X")
      - name: behind_neg
        match: Op("Relu", Op(FROM_DEFAULT_PACKAGE("ElementWiseNeg"), LET("N", Op(FROM_DEFAULT_PACKAGE("ElementWiseNeg"), "X"))))
        when: AND(IS_FLOAT32("*"), IS_FLOAT32("X"))
        replace: Op("Relu", "X")
"""
WRONG = """\
    rules:
      - name: gone
        match: Op("Relu", Op("Relu", "X"))
        when: IS_FLOAT32("*")
        replace: '"X"'
"""


def verified(root: Path, rules: str, monkeypatch: pytest.MonkeyPatch, **options: object) -> VerifyResult:
    monkeypatch.setattr(projects, "RELU", RELU + rules)
    package = projects.relu_project(root, projects.relu_kernel())
    return verify(root, [package], replace(OPTIONS, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("machine", MACHINES)
def test_rules_have_rows_of_their_own(tmp_path: Path, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = verified(tmp_path, RULES, monkeypatch, on=(machine,))
    assert result.ok, (result.diagnostics, [(c.op, o.reason()) for c, o in result.failures])
    rows = [(cell.op, cell.rule, len(cell.outcomes)) for cell in result.cells]
    plain = 5 if machine == "htp" else 4  # there a large tensor as well
    wanted = [("Relu", "", plain), ("Relu", "", plain), ("Relu/once", "once", 4)]
    assert rows == wanted + ([("Relu/behind_neg", "behind_neg", 4)] if machine == "htp" else [])
    assert all("rule Relu.once" in " ".join(o.trace) for o in result.cells[2].outcomes)
    assert (len(result.ops), len(result.rules)) == (1, 2 if machine == "htp" else 1)
    unseen = [(d.id, d.severity, d.span.line) for d in result.diagnostics]
    assert unseen == ([] if machine == "htp" else [("OPK455", Severity.INFO, 21)])
    assert "1 op, 2 kernels, " in render(result)
    assert "Relu/once" in render(result)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_wrong_rule_fails_with_the_worst_element(
    tmp_path: Path, machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = verified(tmp_path, WRONG, monkeypatch, on=(machine,))
    assert not result.ok
    assert {cell.op for cell, _ in result.failures} == {"Relu/gone"}
    cell, outcome = result.failures[0]
    assert outcome.status == "failed"
    assert outcome.outputs[0].worst_elements[0].got < 0 <= outcome.outputs[0].worst_elements[0].expected
    command = result.command(cell, outcome)
    assert f"--op Relu --seed 0 --case {outcome.case}" in command


def test_one_case_of_a_rule_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = verified(tmp_path, WRONG, monkeypatch, case="gone-002")
    assert [(cell.op, [o.case for o in cell.outcomes]) for cell in result.cells] == [("Relu/gone", ["gone-002"])]
    all_of_them = verified(tmp_path, WRONG, monkeypatch)
    same = next(o for c in all_of_them.cells for o in c.outcomes if o.case == "gone-002")
    assert replace(same, microseconds=0) == replace(result.cells[0].outcomes[0], microseconds=0)
    missing = verified(tmp_path, WRONG, monkeypatch, case="gone-099")
    assert [d.id for d in missing.diagnostics] == ["OPK422"]


# ---- cases without machines


def one_case(root: Path) -> tuple[machine_cases.RuleCase, World]:
    spec = projects.read(root, RELU + RULES, projects.RELU_REFERENCE)
    projects.generated(root, spec)
    found = cases_of(spec, root, (), 3, 0, "")
    assert [case.id for case in found.cases][:3] == ["once-000", "once-001", "once-002"]
    return found.cases[0], World([spec], root)


def answer(case: machine_cases.RuleCase, trace: tuple[str, ...], spoil: bool = False) -> RawResult:
    """What a machine would say that computes the graph before the rule."""
    outputs = []
    for (name, id), (_, arrays) in zip(case.sample.graph.outputs, case.outputs, strict=True):
        numbers = stored(arrays[0], case.sample.graph.nodes[id].output)
        if spoil:
            numbers = numbers + 1
        outputs.append(RawOutput(name, numbers.shape, numbers.tobytes()))
    return RawResult(0, "ok", outputs=tuple(outputs), trace=trace)


def test_right_numbers_are_not_enough(tmp_path: Path) -> None:
    case, world = one_case(tmp_path)
    fired = ("rule Relu.once on acme.test::Relu #3",)
    assert machine_cases.judge(case, answer(case, fired), world).ok
    silent = machine_cases.judge(case, answer(case, ("rule Relu.once_more", "rule Relu.on")), world)
    assert (silent.status, silent.reason()) == ("failed", "the rule did not fire (opkg explain OPK454)")
    wrong = machine_cases.judge(case, answer(case, fired, spoil=True), world)
    assert wrong.status == "failed"
    assert "elements differ" in wrong.reason()
    short = replace(answer(case, fired), outputs=())
    assert machine_cases.judge(case, short, world).message.startswith("output y has 0 bytes, expected ")
    crashed = machine_cases.judge(case, RawResult(0, "crash", "execute", 11, "SIGSEGV"), world)
    assert crashed.reason() == "crash in execute (code 11): SIGSEGV"


def test_rules_that_cannot_be_run_are_named(tmp_path: Path) -> None:
    rules = """\
    rules:
      - {name: unheard, match: 'Op("Relu", Op(FROM_DEFAULT_PACKAGE("Lstm"), "X"))', replace: 'Op("Relu", "X")'}
      - {name: never, match: 'Op("Relu", "X")', when: 'GT(RANK_OF("X"), 8)', replace: '"X"'}
      - {name: signs, match: 'Op("Relu", Op("Relu", "X"))', when: 'IS_QINT8("X")', replace: '"X"'}
    """.rstrip(" ")
    spec = projects.read(tmp_path, RELU + rules, projects.RELU_REFERENCE)
    assert built_rules(spec, tmp_path) == []
    projects.generated(tmp_path, spec)
    assert [rule.name for rule in built_rules(spec, tmp_path)] == ["Relu.never", "Relu.signs"]
    found = cases_of(spec, tmp_path, (), 3, 0, "")
    assert found.cases == []
    assert [(d.id, d.severity, d.span.line) for d in found.findings] == [
        ("OPK455", Severity.INFO, 17), ("OPK455", Severity.INFO, 18),
    ]  # fmt: skip
    assert "GT(RANK_OF" in found.findings[0].message


def test_a_graph_as_a_case_file(tmp_path: Path) -> None:
    spec = rule_package(tmp_path)
    world = World([spec], tmp_path)
    graph = Graph()
    plain = Output(HtpType.Float32, (1, 2, 3, 4))
    x = graph.add("*Input", (), plain, name="x")
    order = graph.add("$Const", (), Output(HtpType.Int32, (1, 1, 1, 4)), _listed(0, 2, 1, 3))
    turned = graph.add("q::Transpose", (x.id, order.id), Output(HtpType.Float32, (1, 3, 2, 4)))
    halves = graph.add("acme.fuse::Halves", (turned.id,), Output(HtpType.Multi, (2,)))
    which = graph.add("$Shape", (), Output(HtpType.Int32, (0, 0, 2, 1)))
    high = graph.add("$Out", (halves.id, which.id), Output(HtpType.Float32, (1, 3, 2, 2)))
    factor = graph.add("$Const", (), Output(HtpType.Float32, (1, 1, 1, 1)), _listed(1.5))
    y = graph.add("acme.fuse::Scale", (high.id, factor.id), high.output)
    graph.set_outputs((("y", y.id),))
    inputs = {x.id: np.arange(24.0).reshape(1, 2, 3, 4)}
    values = run(graph, world, inputs)
    sample = Sample(graph, y.id, inputs, 0)
    lines = GraphCase(sample, world, spec, values, Data(bytearray())).text(7, "a/b")
    assert lines == [
        "case 7 a/b",
        f"tensor t{x.id} input 0x232 4 1 2 3 4 none 0 96",
        "tensor p0.perm static 0x132 1 4 none 128 16",
        f"tensor t{turned.id} native 0x232 4 1 3 2 4 none - -",
        f"tensor t{halves.id}.0 native 0x232 4 1 3 2 2 none - -",
        f"tensor t{high.id} native 0x232 4 1 3 2 2 none - -",
        "tensor y output 0x232 4 1 3 2 2 none - -",
        f"node n0 qti.aisw Transpose 1 t{x.id} 1 t{turned.id} 1 tensor perm p0.perm",
        f"node n1 acme.fuse Halves 1 t{turned.id} 2 t{halves.id}.0 t{high.id} 0",
        f"node n2 acme.fuse Scale 1 t{high.id} 1 y 1 scalar factor 0x232 0x3fc00000",
        "end",
    ]
    graph.options["big"] = 1
    with pytest.raises(NotCarried, match="options"):
        GraphCase(sample, world, spec, values, Data(bytearray())).text(7, "a/b")


def _listed(*values: float) -> Listed:
    return Listed(values)


def test_which_operands_of_core_ops_are_params() -> None:
    assert split_operands("Relu", 1) == (1, ())
    assert split_operands("ElementWiseSelect", 3)[0] == 3
    assert [p.name for p in split_operands("Concat", 4)[1]] == ["axis"]
    assert split_operands("Conv2d", 2) == (2, ())
    assert [p.name for p in split_operands("Conv2d", 5)[1]] == ["stride", "pad_amount"]
    for name, count in (("Concat", 1), ("Transpose", 3)):
        with pytest.raises(ValueError, match=f"{name} with {count} operands"):
            split_operands(name, count)


def test_ops_of_low_rank_pass_as_in_graphs(tmp_path: Path) -> None:
    """HTP pads ranks in front: a rule on matrices is tested on tensors of rank 4."""
    found = verdict('Op("Weigh", "X", "W"), OK, Op(q("MatMul"), "X", "W")', tmp_path)
    assert found.status is Status.EQUIVALENT
