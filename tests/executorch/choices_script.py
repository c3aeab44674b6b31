"""Runs in the interpreter that has the wheel: one pattern for calls with and without optional inputs, and for other params.

PYTHONPATH has test_choices_executorch and opkg_executorch. Arguments, to lower it, too: the observer of kernel calls, the
op package.
Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys

import test_choices_executorch as package
import torch
from executorch.exir import EdgeCompileConfig, to_edge
from opkg_executorch import lowering, observe
from torch.nn import functional as F


def norm(x, gamma=None, beta=None, eps=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    result = centred * torch.rsqrt((centred * centred).mean(-1, keepdim=True) + eps)
    result = result if gamma is None else result * gamma
    return result if beta is None else result + beta


def cases(x, z, g, b) -> dict:
    return {
        "sum": torch.relu(x + z),
        "scaled sum": torch.relu(torch.add(x, z, alpha=0.3)),
        "norm": norm(x),
        "norm, gamma": norm(x, g),
        "norm, both, eps": norm(x, g, b, 1e-2),
        "norm, beta": norm(x, None, b),
        "layer norm": torch.tanh(F.layer_norm(x, (8,))),
        "layer norm, gamma": torch.tanh(F.layer_norm(x, (8,), g, None, 1e-3)),
        "layer norm, both": torch.tanh(F.layer_norm(x, (8,), g, b)),
        "gelu": F.gelu(x) * 2.0,
        "gelu, tanh, scaled": 0.7 * F.gelu(x, approximate="tanh"),
        "twice": torch.tanh(x * 0.7) - 0.7 * z,
        "twice, differs": torch.tanh(x * 0.7) - 0.6 * z,
        "computed": x * 0.6 + z * (1 - 0.3),
    }


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.g, self.b = torch.nn.Parameter(torch.rand(8) + 0.5), torch.nn.Parameter(torch.randn(8))

    def forward(self, x, z):
        return list(cases(x, z, self.g, self.b).values())


def calls(graph) -> list[str]:
    """Calls of our ops, with how many tensors they get and params that are given."""
    found = []
    for node in graph.nodes:
        name = str(getattr(node.target, "__name__", ""))
        if node.op == "call_function" and name.startswith("test_choices."):
            params = ", ".join(f"{key}={value:.4g}" for key, value in node.kwargs.items())
            found.append(f"{name.split('.')[1]}({len(node.args)}{', ' * bool(params)}{params})")
    return found


def main() -> None:
    if len(sys.argv) > 1:
        observe.start(sys.argv[1])
    package.register()
    from test_choices_executorch.fusion import PASSES

    model, inputs = Model().eval(), (torch.randn(1, 3, 4, 8), torch.randn(1, 3, 4, 8))
    with torch.no_grad():
        wanted = model(*inputs)
    edge = to_edge(torch.export.export(model, inputs), compile_config=EdgeCompileConfig(_check_ir_validity=False))
    edge = edge.transform([each(edge.exported_program()) for each in PASSES])
    program = edge.exported_program()
    equal = [torch.equal(got, want) for got, want in zip(program.module()(*inputs), wanted, strict=True)]
    found = {"calls": calls(program.graph), "equal": all(equal)}
    print(json.dumps(found | (lowered(model, inputs, wanted) if len(sys.argv) > 1 else {})))


def lowered(model, inputs, wanted) -> dict:
    made = lowering.lower(model, inputs, "float", package.package_info(sys.argv[2]))
    got = lowering.execute(made.pte, inputs)
    off = [float((g - w).abs().max() / w.abs().max()) for g, w in zip(got, wanted, strict=True)]
    return {
        "delegates": made.delegates,
        "cpu": list(made.on_cpu),
        "delegated": sorted(name.split(".")[1] for name in made.delegated if name.startswith("test_choices.")),
        "kernels": sum(count for name, count in observe.counts().items() if "test.choices" in name),
        "off": max(off),
    }


main()
