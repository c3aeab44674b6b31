"""Runs with a checkout of ExecuTorch first on the path, which has test.choices: patterns become its ops, and these run.

Argument: the library of test.choices. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys

import torch
from executorch.backends.qualcomm import builders
from executorch.backends.qualcomm.builders.test_choices_package import package_info
from opkg_executorch import lowering
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(7)
        self.scale, self.conv = torch.nn.Parameter(torch.rand(8) + 0.5), torch.nn.Conv2d(3, 3, 1)

    def forward(self, x, z):
        x = self.conv(x)
        d = x - x.mean(-1, keepdim=True)
        n = d * torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-3)
        return torch.relu(torch.add(x, z, alpha=0.25)), n * self.scale, F.gelu(x, approximate="tanh") * 2.0


def main() -> None:
    model, inputs = Model().eval(), (torch.randn(1, 3, 4, 8), torch.randn(1, 3, 4, 8))
    found: dict = {"folder": builders.__file__}
    for mode in ("float", "8a8w"):
        program = model if mode == "float" else lowering.quantize(model, inputs, mode)
        with torch.no_grad():
            wanted = program(*inputs)
        made = lowering.lower(program, inputs, mode, package_info(sys.argv[1]))
        got = lowering.execute(made.pte, inputs)
        found[mode] = {
            "ours": sorted(name.split(".")[1] for name in made.delegated if name.startswith("test_choices.")),
            "delegates": made.delegates,
            "cpu": list(made.on_cpu),
            "off": max(float((g - w).abs().max() / w.abs().max()) for g, w in zip(got, wanted, strict=True)),
        }
    print(json.dumps(found))


main()
