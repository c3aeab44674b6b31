"""Catalog of OPK790 to OPK795: ops put into models that exist."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK790",
        "op that cannot be put into a model",
        "`opkg onnx patch` replaces what an op's `pattern:` says, and writes the function made from its `compute:` into the "
        "model, so that it runs everywhere. The op lacks one of them, has several outputs, or a name or params that ONNX "
        "Runtime's provider cannot pass.",
        "ops:\n  AddRelu:\n    compute: y = max(a + b, 0)",
        "ops:\n  AddRelu:\n    pattern: torch.relu(a + b)\n    compute: y = max(a + b, 0)",
    ),
    Entry(
        "OPK791",
        "no ONNX op for a torch function",
        "opkg knows in which forms exporters write elementwise functions, reductions and softmax along one dimension, and "
        "matrix products. The function of the pattern, or this use of it, is not among them.",
        "pattern: torch.cumsum(a + b, 0)",
        "pattern: torch.relu(a + b)",
    ),
    Entry(
        "OPK792",
        "op has no place in the model",
        "No nodes of the model are what the op's pattern says, or the spec does not allow the op there: element types, "
        "shapes, quantization, constraints; or what lies within the pattern is read by other nodes as well. The message "
        "says what came nearest. A param stands for its default: other numbers in the model are another op.",
    ),
    Entry(
        "OPK793",
        "model too old for an op's function",
        "The function of an op is written with the ops of the model's own opset, and one that it needs is newer.",
    ),
    Entry(
        "OPK794",
        "patched model computes something else",
        "Both models were run with the same inputs on ONNX Runtime's CPU provider, and an output differs by more than rounding "
        "explains: 1e-4 of its largest value in float32, 1e-2 in float16. Nothing was written. The op's `compute:` may not be "
        "what its `pattern:` says. In models in QDQ form the difference is shown and not judged, because an op does not round "
        "to steps in between.",
    ),
    Entry(
        "OPK795",
        "patched model cannot be written",
        "onnx's checker has something against the model with the ops in place, it is larger than a file of protobuf can be "
        "(2 GiB), or a file of that name is there and -o did not name it.",
    ),
)
