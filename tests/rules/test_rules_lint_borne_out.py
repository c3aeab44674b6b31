"""What lints say of random rules is what the simulator does with them on random graphs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.rules.check import check
from opkg.rules.context import Context
from opkg.rules.core import HtpType
from opkg.rules.sim import Graph, Output, Settings, apply
from opkg.rules.text.cpp import parse_cpp

OPS = st.sampled_from(["A", "B"])
NUMBERS = st.sampled_from(["0", "1", "2u", "4", "8", "TILE_HEIGHT"])
OPERANDS = st.sampled_from(['"*"', '"X"', 'INPUT_OF("*", 0)'])


@st.composite
def conditions(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["ok", "dim", "dim", "type", "same", "op"] + ["and", "or", "not"] * (depth > 0)))
    if kind in ("and", "or"):
        return f"{kind.upper()}({draw(conditions(depth - 1))}, {draw(conditions(depth - 1))})"
    if kind == "not":
        return f"NOT({draw(conditions(depth - 1))})"
    x = draw(OPERANDS)
    if kind == "dim":
        operator = draw(st.sampled_from(["GT", "LT", "EQ", "NE", "GE", "LE"]))
        return f"{operator}(DIM_OF({x}, {draw(st.integers(0, 3))}), {draw(NUMBERS)})"
    if kind == "type":
        return f"{draw(st.sampled_from(['IS_QUINT8', 'IS_FLOAT32', 'IS_FLOAT16']))}({x})"
    if kind == "same":
        return f"{draw(st.sampled_from(['SAME_SHAPE', 'SAME_ENCODING']))}({x}, {draw(OPERANDS)})"
    return f'IS_OP({x}, "{draw(OPS)}")' if kind == "op" else "OK"


@st.composite
def replacements(draw: st.DrawFn, depth: int = 3) -> str:
    """Ops over X; at the root also AUTOSPLIT."""
    kind = draw(st.sampled_from(["op", "op", "wrap", "type", "size", "same", "resize"]))
    inner = '"X"' if depth == 0 or draw(st.booleans()) else draw(replacements(depth - 1))
    op = f'Op("{draw(OPS)}", {inner})'
    if kind == "wrap" and inner != '"X"':
        return f'WrapOpAlways("{draw(OPS)}", {inner})'
    if kind == "type":
        return f"WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, {op})"
    if kind == "size":
        return f"WITH_SIZE(gen_Shape(1, {draw(st.integers(1, 9))}, 4, 4), {op})"
    if kind == "same":
        return f'WITH_SAME_OUTPUT("X", {op})'
    return f"ResizeDim({draw(st.integers(0, 3))}, 4, {op})" if kind == "resize" else op


@st.composite
def rules(draw: st.DrawFn) -> str:
    inner = draw(st.sampled_from(['"X"', '"X"', 'Op("A", "X")', 'Op("B", "X")']))
    match = f'Op("{draw(OPS)}", {inner})'
    replacement = draw(replacements())
    if draw(st.booleans()):
        dim, chunk = draw(st.integers(1, 2)), draw(st.sampled_from([4, 8]))
        replacement = f'AUTOSPLIT({dim}, "I", {chunk}, Op("{draw(OPS)}", TYPICAL_SLICE("X", "I")))'
    return f"DEF_PACKAGE_OPTIMIZATION(EARLY, {match}, {draw(conditions())}, {replacement})"


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A chain of A and B."""
    graph = Graph({"tile_height": 8})

    def output() -> Output:
        shape = tuple(draw(st.sampled_from([1, 2, 8, 9])) for _ in range(4))
        return Output(draw(st.sampled_from([HtpType.QUInt8, HtpType.Float32])), shape)

    node = graph.add("*Input", (), output())
    for op in draw(st.lists(OPS, min_size=1, max_size=5)):
        node = graph.add(f"p::{op}", (node.id,), output())
    graph.set_outputs([("y", node.id)])
    return graph


@settings(max_examples=100, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=3), graphs())
def test_what_is_said_comes_true(texts: list[str], graph: Graph) -> None:
    document, _ = parse_cpp("\n".join(texts) + "\n", "f.cpp")
    checked = check(document, Context("p"))
    if len(checked.rules) != len(texts):
        return
    dead = {d.span.line for d in checked.findings if d.id == "OPK560" and "never run" in d.message + d.hint}
    forestalled = {d.span.line for d in checked.findings if d.id == "OPK563"}
    run = apply(graph, checked.rules, Settings(max_lineage=40))
    if any(finding.id != "OPK587" for finding in run.findings):
        return  # an attempt failed: shapes of random graphs need not fit, and the next rule gets its turn
    for number, rule in enumerate(checked.rules, start=1):
        if number in dead | forestalled:
            assert run.counts.get(rule.name, 0) == 0, texts[number - 1]


@settings(max_examples=100, deadline=None)
@given(rules(), graphs())
def test_endless_is_endless(text: str, graph: Graph) -> None:
    document, _ = parse_cpp(text + "\n", "f.cpp")
    checked = check(document, Context("p"))
    said = {d.id for d in checked.findings} & {"OPK562", "OPK564"}
    for rule in checked.rules:
        run = apply(graph, [rule], Settings(max_lineage=40))
        if said and run.counts.get(rule.name):
            assert run.stopped is not None, text
