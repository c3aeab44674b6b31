"""The part of the base class that generated builders use, with the wheel's signatures."""

from __future__ import annotations

from typing import Any

from ..python.PyQnnManagerAdaptor import Qnn_DataType_t, TensorWrapper
from .utils import is_parameter

_PLAIN = {
    "float32": "FLOAT_32", "float16": "FLOAT_16", "int32": "INT_32", "int64": "INT_64", "bool": "BOOL_8",
}  # fmt: skip
_QUANTIZED = {
    "uint8": "UFIXED_POINT_8", "int8": "SFIXED_POINT_8", "uint16": "UFIXED_POINT_16", "int16": "SFIXED_POINT_16",
}  # fmt: skip


class NodeVisitor:
    def __init__(
        self, external_ids: Any, edge_program: Any, enable_tensor_dump: bool, is_qnn_partitioner: bool = True
    ) -> None:
        self.edge_program = edge_program

    def get_node(self, node: Any) -> Any:
        return node.args[0] if node is not None and node.target == "dequantize" else node

    def get_tensor(self, input_node: Any, op_node: Any, idx: int | None = None) -> Any:
        value = input_node.meta["val"]
        tensor = value if idx is None else value[idx]
        order = op_node.meta.get("axis_order")
        return tensor if order is None else tensor.permute(order)

    def get_quant_encoding_conf(self, node: Any, target_node: Any) -> tuple[str, dict[str, Any]]:
        return ("", dict(node.meta.get("quant", {})))

    def get_data_type(self, tensor: Any, quant_config: dict[str, Any]) -> Any:
        table = _QUANTIZED if quant_config else _PLAIN
        return Qnn_DataType_t[f"QNN_DATATYPE_{table[tensor.dtype]}"]

    def define_tensor(
        self,
        tensor_source_node: Any,
        target_build_node: Any,
        tensor: Any,
        tensor_type: Any,
        nodes_to_wrappers: Any,
        node_name: str | None = None,
        wrapper_idx: int = 0,
    ) -> TensorWrapper:
        known = nodes_to_wrappers[node_name or tensor_source_node.name]
        if wrapper_idx not in known:
            _, config = self.get_quant_encoding_conf(tensor_source_node, target_build_node)
            data_type = self.get_data_type(tensor, config).name.removeprefix("QNN_DATATYPE_")
            value = tensor if is_parameter(tensor_source_node, self.edge_program) else None
            name = f"{tensor_source_node.name}@{wrapper_idx}"
            kind = tensor_type.name.removeprefix("QNN_TENSOR_TYPE_")
            known[wrapper_idx] = TensorWrapper(name, kind, data_type, tuple(tensor.shape), value)
        return known[wrapper_idx]
