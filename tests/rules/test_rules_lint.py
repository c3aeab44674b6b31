"""Lints: constraints that decide nothing, names, endless rewriting, forestalled rules; the simulator bears them out."""

from __future__ import annotations

import pytest

from opkg.rules.check import Checked, check
from opkg.rules.context import Context
from opkg.rules.core import HtpType
from opkg.rules.sim import Graph, Output, Settings, apply
from opkg.rules.text.cpp import parse_cpp

PREFIX = "DEF_PACKAGE_OPTIMIZATION("
KNOWN = frozenset(("p::A", "p::B", "p::C", "p::Splat"))


def checked(source: str, known: frozenset[str] | None = KNOWN) -> Checked:
    document, findings = parse_cpp(source, "f.cpp")
    assert findings == []
    return check(document, Context("p", "", known))


def lints(*rules: str, known: frozenset[str] | None = KNOWN) -> list[tuple[str, str, int, str]]:
    """(id, severity, line, the text at the place) of the lints of rules, one a line, each given without its macro."""
    lines = [f"{PREFIX}{rule})" for rule in rules]
    found = checked("\n".join(lines) + "\n", known).findings
    return [
        (d.id, str(d.severity), d.span.line, lines[d.span.line - 1][d.span.column - 1 : d.span.end_column - 1])
        for d in found
        if "OPK560" <= d.id <= "OPK569"
    ]


def when(constraint: str, match: str = 'Op("A", "X", "Y")') -> list[tuple[str, str, int, str]]:
    return lints(f'EARLY, {match}, {constraint}, Op("B", "X")')


# ---- constraints ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        ("OK", []),
        ('GT(DIM_OF("X", 0), 8)', []),
        ('AND(GT(DIM_OF("X", 0), 8), LT(DIM_OF("X", 0), 64), IS_QUINT8("X"))', []),
        ('OR(IS_QUINT8("X"), IS_QUINT16("X"))', []),
        ("false", [("OPK560", "info", "false")]),
        ('AND(IS_QUINT8("X"), IS_FLOAT16("X"))', [("OPK560", "warning", 'IS_FLOAT16("X")')]),
        (
            'AND(GT(DIM_OF("X", 0), 8), LT(DIM_OF("X", 0), 8u))',
            [("OPK560", "warning", 'LT(DIM_OF("X", 0), 8u)')],
        ),
        ('SAME_OP("*", INPUT_OF("X", 0))', []),
        ('GT(DIM_OF("X", 0), -1)', [("OPK560", "warning", 'GT(DIM_OF("X", 0), -1)')]),
        ('NE(INPUTS_OF("*"), 2u)', [("OPK560", "warning", 'NE(INPUTS_OF("*"), 2u)')]),
        (
            'OR(GT(DIM_OF("X", 0), 8), LE(DIM_OF("X", 0), 8))',
            [("OPK561", "warning", 'OR(GT(DIM_OF("X", 0), 8), LE(DIM_OF("X", 0), 8))')],
        ),
        (
            'AND(GT(DIM_OF("X", 0), 8), GT(DIM_OF("X", 0), 4))',
            [("OPK561", "info", 'GT(DIM_OF("X", 0), 4)')],
        ),
        (
            'AND(GT(DIM_OF("X", 0), 8), OR(IS_QUINT8("X"), LT(DIM_OF("X", 0), 3)))',
            [("OPK560", "info", 'LT(DIM_OF("X", 0), 3)')],
        ),
        ('AND(EXTERNAL_CONSTRAINT(f, "X"), NOT(EXTERNAL_CONSTRAINT(f, "X")))', []),
    ],
)
def test_constraints(constraint: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(id_, severity, text) for id_, severity, _, text in when(constraint)] == expected


def test_a_select_that_has_no_choice() -> None:
    rule = 'EARLY, Op("A", "X"), IS_QUINT8("X"), SELECT(IS_QUINT8("X"), Op("B", "X"), Op("C", "X"))'
    assert [found[:2] for found in lints(rule)] == [("OPK561", "info")]
    other = 'EARLY, Op("A", "X"), IS_QUINT8("X"), SELECT(IS_FLOAT16("X"), Op("B", "X"), Op("C", "X"))'
    assert [found[:2] for found in lints(other)] == [("OPK560", "info")]


