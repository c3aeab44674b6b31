"""Verdicts of `opkg rules test` as text and JSON, whatever made them."""

from __future__ import annotations

import json

from opkg.report.paint import ansi
from opkg.report.rules_verdicts import lines, render
from opkg.spec.diagnostics import Span
from opkg.verify.rules.outcome import Counterexample, Fault, RuleVerdict, Status, Worst

SPAN = Span("a.cpp", 3, 1, 7, 4)
FOUND = Counterexample(
    Fault.VALUES, "output y differs", 4, (("A", "Float32[2]: 1, 2"), ("Long", "Float32[2]: 0.5, -1\x1b[2J")),
    "input a: Float32[2]\ny: Float32[2] = q::Neg(a)\noutput y\n", "input a: Float32[2]\noutput y = a\n",
    (Worst("y", (1,), "-2", "2", "4"), Worst("y", (0,), "-1", "1", "2")), 2, 2,
)  # fmt: skip
VERDICTS = (
    RuleVerdict("good_1", "my", SPAN, Status.EQUIVALENT, 24, 3),
    RuleVerdict("wrong_3", "my", SPAN, Status.DIFFERENT, 1, 0, 2, "", FOUND),
    RuleVerdict("never_9", "my", SPAN, Status.NO_GRAPH, tries=400, reason='EQ(DIM_OF("X", 0), 7) failed most often'),
    RuleVerdict("odd_12", "my", SPAN, Status.SKIPPED, reason="nothing is known of my::Odd", notes=("a note",)),
)


def test_text() -> None:
    assert render(VERDICTS) == (
        "rule     verdict\n"
        "good_1   equivalent  24 graphs agreed, 3 left alone as the constraint was false\n"
        "wrong_3  different   values differ, after 1 graph agreed\n"
        'never_9  no graph    none in 400 tries: EQ(DIM_OF("X", 0), 7) failed most often\n'
        "odd_12   skipped     nothing is known of my::Odd\n"
        "                     a note\n"
        "\n"
        "DIFFERENT wrong_3  a.cpp:3:1\n"
        "  output y differs\n"
        "  A     Float32[2]: 1, 2\n"
        "  Long  Float32[2]: 0.5, -1\ufffd[2J\n"
        "  before\n"
        "    input a: Float32[2]\n"
        "    y: Float32[2] = q::Neg(a)\n"
        "    output y\n"
        "  after\n"
        "    input a: Float32[2]\n"
        "    output y = a\n"
        "  worst elements:\n"
        "    y[1]: before -2, after 2, off by 4\n"
        "    y[0]: before -1, after 1, off by 2\n"
        "\n"
        "4 rules: 1 equivalent, 1 different, 1 without a graph, 1 skipped\n"
    )
    assert render(()) == ""
    assert "\x1b[1;31mdifferent " in render(VERDICTS, ansi)


def test_json() -> None:
    rows = [json.loads(line) for line in lines(VERDICTS).splitlines()]
    assert [(row["rule"], row["status"]) for row in rows] == [
        ("good_1", "equivalent"), ("wrong_3", "different"), ("never_9", "no graph"), ("odd_12", "skipped"),
    ]  # fmt: skip
    keys = {"path", "line", "column", "severity", "id", "message", "hint"}
    assert [keys <= set(row) for row in rows] == [False, True, True, True]
    assert [row.get("id") for row in rows] == [None, "OPK450", "OPK451", "OPK452"]
    assert [row.get("severity") for row in rows] == [None, "error", "warning", "info"]
    assert rows[1]["counterexample"]["operands"]["A"] == "Float32[2]: 1, 2"
    assert rows[1]["counterexample"]["worst"][0] == {
        "output": "y", "index": [1], "before": "-2", "after": "2", "error": "4",
    }  # fmt: skip
