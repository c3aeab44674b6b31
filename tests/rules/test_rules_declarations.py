"""Tensor properties, registrations of kernels, orders of parameters: what is wrong with them and where."""

from __future__ import annotations

import pytest

from opkg.rules.check import check
from opkg.rules.context import Context
from opkg.rules.syntax import Declaration, Document, Front
from opkg.rules.text.parse_rule import parse_macro_call
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.source_text import SourceText


def found(macro: str, sdk: str = "") -> list[Diagnostic]:
    item, findings = parse_macro_call(SourceText("f.cpp", macro), "")
    assert isinstance(item, Declaration), findings
    return list(check(Document("f.cpp", Front.CPP, "my.pkg", (item,)), Context("my.pkg", sdk)).findings)


def said(macro: str, sdk: str = "") -> list[tuple[str, str, int]]:
    return [(finding.id, str(finding.severity), finding.span.column) for finding in found(macro, sdk)]


def properties(args: str, sdk: str = "") -> list[tuple[str, str, int]]:
    """Ids, severities and columns, counted from the first argument as 1."""
    start = len("DEF_TENSOR_PROPERTIES(")
    return [(id_, how, column - start) for id_, how, column in said(f"DEF_TENSOR_PROPERTIES({args})", sdk)]


@pytest.mark.parametrize(
    "args",
    [
        'Op("A", "x"), Flat("*", "x")',
        '"A", Flat("*")',
        '"A", MainMemory("..."), Crouton("*"), Flat("...")',
        'Op("A", "x"), Outputs("o1", "o2"), Flat("o1", "o2", "x")',
        'Op("A", "x"), Flat("o"), Outputs("o")',
        'Op("A", "x", "y"), Flat("*"), MainMemory("*"), Tcm("x"), PreferTcm("y"), Crouton("x", "y")',
        'Op("A", "x", "y"), Tcm("x"), Fixed("*", "x")',
        'Op("A", "x"), FlatAboveArg(1), Rename(0, "B"), UnalignedOk("x"), WhenFitsIfTCM("*"), CroutonIf("x")',
        'Op(FROM_DEFAULT_PACKAGE("Add"), "x"), Flat("*")',
        'Op("A", "x"), TilingOnly(), INVARIANT',
    ],
)
def test_good_properties(args: str) -> None:
    assert properties(args) == []


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ('Flat("*")', ("OPK554", "error", 1)),
        ("3, Flat('*')".replace("'", '"'), ("OPK554", "error", 1)),
        ('Op(), Flat("*")', ("OPK554", "error", 1)),
        ('Op("A", Op("B")), Flat("*")', ("OPK554", "error", 9)),
        ('Op("A", "..."), Flat("*")', ("OPK554", "error", 9)),
        ('Op("A"), Outputs("..."), Flat("*")', ("OPK554", "error", 18)),
        ('Op("A", "x")', ("OPK554", "warning", -21)),
        ('Op("A", "x"), Any("x")', ("OPK555", "error", 15)),
        ('Op("A", "x"), Flatt("x")', ("OPK555", "error", 15)),
        ('Op("A", "x"), EarlyCrouton("x")', ("OPK555", "error", 15)),
        ('Op("A", "x"), "x"', ("OPK555", "error", 15)),
        ('Op("A", "x"), Flat(x)', ("OPK555", "error", 20)),
        ('Op("A", "x"), FlatAboveArg("x")', ("OPK555", "error", 15)),
        ('Op("A", "x"), FlatAboveArg(-1)', ("OPK555", "error", 15)),
        ('Op("A", "in0"), Flat("in_0")', ("OPK556", "error", 22)),
        ('"A", Flat("x")', ("OPK556", "error", 11)),
        ('Op("A", "x", "x"), Flat("*")', ("OPK556", "warning", 14)),
        ('Op("A", "x"), Outputs("x"), Flat("*")', ("OPK556", "warning", 23)),
        ('Op("A", "x"), PreferTcm("*")', ("OPK556", "error", 25)),
        ('Op("A", "x"), Outputs("o"), CroutonIf("o")', ("OPK556", "error", 39)),
        ('Op("A"), Outputs("o"), Outputs("p"), Flat("*")', ("OPK556", "warning", 24)),
        ('Op("A", "x"), Flat("x"), Crouton("x")', ("OPK557", "warning", 34)),
        ('Op("A", "x"), Crouton("x"), Flat("*", "x")', ("OPK557", "warning", 39)),
        ('Op("A", "x"), MainMemory("x"), Tcm("x")', ("OPK557", "warning", 36)),
        ('Op("A", "x"), MainMemory("x"), PreferTcm("x")', ("OPK557", "warning", 42)),
        ('Op("A"), Outputs("o"), Flat("*"), Crouton("o")', ("OPK557", "warning", 43)),
        ('Op("A", "x"), Flat("..."), Crouton("x")', ("OPK557", "warning", 36)),
        ('Op("A", "x"), Flat("..."), Crouton("...")', ("OPK557", "warning", 36)),
        ('Op("A", "x"), Fixed("x"), Tcm("x")', ("OPK557", "warning", 31)),
        ('Op("A", "x"), Flat("x"), MainMemory("x"), Fixed("x")', ("OPK557", "warning", 49)),
        ('Op("A", "x"), Flat()', ("OPK557", "warning", 15)),
    ],
)
def test_bad_properties(args: str, expected: tuple[str, str, int]) -> None:
    assert properties(args) == [expected]


