"""What `opkg explain` says of the findings of the target executorch-builder."""

from __future__ import annotations

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK240",
        "two ops become one torch op",
        "The torch op of a spec's op is its name in snake case, and torch has one op of a name in a namespace. Ops whose "
        "names differ in case or underscores only would replace each other.",
        "ops:\n  HardSwish: ...\n  Hard_swish: ...",
        "ops:\n  HardSwish: ...\n  HardSwishFast: ...",
    ),
    Entry(
        "OPK241",
        "element type that no torch tensor reaches",
        "ExecuTorch's Qualcomm backend hands over tensors of its own list of element types. A combination with another "
        "one is never chosen by the builder: an error when the op has no kernel without it, else for your information.",
        "types: {T: [ufixed4]}",
        "types: {T: [ufixed8]}",
    ),
    Entry(
        "OPK242",
        "param that the builder cannot pass",
        "The backend's adaptor drops a param of this element type with no more than a line in the log, and the kernel would "
        "see its inputs shifted.",
        "params: {n: {dtype: int64}}",
        "params: {n: {dtype: int32}}",
    ),
    Entry(
        "OPK243",
        "variadic output beside others",
        "A torch op returns one tensor, several named ones, or one list; not a list among others.",
        "outputs: {y: {dtype: T, shape: x.shape, variadic: true}, z: {dtype: T, shape: x.shape}}",
        "outputs: {y: {dtype: T, shape: x.shape, variadic: true}}",
    ),
    Entry(
        "OPK244",
        "optional output",
        "A torch op returns all its outputs in every call; the builder always adds this one.",
        "outputs: {y: {dtype: T, shape: x.shape, optional: true}}",
        "outputs: {y: {dtype: T, shape: x.shape}}",
    ),
    Entry(
        "OPK245",
        "a torch op with two builders",
        "Two ops of a package say that they implement the same torch op. The quantizer has one rule for each. Where "
        "builders alone are concerned (lowered: true) the ops are asked in the order of the spec, and the first that allows the "
        "call makes the node.",
        "ops:\n  Relu: {torch: aten.relu.default}\n  Clip: {torch: aten.relu.default}",
        "ops:\n  Relu: {torch: aten.relu.default}\n  Clip: {torch: aten.hardtanh.default}",
    ),
    Entry(
        "OPK246",
        "ops of the backend's own package",
        "A package of the name qti.aisw describes ops that QNN itself provides: only the Python side is generated, for "
        "executorch-builder. An op package of that name could not be loaded.",
        "package: {name: qti.aisw, targets: [qnn-htp-qhpi, executorch-builder]}",
        "package: {name: qti.aisw, targets: [executorch-builder]}",
    ),
    Entry(
        "OPK247",
        "a pattern that is never fused",
        "Passes look for a pattern as it is after the exports and passes of ExecuTorch. To see what it becomes, they trace it on "
        "tensors of shapes that the spec allows. Here no such shapes were found: a dimension hangs on a param without a "
        "literal default, say.",
        'inputs: {x: {dtype: float32, shape: "[N, k]"}}\nparams: {k: {dtype: int32, default: N * 2}}',
        'inputs: {x: {dtype: float32, shape: "[N, k]"}}\nparams: {k: {dtype: int32, default: 8}}',
    ),
    Entry(
        "OPK494",
        "an op that cannot make an input",
        "An expression of 'inputs:' may call another op of the package as a function: its inputs by position, its params by "
        "name, and 'dims' and 'dtype', the shape and element type of what it makes where these do not follow from its inputs. "
        "The node becomes both ops. So the op must be one of the package, with one output, and the torch op be taken in the "
        "lowered graph.",
        "inputs: {grid: Transposed(grid)}",
        'inputs: {grid: "Transpose(grid, perm=[0, 3, 1, 2])"}\nlowered: true',
    ),
)
