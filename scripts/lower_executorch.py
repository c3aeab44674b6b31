"""A model with ops of two example packages: exported, quantized, lowered to a .pte and run in this process.

See docs/design/executorch.md for the environment. Arguments: 8a8w, 16a8w or float; then the libraries of the
two packages, if there are any: then the Qualcomm partitioner lowers the model, and it is executed in this process.
Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings

import nn_activations_executorch as activations
import nn_math_executorch as maths
import torch
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

PACKAGES = (activations, maths)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.alpha = torch.nn.Parameter(torch.rand(16))
        self.gamma = torch.nn.Parameter(torch.rand(16) + 0.5)

    def forward(self, x):
        nn, more = torch.ops.nn_activations, torch.ops.nn_math
        y = nn.hard_swish(self.conv(x))
        y = nn.prelu(more.layer_norm(y, self.gamma), self.alpha)
        return more.add(nn.relu_min_max(y, max_value=4.0), nn.relu(y))


def quantized(model: torch.nn.Module, kind: str, inputs: tuple[torch.Tensor, ...]) -> torch.nn.Module:
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype[f"use_{kind}"], is_conv_per_channel=True)
    prepared = prepare_pt2e(torch.export.export(model, inputs, strict=True).module(), quantizer)
    for _ in range(3):
        prepared(torch.randn(*inputs[0].shape))
    prepared(*inputs)
    return convert_pt2e(prepared)


def run(program, library_paths: list[str], inputs: tuple[torch.Tensor, ...]) -> tuple[list[str], torch.Tensor]:
    """Lowered with the op packages; operators of the program, and its output."""
    from executorch.backends.qualcomm.serialization.qc_schema import (
        QcomChipset,
        QnnExecuTorchOpPackageOptions,
    )
    from executorch.backends.qualcomm.utils.utils import (
        generate_htp_compiler_spec,
        generate_qnn_executorch_compiler_spec,
        to_edge_transform_and_lower_to_qnn,
    )
    from executorch.runtime import Runtime

    options = QnnExecuTorchOpPackageOptions()
    options.op_package_infos = [p.package_info(path) for p, path in zip(PACKAGES, library_paths, strict=True)]
    spec = generate_qnn_executorch_compiler_spec(
        soc_model=QcomChipset.SM8650,
        backend_options=generate_htp_compiler_spec(use_fp16=sys.argv[1] == "float"),
        op_package_options=options,
    )
    lowered = to_edge_transform_and_lower_to_qnn(program, inputs, spec)
    graph = lowered.exported_program().graph
    names = [getattr(n.target, "__name__", str(n.target)) for n in graph.nodes if n.op == "call_function"]
    with tempfile.NamedTemporaryFile(suffix=".pte") as file:
        lowered.to_executorch().write_to_file(file)
        file.flush()
        method = Runtime.get().load_program(file.name).load_method("forward")
        return names, method.execute(inputs)[0]


def main() -> None:
    for package in PACKAGES:
        package.register()
        package.register()
    model, inputs = Model().eval(), (torch.randn(1, 3, 8, 16),)
    found: dict = {}
    program = model if sys.argv[1] == "float" else quantized(model, sys.argv[1], inputs)
    with torch.no_grad():
        wanted = program(*inputs)
    if sys.argv[2:]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found["operators"], output = run(program, sys.argv[2:], inputs)
        found["warnings"] = [str(w.message) for w in caught if "not delegated" in str(w.message)]
        found["error"] = float((output - wanted).abs().max())
        found["range"] = float(wanted.abs().max())
    print(json.dumps(found))


main()
