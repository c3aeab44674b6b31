"""API generations of ExecuTorch's Qualcomm backend: one row per generation (facts/executorch.md, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

_QUALCOMM = "executorch.backends.qualcomm"


@dataclass(frozen=True, slots=True)
class Profile:
    """Where a generation of the wheel keeps what a builder needs, and what its API can carry.

    `scalars`: QNN data types that AddScalarParam stores; others are dropped with a log line (measured on the wheel).
    `tensors`: QNN data types a tensor of a torch graph can have once it reaches a builder.
    """

    name: str
    requirement: str
    adaptor: str
    visitor: str
    registry: str
    utils: str
    constants: str
    schema: str
    quantizer: str
    partitioner: str
    lowering: str
    layout: str
    passes: str
    scalars: frozenset[str]
    tensors: frozenset[str]


def _qnn(*names: str) -> frozenset[str]:
    return frozenset(f"QNN_DATATYPE_{name}" for name in names)


_SMALL = ("INT_8", "INT_16", "INT_32", "UINT_8", "UINT_16", "UINT_32", "FLOAT_16", "FLOAT_32", "BOOL_8")
_FIXED = tuple(f"{sign}FIXED_POINT_{bits}" for sign, bits in (("S", 8), ("S", 16), ("S", 32), ("U", 8), ("U", 16)))

PROFILES: dict[str, Profile] = {
    "executorch-1.5": Profile(
        name="executorch-1.5",
        requirement="executorch==1.5.1",
        adaptor=f"{_QUALCOMM}.python.PyQnnManagerAdaptor",
        visitor=f"{_QUALCOMM}.builders.node_visitor",
        registry=f"{_QUALCOMM}.builders.node_visitor_manager",
        utils=f"{_QUALCOMM}.builders.utils",
        constants=f"{_QUALCOMM}.utils.constants",
        schema=f"{_QUALCOMM}.serialization.qc_schema",
        quantizer=f"{_QUALCOMM}.quantizer",
        partitioner=f"{_QUALCOMM}.partition.qnn_partitioner",
        lowering=f"{_QUALCOMM}.utils.utils",
        layout=f"{_QUALCOMM}._passes.layout_transform",
        passes=f"{_QUALCOMM}._passes",
        scalars=_qnn(*_SMALL),
        tensors=_qnn(*_SMALL, *_FIXED, "INT_64"),
    ),
}

DEFAULT = PROFILES["executorch-1.5"]