@pytest.mark.parametrize(
    ("constraint", "found"),
    [
        ('EQ(CONSTVAL_INT("Y", 0), 1)', []),  # the least int is not 1
        ('GT(CONSTVAL_FLOAT("Y", 0), 0.5f)', []),  # nothing is greater or less than NaN
        ('LT(CONSTVAL_INT("Y", 0), 4)', ["OPK567"]),
        ('NE(CONSTVAL_FLOAT("Y", 0), 0.5f)', ["OPK567"]),
        ('NOT(GT(CONSTVAL_FLOAT("Y", 0), 0.5f))', ["OPK567"]),
        ('AND(CONSTVAL_INT_VALID("Y", 0), LT(CONSTVAL_INT("Y", 0), 4))', []),
        ('AND(CONSTVAL_INT_VALID("X", 0), LT(CONSTVAL_INT("Y", 0), 4))', ["OPK567"]),
    ],
)
def test_constants_that_may_not_be_there(constraint: str, found: list[str]) -> None:
    assert [id_ for id_, *_ in when(constraint)] == found


def test_constants_in_a_replacement() -> None:
    build = 'Op("B", "X", gen_ConstScalar_f32(CONSTVAL_FLOAT("Y", 0)))'
    assert [found[0] for found in lints(f'EARLY, Op("A", "X", "Y"), OK, {build}')] == ["OPK567"]
    assert lints(f'EARLY, Op("A", "X", OPCONST("Y")), OK, {build}') == []
    assert lints(f'EARLY, Op("A", "X", "Y"), CONSTVAL_FLOAT_VALID("Y", 0), {build}') == []


# ---- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ('Op("A", LET("L", Op("B", "X"))), OK, Op("C", "L")', []),
        ('Op("A", LET("L", Op("B", "X"))), IS_QUINT8("L"), Op("C", "X")', []),
        ('Op("A", LET("L", Op("B", "X")), "L"), OK, Op("C", "X")', []),
        ('Op("A", OPCONST("L"), "X"), OK, Op("C", "X")', []),
        ('Op("A", LET("L", Op("B", "X"))), OK, Op("C", "X")', ["OPK565"]),
        ('Op("A", "X"), OK, Op("D", "X")', ["OPK566"]),
        ('Op("D", "X"), OK, Op("A", "X")', ["OPK566"]),
        ('Op("A", "X"), PRODUCER_FOR("X", "D"), Op("B", "X")', ["OPK566"]),
        ('Op("A", "X"), OK, Op("other::D", "X")', []),
        ('Op("A", Op("$Shape"), Op("*Input")), OK, Op(FROM_DEFAULT_PACKAGE("Relu"), "*Input")', None),
        ('Op("A", "X"), OK, Op(FROM_DEFAULT_PACKAGE("Relu"), "X")', []),
        ('Op("A", "X"), OK, Op(FROM_DEFAULT_PACKAGE("Zyxwv"), "X")', []),
        ('Op("A", "X"), OK, Op(FROM_DEFAULT_PACKAGE("Softmaxx"), "X")', ["OPK566"]),
        ('Op("A", "X"), OPTION_BOOL("relaxed_precison"), Op("B", "X")', ["OPK569"]),
        ('Op("A", "X"), OPTION_BOOL("relaxed_precision"), Op("B", "X")', []),
        ('Op("A", "X"), OPTION_BOOL("quite_other"), Op("B", "X")', []),
    ],
)
def test_names(rule: str, expected: list[str] | None) -> None:
    if expected is not None:
        assert [id_ for id_, *_ in lints(f"EARLY, {rule}")] == expected


def test_hints_for_ops() -> None:
    def hint(rule: str) -> str:
        (finding,) = [d for d in checked(f"{PREFIX}EARLY, {rule})").findings if d.id == "OPK566"]
        return finding.hint

    assert hint('Op("A", "X"), OK, Op("Relu", "X")') == 'for the core op write FROM_DEFAULT_PACKAGE("Relu")'
    assert hint('Op("A", "X"), OK, Op("Splatt", "X")') == "did you mean 'Splat'?"
    assert lints('EARLY, Op("A", "X"), OK, Op("Relu", "X")', known=None) == []


