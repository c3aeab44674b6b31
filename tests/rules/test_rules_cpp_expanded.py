"""Rules after the compiler's -E: read with the places of the source they came from."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from opkg.rules.check import Context, check
from opkg.rules.syntax import Front
from opkg.rules.text.expanded import parse_expanded, preprocess
from opkg.rules.text.printer import declaration_text, rule_text
from opkg.spec.diagnostics import MissingTool, OpkgError

SOURCE = """\
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/op_register_ext.h"
BEGIN_PKG_OP_DEFINITION(PKG_Relu);
template <typename T> int relu(T &out, const T &in) { return in == out; }
// :::EXTERNAL_SHAPEFN::: { OpRef make_shape(Replacement &, OpRef); }
DEF_PACKAGE_OP((relu<Tensor>), "Relu")
#define IS_BIG(x) GT(DIM_OF(x, 3), 32)
#define MINE(x, y) DEF_PACKAGE_OPTIMIZATION(EARLY, Op(x), OK, Op(y))
MINE("One", "Two") MINE("Three", "Four")
DEF_PACKAGE_OPTIMIZATION(EARLY + 1,
    Op("A", /* ) */ "X"),  // match
    AND(IS_BIG("X"), GT(DIM_OF("X", 010), 3)),
    Op("B", "X"))
DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, relaxed_precision_flag,
    Op("A", "X"), OK,
    Op("B", "X" 3)
)
#ifndef PREPARE_DISABLED
DEF_TENSOR_PROPERTIES(Op("Relu", "in"), Flat("*", "..."))
#endif
END_PKG_OP_DEFINITION(PKG_Relu);
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if shutil.which("g++") is None and shutil.which("clang++") is None:
        if os.environ.get("CI"):
            pytest.fail("no C++ compiler")
        pytest.skip("no C++ compiler")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("my relu.cpp").write_text(SOURCE, "utf-8")
    return "my relu.cpp"


def test_user_macros_are_expanded_and_places_kept(source: str) -> None:
    document, findings = parse_expanded(preprocess(source, ["-DTHIS_PKG_NAME=Example"]), source)
    assert [(d.id, *d.span) for d in findings] == [
        ("OPK504", source, 14, 37, 14, 40),
        ("OPK500", source, 18, 17, 18, 18),
    ]
    assert (document.front, document.package) == (Front.EXPANDED, "Example")
    assert document.external == (("make_shape", "OpRef make_shape(Replacement &, OpRef)"),)
    assert [(rule.name, rule_text(rule, 200)) for rule in document.rules] == [
        ("my relu_11", 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("One"), OK, Op("Two"))'),
        ("my relu_11_2", 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Three"), OK, Op("Four"))'),
        (
            "my relu_12",
            'DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("A", "X"), AND(GT(DIM_OF("X", 3), 32), GT(DIM_OF("X", 010), 3)),'
            ' Op("B", "X"))',
        ),
    ]
    assert [declaration_text(d) for d in document.declarations] == [
        'DEF_PACKAGE_OP((relu<Tensor>), "Relu")',
        'DEF_TENSOR_PROPERTIES(Op("Relu", "in"), Flat("*", "..."))',
    ]
    _, second, third = document.rules
    assert second.text.span(second.start, second.end) == (source, 11, 20, 11, 41)
    assert second.text.span(second.replace.start, second.replace.end)[1:3] == (11, 34), "what a user macro makes"
    assert third.text.span(third.start, third.end) == (source, 12, 1, 15, 18)
    assert third.when is not None
    assert third.text.span(third.when.start, third.when.end) == (source, 14, 5, 14, 46)
    assert third.text.span(third.match.start, third.match.end) == (source, 13, 5, 13, 25)


def test_without_a_name_there_is_none(source: str) -> None:
    assert parse_expanded(preprocess(source), source)[0].package == ""


def test_text_with_line_markers_and_without_its_source() -> None:
    text = (
        '# 1 "gone.cpp"\nint x;\n__def_opt__(EARLY + 1, 0,\n# 7 "gone.cpp"\n Op("A"), OK, Op("B" 3))<<<"gone.cpp", 7>>> ; '
        "__def_opt__(LATE, a|b, Op(\"A\"), OK, \"*\")<<<other.cpp, 9>>>\n__dtp__(Flat(\"*\"))<<<\"a,b.h\", 1>>>\n"
    )  # fmt: skip
    document, findings = parse_expanded(text, "gone.cpp")
    assert [(d.id, *d.span) for d in findings] == [("OPK500", "gone.cpp", 7, 1, 7, 2)]
    assert [rule.name for rule in document.rules] == ["other_9"]
    assert rule_text(document.rules[0]) == 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE, a | b, Op("A"), OK, "*")'
    assert document.declarations[0].text.path == "a,b.h"


