"""Rules that are right and rules that are wrong in one way each: the second must be told from the first, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.rules.sim import read_text
from opkg.spec.diagnostics import Severity
from opkg.verify.rules.outcome import Fault, RuleOptions, RuleVerdict, Status

from .rulelib import verdict

RIGHT = {
    "fuse": 'Op(q("Relu"), Op(q("ElementWiseAdd"), "A", "B")), AND(SAME_SHAPE("A", "B"), OR(IS_QUINT8("*"), '
    'IS_FLOAT32("*"))), Op("AddRelu", "A", "B")',
    "bypass": 'Op(q("ElementWiseNeg"), Op(q("ElementWiseNeg"), "X")), SAME_ENCODING("*", "X"), "X"',
    "a cast to float and back": 'Op(q("Cast"), LET("F", Op(q("Cast"), "X"))), AND(IS_FLOAT16("X"), IS_FLOAT32("F"), '
    'IS_FLOAT16("*")), "X"',
    "a cast of floats to 16 bits": 'Op(q("Cast"), "X"), AND(IS_FLOAT32("X"), IS_QUINT16("*")), Op(q("Quantize"), "X")',
    "casts of quantized numbers": 'Op(q("Cast"), LET("I", Op(q("Cast"), "X"))), AND(IS_QUINT8("X"), '
    'EQ(DTYPE_OF("I"), DType::Int32), IS_FLOAT32("*")), Op(q("Cast"), "X")',
    "turn": 'Op(q("ElementWiseNeg"), Op(q("ElementWiseSubtract"), "A", "B")), IS_FLOAT32("*"), '
    'Op(q("ElementWiseSubtract"), "B", "A")',
    "split": 'Op(q("Relu"), "X"), GT(DIM_HEIGHT("*"), 8), AUTOSPLIT(1, "I", 8, Op(q("Relu"), TYPICAL_SLICE("X", "I")))',
    "split twice": 'Op(q("Relu"), "X"), AND(GT(DIM_OF("*", 1), 4), GT(DIM_OF("*", 2), 4)), AUTOSPLIT(1, "I", 4, '
    'AUTOSPLIT(2, "J", 3, Op(q("Relu"), TYPICAL_SLICE(TYPICAL_SLICE("X", "I"), "J"))))',
    "casts": 'Op(q("ElementWiseAdd"), "A", "B"), AND(IS_QUINT8("*"), SAME_SHAPE("A", "B")), Op(q("Quantize"), '
    'WITH_OUTPUT_TYPE(DType::Float32, 0, 1.0f, Op(q("ElementWiseAdd"), Op(q("Dequantize"), "A"), '
    'Op(q("Dequantize"), "B"))))',
    "inverse transposes": 'Op(q("Transpose"), Op(q("Transpose"), "X", OPCONST("P")), OPCONST("Q")), AND('
    + ", ".join(f'EQ(CONSTVAL_INT("P", CONSTVAL_INT("Q", {i})), {i})' for i in range(4))
    + '), "X"',
    "times one": 'Op("Scale", "X", "F"), EQ(CONSTVAL_FLOAT("F", 0), 1.0f), "X"',
    "into a param": 'Op(q("ElementWiseMultiply"), "X", OPCONST("C")), AND(OR(IS_FLOAT32("*"), IS_FLOAT16("*")), '
    'SAME_SHAPE("*", "X"), EQ(DIM_OF("C", 0), 1), EQ(DIM_OF("C", 1), 1), EQ(DIM_OF("C", 2), 1), EQ(DIM_OF("C", 3), 1)'
    '), Op("Scale", "X", WITH_OUTPUT_TYPE(DType::Float32, 0, 1.0f, WITH_SIZE("C", Op(q("Cast"), "C"))))',
    "convolution's bias": 'Op(q("Conv2d"), "X", "W", "B", "S", "P", "D", "G"), IS_FLOAT32("*"), '
    'Op(q("ElementWiseAdd"), Op(q("Conv2d"), "X", "W", gen_ConstScalar_f32(0.0), "S", "P", "D", "G"), "B")',
    "product with a matrix": 'Op("Weigh", "X", "W"), GT(DIM_OF("W", 3), 40), Op(q("MatMul"), "X", "W")',
    "columns": 'Op("Weigh", "X", "W"), GT(DIM_OF("*", 3), 40), AUTOSPLIT(3, "I", 16, '
    'Op("Weigh", "X", TYPICAL_SLICE("W", "I")))',
    "halves joined": 'Op(q("Concat"), Op("$Out", LET("H", Op("Halves", "X")), "I"), Op("$Out", "G", "J"), "A"), '
    'AND(SAME_OP("H", "G"), EQ(DIM_OF("I", 3), 0), EQ(DIM_OF("J", 3), 1), EQ(CONSTVAL_INT("A", 0), 3)), "X"',
}  # fmt: skip

# name: (rule, in what the sides differ, what the message says)
WRONG = {
    "a cast to half and back": (  # rounding is what a cast is for; without it the numbers are others
        'Op(q("Cast"), LET("H", Op(q("Cast"), "X"))), AND(IS_FLOAT32("X"), IS_FLOAT16("H"), IS_FLOAT32("*")), "X"',
        Fault.VALUES, "differ, worst",
    ),
    "a cast for a dequantization": (  # casts take the stored numbers
        'Op(q("Dequantize"), "X"), AND(IS_QUINT8("X"), IS_FLOAT32("*")), Op(q("Cast"), "X")',
        Fault.VALUES, "differ, worst",
    ),
    "a requantization for a cast": (
        'Op(q("Cast"), "X"), AND(IS_QUINT8("X"), IS_QUINT8("*")), Op(q("Convert"), "X")',
        Fault.VALUES, "differ, worst",
    ),
    "operand order": (
        'Op(q("ElementWiseNeg"), Op(q("ElementWiseSubtract"), "A", "B")), IS_FLOAT32("*"), '
        'Op(q("ElementWiseSubtract"), "A", "B")',
        Fault.VALUES, "differ, worst",
    ),
    "no guard of the type": (
        'Op(q("Relu"), Op(q("ElementWiseAdd"), "A", "B")), SAME_SHAPE("A", "B"), Op("AddRelu", "A", "B")',
        Fault.INVALID, "a of AddRelu is float32 or ufixed8, not ",
    ),
    "no guard of the shape": (
        'Op(q("Relu"), Op(q("ElementWiseAdd"), "A", "B")), OR(IS_QUINT8("*"), IS_FLOAT32("*")), Op("AddRelu", "A", "B")',
        Fault.INVALID, "'b' has shape ",
    ),
    "no guard of the encoding": (
        'Op(q("ElementWiseNeg"), Op(q("ElementWiseNeg"), "X")), IS_QUINT8("X"), "X"',
        Fault.QUANTIZATION, "another quantization: QUInt8",
    ),
    "type not put back": (
        'Op(q("Relu"), "X"), IS_FLOAT32("X"), WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op(q("Relu"), "X"))',
        Fault.TYPE, "another element type: Float16",
    ),
    "type of an inner op inherited": (
        'Op("Scale", "X", "F"), IS_FLOAT16("X"), Op(q("Cast"), Op(q("ElementWiseMultiply"), "X", "F"), '
        'gen_ConstScalar_f32(2.0f), "X")',
        Fault.INVALID, "q::Cast with 3 operands",
    ),
    "range of an inner op inherited": (
        'Op(q("Sigmoid"), Op(q("ElementWiseAdd"), "A", "B")), AND(IS_QUINT8("*"), IS_QUINT8("A"), SAME_SHAPE("A", "B")), '
        'Op(q("Sigmoid"), Op(q("ElementWiseAdd"), "A", "B"))',
        Fault.VALUES, "differ, worst",
    ),
    "size of an inner op inherited": (
        'Op("Scale", Op("Scale", "X", "F"), "G"), GT(DIM_OF("X", 3), 2), Op("Scale", "X", '
        'Op(q("ElementWiseMultiply"), "F", "G"))',
        Fault.SHAPE, "gives [1, 1, 1, 1], its node is described as ",
    ),
    "slice off by one": (
        'Op(q("Relu"), "X"), AND(EQ(DIM_OF("X", 1), 6), EQ(RANK_OF("X"), 4)), Op(q("Concat"), '
        'WITH_SIZE(gen_Shape(DIM_OF("X", 0), 3, DIM_OF("X", 2), DIM_OF("X", 3)), Op(q("Relu"), AUTOSPLIT_SLICE("X", '
        'gen_Shape(0, 0, 0, 0), gen_Shape(DIM_OF("X", 0), 3, DIM_OF("X", 2), DIM_OF("X", 3))))), '
        'WITH_SIZE(gen_Shape(DIM_OF("X", 0), 3, DIM_OF("X", 2), DIM_OF("X", 3)), Op(q("Relu"), AUTOSPLIT_SLICE("X", '
        'gen_Shape(0, 2, 0, 0), gen_Shape(DIM_OF("X", 0), 3, DIM_OF("X", 2), DIM_OF("X", 3))))), '
        'gen_ConstScalar_i32(1))',
        Fault.VALUES, "differ, worst",
    ),
    "slice of the wrong operand": (
        'Op("Weigh", "X", "W"), GT(DIM_OF("*", 3), 40), AUTOSPLIT(3, "I", 16, Op("Weigh", TYPICAL_SLICE("X", "I"), "W"))',
        Fault.CRASH, "slice 0..16 of dimension 3",
    ),
    "only sometimes a bypass": (
        'Op(q("ElementWiseMultiply"), "X", OPCONST("C")), AND(EQ(CONSTVAL_FLOAT("C", 0), 1.0f), SAME_SHAPE("*", "X"), '
        'SAME_ENCODING("*", "X")), "X"',
        Fault.VALUES, "differ, worst",
    ),
    "any of the outputs": (
        'Op(q("Concat"), Op("$Out", Op("Halves", "X"), "I"), Op("$Out", Op("Halves", "X"), "J"), "A"), OK, "X"',
        Fault.VALUES, "differ, worst",
    ),
    "input of a graph input": (
        'Op(q("Relu"), "X"), OK, Op(q("Relu"), INPUT_OF("X", 0))',
        Fault.CRASH, "has 0 inputs",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_right_rules_pass(name: str, tmp_path: Path) -> None:
    found = verdict(RIGHT[name], tmp_path)
    assert found.status is Status.EQUIVALENT, (found.reason, found.counterexample)
    assert found.cases == RuleOptions().cases
    assert found.finding() is None


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rules_have_a_counterexample(name: str, tmp_path: Path) -> None:
    text, fault, words = WRONG[name]
    found = verdict(text, tmp_path)
    assert found.status is Status.DIFFERENT, found
    example = found.counterexample
    assert example is not None
    assert (example.fault, words in example.message) == (fault, True), example.message
    finding = found.finding()
    assert finding is not None
    assert (finding.id, finding.severity, finding.span[:3]) == ("OPK450", Severity.ERROR, ("rules.cpp", 1, 1))


@pytest.mark.parametrize("name", [n for n, (_, fault, _) in WRONG.items() if fault is Fault.VALUES])
def test_counterexample_shows_graphs_operands_and_elements(name: str, tmp_path: Path) -> None:
    example = verdict(WRONG[name][0], tmp_path).counterexample
    assert example is not None
    before, findings = read_text(example.before)
    assert before is not None, findings
    assert read_text(example.after)[0] is not None
    assert dict(example.bound)["*"].startswith(("q::", "acme.fuse::"))
    assert 0 < example.failed <= example.elements
    assert example.worst[0].before != example.worst[0].after
    assert "[" in dict(example.bound)["X" if '"X"' in WRONG[name][0] else "A"]


def test_counterexamples_are_made_small(tmp_path: Path) -> None:
    example = verdict(WRONG["operand order"][0], tmp_path).counterexample
    assert example is not None
    assert example.elements <= 81  # dimensions of at most 3


def test_unknown_ops_and_functions_are_skipped_with_the_reason(tmp_path: Path) -> None:
    reasons = {
        'Op("Nothing", "X"), OK, "X"': "acme.fuse::Nothing has no meaning here",
        'Op("Mystery", "X"), OK, "X"': "Mystery has no reference to compare with",
        'Op(q("Relu"), "X"), OK, Op(q("Unheard"), "X")': "q::Unheard has no meaning here",
        'Op(q("Relu"), "X"), EXTERNAL_CONSTRAINT(f, "X"), "X"': "function f is not known here",
        'Op(q("Relu"), "X"), OK, EXTERNAL_REPLACE(f)': "function f is not known here",
    }
    for text, reason in reasons.items():
        found = verdict(text, tmp_path)
        assert found.status is Status.SKIPPED
        assert reason in found.reason
        finding = found.finding()
        assert finding is not None
        assert (finding.id, finding.is_error) == ("OPK452", False)


def test_functions_can_be_given_in_python(tmp_path: Path) -> None:
    text = 'Op(q("Relu"), "X"), EXTERNAL_CONSTRAINT(wide, "X", 4), Op(q("ReluMinMax"), "X", gen_ConstScalar_f32(0.0), '
    text += "gen_ConstScalar_f32(1e30))"
    seen = []

    def wide(context: object, node: object, least: int) -> bool:
        seen.append(node.output.dims[3])  # type: ignore[attr-defined]
        return bool(seen[-1] > least)

    found = verdict(text, tmp_path, RuleOptions(externals=(("wide", wide),)))
    assert found.status is Status.EQUIVALENT
    assert found.rejected > 0
    assert any(d <= 4 for d in seen)


def test_a_shape_is_no_result() -> None:
    found = verdict('Op(q("Relu"), "X"), IS_INT32("X"), gen_ShapeOf("X")')
    assert found.counterexample is not None
    assert found.counterexample.fault is Fault.TYPE
    assert "a shape, not a tensor" in found.counterexample.message


@pytest.mark.parametrize("amount", [3, 60000])
def test_odd_operands_are_no_crash(amount: int) -> None:
    """Operands that an op cannot have, or whose result would fill the memory, are findings about the rule."""
    text = f'Op(q("Tile"), "X", gen_ConstArr_vals_i32({amount}, {amount}, {amount}, {amount}))'
    found = verdict(f'Op(q("Relu"), "X"), IS_FLOAT32("X"), {text}')
    assert found.status is Status.DIFFERENT
    assert verdict('Op(q("Relu"), "X"), IS_FLOAT32("X"), Op(q("MatMul"), "X")').counterexample is not None


def test_a_constraint_that_cannot_hold_is_no_pass() -> None:
    found = verdict('Op(q("Relu"), "X"), AND(IS_QUINT8("*"), IS_FLOAT32("*")), "X"', options=RuleOptions(tries=50))
    assert (found.status, found.cases, found.tries) == (Status.NO_GRAPH, 0, 50)
    assert found.rejected == 0 or found.rejected <= 50
    finding = found.finding()
    assert finding is not None
    assert (finding.id, finding.severity) == ("OPK451", Severity.WARNING)
    assert "IS_" in finding.hint


def test_a_rule_that_gives_back_the_root_is_no_pass() -> None:
    found = verdict('Op(q("Relu"), "X"), OK, SELECT(GT(DIM_OF("X", 1), 70000), "X", "*")')
    assert (found.status, found.reason) == (Status.NO_GRAPH, "what it builds is the root itself")


def test_difference_in_nan_only_is_a_note() -> None:
    found = verdict(
        'Op(q("ElementWiseMultiply"), "X", OPCONST("C")), AND(IS_FLOAT32("*"), IS_FLOAT32("X"), SAME_SHAPE("*", "X"), '
        'EQ(CONSTVAL_FLOAT("C", 0), 0.0f), EQ(DIM_OF("C", 0), 1), EQ(DIM_OF("C", 1), 1), EQ(DIM_OF("C", 2), 1), '
        'EQ(DIM_OF("C", 3), 1)), Op(q("ElementWiseMultiply"), gen_ConstArr_f32(0.0, DIM_OF("X", 3)), '
        'Op(q("ReluMinMax"), "X", gen_ConstScalar_f32(-1.0), gen_ConstScalar_f32(1.0)))'
    )
    assert found.status is Status.EQUIVALENT, found.counterexample
    assert found.notes[0].startswith("differs where X holds NaN or infinities: ")


def test_fewer_digits_are_a_note() -> None:
    text = 'Op(q("Cast"), WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op(q("Tanh"), Op(q("Cast"), "X"))))'
    found = verdict(f'Op(q("Tanh"), "X"), AND(IS_FLOAT32("*"), IS_FLOAT32("X")), {text}')
    assert found.status is Status.EQUIVALENT, found.counterexample
    assert found.notes == ("new nodes are Float16: what they round was allowed for",)


def test_the_same_seed_gives_the_same_verdict(tmp_path: Path) -> None:
    def run(seed: int) -> list[RuleVerdict]:
        texts = (WRONG["operand order"][0], RIGHT["fuse"], RIGHT["columns"])
        return [verdict(text, tmp_path, RuleOptions(cases=6, seed=seed)) for text in texts]

    assert run(0) == run(0)
    first, other = run(0)[0].counterexample, run(1)[0].counterexample
    assert first is not None
    assert other is not None
    assert first.bound != other.bound
