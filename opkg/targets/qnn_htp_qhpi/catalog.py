"""What `opkg explain` says of the findings of the target qnn-htp-qhpi."""

from __future__ import annotations

from opkg.spec.catalog import Entry
from opkg.targets.qnn_htp_qhpi.catalog_rewrites import REWRITE_ENTRIES

ENTRIES = (
    Entry(
        "OPK201",
        "element type that HTP cannot hand to a kernel",
        "A QHPI kernel sees fixed point of 8 and 16 bits, float32, float16, int32 and uint32. A graph with a tensor of "
        "another type fails when it is composed or finalized; int64 even ends the process.",
        "types: {T: [float32, int64]}",
        "types: {T: [float32, int32]}",
    ),
    Entry(
        "OPK202",
        "param of an element type that HTP cannot hand to a kernel",
        "Params become constants of the graph. Those of 32 bits and bools arrive; float16 and 64-bit ones are refused "
        "when the node is added, and 8 and 16-bit ones arrive as quantized numbers.",
        "count: {dtype: int64}",
        "count: {dtype: int32}",
    ),
    Entry(
        "OPK203",
        "rank beyond 5",
        "HTP kernels take tensors of rank 1 to 5: flat tensors of rank 6 never match a kernel.",
        "x: {dtype: T, rank: 6}",
        "x: {dtype: T, rank: 1..5}",
    ),
    Entry(
        "OPK204",
        "optional output",
        "A kernel record fixes the number of its outputs, and a QNN graph has no null outputs: an output is always there.",
        "y: {dtype: T, shape: x.shape, optional: true}",
        "y: {dtype: T, shape: x.shape}",
    ),
    Entry(
        "OPK205",
        "inputs that positions cannot tell apart",
        "A kernel sees inputs by position, not by name. One variadic input can vary in number, or several optional ones "
        "that stand last.",
        "inputs:\n  bias: {dtype: T, shape: [C], optional: true}\n  x: {dtype: T, shape: [N, C]}",
        "inputs:\n  x: {dtype: T, shape: [N, C]}\n  bias: {dtype: T, shape: [C], optional: true}",
    ),
    Entry(
        "OPK206",
        "axis of a padded rank",
        "Tensors of rank 1 to 3 reach a kernel padded to rank 4 with leading ones, and the rank they had is not visible. "
        "A param that numbers a dimension from the front then has several meanings. Let it count from the end (a signed type, "
        "a default such as -1), give the tensor one rank, or ranks of 4 or more, or pin the param with a constraint such as "
        "`axis == rank(x) - 1`.",
        "inputs: {x: {dtype: T, rank: 1..4}}\nparams: {axis: {dtype: uint32, axis_of: x}}",
        "inputs: {x: {dtype: T, rank: 1..4}}\nparams: {axis: {dtype: int32, axis_of: x}}",
    ),
    Entry(
        "OPK207",
        "expression that a kernel cannot compute",
        "Defaults of params that the caller leaves out, and costs, are computed in the generated wrapper of the kernel. "
        "It knows the inputs as views: sizes, dimensions that are named at a fixed place or counted from the end, ranks "
        "where padding does not hide them, and the params before. Element types, scales and outputs are not known there.",
        "gain: {dtype: float32, default: x.scale}",
        "gain: {dtype: float32, default: 1.0}",
    ),
    Entry(
        "OPK208",
        "quantized per channel",
        "HTP refuses nodes of op packages that have a tensor with one scale per channel (addNode returns 1000).",
        "w: {dtype: sfixed8, shape: [C, K], quantization: {axis: 1}}",
        "w: {dtype: sfixed8, shape: [C, K], quantization: symmetric}",
    ),
    Entry(
        "OPK209",
        "package named like a C function",
        "The package's name becomes a C++ namespace. One that equals a function of the C library (`log`, `time`, `gamma`) "
        "does not compile where that function is declared.",
        "package: {name: log}",
        "package: {name: log.ops}",
    ),
    Entry(
        "OPK210",
        "flat and indirect",
        "A record with a flat layout and indirect storage aborts the registration of the whole package.",
        "kernels: [{layout: flat, storage: indirect}]",
        "kernels: [{layout: flat}]",
    ),
    Entry(
        "OPK211",
        "crouton and direct",
        "Blocks are reached through a table. A record with a crouton layout and direct storage never matches a tensor.",
        "kernels: [{layout: crouton, storage: direct}]",
        "kernels: [{layout: crouton}]",
    ),
    Entry(
        "OPK212",
        "tensor that cannot come in blocks",
        "Crouton tensors have rank 4 (smaller ones are padded) and elements of 8 or 16 bits, or int32. The backend has no "
        "conversion for float32 and 32-bit fixed point, and the graph fails when it is finalized.",
        "kernels: [{when: {T: float32}, layout: crouton}]",
        "kernels: [{when: {T: ufixed8}, layout: crouton}]",
    ),
    Entry(
        "OPK213",
        "resource flags",
        "A kernel names one resource: hvx or hmx. Both together, or none, make the runtime log an invalid flag.",
        "kernels: [{resources: [hvx, hmx]}]",
        "kernels: [{resources: [hvx]}]",
    ),
    Entry(
        "OPK214",
        "flags without effect",
        "`flags` are part of the classic interface (DEF_PACKAGE_OP_AND_COST_AND_FLAGS). QHPI records have no such field.",
        "kernels: [{flags: [is_const]}]",
        "kernels: [{}]",
    ),
    Entry(
        "OPK215",
        "crouton tensors in DDR",
        "The backend keeps blocks in TCM. Placement `ddr` for a crouton kernel was never seen to be chosen.",
        "kernels: [{layout: crouton, placement: ddr}]",
        "kernels: [{layout: crouton}]",
    ),
    Entry(
        "OPK218",
        "kernels of one output type that differ in tiling",
        "Tiles are chosen before a kernel is, from the element type of the output alone.",
        "kernels:\n  - {when: {T: ufixed8}, tiling: [1, 8, 0, 32]}\n  - {when: {T: sfixed8}}",
        "kernels:\n  - {when: {T: ufixed8}, tiling: [1, 8, 0, 32]}\n  - {when: {T: sfixed8}, tiling: [1, 8, 0, 32]}",
    ),
    Entry(
        "OPK219",
        "kernel that is never called",
        "HTP hands plain integers over as quantized ones of step 1: a kernel for uint8 and one for ufixed8 have the same "
        "signature, and the first serves both. That is right when it works on real values (load, store), and wrong when "
        "it works on stored numbers.",
        "types: {T: [uint8, ufixed8]}",
        "types: {T: [ufixed8]}",
    ),
    Entry(
        "OPK461",
        "element types that a generated kernel cannot tell apart",
        "A kernel sees uint8, ufixed8 and bool8, and the signed ones of their size, as one element type with a scale and a "
        "zero. Where `compute:` only moves, chooses, compares and casts such elements, the kernel of the quantized type is "
        "right for all of them. What it computes besides differs: integers wrap and are divided as integers, quantized "
        "numbers saturate, bools are 0 and 1. int32 and uint32 are one element type, too: what is moved, chosen by `where`, "
        "combined by `&`, `|` and `^` (with other elements of the same type variable, or with numbers from 0 to 2147483647) "
        "and asked for equality is the same for both. The rest differs (orders, quotients, shifts, casts, and sums, products "
        "and `~`, which are held as the nearest number that a type has), and so do results of other types.",
        "types: {T: [sfixed8, int8]}\ncompute: y = 2 * x",
        "types: {T: [sfixed8]}\ncompute: y = 2 * x",
    ),
    Entry(
        "OPK260",
        "calls that cannot be told apart",
        "A QHPI kernel is chosen by the number and the element types of inputs and params together, and sees no names. "
        "Where an optional tensor and a param with a default arrive alike, a call with the one and without the other "
        "looks like its opposite. The generated validator refuses such a call and says which params to give.",
        "inputs: {x: {dtype: float32}, gamma: {dtype: float32, optional: true}}\n"
        "params: {epsilon: {dtype: float32, default: 1e-6}}",
        "inputs: {x: {dtype: float32}, gamma: {dtype: float32, optional: true}}\nparams: {epsilon: {dtype: float32}}",
    ),
    Entry(
        "OPK261",
        "text for the classic interface only",
        "Tensor properties are macros of the C++ interface and are emitted by qnn-htp-classic as they are written. QHPI has "
        "kernel signatures (layout, placement) instead, which the spec's kernels give.",
    ),
    *REWRITE_ENTRIES,
    Entry(
        "OPK276",
        "tiling that cuts what hangs together",
        "A tile is computed as if it were the whole tensor. A dimension that is reduced (softmax, mean), or in which inputs and "
        "output are not known to correspond, must be whole: half a row has another maximum. Kernels that are generated need "
        "no tiling at all: which dimensions may be cut is derived from compute, and how, from the sizes of each call.",
        "compute: y = x / max(x, axis=-1, keepdims=True)\nkernels: [{tiling: [1, 8, 0, 32]}]",
        "compute: y = x / max(x, axis=-1, keepdims=True)\nkernels: [{tiling: [1, 8, 0, whole]}]",
    ),
    Entry(
        "OPK277",
        "tensors, rows or dimensions that may have up to 4 MiB",
        "Tensors pass through the tightly coupled memory (TCM). Larger ones are cut into tiles, where one part of "
        "the output needs only a part of the inputs. Of some ops nothing is: all elements are reduced, or the kernels are "
        "written by hand and only their author knows what they need whole. Of others a tile has some dimensions whole, such as a "
        "reduced row. Signed tensors of a graph are made unsigned by the backend, in one piece where they have 16 bits, and "
        "tensors of five dimensions are cut where they can be laid out in four. Several images of signed elements have limits of "
        "their own: 1 MiB of 16 bits, and from 129 images on 4 MiB of 8 bits. The package's validator refuses a call with "
        "more than the size named here, since its graph would fail when it is finalized: 'not sufficiently tiled to fit in TCM'.",
        "kernels: [{body: kernels/split.cpp}]",
        "kernels: [{body: kernels/split.cpp, tiling: [0, 0, 0, whole]}]",
    ),
    Entry(
        "OPK278",
        "kernel that stays flat",
        "`layout: either` asks for records in blocks beside the flat ones; it is the default of generated kernels. They are "
        "made of elementwise computations over elements of one size, 1 or 2 bytes, with a fixed number of tensors. Others "
        "stay flat; where `either` is written, this message says why.",
        "compute: y = x - max(x, axis=-1, keepdims=True)\nkernels: [{layout: either}]",
        "compute: y = x - max(x, axis=-1, keepdims=True)",
    ),
)
