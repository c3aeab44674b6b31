"""What `opkg explain` says of the findings of the target onert."""

from __future__ import annotations

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK280",
        "an op that cannot be one operation of onert",
        "An operation of onert has a fixed list of inputs and outputs, of which the last inputs may be missing, params of at "
        "most one dimension, and outputs whose shapes follow from those of the inputs and from params.",
        "outputs: {y: {dtype: T, shape: [...]}}",
        "outputs: {y: {dtype: T, shape: x.shape}}",
    ),
    Entry(
        "OPK281",
        "element types that onert does not compute with",
        "ir::DataType has no such type, or the cpu backend no kernels for it. Other combinations of the op are generated; "
        "an op that has none is refused.",
        "types: {T: [float16]}",
        "types: {T: [float32]}",
    ),
    Entry(
        "OPK282",
        "an elementwise function of one tensor",
        "Onert collects such functions: a value of Type in ElementwiseActivation (what follows a convolution) or "
        "ElementwiseUnary, a case in the layer of the backend. A new operation works, too, but its maintainers asked for "
        "the former whenever somebody offered the latter.",
    ),
    Entry(
        "OPK283",
        "a condition that ShapeValidator does not ask",
        "The condition cannot be said with ir::Shape and params alone. A call that violates it is not refused when the model "
        "is compiled.",
    ),
    Entry(
        "OPK284",
        "no kernel by hand for plain tensors",
        "A tree of onert has tensors in rows only. Kernels by hand that take blocks are not put into it; the op needs a flat "
        "one for each combination of element types.",
        "kernels:\n  - {layout: crouton}",
        "kernels:\n  - {layout: crouton}\n  - {layout: flat}",
    ),
)
