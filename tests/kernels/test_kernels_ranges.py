"""Interval analysis against all values of small operands, and what may be saturated without harm."""

from __future__ import annotations

import itertools
import random

import pytest

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.ranges import FORWARD, Interval, Wraps, forward, needed
from opkg.spec.compute.types import Type

VALUES = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    **{f"wrapping_{op}": (lambda a, b: a) for op in ("add", "sub", "mul")},  # any number of 64 bits
    "min": min,
    "max": max,
    "avg": lambda a, b: (a + b) >> 1,
    "avg_round": lambda a, b: (a + b + 1) >> 1,
    "absdiff": lambda a, b: abs(a - b),
    "absdiff_loaded": lambda a, b: abs(a - b),
    "floor_div": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "lt": lambda a, b: a < b,
    "gt": lambda a, b: a > b,
    "le": lambda a, b: a <= b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "neg": lambda a: -a,
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "shift_right": lambda a, b: a >> b,
    **dict.fromkeys(("shift_right_by", "shift_right_far"), lambda a, b: a >> b),
    "shift_left": lambda a, b: a << max(b, 0),
    "bit_and": lambda a, b: a & b,
    "bit_or": lambda a, b: a | b,
    "bit_xor": lambda a, b: a ^ b,
    "low_bits": lambda a, b: a & ((1 << b) - 1),
    "pow": lambda a, b: a**b,
    "and": min,
    "or": max,
    "not": lambda a: 1 - a,
    "select": lambda t, a, b: a if t else b,
}
ENDS = (-5, -2, -1, 0, 1, 3, 6)
SPANS = [Interval(low, high) for low, high in itertools.combinations_with_replacement(ENDS, 2)]
BOOLS = [Interval(0, 0), Interval(0, 1), Interval(1, 1)]


def _operands(op: str) -> itertools.product:  # type: ignore[type-arg]
    if op in ("and", "or"):
        return itertools.product(BOOLS, BOOLS)
    if op == "not":
        return itertools.product(BOOLS)
    if op == "select":
        return itertools.product(BOOLS, SPANS, SPANS)
    if op in ("neg", "abs", "sign"):
        return itertools.product(SPANS)
    if op in ("shift_right", "shift_right_by", "shift_right_far", "low_bits", "pow"):
        return itertools.product(SPANS, [Interval(k, k) for k in range(1, 4)])
    return itertools.product(SPANS, SPANS)


def _all(spans: tuple[Interval, ...]) -> itertools.product:  # type: ignore[type-arg]
    return itertools.product(*(range(span.low, span.high + 1) for span in spans))


def test_every_rule_is_tested() -> None:
    assert set(VALUES) == set(FORWARD)


@pytest.mark.parametrize("op", sorted(VALUES))
def test_ranges_hold_all_values(op: str) -> None:
    exact = {"add", "sub", "mul", "min", "max", "neg", "abs", "sign", "and", "or", "not", "gt", "lt", "avg", "select"}
    for spans in _operands(op):
        found = forward(Node(op, tuple(range(len(spans)))), spans)
        values = [int(VALUES[op](*args)) for args in _all(spans)]
        assert Interval(min(values), max(values)) in found, (op, spans)
        if op in exact:
            assert found == Interval(min(values), max(values)), (op, spans)


def test_what_leaves_int64_wraps() -> None:
    wide = Interval(-(1 << 62), 1 << 62)
    assert forward(Node("sub", (0, 1)), [wide, Interval(0, 1 << 62)]) == Interval(-(1 << 63), 1 << 62)
    with pytest.raises(Wraps):
        forward(Node("add", (0, 1)), [wide, wide])
    with pytest.raises(Wraps):
        forward(Node("pow", (0, 1)), [wide, Interval(2, 2)])


def _clamp(value: int, span: Interval) -> int:
    return min(max(value, span.low), span.high)


OPS = ("add", "sub", "min", "max", "abs", "shift_right", "select", "gt", "eq", "mul")


def _random_graph(rng: random.Random) -> tuple[Graph, list[Interval], Interval]:
    """A graph of few small operands, its ranges, and the ends of its store."""
    nodes = [Node("input", name=name) for name in "abc"]
    ranges = [rng.choice(SPANS) for _ in nodes]
    nodes.append(Node("const", value=2))
    ranges.append(Interval(2, 2))
    while len(nodes) < 9:
        op = rng.choice(OPS)
        numbers = [i for i, node in enumerate(nodes) if node.type is Type.REAL]
        tests = [i for i, node in enumerate(nodes) if node.type is Type.BOOL]
        args = [rng.choice(numbers) for _ in range(1 if op == "abs" else 2)]
        if op == "shift_right":
            args[1] = 3
        if op == "select":
            if not tests:
                continue
            args = [rng.choice(tests), *args]
        node = Node(op, tuple(args), Type.BOOL if op in ("gt", "eq") else Type.REAL)
        span = forward(node, [ranges[arg] for arg in args])
        if node.type is Type.BOOL and span.single:
            continue  # decided: such a node is a constant, of which the windows know nothing
        nodes.append(node)
        ranges.append(span)
    last = max(i for i, node in enumerate(nodes) if node.type is Type.REAL)
    low = rng.randint(-6, 4)
    return Graph(tuple(nodes), (Result("y", last),)), ranges, Interval(low, low + rng.randint(0, 8))


def _run(graph: Graph, inputs: tuple[int, ...], lanes: list[Interval] | None) -> int:
    """The result; `lanes`: to what every node is clamped."""
    found: list[int] = []
    for index, node in enumerate(graph.nodes):
        if node.op == "input":
            value = inputs[index]
        elif node.op == "const":
            value = 2
        else:
            value = int(VALUES[node.op](*(found[arg] for arg in node.args)))
        found.append(value if lanes is None else _clamp(value, lanes[index]))
    return found[graph.results[0].node]


@pytest.mark.parametrize("seed", range(60))
def test_saturating_beyond_what_is_needed_changes_nothing_that_is_stored(seed: int) -> None:
    rng = random.Random(seed)
    graph, ranges, store = _random_graph(rng)
    kept = needed(graph, ranges, {graph.results[0].node: store})
    for span, whole in zip(kept, ranges, strict=True):
        assert span in whole
    wider = [Interval(span.low - rng.randint(0, 3), span.high + rng.randint(0, 3)) for span in kept]
    for lanes in (list(kept), wider):
        for inputs in _all(tuple(ranges[:3])):
            exact = _clamp(_run(graph, inputs, None), store)
            assert _clamp(_run(graph, inputs, lanes), store) == exact, (graph, inputs, store, lanes)


def test_windows_narrow_what_has_to_be_kept() -> None:
    nodes = (Node("input", name="a"), Node("input", name="b"), Node("add", (0, 1)), Node("const", value=0),
             Node("max", (2, 3)))  # fmt: skip
    graph = Graph(nodes, (Result("y", 4),))
    byte = Interval(-128, 127)
    ranges = [byte, byte, Interval(-256, 254), Interval(0, 0), Interval(0, 254)]
    assert needed(graph, ranges, {4: byte})[2] == Interval(0, 127)
    assert needed(graph, ranges, {4: Interval(0, 255)})[2] == Interval(0, 254)
