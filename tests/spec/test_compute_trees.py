"""Computations: what texts mean as trees, that trees print and read back, and that no text makes the reader raise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.catalog import entry
from opkg.spec.compute.check import read_checked
from opkg.spec.compute.printing import expression, text_of
from opkg.spec.compute.reader import read
from opkg.spec.compute.text import MAX_DEPTH
from opkg.spec.compute.tree import (
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    CompareOp,
    Compute,
    Const,
    Function,
    Input,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    children,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.model import Op
from opkg.spec.reader import read as read_spec
from opkg.spec.source_text import SourceText

SPEC = """\
opkg: 1
package: {name: acme.test}
ops:
  Op:
    types: {T: [float32, int32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, C]}
      b: {dtype: bool8, shape: [N, C]}
      w: {dtype: float32, shape: [C], optional: true}
    params:
      p: {dtype: float32, default: 1.5}
      k: {dtype: int32, default: 2}
      keep: {dtype: bool8, default: true}
    outputs:
      y: {dtype: float32, shape: x.shape}
"""


def op_of(spec: str = SPEC) -> Op:
    package, findings = read_spec(spec.encode(), "f.yaml")
    assert package is not None, findings
    return package.ops[0]


OP = op_of()
X, K = Input("x"), Param("k")


def tree_of(text: str) -> Node:
    compute, findings = read(SourceText("f.yaml", f"y = {text}"), OP)
    assert compute is not None, findings
    assert not findings
    return compute.statements[0].expr


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("-3 * x", Binary(BinaryOp.MUL, Const(-3), X)),
        ("-(x ** 2)", Unary(UnaryOp.NEG, Binary(BinaryOp.POW, X, Const(2)))),
        ("-x ** 2", Unary(UnaryOp.NEG, Binary(BinaryOp.POW, X, Const(2)))),
        ("~k & 255 | k << 2", Binary(
            BinaryOp.BIT_OR, Binary(BinaryOp.BIT_AND, Unary(UnaryOp.INVERT, K), Const(255)),
            Binary(BinaryOp.SHIFT_LEFT, K, Const(2)))),
        ("k ^ 3 >> k + 1", Binary(
            BinaryOp.BIT_XOR, K, Binary(BinaryOp.SHIFT_RIGHT, Const(3), Binary(BinaryOp.ADD, K, Const(1))))),
        ("pow(x, 2)", Binary(BinaryOp.POW, X, Const(2))),
        ("where(b, x, 0.0)", Select(Input("b"), X, Const(0.0))),
        ("x if b else 0", Select(Input("b"), X, Const(0))),
        ("1 if 0 < x <= k else 2", Select(
            Binary(BinaryOp.AND, Compare(CompareOp.LT, Const(0), X), Compare(CompareOp.LE, X, K)), Const(1), Const(2))),
        ("max(x, axis=-1)", Reduce(Reduction.MAX, X, (-1,), False)),
        ("max(x, k)", Call(Function.MAX, (X, K))),
        ("sum(x)", Reduce(Reduction.SUM, X, None, False)),
        ("mean(x, [0, 1], keepdims=keep)", Reduce(Reduction.MEAN, X, (0, 1), "keep")),
        ("prod(x, axis=k, keepdims=True)", Reduce(Reduction.PROD, X, "k", True)),
        ("cast(x, float16)", Cast(X, "float16")),
        ("w if present(w) else x", Select(Present("w"), Input("w"), X)),
        ("x if not present(w) else w", Select(Unary(UnaryOp.NOT, Present("w")), X, Input("w"))),
        ("1 if present(w) and w > 0 else 0", Select(
            Binary(BinaryOp.AND, Present("w"), Compare(CompareOp.GT, Input("w"), Const(0))), Const(1), Const(0))),
    ],
)  # fmt: skip
def test_text_is_this_tree(text: str, tree: Node) -> None:
    assert tree_of(text) == tree


@pytest.mark.parametrize(
    "text",
    [
        "x[..., C // 2:]", "x[..., :-(C // 2)]", "x[-C // 2:k, (N - k) * 2 % 3]", "x[C - (N - 1):, 1 - -k::k]",
        "x[..., x.shape[-2] // 2 - 1::-1]", "reshape(x, (-1, C // 2, k * N))", "pad(x, ((0, C % 2), (k + 1, 0)), 0)",
        "tile(x, (N, C + 1))",
    ],
)  # fmt: skip
def test_numbers_of_movements_read_back(text: str) -> None:
    assert expression(tree_of(text)) == text


def test_literals_are_calculated_and_dimensions_are_sizes() -> None:
    assert tree_of("x[: 7 // 2, -(2 * 3) :]") == tree_of("x[:3, -6:]")
    assert tree_of("x[:, C // 2 :]") == tree_of("x[:, x.shape[-1] // 2 :]") == tree_of("x[:, x.shape[1] // 2 :]")


def test_spans_are_those_of_the_file() -> None:
    spec = SPEC + "    compute: |\n      t = x * 2  # twice\n\n      y = t +\\\n        exp(x)\n"
    compute = op_of(spec).compute
    assert compute is not None
    first, second = compute.statements
    assert first.span[1:] == (17, 7, 17, 8)
    assert first.expr.span[1:] == (17, 11, 17, 16)
    assert second.span[1:] == (19, 7, 19, 8)
    assert isinstance(second.expr, Binary)
    assert second.expr.left == Assigned("t")
    assert second.expr.right.span[1:] == (20, 9, 20, 15)


@pytest.mark.parametrize("written", ['"y = x * 2"', "'y = x * 2'", "y = x * 2", "|-\n      y = x * 2"])
def test_every_scalar_style(written: str) -> None:
    spec = SPEC + f"    compute: {written}\n"
    compute = op_of(spec).compute
    assert compute is not None
    span = compute.statements[0].expr.span
    assert spec.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1] == "x * 2"


def test_types_hang_on_the_combination() -> None:
    op = op_of(SPEC + "    compute: t = floor(x) + k; y = t / 2 + sum(x, axis=0)\n")
    assert op.compute is not None
    found = [Types(op.compute, op, combination) for combination in op.combinations]
    assert [types.of_name("t") for types in found] == [Type.REAL, Type.INTEGER, Type.REAL]
    assert {types.of_name("y") for types in found} == {Type.REAL}
    reduction = children(op.compute.statements[1].expr)[1]
    assert [types[reduction] for types in found] == [Type.REAL, Type.INTEGER, Type.REAL]


@pytest.mark.parametrize(
    "text",
    [
        "y = x - mean(x, axis=1, keepdims=True)",
        "y = x / sum(x, axis=(0, -1), keepdims=True)",
        "y = sum(x)",
        "y = 1",
        "y = x * w if present(w) else x",
        "y = x - max(x, axis=k, keepdims=True)",
        "y = max(x, axis=1, keepdims=keep)",
        "t = exp(x - max(x, axis=-1, keepdims=True)); y = t / sum(t, axis=-1, keepdims=True)",
    ],
)
def test_shapes_that_fit_have_no_findings(text: str) -> None:
    compute, findings = read_checked(SourceText("f.yaml", text), OP)
    assert compute is not None
    assert findings == []


def test_dimensions_that_constraints_tie_may_differ() -> None:
    spec = SPEC.replace("shape: x.shape", "shape: [C, N]") + "    compute: y = x\n"
    assert read_spec(spec.encode(), "f")[1][0].id == "OPK148"
    assert op_of(spec + "    constraints: [N == C]\n").compute is not None


# Random trees: numbers and bools apart, so that what is drawn is typed, too.

CONSTS = st.one_of(st.integers(-(2**31), 2**31), st.floats(-1e30, 1e30).filter(lambda f: f != 0)).map(Const)
NUMBERS = st.one_of(CONSTS, st.sampled_from([X, Param("p"), K, Assigned("t")]))
BOOLS = st.one_of(st.booleans().map(Const), st.sampled_from([Input("b"), Param("keep"), Present("w")]))
UNARY = [f for f in Function if f not in (Function.MIN, Function.MAX, Function.CLIP)]
ARITHMETIC = [op for op in BinaryOp if op not in (BinaryOp.AND, BinaryOp.OR)]
ALONG = frozenset((Reduction.ARGMAX, Reduction.ARGMIN, Reduction.CUMSUM))  # one dimension
AXES = st.one_of(st.none(), st.just("k"), st.lists(st.integers(-3, 3), min_size=1, max_size=3, unique=True).map(tuple))
ONE: st.SearchStrategy[tuple[int, ...] | str | None] = st.sampled_from([None, (0,), (-1,), "k"])


def numbers(depth: int) -> st.SearchStrategy[Node]:
    if depth == 0:
        return NUMBERS
    inner, tests = numbers(depth - 1), bools(depth - 1)
    keep = st.one_of(st.booleans(), st.just("keep"))
    return st.one_of(
        NUMBERS,
        st.builds(Unary, st.just(UnaryOp.NEG), inner.filter(lambda node: not isinstance(node, Const))),
        st.builds(Unary, st.just(UnaryOp.INVERT), inner),
        st.builds(Binary, st.sampled_from(ARITHMETIC), inner, inner),
        st.builds(Select, tests, inner, inner),
        st.builds(Call, st.sampled_from(UNARY), st.tuples(inner)),
        st.builds(
            Call, st.sampled_from([Function.MIN, Function.MAX]), st.lists(inner, min_size=2, max_size=4).map(tuple)
        ),
        st.builds(Call, st.just(Function.CLIP), st.tuples(inner, inner, inner)),
        st.builds(Cast, st.one_of(inner, tests), st.sampled_from(["float32", "float16", "int8", "int32", "uint8"])),
        st.builds(Reduce, st.sampled_from(sorted(set(Reduction) - ALONG)), inner, AXES, keep),
        st.builds(
            Reduce,
            st.sampled_from([Reduction.ARGMAX, Reduction.ARGMIN]),
            inner,
            st.sampled_from([None, (0,), (-1,), "k"]),
            keep,
        ),
        st.builds(Reduce, st.just(Reduction.CUMSUM), inner, ONE.filter(bool)),
    )


def bools(depth: int) -> st.SearchStrategy[Node]:
    if depth == 0:
        return BOOLS
    inner, values = bools(depth - 1), numbers(depth - 1)
    return st.one_of(
        BOOLS,
        st.builds(Unary, st.just(UnaryOp.NOT), inner),
        st.builds(Binary, st.sampled_from([BinaryOp.AND, BinaryOp.OR]), inner, inner),
        st.builds(Compare, st.sampled_from(list(CompareOp)), values, values),
    )


@settings(max_examples=400, deadline=None)
@given(numbers(3))
def test_a_printed_tree_reads_back(tree: Node) -> None:
    wanted = Compute((Assign("t", X), Assign("y", tree)))
    text = text_of(wanted)
    compute, findings = read(SourceText("f.yaml", text), OP)
    assert compute is not None, (text, findings)
    assert compute == wanted, text
    assert text_of(compute) == text


@pytest.mark.parametrize(
    ("text", "at", "words", "hint"),
    [
        ("y = k & x", 9, "'&' needs integers, not real numbers", "cast"),
        ("y = b | b", 5, "'|' needs integers, not bools", "write 'or'"),
        ("y = ~b", 6, "'~' needs integers, not bools", "write 'not'"),
        ("y = k << -2", 10, "a shift by less than 0", "write >> 2"),
        ("y = k >> 1.5", 10, "'>>' needs integers, not real numbers", "cast"),
    ],
)
def test_bits_are_of_integers(text: str, at: int, words: str, hint: str) -> None:
    spec = SPEC.replace("T: [float32, int32, ufixed8]", "T: [float32]") + f"    compute: {text}\n"
    (finding,) = read_spec(spec.encode(), "f.yaml")[1]
    assert (finding.id, finding.span.line, finding.span.column) == ("OPK144", 16, 13 + at)
    assert words in finding.message
    assert hint in finding.hint


@pytest.mark.parametrize(
    ("types", "of", "number"),
    [
        ("uint8, int8", "uint8 with T=uint8", 255),
        ("int8, uint8", "uint8 with T=uint8", 255),
        ("int32, uint32", "uint32 with T=uint32", 4294967295),
        ("uint32", "uint32", 4294967295),
    ],
)
def test_inverted_bits_of_unsigned_elements(types: str, of: str, number: int) -> None:
    """Each combination counts, not the first one with integers alone: what is left of it ended lints with Fault."""
    spec = SPEC.replace("float32, int32, ufixed8", types).replace("y: {dtype: float32", "y: {dtype: T")
    (finding,) = read_spec((spec + "    compute: y = ~x\n").encode(), "f.yaml")[1]
    assert (finding.id, finding.is_error) == ("OPK144", True)
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (16, 18, 20)
    assert finding.message == f"'y' is {of}, and ~x is -x - 1, which it holds as 0"
    assert finding.hint == f"write ~x & {number}" + (", in an op of its own" if "," in types else "")


def test_inverted_bits_of_signed_elements() -> None:
    spec = SPEC.replace("float32, int32, ufixed8", "int8, int32").replace("y: {dtype: float32", "y: {dtype: T")
    assert {found.id for found in read_spec((spec + "    compute: y = ~x\n").encode(), "f.yaml")[1]} == {"OPK199"}


def test_brackets_only_where_they_count() -> None:
    for text in ("x - (k - p)", "(x - k) - p", "(-x) ** 2", "x ** -k ** 2", "(x ** k) ** p", "not (b and keep) or b"):
        wanted = text.replace("(x - k) - p", "x - k - p")
        assert expression(tree_of(text if "not" not in text else f"1 if {text} else 2")).endswith(
            wanted if "not" not in text else f"1 if {wanted} else 2"
        )


def height(tree: Node) -> int:
    return 1 + max(map(height, children(tree)), default=0)


@pytest.mark.parametrize("chain", [" and b", " < x", " + x"])
@pytest.mark.parametrize("levels", [1, 5, 20, 30, 60])
@pytest.mark.parametrize("length", [1, 2, 5, 30])
def test_no_tree_is_deeper_than_the_limit(chain: str, levels: int, length: int) -> None:
    """Chains inside chains: the limit is on the tree, which is what everything after the reader walks."""
    text = "b" if "and" in chain else "x"
    for _ in range(levels):
        text = f"({text}{chain * length})"
    compute, findings = read(SourceText("f.yaml", f"y = {text}"), OP)
    if compute is None:
        assert [finding.id for finding in findings] == ["OPK140"]
        assert levels * length > 30
    else:
        assert height(compute.statements[0].expr) <= MAX_DEPTH + 1
        assert levels * length <= 2 * MAX_DEPTH


TOKENS = ["y", "x", "=", " ", "\n", ";", "(", ")", "[", "]", "{", "}", ",", ".", ":", ":=", "**", "-", "+", "not ", "if ",
          " else ", "lambda ", "for ", " in ", "sum", "cast", "present", "w", "axis=", "keepdims=", "1", "0x", "1e999", "9" * 30,
          "'", '"', "f'", "\\", "#", "é", "\0", "\t", "\r", "\f", "\u2028", "def ", "class", "async ", "await ", "yield",
          "import ", "*", "@", "...", "None", "True", "int32", "=="]  # fmt: skip


@settings(max_examples=1500, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(TOKENS), max_size=25).map("".join)))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    compute, findings = read_checked(SourceText("f.yaml", text), OP)
    assert (compute is None) == any(finding.is_error for finding in findings)
    lines = text.split("\n")
    for finding in findings:
        assert finding.id.startswith("OPK14")
        assert 1 <= finding.span.line <= len(lines)
        assert 1 <= finding.span.column <= len(lines[finding.span.line - 1]) + 1


@pytest.mark.parametrize(
    "text",
    ["y = " + "(" * 3900 + ")", "y = " + "-" * 7000 + "x", "y = " + "not " * 1900 + "x", "y = x" + "+x" * 3900,
     "y = " + "x if x else " * 650 + "x", "y = " + "exp(" * 1900, "y = x" + "[0]" * 2000, "y = x" + ".a" * 3000,
     "y = " + "x**" * 2000 + "x", "y = x" + "<x" * 3900, ";".join(f"t{i}=x" for i in range(900)), "y = " + "9" * 7990],
)  # fmt: skip
def test_excess_is_a_finding(text: str) -> None:
    compute, findings = read_checked(SourceText("f.yaml", text), OP)
    assert compute is None
    assert {finding.id for finding in findings} <= {"OPK140", "OPK141", "OPK142"}


def test_specs_without_a_computation_do_not_load_it(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(SPEC)
    code = (
        "import sys; from opkg.spec.reader import read_file\n"
        f"assert read_file({str(path)!r})[0]\n"
        "assert 'ast' in sys.modules and not [n for n in sys.modules if n.startswith('opkg.spec.compute')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("id_", [f"OPK14{digit}" for digit in range(10)])
def test_examples_of_the_catalog_are_what_they_claim(id_: str) -> None:
    found = entry(id_)
    assert found is not None
    for text, ids in ((found.wrong, {id_}), (found.right, set())):
        compute = text.partition("compute: ")[2].replace("bias", "w")
        _, findings = read_checked(SourceText("f.yaml", compute), OP)
        assert {finding.id for finding in findings} == ids, compute
