"""Ops of models that have a counterpart among the core ops of QNN: name, and which attributes become constant inputs, in order.

Tensors keep the layout of the file (NCHW); the names are those of QNN's operation definitions.
"""

from __future__ import annotations

# ONNX op -> (QNN op, attributes with their defaults; None: left out when it is not given)
Attribute = tuple[str, int | float | None]
OPS: dict[str, tuple[str, tuple[Attribute, ...]]] = {
    **{
        name: (f"ElementWise{qnn}", ())
        for name, qnn in {
            "Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Div": "Divide", "Min": "Minimum", "Max": "Maximum",
            "Pow": "Power", "Neg": "Neg", "Abs": "Abs", "Sqrt": "SquareRoot", "Exp": "Exp", "Log": "Log",
            "Floor": "Floor", "Ceil": "Ceil", "Round": "Round", "Sin": "Sin", "Cos": "Cos", "Sign": "Sign",
            "And": "And", "Or": "Or", "Not": "Not", "Xor": "Xor", "Equal": "Equal", "Greater": "Greater",
            "GreaterOrEqual": "GreaterEqual", "Less": "Less", "LessOrEqual": "LessEqual", "Where": "Select",
        }.items()
    },
    **{name: (name, ()) for name in ("Relu", "Sigmoid", "Tanh", "Gelu", "HardSwish", "MatMul", "Cast", "Tile")},
    "PRelu": ("Prelu", ()),
    "Clip": ("ReluMinMax", ()),
    "Softmax": ("Softmax", (("axis", -1),)),
    "LogSoftmax": ("LogSoftmax", (("axis", -1),)),
    "Concat": ("Concat", (("axis", None),)),
    "Transpose": ("Transpose", (("perm", None),)),
    "Gather": ("Gather", (("axis", 0),)),
    "Split": ("Split", (("axis", 0),)),
    "ReduceMean": ("ReduceMean", (("axes", None), ("keepdims", 1))),
    "ReduceSum": ("ReduceSum", (("axes", None), ("keepdims", 1))),
    "ReduceMax": ("ReduceMax", (("axes", None), ("keepdims", 1))),
    "ReduceMin": ("ReduceMin", (("axes", None), ("keepdims", 1))),
    "MaxPool": ("PoolMax2d", (("kernel_shape", None), ("strides", None), ("pads", None))),
    "AveragePool": ("PoolAvg2d", (("kernel_shape", None), ("strides", None), ("pads", None))),
    "Conv": ("Conv2d", (("strides", None), ("pads", None), ("dilations", None), ("group", 1))),
    "ConvTranspose": ("TransposeConv2d", (("strides", None), ("pads", None), ("dilations", None), ("group", 1))),
    "InstanceNormalization": ("InstanceNorm", (("epsilon", 1e-5),)),
    "LayerNormalization": ("LayerNorm", (("axis", -1), ("epsilon", 1e-5))),
}  # fmt: skip

# These only change the shape, which the node's description has: one input.
RESHAPES = frozenset({"Reshape", "Squeeze", "Unsqueeze", "Flatten"})
# By the rank of their first input; other ranks keep ONNX's name.
FOUR_DIMENSIONS = frozenset({"Conv", "ConvTranspose", "MaxPool", "AveragePool"})
