"""The search for graphs that a rule accepts: it finds them, they are what it says, and they come again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.rules.core import HtpType, TypedRule
from opkg.rules.sim import Graph, Node, Settings, Verdict, attempt, write_text
from opkg.verify.rules.sampler import Sample
from opkg.verify.rules.search import Search
from opkg.verify.rules.tensors import rounded
from opkg.verify.rules.world import World

from .rulelib import rule

WORLD = World([])


def samples(found: TypedRule, most: int = 8, tries: int = 300, seed: int = 0, **more: object) -> list[Sample]:
    search = Search(found, WORLD, seed, Settings(**more))  # type: ignore[arg-type]
    made = []
    for sample in search.samples(tries):
        made.append(sample)
        if len(made) == most:
            break
    return made


def leaf(sample: Sample, name: str) -> Node:
    node = sample.graph.find(name)
    assert node is not None
    return node


def accepted(text: str, most: int = 8) -> list[Sample]:
    """Graphs for a constraint, all of them accepted by the simulator."""
    found = rule(text)
    made = samples(found, most)
    assert len(made) == most
    for sample in made:
        assert attempt(sample.graph.copy(), found, sample.root, Settings()).verdict is Verdict.APPLIED
    return made


# ---- constraints made from a witness: what holds for one pair of operands can be found again


@dataclass(frozen=True)
class Witness:
    dtype: HtpType
    dims: tuple[int, ...]
    zero: int
    step: float


witnesses = st.builds(
    Witness,
    st.sampled_from([HtpType.QUInt8, HtpType.QUInt16, HtpType.Float32, HtpType.Float16, HtpType.Int32]),
    st.tuples(st.integers(1, 3), st.integers(1, 20), st.integers(1, 20), st.integers(1, 70)),
    st.integers(0, 255),
    st.sampled_from([0.5, 0.0625, 2.0]),
)


@st.composite
def true_conditions(draw: st.DrawFn, witness: Witness) -> str:
    """A condition on operand A that the witness fulfils."""
    index = draw(st.integers(0, 3))
    size, dim = witness.dims[index], f'DIM_OF("A", {index})'
    other = draw(st.integers(1, 90))
    relation = "EQ" if other == size else "GT" if size > other else "LT"
    choices = [
        f"{relation}({dim}, {other})",
        f"NOT(NE({dim}, {size}))",
        f"EQ(MOD({dim}, 8), {size % 8})",
        f"GE(ADD({dim}, 3), {size + 3})",
        f"LE(MUL({dim}, 4), {4 * size})",
        f"EQ(DIV({dim}, 2), {size // 2})",
        f'EQ(DTYPE_OF("A"), DType::{witness.dtype.name})',
        f'OR(EQ(DTYPE_OF("A"), DType::Int64), EQ(DTYPE_OF("A"), DType::{witness.dtype.name}))',
        'EQ(RANK_OF("A"), 4)',
        f'XOR(EQ(DTYPE_OF("A"), DType::{witness.dtype.name}), EQ(RANK_OF("A"), 3))',
        f'EQ(SELECT(EQ(RANK_OF("A"), 4), {dim}, DIM_OF("A", 0)), {size})',
    ]
    if witness.dtype in (HtpType.QUInt8, HtpType.QUInt16):
        choices += [f'EQ(ZERO_OFFSET_OF("A"), {witness.zero})', f'EQ(STEPSIZE_OF("A"), {witness.step}f)']
    return draw(st.sampled_from(choices))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_what_holds_for_some_graph_is_found(data: st.DataObject) -> None:
    witness = data.draw(witnesses)
    conditions = data.draw(st.lists(true_conditions(witness), min_size=2, max_size=5))
    types = f'EQ(DTYPE_OF("A"), DType::{witness.dtype.name})'  # quantization needs a quantized type
    accepted(f'Op(q("ElementWiseAdd"), "A", "B"), AND({types}, {", ".join(conditions)}), Op(q("Relu"), "A")', 3)


# ---- single goals


def test_shapes_and_encodings_can_be_equal() -> None:
    for sample in accepted('Op(q("ElementWiseAdd"), "A", "B"), AND(SAME_SHAPE("A", "B"), SAME_ENCODING("A", "B"), '
                           'SAME_ENCODING("A", "*")), Op(q("Relu"), "A")'):  # fmt: skip
        a, b, root = leaf(sample, "A").output, leaf(sample, "B").output, sample.graph.nodes[sample.root].output
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        assert a.same_encoding(b)
        assert a.same_encoding(root)


def test_elements_of_constants() -> None:
    for sample in accepted('Op(q("ElementWiseAdd"), "A", "B"), AND(GT(CONSTVAL_FLOAT("B", 0), 7.0f), '
                           'EQ(CONSTVAL_INT("B", 1), -3), IS_FLOAT32("B")), Op(q("Relu"), "A")'):  # fmt: skip
        node = leaf(sample, "B")
        assert node.data is not None
        values = node.data.array(node.output).reshape(-1)
        assert values[0] > 7
        assert values[1] == -3


def test_a_constant_in_the_pattern_is_one() -> None:
    for sample in accepted('Op(q("ElementWiseAdd"), "A", OPCONST("C")), OK, Op(q("Relu"), "A")'):
        assert leaf(sample, "C").op == "$Const"


def test_ops_around_the_pattern() -> None:
    made = accepted(
        'Op(q("Relu"), "X"), AND(IS_OP("X", "q::ElementWiseMultiply"), EQ(DIM_OF(INPUT_OF("X", 0), 3), 5), '
        'PRODUCER_FOR("X", "q::Sigmoid")), Op(q("Relu"), INPUT_OF("X", 1))'
    )
    for sample in made:
        producer = sample.graph.inputs(sample.root)[0]
        assert producer.op == "q::ElementWiseMultiply"
        assert sample.graph.inputs(producer.id)[0].output.shape[3] == 5
        assert "q::Sigmoid" in {sample.graph.nodes[user].op for user in sample.graph.users(producer.id)}


def test_producers_of_producers() -> None:
    for sample in accepted(
        'Op(q("Relu"), "X"), EQ(DIM_OF(INPUT_OF(INPUT_OF("X", 0), 0), 1), 7), Op(q("Tanh"), "X")', 4
    ):
        inner = sample.graph.inputs(sample.graph.inputs(sample.root)[0].id)[0]
        assert sample.graph.inputs(inner.id)[0].output.shape[1] == 7


def test_elements_by_row_and_column_and_dimensions_beyond_four() -> None:
    text = 'AND(IS_FLOAT32("B"), EQ(CONSTVAL_INT("B", 1, 1), 9), EQ(DIM_OF("B", 3), 4), GT(DIM_OF("B", 2), 1))'
    for sample in accepted(f'Op(q("ElementWiseAdd"), "A", "B"), {text}, Op(q("Relu"), "A")', 4):
        node = leaf(sample, "B")
        assert node.data is not None
        assert node.data.array(node.output).reshape(-1, 4)[1, 1] == 9
    for sample in accepted('Op(q("Relu"), "X"), EQ(DIM_CHANNEL("X"), 3), Op(q("Tanh"), "X")', 4):
        assert leaf(sample, "X").output.shape[4:] == (3,)


def test_two_tags_for_one_node() -> None:
    for sample in accepted('Op(q("ElementWiseMultiply"), "A", "B"), SAME_OP("A", "B"), Op(q("Relu"), "A")'):
        assert len(set(sample.graph.nodes[sample.root].inputs)) == 1
    for sample in accepted('Op(q("ElementWiseMultiply"), "A", "A"), OK, Op(q("Relu"), "A")'):
        assert len(set(sample.graph.nodes[sample.root].inputs)) == 1


def test_options_of_the_graph() -> None:
    text = 'Op(q("Relu"), "X"), AND(GT(OPTION_INT("tiles"), 4), NOT(OPTION_BOOL("off"))), "X"'
    for sample in accepted(text):
        assert int(sample.graph.options["tiles"]) > 4
    assert samples(rule(text), options={"tiles": 3}) == []  # what the user has set stays


def test_open_patterns_have_more_operands_at_times() -> None:
    made = accepted('Op(q("Relu"), OpVarIn(q("Concat"), "A")), OK, Op(q("Relu"), "A")', 20)
    assert len({len(sample.graph.inputs(sample.root)[0].inputs) for sample in made}) > 1


def test_rank_and_height() -> None:
    for sample in accepted('Op(q("Relu"), "X"), AND(EQ(RANK_OF("*"), 5), GT(DIM_OF("*", 4), 40)), Op(q("Tanh"), "X")'):
        assert len(leaf(sample, "X").output.shape) == 5
        assert leaf(sample, "X").output.shape[4] > 40


# ---- all graphs


PATTERNS = (
    'Op(q("Relu"), Op(q("ElementWiseAdd"), "A", "B")), NOT(IS_INT32("A")), Op(q("Relu"), "A")',
    'Op(q("Conv2d"), "X", "W", "B", "S", "P", "D", "G"), EQ(DIM_OF("*", 3), 8), Op(q("Relu"), "X")',
    'Op(q("Quantize"), Op(q("Softmax"), Op(q("Dequantize"), "X"))), IS_QUINT8("X"), "X"',
    'Op(q("MatMul"), Op(q("Reshape"), "X"), "Y"), IS_FLOAT16("*"), Op(q("Relu"), "X")',
    'Op(q("Concat"), Op(q("Relu"), "A"), Op(q("Relu"), "B"), "AX"), EQ(CONSTVAL_INT("AX", 0), 3), Op(q("Relu"), "A")',
)


def _check(graph: Graph, sample: Sample) -> None:
    for id, values in sample.inputs.items():
        output = graph.nodes[id].output
        assert values.shape == output.shape
        np.testing.assert_array_equal(rounded(values, output), values)
        assert np.isfinite(values).all()
    for node in graph.nodes.values():
        if node.output.quantized:
            assert node.output.step_size > 0


@pytest.mark.parametrize("text", PATTERNS)
def test_graphs_are_whole_and_come_again(text: str) -> None:
    first, second = accepted(text, 12), accepted(text, 12)
    for sample, again in zip(first, second, strict=True):
        _check(sample.graph, sample)
        assert write_text(sample.graph) == write_text(again.graph)
        assert sample.inputs.keys() == again.inputs.keys()
        for id, values in sample.inputs.items():
            np.testing.assert_array_equal(values, again.inputs[id])
    others = samples(rule(text), 12, seed=1)
    assert [write_text(s.graph) for s in others] != [write_text(s.graph) for s in first]


def test_graphs_differ_from_each_other() -> None:
    made = accepted('Op(q("Relu"), "X"), OK, Op(q("Tanh"), "X")', 24)
    outputs = [leaf(sample, "X").output for sample in made]
    assert len({output.dtype for output in outputs}) >= 5
    assert len({output.shape for output in outputs}) >= 12
    assert any(len(sample.graph.outputs) > 1 for sample in accepted(PATTERNS[0], 24))


def test_tiny_graphs_are_tiny() -> None:
    search = Search(rule('Op(q("ElementWiseAdd"), "A", "B"), OK, "A"'), WORLD, 0, Settings())
    for sample in search.samples(10, tiny=True):
        assert max(sample.graph.nodes[sample.root].output.shape) <= 3


def test_the_reason_for_no_graph_is_counted() -> None:
    found = rule('Op(q("Relu"), "X"), AND(GT(DIM_OF("X", 1), 3), GT(RANK_OF("X"), 8)), "X"')
    search = Search(found, WORLD, 0, Settings())
    assert list(search.samples(60)) == []
    assert search.tries == 60
    assert search.worst() == 'GT(RANK_OF("X"), 8)'
