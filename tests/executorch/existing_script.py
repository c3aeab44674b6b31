"""Runs with a checkout whose own builders stand behind those of QNN's operators: who builds what, and are the numbers right?

Prints one line of JSON.
"""

from __future__ import annotations

import json
import tempfile
import warnings

import torch
from executorch.backends.qualcomm import builders
from executorch.backends.qualcomm.builders import node_visitor_manager, qti_aisw_package
from executorch.backends.qualcomm.quantizer.annotators import htp_rules
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from executorch.backends.qualcomm.serialization.qc_schema import QcomChipset
from executorch.backends.qualcomm.utils.utils import (
    generate_htp_compiler_spec,
    generate_qnn_executorch_compiler_spec,
    to_edge_transform_and_lower_to_qnn,
)
from executorch.runtime import Runtime
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.out = torch.nn.Linear(16, 10)

    def forward(self, x):
        x = torch.nn.functional.relu(self.conv(x))
        x = x * torch.sigmoid(x)
        return torch.softmax(self.out(x), -1)


def built_by(visitors: dict) -> list:
    """Notes which modules make QNN ops."""
    made: list = []

    def watched(cls: type, method):
        def define_node(self, node, wrappers):
            op = method(self, node, wrappers)
            made.append(
                [getattr(node.target, "__name__", str(node.target)), cls.__module__.rpartition(".")[2], op is not None]
            )
            return op

        return define_node

    for cls in {*visitors.values()}:
        cls.define_node = watched(cls, cls.define_node)
    return made


def run(model, inputs, fp16: bool) -> dict:
    spec = generate_qnn_executorch_compiler_spec(
        soc_model=QcomChipset.SM8650, backend_options=generate_htp_compiler_spec(use_fp16=fp16)
    )
    with torch.no_grad():
        wanted = model(*inputs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lowered = to_edge_transform_and_lower_to_qnn(model, inputs, spec)
    graph = lowered.exported_program().graph
    with tempfile.NamedTemporaryFile(suffix=".pte") as file:
        lowered.to_executorch().write_to_file(file)
        file.flush()
        output = Runtime.get().load_program(file.name).load_method("forward").execute(inputs)[0]
    return {
        "operators": [getattr(n.target, "__name__", str(n.target)) for n in graph.nodes if n.op == "call_function"],
        "warnings": sorted({str(w.message) for w in caught if "qti.aisw" in str(w.message)}),
        "error": float((output - wanted).abs().max()),
    }


def quantized(model, inputs):
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype.use_8a8w)
    prepared = prepare_pt2e(torch.export.export(model, inputs, strict=True).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def last_of(target: str, visitor: type) -> type:
    """Who gets a call of a torch op when no spec of ours allows it."""
    while target in getattr(visitor, "stock", {}):
        visitor = visitor.stock[target]
    return visitor


def main() -> None:
    registry, rules = node_visitor_manager._node_visitor_dict, htp_rules.get_rules()
    result = {
        "folder": builders.__file__,
        "ours": sum(issubclass(v, builders.op_qti_aisw_relu.PackageVisitor) for v in registry.values()),
        "stock": sorted(qti_aisw_package.STOCK),
        "last": {
            target: last_of(target, visitor).__module__.rpartition(".")[2]
            for target, visitor in registry.items()
            if target in qti_aisw_package.STOCK
        },
        "rules": sum(r.annotate_fn.__qualname__.startswith("QtiAisw") for r in rules.values()),
    }
    model, inputs = Model().eval(), (torch.randn(1, 3, 8, 16),)
    made = built_by(registry)
    result["fp16"] = run(model, inputs, True)
    result["8a8w"] = run(quantized(model, inputs), inputs, False)
    result["made"] = made
    print(json.dumps(result))


main()
