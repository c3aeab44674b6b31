"""From texts to graphs: what nodes they get, presence, snippets, and that values are the reference's."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_graphs import evaluate, graph_of, op_of, ops_of, random_values

from opkg.kernels.graphs.build import AbsentInput, build
from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.snippet import Storage
from opkg.kernels.snippets import make_snippet, read_inputs, storage_of
from opkg.spec.compute.tree import (
    BITWISE,
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
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Kernel, Op
from opkg.spec.reader import read
from opkg.verify.meaning.compute import evaluate as reference


def test_operations_in_the_order_of_the_text() -> None:
    graph = graph_of("t = x * 2\nout = clip(t, 0, p) + min(x, y, 3)")
    assert ops_of(graph) == ["mul", "max", "min", "min", "min", "add"]
    assert graph.inputs == ("x", "y")
    assert [node.origin for node in graph.nodes if node.args] == ["t", "", "", "", "", "out"]
    assert graph[graph.results[0].node].op == "add"


def test_unused_temporaries_are_left_out_and_leaves_are_one_node() -> None:
    graph = graph_of("t = exp(x)\nout = x + x * 2 + 2")
    assert [node.op for node in graph.nodes].count("input") == 1
    assert [node.op for node in graph.nodes].count("const") == 1
    assert "exp" not in ops_of(graph)


def test_what_is_one_number_for_a_call_is_uniform() -> None:
    graph = graph_of("out = x * (p + 1) + (1 if flag else 0)")
    uniform = [(node.op, node.uniform) for node in graph.nodes if node.args]
    assert uniform == [("add", True), ("mul", False), ("select", True), ("add", False)]


def test_rounding_of_integers_is_nothing() -> None:
    assert ops_of(graph_of("out = floor(i) + round(x)")) == ["round", "add"]
    types = {node.op: node.type for node in graph_of("out = (i + k) / 2 + i ** 2").nodes}
    assert (types["div"], types["pow"]) == (Type.REAL, Type.INTEGER)


@pytest.mark.parametrize(
    ("body", "without", "given"),
    [
        ("out = x * w if present(w) else x", [], ["mul"]),
        ("out = x if not present(w) else x + w", [], ["add"]),
        ("out = x if present(w) and w > 0 else y", [], ["gt", "select"]),
        ("out = x if not present(w) or w > 0 else y", [], ["gt", "select"]),
        ("out = 1 if (not present(w)) == True else 2", [], []),
        ("out = x if present(w) and flag else y", [], ["select"]),
        ("out = x if flag and present(w) else y", [], ["select"]),
        ("out = x if present(w) or flag else y", ["select"], []),
    ],
)
def test_presence_is_decided(body: str, without: list[str], given: list[str]) -> None:
    assert ops_of(graph_of(body)) == without
    assert ops_of(graph_of(body, frozenset("w"))) == given


def test_an_absent_input_that_is_read() -> None:
    compute = Compute((Assign("out", Binary(BinaryOp.ADD, Input("x"), Input("w"))),))
    with pytest.raises(AbsentInput, match="'w' is absent"):
        build(_with(compute), op_of("out = x").combinations[0], frozenset())


def _with(compute: Compute) -> Op:
    from dataclasses import replace

    return replace(op_of("out = x"), compute=compute)


# Random trees against the reference


class _Trees:
    """Random well-typed trees."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def number(self, depth: int, whole: bool = False) -> Node:
        pick = self.rng.choice
        if depth == 0 or self.rng.random() < 0.1:
            leaves: list[Node] = [Input("i"), Param("k"), Const(pick([0, 1, 2, -3]))]
            if not whole:
                leaves += [Input("x"), Input("y"), Input("x"), Param("p"), Assigned("t"), Const(pick([0.5, -1.5]))]
            return pick(leaves)
        kind = pick(["neg", "binary", "binary", "select", "call", "fold", "clip", "cast", "reduce"])
        one = self.number(depth - 1, whole)
        if kind == "neg":
            return Unary(UnaryOp.NEG, one)
        if kind == "binary":
            ops = [BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.FLOOR_DIV, BinaryOp.MOD]
            ops += [*BITWISE] if whole else [BinaryOp.DIV, BinaryOp.POW]
            other = self.number(depth - 1, whole)
            op = pick(sorted(ops))
            if op in (BinaryOp.SHIFT_LEFT, BinaryOp.SHIFT_RIGHT):
                other = pick([Input("i"), Param("k"), Const(5)])
            divides = op in (BinaryOp.DIV, BinaryOp.FLOOR_DIV, BinaryOp.MOD)  # by a number 0 is an error of the text
            return Binary(op, one, Input("i") if divides and isinstance(other, Const) else other)
        if kind == "select":
            return Select(self.truth(depth - 1), one, self.number(depth - 1, whole))
        if kind == "call":
            same = [Function.ABS, Function.SIGN, Function.FLOOR, Function.ROUND, Function.CEIL, Function.TRUNC]
            real = [Function.EXP, Function.LOG, Function.SQRT, Function.RSQRT, Function.ERF, Function.SIGMOID]
            return Call(pick(same if whole else same + real), (one,))
        if kind == "fold":
            more = [self.number(depth - 1, whole) for _ in range(pick([1, 2]))]
            return Call(pick([Function.MIN, Function.MAX]), (one, *more))
        if kind == "clip":
            return Call(Function.CLIP, (one, self.number(0, whole), self.number(0, whole)))
        if kind == "cast":
            return Cast(one, pick(["int8", "int32", "uint16"] if whole else ["int16", "float16", "float32"]))
        ops_ = [Reduction.SUM, Reduction.MIN, Reduction.MAX, Reduction.PROD] + ([] if whole else [Reduction.MEAN])
        return Reduce(pick(ops_), Binary(BinaryOp.ADD, one, Input("i")), pick([(-1,), (0,), (0, 1)]), True)

    def truth(self, depth: int) -> Node:
        pick = self.rng.choice
        if depth == 0:
            return pick([Input("b"), Param("flag"), Const(True)])
        if pick([True, False]):
            return Compare(pick(list(CompareOp)), self.number(depth - 1), self.number(depth - 1))
        if pick([True, False]):
            return Unary(UnaryOp.NOT, self.truth(depth - 1))
        return Binary(pick([BinaryOp.AND, BinaryOp.OR]), self.truth(depth - 1), self.truth(depth - 1))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_values_are_the_references(seed: int, depth: int) -> None:
    rng = random.Random(seed)
    trees = _Trees(rng)
    t = Assign("t", Call(Function.ABS, (Input("x"),)))
    compute = Compute((t, Assign("out", trees.number(depth))))
    op = _with(compute)
    graph = build(op, op.combinations[0], frozenset())
    values = random_values(rng)
    values = {name: value.reshape(3, 4) if value.ndim else value for name, value in values.items()}
    expected = _reference(op, values)
    got = evaluate(graph, values, reference=True)["out"]
    assert np.array_equal(np.float64(expected), np.float64(got), equal_nan=True)


