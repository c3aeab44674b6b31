"""Rows: macros of constraints, each with what it stands for."""

from __future__ import annotations

from opkg.rules.constructs.model import Construct
from opkg.rules.constructs.rows import scalar

_SHAPE = "From the shape in `qhpi_op_output`."
_TYPE = "From the element type in `qhpi_op_output`."
_QUANT = "From `qhpi_op_output`."
_DIM = "As DIM_OF: a size, and 0 when the rank is smaller."

_TYPES = (
    ("IS_QUINT8", "QUInt8", True),
    ("IS_QINT8", "QInt8", True),
    ("IS_QUINT16", "QUInt16", True),
    ("IS_QINT16", "QInt16", True),
    ("IS_QINT32", "QInt32", True),
    ("IS_INT32", "Int32", True),
    ("IS_FLOAT16", "Float16", True),
    ("IS_FLOAT32", "Float32", True),
    ("IS_INT64", "Int64", False),
)
_DIMS = (
    ("DIM_BATCHES", 0, "batches", True),
    ("DIM_HEIGHT", 1, "height", True),
    ("DIM_WIDTH", 2, "width", True),
    ("DIM_DEPTH", 3, "depth (channels)", True),
    ("DIM_FILTHEIGHT", 0, "filter height", True),
    ("DIM_FILTWIDTH", 1, "filter width", True),
    ("DIM_FILTDEPTH", 2, "filter depth", True),
    ("DIM_NFILTS", 3, "number of filters", True),
    ("DIM_CHANNEL", 4, "channels of a rank-5 tensor", False),
    ("MAX_SPARSE_ELEMENTS", 7, "greatest number of elements of a sparse tensor", False),
)
_SYMMETRIC = ("QInt8", "QInt16", "QInt32")
_ALL = (("IS_FLOAT16_ALL", "Float16"), ("IS_FLOAT32_ALL", "Float32"), ("IS_BFLOAT16_ALL", "BFloat16"))


def _any_of(tags: tuple[str, ...]) -> str:
    return f"OR({', '.join(f'EQ(DTYPE_OF(x), DType::{tag})' for tag in tags)})"


def _is(name: str, tag: str, published: bool) -> Construct:
    return scalar(name, "x: operand", "bool", f"Whether the element type is {tag}.", published=published, qhpi=_TYPE,
                  expansion=f"EQ(DTYPE_OF(x), DType::{tag})")  # fmt: skip


ROWS = (
    *(_is(*row) for row in _TYPES),
    scalar("IS_FLOAT", "x: operand", "bool", "Whether the element type is Float32.", expansion="IS_FLOAT32(x)",
           qhpi=_TYPE,
           trap="Float16 is no float to it."),
    scalar("IS_FLOAT16_BOTH", "x: operand, y: operand", "bool", "Whether both element types are Float16.",
           published=False,
           expansion="AND(IS_FLOAT16(x), IS_FLOAT16(y))", qhpi=_TYPE),
    scalar("IS_DTYPE_ALL", "type: dtype, xs: operand+1", "bool", "Whether all operands have the element type.",
           since="2.43",
           published=False, qhpi=_TYPE),
    *(scalar(name, "xs: operand+1", "bool", f"Whether all operands have the element type {tag}.", since="2.43",
             published=False, qhpi=_TYPE) for name, tag in _ALL),
    scalar("IS_QUANT_TYPE", "x: operand", "bool", "Whether the element type is one of the five quantized ones.",
           published=False,
           qhpi=_TYPE, expansion=_any_of(("QUInt8", "QInt8", "QUInt16", "QInt16", "QInt32"))),
    scalar("IS_QUANT_SIGNED", "x: operand", "bool", "Whether the element type is quantized and signed.",
           published=False,
           assumed=True, qhpi=_TYPE, expansion=_any_of(_SYMMETRIC)),
    scalar("IS_SIGNED_SYMM", "x: operand", "bool", "Quantized, signed, and zero offset 0.", published=False,
           assumed=True,
           qhpi=_QUANT, expansion="AND(IS_QUANT_SIGNED(x), EQ(ZERO_OFFSET_OF(x), 0))"),
    *(scalar(f"IS_{tag.upper()}_SYMM", "x: operand", "bool", f"{tag} with zero offset 0.", published=False,
    assumed=True,
             qhpi=_QUANT, expansion=f"AND(EQ(DTYPE_OF(x), DType::{tag}), EQ(ZERO_OFFSET_OF(x), 0))")
      for tag in _SYMMETRIC),
    *(scalar(name, "x: operand", "size", f"Dimension {index}: {text}.", expansion=f"DIM_OF(x, {index})",
    published=published,
             qhpi=_SHAPE, trap=_DIM) for name, index, text, published in _DIMS),
    scalar("IS_FULLY_CONNECT_WEIGHT", "x: operand", "bool", "Whether the first two dimensions are 1, as weights of "
           "a fully connected layer have them.",
           published=False, assumed=True, qhpi=_SHAPE, expansion="AND(EQ(DIM_OF(x, 0), 1), EQ(DIM_OF(x, 1), 1))"),
    scalar("IS_EMPTY_DIM", "x: operand, index: integer constant", "bool", "Whether one dimension is 0.",
           published=False,
           assumed=True, qhpi=_SHAPE, expansion="EQ(DIM_OF(x, index), 0)"),
    scalar("IS_EMPTY", "x: operand", "bool", "Whether one of the four dimensions is 0.", published=False,
           assumed=True, qhpi=_SHAPE,
           expansion=f"OR({', '.join(f'EQ(DIM_OF(x, {i}), 0)' for i in range(4))})"),
    scalar("IS_SCALAR", "x: operand", "bool", "Whether all four dimensions are 1.", published=False, assumed=True,
           qhpi=_SHAPE,
           expansion=f"AND({', '.join(f'EQ(DIM_OF(x, {i}), 1)' for i in range(4))})"),
    scalar("IS_NOT_SCALAR", "x: operand", "bool", "Whether one of the four dimensions is not 1.", published=False,
           assumed=True,
           qhpi=_SHAPE, expansion="NOT(IS_SCALAR(x))"),
    scalar("IS_SHAPE_1x1x1xd", "x: operand", "bool", "Whether all dimensions but depth are 1.", published=False,
           assumed=True,
           qhpi=_SHAPE, expansion=f"AND({', '.join(f'EQ(DIM_OF(x, {i}), 1)' for i in range(3))})"),
    scalar("IS_1HD_H1D", "args: argument*", "bool", "A test of shapes. Its expansion is not published.",
           published=False,
           qhpi="None: write the comparison of dimensions."),
    scalar("MIN_QU8", "x: operand", "float", "The least number that an unsigned 8-bit output can hold.",
           published=False, assumed=True,
           qhpi=_QUANT, expansion="MUL(FLOAT(SUB(0, ZERO_OFFSET_OF(x))), STEPSIZE_OF(x))"),
    scalar("MAX_QU8", "x: operand", "float", "The greatest number that an unsigned 8-bit output can hold.",
           published=False, assumed=True,
           qhpi=_QUANT, expansion="MUL(FLOAT(SUB(255, ZERO_OFFSET_OF(x))), STEPSIZE_OF(x))"),
    scalar("SUBS", "args: argument*", "size", "A difference of the SDK's headers. Its expansion is not published.",
           published=False,
           qhpi="None: write SUB."),
    scalar("SHOULD_TILE", "args: argument*", "bool", "Whether a tensor is to be tiled. Its expansion is not "
           "published.", published=False,
           qhpi="None: write the comparison of sizes."),
)  # fmt: skip
