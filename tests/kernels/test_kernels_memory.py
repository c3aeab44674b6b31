"""Memory operations written out, shapes with names, layout classes."""

from __future__ import annotations

import pytest
from kernels_graphs import graph_of

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.classify import LayoutClass, classify_nodes
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.graphs.shapes import Dims, ShapeError, broadcast, shapes_of
from opkg.kernels.linear.memory import Linear, linear

WHOLE: Dims = (1, 42, 17, 31)


def code(body: str, **shapes: Dims) -> Linear:
    tensors = {"x": WHOLE, "y": WHOLE, "i": WHOLE, "b": WHOLE, "out": WHOLE, **shapes}
    return linear(canonical(graph_of(body)), tensors)


def ops(linear_code: Linear) -> list[str]:
    return [step.op for step in linear_code.steps if step.op != "scalar"]


def test_loads_and_a_store() -> None:
    found = code("out = x + y")
    assert ops(found) == ["load", "load", "add", "store"]
    assert [step.tensor for step in found.of("load")] == ["x", "y"]
    assert found.steps[-1].args == (2,)


def test_an_innermost_broadcast_into_an_operation_is_one_broadcast_load() -> None:
    found = code("out = x + y", y=(1, 42, 17, 1))
    assert ops(found) == ["load", "broadcast_load", "add", "store"]
    (step,) = found.of("broadcast_load")
    assert (step.shape, step.lies, step.invariant) == (WHOLE, (1, 42, 17, 1), True)


def test_an_operation_between_makes_it_load_and_move() -> None:
    found = code("out = x + exp(y)", y=(1, 42, 17, 1))
    assert ops(found) == ["load", "load", "exp", "broadcast_move", "add", "store"] or ops(found) == [
        "load", "exp", "load", "broadcast_move", "add", "store",
    ]  # fmt: skip
    (move,) = found.of("broadcast_move")
    assert move.shape == WHOLE
    assert [step.op for step in found.steps if step.invariant] == ["load", "exp", "broadcast_move"]


def test_a_middle_broadcast_is_a_plain_load() -> None:
    assert ops(code("out = x + y", y=(1, 42, 1, 31))) == ["load", "load", "add", "store"]
    assert ops(code("out = x + y", y=(31,))) == ["load", "load", "add", "store"]


@pytest.mark.parametrize("shape", [WHOLE, (1, 42, 17, 1), (1,), (31,)])
def test_a_tensor_is_loaded_once(shape: Dims) -> None:
    found = code("out = (x + y) * y - y / x", y=shape)
    tensors = [step.tensor for step in found.steps if "load" in step.op]
    assert sorted(tensors) == ["x", "y"]


def test_a_tensor_for_rows_and_elements_has_one_load() -> None:
    found = code("out = x * y + exp(y)", y=(1, 42, 17, 1))
    assert [step.tensor for step in found.steps if "load" in step.op].count("y") == 1
    assert len(found.of("broadcast_move")) == 2


def test_a_narrow_value_is_moved_before_it_is_stored() -> None:
    found = code("out = exp(y)", y=(1, 42, 17, 1))
    assert ops(found) == ["load", "exp", "broadcast_move", "store"]


def test_ones_at_the_end_are_no_loop() -> None:
    found = code("out = x + y", x=(42, 17, 1), y=(42, 1, 1), out=(42, 17, 1))
    assert ops(found) == ["load", "broadcast_load", "add", "store"]
    assert found.of("broadcast_load")[0].shape == (42, 17, 1)


def test_constants_and_params_are_scalars() -> None:
    found = code("out = x * (p + 1) + 2")
    assert [step.op for step in found.steps] == ["load", "scalar", "mul", "scalar", "add", "store"]
    assert all(step.invariant == (step.op == "scalar") for step in found.steps)


def test_a_reduction_is_over_the_inputs() -> None:
    found = code("out = x - mean(x, -1, keepdims=True)")
    assert ops(found) == ["load", "reduce_mean", "broadcast_move", "sub", "store"]
    assert found.domain == WHOLE


def test_names_of_dimensions() -> None:
    found = code("out = x * y", x=("*batch", "C"), y=("C",), out=("*batch", "C"))
    assert found.domain == ("*batch", "C")
    with pytest.raises(ShapeError, match=r"\[N\] and \[M\] do not broadcast"):
        broadcast([("N",), ("M",)])


def test_shapes_of_reductions() -> None:
    graph = canonical(graph_of("out = max(sum(x, [0, -1]), axis=None) + x"))
    shapes = dict(zip([node.op for node in graph.nodes], shapes_of(graph, {"x": (2, 3, 4)}), strict=True))
    assert shapes["reduce_sum"] == (3,)
    assert shapes["reduce_max"] == ()
    with pytest.raises(ShapeError, match="reduce_sum over"):
        shapes_of(canonical(graph_of("out = x + sum(x, [0, 1], keepdims=True)")), {"x": (4,)})


# Layout classes


def classes(body: str, *narrow: str) -> dict[str, str]:
    graph: Graph = canonical(graph_of(body))
    verdicts = classify_nodes(graph, narrow)
    return {n.op: str(v.layout) for n, v in zip(graph.nodes, verdicts, strict=True) if v.layout}


def test_layout_classes() -> None:
    assert classes("out = exp(x) * y + 1") == {}
    assert classes("out = exp(x) * y + 1", "y") == {"mul": "layout-aware"}
    assert classes("out = x * exp(y + 1)", "y") == {"mul": "layout-aware"}
    assert classes("out = x / sum(x, -1, keepdims=True)") == {"reduce_sum": "layout-aware", "div": "layout-aware"}
    assert classes("out = x + max(x, axis=None)") == {"reduce_max": "layout-aware", "add": "layout-aware"}
    assert classes("out = x + sum(x, k, keepdims=True)")["reduce_sum"] == "layout-dependent"


def test_reasons() -> None:
    graph = canonical(graph_of("out = x * exp(y)"))
    assert [v.why for v in classify_nodes(graph, ["y"]) if v.layout is LayoutClass.AWARE] == [
        "an operand, made of y, may be broadcast"
    ]
