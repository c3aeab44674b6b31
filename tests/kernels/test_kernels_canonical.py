"""The canonical form: what becomes of texts, and that random graphs keep their values bit for bit."""

from __future__ import annotations

import math
import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_graphs import SPECIAL, _power, evaluate, graph_of, ops_of, random_graph, random_values, same

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import Graph


def simple(body: str, finite: frozenset[str] = frozenset(), present: frozenset[str] = frozenset()) -> Graph:
    return canonical(graph_of(body, present), finite)


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("out = x * y + x * y", ["mul", "add"]),
        ("t = x * y\nunused = exp(x)\nout = t + y", ["mul", "add"]),
        ("out = x + (2 * 3 - 1)", ["add"]),
        ("out = x * (p + 1) + (1 + p)", ["add", "mul", "add"]),
        ("out = x ** 2", ["mul"]),
        ("out = x ** 3", ["mul", "mul"]),
        ("out = x ** 4", ["mul", "mul"]),
        ("out = x ** 1 + y ** 0", ["add"]),
        ("out = x ** -1", ["div"]),
        ("out = abs(x) ** 0.5", ["abs", "sqrt"]),
        ("out = (x * x + 0.001) ** -0.5", ["mul", "add", "rsqrt"]),
        ("out = x ** 0.5", ["sqrt"]),
        ("out = x ** -0.5", ["pow"]),  # (-inf) ** -0.5 is 0, its inverse root NaN
        ("out = max(x, 0) ** -0.5", ["max", "pow"]),
        ("out = x - 0.0", []),
        ("out = x + 0.0", ["add"]),  # -0.0 + 0.0 is 0.0
        ("out = x + -0.0", []),
        ("out = i + 0", []),
        ("out = 1 * x / 1", []),
        ("out = x * 0", ["mul"]),  # NaN and infinities
        ("out = i * 0", []),
        ("out = x / 4", ["mul"]),
        ("out = x / 3", ["div"]),
        ("out = - -x", []),
        ("out = x - -y", ["add"]),
        ("out = -x + y", ["sub"]),
        ("out = -1 * x", ["neg"]),
        ("out = 1 if not not b else 0", ["select"]),
        ("out = 1 if not b else 0", ["select"]),
        ("out = 1 if not x == y else 0", ["ne", "select"]),
        ("out = 1 if not x < y else 0", ["lt", "select"]),
        ("out = 1 if not i < k else 0", ["ge", "select"]),
        ("out = max(x, x)", []),
        ("out = clip(clip(x, 0, 6), 1, 9)", ["max", "min"]),
        ("out = max(min(x, 6), 0)", ["max", "min"]),
        ("out = min(min(x, 6), 4)", ["min"]),
        ("out = x if 2 > 1 else y", []),
        ("out = 1 if 0 < x else 2", ["gt", "select"]),
        ("out = x if b and True else y", ["select"]),
        ("out = abs(abs(-x))", ["abs"]),
        ("out = floor(round(x))", ["round"]),
        ("out = round(clip(x / p, -8, 7)) * p", ["div", "round", "max", "min", "mul"]),
        ("out = floor(max(x, p))", ["floor", "floor", "max"]),
        ("out = cast(cast(x, float16), float32)", ["cast"]),
        ("out = sum(x if 2 > 1 else y)", ["select", "reduce_sum"]),  # the sum counts the broadcast of both
        ("out = x * max(p, axis=None) + sum(3.0)", ["mul", "add"]),
    ],
)
def test_a_text_becomes_these_operations(body: str, ops: list[str]) -> None:
    assert ops_of(simple(body)) == ops


@pytest.mark.parametrize(
    ("body", "finite", "ops"),
    [
        ("out = i if i > 0 else 0", "", ["max"]),
        ("out = 0 if i < 0 else i", "", ["max"]),
        ("out = 3 if i >= 3 else i", "", ["min"]),
        ("out = x if x > 0 else 0", "", ["gt", "select"]),  # NaN gives 0
        ("out = x if x > 0 else 0", "x", ["max"]),
        ("out = 6 if x > 6 else x", "", ["min"]),  # NaN stays
        ("out = 0 if x < 0 else x", "", ["lt", "select"]),  # -0.0 stays
        ("out = x + 1 if x + 1 <= y * y else y * y", "xy", ["add", "mul", "le", "select"]),
        ("out = x if x <= y else y", "xy", ["min"]),
        ("out = exp(x) if exp(x) > 2 else 2", "x", ["exp", "gt", "select"]),
    ],
)
def test_a_choice_of_the_larger_is_max(body: str, finite: str, ops: list[str]) -> None:
    assert ops_of(simple(body, frozenset(finite))) == ops


