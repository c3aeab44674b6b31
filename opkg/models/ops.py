"""The ops of models that opkg knows by name: one row per op, with its names in ONNX, OpenVINO and torch.

What an op does to shapes decides whether it can stand in a kernel of several ops. `packets`: what one vector of 32 floats
costs in registers (opkg.kernels.strategies.floating.ops has the source of these figures: counted in Hexagon's emulator).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from opkg.kernels.strategies.floating.ops import PACKETS


class Group(StrEnum):
    """POINTWISE: element by element, operands broadcast. REDUCTION, NORMALIZATION: over rows. MOVING: elements change their
    places. VIEW: only the shape changes. HEAVY: convolutions, matrix products. QUANTIZING: between floats and integers."""

    POINTWISE = "pointwise"
    REDUCTION = "reduction"
    NORMALIZATION = "normalization"
    MOVING = "moving"
    VIEW = "view"
    HEAVY = "heavy"
    QUANTIZING = "quantizing"


@dataclass(frozen=True, slots=True)
class Op:
    """`name`: ONNX's, where ONNX has the op (opset 22)."""

    name: str
    group: Group
    openvino: str = ""
    torch: tuple[str, ...] = ()
    packets: float = 0.0


def _rows() -> tuple[Op, ...]:
    p, g = PACKETS, Group
    pointwise = (
        Op("Abs", g.POINTWISE, "Abs", ("abs",), p["abs_sf"]),
        Op("Add", g.POINTWISE, "Add", ("add",), p["add_sf"]),
        Op("And", g.POINTWISE, "LogicalAnd", ("logical_and", "bitwise_and"), 0.25),
        Op("Ceil", g.POINTWISE, "Ceiling", ("ceil",), p["ceil_sf"]),
        Op("Clip", g.POINTWISE, "Clamp", ("clamp", "hardtanh", "relu6"), p["min_sf"] + p["max_sf"]),
        Op("Div", g.POINTWISE, "Divide", ("div",), p["div_sf"]),
        Op("Elu", g.POINTWISE, "Elu", ("elu",), p["exp_sf"] + 2.0),
        Op("Equal", g.POINTWISE, "Equal", ("eq",), p["eq_sf"]),
        Op("Erf", g.POINTWISE, "Erf", ("erf",), p["erf_sf"]),
        Op("Exp", g.POINTWISE, "Exp", ("exp",), p["exp_sf"]),
        Op("Fmod", g.POINTWISE, "", ("fmod",), p["div_sf"] + p["trunc_sf"] + 1.5),
        Op("FakeQuantize", g.POINTWISE, "FakeQuantize", (), p["round_sf"] + p["min_sf"] + p["max_sf"] + 2 * p["mul_sf"]),
        Op("Floor", g.POINTWISE, "Floor", ("floor",), p["floor_sf"]),
        Op("Gelu", g.POINTWISE, "Gelu", ("gelu",), p["erf_sf"] + 3.0),
        Op("Greater", g.POINTWISE, "Greater", ("gt",), p["gt_sf"]),
        Op("GreaterOrEqual", g.POINTWISE, "GreaterEqual", ("ge",), p["ge_sf"]),
        Op("HardSigmoid", g.POINTWISE, "HardSigmoid", ("hardsigmoid",), 2.5),
        Op("HSigmoid", g.POINTWISE, "HSigmoid", (), 2.5),
        Op("HardSwish", g.POINTWISE, "HSwish", ("hardswish",), 3.5),
        Op("LeakyRelu", g.POINTWISE, "", ("leaky_relu",), 2.5),
        Op("Less", g.POINTWISE, "Less", ("lt",), p["gt_sf"]),
        Op("LessOrEqual", g.POINTWISE, "LessEqual", ("le",), p["ge_sf"]),
        Op("Log", g.POINTWISE, "Log", ("log",), p["log_sf"]),
        Op("Max", g.POINTWISE, "Maximum", ("maximum",), p["max_sf"]),
        Op("Min", g.POINTWISE, "Minimum", ("minimum",), p["min_sf"]),
        Op("Mish", g.POINTWISE, "Mish", ("mish",), p["exp_sf"] + p["log_sf"] + p["tanh_sf"]),
        Op("Mod", g.POINTWISE, "FloorMod", ("remainder",), p["div_sf"] + p["floor_sf"] + 1.5),
        Op("Mul", g.POINTWISE, "Multiply", ("mul",), p["mul_sf"]),
        Op("Neg", g.POINTWISE, "Negative", ("neg",), p["neg_sf"]),
        Op("Not", g.POINTWISE, "LogicalNot", ("logical_not", "bitwise_not"), 0.25),
        Op("NotEqual", g.POINTWISE, "NotEqual", ("ne",), p["eq_sf"]),
        Op("Or", g.POINTWISE, "LogicalOr", ("logical_or", "bitwise_or"), 0.25),
        Op("PRelu", g.POINTWISE, "PRelu", ("prelu",), 2.5),
        Op("Pow", g.POINTWISE, "Power", ("pow",), p["pow_sf"]),
        Op("Reciprocal", g.POINTWISE, "", ("reciprocal",), p["div_sf"]),
        Op("Relu", g.POINTWISE, "Relu", ("relu",), p["max_sf"]),
        Op("Round", g.POINTWISE, "Round", ("round",), p["round_sf"]),
        Op("Rsqrt", g.POINTWISE, "", ("rsqrt",), p["rsqrt_sf"]),
        Op("Sigmoid", g.POINTWISE, "Sigmoid", ("sigmoid",), p["sigmoid_sf"]),
        Op("Sign", g.POINTWISE, "Sign", ("sign",), p["sign_sf"]),
        Op("Softplus", g.POINTWISE, "SoftPlus", ("softplus",), p["exp_sf"] + p["log_sf"]),
        Op("Softsign", g.POINTWISE, "SoftSign", ("softsign",), p["div_sf"] + 0.75),
        Op("Sqrt", g.POINTWISE, "Sqrt", ("sqrt",), p["sqrt_sf"]),
        Op("SquaredDifference", g.POINTWISE, "SquaredDifference", (), p["sub_sf"] + p["mul_sf"]),
        Op("Sub", g.POINTWISE, "Subtract", ("sub", "rsub"), p["sub_sf"]),
        Op("Swish", g.POINTWISE, "Swish", ("silu",), p["sigmoid_sf"] + p["mul_sf"]),
        Op("Tanh", g.POINTWISE, "Tanh", ("tanh",), p["tanh_sf"]),
        Op("Where", g.POINTWISE, "Select", ("where",), 0.5),
        Op("Xor", g.POINTWISE, "LogicalXor", ("logical_xor", "bitwise_xor"), 0.25),
    )  # fmt: skip
    others = {
        g.REDUCTION: "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum "
        "ReduceLogSumExp ArgMax ArgMin GlobalAveragePool GlobalMaxPool",
        g.NORMALIZATION: "Softmax LogSoftmax LayerNormalization RMSNormalization InstanceNormalization GroupNormalization "
        "BatchNormalization LpNormalization MeanVarianceNormalization LRN Hardmax",
        g.MOVING: "Transpose Concat Split Slice Gather GatherElements GatherND Scatter ScatterElements ScatterND Pad Tile "
        "Expand DepthToSpace SpaceToDepth Resize Upsample ReverseSequence RotaryEmbedding Trilu Compress",
        g.VIEW: "Reshape Squeeze Unsqueeze Flatten Identity Dropout",
        g.HEAVY: "Conv ConvTranspose ConvInteger QLinearConv MatMul MatMulInteger QLinearMatMul Gemm MaxPool AveragePool LpPool "
        "LSTM GRU RNN Attention Einsum",
        g.QUANTIZING: "QuantizeLinear DequantizeLinear DynamicQuantizeLinear Cast CastLike",
    }
    return pointwise + tuple(Op(name, group) for group, names in others.items() for name in names.split())


