"""Passes and flags: numbers by SDK, canonical forms, what is wrong with other forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.rules.flags import FLAGS, flag_names, flags_of, option_of
from opkg.rules.passes import PASSES, PRIORITIES, PassValue, pass_name, pass_value, passes_of
from opkg.rules.problem import Problem
from opkg.rules.sdk_profiles import profile_of
from opkg.rules.syntax import Node
from opkg.rules.text.parse import parse_expression
from opkg.spec.diagnostics import Severity
from opkg.spec.source_text import SourceText


def tree(text: str) -> Node:
    node, findings = parse_expression(SourceText("f.cpp", text))
    assert node is not None, findings
    return node


def value(text: str, sdk: str = "") -> PassValue:
    return pass_value(tree(text), sdk)


def ids(problems: tuple[Problem, ...]) -> list[tuple[str, str]]:
    return [(problem.id, str(problem.severity)) for problem in problems]


@pytest.mark.parametrize(
    ("sdk", "profile"),
    [("2.13", "2.13"), ("2.17", "2.13"), ("2.25.0.240728", "2.25"), ("2.30", "2.25"), ("2.43", "2.43"), ("2.99", "2.43"),
     ("", "2.43"), ("1.9", "2.13")],
)  # fmt: skip
def test_profile(sdk: str, profile: str) -> None:
    assert profile_of(sdk) == profile


@pytest.mark.parametrize(
    ("text", "priority", "canonical", "found"),
    [
        ("EARLY", 3050, "EARLY", []),
        ("EARLY+2", 3052, "EARLY + 2", []),
        ("EARLY + 0", 3050, "EARLY", []),
        ("LATE + 1000", 22050, "LATE + 1000", []),
        ("GRAPH_CLEANUP + 150", 200, "GRAPH_CLEANUP + 150", []),
        ("LAYOUT_AND_PLACEMENT", 21100, "LAYOUT_AND_PLACEMENT", []),
        ("EARLY - 2", 3048, "EARLY - 2", [("OPK548", "info")]),
        ("5 + EARLY", 3055, "EARLY + 5", [("OPK548", "warning")]),
        ("(EARLY + 1)", 3051, "EARLY + 1", [("OPK548", "warning")]),
        ("EARLY + 1 + 1", 3052, "EARLY + 2", [("OPK548", "warning")]),
        ("EARLY + 0x10", 3066, "EARLY + 16", [("OPK548", "warning")]),
        ("EARLY + -2", 3048, "EARLY - 2", [("OPK548", "warning")]),
        ("EARLY + MIDDLE", 23100, "EARLY + MIDDLE", [("OPK548", "warning")]),
        ("EARLY - EARLY", 0, "0", [("OPK548", "warning")]),
        ("2 * EARLY", 6100, "2 * EARLY", [("OPK548", "warning")]),
        ("3050", 3050, "3050", [("OPK548", "warning")]),
        ("2001", 2001, "2001", [("OPK548", "warning"), ("OPK550", "warning")]),
        ("1.5", 1, "1.5", [("OPK547", "warning")]),
        ("70000", 4464, "70000", [("OPK546", "error")]),
        ("LATE + 50000", 5514, "LATE + 50000", [("OPK546", "error")]),
        ("-1", 65535, "-1", [("OPK546", "error")]),
        ("EARLY - 4000", 64586, "EARLY - 4000", [("OPK546", "error")]),
        ("EARLY + 18000", 21050, "EARLY + 18000", [("OPK551", "warning")]),
        ("TILING + 100", 11100, "TILING + 100", [("OPK549", "info")]),
        ("QNN", 2050, "QNN", [("OPK549", "info")]),
        ("CHUNK_NOT_USED", 0, "CHUNK_NOT_USED", [("OPK549", "warning")]),
        ("EARLI", None, "EARLI", [("OPK545", "error")]),
        ('"EARLY"', None, '"EARLY"', [("OPK547", "error")]),
        ("EARLY(1)", None, "EARLY(1)", [("OPK547", "error")]),
        ("EARLY || 1", None, "EARLY || 1", [("OPK547", "error")]),
    ],
)  # fmt: skip
def test_pass(text: str, priority: int | None, canonical: str, found: list[tuple[str, str]]) -> None:
    got = value(text)
    assert (got.priority, got.text, ids(got.problems)) == (priority, canonical, found)


def test_no_pass_is_the_default() -> None:
    assert pass_value(None) == PassValue(3050, "EARLY")


def test_names_differ_by_sdk() -> None:
    assert value("PRE_OPTIMIZATION", "2.43").priority == 50
    old = value("PRE_OPTIMIZATION", "2.25")
    assert old.priority is None
    assert "SDK 2.25 has no pass 'PRE_OPTIMIZATION'; SDK 2.43 has" in old.problems[0].message
    assert "GRAPH_CLEANUP" in old.problems[0].hint
    assert (value("CLEANUP_GRAPH", "2.13").priority, value("CLEANUP_GRAPH", "2.25").priority) == (0, 100)
    assert value("LAYOUT_AND_PLACEMENT", "2.13").priority is None
    assert "LAYOUT_AND_PLACEMENT" not in value("X", "2.13").problems[0].hint


def test_nearest_name_and_place() -> None:
    text = SourceText("rules.cpp", "EARLI + 2", line=7, column=5)
    node, _ = parse_expression(text)
    found = pass_value(node).problems[0].within(text)
    assert found.hint == "did you mean 'EARLY'?"
    assert (found.span.path, found.span.line, found.span.column, found.span.end_column) == ("rules.cpp", 7, 5, 10)


def test_a_wrap_says_where_the_rule_ends_up() -> None:
    found = value("MIDDLE + 45486").problems[0]
    assert "65536" in found.message
    assert "pass 0" in found.message
    assert found.hint.startswith("0 is BEGIN")
    assert "pass 65535" in value("-1").problems[0].message


@given(st.sampled_from(sorted(PASSES["2.43"])), st.integers(-70_000, 70_000))
def test_a_name_and_a_number(name: str, offset: int) -> None:
    number = PASSES["2.43"][name] + offset
    got = value(f"{name} {'-' if offset < 0 else '+'} {abs(offset)}")
    assert got.priority == number % PRIORITIES
    assert any(problem.id == "OPK546" for problem in got.problems) == (not 0 <= number < PRIORITIES)
    assert value(got.text).priority == got.priority
    assert value(got.text).text == got.text


@given(st.integers(0, PRIORITIES - 1), st.sampled_from(["2.13", "2.25", "2.43"]))
def test_a_number_by_its_name(number: int, sdk: str) -> None:
    again = value(pass_name(number, sdk), sdk)
    assert again.priority == number
    assert not any(problem.severity is Severity.ERROR for problem in again.problems)


# ---- flags ---------------------------------------------------------------------------------------------------------


def flags(text: str, sdk: str = "") -> tuple[tuple[str, ...] | None, list[tuple[str, str]]]:
    got = flag_names(tree(text), sdk)
    return got.names, ids(got.problems)


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("0", (), []),
        ("relaxed_precision_flag", ("relaxed_precision_flag",), []),
        ("any_rule", (), []),
        ("relaxed_precision_flag|cse_after_always", ("cse_after_always", "relaxed_precision_flag"), []),
        ("cse_after_always + cse_after_if", ("cse_after_always", "cse_after_if"), []),
        ("(fold_relu_flag)", ("fold_relu_flag",), []),
        ("hmx_short_conv_flag", ("hmx_short_conv",), []),
        ("cse_after_if + cse_after_if", ("cse_set_triggerA",), [("OPK553", "error")]),
        ("1 << 7", ("fold_relu_flag",), [("OPK553", "warning")]),
        ("128", ("fold_relu_flag",), [("OPK553", "warning")]),
        ("1 << 30", (), [("OPK553", "warning")]),
        ("relaxed_precision", ("relaxed_precision_flag",), [("OPK552", "warning")]),
        ("relaxed_flag", None, [("OPK552", "error")]),
        ("ordered_autosplit_flag", None, [("OPK552", "error")]),
        ('"x"', None, [("OPK553", "error")]),
        ("1.5", None, [("OPK553", "error")]),
        ("1 << 70", None, [("OPK553", "error")]),
    ],
)
def test_flags(text: str, names: tuple[str, ...] | None, found: list[tuple[str, str]]) -> None:
    assert flags(text) == (names, found)


def test_flags_differ_by_sdk() -> None:
    assert flags("autothread_flag", "2.43") == (("autothread_flag",), [])
    got = flag_names(tree("trace_rule"), "2.25")
    assert got.names is None
    assert got.problems[0].message == "SDK 2.25 has no flag 'trace_rule'; SDK 2.43 has"


@given(st.sets(st.sampled_from(sorted(FLAGS["2.43"])), min_size=1))
def test_joined_flags(names: set[str]) -> None:
    got, found = flags("|".join(sorted(names)))
    assert found == []
    assert got is not None
    assert set(got) == names - {"any_rule"}


def test_flags_that_wait_for_an_option() -> None:
    gated = {name for name in flags_of("") if option_of(name)}
    assert gated == {"fold_relu_flag", "hmx_short_conv", "relaxed_precision_flag"}
    assert option_of("relaxed_precision_flag") == "relaxed_precision"


def test_every_advised_pass_is_known() -> None:
    assert {"GRAPH_CLEANUP", "EARLY", "MIDDLE", "LATE"} <= passes_of("2.13").keys()