def _reference(op: Op, values: dict[str, Any]) -> Any:
    assert op.compute is not None
    return reference(op.compute, values, op.combinations[0], exact=False)["out"]


# Snippets

NORM = """\
opkg: 1
package: {name: acme.test}
ops:
  Norm:
    types: {T: [ufixed8, sfixed8, int16, float32]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
      gamma: {dtype: T, shape: [C]}
      beta: {dtype: float32, shape: [C], optional: true}
      unused: {dtype: T, shape: [C]}
    params:
      epsilon: {dtype: float32, default: 0.001, range: 0 .. 1}
      table: {dtype: float32, shape: [4], default: [1, 2, 3, 4]}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: |
      n = x * gamma + epsilon
      y = cast(n + beta if present(beta) else n, T)
"""


def _snippet(number: int, moved: bool, *present: str, text: str = NORM) -> Any:
    package, findings = read(text.replace("cast(n + beta if present(beta) else n, T)",
                                          "n + beta if present(beta) else n").encode(), "f.yaml")  # fmt: skip
    assert package is not None, [str(finding) for finding in findings]
    op = package.ops[0]
    elements = {tensor.name: "uint8_t" for tensor in op.tensors} | {"table": "float"}
    kernel = Kernel(op.combinations[number], "norm_u8", "", multithreaded=True)
    return make_snippet(op, kernel, "NormArgs", elements, moved, present)


