"""Quantizes a model, lowers it with the Qualcomm partitioner and runs the program in this process."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from executorch.backends.qualcomm.serialization.qc_schema import QcomChipset, QnnExecuTorchOpPackageOptions
from executorch.backends.qualcomm.utils.utils import (
    generate_htp_compiler_spec,
    generate_qnn_executorch_compiler_spec,
    to_edge_transform_and_lower_to_qnn,
)
from executorch.runtime import Runtime
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

MODES = ("float", "8a8w", "16a8w")
SOC = int(QcomChipset.SM8650)

Tensors = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Lowered:
    """A program: its bytes, how many delegates it has, and what became of the model's operators (names of the edge dialect).

    `packages`: infos of the op packages that it was lowered with. `warnings`: what Python warned of on the way.
    `contexts`: what the backend made of each delegate.
    """

    pte: bytes
    delegates: int
    delegated: tuple[str, ...]
    on_cpu: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    contexts: tuple[bytes, ...] = ()


def exported(model: torch.nn.Module, inputs: Tensors) -> Any:
    """The model as torch.export sees it."""
    return torch.export.export(model, inputs, strict=True).module()


def quantize(model: torch.nn.Module, inputs: Tensors, mode: str, calibration: Iterable[Tensors] = ()) -> Any:
    """The model with quantize and dequantize operators, `mode` 8a8w or 16a8w; calibrated on `inputs` and `calibration`."""
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype[f"use_{mode}"], is_conv_per_channel=True, is_linear_per_channel=True)
    prepared = prepare_pt2e(exported(model, inputs), quantizer)
    with torch.no_grad():
        for each in (*calibration, inputs):
            prepared(*each)
    return convert_pt2e(prepared)


def compiler_spec(mode: str, infos: Sequence[Any], soc: int = SOC) -> Any:
    """What the partitioner is told; `infos`: those of `package_info(library)` of each op package."""
    options = QnnExecuTorchOpPackageOptions()
    options.op_package_infos = list(infos)
    return generate_qnn_executorch_compiler_spec(
        soc_model=QcomChipset(soc),
        backend_options=generate_htp_compiler_spec(use_fp16=mode == "float"),
        **({"op_package_options": options} if infos else {}),
    )


def lower(model: Any, inputs: Tensors, mode: str, infos: Sequence[Any] = (), soc: int = SOC) -> Lowered:
    """The model as a program for the Qualcomm backend; `soc`: QNN's number of the SoC."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            program = to_edge_transform_and_lower_to_qnn(model, inputs, compiler_spec(mode, infos, soc))
        except Exception as failure:
            for each in caught:  # why a builder did not take a node often explains it
                failure.add_note(str(each.message))
            raise
    graph_module = program.exported_program().graph_module
    delegated, on_cpu, delegates = counted(graph_module)
    contexts = tuple(bytes(module.processed_bytes) for _, module in graph_module.named_children()
                     if hasattr(module, "processed_bytes"))  # fmt: skip
    pte = bytes(program.to_executorch().buffer)
    said = tuple(dict.fromkeys(str(each.message) for each in caught))
    return Lowered(pte, delegates, tuple(delegated), tuple(on_cpu), said, contexts=contexts)


def operators(graph_module: Any) -> list[Any]:
    """The nodes of a graph that compute: no placeholder, no getitem."""
    found = []
    for node in graph_module.graph.nodes:
        name = getattr(node.target, "__name__", str(node.target))
        if node.op == "call_function" and name not in ("getitem", "executorch_call_delegate"):
            found.append(node)
    return found


def counted(graph_module: Any) -> tuple[list[str], list[str], int]:
    """Operators inside delegates, operators outside, and the number of delegates of a lowered graph."""
    inside: list[str] = []
    delegates = 0
    for name, module in graph_module.named_children():
        original = getattr(module, "original_module", None)
        if name.startswith("lowered_module") and original is not None:
            delegates += 1
            inside += [str(node.target.__name__) for node in operators(original.graph_module)]
    outside = [str(getattr(node.target, "__name__", node.target)) for node in operators(graph_module)]
    return inside, outside, delegates


def execute(pte: bytes, inputs: Tensors) -> list[torch.Tensor]:
    """The outputs of a program's method `forward`, run in this process."""
    program = Runtime.get().load_program(pte)
    return [torch.clone(each) for each in program.load_method("forward").execute(list(inputs))]
