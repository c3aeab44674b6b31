"""Runs in the interpreter that has the wheel: registers the generated builders and has them build real graph nodes.

Arguments: folder of the generated package, a file to use as library. Prints one line of JSON. Needs no QNN library.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, sys.argv[1])

import test_everything_executorch as package
import torch
from executorch.backends.qualcomm.builders import node_visitor_manager
from executorch.exir import EdgeCompileConfig, to_edge
from test_everything_executorch import constants

stock = len(node_visitor_manager._node_visitor_dict)
package.register()
registry = node_visitor_manager._node_visitor_dict
library = torch.library.Library(constants.TORCH_NAMESPACE, "DEF")
for schema in constants.SCHEMAS.values():
    library.define(schema)


def meta(name: str):
    return torch.library.impl(library, name, "Meta")


@meta("all_params")
def _(x, *args, **kwargs):
    return torch.empty_like(x)


@meta("halves")
def _(x):
    c = x.shape[-1]
    return x[..., : c // 2].clone(), x[..., c // 2 :].clone()


@meta("concat")
def _(xs, axis=-1):
    return torch.cat(xs, axis)


@meta("weighted")
def _(x, weight, bias=None, mask=None, alpha=None, axes=None):
    return x @ weight.T


@meta("pieces")
def _(x, size):
    return [x[:, at : at + size].clone() for at in range(0, x.shape[1], size)]


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3, 6))
        self.bias = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        ops = torch.ops.test_everything
        low, high = ops.halves(x)
        joined = ops.concat([high, low], 1)
        out = ops.all_params(joined, required=-3, pads=[1, 2, 3, 4], i8=-8, f32=0.5, flag=False, ints=[-1, 2, -3])
        bad = ops.all_params(out, required=-3, pads=[1, 2, 3, 4], mode=7)
        first, *others = ops.pieces(bad, 2)
        dense = ops.weighted(bad, self.weight)
        return ops.weighted(bad, self.weight, self.bias) + dense, first, others


program = to_edge(
    torch.export.export(Model(), (torch.ones(2, 6),)), compile_config=EdgeCompileConfig(_check_ir_validity=False)
)
edge = program.exported_program()
visitors = node_visitor_manager.get_node_visitors(edge, op_package_infos=[package.package_info(Path(sys.argv[2]))])
built, rejected = [], []
wrappers: dict = defaultdict(dict)
for node in edge.graph.nodes:
    name = getattr(node.target, "__name__", "")
    if node.op != "call_function" or name not in package.TARGETS:
        continue
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        op = visitors[name].define_node(node, wrappers)
    (rejected if op is None else built).append(name)
    rejected += [str(w.message) for w in caught if "not delegated" in str(w.message)]
print(
    json.dumps(
        {
            "registered": sorted(set(registry) & set(package.TARGETS)),
            "stock": stock,
            "grown": len(registry) - stock,
            "ours": all(type(visitors[t]).__module__.startswith("test_everything") for t in package.TARGETS),
            "built": built,
            "rejected": rejected,
            "outputs": sorted(len(found) for found in wrappers.values()),
        }
    )
)
