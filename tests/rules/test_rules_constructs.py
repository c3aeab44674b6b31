"""The table of constructs: complete, consistent, and the page that is written from it."""

from pathlib import Path

import pytest

from opkg.rules import core
from opkg.rules.constructs import CONSTRUCTS, FAMILIES, ContextKind, Kind, names, row_of, rows_of
from opkg.rules.constructs.model import Param, signature, version
from opkg.rules.constructs.page import reference_page
from opkg.rules.elaborate import rule as _rule  # noqa: F401 - fills the tables of readers and builders
from opkg.rules.elaborate.take import BUILD, TAKE, expansion
from opkg.rules.splitters import splitter
from opkg.rules.syntax import Call, Name, Node

ROOT = Path(__file__).parents[2]
ROWS = [row for rows in CONSTRUCTS.values() for row in rows]
# All quoted names of the published grammar, by what it calls them.
PUBLISHED = {
    "match": "Op OpVarIn LET",
    "constants": "OK true false INF NEG_INF LAYOUT_CHUNKSIZE",
    "options": "OPTION_INT OPTION_UINT OPTION_BOOL OPTION_FLOAT",
    "operators": "UINT INT FLOAT DTYPE NOT NEG ABS IS_POW2 SELECT ROUNDUP AND OR XOR ADD MUL MIN MAX SUB DIV REM "
    "MOD EQ NE LT GT LE GE",
    "properties": "RANK_OF DIM_OF STEPSIZE_OF DTYPE_OF ELEMENTSIZE_OF INPUTS_OF OUTPUTS_OF INPUT_OF OUTPUT_OF",
    "relations": "SAME_ENCODING SAME_OP SAME_SHAPE",
    "values": "CONSTVAL_INT CONSTVAL_INT_VALID CONSTVAL_FLOAT CONSTVAL_FLOAT_VALID",
    "split variables": "SPLIT_DIM SPLIT_START SPLIT_SIZE ITER_VAR",
    "functions": "EXTERNAL_CONSTRAINT EXTERNAL_REPLACE SHAPEFN_APPLY AUTOSPLIT_SHAPEFN_APPLY",
    "types": "IS_QUINT8 IS_QINT8 IS_QUINT16 IS_QINT16 IS_QINT32 IS_INT32 IS_FLOAT16 IS_FLOAT32 IS_FLOAT",
    "dimensions": "DIM_BATCHES DIM_HEIGHT DIM_WIDTH DIM_DEPTH DIM_FILTHEIGHT DIM_FILTWIDTH DIM_FILTDEPTH DIM_NFILTS",
    "building": "Operand WrapOp WrapOpAlways gen_Shape gen_ShapeOf gen_ConstScalar_f32 gen_ConstScalar_i32 gen_ConstArr_f32 "
    "gen_ConstArr_i32 gen_ConstArr_vals_i32 AUTOSPLIT OP_ITER ITER_INPUT_OF OpMultiOut",
    "modifiers": "WITH_SIZE WITH_TYPE WITH_SAME_OUTPUT WITH_OUTPUT_TYPE WITH_MULTI_OUT ResizeDim WITH_SAME_ID WITH_SPLIT_HISTORY",
    "slices": "AUTOSPLIT_SLICE TYPICAL_SLICE CHANGEDIM_SLICE",
}
BEYOND = """
    DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS FROM_DEFAULT_PACKAGE OPCONST ZERO_OFFSET_OF DATA_SIZE IS_OP
    PRODUCER_FOR MESSAGE MESSAGE_IF MESSAGE_IFNOT MESSAGE_VALUE CEILDIV LCM BIT_AND BIT_OR ROUNDDOWN
    IS_DTYPE_ALL IS_FLOAT16_ALL IS_FLOAT32_ALL IS_BFLOAT16_ALL IS_INT64 IS_QUANT_TYPE IS_QUANT_SIGNED
    IS_SIGNED_SYMM IS_QINT8_SYMM IS_QINT16_SYMM IS_QINT32_SYMM IS_FULLY_CONNECT_WEIGHT IS_FLOAT16_BOTH
    DIM_CHANNEL MAX_SPARSE_ELEMENTS IS_EMPTY_DIM IS_EMPTY IS_SCALAR IS_NOT_SCALAR IS_SHAPE_1x1x1xd IS_1HD_H1D
    MIN_QU8 MAX_QU8 SUBS TILE_HEIGHT CHANNEL_SPLIT_SIZE MIN_CHANNEL_SPLIT_SIZE TCM_MAXTENSOR_SIZE
    TCM_MAXTENSOR_SIZE_HALF SHOULD_TILE CONST_ZERO_OFF CAST_TO_FP16 MAKE_OP_FP16_AND_INSERT_CAST REARRANGE_HWC
    SHAPE_FROM_HWC SAME_QUANT SAME_DTYPE_QUANT AUTOTHREAD_HVX AUTOTHREAD_HMX AUTOSPLIT_FIRST AUTOSPLIT_REDUCE
    TYPICAL_SLICE_REDUCE TYPICAL_CONV_SLICE gen_ConstMat_i32 MARK_REPLACEABLE_QCONST WITH_MEMOS
    INHERIT_MEMOS_FROM DEF_OPT DEF_AUTOSPLIT DEF_TENSOR_PROPERTIES DEF_PACKAGE_OP
    DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS DEF_PACKAGE_PARAM_ORDER
"""  # what real rules and headers have besides


