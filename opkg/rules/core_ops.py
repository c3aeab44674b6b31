"""Names of core ops known to us: QNN's ops and the core package's own short names. Others may exist in any SDK."""

from __future__ import annotations

from opkg.spec.diagnostics import nearest

CORE_PREFIX = "q::"
INTERNAL = ("$", "*")  # first characters of the names of nodes that the graph itself makes: $Const, *Input
_QNN = """
Argmax Argmin AxisAlignedBboxTransform Batchnorm BatchPermutation BatchToSpace BboxTransform Buffer Cast ChannelShuffle
Col2Im CollectRpnProposals CombinedNms Concat ConstantOfShape Conv1d Conv2d Conv3d Convert Correlation1D CreateSparse
CropAndResize CumulativeSum DepthToSpace DepthWiseConv1d DepthWiseConv2d Dequantize DetectionOutput DistributeFpnProposals
ElementWiseAbs ElementWiseAdd ElementWiseAnd ElementWiseAsin ElementWiseAtan ElementWiseBinary ElementWiseCeil
ElementWiseCos ElementWiseDivide ElementWiseEqual ElementWiseExp ElementWiseFloor ElementWiseFloorDiv ElementWiseFmod
ElementWiseGreater ElementWiseGreaterEqual ElementWiseLess ElementWiseLessEqual ElementWiseLog ElementWiseMaximum
ElementWiseMinimum ElementWiseMod ElementWiseMultiply ElementWiseNeg ElementWiseNeuron ElementWiseNot
ElementWiseNotEqual ElementWiseOr ElementWisePower ElementWiseRound ElementWiseRsqrt ElementWiseSelect ElementWiseSign
ElementWiseSin ElementWiseSoftplus ElementWiseSquaredDifference ElementWiseSquareRoot ElementWiseSubtract
ElementWiseUnary ElementWiseXor Elu ExpandDims ExtractGlimpse ExtractPatches FullyConnected Gather GatherElements
GatherNd Gelu GenerateProposals GetSparseIndices GetSparseValues GridSample GroupNorm Gru HardSwish HeatMapMaxKeyPoint
If Im2Col ImageProjectionTransform InstanceNorm L2Norm L2Pool2d LayerNorm LogSoftmax Lrn Lstm MaskedSoftmax MatMul
Moments MultiClassNms NonMaxSuppression NonZero Nv12ToRgb Nv21ToRgb OneHot Pack Pad PoolAvg2d PoolAvg3d
PoolMax2d PoolMax3d Prelu Quantize RandomUniformLike ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
ReduceSumSquare Relu Relu1 Relu6 ReluMinMax Reshape Resize ResizeBilinear ResizeNearestNeighbor RmsNorm RoiAlign
RoiPooling ScatterElements ScatterNd Shape Sigmoid Softmax SpaceToBatch SpaceToDepth SparseToDense Split Squeeze Stft
StridedSlice Tanh Tile TopK Transpose TransposeConv1d TransposeConv2d TransposeConv3d UnPack
"""
_SHORT = (
    "Add Sub Mul Div Minimum Maximum Neg Abs Exp Sqrt Rsqrt Round Slice_shape Slice Requantize IntToFloat FloatToInt"
)
CORE_OPS = tuple(sorted({*_QNN.split(), *_SHORT.split()}))
_KNOWN = frozenset(CORE_OPS)


def is_core_op(name: str) -> bool:
    """Whether a name without prefix, `QNN_` aside, is one of the known core ops."""
    return name.removeprefix("QNN_") in _KNOWN


def missing_op(op: str, own: str, known: frozenset[str] | None) -> tuple[str, str] | None:
    """What to say of a full op name that no package defines, and a hint; None when it may well exist.

    `own`: the package whose rules they are, whose ops are all in `known`; other packages are known if one of their ops
    is. Core ops are judged by `is_core_op` instead.
    """
    package, _, name = op.rpartition("::")
    if known is None or op in known or op.startswith((*INTERNAL, CORE_PREFIX)) or not package:
        return None
    siblings = tuple(sorted(other.rpartition("::")[2] for other in known if other.rpartition("::")[0] == package))
    if not siblings and package != own:
        return None
    if is_core_op(name):
        hint = f'for the core op write FROM_DEFAULT_PACKAGE("{name}")'
    else:
        near = nearest(name, siblings)
        hint = f"did you mean '{near}'?" if near else f"ops of {package}: {', '.join(siblings[:8]) or 'none'}"
    return f"package {package} has no op '{name}'", hint