OPS: dict[str, Op] = {row.name: row for row in _rows()}
# OpenVINO's ops that are no row's own name there: several to a row, or spelled otherwise.
_OPENVINO = {
    "Convolution": "Conv", "GroupConvolution": "Conv", "ConvolutionBackpropData": "ConvTranspose", "MatMul": "MatMul",
    "MaxPool": "MaxPool", "AvgPool": "AveragePool", "Softmax": "Softmax", "SoftMax": "Softmax", "LogSoftmax": "LogSoftmax",
    "MVN": "MeanVarianceNormalization", "NormalizeL2": "LpNormalization", "RMS": "RMSNormalization",
    "BatchNormInference": "BatchNormalization", "GroupNormalization": "GroupNormalization", "LRN": "LRN",
    "Transpose": "Transpose", "Concat": "Concat", "Split": "Split", "VariadicSplit": "Split", "Slice": "Slice",
    "StridedSlice": "Slice", "Gather": "Gather", "Pad": "Pad", "Tile": "Tile", "Broadcast": "Expand",
    "DepthToSpace": "DepthToSpace", "SpaceToDepth": "SpaceToDepth", "Interpolate": "Resize", "Reshape": "Reshape",
    "Squeeze": "Squeeze", "Unsqueeze": "Unsqueeze", "Convert": "Cast", "ConvertLike": "CastLike",
    "FakeQuantize": "FakeQuantize", "ScaledDotProductAttention": "Attention", "Mod": "Fmod", "ReduceL1": "ReduceL1",
    "ReduceL2": "ReduceL2", "ReduceMax": "ReduceMax", "ReduceMean": "ReduceMean", "ReduceMin": "ReduceMin",
    "ReduceProd": "ReduceProd", "ReduceSum": "ReduceSum",
}  # fmt: skip
OPENVINO_NAMES: dict[str, str] = {row.openvino: row.name for row in OPS.values() if row.openvino} | _OPENVINO
# Names of torch's that are no row's own there.
_TORCH = {
    "conv1d": "Conv", "conv2d": "Conv", "convolution": "Conv", "conv_transpose2d": "ConvTranspose", "linear": "Gemm",
    "addmm": "Gemm", "mm": "MatMul", "bmm": "MatMul", "matmul": "MatMul", "max_pool2d": "MaxPool", "avg_pool2d": "AveragePool",
    "adaptive_avg_pool2d": "AveragePool", "softmax": "Softmax", "log_softmax": "LogSoftmax", "layer_norm": "LayerNormalization",
    "native_layer_norm": "LayerNormalization", "rms_norm": "RMSNormalization", "batch_norm": "BatchNormalization",
    "group_norm": "GroupNormalization", "native_group_norm": "GroupNormalization", "instance_norm": "InstanceNormalization",
    "mean": "ReduceMean", "sum": "ReduceSum", "amax": "ReduceMax", "amin": "ReduceMin", "argmax": "ArgMax", "argmin": "ArgMin",
    "permute": "Transpose", "transpose": "Transpose", "t": "Transpose", "cat": "Concat", "chunk": "Split", "split": "Split",
    "split_with_sizes": "Split", "slice": "Slice", "select": "Slice", "expand": "Expand", "repeat": "Tile", "pad": "Pad",
    "constant_pad_nd": "Pad", "embedding": "Gather", "gather": "GatherElements", "pixel_shuffle": "DepthToSpace",
    "pixel_unshuffle": "SpaceToDepth", "upsample_nearest2d": "Resize", "upsample_bilinear2d": "Resize", "view": "Reshape",
    "reshape": "Reshape", "flatten": "Reshape", "unflatten": "Reshape", "squeeze": "Squeeze", "unsqueeze": "Unsqueeze",
    "clone": "Identity", "contiguous": "Identity", "detach": "Identity", "alias": "Identity", "lift_fresh_copy": "Identity",
    "dropout": "Dropout", "to": "Cast", "_to_copy": "Cast", "scaled_dot_product_attention": "Attention",
    "quantize_per_tensor": "QuantizeLinear", "dequantize_per_tensor": "DequantizeLinear",
    "quantize_per_channel": "QuantizeLinear", "dequantize_per_channel": "DequantizeLinear", "clip": "Clip",
    "clamp_min": "Clip", "clamp_max": "Clip",
}  # fmt: skip
TORCH_NAMES: dict[str, str] = {name: row.name for row in OPS.values() for name in row.torch} | _TORCH
