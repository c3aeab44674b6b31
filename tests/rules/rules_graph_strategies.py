"""Random graphs for hypothesis: any names, ops, types, constants, several outputs."""

from __future__ import annotations

from hypothesis import strategies as st

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Data, Fill, Listed, Random
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Output

names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6) | st.sampled_from(
    [
        "x",
        "input",
        "output",
        "shape",
        "a.b",
        "a.0",
        "%3",
        "fill",
        "inf",
        "Float32",
        "zero",
        "q::Relu",
        "/m/y",
        "#",
        '"',
        "ä",
    ]
)
ops = st.sampled_from(
    ["q::Relu", "my.pkg::Add", "Relu", "*Output", "$Weird", "a b", "x::", "random", INPUT, CONST, OUT]
)
PLAIN = [t for t in HtpType if t is not HtpType.Multi]
numbers = st.integers(-(1 << 40), 1 << 40) | st.floats()


@st.composite
def outputs(draw: st.DrawFn) -> Output:
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=4)))
    plain = Output(draw(st.sampled_from(PLAIN)), shape)
    if not plain.quantized:
        return plain
    step = draw(st.floats(1e-6, 1e6, exclude_min=True) | st.just(1.0))
    return Output(plain.dtype, shape, draw(st.integers(-(1 << 31), (1 << 31) - 1)), step)


@st.composite
def data(draw: st.DrawFn, output: Output) -> Data | None:
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return None
    if kind == 1:
        return Fill(draw(numbers))
    if kind == 2:
        return Random(draw(st.integers(0, (1 << 31) - 1)))
    return Listed(tuple(draw(st.lists(numbers, min_size=output.elements, max_size=output.elements))))


@st.composite
def any_graphs(draw: st.DrawFn) -> Graph:
    graph, taken = Graph(), set()
    for _ in range(draw(st.integers(0, 8))):
        name = draw(names | st.just(""))
        if name in taken:
            name = ""
        taken.add(name)
        kind = draw(st.integers(0, 5))
        output = draw(outputs())
        known = sorted(graph.nodes)
        inputs = draw(st.lists(st.sampled_from(known), max_size=3)) if known else []
        if kind == 0:
            graph.add(INPUT, (), output, name=name)
        elif kind == 1:
            graph.add(CONST, (), output, draw(data(output)), name)
        elif kind == 2:
            graph.add(SHAPE, (), Output(HtpType.Int32, output.shape), name=name)
        elif kind == 3:
            count = draw(st.integers(1, 3))
            multi = graph.add("q::Multi", inputs, Output(HtpType.Multi, (count,)), name=name).id
            for index in draw(st.lists(st.integers(0, count), max_size=3)):
                which = graph.add(SHAPE, (), Output(HtpType.Int32, (0, 0, count, index))).id
                graph.add(OUT, (multi, which), output)
        else:
            op = draw(ops)
            leaf = op in (INPUT, CONST) and not inputs
            graph.add("q::Leaf" if leaf else op, inputs, output, name=name)
    if graph.nodes:
        outs = draw(
            st.lists(st.tuples(names, st.sampled_from(sorted(graph.nodes))), max_size=3, unique_by=lambda o: o[0])
        )
        graph.set_outputs(outs)
    options = st.booleans() | st.integers(-(1 << 60), 1 << 60) | st.floats(allow_nan=False) | names
    graph.options.update(draw(st.dictionaries(names, options, max_size=2)))
    return graph
