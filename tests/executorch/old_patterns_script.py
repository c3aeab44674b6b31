"""Runs in the interpreter that has torch: an op with only a pattern, of a package for a release without fusions. Prints JSON."""

from __future__ import annotations

import json

import test_old_executorch.ops as old
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.test_old.square(x, alpha=3.0)


def main() -> None:
    old.define()
    torch.manual_seed(4)
    x = torch.randn(4, 3)
    leaves = [x.clone().requires_grad_(True) for _ in range(2)]
    results = [Model()(leaves[0]), torch.relu(leaves[1]) * leaves[1] * 3.0]
    for result in results:
        result.sum().backward()
    exported = torch.export.export(Model(), (x,))
    out = torch.empty(0)
    torch.ops.test_old.square(x, 3.0, out=out)
    try:
        torch.ops.test_old.square(x[0])
    except ValueError as failure:
        said = str(failure)
    print(
        json.dumps(
            {
                "same": all(torch.equal(r, results[1]) for r in (Model()(x), results[0], out, exported.module()(x))),
                "gradient": torch.equal(leaves[0].grad, leaves[1].grad),
                "exported": [str(n.target) for n in exported.graph.nodes if n.op == "call_function"],
                "said": said,
            }
        )
    )


main()
