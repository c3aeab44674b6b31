"""Core ops as a QNN graph has them: which operands of a rule's node are params, their names and element types.

Names and types are those of QNN's public operation definitions.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.dtypes import DTYPES, DType

CORE_PACKAGE = "qti.aisw"


@dataclass(frozen=True, slots=True)
class CoreParam:
    """A param of a core op; `rank` 0: a scalar, else a tensor of that rank (its last dimension, if 2, is fixed by `wide`)."""

    name: str
    dtype: DType
    rank: int = 0
    wide: int = 2


def _uint(name: str, rank: int = 0, wide: int = 2) -> CoreParam:
    return CoreParam(name, DTYPES["uint32"], rank, wide)


def _bool(name: str) -> CoreParam:
    return CoreParam(name, DTYPES["bool8"])


def _float(name: str) -> CoreParam:
    return CoreParam(name, DTYPES["float32"])


_WINDOW = (_uint("stride", 1), _uint("pad_amount", 2))
_REDUCE = (_uint("axes", 1), _bool("keep_dims"))

# QNN op -> (number of tensors, -1: all but the params at the end; the params behind them, in order)
PARAMS: dict[str, tuple[int, tuple[CoreParam, ...]]] = {
    "ReluMinMax": (1, (_float("min_value"), _float("max_value"))),
    "Elu": (1, (_float("alpha"),)),
    "Transpose": (1, (_uint("perm", 1),)),
    "Concat": (-1, (_uint("axis"),)),
    "Pack": (-1, (_uint("axis"),)),
    "Split": (1, (_uint("axis"), _uint("split_index", 1))),
    "Softmax": (1, (_float("beta"), _uint("axis"))),  # measured: QNN 2.51 shows rewrites beta first
    "MatMul": (2, (_bool("transpose_in0"), _bool("transpose_in1"))),
    "Conv2d": (3, (*_WINDOW, _uint("dilation", 1), _uint("group"))),
    "DepthWiseConv2d": (3, (*_WINDOW, _uint("dilation", 1))),
    "PoolMax2d": (1, (_uint("filter_size", 1), *_WINDOW, _uint("rounding_mode"))),
    "PoolAvg2d": (1, (_uint("filter_size", 1), *_WINDOW, _bool("count_pad_for_edges"), _uint("rounding_mode"))),
    "Tile": (1, (_uint("multiples", 1),)),
    "DepthToSpace": (1, (_uint("block_size", 1), _uint("mode"))),
    "SpaceToDepth": (1, (_uint("block_size", 1), _uint("mode"))),
    "StridedSlice": (1, (CoreParam("ranges", DTYPES["int32"], 2, 3), *(
        _uint(name) for name in ("begin_mask", "end_mask", "shrink_axes", "new_axes_mask")))),
    **dict.fromkeys(("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"), (1, _REDUCE)),
    "Argmax": (1, (_uint("axis"), _bool("keep_dims"))),
}  # fmt: skip


def split_operands(name: str, count: int) -> tuple[int, tuple[CoreParam, ...]]:
    """How many of a core op's operands are tensors, and the params that the others are. ValueError when it has no such
    form."""
    tensors, params = PARAMS.get(name, (count, ()))
    tensors = count - len(params) if tensors < 0 else min(tensors, count)
    if tensors < 1 or count - tensors > len(params):
        raise ValueError(f"{name} with {count} operands")
    return tensors, params[: count - tensors]
