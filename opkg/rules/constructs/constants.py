"""Rows: constants, element types, options."""

from __future__ import annotations

from opkg.rules.constructs.rows import constant, scalar

_TYPE = "The element type's number in QHPI is the same."
_TYPES = (
    ("QUInt8", "unsigned 8-bit fixed point"),
    ("QUInt16", "unsigned 16-bit fixed point"),
    ("QInt16", "signed 16-bit fixed point"),
    ("Float32", "32-bit floating point"),
    ("Int32", "plain 32-bit integers"),
    ("QInt32", "32-bit fixed point, as biases are"),
    ("QInt8", "signed 8-bit fixed point"),
    ("Float16", "16-bit floating point (IEEE half)"),
    ("Int64", "plain 64-bit integers"),
    ("UNKNOWN", "no element type known"),
    ("None", "no tensor at all"),
    ("Multi", "the output of a node with several outputs, from which `$Out` nodes select"),
)

ROWS = (
    constant("OK", "bool", "True: the constraint of a rule that needs none.", qhpi="No condition is written."),
    constant("true", "bool", "True.", qhpi="`true`"),
    constant("false", "bool", "False: as a constraint it switches the rule off.", qhpi="`false`"),
    constant("INF", "float", "Positive infinity.", qhpi="The infinity of `std::numeric_limits<float>`."),
    constant("NEG_INF", "float", "Negative infinity.", qhpi="The negated infinity of `std::numeric_limits<float>`."),
    *(constant(f"DType::{tag}", "dtype", f"Element type: {text}.", qhpi=_TYPE) for tag, text in _TYPES),
    constant(
        "DType::BFloat16", "dtype", "Element type: bfloat16, the upper half of a float.", since="2.43", qhpi=_TYPE,
        published=False,
    ),
    scalar(
        "LAYOUT_CHUNKSIZE",
        "type: tensor class, index: integer constant",
        "size",
        "Extent of a layout's blocks along dimension `index`, such as 1, 8, 8, 32 for `QUint8CroutonTensor`.",
        qhpi="The number itself, for classes whose blocks are known.",
        trap="It is a C++ constant: a comparison with another constant does not compile, and an index past the "
        "layout's rank compiles and reads beyond its table.",
    ),
    scalar(
        "OPTION_INT",
        "name: option name",
        "int",
        "A graph option, read as an int; floats lose their fraction, bools are 0 or 1, strings are 0 when empty, else 1.",
        qhpi="`qhpi_option_int`.",
    ),
    scalar("OPTION_UINT", "name: option name", "size", "A graph option, read as a size.", qhpi="`qhpi_option_int`, widened."),
    scalar(
        "OPTION_BOOL",
        "name: option name",
        "bool",
        "Whether a graph option, read as an int, is not 0.",
        qhpi="`qhpi_option_int`, compared with 0.",
    ),
    scalar(
        "OPTION_FLOAT",
        "name: option name",
        "float",
        "A graph option, read as a float.",
        qhpi="Only what fits an int can be read: `qhpi_option_int` is the sole way to an option.",
    ),
    constant(
        "TILE_HEIGHT", "size", "Height of a tile, which the graph's option says.", expansion='OPTION_UINT("tile_height")',
        published=False, qhpi="As OPTION_UINT.",
        trap="It is read when the rule runs, so it does not stand where a C++ constant is needed.",
    ),
    constant(
        "CHANNEL_SPLIT_SIZE", "int", "256: channels per part of a split along depth.", expansion="256", published=False,
        qhpi="The number.",
    ),
    constant(
        "MIN_CHANNEL_SPLIT_SIZE", "int", "32: fewest channels per part of a split along depth.", expansion="32",
        published=False, qhpi="The number.",
    ),
    constant(
        "TCM_MAXTENSOR_SIZE", "int", "Bytes up to which a tensor may live in TCM as a whole. Its value is the SDK's.",
        published=False, qhpi="None: the value is not published, write a number.",
    ),
    constant(
        "TCM_MAXTENSOR_SIZE_HALF", "int", "Half of TCM_MAXTENSOR_SIZE. Its value is the SDK's.",
        published=False, qhpi="None: the value is not published, write a number.",
    ),
)  # fmt: skip