def test_devices_are_not_read_as_sources() -> None:
    document, _ = parse_expanded('__def_opt__(LATE, 0, Op("A"), OK, "*")<<<"/dev/zero", 3>>>', "f.cpp")
    assert [rule.name for rule in document.rules] == ["zero_3"]


def test_calls_without_their_place_are_told() -> None:
    document, findings = parse_expanded('__def_opt__(EARLY, 0\n__dtp__(Flat("*"))<<<"f", 3>>> __reg_op__(', "f.cpp")
    assert len(document.items) == 1
    assert [(d.id, d.span.path, d.message[:13]) for d in findings] == [("OPK515", "f.cpp", "2 macro calls")]


def test_what_the_compiler_says_is_passed_on(source: str) -> None:
    Path(source).write_text('int a;\n#include "no/such.h"\n', "utf-8")
    with pytest.raises(OpkgError) as failure:
        preprocess(source)
    (finding,) = failure.value.diagnostics
    assert (finding.id, finding.span.path, finding.span.line) == ("OPK515", source, 2)
    assert "no/such.h" in finding.message
    assert "-I" in finding.hint
    with pytest.raises(OpkgError) as failure:
        preprocess("not-there.cpp")
    assert failure.value.diagnostics[0].span.path == "not-there.cpp"


def test_a_missing_compiler_is_a_missing_tool(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(MissingTool) as failure:
        preprocess(source)
    assert failure.value.diagnostics[0].id == "OPK515"
    assert "no-such-compiler" in failure.value.diagnostics[0].message


def test_what_the_sdk_s_own_headers_make_of_names() -> None:
    """Op names of the core package become calls, passes become numbers, flags lose their ending."""
    core = "hnnx::get_opname_with_default_pkg_prefix({}).c_str()"
    lines = [
        f'3050, 0, Op({core.format(chr(34) + "Relu" + chr(34))}, "X"), OK, Op("My", "X")',
        '(3050)+5, OptimFlags::fold_relu, Op("My", "X"), OK, '
        'Op( get_opname_with_default_pkg_prefix( "Relu" ) . c_str ( ), "X")',
        '20000 +100, OptimFlags::fold_relu|OptimFlags::relaxed_precision, Op("A", "X"), OK, Op("My", "X")',
        'GraphOptPass::LATE + 3, 0, Op("A", "X"), OK, Op("My", "X")',
    ]
    text = "".join(f'__def_opt__({line})<<<"a.cpp", {at}>>>\n' for at, line in enumerate(lines, 1))
    document, findings = parse_expanded(text, "a.cpp")
    found = check(document, Context(package="p"))
    assert [*findings, *found.findings] == []
    assert [rule.pass_text for rule in found.rules] == ["EARLY", "EARLY + 5", "MIDDLE + 50", "LATE + 3"]
    assert [rule.priority for rule in found.rules] == [3050, 3055, 20100, 21053]
    assert found.rules[0].root == "q::Relu"
    assert rule_text(document.rules[1], 200).count('FROM_DEFAULT_PACKAGE("Relu")') == 1
    wrong, _ = parse_expanded('__def_opt__(70000, 0, Op("A", "X"), OK, Op("My", "X"))<<<"a.cpp", 1>>>', "a.cpp")
    assert [f.id for f in check(wrong, Context(package="p")).findings] == ["OPK546"]