# ---- endless -------------------------------------------------------------------------------------------------------

SPLIT = 'AUTOSPLIT(1, "I", 8, Op("A", TYPICAL_SLICE("X", "I")))'
HALF = 'WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op("A", "X"))'
ENDLESS = [
    ('Op("A", "X"), OK, Op("A", "X")', "OPK562"),
    ('Op("A", "X"), OK, Op("B", Op("A", "X"))', "OPK562"),
    ('Op("A", "X"), OK, Op("B", "*")', "OPK562"),
    ('Op("A", "X"), OK, WrapOp("B", Op("A", "X"))', "OPK562"),
    ('OpVarIn("A", "X"), OK, Op("A", "X", "X")', "OPK562"),
    (f'Op("A", "X"), IS_FLOAT32("X"), {HALF}', "OPK562"),
    ('Op("B", Op("A", "X")), OK, Op("B", Op("A", Op("B", "X")))', "OPK562"),
    ('Op("A", "X"), OK, SELECT(IS_FLOAT32("X"), Op("A", "X"), Op("B", "X"))', "OPK562"),
    (f'Op("A", "X"), OK, {SPLIT}', "OPK564"),
    (f'Op("A", "X"), GT(DIM_WIDTH("*"), 8), {SPLIT}', "OPK564"),
    (f'Op("A", "X"), GT(DIM_HEIGHT("*"), 4), {SPLIT}', "OPK564"),
    (f'Op("A", "X"), AND(IS_FLOAT32("X"), GT(DIM_DEPTH("X"), 1)), {SPLIT}', "OPK564"),
    (f'Op("A", "X"), SAME_SHAPE("X", INPUT_OF("*", 0)), {SPLIT}', "OPK564"),
    (f'Op("A", "X"), SAME_SHAPE("X", "*"), {SPLIT}', "OPK564"),
]  # fmt: skip
ENDING = [
    f'Op("A", "X"), GT(DIM_HEIGHT("*"), 8), {SPLIT}',
    f'Op("A", "X"), GT(DIM_HEIGHT("X"), 8), {SPLIT}',
    f'Op("A", "X"), GE(INT(DIM_HEIGHT("*")), 9), {SPLIT}',
    'Op("A", "X"), GT(DIM_HEIGHT("*"), DIM_OF("X", 3)), AUTOSPLIT(1, "I", DIM_OF("X", 3), Op("A", TYPICAL_SLICE("X", "I")))',
    f'Op("A", "X"), IS_FLOAT32("*"), {HALF}',
    'Op("A", "X"), OK, "X"',
    'Op("A", "X"), OK, Op("B", "X")',
    'Op("A", "X"), NOT(IS_OP("X", "C")), Op("A", Op("C", "X"))',
    'Op("A", "X"), OK, SELECT(GT(DIM_HEIGHT("*"), 8), Op("B", "X"), Op("C", "X"))',
    'Op("A", "X"), GT(DIM_HEIGHT("*"), 8), ResizeDim(1, 8, Op("A", "X"))',
    'Op("A", "X"), GT(DIM_HEIGHT("*"), 8), WITH_SIZE(gen_Shape(1, 4, 4, 4), Op("A", "X"))',
    'Op("B", Op("A", "X")), OK, Op("A", Op("B", "X"))',
]  # fmt: skip


def run(*rules: str) -> bool:
    """Whether the simulator stops rules on A(X), B(A(X)) as endless."""
    known = checked("".join(f"{PREFIX}EARLY, {rule})\n" for rule in rules)).rules
    assert len(known) == len(rules)
    graph = Graph()
    shape = Output(HtpType.Float32, (1, 64, 16, 8))
    x = graph.add("*Input", (), shape)
    a = graph.add("p::A", (x.id,), shape)
    b = graph.add("p::B", (a.id,), shape)
    graph.set_outputs([("y", b.id)])
    return apply(graph, known, Settings(max_lineage=60)).stopped is not None


