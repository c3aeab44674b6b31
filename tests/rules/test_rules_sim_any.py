"""Any well-typed rule on any graph: an attempt applies or leaves everything as it was, whatever the rule does."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from rules_graph_strategies import any_graphs
from rules_sim_kit import check_books

from opkg.rules import core, syntax
from opkg.rules.core import HtpType, ModifierKind, SplitMethod, Type
from opkg.rules.sim import Graph, Settings, Verdict, attempt, write_json
from opkg.rules.sim.model import Node
from opkg.spec.source_text import SourceText

WRITTEN = syntax.Rule("r", "", None, None, syntax.Name("m"), None, syntax.Name("r"), SourceText("r.yaml", "rule"))
TAGS = st.sampled_from(["X", "Y", "*", "Z"])
SPLITS = st.sampled_from(["I", "J"])
NUMBERS = (Type.BOOL, Type.INT, Type.INT64, Type.SIZE, Type.FLOAT)
VALUES: dict[Type, st.SearchStrategy[bool | int | float]] = {
    Type.BOOL: st.booleans(),
    Type.INT: st.integers(-3, 9) | st.integers(-(1 << 31), (1 << 31) - 1),
    Type.INT64: st.integers(-3, 9) | st.integers(-(1 << 63), (1 << 63) - 1),
    Type.SIZE: st.integers(0, 9) | st.integers(0, (1 << 64) - 1),
    Type.FLOAT: st.floats(),
    Type.DTYPE: st.integers(0, 11),
}
PROPERTIES = {
    Type.SIZE: ("RANK_OF", "DIM_OF", "ELEMENTSIZE_OF", "INPUTS_OF"),
    Type.INT: ("ZERO_OFFSET_OF", "OUTPUTS_OF"),
    Type.FLOAT: ("STEPSIZE_OF",),
    Type.DTYPE: ("DTYPE_OF",),
    Type.INT64: ("DATA_SIZE",),
}
WHOLE = (
    "ADD",
    "SUB",
    "MUL",
    "MIN",
    "MAX",
    "DIV",
    "REM",
    "MOD",
    "ROUNDUP",
    "ROUNDDOWN",
    "CEILDIV",
    "LCM",
    "BIT_AND",
    "BIT_OR",
)


@st.composite
def operands(draw: st.DrawFn, depth: int = 2) -> core.Operand:
    kind = draw(st.integers(0, 6)) if depth else 0
    if kind < 4:
        return core.Tag(draw(TAGS))
    inner = draw(operands(depth - 1))
    if kind == 6:
        return core.SelectOperand(draw(exprs(Type.BOOL, 1)), inner, draw(operands(depth - 1)))
    index = draw(exprs(Type.INT, 1))
    return core.InputOf(inner, index) if kind == 4 else core.OutputOf(inner, index)


@st.composite
def exprs(draw: st.DrawFn, type: Type, depth: int = 3) -> core.Expr:
    kind = draw(st.integers(0, 9)) if depth else 0
    if kind == 1 and type in PROPERTIES:
        name = draw(st.sampled_from(PROPERTIES[type]))
        return core.Property(core.PropertyKind(name), draw(operands(1)), draw(st.integers(-1, 9)), type)
    if kind == 2 and type in NUMBERS:
        return core.Cast(draw(exprs(draw(st.sampled_from(NUMBERS)), depth - 1)), type)
    if kind == 3:
        arms = draw(exprs(type, depth - 1)), draw(exprs(type, depth - 1))
        return core.SelectScalar(draw(exprs(Type.BOOL, depth - 1)), *arms, type)
    if kind == 4 and type in (Type.INT, Type.FLOAT, Type.BOOL):
        names = {Type.INT: ["CONSTVAL_INT"], Type.FLOAT: ["CONSTVAL_FLOAT"]}.get(
            type, ["CONSTVAL_INT_VALID", "CONSTVAL_FLOAT_VALID"]
        )
        index = tuple(draw(exprs(Type.INT, 1)) for _ in range(draw(st.integers(1, 2))))
        return core.ConstVal(core.ConstValKind(draw(st.sampled_from(names))), draw(operands(1)), index, type)
    if kind == 5 and type in (Type.BOOL, Type.INT, Type.SIZE, Type.FLOAT):
        return core.Option(draw(st.sampled_from(["o", "p"])), type)
    if kind == 6 and type is Type.INT:
        return core.SplitVar(draw(st.sampled_from(core.SplitKind)), draw(SPLITS))
    if kind >= 7:
        return draw(applications(type, depth))
    return core.Const(type, draw(VALUES[type]))


@st.composite
def applications(draw: st.DrawFn, type: Type, depth: int) -> core.Expr:
    if type is Type.BOOL:
        kind = draw(st.integers(0, 3))
        if kind == 0:
            pair = draw(operands(1)), draw(operands(1))
            return core.Relation(
                draw(st.sampled_from(["SAME_OP", "SAME_ENCODING", "SAME_SHAPE"]).map(core.RelationKind)), pair
            )
        if kind == 1:
            relation = draw(st.sampled_from(["IS_OP", "PRODUCER_FOR"]).map(core.RelationKind))
            return core.Relation(relation, (draw(operands(1)),), "q::Relu")
        of = Type.BOOL if kind == 2 else draw(st.sampled_from(NUMBERS))
        logic, compare = ("AND", "OR", "XOR"), ("EQ", "NE", "LT", "GT", "LE", "GE")
        args = draw(exprs(of, depth - 1)), draw(exprs(of, depth - 1))
        return core.Apply(draw(st.sampled_from(logic if kind == 2 else compare)), args, Type.BOOL)
    if type is Type.DTYPE:
        return core.Cast(draw(exprs(Type.INT, depth - 1)), type)
    if draw(st.booleans()) and type is not Type.SIZE:
        return core.Apply(draw(st.sampled_from(["NEG", "ABS"])), (draw(exprs(type, depth - 1)),), type)
    args = draw(exprs(type, depth - 1)), draw(exprs(type, depth - 1))
    return core.Apply(draw(st.sampled_from(WHOLE[:6] if type is Type.FLOAT else WHOLE)), args, type)


def number() -> st.SearchStrategy[core.Expr]:
    return st.sampled_from([Type.INT, Type.SIZE, Type.FLOAT]).flatmap(lambda type: exprs(type, 2))


def small() -> st.SearchStrategy[core.Expr]:
    return st.integers(-1, 5).map(lambda value: core.Const(Type.INT, value)) | number()


def fixed(low: int, high: int) -> st.SearchStrategy[core.Const]:
    return st.integers(low, high).map(lambda value: core.Const(Type.INT, value))


def _modified(body: st.SearchStrategy[core.Repl]) -> st.SearchStrategy[core.Repl]:
    kinds = [
        k for k in ModifierKind if k not in (ModifierKind.OUTPUT_TYPE, ModifierKind.MULTI_OUT, ModifierKind.RESIZE_DIM)
    ]
    typed = st.tuples(exprs(Type.DTYPE, 2), exprs(Type.INT, 2), exprs(Type.FLOAT, 2))
    return st.one_of(
        st.builds(core.Modified, st.sampled_from(kinds), body, st.just(()), body),
        st.builds(core.Modified, st.just(ModifierKind.SPLIT_HISTORY), body, st.tuples(fixed(-1, 4)), body),
        st.builds(core.Modified, st.just(ModifierKind.OUTPUT_TYPE), st.none(), typed, body),
        st.builds(core.Modified, st.just(ModifierKind.MULTI_OUT), st.none(), st.tuples(fixed(-1, 3)), body),
        st.builds(
            core.Modified, st.just(ModifierKind.RESIZE_DIM), st.none(), st.tuples(fixed(-1, 4), fixed(-1, 9)), body
        ),
    )


def _deeper(body: st.SearchStrategy[core.Repl]) -> st.SearchStrategy[core.Repl]:
    several = st.lists(body, max_size=3).map(tuple)
    ops = st.sampled_from(["q::N", "q::Relu", "$Out", "*Input"])
    functions = st.sampled_from(
        ["same", "dims", "make", "fail", "odd", "simple_split_start", "simple_split_size", "unknown"]
    )
    args = st.lists(body | number(), max_size=2).map(tuple)
    return st.one_of(
        st.builds(core.Build, ops, several),
        st.builds(core.BuildMulti, st.integers(1, 3), st.integers(0, 3), ops, several),
        st.builds(core.Wrap, ops, body, st.booleans()),
        st.builds(core.GenShape, st.just(()), body),
        st.builds(core.AutoSplit, st.sampled_from(SplitMethod), small(), SPLITS, small(), body),
        st.builds(core.OpIter, body, SPLITS, small(), small(), body),
        st.builds(core.SelectRepl, exprs(Type.BOOL, 2), body, body),
        st.builds(core.Slice, body, body, body),
        st.builds(core.TypicalSlice, body, SPLITS, st.integers(-1, 4), st.booleans()),
        st.builds(core.MarkReplaceable, body),
        st.builds(core.ShapeFn, functions, args, st.just("") | SPLITS),
        _modified(body),
    )


REPLACEMENTS: st.SearchStrategy[core.Repl] = st.recursive(
    st.one_of(
        st.builds(core.Existing, operands()),
        st.builds(core.GenShape, st.lists(small(), max_size=4).map(tuple)),
        st.builds(core.GenConst, st.sampled_from(list(core.GenKind)[2:4]), st.tuples(number(), small())),
        st.builds(core.GenConst, st.sampled_from(list(core.GenKind)[:2]), st.tuples(number())),
        st.builds(
            core.GenConst,
            st.sampled_from(list(core.GenKind)[4:]),
            st.lists(number(), min_size=1, max_size=4).map(tuple),
        ),
        st.builds(core.IterInputOf, operands(), SPLITS),
        st.builds(core.ExternalRepl, st.sampled_from(["same", "make", "fail", "odd"])),
    ),
    _deeper,
    max_leaves=6,
)


def _fail(*args: object) -> object:
    raise KeyError("on purpose")


EXTERNALS: dict[str, Callable[..., object]] = {
    "same": lambda context, *args: next((a for a in args if isinstance(a, Node)), context.operand("*")),
    "dims": lambda context, *args: (2, 3),
    "make": lambda context, *args: context.op("q::Made", context.shape(1), context.const(HtpType.Int32, (1,), (5,))),
    "fail": _fail,
    "odd": lambda context, *args: (1.5, "x"),
}


@settings(max_examples=250, deadline=None)
@given(any_graphs(), exprs(Type.BOOL), REPLACEMENTS, st.data())
def test_an_attempt_applies_or_changes_nothing(
    graph: Graph, when: core.Expr, repl: core.Repl, data: st.DataObject
) -> None:
    if not graph.nodes:
        return
    root = graph.nodes[data.draw(st.sampled_from(sorted(graph.nodes)))]
    inputs = tuple(core.MatchTag(tag) for tag, _ in zip(("X", "Y"), root.inputs, strict=False))
    pattern = core.MatchOp(root.op, inputs, open=True)
    rule = core.TypedRule(
        "r", 5, "5", (), pattern, data.draw(st.just(core.Const(Type.BOOL, True)) | st.just(when)), repl, "p", WRITTEN
    )
    before, copy = write_json(graph), graph.copy()
    done = attempt(graph, rule, root.id, Settings(externals=EXTERNALS), data.draw(st.booleans()))
    assert graph.journal is None
    if done.verdict is not Verdict.APPLIED:
        assert done.verdict is not Verdict.NO_MATCH or done.bound == {}
        assert write_json(graph) == before
    else:
        assert done.delta is not None
        copy.play(done.delta)
        assert copy == graph
        copy.play(done.delta, back=True)
        assert write_json(copy) == before
        assert all(0 <= size < 1 << 63 for node in graph.nodes.values() for size in node.output.shape)
    check_books(graph)
    list(graph.order())
