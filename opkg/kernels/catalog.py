"""Catalog of OPK600 to OPK609: kernels from computations."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK600",
        "no kernel can be generated",
        "A kernel without 'body' of an op with 'compute:' is generated. That is possible when the kernel can tell which "
        "dimensions are reduced: kernels see tensors of ranks below 4 with 1s in front unless "
        "the spec gives them one rank, so axes count from the end, or a constraint pins the param that numbers them. "
        "Values with and without the reduced dimensions do not meet: use keepdims=True. Reductions over different dimensions are "
        "passes with numbers between them, in float32: of integers there are none, nor of running sums, nor "
        "where a decision hangs on such a number, or a param says which dimensions. Tensors in croutons are not "
        "reduced, and outputs are single tensors. Slices, transposes and concat go together with arithmetic on each element; "
        "take, tile, pad by 0 and reductions do where an input is moved in front of them. In all other cases name a file of your "
        "own: 'body: kernels/op.cpp'.",
        "x: {dtype: T, rank: 1..4}\n...\ncompute: y = x - max(x, axis=0, keepdims=True)",
        "x: {dtype: T, rank: 1..4}\n...\ncompute: y = x - max(x, axis=-1, keepdims=True)",
    ),
    Entry(
        "OPK601",
        "the op has no computation",
        "`opkg kernel` is about kernels that are made from what an op computes. This op does not say what it computes: its "
        "kernels are files of yours. Write `compute:` to have them generated.",
        "Relu:\n  ...\n  reference: references:relu",
        "Relu:\n  ...\n  compute: y = max(x, 0)",
    ),
    Entry(
        "OPK602",
        "generated kernel without vector code",
        "No strategy makes vector code of what the op computes for these element types: its kernel is portable C++, right but "
        "some hundred times slower. `opkg kernel show OP` has what each strategy says. Rows of reduced dimensions are "
        "computed in vectors where their elements lie one after another, or down the columns where the op's results are made of "
        "sums, extremes and variances of one tensor: reduce the last dimensions, or transpose before the op. An op that is "
        "written otherwise, or as two ops, may fit; else write the kernel by hand ('body:').",
        "x: {dtype: T, rank: 4}\n...\ncompute: y = x - max(x, axis=(1, 2), keepdims=True)",
        "x: {dtype: T, rank: 4}\n...\ncompute: y = x - max(x, axis=(2, 3), keepdims=True)",
    ),
)
