"""What `opkg explain` says of the findings of the target openvino-extension."""

from __future__ import annotations

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK740",
        "an op that cannot be an extension op of OpenVINO",
        "An extension op has inputs of which the last may be missing, outputs that are always there, and attributes that are "
        "numbers, truth values or lists of numbers. Variadic tensors and scales per channel have no place in what is generated; "
        "outputs with a shape of `...` neither: models are told shapes before a call, so write `reduce(x, axes, true)`, say.",
        "inputs: {bias: {dtype: T, optional: true}, x: {dtype: T}}",
        "inputs: {x: {dtype: T}, bias: {dtype: T, optional: true}}",
    ),
    Entry(
        "OPK741",
        "element types that OpenVINO has not, or cannot tell apart",
        "ov::element has no quantized types: ufixed8 is u8 there, with scale and zero point as attributes. So uint8 and ufixed8 "
        "look the same, and of two combinations that look the same the first is generated. Types below 8 bits are left out.",
        "types: {T: [ufixed4]}",
        "types: {T: [ufixed8]}",
    ),
    Entry(
        "OPK742",
        "kernels by hand are no extension op",
        "evaluate() of an extension op calls portable C++, which is made from the op's computation. An op whose kernels are "
        "files of the package's own is left out.",
    ),
    Entry(
        "OPK744",
        "a pattern for which models of OpenVINO are not searched",
        "fuse() looks for graphs of OpenVINO's elementwise ops. A pattern with other functions of torch, with keyword "
        "arguments, or of an op with several outputs is left out.",
    ),
    Entry(
        "OPK780",
        "no emitter of x64 code",
        "Emitters are for elementwise ops that compute float32 of float32, with functions that a few instructions make (no "
        "power, no `//`, no `%`), or whole numbers of 8 and 32 bits that need no more than 32 bits in between, where a store "
        "would not saturate them anyway. There is none for reductions, inputs that may be absent, and params that are lists "
        "or hang on shapes. The extension op itself computes all of these.",
    ),
)
