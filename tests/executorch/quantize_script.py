"""Runs in the interpreter that has the wheel: quantizes a model of generated ops by the Qualcomm backend's quantizer.

PYTHONPATH has test_quantized_executorch. Prints one line of JSON: per kind of quantization, what the arguments and results
of our ops are dequantized from and quantized to.
"""

from __future__ import annotations

import json
import warnings

import test_quantized_executorch as package
import torch
from executorch.backends.qualcomm._passes.layout_transform import LayoutTransform
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([[0.5], [-1.0], [2.0], [4.0]]))
        self.bias = torch.nn.Parameter(torch.tensor([0.25, -0.5, 0.125, 1.0]))

    def forward(self, x, z):
        ops = torch.ops.test_quantized
        y = ops.plain(x, z)
        low, high, above = ops.shared(y, z)
        picked = torch.where(above, low, high)
        return ops.fixed(ops.weighted(picked, self.weight, bias=self.bias), z)


def parameters(node: torch.fx.Node) -> list:
    """Scale or number of scales, zero point and type of a quantize or dequantize node; its name otherwise."""
    name = str(node.target)
    if "per_tensor" in name:
        scale, zero, low, high = node.args[1:5]
        return [round(float(scale), 6), int(zero), int(low), int(high)]
    if "per_channel" in name:
        return ["per channel", node.args[3], int(node.args[4]), int(node.args[5])]
    return [name]


def one(kind: QuantDtype) -> dict:
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(kind)
    torch.manual_seed(3)
    inputs = (torch.rand(2, 3, 4) * 2 - 0.5, torch.rand(2, 3, 4) - 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        prepared = prepare_pt2e(torch.export.export(Model().eval(), inputs, strict=True).module(), quantizer)
        wanted = prepared(*inputs)
    converted = convert_pt2e(prepared)
    found: dict = {"said": [str(w.message) for w in caught if "test.quantized" in str(w.message)]}
    found["error"] = float((converted(*inputs) - wanted).detach().abs().max())
    for node in converted.graph.nodes:
        name = str(node.target)
        if not name.startswith("test_quantized"):
            continue
        users = list(node.users)
        results = [next(iter(u.users)) for u in users] if "shared" in name else users[:1]
        found[name.split(".")[1]] = {
            "in": [parameters(arg) for arg in [*node.args, *node.kwargs.values()] if isinstance(arg, torch.fx.Node)],
            "out": [parameters(user) for user in results],
        }
    return found


def main() -> None:
    package.register()
    agnostic = sorted(op.__name__ for op in LayoutTransform.layout_agnostic_ops if "test_quantized" in op.__name__)
    kinds = {"8a8w": QuantDtype.use_8a8w, "16a8w": QuantDtype.use_16a8w}
    print(json.dumps({"agnostic": agnostic} | {name: one(kind) for name, kind in kinds.items()}))


main()
