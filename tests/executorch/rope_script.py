"""Runs in the interpreter that has the wheel: a pattern with named dimensions in a model with several sizes of heads.

PYTHONPATH has test_rope_executorch. Prints one line of JSON.
"""

from __future__ import annotations

import json
import re
import warnings

import test_rope_executorch as package
import torch
from executorch.exir import EdgeCompileConfig, to_edge


class Model(torch.nn.Module):
    """`offset`: halves that do not meet in the middle are no rotation."""

    def __init__(self, sizes: list[int], offset: int = 0) -> None:
        super().__init__()
        self.sizes, self.offset = sizes, offset

    def forward(self, *inputs):
        results = []
        for at, size in enumerate(self.sizes):
            x, cos, sin = inputs[3 * at : 3 * at + 3]
            half = size // 2 + self.offset
            turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
            results.append(x * cos + turned * sin)
        return results


def fused(ranks: list[tuple[int, ...]], offset: int = 0, more: tuple[int, ...] = ()) -> dict[str, object]:
    """`more`: dimensions in front of those that cos and sin have."""
    from test_rope_executorch.fusion import FuseRope

    inputs = []
    for shape in ranks:
        inputs += [torch.randn(shape), torch.randn(more + shape[-2:]), torch.randn(more + shape[-2:])]
    model = Model([shape[-1] for shape in ranks], offset)
    exported = torch.export.export(model, tuple(inputs))
    edge = to_edge(exported, compile_config=EdgeCompileConfig(_check_ir_validity=False))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        edge = edge.transform([FuseRope(edge.exported_program())])
    said = [re.sub(r" \(.*?\)", "", str(each.message)) for each in caught if "[test.rope]" in str(each.message)]
    program = edge.exported_program()
    again = torch.export.export(program.module(), tuple(inputs)).run_decompositions()
    off = [float((a - b).abs().max()) for a, b in zip(again.module()(*inputs), model(*inputs), strict=True)]
    calls = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    return {"fused": sum("rope" in each for each in calls), "calls": len(calls), "off": max(off), "said": said}


def computed() -> list[bool]:
    """The op that a computation with the same bounds makes: its value, its gradient, and a graph for every length."""
    x = torch.rand(2, 3, 10, dtype=torch.float64, requires_grad=True)
    glu = torch.ops.test_rope.glu

    class Gate(torch.nn.Module):
        def forward(self, x):
            return glu(x)

    length = torch.export.Dim("half", min=2, max=64) * 2
    exported = torch.export.export(Gate(), (torch.rand(3, 8),), dynamic_shapes=({1: length},))
    other = torch.rand(3, 22)
    return [
        torch.allclose(glu(x), torch.nn.functional.glu(x)),
        torch.autograd.gradcheck(glu, (x,)),
        torch.allclose(exported.module()(other), torch.nn.functional.glu(other)),
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    package.register()
    found = {
        "sizes": fused([(1, 4, 6, 8), (2, 3, 5, 32), (4, 6, 64), (1, 2, 2, 128)]),
        "sample": fused([(4, 12, 16)]),
        "uneven": fused([(1, 4, 6, 8)], offset=1),
        "odd": fused([(1, 4, 6, 7)]),
        "rank": fused([(1, 4, 6, 8)], more=(1,)),
    }
    print(json.dumps(found | {"computed": computed()}))


main()
