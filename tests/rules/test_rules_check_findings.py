"""What the checker finds in rules: severity, id, line:column (pass 1, match 2, when 3, replace 4); and what is fine."""

import pytest
from rules_check_kit import checked, own, short

WHEN = (
    ('IS_QUINT_8("X")', "error OPK520 3:1"),
    ("OKAY", "error OPK520 3:1"),
    ("TRUE", "error OPK520 3:1"),
    ("DType::Float", "error OPK520 3:1"),
    ('EQ(DTYPE_OF("X"), DType::Float)', "error OPK520 3:19"),
    ('DIM_OF("X")', "error OPK521 3:1"),
    ('DIM_OF("X", 0, 1)', "error OPK521 3:1"),
    ("OK()", "error OPK521 3:1"),
    ("DIM_OF", "error OPK521 3:1"),
    ('"X"', "error OPK522 3:1"),
    ("GT(DIM_OF(3, 0), 1)", "error OPK522 3:11"),
    ('GT(DIM_OF(Op("Z", "X"), 0), 1)', "error OPK522 3:11"),
    ('Op("A", "X")', "error OPK522 3:1"),
    ('DIM_OF(Operand("X"), 0)', "error OPK522 3:8"),
    ("OPTION_INT(4)", "error OPK522 3:12"),
    ('SELECT(OK, "X", "Y")', "error OPK522 3:12, error OPK522 3:17"),
    ('SELECT(OK, 1, "Y")', "error OPK522 3:15"),
    ('EQ(DTYPE_OF("X"), 4)', "error OPK523 3:1"),
    ('NOT(DTYPE_OF("X"))', "error OPK523 3:5"),
    ('AND(DTYPE_OF("X"), OK)', "error OPK523 3:5"),
    ('REM(STEPSIZE_OF("X"), 2)', "error OPK523 3:5"),
    ('EQ(ABS(DIM_OF("X", 0)), 1)', "error OPK523 3:4"),
    ('GT(ADD(DTYPE_OF("X"), 1), 1)', "error OPK523 3:8"),
    ('IS_POW2(STEPSIZE_OF("X"))', "error OPK523 3:9"),
    ("EQ(SELECT(OK, DType::Int32, 4), DType::Int32)", "error OPK523 3:4"),
    ('DIM_OF("x", 0)', "error OPK525 3:8"),
    ('GT(DIM_OF("Q", 0), DIM_OF("R", 1))', "error OPK525 3:11, error OPK525 3:27"),
    ('DIM_OF("X", 0)', "warning OPK527 3:1"),
    ("1.0f", "warning OPK527 3:1"),
    ('ADD(IS_FLOAT("X"), OK)', "warning OPK527 3:1"),
    ('LT(DTYPE_OF("X"), DType::Float32)', "warning OPK527 3:1"),
    ('EQ(CONSTVAL_INT("X", 1.5), 1)', "warning OPK527 3:22"),
    ('SPLIT_SIZE("I")', "error OPK531 3:12"),
    ('DIM_OF("X", RANK_OF("X"))', "error OPK532 3:13"),
    ('DIM_OF("X", 1.0)', "error OPK532 3:13"),
    ('DIM_OF("X", true)', "error OPK532 3:13"),
    ('EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, DIM_OF("X", 0)), DIM_OF("X", 1))', "error OPK532 3:42"),
    ("EQ(OK, true)", "error OPK533 3:1"),
    ("EQ(MUL(2, 3), 6)", "error OPK533 3:1"),
    ('EQ(CEILDIV(4, 2), DIM_OF("X", 0))', "error OPK533 3:4"),
    ("EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3), 32)", "error OPK533 3:1"),
    ('GT(DIM_OF("X", 0), -1)', "warning OPK534 3:1"),
    ('LT(-1, DIM_OF("X", 0))', "warning OPK534 3:1"),
    ('GE(DIM_OF("X", 0), 0)', "warning OPK534 3:1"),
    ('LT(DIM_OF("X", 0), ZERO_OFFSET_OF("X"))', "warning OPK534 3:20"),
    ('GT(DIM_OF("X", 0), SUB(CONSTVAL_INT("X", 0), 1))', "warning OPK534 3:20"),
    ('GT(NEG(DIM_OF("X", 0)), 4)', "warning OPK535 3:4"),
    ('GT(SUB(DIM_OF("X", 0), DIM_OF("Y", 0)), 4)', "warning OPK535 3:4"),
    ('GT(DIM_OF("X", -1), 2)', "warning OPK536 3:16"),
    ('GT(DIM_OF("X", 8), 2)', "warning OPK536 3:16"),
    ('AND(EQ(RANK_OF("X"), 4), GT(DIM_OF("X", 4), 1))', "warning OPK536 3:29"),
    ('AND(EQ(4, RANK_OF("X")), GT(DIM_OF("X", 5), 1))', "warning OPK536 3:29"),
    ('EQ(DIV(DIM_OF("X", 0), 0), 1)', "error OPK542 3:24"),
    ('EQ(ROUNDUP(DIM_OF("X", 0), 10), 1)', "warning OPK542 3:28"),
    ('EQ(ROUNDUP(ZERO_OFFSET_OF("X"), -2), 1)', "warning OPK542 3:33"),
    ('EQ(ROUNDUP(ZERO_OFFSET_OF("X"), 0), 1)', "warning OPK542 3:33"),
    ('SAME_OP(INPUT_OF("*", 2), "X")', "error OPK542 3:23"),
    ('SAME_OP(INPUT_OF("X", -1), "X")', "error OPK542 3:23"),
    ('EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 4), DIM_OF("X", 0))', "error OPK542 3:42"),
    ('GT(int(DIM_OF("X", 0)), 1)', "error OPK543 3:4"),
    ('!IS_FLOAT("X")', "error OPK543 3:1"),
    ('GT(-DIM_OF("X", 0), 1)', "error OPK543 3:4"),
    ('IS_FLOAT("X") && OK', "error OPK543 3:1"),
    ('GT(DIM_OF("X", 0) + 1, 4)', "error OPK543 3:4"),
    ("size_t(1, 2)", "error OPK521 3:1"),
    ('EXTERNAL_CONSTRAINT("f", "X")', "error OPK522 3:21"),
    ('EXTERNAL_CONSTRAINT(f, INPUT_OF("X", 0))', "error OPK522 3:24"),
    ('IS_OP("X", 4)', "error OPK522 3:12"),
    ("MESSAGE(OK)", "error OPK522 3:9"),
    ('OpVarIn("A")', "error OPK522 3:1"),
    ('LET("X", OK)', "error OPK522 3:1"),
    ('GT(DIM_OF("X", 0), std::numeric_limits<int>::max())', "info OPK544 3:20"),
)
FINE_WHEN = (
    'IS_FLOAT16_ALL("X")',
    'EQ(SUB(DIM_OF("X", 0), DIM_OF("Y", 0)), 4)',
    'AND(GE(DIM_OF("X", 0), DIM_OF("Y", 0)), GT(SUB(DIM_OF("X", 0), DIM_OF("Y", 0)), 4))',
    'AND(GT(DIM_OF("X", 0), 7), GT(SUB(DIM_OF("X", 0), 7), 4))',
    'GT(SUB(RANK_OF("X"), 1), 2)',
    'AND(EQ(RANK_OF("Y"), 4), GT(DIM_OF("X", 4), 1))',
    'EQ(DIV(STEPSIZE_OF("X"), 0), 1)',
    'GT(DIM_OF("X", 0), 2*16)',
    'GT(DIM_OF("X", 0), size_t(4))',
    'EXTERNAL_CONSTRAINT((f<int>), "X", 1, OK)',
    'IS_OP("X", FROM_DEFAULT_PACKAGE("Relu"))',
    'EQ(SELECT(OK, 1, 2u), RANK_OF("X"))',
)
MATCH = (
    ('"X"', "error OPK526 2:1, error OPK525 4:14"),
    ('Op("A", LET("L", "X"))', "error OPK526 2:18, error OPK525 4:14"),
    ('LET("L", Op("A", "X", "Y"))', "warning OPK526 2:1"),
    ('Op("A", "*", "X", "Y")', "error OPK526 2:9"),
    ('Op("A", "X", "Y", LET("L", Op("B", "L")))', "error OPK526 2:23"),
    ('Op("A", "X", "Y", LET("L", Op("B")), LET("L", Op("C")))', "error OPK526 2:42"),
    ('Op("A", "X", "Y", LET("L", LET("K", Op("B"))))', "warning OPK526 2:19"),
    ('Op("A", SELECT(OK, "X", "Y"))', "error OPK522 2:9"),
    ('Op("A", "X", 1, "Y")', "error OPK522 2:14"),
    ('Op(A, "X", "Y")', "info OPK544 2:4"),
    ('Op(4, "X", "Y")', "error OPK522 2:4"),
    ('Op("A", OpVarin("B", "X"), "Y")', "error OPK520 2:9"),
    ('Op("A", "X", "Y", OPCONST(4))', "error OPK522 2:27"),
    ('Op("A", "X", "Y", OPCONST())', "error OPK521 2:19"),
    ("Op()", "error OPK521 2:1"),
    ('Op("A", "X", "Y", LET("*", Op("B")))', "error OPK526 2:23"),
    ('Op("A", "X", "Y", LET(L, Op("B")))', "error OPK522 2:23"),
    ("EQ(1, 2)", "error OPK522 2:1"),
)
FINE_MATCH = (
    'Op("A", "X", "Y", LET("X", Op("B")))',
    'Op("A", "X", "Y", OPCONST("C"))',
)
REPLACE = (
    ('"*"', "error OPK537 4:1"),
    ('Operand("*")', "error OPK537 4:9"),
    ('SELECT(OK, "*", "X")', "warning OPK537 4:12"),
    ('SELECT(IS_FLOAT("X"), SELECT(OK, Op("B"), "*"), "X")', "warning OPK537 4:43"),
    ('Op("B", 1)', "error OPK522 4:9"),
    ('Op("B", DIM_OF("X", 0))', "error OPK522 4:9"),
    ("1", "error OPK522 4:1"),
    ('EQ(DIM_OF("X", 0), 1)', "error OPK522 4:1"),
    ('OpVarIn("B", "X")', "error OPK522 4:1"),
    ('AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "J")))', "warning OPK530 4:14, error OPK529 4:50"),
    ('AUTOSPLIT(3, "I", 32, Op("B", "X"))', "warning OPK530 4:14"),
    ('TYPICAL_SLICE("X", "I")', "error OPK529 4:20"),
    ('AUTOSPLIT(3, "I", SPLIT_SIZE("I"), Op("B", TYPICAL_SLICE("X", "I")))', "error OPK529 4:30"),
    (
        'AUTOSPLIT(3, "I", 32, AUTOSPLIT(2, "I", 8, Op("B", TYPICAL_SLICE("X", "I"))))',
        "warning OPK530 4:14, warning OPK538 4:23, warning OPK530 4:36",
    ),
    (
        'SELECT(IS_FLOAT("X"), AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I"))), '
        'AUTOSPLIT(2, "I", 8, Op("B", TYPICAL_SLICE("X", "I"))))',
        "warning OPK530 4:93",
    ),
    ('AUTOSPLIT(3, I, 32, "X")', "error OPK522 4:14"),
    ('WITH_SIZE("X", AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I"))))', "warning OPK538 4:16"),
    ('Op("B", EXTERNAL_REPLACE(f))', "warning OPK538 4:9"),
    ('EXTERNAL_REPLACE("f")', "error OPK522 4:18"),
    ('WITH_SIZE("Y", "X")', "error OPK539 4:16"),
    ('WITH_SIZE("Y", Operand("X"))', "warning OPK539 4:16"),
    ('WITH_SAME_OUTPUT("Y", gen_ConstScalar_f32(1.0f))', "warning OPK539 4:23"),
    ('WITH_TYPE(Op("C", "X"), Op("B", "X"))', "warning OPK540 4:11"),
    ('WITH_TYPE(gen_Shape(1, 2), Op("B", "X"))', "warning OPK540 4:11"),
    ('WITH_SIZE("Y", WrapOp("B", "X"))', "warning OPK539 4:1"),
    ("gen_ShapeOf(gen_Shape(1))", "warning OPK540 4:1"),
    ('Op("B", gen_ShapeOf(Op("C")))', "warning OPK540 4:21"),
    ('OP_ITER("X", "I", 0, 4, "Y")', "error OPK540 4:9"),
    ('OP_ITER(INPUT_OF("X", 0), "I", 0, 4, "Y")', "error OPK540 4:9"),
    ('OP_ITER(Op("C"), "I", 4, 4, "Y")', "warning OPK542 4:26"),
    ('ResizeDim(3, DIM_OF("X", 0), Op("B", "X"))', "error OPK532 4:14"),
    ('ResizeDim(3, 32, "X")', "error OPK539 4:18"),
    ('WITH_MULTI_OUT(OUTPUTS_OF("X"), Op("B"))', "error OPK532 4:16"),
    ('OpMultiOut(1, 0, "B", "X")', "error OPK542 4:12"),
    ('OpMultiOut(2, 2, "B", "X")', "error OPK542 4:15"),
    ('WITH_SPLIT_HISTORY("X", RANK_OF("X"), Op("B", "X"))', "error OPK532 4:25"),
    ('WITH_OUTPUT_TYPE(4, 0, 1.0f, Op("B", "X"))', "error OPK523 4:18"),
    ('WITH_OUTPUT_TYPE(DType::Float32, 3, 1.0f, Op("B", "X"))', "warning OPK542 4:34"),
    ('WITH_OUTPUT_TYPE(DType::QUInt8, 300, 0.0f, Op("B", "X"))', "warning OPK542 4:33, warning OPK542 4:38"),
    ("gen_Shape(1.5f, 1)", "error OPK523 4:11, warning OPK527 4:11"),
    ('gen_Shape(STEPSIZE_OF("X"), 1)', "warning OPK527 4:11"),
    ("gen_Shape(1,1,1,1,1,1,1,1,1)", "error OPK542 4:1"),
    ("gen_ConstMat_i32(3, 1, 2)", "error OPK542 4:18"),
    ('Op(FROM_DEFAULT_PACKAGE("q::Relu"), "X")', "error OPK541 4:25"),
    ('Op(FROM_DEFAULT_PACKAGE("$Out"), "X")', "warning OPK541 4:25"),
    ('Op("B", FROM_DEFAULT_PACKAGE("X"))', "error OPK522 4:9"),
    ('AUTOSPLIT(9, "I", 32, Op("B", TYPICAL_SLICE("X", "I")))', "error OPK542 4:11"),
    ('AUTOSPLIT(3, "I", 0, Op("B", TYPICAL_SLICE("X", "I")))', "error OPK542 4:19"),
    ('AUTOSPLIT_REDUCE(3, "I", Op("B", TYPICAL_SLICE("X", "I")))', "warning OPK540 4:34"),
    ('AUTOTHREAD_HVX(DIM_OF("X", 0), "I", Op("B", TYPICAL_SLICE("X", "I")))', "error OPK532 4:16"),
    ('WITH_SIZE("Q", Op("B", "R"))', "error OPK525 4:11, error OPK525 4:24"),
    ('AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE(Op("C", "X"), "I")))', "warning OPK540 4:45"),
    (
        'AUTOSPLIT(3, "I", 32, Op("B", AUTOSPLIT_SLICE("X", gen_Shape(SPLIT_START("I")), Op("C"))))',
        "warning OPK540 4:81",
    ),
    ('AUTOSPLIT(1, "I", 8, Op("B", CHANGEDIM_SLICE("X", "I", 9)))', "error OPK542 4:56"),
    ('Op("B", SELECT(OK, 1, 2))', "error OPK522 4:20, error OPK522 4:23"),
    ('Op("B", NOPE("X"))', "error OPK520 4:9"),
    ('SELECT(OK, "X")', "error OPK521 4:1"),
)
FINE_REPLACE = (
    'WITH_SIZE("Y", SELECT(OK, "X", Op("B")))',
    'WITH_SIZE(gen_Shape(1, 2), Op("B", "X"))',
    'WITH_SAME_ID("Y", WrapOp("B", "X"))',
    'WITH_SIZE("Y", WrapOp("B", Op("C", "X")))',
    'OP_ITER(Op("C"), "I", 0, INPUTS_OF("X"), ITER_INPUT_OF("X", "I"))',
    'OpMultiOut(2, SUB(2, 1), "B", "X")',
    'WITH_SPLIT_HISTORY("X", 1, Op("B", "X"))',
    'WITH_OUTPUT_TYPE(DTYPE_OF("X"), ZERO_OFFSET_OF("X"), STEPSIZE_OF("X"), Op("B", "X"))',
    "gen_ConstMat_i32(2, 1, 2, 3, 4)",
    'AUTOSPLIT_REDUCE(3, "I", Op("B", TYPICAL_SLICE_REDUCE("X", "I")))',
    'WITH_MEMOS("X", Op("B"))',
    'CAST_TO_FP16("X")',
    'MAKE_OP_FP16_AND_INSERT_CAST(Op("B", CAST_TO_FP16("X")))',
    'SHAPE_FROM_DIMS("X", 3)',
    'Op("B", SHAPEFN_APPLY(f, "X", 3, DIM_OF("X", 0), SELECT(OK, "X", "Y"), SELECT(OK, 1, 2), gen_Shape(1)))',
    'MARK_REPLACEABLE_QCONST("X")',
)


def found(**parts: str) -> str:
    return ", ".join(f"{severity} {id} {line}:{column}" for severity, id, line, column in short(own(checked(**parts))))


@pytest.mark.parametrize(("text", "expected"), WHEN)
def test_constraints(text, expected):
    assert found(when=text) == expected


@pytest.mark.parametrize(("text", "expected"), MATCH)
def test_patterns(text, expected):
    assert found(match=text) == expected


@pytest.mark.parametrize(("text", "expected"), REPLACE)
def test_replacements(text, expected):
    assert found(replace=text) == expected


@pytest.mark.parametrize(
    ("part", "text"),
    [("when", text) for text in FINE_WHEN]
    + [("match", text) for text in FINE_MATCH]
    + [("replace", text) for text in FINE_REPLACE],
)
def test_fine(part, text):
    checked_rule = checked(**{part: text})
    assert own(checked_rule) == []
    assert len(checked_rule.rules) == 1