@pytest.mark.parametrize("group", PUBLISHED)
def test_the_published_language_is_there(group):
    assert {name for name in PUBLISHED[group].split() if not any(row.published for row in rows_of(name))} == set()


def test_what_real_rules_use_is_there():
    assert {name for name in BEYOND.split() if not rows_of(name)} == set()


def test_element_types_are_those_of_core():
    tags = {row.name.removeprefix("DType::") for row in ROWS if row.name.startswith("DType::")}
    assert {tag.upper() for tag in tags} == {type.name.upper() for type in core.HtpType}


def test_select_stands_in_three_contexts():
    assert {row.context for row in rows_of("SELECT")} == {
        ContextKind.SCALAR,
        ContextKind.OPERAND,
        ContextKind.REPLACEMENT,
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.context}")
def test_rows_are_whole(row):
    assert row.meaning.endswith(".")
    assert not row.trap or row.trap.endswith(".")
    assert row.qhpi
    assert [other for other in rows_of(row.name) if other.context is row.context] == [row]
    if row.context is not ContextKind.RULE:
        assert all(param.kind in TAKE for param in row.params)
        assert sum(param.least != param.most for param in row.params) <= 1


def leaves(node: Node) -> set[str]:
    if isinstance(node, Call):
        return set().union({node.name}, *map(leaves, node.args))
    return {node.text} if isinstance(node, Name) else set()


@pytest.mark.parametrize("row", [row for row in ROWS if row.expansion], ids=lambda row: row.name)
def test_expansions_parse_and_use_their_parameters(row):
    used = leaves(expansion(row.expansion))
    params = {param.name for param in row.params}
    assert params <= used
    assert all(rows_of(name) or name in params or splitter(name) for name in used)


def test_every_builder_has_a_row():
    assert [key for key in BUILD if row_of(key[1], key[0]) is None] == []


def test_modifiers_and_splits_are_those_of_core():
    for kinds in (core.ModifierKind, core.SplitMethod, core.GenKind):
        assert all(row_of(str(kind), ContextKind.REPLACEMENT) for kind in kinds)
    for kinds in (core.PropertyKind, core.RelationKind, core.ConstValKind, core.SplitKind):
        assert all(row_of(str(kind), ContextKind.SCALAR) for kind in kinds)


def test_signatures_tell_which_parameter_an_argument_is_for():
    row = row_of("WITH_SPLIT_HISTORY", ContextKind.REPLACEMENT)
    assert row is not None
    assert [row.param(i, 2).name for i in range(2)] == ["x", "body"]
    assert [row.param(i, 3).name for i in range(3)] == ["x", "dim", "body"]
    assert (row.least, row.most) == (2, 3)
    add = row_of("ADD", ContextKind.SCALAR)
    assert add is not None
    assert (add.least, add.most, add.param(7, 9).name) == (2, None, "terms")
    assert signature("x: operand, rest: number+2, last: op construction") == (
        Param("x", Kind.OPERAND), Param("rest", Kind.NUMBER, 2, None), Param("last", Kind.OP)
    )  # fmt: skip
    with pytest.raises(ValueError, match="no parameter"):
        signature("x operand")


def test_versions():
    assert version("2.25") < version("2.43.1.250101") < version("") == version("new")
    row = row_of("WITH_MEMOS", ContextKind.REPLACEMENT)
    assert row is not None
    assert row.missing_in("2.25") == "exists since SDK 2.43"
    assert row.missing_in("2.43") == row.missing_in("") == ""


def test_families_and_prefix():
    assert rows_of("oExp::CEILDIV") == rows_of("CEILDIV")
    assert rows_of("SHAPE_FROM_XYZ")[0].name == "SHAPE_FROM_XYZ"
    assert rows_of("SHAPE_FROM_") == ()
    assert {row.name for row in FAMILIES} == {"CAST_TO_", "REARRANGE_", "SHAPE_FROM_"}
    assert "OK" in names(ContextKind.SCALAR, bare=True)
    assert "OK" not in names(ContextKind.SCALAR, bare=False)


def test_the_page_is_that_of_the_table():
    assert (ROOT / "docs" / "rules-reference.md").read_text("utf-8") == reference_page()
    assert all(f"`{row.name}" in reference_page() for row in ROWS)
