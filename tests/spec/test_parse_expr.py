"""Expressions: print and parse are inverses, evaluation agrees with Python's, errors stand at exact columns."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from opkg.spec.diagnostics import Diagnostic, Span
from opkg.spec.dtypes import DTYPES
from opkg.spec.evaluate import Env, EvaluationError, TensorInfo, Unknown, evaluate
from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Type, Unary
from opkg.spec.nodes import Piece
from opkg.spec.parse_expr import parse
from opkg.spec.print_expr import to_text
from opkg.spec.requirements import requirements
from opkg.spec.scope import Scope, Symbol, What

SCOPE = Scope("Op")
SCOPE.symbols.update(
    N=Symbol(What.DIM, Type.INT),
    C=Symbol(What.DIM, Type.INT),
    batch=Symbol(What.REST, Type.INT),
    axis=Symbol(What.PARAM, Type.INT),
    beta=Symbol(What.PARAM, Type.FLOAT),
    keep=Symbol(What.PARAM, Type.BOOL),
    block=Symbol(What.TENSOR_PARAM, Type.INT),
    gains=Symbol(What.TENSOR_PARAM, Type.FLOAT),
    x=Symbol(What.INPUT, Type.TENSOR),
    g=Symbol(What.INPUT, Type.TENSOR),
    y=Symbol(What.OUTPUT, Type.TENSOR),
    T=Symbol(What.TYPE_VAR, Type.DTYPE),
    LINEAR=Symbol(What.CONSTANT, Type.INT, 3),
)
EVERY = tuple(Type)
F32 = DTYPES["float32"]


def read(text: str, want: tuple[Type, ...] = EVERY) -> tuple[Any, list[Diagnostic]]:
    findings: list[Diagnostic] = []
    piece = Piece(text, Span("f", 3, 5, 3, 5 + len(text)), True)
    expression = parse(piece, SCOPE, want, findings)
    assert (expression is None) == bool(findings)
    return expression, findings


def env() -> Env:
    return Env(
        dims={"N": 2, "C": 7},
        rests={"batch": (4, 5)},
        params={"axis": -1, "beta": 0.5, "keep": True, "block": (2, 3), "gains": (0.5, 1.5)},
        given=frozenset({"axis"}),
        tensors={"x": (TensorInfo((2, 3, 7), F32, 0.5, -3),), "g": (), "y": (TensorInfo(None, F32),)},
        types={"T": F32},
    )


GOOD = [
    ("1", 1),
    ("N * C + 1", 15),
    ("N-C", -5),
    ("7 / 2", 3),
    ("-7 / 2", -4),
    ("-7 // 2", -4),
    ("-7 % 3", 2),
    ("7.0 / 2", 3.5),
    ("1e-5", 1e-5),
    ("beta > 0", True),
    ("1 < N < 3", True),
    ("1 < N < 2", False),
    ("not keep", False),
    ("keep and N == 2 or false", True),
    ("keep == true", True),
    ("x.shape[-1]", 7),
    ("x.rank", 3),
    ("rank(x) - 1", 2),
    ("size(x)", 42),
    ("x.size", 42),
    ("x.scale", 0.5),
    ("x.offset", -3),
    ("x.dtype == float32", True),
    ("T == ufixed8", False),
    ("x.shape == [2, 3, 7]", True),
    ("[batch..., C]", (4, 5, 7)),
    ("[N, *batch]", (2, 4, 5)),
    ("block[0] * block[1]", 6),
    ("gains[1]", 1.5),
    ("present(g)", False),
    ("present(axis)", True),
    ("present(beta)", False),
    ("count(x)", 1),
    ("broadcast(x, [3, 1], [1])", (2, 3, 7)),
    ("reduce(x, axis, keep)", (2, 3, 1)),
    ("reduce(x, block, false)", None),
    ("reduce(x, [0, 1], false)", (7,)),
    ("reduce(x, [0, 1, 2], false)", (1,)),
    ("product(x.shape)", 42),
    ("concat(0, x)", (2, 3, 7)),
    ("min(N, C, 1)", 1),
    ("max(N, 2.5)", 2.5),
    ("abs(N - C)", 5),
    ("ceil_div(7, 2)", 4),
    ("round_up(C, 4)", 8),
    ("LINEAR", 3),
    ("N if keep else C", 2),
    ("  N  +  1 ", 3),
    ("(N + 1) * 2", 6),
    ("broadcast(x.shape,\n [1])", (2, 3, 7)),
    ("rank(block)", 1),
    ("size(block)", 2),
]


@pytest.mark.parametrize(("text", "value"), GOOD, ids=[text for text, _ in GOOD])
def test_value(text: str, value: object) -> None:
    expression, findings = read(text)
    assert not findings
    if value is None:
        with pytest.raises(EvaluationError):
            evaluate(expression.tree, env())
    else:
        result = evaluate(expression.tree, env())
        assert result == value
        assert type(result) is type(value)


# text, id, first column, end column (from 0), part of the message
BAD = [
    ("", "OPK160", 0, 1, "missing"),
    ("N +", "OPK160", 3, 4, "too early"),
    ("(N", "OPK160", 0, 1, "too early"),
    ("N N", "OPK160", 2, 3, "cannot read"),
    ("N && C", "OPK161", 2, 3, "'&'"),
    ("N ** 2", "OPK161", 0, 6, "power"),
    ("'a'", "OPK161", 0, 1, "'''"),
    ("lambda: N", "OPK161", 6, 7, "':'"),
    ("x.shape[0:1]", "OPK161", 9, 10, "':'"),
    ("(N, C)", "OPK161", 0, 6, "tuple"),
    ("N in [1]", "OPK161", 0, 8, "'in'"),
    ("+N", "OPK161", 0, 2, "'+'"),
    ("__import__", "OPK162", 0, 10, "__import__"),
    ("axes + 1", "OPK162", 0, 4, "'axes' is no input, output, param or dimension of Op"),
    ("1 + M", "OPK162", 4, 5, "'M'"),
    ("z.shape", "OPK162", 0, 1, "'z'"),
    ("N and C", "OPK163", 0, 1, "'and'"),
    ("x + 1", "OPK163", 0, 1, "'+' needs numbers"),
    ("x == g", "OPK163", 0, 1, "cannot be compared"),
    ("x.shape < [1]", "OPK163", 0, 7, "needs numbers"),
    ("keep == 1", "OPK163", 8, 9, "cannot compare bool with int"),
    ("beta // 2", "OPK163", 0, 9, "needs ints"),
    ("N if 1 else C", "OPK163", 5, 6, "condition"),
    ("N if keep else keep", "OPK163", 15, 19, "one branch is int"),
    ("x[0]", "OPK163", 0, 1, "elements"),
    ("x.shape[beta]", "OPK163", 8, 12, "index"),
    ("rank(N)", "OPK163", 5, 6, "name of a tensor"),
    ("rank(x.shape)", "OPK163", 5, 12, "name of a tensor"),
    ("broadcast(N, C)", "OPK163", 10, 11, "needs shape"),
    ("foo(N)", "OPK164", 0, 3, "no function 'foo'"),
    ("rank(x, g)", "OPK164", 0, 10, "takes 1 arguments, not 2"),
    ("min(1)", "OPK164", 0, 6, "2 to 16"),
    ("rank(t=x)", "OPK160", 0, 1, ""),
    ("x.shap", "OPK165", 0, 6, "no member 'shap'"),
    ("N.shape", "OPK165", 0, 7, "no tensor"),
    ("9223372036854775808", "OPK166", 0, 19, "64 bits"),
    ("1_000", "OPK166", 0, 5, "1_000"),
    ("N + 010", "OPK166", 4, 7, "010"),
    (".5", "OPK166", 0, 2, ".5"),
    ("5.", "OPK166", 0, 2, "5."),
    ("1j", "OPK166", 0, 2, "1j"),
    ("0x10", "OPK166", 0, 4, "0x10"),
    ("1e999", "OPK166", 0, 5, "float64"),
    ("1+" * 600 + "1", "OPK167", 0, 1, "1000 characters"),
    ("-" * 100 + "1", "OPK167", 49, 101, "deep"),
    ("(" * 300 + "1" + ")" * 300, "OPK167", 0, 1, "deep"),
    ("batch", "OPK169", 0, 5, "run of dimensions"),
    ("...", "OPK169", 0, 3, "list of dimensions"),
    ("[*batch, *batch]", "OPK169", 9, 15, "at most one"),
    ("[*N]", "OPK169", 1, 3, "no run"),
    ("[*x.shape]", "OPK169", 1, 9, "only a name"),
    ("N / 0", "OPK170", 4, 5, "division by zero"),
]


@pytest.mark.parametrize(("text", "id_", "start", "end", "part"), BAD, ids=[row[0][:20] or "empty" for row in BAD])
def test_finding(text: str, id_: str, start: int, end: int, part: str) -> None:
    _, findings = read(text)
    (finding,) = findings
    assert part in finding.message
    if text != "rank(t=x)":
        assert finding.id == id_
        assert (finding.span.line, finding.span.column - 5) == (3, start)
        assert finding.span.end_column - 5 == end


def test_wanted_type() -> None:
    _, findings = read("N + 1", (Type.BOOL,))
    assert findings[0].id == "OPK163"
    assert "must be of type bool, not int" in findings[0].message
    assert read("1", (Type.FLOAT,))[0].type is Type.INT


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("g.size > 2", ("g",)),
        ("present(g) and g.size > 2", ()),
        ("g.size > 2 and present(g)", ("g",)),
        ("not present(g) or g.shape == x.shape", ("x",)),
        ("g.rank if present(g) else x.rank", ("x",)),
        ("N == 1 and C == 2", ("N", "C")),
        ("(present(g) and present(x)) and g.rank == x.rank", ()),
        ("not (not present(g) or not present(x)) and g.rank == x.rank", ()),
    ],
)
def test_requirements(text: str, names: tuple[str, ...]) -> None:
    assert requirements(read(text)[0].tree) == names


def trees(type_: Type, depth: int) -> st.SearchStrategy[Tree]:
    """Well-typed trees."""
    if type_ is Type.INT:
        leaves: list[st.SearchStrategy[Tree]] = [
            st.integers(0, 99).map(Num),
            st.sampled_from([Name("N"), Name("C"), Name("axis"), Member("x", "rank"), Member("x", "offset")]),
        ]
    elif type_ is Type.FLOAT:
        leaves = [st.floats(0, 1e6).map(Num), st.sampled_from([Name("beta"), Member("x", "scale")])]
    else:
        leaves = [st.booleans().map(Truth), st.just(Name("keep"))]
    if depth == 0:
        return st.one_of(leaves)
    sub = {t: st.deferred(lambda t=t: trees(t, depth - 1)) for t in (Type.INT, Type.FLOAT, Type.BOOL)}
    same = sub[type_]
    more: list[st.SearchStrategy[Tree]] = [st.builds(Select, sub[Type.BOOL], same, same)]
    if type_ is Type.BOOL:
        more += [
            st.builds(Binary, st.sampled_from(["and", "or"]), same, same),
            st.builds(lambda a: Unary("not", a), same),
            st.builds(Binary, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), sub[Type.INT], sub[Type.INT]),
        ]
    else:
        ops = ["+", "-", "*", "/"] + (["//", "%"] if type_ is Type.INT else [])
        nonzero = same.filter(lambda t: not (isinstance(t, Num) and t.value == 0))
        more += [
            st.builds(Binary, st.sampled_from(ops), same, nonzero),
            st.builds(lambda a: Unary("-", a), same),
            st.builds(lambda f, a, b: Call(f, (a, b)), st.sampled_from(["min", "max"]), same, same),
        ]
    if type_ is Type.INT:
        more += [
            st.builds(lambda i: Item(Member("x", "shape"), i), same),
            st.builds(lambda i: Item(Name("block"), i), same),
            st.builds(lambda a, b: Call("product", (ShapeList((a, Rest("batch"), b)),)), same, same),
        ]
    return st.one_of(*leaves, *more)


class _Int(int):
    """An int whose `/` floors, as in the language."""


TYPED = st.sampled_from([Type.INT, Type.FLOAT, Type.BOOL]).flatmap(lambda t: trees(t, 3))


@settings(max_examples=400, deadline=None)
@given(TYPED)
def test_print_then_parse_is_the_same_tree(tree: Tree) -> None:
    text = to_text(tree)
    if len(text) > 1000:
        return
    expression, findings = read(text)
    assert not findings, (text, findings)
    assert expression.tree == tree


INTS = trees(Type.INT, 3)


@settings(max_examples=400, deadline=None)
@given(INTS, st.integers(1, 50), st.integers(-50, 50), st.integers(-3, 3))
def test_evaluate_agrees_with_python(tree: Tree, n: int, c: int, axis: int) -> None:
    names = env()
    names.dims.update(N=n, C=c)
    names.params["axis"] = axis
    text = to_text(tree).replace("true", "True").replace("false", "False")
    text = text.replace(" / ", " // ").replace("batch...", "*batch")
    scope: dict[str, Any] = {"N": n, "C": c, "axis": axis, "keep": True, "block": (2, 3), "batch": (4, 5)}
    scope["x"] = type("X", (), {"shape": (2, 3, 7), "rank": 3, "offset": -3})
    scope.update(min=min, max=max, product=lambda s: __import__("math").prod(s))
    try:
        wanted = eval(text, {"__builtins__": {}}, scope)
    except (ZeroDivisionError, IndexError):
        wanted = None
    if wanted is None:
        with pytest.raises(EvaluationError):
            evaluate(tree, names)
        return
    try:
        found = evaluate(tree, names)
    except EvaluationError as failure:
        fits = "64 bits" not in str(failure)
    else:
        fits = found == wanted
    assert fits or abs(wanted) >= 1 << 31


@settings(max_examples=1000, deadline=None)
@given(st.text(max_size=60) | st.text("NCx.[]()+-*/%<=>!,' 0123456789eandotrbh_\n", max_size=60))
@example("[" * 500)
@example("not " * 240 + "keep")
@example("1 if 1 else " * 80 + "1")
@example("x" + ".shape" * 150)
@example("N" + "[0]" * 300)
@example("0if 1else 2")
def test_any_text_is_read_or_found_fault_with(text: str) -> None:
    expression, findings = read(text)
    for finding in findings:
        assert finding.span.column >= 5
        assert finding.span.end_column > finding.span.column
    if expression is not None:
        with contextlib.suppress(EvaluationError, Unknown):
            evaluate(expression.tree, env())


def test_overflow_is_an_error() -> None:
    tree = read("9223372036854775807 + N")[0].tree
    with pytest.raises(EvaluationError, match="64 bits"):
        evaluate(tree, env())
