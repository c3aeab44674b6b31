"""Rules in words: when they run, pictures of pattern and replacement, conditions as infix text."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from opkg.rules.check import check
from opkg.rules.context import Context
from opkg.rules.core import TypedRule
from opkg.rules.explain import explain
from opkg.rules.text.cpp import parse_cpp

ORACLE = Path(__file__).parent / "data" / "rule-oracle.tsv"


def rule(text: str, macro: str = "DEF_PACKAGE_OPTIMIZATION") -> TypedRule:
    document, _ = parse_cpp(f"{macro}({text})\n", "f.cpp")
    (made,) = check(document, Context("p")).rules
    return made


def condition(text: str) -> str:
    explained = explain(rule(f'EARLY, Op("A", "X", "Y"), {text}, Op("B", "X")'))
    return "; ".join(explained.conditions)


def builds(text: str) -> list[str]:
    return list(explain(rule(f'EARLY, Op("A", "X", "Y"), OK, {text}')).builds)


def test_a_whole_rule() -> None:
    text = """EARLY + 2, relaxed_precision_flag, Op("A", "X", LET("L", OpVarIn("B", "X"))),
        AND(OR(IS_QUINT8("X"), NOT(IS_FLOAT16("L"))), GT(DIM_HEIGHT("*"), MUL(ADD(TILE_HEIGHT, 1), 2))),
        AUTOSPLIT(1, "I", 8, WITH_SIZE(gen_Shape(1, DIM_OF("X", 1), 2, 3), WITH_TYPE("X", Op("C",
            TYPICAL_SLICE("X", "I"), gen_ConstScalar_f32(1.5f)))))"""
    made = rule(text, "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS")
    assert explain(made).lines(traps=False) == [
        "rule f_1",
        "  runs in pass EARLY + 2 (3052), after EARLY (3050), before QUANT_FIXES (4000)",
        "  is tried on every p::A until no rule of the pass applies any more",
        "  only when the graph option relaxed_precision is on (relaxed_precision_flag)",
        "  matches",
        "    *: p::A",
        "    ├─ X",
        "    └─ L: p::B",
        "       ├─ X (the same node)",
        "       └─ ... further inputs",
        "  when",
        "    X.dtype == QUInt8 or not L.dtype == Float16",
        "    *.shape[1] > (option(tile_height) + 1) * 2",
        "  builds",
        "    concatenation of parts of 8 along dimension 1 (split I), each",
        "    └─ p::C  [shape [1, X.shape[1], 2, 3]; type of X]",
        "       ├─ part I of X",
        "       └─ constant 1.5",
    ]


def test_traps_are_those_of_what_is_used() -> None:
    found = explain(rule('EARLY, Op("A", "X"), GT(DIM_OF("X", 0), 1), Op("B", INPUT_OF("X", 0))')).traps
    assert [name for name, _ in found] == ["DIM_OF", "INPUT_OF"]


def test_runs() -> None:
    assert (
        explain(rule('EARLY, Op("A"), OK, Op("B")')).runs[0] == "runs in pass EARLY (3050), before QUANT_FIXES (4000)"
    )
    last = explain(rule('30000, Op("A"), OK, Op("B")')).runs[0]
    assert last == "runs in pass 30000, after AUX_CLEANUP (25000)"
    old = explain(rule('22000, Op("A"), OK, Op("B")'), "2.13").runs[0]
    assert old == "runs in pass 22000, before FINAL_CLEANUP (23000)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OK", ""),
        ('AND(IS_QUINT8("X"), IS_QUINT8("Y"))', "X.dtype == QUInt8; Y.dtype == QUInt8"),
        ('OR(AND(IS_QUINT8("X"), OK), IS_QUINT8("Y"))', "X.dtype == QUInt8 and true or Y.dtype == QUInt8"),
        ('NOT(OR(IS_QUINT8("X"), OK))', "not (X.dtype == QUInt8 or true)"),
        ('XOR(IS_QUINT8("X"), IS_QUINT8("Y"))', "X.dtype == QUInt8 xor Y.dtype == QUInt8"),
        ('EQ(SUB(RANK_OF("X"), SUB(RANK_OF("Y"), 1)), 1)', "X.rank - (Y.rank - 1) == 1"),
        ('EQ(DIV(MUL(RANK_OF("X"), 2), 3), 1)', "X.rank * 2 / 3 == 1"),
        ('EQ(MIN(INPUTS_OF("X"), 2), 1u)', "min(X.number_of_inputs, 2) == 1"),
        ('EQ(NEG(ZERO_OFFSET_OF("X")), -1)', "-X.zero_offset == -1"),
        ('EQ(IS_QUINT8("X"), IS_QUINT8("Y"))', "(X.dtype == QUInt8) == (Y.dtype == QUInt8)"),
        ('LT(INT(DIM_OF("X", 2)), 4)', "int(X.shape[2]) < 4"),
        ('SAME_OP(INPUT_OF("X", 1), "Y")', "X.input[1] is Y"),
        ('SAME_SHAPE("X", "Y")', "X.shape == Y.shape"),
        ('SAME_ENCODING("X", "Y")', "X.encoding == Y.encoding"),
        ('IS_OP("X", "B")', "X.op == p::B"),
        ('PRODUCER_FOR("X", "B")', "some p::B reads X"),
        ('CONSTVAL_INT_VALID("X", 0, 1)', "is_int(X.value[0, 1])"),
        ('EQ(CONSTVAL_FLOAT("X", 0), 0.5f)', "X.value[0] == 0.5"),
        ('EQ(SELECT(IS_QUINT8("X"), RANK_OF("X"), 2u), 1u)', "(X.rank if X.dtype == QUInt8 else 2) == 1"),
        ('EQ(DIM_OF("X", 3), LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3))', "X.shape[3] == QUint8CroutonTensor.chunk[3]"),
        ('EXTERNAL_CONSTRAINT(f, "X", RANK_OF("Y"))', "f(X, Y.rank)"),
        ('MESSAGE_IF(IS_QUINT8("X"), "hello")', "X.dtype == QUInt8"),
    ],
)
def test_conditions(text: str, words: str) -> None:
    assert condition(text) == words


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('"X"', ["X"]),
        ('WrapOp("B", "X")', ["p::B around, unless that is one already", "└─ X"]),
        ('OpMultiOut(2, 1, "B", "X")', ["output 1 of p::B, which has 2", "└─ X"]),
        ('SELECT(IS_QUINT8("X"), Op("B"), "Y")', ["if X.dtype == QUInt8", "├─ p::B", "└─ else", "   └─ Y"]),
        ('WITH_SAME_OUTPUT("Y", Op("B", gen_ShapeOf("X")))', ["p::B  [shape and type of Y]", "└─ shape of X"]),
        (
            'WITH_OUTPUT_TYPE(DType::QUInt8, 0, 1.0f, Op("B"))',
            ["p::B  [type QUInt8, zero offset 0, step size 1.0]"],
        ),
        ('ResizeDim(3, 32, Op("B"))', ["p::B  [dimension 3 of 32]"]),
        (
            'OP_ITER(Op("C"), "I", 0, INPUTS_OF("X"), Op("B", ITER_INPUT_OF("X", "I")))',
            [
                "p::C with further inputs, one for each I from 0 to below X.number_of_inputs",
                "└─ p::B",
                "   └─ X.input[I]",
            ],
        ),
        ('Op("B", gen_ConstArr_i32(1, 4))', ["p::B", "└─ constant [1, 1, 1, 4] of 1"]),
        ("EXTERNAL_REPLACE(f)", ["what the C++ function f builds"]),
        ('Op("B", SHAPEFN_APPLY(f, "X", 3))', ["p::B", "└─ f(X, 3)  [C++]"]),
    ],
)
def test_builds(text: str, lines: list[str]) -> None:
    assert builds(text) == lines


def accepted() -> list[str]:
    with ORACLE.open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    frames = {
        "cst": 'Op("A","X","Y"), {}, Op("B","X","Y")',
        "repl": 'Op("A","X","Y"), OK, {}',
        "match": '{}, OK, Op("B")',
    }
    return [frames[row[0]].format(row[1]) for row in rows if row[0] in frames and row[3] == "accept"]


@pytest.mark.parametrize("text", accepted())
def test_every_construct_has_words(text: str) -> None:
    document, _ = parse_cpp(f"DEF_PACKAGE_OPTIMIZATION(EARLY, {text})\n", "f.cpp")
    for made in check(document, Context("p")).rules:
        lines = explain(made).lines()
        assert not [line for line in lines if line.strip("├─└│ ") == "?" or "None" in line]