def test_terms_by_sdk() -> None:
    assert properties('Op("A", "x"), EarlyCrouton("x")', "2.25") == []
    assert properties('Op("A", "x"), TilingOnly()', "2.25") == [("OPK555", "error", 15)]
    assert "since SDK 2.43" in found('DEF_TENSOR_PROPERTIES(Op("A", "x"), INVARIANT)', "2.25")[0].message


def test_hints() -> None:
    assert found('DEF_TENSOR_PROPERTIES(Op("A", "in0"), Flat("in_0"))')[0].hint == 'did you mean "in0"?'
    assert found('DEF_TENSOR_PROPERTIES(Op("A", "x"), Flatt("x"))')[0].hint == "did you mean 'Flat'?"
    first = found('DEF_TENSOR_PROPERTIES(Op("A", "x"), Tcm("x"), MainMemory("x"))')[0]
    assert first.message == 'MainMemory has no effect: "x" is TCM by Tcm, and the first setting wins'


COST = "DEF_PACKAGE_OP_AND_COST_AND_FLAGS"
COST_F = "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS"


@pytest.mark.parametrize(
    "macro",
    [
        'DEF_PACKAGE_OP((f<Tensor>), "A")',
        'DEF_PACKAGE_OP(f, "A")',
        f'{COST}(f, "A", SNAIL)',
        f'{COST}((f<Tensor, Tensor>), "A", SNAIL/128, Flags::RESOURCE_HVX, Flags::IS_CONST)',
        f'{COST}(f, "A", StandardCosts::FAST, Flags::INHIBIT_CONST_PROP)',
        f'{COST_F}(f, "A", cost_of, Flags::RESOURCE_HVX)',
        f'{COST_F}(f, "A", (cost_of<Tensor>))',
    ],
)
def test_good_kernels(macro: str) -> None:
    assert said(macro) == []


