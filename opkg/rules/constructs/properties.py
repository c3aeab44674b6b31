"""Rows: properties of operands, relations between them, constant values, and ways to name an operand."""

from __future__ import annotations

from opkg.rules.constructs.rows import operand, scalar

_OUTPUT = "From the output definition, `qhpi_op_output`."
_FLAT = "`qhpi_op_is_constant` and `qhpi_op_constant_data`, the element read by its type."
_SIZE = "A size is unsigned: compare it with numbers that are not negative, and mind that differences wrap."

ROWS = (
    scalar("RANK_OF", "x: operand", "size", "Number of dimensions.", qhpi=_OUTPUT,
           trap="Ranks below 4 may have been padded in front to 4 before rules see them. " + _SIZE),
    scalar("DIM_OF", "x: operand, index: integer constant", "size",
           "Extent of one dimension, counted from 0 at the outermost.",
           qhpi=_OUTPUT,
           trap="The index must be a plain integer: a computed one, a bool or a float does not compile. An index "
           "past the "
           "rank gives 0, but an index equal to the rank is not caught and reads what lies behind. " + _SIZE),
    scalar("STEPSIZE_OF", "x: operand", "float", "Step size (scale) of a quantized output; 1.0 by convention for "
           "others.", qhpi=_OUTPUT),
    scalar("ZERO_OFFSET_OF", "x: operand", "int", "Zero offset of a quantized output.", published=False, qhpi=_OUTPUT,
           trap="0 for a node with several outputs."),
    scalar("DTYPE_OF", "x: operand", "dtype", "Element type of the output.", qhpi=_OUTPUT,
           trap="QHPI callbacks see signed fixed point as unsigned; rules see the graph's type."),
    scalar("ELEMENTSIZE_OF", "x: operand", "size", "Bytes of one element.", qhpi="From the element type.",
           trap=_SIZE),
    scalar("INPUTS_OF", "x: operand", "size", "Number of inputs of the op.", qhpi="`qhpi_op_num_inputs`", trap=_SIZE),
    scalar("OUTPUTS_OF", "x: operand", "int", "Number of outputs of the op.", qhpi="`qhpi_op_num_outputs`"),
    scalar("DATA_SIZE", "x: operand", "int64", "Bytes of the output's data.", published=False,
           qhpi="Product of the shape and the element's bytes."),
    scalar("SAME_OP", "x: operand, y: operand", "bool", "Whether both are the same node.",
           qhpi="Compare op pointers and output numbers.",
           trap="Two nodes that a later merge of common subexpressions makes one are still two."),
    scalar("SAME_ENCODING", "x: operand, y: operand", "bool", "Same element type and, when quantized, same step "
           "size and zero offset.", qhpi=_OUTPUT),
    scalar("SAME_SHAPE", "x: operand, y: operand", "bool", "Same rank and same dimensions.", qhpi=_OUTPUT,
           trap="The published text expands it to the first four dimensions; the headers compare the whole shape."),
    scalar("SAME_QUANT", "x: operand, y: operand", "bool", "Same step size and zero offset.", published=False,
           assumed=True, qhpi=_OUTPUT,
           expansion="AND(EQ(STEPSIZE_OF(x), STEPSIZE_OF(y)), EQ(ZERO_OFFSET_OF(x), ZERO_OFFSET_OF(y)))"),
    scalar("SAME_DTYPE_QUANT", "x: operand, y: operand", "bool", "Same element type, step size and zero offset.",
           published=False, assumed=True, qhpi=_OUTPUT,
           expansion="AND(EQ(DTYPE_OF(x), DTYPE_OF(y)), EQ(STEPSIZE_OF(x), STEPSIZE_OF(y)), EQ(ZERO_OFFSET_OF(x), "
           "ZERO_OFFSET_OF(y)))"),
    scalar("IS_OP", "x: operand, op: op name", "bool", "Whether the node is an op of that name.", published=False,
           qhpi="Compare `qhpi_op_name`."),
    scalar("PRODUCER_FOR", "x: operand, op: op name", "bool", "Whether some op of that name reads the node.",
           published=False, qhpi="`qhpi_op_producer_for`"),
    scalar("CONSTVAL_INT", "x: operand, index: count, column: count?", "int",
           "An element of a constant, by its flat index or by row and column.", qhpi=_FLAT,
           trap="The least int when the node is no constant, the index is out of range, or the value is no 32-bit "
           "integer: ask CONSTVAL_INT_VALID first."),
    scalar("CONSTVAL_INT_VALID", "x: operand, index: count, column: count?", "bool",
           "Whether CONSTVAL_INT would succeed.", qhpi=_FLAT),
    scalar("CONSTVAL_FLOAT", "x: operand, index: count", "float", "An element of a constant, by its flat index.",
           qhpi=_FLAT,
           trap="NaN when it fails, and every comparison with NaN but NE is false: ask CONSTVAL_FLOAT_VALID first. "
           "It has no form with row and column."),
    scalar("CONSTVAL_FLOAT_VALID", "x: operand, index: count", "bool", "Whether CONSTVAL_FLOAT would succeed.",
           qhpi=_FLAT),
    operand("INPUT_OF", "x: operand, index: count", "The node that makes input `index` of the node.",
            qhpi="`qhpi_op_input`",
            trap="An index that is out of range is undefined behaviour: ask INPUTS_OF first."),
    operand("OUTPUT_OF", "x: operand, index: count",
            "Output `index` of an op with several outputs, given as the op or as any of its `$Out` nodes.",
            qhpi="The op reference with that output number.", trap="Index 0 of an op with one output is the op "
            "itself."),
    operand("SELECT", "condition: bool, then: operand, otherwise: operand",
            "One of two nodes that are already there.", qhpi="`?:` on op references",
            trap="Both arms must be operands."),
)  # fmt: skip
