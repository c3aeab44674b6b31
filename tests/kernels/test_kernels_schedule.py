"""Loops: which dimensions are one loop, main part and tail, what runs before them; numpy walks them as they are said."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels_graphs import evaluate, graph_of

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.shapes import Dims
from opkg.kernels.linear.memory import linear
from opkg.kernels.linear.schedule import Main, Schedule, collapse, inner_loop, schedule


@pytest.mark.parametrize(
    ("length", "main", "steps", "tail"),
    [
        (1, Main.NONE, 0, 1), (127, Main.NONE, 0, 127), (128, Main.STRAIGHT, 1, 0), (129, Main.STRAIGHT, 1, 1),
        (256, Main.LOOP, 2, 0), (4096 + 37, Main.LOOP, 32, 37),
    ],
)  # fmt: skip
def test_main_part_and_tail(length: int, main: Main, steps: int, tail: int) -> None:
    inner = inner_loop(length, 128)
    assert (inner.main, inner.steps, inner.tail) == (main, steps, tail)


@given(st.integers(0, 5000), st.sampled_from([32, 64, 128]))
def test_every_element_is_done_once(length: int, lanes: int) -> None:
    inner = inner_loop(length, lanes)
    assert inner.steps is not None
    assert inner.tail is not None
    assert inner.steps * lanes + inner.tail == length
    assert (inner.tail > 0) == (length % lanes != 0)
    assert (inner.main is Main.NONE) == (length < lanes)


def loops(body: str, **shapes: Dims) -> Schedule:
    return schedule(linear(canonical(graph_of(body)), shapes), 128)


def test_equal_shapes_are_one_loop() -> None:
    found = loops("out = x + y", x=(2, 8, 16, 16), y=(2, 8, 16, 16), out=(2, 8, 16, 16))
    assert (found.outer, found.inner.length) == ((), 4096)


def test_a_middle_broadcast_stops_collapsing() -> None:
    found = loops("out = x + y", x=(2, 8, 16, 32), y=(2, 1, 16, 32), out=(2, 8, 16, 32))
    assert (found.outer, found.inner.length) == ((2, 8), 512)
    assert [access.advances for access in found.accesses] == [(True,) * 3, (True, False, True), (True,) * 3]


def test_a_broadcast_of_rows_and_of_elements() -> None:
    rows = loops("out = x + y", x=(2, 8, 32), y=(32,), out=(2, 8, 32))
    assert (rows.outer, rows.inner.length) == ((16,), 32)
    numbers = loops("out = x + y", x=(2, 8, 32), y=(2, 8, 1), out=(2, 8, 32))
    assert (numbers.outer, numbers.inner.length) == ((16,), 32)
    assert [access.advances for access in numbers.accesses] == [(True, True), (True, False), (True, True)]


def test_what_is_the_same_in_a_row_runs_before_it() -> None:
    found = linear(canonical(graph_of("out = x * exp(y) + p")), {"x": (4, 128), "y": (4, 1), "out": (4, 128)})
    (only,) = schedule(found, 128).passes
    assert sorted(found.steps[at].op for at in only.before) == ["broadcast_move", "exp", "load", "scalar"]
    assert [found.steps[at].op for at in only.body] == ["load", "mul", "add", "store"]


def test_names_of_dimensions() -> None:
    found = loops("out = x * y", x=("*batch", "C"), y=("C",), out=("*batch", "C"))
    assert (found.outer, found.inner.length, found.inner.tail) == (("*batch",), "C", None)
    assert str(found.inner) == "C // 128 steps of 128 elements, a masked tail of C % 128"
    assert loops("out = x * y", x=("N", "C"), y=("N", "C"), out=("N", "C")).inner.length == "N*C"


def test_softmax_walks_three_times() -> None:
    body = "e = exp(x - max(x, -1, keepdims=True))\nout = e / sum(e, -1, keepdims=True)"
    code = linear(canonical(graph_of(body)), {"x": (4, 100), "out": (4, 100)})
    found = schedule(code, 128)
    assert [[code.steps[at].op for at in walk.body] for walk in found.passes] == [
        ["load", "reduce_max"], ["sub", "exp", "reduce_sum"], ["div", "store"],
    ]  # fmt: skip
    assert sum(access.tensor == "x" for access in found.accesses) == 1


def test_a_reduced_result_is_stored_once_a_row() -> None:
    graph = canonical(graph_of("out = sum(x * x, -1, keepdims=True)", shape="[N, 1]"))
    code = linear(graph, {"x": (4, 100), "out": (4, 1)})
    walks = schedule(code, 32).passes
    assert [code.steps[at].op for at in walks[0].body] == ["load", "mul", "reduce_sum"]
    assert [code.steps[at].op for at in walks[1].before] == ["store"]
    assert walks[1].body == ()


def test_outputs_of_several_shapes_have_one_domain() -> None:
    graph = canonical(graph_of("out = x * y"))
    assert schedule(linear(graph, {"x": (3, 1), "y": (1, 5), "out": (3, 5)}), 32).domain == (3, 5)


SHAPES = st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=4)


@given(SHAPES, st.lists(st.integers(0, 15), min_size=1, max_size=3))
def test_loops_reach_every_element(domain: list[int], masks: list[int]) -> None:
    """Walking the loops with the strides that `advances` says reads what numpy's broadcast reads."""
    shapes: list[tuple[int, ...]] = [
        tuple(1 if mask >> place & 1 else dim for place, dim in enumerate(domain)) for mask in masks
    ]
    extents, groups = collapse(tuple(domain), shapes)
    assert [dim for group in groups for dim in group] == [n for n, dim in enumerate(domain) if dim != 1]
    for shape in shapes:
        data = np.arange(np.prod(shape)).reshape(shape)
        has = [all(shape[place] != 1 for place in group) for group in groups]
        assert has == [any(shape[place] != 1 for place in group) for group in groups]
        walked = []
        for position in itertools.product(*(range(int(extent)) for extent in extents)):
            offset, stride = 0, 1
            for extent, at, advances in reversed(list(zip(extents, position, has, strict=True))):
                offset += at * stride if advances else 0
                stride *= int(extent) if advances else 1
            walked.append(data.reshape(-1)[offset])
        assert walked == np.broadcast_to(data, domain).reshape(-1).tolist()


