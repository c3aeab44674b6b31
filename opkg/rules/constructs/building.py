"""Rows: replacements that build ops, shapes and constants, modifiers, calls of C++ functions."""

from __future__ import annotations

from opkg.rules.constructs.rows import replacement

_CONST = "`qhpi_op_create_constant`"
_SHAPE = "`qhpi_op_create_shape`"
_OUT = "The output definition that is given to `qhpi_op_create`."
_NO_ID = "None: new ops get identities by themselves."
_LAST = (
    "Its last operand must build an op: a bare tag does not compile, and around nodes that are already there it "
    "does nothing."
)
_REFERENCE = "The reference is evaluated on its own: an op that is built there exists twice."
_FUNCTION = "None: the function takes the classic interface's objects. Write it over `qhpi_op_*`."
_DEVICE = "The function must stand under `#ifndef PREPARE_DISABLED`, since devices build no rules."

ROWS = (
    replacement("Operand", "tag: tag", "node", "The node under a tag. A string alone means the same.",
                qhpi="The op reference."),
    replacement("Op", "op: op name, inputs: replacement*", "op",
                "A new op. Its output has the type and shape that the nearest modifier says, else those of the "
                "replaced root.",
                qhpi="`qhpi_op_create`",
                trap="Ops that stand as inputs of other ops get the root's output too unless a modifier says "
                "otherwise."),
    replacement("WrapOp", "op: op name, inner: replacement", "op",
                "A new op on `inner` with the same output as `inner`; when `inner` is that op already, `inner` "
                "itself.",
                qhpi="`qhpi_op_create` after a look at `qhpi_op_name`."),
    replacement("WrapOpAlways", "op: op name, inner: replacement", "op",
                "A new op on `inner` with the same output as `inner`.",
                qhpi="`qhpi_op_create`"),
    replacement("OpMultiOut", "outputs: integer constant, index: integer constant, op: op name, inputs: "
                "replacement*", "op",
                "Output `index` of a new op that has `outputs` outputs.",
                qhpi="`qhpi_op_create` with that many output definitions.",
                trap="Both numbers must be C++ constants, with at least 2 outputs and an index below their number."),
    replacement("gen_Shape", "dims: count*", "shape", "A node that is only a shape.", qhpi=_SHAPE,
                trap="At most 8 dimensions; a float constant does not compile, computed floats lose their fraction."),
    replacement("gen_ShapeOf", "x: shape", "shape", "A node that is only the shape of another.", qhpi=_SHAPE,
                trap="Around a shape construction it changes nothing."),
    replacement("gen_ConstScalar_f32", "value: float", "constant", "A float32 constant of shape [1,1,1,1].",
                qhpi=_CONST),
    replacement("gen_ConstScalar_i32", "value: count", "constant", "An int32 constant of shape [1,1,1,1].",
                qhpi=_CONST),
    replacement("CONST_ZERO_OFF", "x: operand", "constant", "The operand's zero offset as an int32 constant.",
                published=False, qhpi=_CONST, expansion="gen_ConstScalar_i32(ZERO_OFFSET_OF(x))"),
    replacement("gen_ConstArr_f32", "value: float, n: count", "constant",
                "A float32 constant of shape [1,1,1,n], filled.", qhpi=_CONST),
    replacement("gen_ConstArr_i32", "value: count, n: count", "constant",
                "An int32 constant of shape [1,1,1,n], filled.", qhpi=_CONST),
    replacement("gen_ConstArr_vals_i32", "values: count+1", "constant",
                "An int32 constant of shape [1,1,1,n] with these values.", qhpi=_CONST),
    replacement("gen_ConstMat_i32", "w: count, values: count+1", "constant",
                "An int32 constant with these values in w rows: shape [1,1,w,n/w].", published=False, qhpi=_CONST),
    replacement("SELECT", "condition: bool, then: replacement, otherwise: replacement", "node",
                "One of two replacements; only the chosen one is built.", qhpi="`if`",
                trap="Both arms must be nodes: a number beside an operand does not compile."),
    replacement("WITH_SIZE", "x: shape, body: op construction", "op",
                "Ops in `body` have the rank and dimensions of `x`.", qhpi=_OUT,
                trap=_LAST + " " + _REFERENCE),
    replacement("WITH_TYPE", "x: reference, body: op construction", "op",
                "Ops in `body` have the element type and quantization of `x`.", qhpi=_OUT,
                trap=_LAST + " " + _REFERENCE),
    replacement("WITH_SAME_OUTPUT", "x: reference, body: op construction", "op",
                "Ops in `body` have shape, element type and quantization of `x`.", qhpi=_OUT,
                trap=_LAST + " " + _REFERENCE),
    replacement("WITH_OUTPUT_TYPE", "type: dtype, zero_offset: count, step_size: float, body: op construction", "op",
                "Ops in `body` have this element type and quantization; 0 and 1.0f for types that are not "
                "quantized.", qhpi=_OUT,
                trap="A number is no element type: write `DTYPE(4)` or the tag. " + _LAST),
    replacement("WITH_MULTI_OUT", "outputs: integer constant, body: op construction", "op",
                "Ops in `body` have that many outputs; `$Out` ops select them.",
                qhpi="`qhpi_op_create` with that many output definitions.",
                trap="The number must be a C++ constant. " + _LAST),
    replacement("ResizeDim", "dim: integer constant, size: integer constant, body: op construction", "op",
                "Ops in `body` have `size` as dimension `dim`.", qhpi=_OUT,
                trap="Both numbers must be C++ constants, whatever the grammar says. " + _LAST),
    replacement("WITH_SAME_ID", "x: reference, body: op construction", "op",
                "Ops in `body` keep the identity of `x`.", qhpi=_NO_ID, trap=_LAST),
    replacement("WITH_SPLIT_HISTORY", "x: reference, dim: integer constant?, body: op construction", "op",
                "Ops in `body` take over the split history of `x`; with `dim`, a new record of a split along it is "
                "added.",
                qhpi="None: QHPI keeps no split history.", trap="`dim` must be a C++ constant. " + _LAST),
    replacement("WITH_MEMOS", "x: reference, body: op construction", "op",
                "Ops in `body` take over what was noted on `x`.", since="2.43",
                published=False, qhpi=_NO_ID, trap=_LAST),
    replacement("INHERIT_MEMOS_FROM", "x: reference, body: op construction", "op",
                "Ops in `body` inherit what was noted on `x`.",
                since="2.43", published=False, qhpi=_NO_ID, trap=_LAST),
    replacement("EXTERNAL_REPLACE", "function: C++ function", "node",
                "A C++ function makes the whole replacement; when it returns the old op, nothing changes.",
                where="At the root of a replacement, or in a SELECT there.", qhpi=_FUNCTION, trap=_DEVICE),
    replacement("SHAPEFN_APPLY", "function: C++ function, args: argument*", "shape",
                "What a C++ function makes of nodes and scalars: a shape, or a constant.", qhpi=_FUNCTION,
                trap=_DEVICE),
    replacement("MARK_REPLACEABLE_QCONST", "x: replacement", "node",
                "The node, marked so that a quantized constant may later be replaced.", published=False,
                qhpi="The node; there is no such mark."),
)  # fmt: skip