def test_quantized_tensors_have_no_minus_zero() -> None:
    assert ops_of(simple("out = (x + 0) ** -0.5", frozenset("x"))) == ["rsqrt"]


def test_clips_are_in_one_form() -> None:
    graph = simple("out = max(min(clip(x, -1, 7), 6), 0)")
    assert ops_of(graph) == ["max", "min"]
    assert {node.value for node in graph.nodes if node.op == "const"} == {0.0, 6.0}
    assert graph[graph.results[0].node].op == "min"


def test_constants_are_last_and_real() -> None:
    graph = simple("out = 3 * x")
    node = graph[graph.results[0].node]
    assert [graph[arg].op for arg in node.args] == ["input", "const"]
    assert graph[node.args[1]].value == 3.0
    assert type(graph[node.args[1]].value) is float


def test_names_of_temporaries_stay() -> None:
    graph = simple("gate = x * y\nout = gate + gate * 1")
    assert [(node.op, node.origin) for node in graph.nodes if node.args] == [("mul", "gate"), ("add", "out")]


def test_integers_wrap_and_round_down() -> None:
    def value(text: str) -> object:
        graph = simple(f"out = i + ({text})")
        return [node.value for node in graph.nodes if node.op == "const"]

    assert value("-7 // 2") == [-4]
    assert value("-7 % 3") == [2]
    assert value("(7 - 7) // (3 - 3) + 5") == [5]
    assert value("9223372036854775807 + 1") == [-(2**63)]
    assert value("cast(300.7, int8)") == [127]
    assert value("cast(2.5, int8)") == [2]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 25), st.booleans())
def test_random_graphs_keep_their_values(seed: int, size: int, reductions: bool) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng, size, reductions)
    finite = frozenset(name for name in "xy" if rng.random() < 0.3)
    after = canonical(graph, finite)
    for _ in range(3):
        values = random_values(rng)
        for name in finite:
            values[name] = np.nan_to_num(values[name], nan=0.5, posinf=1e40, neginf=-1e40).clip(-1e48, 1e48) + 0.0
        before_values, after_values = evaluate(graph, values), evaluate(after, values)
        for name, value in before_values.items():
            assert same(value, after_values[name]), (name, value, after_values[name], graph, after)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_canonical_graphs_are_canonical(seed: int, size: int) -> None:
    graph = canonical(random_graph(random.Random(seed), size, reductions=True))
    assert canonical(graph) == graph
    used = {arg for node in graph.nodes for arg in node.args} | {result.node for result in graph.results}
    assert used == set(range(len(graph)))
    for at, node in enumerate(graph.nodes):
        assert all(arg < at for arg in node.args)
        if node.args:
            assert node.uniform == all(graph[arg].uniform for arg in node.args)


def test_small_powers_are_numpys() -> None:
    """The model of `**` that the random graphs are held against."""
    x = np.array([*SPECIAL, *np.linspace(-5, 5, 101)])
    with np.errstate(all="ignore"):
        for exponent in (-1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 1.7):
            mine, theirs = _power(x, np.full_like(x, exponent)), np.power(x, exponent)
            same_sign = np.isnan(theirs) | (np.signbit(mine) == np.signbit(theirs))
            assert np.allclose(mine, theirs, rtol=1e-15, atol=0, equal_nan=True), exponent
            assert same_sign.all(), exponent


def test_deep_and_long_texts() -> None:
    deep = "x"
    for _ in range(62):
        deep = f"max({deep}, 1.5)"
    assert ops_of(simple(f"out = {deep}")) == ["max"]
    lines = ["t0 = x"] + [f"t{n + 1} = t{n} * 1.5 + y" for n in range(150)]
    limit = sys.getrecursionlimit()
    graph = simple("\n".join([*lines, "out = t150"]))
    assert ops_of(graph) == ["mul", "add"] * 150
    assert sys.getrecursionlimit() == limit


def test_what_is_not_finite_is_not_folded() -> None:
    graph = simple("out = x + exp(1e3) + 1e200 * 1e200")
    assert all(math.isfinite(node.value) for node in graph.nodes if isinstance(node.value, float))
