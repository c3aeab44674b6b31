"""What `opkg explain` says of rules that QHPI cannot carry, or not as they stand."""

from __future__ import annotations

from opkg.spec.catalog import Entry

_LEFT_OUT = (
    " The rule is left out of the QHPI package: an error, or a warning when the package is also made for qnn-htp-classic, "
    "which has the rule."
)

REWRITE_ENTRIES = (
    Entry(
        "OPK262",
        "rule whose root QHPI does not offer",
        "QHPI calls a package's early and late rewrite for the package's own ops; the early one also for core ops, under "
        "their QNN names. Ops of other packages, and core ops after TILING, are out of reach." + _LEFT_OUT,
        'pass: LATE\nmatch: Op(FROM_DEFAULT_PACKAGE("Relu"), Op("Scale", "X", "F"))',
        'pass: EARLY\nmatch: Op(FROM_DEFAULT_PACKAGE("Relu"), Op("Scale", "X", "F"))',
    ),
    Entry(
        "OPK263",
        "core op that callbacks do not see",
        "Before TILING, callbacks see core ops as the graph has them: q::QNN_ and the QNN op type, inputs first, then params. "
        "Common internal names (Add, Mul, Relu, Cast, Quantize ...) are translated; of others the QNN op has to be written. "
        "After TILING only slices (Slice_shape) and Concat are seen." + _LEFT_OUT,
        'match: Op("Scale", Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "X", "S", "W"), "F")',
        'match: Op("Scale", OpVarIn(FROM_DEFAULT_PACKAGE("QNN_PoolMax2d"), "X"), "F")',
    ),
    Entry(
        "OPK264",
        "core op that a rewrite cannot make",
        "Early rewrites may make core ops by their QNN names, params as constants behind the inputs; late ones only slices and "
        "concats. The backend refuses internal names." + _LEFT_OUT,
        'pass: LATE\nreplace: Op(FROM_DEFAULT_PACKAGE("Cast"), "X")',
        'pass: EARLY\nreplace: Op(FROM_DEFAULT_PACKAGE("Cast"), "X")',
    ),
    Entry(
        "OPK265",
        "C++ function in a rule",
        "External functions take the objects of the classic interface (Constraint, Replacement, OpRef), which a QHPI package "
        "does not have." + _LEFT_OUT,
        'when: EXTERNAL_CONSTRAINT(is_small, "X")',
        'when: LT(DATA_SIZE("X"), 4096)',
    ),
    Entry(
        "OPK266",
        "identity or history that QHPI does not keep",
        "Split history, identities and memos are hints to the classic interface's tiler. QHPI has no place for them: the rule is "
        "carried without, and computes the same.",
    ),
    Entry(
        "OPK267",
        "option that QHPI may not read",
        "QHPI reads graph options as ints. An option that it does not know reads as 0 in the generated callback. Seen to work: "
        "tcm_size, tcm_size_for_tiling, hvx_threads, tile_height, central_tiler, can_fine_split, big_width_split, "
        "enable_autothread, quant_is_updateable, force_conv_fusion, fold_relu_flag, relaxed_precision_flag, hmx_short_conv_flag.",
        'when: OPTION_BOOL("autothread_size_kb")',
        'when: OPTION_BOOL("enable_autothread")',
    ),
    Entry(
        "OPK268",
        "flag without effect",
        "Of the flags only fold_relu_flag, relaxed_precision_flag and hmx_short_conv_flag decide whether a rule is tried; they "
        "become a look at the option. The others steer passes, of which QHPI has none.",
    ),
    Entry(
        "OPK269",
        "several outputs that QHPI has otherwise",
        "In QHPI an operand is an op and the number of its output; there are no `$Out` ops. An op of several outputs is replaced "
        "as a whole, by one with as many." + _LEFT_OUT,
        'match: Op("$Out", Op("Split", "X"), "N")',
        'match: Op("Scale", "X", "F")',
    ),
    Entry(
        "OPK270",
        "split that QHPI cannot make",
        "Tensors arrive with at least four dimensions, so that a part cannot lose one (AUTOSPLIT_REDUCE); and the number of HMX "
        "threads cannot be read (AUTOTHREAD_HMX)." + _LEFT_OUT,
        'replace: AUTOSPLIT_REDUCE(1, "I", Op("A", TYPICAL_SLICE_REDUCE("X", "I")))',
        'replace: AUTOSPLIT(1, "I", 1, Op("A", TYPICAL_SLICE("X", "I")))',
    ),
    Entry(
        "OPK271",
        "name without a known value",
        "A name of the SDK's headers or of your C++ code means nothing in a QHPI package, and its value or expansion is not "
        "known here." + _LEFT_OUT,
        'when: GT(DATA_SIZE("X"), TCM_MAXTENSOR_SIZE)',
        'when: GT(DATA_SIZE("X"), 1048576)',
    ),
    Entry(
        "OPK272",
        "signed element type that never occurs",
        "HTP turns signed tensors of 8 and 16 bits into unsigned ones with a moved zero offset, and that is what generated "
        "callbacks see, of graph inputs too. The comparison is always false (NE: true).",
        'when: IS_QINT8("X")',
        'when: IS_QUINT8("X")',
    ),
    Entry(
        "OPK273",
        "rule registered for a core op",
        "The package registers a record without kernels under the core op's QNN name; the backend (2.51) calls its early_rewrite "
        "for the core ops of a graph. This was measured, no documentation promises it.",
    ),
    Entry(
        "OPK274",
        "message that is not logged",
        "Generated callbacks log one line when a rule fires (`rule NAME on OP#ID`), and no messages.",
    ),
    Entry(
        "OPK275",
        "outputs that nothing describes",
        "QHPI wants type and shape of every output of a new op; the language describes the chosen one only. The others are "
        "given the same, which is wrong for ops whose outputs differ.",
    ),
    Entry(
        "OPK279",
        "rule of a late pass that runs early",
        "After TILING QHPI shows a package no core ops but slices and concats, and lets it make no others. A rule of such a pass "
        "that has other core ops, all of which are known by QNN names, becomes a part of early_rewrite: what it replaces "
        "computes the same there. Conditions on sizes are then asked of whole tensors. The classic package has the rule in its "
        "own pass.",
        'pass: LATE + 20\nmatch: Op("Scale", "X", OPCONST("F"))\nreplace: Op(FROM_DEFAULT_PACKAGE("Neg"), "X")',
        'pass: EARLY + 20\nmatch: Op("Scale", "X", OPCONST("F"))\nreplace: Op(FROM_DEFAULT_PACKAGE("Neg"), "X")',
    ),
)
