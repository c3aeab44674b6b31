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
from executorch.backends.qualcomm._passes.layout_transform import LayoutTransform
from executorch.backends.qualcomm.builders import node_visitor_manager
from executorch.backends.qualcomm.quantizer.annotators import htp_rules
from executorch.exir import EdgeCompileConfig, to_edge

registry = node_visitor_manager._node_visitor_dict


def state() -> list[int]:
    """What registration may change."""
    return [len(registry), len(htp_rules.get_rules()), len(LayoutTransform.layout_agnostic_ops)]


stock = state()
package.register()
package.unregister()
undone = state() == stock and not hasattr(torch.ops.test_everything, "halves")
package.register()
package.register()


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
        first, *others = ops.pieces(out, 2)
        dense = ops.weighted(out, self.weight) + ops.weighted(out, self.weight * 2)
        return ops.weighted(out, self.weight, self.bias) + dense, first, others


program = to_edge(
    torch.export.export(Model(), (torch.ones(2, 6),)), compile_config=EdgeCompileConfig(_check_ir_validity=False)
)
edge = program.exported_program()
visitors = node_visitor_manager.get_node_visitors(edge, op_package_infos=package.package_info(Path(sys.argv[2])))
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
            "stock": stock[0],
            "grown": [now - before for now, before in zip(state(), stock, strict=True)],
            "undone": undone,
            "ours": all(type(visitors[t]).__module__.startswith("test_everything") for t in package.TARGETS),
            "built": built,
            "rejected": rejected,
            "outputs": sorted(len(found) for found in wrappers.values()),
        }
    )
)
