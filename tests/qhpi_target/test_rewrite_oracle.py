"""Every rule of the oracle file that the checker accepts compiles without warnings, or has a finding that says why not."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest
import qlib

from opkg.rules import core
from opkg.rules.check import check
from opkg.rules.context import Context
from opkg.rules.core import TypedRule
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.walk import below
from opkg.targets.qnn_htp_qhpi.rewrite import RuleFunction, functions
from opkg.targets.qnn_htp_qhpi.rewrite_limits import UNSUPPORTED
from opkg.targets.qnn_htp_qhpi.rewrite_lint import findings

ORACLE = qlib.ROOT / "tests" / "rules" / "data" / "rule-oracle.tsv"
FRAMES = {
    "pass": 'DEF_PACKAGE_OPTIMIZATION({}, Op("A", "X"), OK, Op("B", "X"))',
    "flags": 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, {}, Op("A", "X"), OK, Op("B", "X"))',
    "match": 'DEF_PACKAGE_OPTIMIZATION(EARLY, {}, OK, Op("B", "X"))',
    "cst": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X", "Y"), {}, Op("B", "X", "Y"))',
    "repl": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X", "Y"), OK, {})',
}
SPEC = """\
  A:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
"""


def rules() -> list[TypedRule]:
    """What the checker makes of the file's rows, in order."""
    with ORACLE.open(newline="", encoding="utf-8") as file:
        rows = [(row[0], row[1]) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    source = "\n".join(FRAMES[category].format(snippet) + ";" for category, snippet in rows if category in FRAMES)
    document, _ = parse_cpp(source, "oracle.cpp", "oracle.pkg")
    return list(check(document, Context("oracle.pkg", "2.43")).rules)


@pytest.fixture(scope="module")
def sorted_rules() -> tuple[list[TypedRule], list[TypedRule]]:
    """(those that are carried, those that are not)."""
    package = qlib.ops_package(SPEC, "oracle.pkg")
    kept, refused = [], []
    for rule in rules():
        out = any(severity is None for *_, severity in findings(rule, package))
        (refused if out else kept).append(rule)
    return kept, refused


def test_most_rules_are_carried(sorted_rules: tuple[list[TypedRule], list[TypedRule]]) -> None:
    kept, refused = sorted_rules
    assert len(kept) > 80
    assert len(refused) < 25


def test_what_is_refused_has_a_reason_in_the_table(sorted_rules: tuple[list[TypedRule], list[TypedRule]]) -> None:
    """By a construct that QHPI has not, or by names of core ops, or by `$Out`."""
    for rule in sorted_rules[1]:
        text = " ".join(rule.syntax.text.text[rule.syntax.start : rule.syntax.end].split())
        by_name = any(
            isinstance(node, core.MatchOp | core.Build) and node.op.startswith(("q::", "$"))
            for node in below(rule.match)
        )
        by_name = by_name or any(
            isinstance(n, core.Build | core.Wrap) and n.op.startswith(("q::", "$")) for n in below(rule.replace)
        )
        several = "WITH_MULTI_OUT" in text
        values = "LAYOUT_CHUNKSIZE" in text
        root = rule.root != "oracle.pkg::A"
        assert by_name or several or values or root or any(name in text for name in UNSUPPORTED), text


@pytest.mark.parametrize("cxx", ["g++", "clang++-19"])
def test_what_is_carried_compiles(
    cxx: str, sorted_rules: tuple[list[TypedRule], list[TypedRule]], tmp_path: Path
) -> None:
    made: tuple[RuleFunction, ...] = functions(sorted_rules[0], None)
    lines = ['#include "opkg/rewrite_build.h"']
    for function in made:
        lines += [f"// {line}" for line in function.comment]
        lines += [f"const QHPI_Op* {function.name}(const QHPI_Op* op) {{", *function.lines, "}"]
    (tmp_path / "opkg").mkdir()
    for name in ("rewrite.h", "rewrite_build.h"):
        (tmp_path / "opkg" / name).write_text((qlib.ROOT / "templates" / "qnn_htp_qhpi" / name).read_text("utf-8"))
    (tmp_path / "t.cpp").write_text("\n".join(lines) + "\n")
    flags = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", f"-I{qlib.INCLUDE}"]
    done = subprocess.run(
        [qlib.tool(cxx), *flags, str(tmp_path / "t.cpp")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:3000]
    assert len({function.name for function in made}) == len(made)
