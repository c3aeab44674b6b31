"""Macro calls in C++ source: which are found, what is ignored, and where findings stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.rules.syntax import Front
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.printer import to_text
from opkg.spec.diagnostics import Severity

RULE = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("B", "X"))'


def faults(source: str) -> list[tuple[str, int, int, str]]:
    """(id, line, column, message) of each finding."""
    return [(d.id, d.span.line, d.span.column, d.message) for d in parse_cpp(source, "f.cpp")[1]]


SOURCE = r"""// Rules. DEF_PACKAGE_OPTIMIZATION(EARLY, Op("comment"), OK, "*")
#include "HTP/core/optimize.h"
#define THIS_PKG_NAME \
    ExamplePackage
/* DEF_PACKAGE_OPTIMIZATION(EARLY,
   Op("comment"), OK, "*") */
const char *text = "DEF_PACKAGE_OPTIMIZATION(\"", c = '(', *raw = R"x(DEF_OPT()" )x";
#ifdef DEF_PACKAGE_OPTIMIZATION  // DEF_OPT(
#endif
BEGIN_PKG_OP_DEFINITION(PKG_Relu);
// :::EXTERNAL_SHAPEFN::: { OpRef  make_shape(Replacement &, OpRef, int); }
/* :::EXTERNAL_SHAPEFN::: QuickShape other(Replacement &); */
DEF_PACKAGE_OP((relu<Tensor, Tensor>), "Relu")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(relu, "Relu", SNAIL / 128, Flags::RESOURCE_HVX, Flags::IS_CONST)
DEF_PACKAGE_PARAM_ORDER("Relu", "axis", true, nullptr)
DEF_TENSOR_PROPERTIES(Op("Relu", "in"), Flat("*", "in"), MainMemory("..."))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, // one
    Op("A", /* two */ "X" "Y"),
    // three )
    GT(DIM_OF("XY", 0), 8),
    Op("B", "XY"))
