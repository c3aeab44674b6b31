"""Runs with a checkout of ExecuTorch first on the path: are the packages in it registered, and do their ops run on the HTP?

Arguments: the library of nn.activations, or nothing: then only what needs no QNN library. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings

import torch
from executorch.backends.qualcomm import builders
from executorch.backends.qualcomm._passes.layout_transform import LayoutTransform
from executorch.backends.qualcomm.builders import node_visitor_manager, qnn_constants
from executorch.backends.qualcomm.partition.utils import get_skip_decomp_table
from executorch.backends.qualcomm.quantizer.annotators import htp_rules
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from executorch.backends.qualcomm.serialization.qc_schema import QcomChipset, QnnExecuTorchOpPackageOptions
from executorch.backends.qualcomm.utils.utils import (
    generate_htp_compiler_spec,
    generate_qnn_executorch_compiler_spec,
    to_edge_transform_and_lower_to_qnn,
)
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

HARD_SWISH, SOFTPLUS = torch.ops.nn_activations.hard_swish.default, torch.ops.aten.softplus.default


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        return torch.nn.functional.softplus(torch.ops.nn_activations.hard_swish(self.conv(x)))


class Other(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.softplus(x, beta=2.0)  # the spec does not allow it


def found() -> dict:
    registry, rules = node_visitor_manager._node_visitor_dict, htp_rules.get_rules()
    layout = [str(op) for op in LayoutTransform.layout_agnostic_ops if "softplus" in str(op) or "hard_swish" in str(op)]
    return {
        "folder": builders.__file__,
        "visitors": {name: type(registry[name]).__name__ and registry[name].__module__ for name in
                     ("nn_activations.hard_swish.default", "aten.softplus.default", "aten.relu.default")},
        "modules": [name for name in dir(builders) if "nn_activations" in name or "neuron" in name],
        "constants": [qnn_constants.OpNnActivationsReluMinMax.param_max_value, qnn_constants.OpElementWiseNeuron.op_name],
        "rules": [op in rules for op in (HARD_SWISH, SOFTPLUS)],
        "layout": sorted(layout),
        "whole": SOFTPLUS in get_skip_decomp_table(),
        "generated": [name for name in sys.modules if name.endswith("_executorch") and "opkg" not in name],
    }  # fmt: skip


def quantized(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> torch.nn.Module:
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype.use_8a8w)
    prepared = prepare_pt2e(torch.export.export(model, inputs, strict=True).module(), quantizer)
    for _ in range(3):
        prepared(torch.randn(*inputs[0].shape))
    prepared(*inputs)
    return convert_pt2e(prepared)


def run(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...], library: str, fp16: bool) -> dict:
    from executorch.backends.qualcomm.builders.nn_activations_package import package_info
    from executorch.runtime import Runtime

    options = QnnExecuTorchOpPackageOptions()
    options.op_package_infos = package_info(library)
    spec = generate_qnn_executorch_compiler_spec(
        soc_model=QcomChipset.SM8650,
        backend_options=generate_htp_compiler_spec(use_fp16=fp16),
        op_package_options=options,
    )
    with torch.no_grad():
        wanted = model(*inputs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lowered = to_edge_transform_and_lower_to_qnn(model, inputs, spec)
    graph = lowered.exported_program().graph
    if isinstance(model, Other):
        return {"operators": [str(n.target) for n in graph.nodes if n.op == "call_function"]}
    with tempfile.NamedTemporaryFile(suffix=".pte") as file:
        lowered.to_executorch().write_to_file(file)
        file.flush()
        output = Runtime.get().load_program(file.name).load_method("forward").execute(inputs)[0]
    return {
        "operators": [getattr(n.target, "__name__", str(n.target)) for n in graph.nodes if n.op == "call_function"],
        "warnings": [str(w.message) for w in caught if "not delegated" in str(w.message)],
        "error": float((output - wanted).abs().max()),
        "range": float(wanted.abs().max()),
    }


def main() -> None:
    model, inputs = Model().eval(), (torch.randn(1, 3, 8, 16),)
    result = found()
    program = quantized(model, inputs)
    text = str(program.graph)
    result["quantized"] = text.count("quantize_per_tensor")
    if sys.argv[1:]:
        result["fp16"] = run(model, inputs, sys.argv[1], True)
        result["8a8w"] = run(program, inputs, sys.argv[1], False)
        result["decomposed"] = run(Other().eval(), (torch.randn(1, 3, 4, 4),), sys.argv[1], True)["operators"]
    print(json.dumps(result))


main()