@pytest.mark.parametrize(
    ("macro", "severity", "column", "message"),
    [
        ('DEF_PACKAGE_OP("A", "f")', "error", 16, "a function stands first"),
        ("DEF_PACKAGE_OP(f, name)", "error", 19, "must be a string"),
        (f'{COST}(f, "A", "SNAIL", Flags::RESOURCE_HVX)', "error", 43, "does not compile"),
        (f'{COST}(f, "A", 100)', "error", 43, "does not compile"),
        (f'{COST}(f, "A", 2 * 50)', "error", 43, "is a number"),
        (f'{COST}(f, "A", SNAILS)', "error", 43, "no cost 'SNAILS'"),
        (f'{COST}(f, "A", my_cost)', "warning", 43, "no cost of the SDK's"),
        (f'{COST}(f, "A", SNAIL, RESOURCE_HVX)', "error", 50, "alone does not compile"),
        (f'{COST}(f, "A", SNAIL, Flags::RESOURCE_HVXX)', "error", 50, "no flag"),
        (f'{COST}(f, "A", SNAIL, Flags::IS_CONST | Flags::RESOURCE_HVX)', "error", 50, "is no flag"),
        (f'{COST}(f, "A", SNAIL, Flags::RESOURCE_HMX)', "warning", 50, "not for packages"),
        (f'{COST}(f, "A", SNAIL, Flags::IS_CONST, Flags::IS_CONST)', "warning", 67, "twice"),
        (f'{COST_F}(f, "A", SNAIL)', "error", 45, "is a cost and no function"),
        (f'{COST_F}(f, "A", 1.0)', "error", 45, "takes a function"),
    ],
)
def test_bad_kernels(macro: str, severity: str, column: int, message: str) -> None:
    (finding,) = found(macro)
    assert (finding.id, str(finding.severity), finding.span.column) == ("OPK558", severity, column)
    assert message in finding.message


ORDER = "DEF_PACKAGE_PARAM_ORDER"


@pytest.mark.parametrize(
    "args",
    ['"A"', '"A", "axis", true, nullptr', '"A", "axis", true, nullptr, "scale", false, &sg_scale', '"A", "p", 0, NULL'],
)
def test_good_parameters(args: str) -> None:
    assert said(f"{ORDER}({args})") == []


@pytest.mark.parametrize(
    ("args", "severity", "column", "message"),
    [
        ('3, "axis", true, nullptr', "error", 25, "name stands first"),
        ('"A", "axis", true', "error", 1, "no threes"),
        ('"A", axis, true, nullptr', "error", 30, "is a string"),
        ('"A", "axis", "yes", nullptr', "error", 38, "true or false"),
        ('"A", "axis", 2, nullptr', "error", 38, "true or false"),
        ('"A", "axis", false, 1.0', "error", 45, "Qnn_Param_t*"),
        ('"A", "axis", false, true', "error", 45, "Qnn_Param_t*"),
        ('"A", "axis", true, &d', "info", 44, "never takes"),
        ('"A", "p", true, nullptr, "p", true, nullptr', "error", 50, "twice"),
    ],
)
def test_bad_parameters(args: str, severity: str, column: int, message: str) -> None:
    (finding,) = found(f"{ORDER}({args})")
    assert (finding.id, str(finding.severity), finding.span.column) == ("OPK559", severity, column)
    assert message in finding.message


@pytest.mark.parametrize(
    ("macro", "column"),
    [
        ('DEF_TENSOR_PROPERTIES(Op("Aa"), Flat("*"))', 26),
        ('DEF_TENSOR_PROPERTIES("Aa", Flat("*"))', 23),
        ('DEF_PACKAGE_PARAM_ORDER("Aa", "axis", true, nullptr)', 25),
    ],
)
def test_ops_that_the_package_does_not_have(macro: str, column: int) -> None:
    item, _ = parse_macro_call(SourceText("f.cpp", macro), "")
    assert item is not None
    document = Document("f.cpp", Front.CPP, "my.pkg", (item,))
    known = frozenset(("my.pkg::A", "my.pkg::B"))
    (finding,) = check(document, Context("my.pkg", "", known)).findings
    assert (finding.id, str(finding.severity), finding.span.column) == ("OPK566", "warning", column)
    assert finding.hint == "did you mean 'A'?"
    assert check(document, Context("my.pkg")).findings == ()