static int between(int x) { return x ? DEF : -1; }  // four
#if 0
DEF_PACKAGE_OPTIMIZATION(never)
#if 1
#endif
#else
DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE, a|b, Op("A"), OK, "*");
#endif
END_PKG_OP_DEFINITION(PKG_Relu);
"""


def test_a_file() -> None:
    document, findings = parse_cpp(SOURCE, "src/relu.cpp")
    assert findings == []
    assert (document.path, document.front, document.package) == ("src/relu.cpp", Front.CPP, "ExamplePackage")
    assert [item.macro for item in document.items] == [
        "BEGIN_PKG_OP_DEFINITION",
        "DEF_PACKAGE_OP",
        "DEF_PACKAGE_OP_AND_COST_AND_FLAGS",
        "DEF_PACKAGE_PARAM_ORDER",
        "DEF_TENSOR_PROPERTIES",
        "DEF_PACKAGE_OPTIMIZATION",
        "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS",
    ]
    first, second = document.rules
    assert (first.name, second.name) == ("relu_17", "relu_28")
    assert first.text.span(first.start, first.end) == ("src/relu.cpp", 17, 1, 21, 19)
    assert first.text.span(first.match.start, first.match.end) == ("src/relu.cpp", 18, 5, 18, 31)
    assert second.flags is not None
    assert to_text(second.flags) == "a | b"
    assert [comment.text for comment in document.comments] == ["// one", "/* two */", "// three )"]
    assert document.external == (
        ("make_shape", "OpRef  make_shape(Replacement &, OpRef, int)"),
        ("other", "QuickShape other(Replacement &)"),
    )


def test_the_package_is_the_callers_when_the_source_does_not_say() -> None:
    assert parse_cpp(RULE, "f.cpp", "given")[0].package == "given"
    assert parse_cpp("#define THIS_PKG_NAME P\n" + RULE, "f.cpp", "given")[0].package == "P"
    assert parse_cpp("#define THIS_PKG_NAME my.pkg // so\n" + RULE, "f.cpp")[0].package == "my.pkg"


def test_two_rules_of_a_line_have_two_names() -> None:
    document, findings = parse_cpp(f"{RULE} {RULE}\n{RULE}", "dir/a.b.cpp")
    assert [rule.name for rule in document.rules] == ["a.b_1", "a.b_1_2", "a.b_2"]
    assert [(d.id, d.severity, d.span.column) for d in findings] == [("OPK513", Severity.INFO, 65)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"  {RULE}", [("OPK513", 1, 3)]),
        (f"\n{RULE}".replace("(EARLY", "\n(EARLY"), [("OPK513", 2, 1)]),
        (f"{RULE}\n\n  , x", [("OPK512", 3, 3)]),
        (f"{RULE} // c\n(3)", [("OPK512", 2, 1)]),
        (f"{RULE};\nint f(int);", []),
        ('DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A")), OK, Op("B"))', [("OPK511", 1, 1), ("OPK512", 1, 41)]),
        ("DEF_PACKAGE_OPTIMIZATION;", [("OPK511", 1, 1)]),
        # a call that is not closed ends at the next macro
        (f'DEF_PACKAGE_OPTIMIZATION(EARLY,\n  Op("A",\n{RULE}', [("OPK501", 2, 5)]),
        (f'DEF_PACKAGE_OPTIMIZATION(EARLY,\n  Op("A)\n{RULE}', [("OPK501", 2, 6)]),
        (f"{RULE}\nDEF_OPT(EARLY, /* to the end", [("OPK501", 2, 16)]),
        (f"DEF_TENSOR_PROPERTIES(Flat(\n#if 1\n))\n{RULE}", [("OPK502", 2, 1)]),
        # what user macros hide
        (f"#define MINE(x) {RULE}\nMINE(3)", [("OPK514", 2, 1)]),
        (f"#define MINE(x) {RULE}\n#define OURS(x) MINE(x)\nOURS(3)\nMINE;", [("OPK514", 3, 1)]),
        (f"#define MINE(x) {RULE}\n#define MINE(x) x\nMINE(3)", []),
        ('  RELAXED(\nOp("A", "X"), OK, Op("B"))\nRELAXED(Op("A"))', [("OPK514", 1, 3), ("OPK514", 3, 1)]),
        ('int f(int Op, int x);\nint y = g(Op("A")), z = (Op("A")) + Op("B") + Op(x);', []),
    ],
)
def test_findings_and_recovery(source: str, expected: list[tuple[str, int, int]]) -> None:
    assert [fault[:3] for fault in faults(source)] == expected
    document, _ = parse_cpp(source, "f.cpp")
    assert len(document.rules) == (f"\n{RULE}" in source or source.strip().startswith(RULE) or "\n(EARLY" in source)


def test_the_hints_say_what_to_do() -> None:
    _, findings = parse_cpp(f"#define MINE(x) {RULE}\nMINE(3)\n {RULE},", "f.cpp")
    assert [d.severity for d in findings] == [Severity.INFO, Severity.INFO, Severity.ERROR]
    assert "--preprocess" in findings[0].hint
    assert findings[2].hint == "is a ')' too many before it?"


def test_crlf_and_continued_lines() -> None:
    source = f"#define A \\\r\n  B(\r\n{RULE}".replace("OK,", "\\\r\n OK 3,\r\n")
    assert faults(source) == [("OPK500", 4, 5, "'3' cannot follow what stands before it")]


@given(
    st.lists(
        st.sampled_from([RULE, RULE[:-1], RULE + ")", "// c\n", '"', "'", "/*", "*/", "#if 0\n", "\n", 'R"x(']),
        max_size=12,
    )
)
def test_pieces_in_any_order(pieces: list[str]) -> None:
    source = "".join(pieces)
    document, findings = parse_cpp(source, "f.cpp")
    for item in document.items:
        assert source[item.start : item.end].startswith("DEF_PACKAGE_OPTIMIZATION(")
        assert source[item.end - 1] == ")"
    lines = source.split("\n")
    for finding in findings:
        assert 1 <= finding.span.line <= len(lines)
        assert finding.span.column <= len(lines[finding.span.line - 1]) + 1
