"""Rows: splits, iterations, slices, and macros of replacements."""

from __future__ import annotations

from opkg.rules.constructs.model import Construct
from opkg.rules.constructs.rows import replacement

_ROOT = "At the root of a replacement, or in a SELECT there; elsewhere it works today, against the published text."
_INSIDE = "Inside the last operand of the AUTOSPLIT or OP_ITER with the tag."
_LOOP = "A loop of `qhpi_op_slice` and `qhpi_op_create`, joined by `qhpi_op_concat`."
_AGAIN = "The parts are ops that the rule may match again: let the constraint ask for a size that a part no longer has."
_HVX_THREADS = "As AUTOSPLIT; the number of threads is the option `hvx_threads`."
_HMX_THREADS = "None: the number of HMX threads cannot be read. Use AUTOSPLIT with a size."
_REDUCED = "None: tensors have at least four dimensions in QHPI, a part cannot lose one."
_SLICE = "`qhpi_op_slice`"
_TWICE = "Its first operand should be a node that is there: one that is built may be built twice."
_QNN_CAST = 'FROM_DEFAULT_PACKAGE("QNN_Cast")'


def _cast(dtype: str, op: str) -> str:
    """`op` with an output of an element type that is not quantized."""
    return f"WITH_OUTPUT_TYPE({dtype}, 0, 1.0f, {op})"


_CONV = (
    "AUTOSPLIT_SLICE(x, AUTOSPLIT_SHAPEFN_APPLY(conv_valid_split_start, split, x, stride), "
    "AUTOSPLIT_SHAPEFN_APPLY(conv_valid_split_size, split, x, stride, window, 1))"
)
_CAST = "`qhpi_op_create` of the core package's cast."
_UNKNOWN = "None: its expansion is not published. Write it out."


def _opaque(name: str, params: str, result: str, meaning: str) -> Construct:
    return replacement(
        name, params, result, f"{meaning} Its expansion is not published.", published=False, qhpi=_UNKNOWN
    )


