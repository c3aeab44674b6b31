"""Catalog of OPK180 to OPK199: the parts of an op against each other."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK180",
        "default does not fit",
        "The default is not of the param's element type, or not in its enum, range or shape; or a constraint does not hold with "
        "the defaults of its params, so that a call that sets none of them is refused (a warning: an op may mean that).",
        "beta: {dtype: uint32, default: -1}",
        "beta: {dtype: int32, default: -1}",
    ),
    Entry(
        "OPK181",
        "dangling type variable",
        "A type variable that no input or output has, or one that is not declared under 'types'.",
        "types: {T: [float32], U: [int32]}",
        "types: {T: [float32]}",
    ),
    Entry(
        "OPK182",
        "impossible combination",
        "A combination gives every type variable one of its own types, and stands once. Without 'combinations' all "
        "are "
        "allowed, at most 256.",
        "combinations: [{T: int8}]",
        "combinations: [{T: float32}]",
    ),
    Entry(
        "OPK183",
        "two kernels with one signature",
        "A backend tells kernels apart by element types, layout, storage and placement. Two kernels that agree in "
        "all of "
        "them could never both be chosen.",
        "kernels:\n  - {layout: flat}\n  - {layout: flat, cost: fast}",
        "kernels:\n  - {layout: flat}\n  - {layout: crouton}",
    ),
    Entry(
        "OPK184",
        "combination without a kernel",
        "The op declares a combination of element types that no kernel computes.",
        "types: {T: [float32, ufixed8]}\nkernels:\n  - {when: {T: float32}}",
        "types: {T: [float32, ufixed8]}\nkernels:\n  - {when: {T: float32}}\n  - {when: {T: ufixed8}}",
    ),
    Entry(
        "OPK185",
        "kernel for nothing",
        "The 'when' of the kernel names a type that the variable does not have, or matches no combination.",
        "- {when: {T: int8}}",
        "- {when: {T: float32}}",
    ),
    Entry(
        "OPK186",
        "one function for several signatures",
        "A kernel record that matches several combinations stands for as many C++ functions, and cannot give them "
        "one name.",
        "kernels:\n  - {function: relu}",
        "kernels:\n  - {body: kernels/relu.cpp}",
    ),
    Entry(
        "OPK187",
        "rank and shape disagree",
        "The shape has a number of dimensions that 'rank' does not allow, or more than 8, or one that is less than 1.",
        "x: {dtype: T, shape: [N, C], rank: 4}",
        "x: {dtype: T, shape: [N, C]}",
    ),
    Entry(
        "OPK188",
        "layout and rank disagree",
        "The meaning of the dimensions is one different capital letter for each.",
        "x: {dtype: T, rank: 3, layout: NHWC}",
        "x: {dtype: T, rank: 4, layout: NHWC}",
    ),
    Entry(
        "OPK189",
        "ambiguous positions",
        "Tensors are passed by position. A variadic one is the only one and the last; beside it none is optional.",
        "inputs:\n  xs: {dtype: T, variadic: true}\n  w: {dtype: T}",
        "inputs:\n  w: {dtype: T}\n  xs: {dtype: T, variadic: true}",
    ),
    Entry(
        "OPK190",
        "impossible quantization",
        "The quantization names a tensor that is not there, belongs to a tensor that is never quantized, or has a "
        "scale, "
        "offset or dimension that cannot be.",
        "y: {dtype: float32, shape: x.shape, quantization: symmetric}",
        "y: {dtype: float32, shape: x.shape}",
    ),
    Entry(
        "OPK191",
        "impossible axis",
        "'axis_of' and 'dims_of' name an input or output. An axis is of an int type; what tells something of each dimension is a "
        "tensor.",
        "axis: {dtype: float32, axis_of: x}",
        "axis: {dtype: uint32, axis_of: x}",
    ),
    Entry(
        "OPK192",
        "impossible enum or range",
        "An enum has different names for different values of an int type; a bool has no range.",
        "mode: {dtype: float32, enum: [A, B]}",
        "mode: {dtype: uint32, enum: [A, B]}",
    ),
    Entry(
        "OPK193",
        "test case that fits nothing",
        "The case names what the op does not have, or gives values that do not fit.",
        "cases: [{z: {shape: [1]}}]",
        "cases: [{x: {shape: [1]}}]",
    ),
    Entry(
        "OPK194",
        "tolerance that fits nothing",
        "Tolerances belong to element types of outputs: lsb for quantized and whole numbers, ulp for floats, abs "
        "and rel for "
        "any.",
        "tolerance: {int8: 1 ulp}",
        "tolerance: {float32: 1 ulp}",
    ),
    Entry(
        "OPK195",
        "dimension that is not always bound",
        "The shape of an output hangs on a dimension or tensor that not every call has; or the shape of a tensor "
        "param has "
        "more than one dimension that nothing else gives.",
        "g: {dtype: T, shape: [G], optional: true}\n...\ny: {dtype: T, shape: [G]}",
        "y: {dtype: T, shape: x.shape}",
    ),
    Entry(
        "OPK196",
        "malformed tiling",
        "A tiling has four entries, one for each dimension of the output padded to rank 4: a "
        "multiple, 0 for free, or whole.",
        "tiling: [8, 32]",
        "tiling: [1, 8, 0, 32]",
    ),
    Entry(
        "OPK197",
        "nothing is left",
        "A range whose low end is above its high end, or a constraint that no call fulfils: against the limits of a "
        "dimension, a param or a rank, or against the constraints before it.",
        "range: 5 .. 0",
        "range: 0 .. 5",
    ),
    Entry(
        "OPK198",
        "element type of a param",
        "Params are of one int, float or bool type.",
        "beta: {dtype: ufixed8}",
        "beta: {dtype: float32}",
    ),
    Entry(
        "OPK199",
        "not read",
        "An input that every call has, or a param, that neither the computation nor a shape, range, default or constraint names.",
        "inputs: {a: {dtype: T}, b: {dtype: T}}\ncompute: y = a * a",
        "inputs: {a: {dtype: T}, b: {dtype: T}}\ncompute: y = a * b",
    ),
)
