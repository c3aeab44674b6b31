"""Reasoning about constraints never says "cannot" of what can be: compared with evaluation on random nodes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.rules.core import (
    Apply,
    Cast,
    Const,
    Expr,
    HtpType,
    MatchOp,
    MatchTag,
    Property,
    PropertyKind,
    Relation,
    RelationKind,
    SelectScalar,
    Tag,
    Type,
)
from opkg.rules.lint.abstract import Range, Tags, Value
from opkg.rules.lint.facts import Facts
from opkg.rules.lint.reason import Reasoner
from opkg.rules.sim import Graph, Output, Settings
from opkg.rules.sim.arithmetic import Fault, Scalar
from opkg.rules.sim.evaluate import evaluate
from opkg.rules.sim.frame import Frame

MATCH = MatchOp("p::A", (MatchTag("X"), MatchOp("p::B", (MatchTag("X"),), tag="Y")), tag="*")
TAGS = st.sampled_from([Tag("*"), Tag("X"), Tag("Y")])
NUMBERS = (Type.BOOL, Type.INT, Type.INT64, Type.SIZE, Type.FLOAT)
INTEGERS = {Type.INT: (-(2**31), 2**31 - 1), Type.INT64: (-(2**63), 2**63 - 1), Type.SIZE: (0, 2**64 - 1)}
LEAVES = {
    Type.INT: [(PropertyKind.ZERO_OFFSET, None), (PropertyKind.OUTPUTS, None)],
    Type.INT64: [(PropertyKind.DATA_SIZE, None)],
    Type.SIZE: [(PropertyKind.DIM, 0), (PropertyKind.DIM, 3), (PropertyKind.RANK, None), (PropertyKind.INPUTS, None),
                (PropertyKind.ELEMENT_SIZE, None)],
    Type.FLOAT: [(PropertyKind.STEPSIZE, None)],
    Type.DTYPE: [(PropertyKind.DTYPE, None)],
    Type.BOOL: [],
}  # fmt: skip


def constants(type: Type) -> st.SearchStrategy[Const]:
    if type is Type.BOOL:
        values: st.SearchStrategy[Scalar] = st.booleans()
    elif type is Type.FLOAT:
        values = st.sampled_from([0.0, 1.0, -1.0, 0.5, 3.0, math.inf, -math.inf, math.nan])
    elif type is Type.DTYPE:
        values = st.sampled_from([1, 2, 4, 8])
    else:
        low, high = INTEGERS[type]
        values = st.one_of(st.integers(0, 4), st.integers(max(low, -2), 9), st.sampled_from([low, high]))
    return values.map(lambda value: Const(type, value))


@st.composite
def expressions(draw: st.DrawFn, type: Type, depth: int = 4) -> Expr:
    """Any well-typed expression."""
    kinds = ["const", "leaf"] if depth == 0 else ["const", "leaf", "leaf", "apply", "apply", "apply", "cast", "select"]
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf" and (LEAVES[type] or type is Type.BOOL):
        if type is Type.BOOL:
            kinds_ = [RelationKind.SAME_OP, RelationKind.SAME_ENCODING, RelationKind.SAME_SHAPE]
            return draw(
                st.one_of(
                    st.builds(Relation, st.sampled_from(kinds_), st.tuples(TAGS, TAGS)),
                    st.builds(
                        Relation, st.just(RelationKind.IS_OP), st.tuples(TAGS), st.sampled_from(["p::A", "p::B"])
                    ),
                )
            )
        property_, index = draw(st.sampled_from(LEAVES[type]))
        return Property(property_, draw(TAGS), index, type)
    if kind == "apply" and type is Type.BOOL:
        return draw(bools(depth))
    if kind == "apply" and type in INTEGERS:
        operator = draw(
            st.sampled_from(["ADD", "SUB", "MUL", "MIN", "MAX", "DIV", "REM", "MOD", "ROUNDUP", "NEG", "ABS"])
        )
        count = 1 if operator in ("NEG", "ABS") else draw(st.integers(2, 3)) if operator in ("ADD", "MIN", "MUL") else 2
        return Apply(operator, tuple(draw(expressions(type, depth - 1)) for _ in range(count)), type)
    if kind == "apply" and type is Type.FLOAT:
        operator = draw(st.sampled_from(["ADD", "SUB", "MUL", "MIN", "MAX", "DIV"]))
        return Apply(operator, (draw(expressions(type, depth - 1)), draw(expressions(type, depth - 1))), type)
    if kind == "cast" and type is not Type.DTYPE:
        return Cast(draw(expressions(draw(st.sampled_from(NUMBERS)), depth - 1)), type)
    if kind == "select":
        condition = draw(expressions(Type.BOOL, depth - 1))
        return SelectScalar(condition, draw(expressions(type, depth - 1)), draw(expressions(type, depth - 1)), type)
    return draw(constants(type))


@st.composite
def bools(draw: st.DrawFn, depth: int) -> Expr:
    operator = draw(st.sampled_from(["AND", "OR", "XOR", "NOT", "EQ", "NE", "LT", "GT", "LE", "GE", "EQ", "LT"]))
    if operator in ("AND", "OR", "XOR"):
        count = draw(st.integers(2, 4))
        return Apply(operator, tuple(draw(expressions(Type.BOOL, depth - 1)) for _ in range(count)), Type.BOOL)
    if operator == "NOT":
        return Apply(operator, (draw(expressions(Type.BOOL, depth - 1)),), Type.BOOL)
    type_ = draw(st.sampled_from([Type.SIZE, Type.SIZE, Type.INT, Type.INT64, Type.FLOAT, Type.DTYPE, Type.BOOL]))
    args = (draw(expressions(type_, depth - 1)), draw(expressions(type_, depth - 1)))
    return Apply(operator, args, Type.BOOL)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    """X, Y = p::B(X), the root p::A(X, Y), with random outputs."""

    def output() -> Output:
        dtype = draw(st.sampled_from([HtpType.QUInt8, HtpType.QUInt16, HtpType.Float32, HtpType.Float16]))
        dims = tuple(draw(st.lists(st.integers(0, 9), min_size=0, max_size=5)))
        step = draw(st.sampled_from([0.5, 1.0, 3.0]))
        return Output(dtype, dims, draw(st.integers(-2, 9)), step)

    graph = Graph()
    x = graph.add("*Input", (), output())
    y = graph.add("p::B", (x.id,), output())
    root = graph.add("p::A", (x.id, y.id), output())
    return Frame(graph, {"X": x.id, "Y": y.id, "*": root.id}, Settings())


def contains(value: Value, number: Scalar) -> bool:
    if isinstance(value, Tags):
        return (int(number) in value.values) != value.without
    return value.nan if number != number else value.low <= number <= value.high


@settings(max_examples=250, deadline=None)
@given(expressions(Type.BOOL), frames())
def test_never_says_cannot_of_what_is(expr: Expr, frame: Frame) -> None:
    reasoner = Reasoner.of(MATCH)
    try:
        value = bool(evaluate(expr, frame))
    except Fault:
        return
    assert reasoner.can(expr, value)
    facts = reasoner.assume(expr, value, Facts())
    assert facts is not None
    for known, range_ in facts.values.items():
        try:
            assert contains(range_, evaluate(known, frame)), known
        except Fault:
            continue


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*NUMBERS, Type.DTYPE]).flatmap(expressions), frames())
def test_values_are_within_what_is_said(expr: Expr, frame: Frame) -> None:
    try:
        value = evaluate(expr, frame)
    except Fault:
        return
    assert contains(Reasoner.of(MATCH).value(expr, Facts()), value)


# ---- what it does see ----------------------------------------------------------------------------------------------


def dim(index: int = 3, tag: str = "X") -> Expr:
    return Property(PropertyKind.DIM, Tag(tag), index, Type.SIZE)


def size(value: int) -> Expr:
    return Cast(Const(Type.INT, value), Type.SIZE)


def dtype(tag: str = "X") -> Expr:
    return Property(PropertyKind.DTYPE, Tag(tag), None, Type.DTYPE)


def is_(type: HtpType, tag: str = "X") -> Expr:
    return Apply("EQ", (dtype(tag), Const(Type.DTYPE, int(type))), Type.BOOL)


def both(*terms: Expr) -> Expr:
    return Apply("AND", terms, Type.BOOL)


def test(operator: str, a: Expr, b: Expr) -> Expr:
    return Apply(operator, (a, b), Type.BOOL)


test.__test__ = False  # type: ignore[attr-defined]  # a helper
SAME = Relation(RelationKind.SAME_ENCODING, (Tag("X"), Tag("Y")))


@pytest.mark.parametrize(
    "expr",
    [
        both(is_(HtpType.QUInt8), is_(HtpType.Float16)),
        both(test("GT", dim(), size(8)), test("LT", dim(), size(4))),
        both(test("LT", dim(), size(4)), test("GT", dim(), size(8))),
        both(test("EQ", dim(), size(4)), test("NE", dim(), size(4))),
        both(test("GT", dim(0), dim(1)), test("LT", dim(0), dim(1))),
        both(test("GT", dim(), size(8)), Apply("NOT", (test("GE", dim(), size(5)),), Type.BOOL)),
        test("LT", dim(), size(0)),
        test("GT", dim(), size(-1)),
        test("GT", Property(PropertyKind.RANK, Tag("X"), None, Type.SIZE), size(8)),
        test("EQ", Property(PropertyKind.INPUTS, Tag("*"), None, Type.SIZE), size(3)),
        test("GE", Apply("REM", (dim(), size(4)), Type.SIZE), size(4)),
        both(SAME, is_(HtpType.QUInt8), is_(HtpType.QInt8, "Y")),
        both(is_(HtpType.QUInt8), is_(HtpType.QInt8, "Y"), SAME),
        Relation(RelationKind.IS_OP, (Tag("Y"),), "p::A"),
        Relation(RelationKind.SAME_OP, (Tag("Y"), Tag("*"))),
        both(test("GT", Cast(dim(), Type.INT, implicit=False), Const(Type.INT, 8)), test("LT", dim(), size(0))),
    ],
)
def test_cannot_be_true(expr: Expr) -> None:
    assert not Reasoner.of(MATCH).can(expr, True)


@pytest.mark.parametrize(
    "expr",
    [
        test("GE", dim(), size(0)),
        test("EQ", dim(), dim()),
        Relation(RelationKind.SAME_SHAPE, (Tag("X"), Tag("X"))),
        Apply("OR", (test("GT", dim(), size(4)), test("LE", dim(), size(4))), Type.BOOL),
        Apply("OR", (is_(HtpType.QUInt8), Apply("NOT", (is_(HtpType.QUInt8),), Type.BOOL)), Type.BOOL),
        Apply("XOR", (Const(Type.BOOL, True), Const(Type.BOOL, False)), Type.BOOL),
        test("LE", Apply("MIN", (dim(), size(8)), Type.SIZE), size(8)),
    ],
)
def test_cannot_be_false(expr: Expr) -> None:
    assert not Reasoner.of(MATCH).can(expr, False)


def test_work_is_bounded() -> None:
    expr: Expr = test("EQ", dim(0), size(1))
    for index in range(60):
        expr = Apply("OR" if index % 2 else "AND", (expr, Apply("NOT", (expr,), Type.BOOL)), Type.BOOL)
    reasoner = Reasoner.of(MATCH)
    assert reasoner.can(expr, True)
    assert reasoner.steps < 0


def test_a_range_of_nan_only() -> None:
    nan = Const(Type.FLOAT, math.nan)
    reasoner = Reasoner.of(MATCH)
    assert not reasoner.can(test("EQ", nan, nan), True)
    assert not reasoner.can(test("NE", nan, nan), False)
    assert isinstance(reasoner.value(nan, Facts()), Range)