@given(st.sampled_from(["x + y", "x * exp(y)", "exp(x) * y - y", "max(x, y) + exp(y) * p"]), st.data())
def test_linear_code_computes_the_graph(text: str, data: st.DataObject) -> None:
    """The steps, carried out on whole tensors in their order, give the value of the graph."""
    shapes = [data.draw(st.sampled_from([(2, 3, 4), (2, 3, 1), (1, 3, 4), (4,), (1,)])) for _ in "xy"]
    whole = np.broadcast_shapes(*shapes)
    graph = canonical(graph_of(f"out = {text}"))
    rng = np.random.default_rng(0)
    values = {"x": rng.normal(size=shapes[0]), "y": rng.normal(size=shapes[1]), "p": np.asarray(0.5)}
    code = linear(graph, {"x": shapes[0], "y": shapes[1], "out": whole})
    functions = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max": np.maximum, "exp": np.exp}
    found: list[np.ndarray] = []
    for step in code.steps:
        args = [found[arg] for arg in step.args]
        if step.op == "scalar":
            found.append(values[graph[step.node].name])
        elif step.op in ("load", "broadcast_load"):
            found.append(np.broadcast_to(values[step.tensor], step.shape))
        elif step.op in ("broadcast_move", "store"):
            found.append(np.broadcast_to(args[0], step.shape))
        else:
            found.append(functions[step.op](*args))
        assert found[-1].shape == step.shape
    assert np.array_equal(found[-1], np.broadcast_to(evaluate(graph, values, reference=True)["out"], whole))


def test_a_reduced_dimension_is_a_loop_of_its_own() -> None:
    for text in ("x - max(x, -1, keepdims=True)", "x - max(x, 1, keepdims=True)"):
        found = loops(f"out = {text}", x=(4, 100), out=(4, 100))
        assert (found.outer, found.inner.length) == ((4,), 100)
    everything = loops("out = x - max(x, axis=None)", x=(4, 100), out=(4, 100))
    assert (everything.outer, everything.inner.length) == ((), 400)