ROWS = (
    replacement("AUTOSPLIT", "dim: count, split: split tag, chunk: count, body: replacement", "op",
                "The body once for each part of the root's dimension `dim`; parts are `chunk` long, the last one "
                "may be "
                "shorter, and all are joined by Concat.", where=_ROOT, qhpi=_LOOP, trap=_AGAIN),
    replacement("AUTOSPLIT_FIRST", "dim: count, split: split tag, chunk: count, body: replacement", "op",
                "A split of which only the first part is cut off. Known by name; the signature is taken from "
                "AUTOSPLIT.",
                published=False, where=_ROOT, qhpi=_LOOP, trap=_AGAIN),
    replacement("AUTOSPLIT_REDUCE", "dim: count, split: split tag, body: replacement", "op",
                "The body once for each index of dimension `dim`, without that dimension.", published=False,
                where=_ROOT,
                qhpi=_REDUCED, trap="Slice with TYPICAL_SLICE_REDUCE inside."),
    replacement("AUTOTHREAD_HVX", "dim: integer constant, split: split tag, body: replacement", "op",
                "A split into at most as many parts as there are HVX threads.", published=False, where=_ROOT,
                qhpi=_HVX_THREADS,
                trap="`dim` must be a C++ constant."),
    replacement("AUTOTHREAD_HMX", "dim: integer constant, split: split tag, body: replacement", "op",
                "A split into at most as many parts as there are HMX threads.", published=False, where=_ROOT,
                qhpi=_HMX_THREADS,
                trap="`dim` must be a C++ constant."),
    replacement("OP_ITER", "base: iteration base, split: split tag, low: count, high: count, body: replacement", "op",
                "The base's op with the base's inputs and then the body for each number from `low` up to `high`, "
                "exclusive.",
                qhpi="A loop that fills an array of op references for `qhpi_op_create`.",
                trap="The base must be Op(...) or Operand(...): a bare tag and INPUT_OF do not compile."),
    replacement("ITER_INPUT_OF", "x: operand, split: split tag", "node",
                "The input of `x` that the iteration is at.", where=_INSIDE,
                qhpi="`qhpi_op_input` with the loop variable.", expansion="INPUT_OF(x, ITER_VAR(split))"),
    replacement("AUTOSPLIT_SHAPEFN_APPLY", "function: C++ function, split: split tag, args: argument*", "shape",
                "What a C++ function makes of the current part and arguments: where it begins, or its size.",
                where=_INSIDE,
                qhpi="None for functions of yours; those that the SDK has (`simple_split_start` and the like) are "
                "written out.",
                trap="The function must stand under `#ifndef PREPARE_DISABLED`, since devices build no rules."),
    replacement("AUTOSPLIT_SLICE", "x: reference, start: shape, size: shape", "op",
                "The part of `x` from `start` on, of that size.",
                qhpi=_SLICE, trap=_TWICE),
    replacement("TYPICAL_SLICE", "x: reference, split: split tag", "op",
                "The part of `x` that goes with the current part of the output: the same range along the split "
                "dimension, all of the others.",
                where=_INSIDE, qhpi=_SLICE, trap=_TWICE),
    replacement("TYPICAL_SLICE_REDUCE", "x: reference, split: split tag", "op",
                "TYPICAL_SLICE without the split dimension, for AUTOSPLIT_REDUCE.", published=False, where=_INSIDE,
                qhpi=_REDUCED, trap=_TWICE),
    replacement("CHANGEDIM_SLICE", "x: reference, split: split tag, dim: integer constant", "op",
                "As TYPICAL_SLICE, along dimension `dim` of `x` instead of the split's.", where=_INSIDE, qhpi=_SLICE,
                trap="`dim` must be a C++ constant. " + _TWICE),
    replacement("TYPICAL_CONV_SLICE", "x: reference, split: split tag, stride: operand, window: count", "op",
                "The part of a convolution's or pool's input, without padding, that goes with the current part of the "
                "output along height or width. `stride`: an operand whose dimensions are the strides; `window`: the filter's "
                "size along the split.", published=False, where=_INSIDE, qhpi=_SLICE, trap=_TWICE,
                expansion=_CONV),
    replacement("CAST_TO_DTYPE", "x: replacement, type: dtype", "op",
                "The operand, cast to an element type that is not quantized; shaped as the output it stands for.",
                published=False, qhpi=_CAST, expansion=_cast("type", f"Op({_QNN_CAST}, x)")),
    replacement("CAST_TO_FP32", "x: replacement", "op", "The operand, cast to Float32; shaped as the output it stands for.",
                published=False, qhpi=_CAST, expansion=_cast("DType::Float32", f"Op({_QNN_CAST}, x)")),
    replacement("CAST_TO_FP16", "x: reference", "op", "The operand, cast to Float16, with its own shape.", published=False,
                qhpi=_CAST, expansion=_cast("DType::Float16", f"WITH_SIZE(x, Op({_QNN_CAST}, x))")),
    replacement("MAKE_OP_FP16_AND_INSERT_CAST", "body: op construction", "op",
                "Builds the ops with Float16 outputs of the root's shape, and casts the result to Float32.", published=False,
                qhpi="`qhpi_op_create` with a changed output definition, and a cast.",
                expansion=_cast("DType::Float32", f"Op({_QNN_CAST}, {_cast('DType::Float16', 'body')})")),
)  # fmt: skip

# Macros whose names the SDK's headers begin alike and whose expansions nobody has published.
FAMILIES = (
    _opaque("CAST_TO_", "args: argument*", "op", "A cast to the element type in its name."),
    _opaque("REARRANGE_", "args: argument*", "op", "A rearrangement of an operand's dimensions."),
    _opaque("SHAPE_FROM_", "args: argument*", "shape", "A shape made of dimensions of operands."),
)
