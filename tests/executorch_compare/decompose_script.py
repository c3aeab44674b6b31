"""Runs in the interpreter with torch: a model that calls ops by name, without the packages. Prints one line of JSON.

PYTHONPATH has test_direct_executorch.
"""

from __future__ import annotations

import json

import torch
from opkg_executorch import decompose, lowering
from test_direct_executorch import ops


class Model(torch.nn.Module):
    def forward(self, x, gain):
        first, peak = torch.ops.test_direct.scaled(x, gain, 1)
        again, _ = torch.ops.test_direct.scaled(first, None, axis=-1)
        return again * 2, peak, torch.ops.test_direct.counted(x > 0)


def main() -> None:
    ops.define()
    model = Model()
    inputs = (torch.randn(2, 5, 4), torch.rand(4) + 0.5)
    module, found = decompose.decomposed(lowering.exported(model, inputs), ["test_direct_executorch"])
    other = (torch.randn(2, 5, 4), torch.rand(4) + 0.5)
    off = [float((a.double() - b.double()).abs().max()) for a, b in zip(module(*other), model(*other), strict=True)]
    calls = [node for node in module.graph.nodes if node.op == "call_function"]
    wide = [str(node) for node in calls if torch.float64 in (*node.args, *node.kwargs.values())]
    print(json.dumps({"found": found, "off": off, "ours": [n for n in map(str, calls) if "direct" in n], "wide": wide,
                      "places": all("stack_trace" in node.meta for node in calls if "getitem" not in str(node))}))  # fmt: skip


main()