def _spec(types: str) -> str:
    return NORM.replace("[ufixed8, sfixed8, int16, float32]", types)


def test_a_snippet_knows_its_tensors() -> None:
    snippet = _snippet(0, True, "beta", text=_spec("[ufixed8, sfixed8]"))
    assert [(o.name, o.storage, o.may_broadcast, o.optional) for o in snippet.inputs] == [
        ("x", Storage.U8, False, False), ("gamma", Storage.U8, True, False), ("beta", Storage.F32, True, True),
    ]  # fmt: skip
    assert [(s.name, s.low, s.high) for s in snippet.params] == [("epsilon", 0, 1)]
    assert snippet.slice_field == "slice"
    assert snippet.struct == "NormU8Rows"


def test_an_absent_input_names_the_struct_and_is_not_read() -> None:
    snippet = _snippet(0, True, text=_spec("[ufixed8, sfixed8]"))
    assert snippet.struct == "NormU8WithoutBetaRows"
    assert [o.name for o in read_inputs(snippet)] == ["x", "gamma"]


@pytest.mark.parametrize(
    ("dtype", "moved", "storage", "bias"),
    [
        ("int8", True, Storage.U8, 128), ("int8", False, Storage.S8, 0), ("int16", True, Storage.U16, 32768),
        ("sfixed8", True, Storage.U8, 0), ("sfixed16", False, Storage.S16, 0), ("sfixed32", True, Storage.S32, 0),
        ("bool8", True, Storage.U8, 0), ("int32", True, Storage.S32, 0), ("float16", True, Storage.F16, 0),
        ("uint64", True, Storage.U64, 0), ("ufixed4", False, Storage.U8, 0),
    ],
)  # fmt: skip
def test_storage(dtype: str, moved: bool, storage: Storage, bias: int) -> None:
    assert storage_of(DTYPES[dtype], moved) == (storage, bias)


@pytest.mark.parametrize(
    ("shapes", "compute", "broadcasts"),
    [
        ("a: {dtype: float32, rank: 1..5}, b: {dtype: float32, rank: 1..5}|broadcast(a, b)", "y = a + b", {"a", "b"}),
        ("a: {dtype: float32, shape: [N, C]}, b: {dtype: float32, shape: [C]}|broadcast(a, b)", "y = a + b", {"b"}),
        ("a: {dtype: float32, shape: [N, C]}, b: {dtype: float32, shape: [N, C]}|[N, C]", "y = a + b", set()),
        ("a: {dtype: float32, shape: [N, C]}, b: {dtype: float32, shape: [1, C]}|a.shape", "y = a + b", {"b"}),
        ("a: {dtype: float32, shape: [N, C]}, b: {dtype: float32, shape: [C]}|[N, 1]",
         "y = sum(a * b, -1, keepdims=True)", {"b"}),
        ("a: {dtype: float32, rank: 1..4}|[1]", "y = max(a, axis=None)", set()),
    ],
)  # fmt: skip
def test_which_inputs_may_broadcast(shapes: str, compute: str, broadcasts: set[str]) -> None:
    inputs, output = shapes.split("|")
    text = (
        "opkg: 1\npackage: {name: acme.test}\nops:\n  Op:\n"
        f"    inputs: {{{inputs}}}\n    outputs: {{y: {{dtype: float32, shape: '{output}'}}}}\n    compute: {compute}\n"
    )
    package, findings = read(text.encode(), "f.yaml")
    assert package is not None, [str(finding) for finding in findings]
    op = package.ops[0]
    snippet = make_snippet(
        op, Kernel(op.combinations[0], "f", ""), "A", {t.name: "float" for t in op.tensors}, True, ()
    )
    assert {o.name for o in snippet.inputs if o.may_broadcast} == broadcasts
    assert canonical(snippet.graph) == snippet.graph
