"""What `opkg explain` says of the findings of the target onnxruntime."""

from __future__ import annotations

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK720",
        "an op with the name of one of ONNX's own",
        "ONNX Runtime's QNN provider looks op packages up by the name of the op, without its domain. A model's stock ops of "
        "that name then go to the package; and where the package is missing or refuses a node, the node of your domain "
        "runs as the stock op: wrong numbers, and no message.",
        "ops:\n  Relu: ...",
        "ops:\n  ReluOfMine: ...",
    ),
    Entry(
        "OPK721",
        "element type that no ONNX tensor has",
        "Combinations with such a type cannot be reached from an ONNX model. Quantized types can: their tensors stand "
        "between DequantizeLinear and QuantizeLinear.",
        "types: {T: [uint4]}",
        "types: {T: [uint8]}",
    ),
    Entry(
        "OPK722",
        "param that ONNX Runtime cannot pass",
        "Attributes reach a package as float32 and int32 alone; a larger integer ends the process.",
        "params: {n: {dtype: int64}}",
        "params: {n: {dtype: int32}}",
    ),
    Entry(
        "OPK723",
        "default that ONNX cannot say",
        "Defaults of ONNX's attributes are numbers. A default that is computed from shapes must be given in every call "
        "of make_node.",
    ),
    Entry(
        "OPK724",
        "an op without an ONNX function",
        "A function is made from `compute:`. With one, a model runs everywhere: the provider takes the node for the "
        "package, and without it the function is computed by other ops. Without one, the node needs the package, and a "
        "session must be told of the op by ORT_QNN_CUSTOM_OP_DOMAINS (onnxruntime-qnn 2.7.0 on), which the session "
        "helper does.",
    ),
    Entry(
        "OPK730",
        "cases that are not run in ONNX models",
        "A model cannot hold these tensors, or the provider would hand them over in another form than the case has. The "
        "other machines run them.",
    ),
)
