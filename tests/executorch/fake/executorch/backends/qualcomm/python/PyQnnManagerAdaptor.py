"""Records what a builder hands to the QNN graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

_TYPES = (
    "INT_8 INT_16 INT_32 INT_64 UINT_8 UINT_16 UINT_32 FLOAT_16 FLOAT_32 SFIXED_POINT_8 SFIXED_POINT_16 "
    "SFIXED_POINT_32 UFIXED_POINT_8 UFIXED_POINT_16 BOOL_8"
)
Qnn_DataType_t = Enum("Qnn_DataType_t", [f"QNN_DATATYPE_{name}" for name in _TYPES.split()])
Qnn_TensorType_t = Enum("Qnn_TensorType_t", ["QNN_TENSOR_TYPE_NATIVE", "QNN_TENSOR_TYPE_STATIC"])


@dataclass
class TensorWrapper:
    name: str
    tensor_type: Any
    data_type: Any
    dims: tuple[int, ...]
    value: Any


@dataclass
class PyQnnOpWrapper:
    name: str
    package: str
    op_type: str
    inputs: list[TensorWrapper] = field(default_factory=list)
    outputs: list[TensorWrapper] = field(default_factory=list)
    params: list[tuple[str, str, Any, tuple[int, ...] | None]] = field(default_factory=list)

    def AddInputTensors(self, tensors: list[TensorWrapper]) -> None:
        self.inputs += tensors

    def AddOutputTensors(self, tensors: list[TensorWrapper]) -> None:
        self.outputs += tensors

    def AddScalarParam(self, name: str, data_type: Any, attributes: dict[str, Any]) -> None:
        self.params.append((name, data_type.name.removeprefix("QNN_DATATYPE_"), attributes["data"], None))

    def AddTensorParam(self, name: str, data_type: Any, rank: int, dims: list[int], data: Any, copy_data: bool) -> None:
        assert rank == len(dims)
        assert copy_data
        self.params.append((name, data_type.name.removeprefix("QNN_DATATYPE_"), data, tuple(dims)))