@pytest.mark.parametrize(("rule", "id_"), ENDLESS)
def test_endless(rule: str, id_: str) -> None:
    found = [(found, severity) for found, severity, *_ in lints(f"EARLY, {rule}") if found in ("OPK562", "OPK564")]
    assert found == [(id_, "warning")]
    assert run(rule)


@pytest.mark.parametrize("rule", ENDING)
def test_not_endless(rule: str) -> None:
    assert not [found for found in lints(f"EARLY, {rule}") if found[0] in ("OPK562", "OPK564")]
    assert not run(rule)


def test_a_cycle_of_rules() -> None:
    there, back = 'Op("A", "X"), OK, Op("C", "X")', 'Op("C", "X"), OK, Op("A", "X")'
    (found,) = [d for d in checked(f"{PREFIX}EARLY, {there})\n{PREFIX}EARLY, {back})\n").findings if d.id == "OPK562"]
    assert found.message.endswith("f_1 -> f_2 -> f_1")
    assert (found.span.line, found.span.column) == (1, 51)
    assert run(there, back)
    assert not [d for d in lints(f"EARLY, {there}", f"EARLY + 1, {back}") if d[0] == "OPK562"]


# ---- order ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ('Op("A", "X"), OK', 'Op("A", "Y"), OK', ["OPK563"]),
        ('Op("A", "X"), OK', 'Op("A", Op("B", "X")), IS_FLOAT32("X")', ["OPK563"]),
        ('OpVarIn("A", "X"), OK', 'Op("A", "X", "Z"), OK', ["OPK563"]),
        ('Op("A", "X"), IS_FLOAT32("X")', 'Op("A", "X"), AND(IS_FLOAT32("X"), GT(DIM_OF("X", 0), 1))', ["OPK563"]),
        ('Op("A", "X"), GT(DIM_DEPTH("X"), 4)', 'Op("A", "Y"), GT(DIM_DEPTH(INPUT_OF("*", 0)), 8)', ["OPK563"]),
        ('Op("A", "X"), GT(DIM_DEPTH("X"), 8)', 'Op("A", "X"), GT(DIM_DEPTH("X"), 4)', ["OPK568"]),
        ('Op("A", "X"), IS_FLOAT32("X")', 'Op("A", "X"), IS_FLOAT16("X")', []),
        ('Op("A", Op("B", "X")), OK', 'Op("A", "X"), OK', []),
        ('Op("A", "X", "X"), OK', 'Op("A", "X", "Y"), OK', []),
        ('Op("A", "X", "Y"), OK', 'Op("A", "X", "X"), OK', ["OPK563"]),
        ('Op("A", "X", "Y"), OK', 'Op("A", "X"), OK', []),
        ('Op("A", "X"), OK', 'OpVarIn("A", "X"), OK', []),
        ('Op("A", "X"), OK', 'Op("B", "X"), OK', []),
    ],
)
def test_order(first: str, second: str, expected: list[str]) -> None:
    rules = [f'EARLY, {first}, Op("C")', f'EARLY, {second}, Op("C", gen_Shape(1))']
    found = [(id_, line) for id_, _, line, _ in lints(*rules) if id_ in ("OPK563", "OPK568")]
    assert found == [(id_, 2) for id_ in expected]
    later = [rules[0], rules[1].replace("EARLY", "EARLY + 1")]
    assert not [d for d in lints(*later) if d[0] in ("OPK563", "OPK568")]


def test_gated_rules_do_not_forestall_others() -> None:
    gated = 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, relaxed_precision_flag, Op("A", "X"), OK, Op("B", "X"))'
    plain = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("C", "X"))'
    assert [d.id for d in checked(f"{gated}\n{plain}\n").findings] == []
    assert [d.id for d in checked(f"{plain}\n{gated}\n").findings] == ["OPK563"]


def test_a_rule_that_may_give_up_does_not_forestall() -> None:
    first = 'EARLY, Op("A", "X"), OK, SELECT(IS_FLOAT16("X"), Op("B", "X"), "*")'
    assert [found[0] for found in lints(first, 'EARLY, Op("A", "X"), OK, Op("C", "X")')] == ["OPK568"]
