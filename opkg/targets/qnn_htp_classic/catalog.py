"""Catalog of OPK220 to OPK231, and OPK234: what `opkg explain` says of the classic target's findings."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK220",
        "no profile for this SDK",
        "The C++ interface has no ABI promise: a package is built for one SDK. `sdk` names the generation whose "
        "spellings the generated code uses; empty stands for the newest one.",
        "package: {sdk: '2.30'}",
        "package: {sdk: '2.25'}",
    ),
    Entry(
        "OPK221",
        "element type without tensor class",
        "Kernels of the C++ interface take tensors of classes such as QuantUint8Tensor; for this type there is none.",
        "types: {T: [int64]}",
        "types: {T: [int32]}",
    ),
    Entry(
        "OPK222",
        "element type of a param",
        "Params reach a kernel as constants of type float32 or int32 (uint32 too), or as a bool. Others get lost.",
        "p: {dtype: int8}",
        "p: {dtype: int32}",
    ),
    Entry(
        "OPK223",
        "rank above 4",
        "Every tensor of the C++ interface has rank 4: (batch, height, width, depth). Lower ranks are padded with 1s "
        "in front, higher ones have no place. QHPI takes rank 5.",
        "x: {rank: 5}",
        "x: {rank: 4..5}",
    ),
    Entry(
        "OPK224",
        "optional tensor before a mandatory one",
        "A kernel sees its tensors by position: what a call leaves out has to be at the end.",
        "inputs:\n  bias: {optional: true}\n  x: {}",
        "inputs:\n  x: {}\n  bias: {optional: true}",
    ),
    Entry(
        "OPK225",
        "axis in a padded rank",
        "A tensor of rank 2 reaches a kernel as [1, 1, h, w]. When the rank varies below 4, a number cannot say which "
        "dimension is meant, unless it counts from the end (a signed type).",
        "x: {rank: 1..4}\naxis: {dtype: uint32, axis_of: x}",
        "x: {rank: 1..4}\naxis: {dtype: int32, axis_of: x}",
    ),
    Entry(
        "OPK226",
        "default that is no constant",
        "HTP fills in absent params from objects that the package registers. A default may depend on ranks that the "
        "spec fixes, or be pinned by a constraint, so that the kernel computes it.",
        "n: {dtype: int32, default: size(x)}",
        "n: {dtype: int32}",
    ),
    Entry(
        "OPK227",
        "default without dimensions",
        "The default of a tensor param is registered with its dimensions, which have to be numbers.",
        "w: {shape: [rank(x), 1], default: [1, 2]}",
        "w: {shape: [2, 1], default: [1, 2]}",
    ),
    Entry(
        "OPK228",
        "element type without crouton class",
        "Crouton tensors exist for quantized types, float16 and int32.",
        "types: {T: [float32]}\nkernels:\n  - {layout: crouton}",
        "types: {T: [float16]}\nkernels:\n  - {layout: crouton}",
    ),
    Entry(
        "OPK229",
        "HMX in an op package",
        "The matrix unit is reserved for HTP's own ops in the C++ interface.",
        "resources: [hmx]",
        "resources: [hvx]",
    ),
    Entry(
        "OPK230",
        "cost that cannot be computed",
        "Costs are asked for when a graph is prepared: sizes and ranks of inputs are known then, values are not.",
        "cost: 2 * n",
        "cost: 2 * size(x)",
    ),
    Entry(
        "OPK231",
        "kernel that is never called",
        "int32 and uint32 reach a kernel as the same tensor class, so the first of two such kernels serves both. "
        "Of generated ones that is an error where the sign matters: only what is moved, chosen by `where`, combined by `&`, `|` "
        "and `^`, and asked for equality is the same.",
        "types: {T: [int32, uint32]}",
        "types: {T: [int32]}",
    ),
    Entry(
        "OPK234",
        "macro that is not for op packages",
        "DEF_OPT and its kin are the macros of HTP's own rules: op names without a prefix are core ops there. Op packages "
        "have DEF_PACKAGE_OPTIMIZATION and DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS.",
        'rules: [{macro: \'DEF_OPT(EARLY, Op("A", "X"), OK, Op("B", "X"))\'}]',
        'rules: [{macro: \'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("B", "X"))\'}]',
    ),
)
