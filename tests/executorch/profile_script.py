"""Runs with an older wheel first on the path: registers a package generated for it, builds and quantizes, and takes it out.

Arguments: folder of the generated package nn.activations, its library (or nothing: no model is lowered). Prints one line
of JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
import warnings
from collections import defaultdict
from pathlib import Path
from unittest.mock import MagicMock

sys.path.insert(0, sys.argv[1])
try:
    import requests  # noqa: F401
except ModuleNotFoundError:  # the wheels import it to download an SDK, which nobody asks for here
    sys.modules["requests"] = sys.modules["requests.adapters"] = MagicMock()

import executorch
import nn_activations_executorch as package
import torch
from executorch.backends.qualcomm._passes.layout_transform import LayoutTransform
from executorch.backends.qualcomm.builders import node_visitor_manager
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from executorch.exir import EdgeCompileConfig, to_edge
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

BASE = "executorch.backends.qualcomm.quantizer.annotators"
registry = node_visitor_manager._node_visitor_dict
try:
    rules = importlib.import_module(f"{BASE}.htp_rules").get_rules()
except ModuleNotFoundError:
    rules = importlib.import_module(BASE).OP_ANNOTATOR


def release() -> str:
    """The version of the wheel that was imported, which lies beside it."""
    base = Path(next(iter(executorch.__path__))).parent
    return next(base.glob("executorch-*.dist-info")).name.removeprefix("executorch-").removesuffix(".dist-info")


def state() -> list[int]:
    supported = getattr(QnnQuantizer, "SUPPORTED_OPS", ())
    return [len(registry), len(rules), len(LayoutTransform.layout_agnostic_ops), len(supported)]


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        ops = torch.ops.nn_activations
        return ops.relu_min_max(ops.hard_swish(self.conv(x)), max_value=1.0)


def build(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> list[str]:
    """Our nodes that are built."""
    edge = to_edge(torch.export.export(model, inputs), compile_config=EdgeCompileConfig(_check_ir_validity=False))
    program = edge.exported_program()
    visitors = node_visitor_manager.get_node_visitors(program)
    wrappers: dict = defaultdict(dict)
    built = []
    for node in program.graph.nodes:
        name = getattr(node.target, "__name__", "")
        if name in package.TARGETS and visitors[name].define_node(node, wrappers) is not None:
            built.append(name)
    return built


def quantized(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> torch.nn.Module:
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype.use_8a8w)
    prepared = prepare_pt2e(torch.export.export(model, inputs, strict=True).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def between(program: torch.nn.Module) -> list[bool]:
    """Of each of our nodes, whether it stands between a dequantize and a quantize."""
    found = []
    for node in program.graph.nodes:
        if "nn_activations" in str(node.target):
            before, after = str(node.args[0].target), [str(user.target) for user in node.users]
            found.append("dequantize" in before and all(".quantize" in each for each in after))
    return found


def lowered(program: torch.nn.Module, inputs: tuple[torch.Tensor, ...], fp16: bool) -> dict:
    from executorch.backends.qualcomm.serialization.qc_schema import QcomChipset, QnnExecuTorchOpPackageOptions
    from executorch.backends.qualcomm.utils import utils

    options = QnnExecuTorchOpPackageOptions()
    options.op_package_infos = package.package_info(sys.argv[2])
    backend = utils.generate_htp_compiler_spec(use_fp16=fp16)
    spec = utils.generate_qnn_executorch_compiler_spec(
        soc_model=QcomChipset.SM8650, backend_options=backend, op_package_options=options
    )
    with torch.no_grad():
        wanted = program(*inputs)
    edge = utils.to_edge_transform_and_lower_to_qnn(program, inputs, spec)
    names = [getattr(n.target, "__name__", "") for n in edge.exported_program().graph.nodes if n.op == "call_function"]
    result: dict = {"operators": names}
    with tempfile.NamedTemporaryFile(suffix=".pte") as file:
        edge.to_executorch().write_to_file(file)
        file.flush()
        try:
            from executorch.runtime import Runtime

            output = Runtime.get().load_program(file.name).load_method("forward").execute(inputs)[0]
            result["error"] = float((output - wanted).abs().max())
        except Exception as failure:
            result["failure"] = f"{type(failure).__name__}: {failure}"
    return result


def main() -> None:
    stock = state()
    package.register()
    package.unregister()
    result: dict = {"undone": state() == stock, "wheel": release()}
    package.register()
    result["grown"] = [now - before for now, before in zip(state(), stock, strict=True)]
    model, inputs = Model().eval(), (torch.randn(1, 3, 8, 16),)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result["built"] = build(model, inputs)
        program = quantized(model, inputs)
        result["between"] = between(program)
        if sys.argv[2:]:
            result["fp16"] = lowered(model, inputs, True)
            result["8a8w"] = lowered(program, inputs, False)
    result["warnings"] = [str(w.message) for w in caught if "nn.activations" in str(w.message)]
    print(json.dumps(result))


main()
