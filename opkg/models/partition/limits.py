"""What a kernel of several ops may be on a target: numbers and lists, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opkg.models.model import Model, Node
from opkg.models.ops import OPS, Group
from opkg.models.partition.moved import is_number

NONE = 1 << 30  # no limit


@dataclass(frozen=True, slots=True)
class Limits:
    """`dtypes`: element types of tensors; `rank`: most dimensions. Of one kernel at most: `tensors`: inputs and outputs
    together; `nodes`; `registers`: vectors that are alive at once (0: not looked at); `tile`: bytes of all its tensors in fast
    memory. `claims`: whether convolutions and the like take what follows them (opkg.models.partition.claimed). `behind`: what is
    computed with a convolution or matrix product that it follows, by the element type of the result. `tcm`: bytes of fast
    memory; `near`, `far`: bytes that move in the time of a packet, of tensors that fit there and of others; `call`: packets of
    calling a kernel, beside its loops; `costed`: whether packets count, and not bytes alone."""

    name: str
    ops: frozenset[str]
    dtypes: frozenset[str]
    rank: int
    tensors: int
    inputs: int = NONE
    outputs: int = NONE
    nodes: int = NONE
    registers: int = 0
    tile: int = NONE
    claims: bool = False
    behind: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tcm: int = NONE
    near: int = NONE
    far: int = NONE
    call: int = 0
    costed: bool = True

    def worth(self, saved_bytes: int, largest: int, saved_packets: float, saved_calls: int = 1) -> float:
        """What a merge gains, in packets (in bytes, where packets do not count): less than 0 when it loses. `largest`: bytes of
        its largest tensor."""
        if not self.costed:
            return saved_bytes
        rate = self.far if largest > self.tcm else self.near
        return saved_packets + saved_bytes / rate + saved_calls * self.call


BIAS = "bias"  # a sum with one constant per channel
_POINTWISE = frozenset(row.name for row in OPS.values() if row.group is Group.POINTWISE)
# The tokenization of OpenVINO 2026.4.1's CPU plugin; booleans only stand between ops there.
_TAKEN = """
Abs Add And Ceil Clip Div Elu Equal Erf Exp FakeQuantize Floor Fmod Gelu Greater GreaterOrEqual HSigmoid HardSwish Less
LessOrEqual Max Min Mod Mul Neg Not NotEqual Or PRelu Pow Relu Round Sigmoid Softsign Sqrt SquaredDifference Sub Swish Tanh
Where Xor
"""
OPENVINO = Limits(
    name="openvino",
    ops=frozenset(_TAKEN.split()),
    dtypes=frozenset(("float32", "bfloat16", "float16", "int8", "uint8", "bool8")),
    rank=6,
    tensors=11,
    claims=True,
    costed=False,
)
# What HTP computes with the Conv or MatMul before it: the same number of records in the context that it prepares as without
# (QNN 2.51, x86; tests/onnxruntime/test_htp_behind.py counts them). Signed integers were not measured: as unsigned ones.
_BEHIND = {
    "float32": frozenset((BIAS,)),
    "float16": frozenset((BIAS, "Relu")),
    **dict.fromkeys(("uint8", "int8", "uint16", "int16"), frozenset(("Relu", "Clip"))),
}
# What a call takes beside its loops is that of Add (docs/bench.md, "Whole calls"). The rates are assumptions, no device was
# measured: a vector a packet within the TCM (4 MiB, the least of what SoCs from v68 on have), an eighth of that beyond.
_TCM, _CALL, _NEAR, _FAR = 4 << 20, 36, 128, 16
# Kernels of opkg on HTP: QHPI takes tensors of up to five dimensions; of HVX's 32 vector registers some hold constants of the
# code; a tile of a generated kernel takes 512 KiB of the TCM (docs/spec.md).
HTP = Limits(
    name="htp",
    ops=_POINTWISE,
    dtypes=frozenset(("float32", "float16", "int8", "uint8", "int16", "uint16", "int32", "bool8")),
    rank=5,
    tensors=16,
    inputs=12,
    outputs=4,
    nodes=64,
    registers=28,
    tile=512 << 10,
    behind=_BEHIND,
    tcm=_TCM,
    near=_NEAR,
    far=_FAR,
    call=_CALL,
)
TARGETS: Mapping[str, Limits] = {"htp": HTP, "openvino": OPENVINO}


def why_not(model: Model, node: Node, limits: Limits) -> str:
    """Why a node cannot stand in a kernel of several ops; "" when it can."""
    row = OPS.get(node.op)
    if row is None:
        return "no op that opkg knows"
    if node.op not in limits.ops:
        return f"{row.group.value} op" if row.group is not Group.POINTWISE else f"not taken for {limits.name}"
    if len(node.outputs) != 1:
        return "several results"
    if all(name in model.constants for name in node.reads):
        return "constant"
    return _tensors(model, [*node.reads, *node.outputs], limits)


def _tensors(model: Model, names: Sequence[str], limits: Limits) -> str:
    """What is wrong with the tensors of a node."""
    for name in dict.fromkeys(names):
        tensor = model.tensor(name)
        if tensor.fixed is None:
            return f"{name} has no fixed shape"
        if len(tensor.fixed) > limits.rank:
            return f"{name} has {len(tensor.fixed)} dimensions, more than {limits.rank}"
        if tensor.dtype not in limits.dtypes and not is_number(model, name):
            return f"{name} is {tensor.dtype or 'of no known type'}"
        if tensor.bytes == 0:
            return f"{name} is empty"
    return ""
