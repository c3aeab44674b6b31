"""Renderers of findings: carets under the right columns whatever the characters, and valid documents."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from opkg.report.findings import render
from opkg.report.findings_sarif import document
from opkg.report.paint import ansi
from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, warning


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)


def caret(line: str, start: int, end: int, end_line: int = 1) -> list[str]:
    """The source line and the caret line, as shown, for columns start to end (from 1, exclusive)."""
    Path("a.yaml").write_text(line + "\nnext\n", encoding="utf-8")
    text = render([error("OPK100", "m", Span("a.yaml", 1, start, end_line, end))], "text")
    return text.splitlines()[1:3]


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "under"),
    [
        ("name: x", 7, 8, "name: x", "      ^"),
        ("name: abc", 7, 10, "name: abc", "      ^~~"),
        ("\tname: x", 8, 9, "    name: x", "          ^"),
        ("a\tb", 3, 4, "a   b", "    ^"),
        ("語: x", 4, 5, "語: x", "    ^"),  # wide: two columns
        ("語語", 2, 3, "語語", "  ^~"),
        ("e\u0301: x", 5, 6, "e\u0301: x", "   ^"),  # combining: no column
        ("\u200bx", 2, 3, "\u200bx", "^"),  # zero width
        ("\x1b[31mx", 6, 7, "\ufffd[31mx", "     ^"),  # control characters are not passed on
        ("a\u202eb", 3, 4, "a\ufffdb", "  ^"),  # nor those that turn the text around
        ("ab", 3, 4, "ab", "  ^"),  # just behind the end of the line
        ("ab", 3, 9, "ab", "  ^"),
    ],
)
def test_caret(line: str, start: int, end: int, shown: str, under: str) -> None:
    assert caret(line, start, end) == ["    " + shown, "    " + under]


def test_caret_of_several_lines_ends_with_the_first() -> None:
    assert caret("key: value", 6, 3, end_line=2) == ["    key: value", "         ^~~~~"]


def test_long_lines_are_cut_around_the_span() -> None:
    line = "a" * 500 + "HERE" + "b" * 500
    source, under = caret(line, 501, 505)
    assert source[under.index("^") : under.index("^") + 4] == "HERE"
    assert under.endswith("^~~~")
    assert len(source) < 140
    assert source.startswith("    ...a")
    assert source.endswith("b...")
    source, under = caret("x" * 1000, 1, 1001)
    assert under.strip().startswith("^~~~")
    assert len(under) <= len(source)


def test_crlf_and_byte_order_mark() -> None:
    Path("a.yaml").write_bytes(b"\xef\xbb\xbfone: 1\r\ntwo: 2\r\n")
    for line, shown in ((1, "one: 1"), (2, "two: 2")):
        text = render([error("OPK100", "m", Span("a.yaml", line, 6, line, 7))], "text")
        assert text.splitlines()[1:3] == ["    " + shown, "         ^"]


def test_text() -> None:
    Path("a.yaml").write_text("one: 1\n")
    findings = [
        error("OPK101", "first", Span("a.yaml", 1, 1, 1, 4), "do this"),
        warning("OPK102", "second", Span("a.yaml", 7, 1, 7, 4)),
        error("OPK103", "whole file", Span("b.yaml")),
        Diagnostic("OPK104", "nowhere\x1b[2J", Span(""), "", Severity.INFO),
    ]
    assert render(findings, "text") == (
        "a.yaml:1:1: error: first [OPK101]\n"
        "    one: 1\n"
        "    ^~~\n"
        "    hint: do this (opkg explain OPK101)\n"
        "a.yaml:7:1: warning: second [OPK102]\n"
        "    (opkg explain OPK102)\n"
        "b.yaml: error: whole file [OPK103]\n"
        "    (opkg explain OPK103)\n"
        "info: nowhere\ufffd[2J [OPK104]\n"
        "    (opkg explain OPK104)\n"
        "2 errors, 1 warning, 1 info in 2 files\n"
    )


def test_painted_text_is_the_same_text() -> None:
    import re

    Path("a.yaml").write_text("one: 1\n")
    findings = [error("OPK101", "first", Span("a.yaml", 1, 1, 1, 4), "do this")]
    painted = render(findings, "text", ansi)
    assert painted != render(findings, "text")
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(findings, "text")


def test_nothing_found() -> None:
    assert [render([], name) for name in ("text", "json", "github")] == ["", "", ""]
    assert json.loads(render([], "sarif"))["runs"][0]["results"] == []


def test_json_lines() -> None:
    found = render([error("OPK1", 'quote " and\nline', Span("ä.yaml", 1, 2, 3, 4), "h")] * 2, "json")
    assert len(found.splitlines()) == 2
    assert json.loads(found.splitlines()[0])["message"] == 'quote " and\nline'


def test_github_escapes() -> None:
    found = render([warning("OPK1", "100%\nof it: a,b", Span("a,b:c.yaml", 3, 4, 3, 5))], "github")
    assert found == "::warning file=a%2Cb%3Ac.yaml,line=3,col=4,title=opkg OPK1::100%25%0Aof it: a,b\n"


def test_sarif_of_a_file_whose_name_is_no_text() -> None:
    """Names are bytes: the URI has the one that is no UTF-8."""
    (result,) = document([error("OPK312", "m", Span("specs/\udcff.yaml"))])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "specs/%FF.yaml"


def test_sarif() -> None:
    findings = [
        error("OPK312", "m", Span("a b/c.yaml", 2, 3, 2, 9), "h"),
        warning("OPK300", "n", Span("a b/c.yaml")),
        error("OPK312", "o", Span("")),
    ]
    found = document(findings)
    assert (found["version"], len(found["runs"])) == ("2.1.0", 1)
    run = found["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["OPK300", "OPK312"]
    assert rules[1]["shortDescription"] == {"text": "generated file edited"}
    first, second, third = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"], first["message"]) == (
        "OPK312", 1, "error", {"text": "m (h)"},
    )  # fmt: skip
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/c.yaml"},
        "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 9},
    }
    assert (second["level"], second["locations"][0]["physicalLocation"]["region"]) == (
        "warning", {"startLine": 1, "startColumn": 1},
    )  # fmt: skip
    assert "locations" not in third
    assert os.path.isabs(document([error("OPK1", "m", Span("/x/y"))])["$schema"]) is False
