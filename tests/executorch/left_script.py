"""For fusion_script.py: calls of ops with a pattern that the backend is never given, or does not take.

PYTHONPATH has test_left_executorch.
"""

from __future__ import annotations

import warnings

import test_left_executorch as package
import torch
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
from executorch.exir import EdgeCompileConfig, to_edge
from opkg_executorch import lowering
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

NAMES = ("leaky", "elu", "root", "both")
DYNAMIC = (("leaky", 0), ("leaky", 1), ("level", 0), ("level", 1))


class Called(torch.nn.Module):
    """Each op twice: to be quantized, and in floating point."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.first = torch.nn.Linear(8, 8)

    def forward(self, x):
        ops = torch.ops.test_left
        y = self.first(x)
        results = []
        for z in (y, y * 0.5):
            results += [ops.leaky(z, None, z[0]), ops.elu(z), ops.root(z), *ops.both(z)]
        return tuple(results)


def quantized(x):
    """The model, and what was warned of."""
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype.use_8a8w)
    quantizer.add_discard_nodes([f"{name}_1" for name in NAMES])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        prepared = prepare_pt2e(lowering.exported(Called().eval(), (x,)), quantizer)
    with torch.no_grad():
        prepared(x)
    return convert_pt2e(prepared), said(str(each.message) for each in caught)


def said(texts) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text.startswith("[test.left]")))


def early() -> list:
    """What stands for a call that no lowering could delegate before anything else is done, and its value."""
    from test_left_executorch.keeping import KeepWhole

    x = torch.randn(3, 4)
    model = torch.nn.Module()
    model.forward = lambda x: torch.ops.test_left.leaky(x, None, x[0])
    program = torch.export.export(model, (x,), strict=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        KeepWhole()(program.graph_module)
    targets = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    equal = torch.equal(program.module()(x), torch.nn.functional.leaky_relu(x, 0.2) + x[0])
    return [targets, equal, said(str(each.message) for each in caught)]


def early_dynamic(name: str, at: int) -> list:
    """The same of a dimension that is dynamic: calls, whether it stays so, and whether the model is right with another size."""
    from test_left_executorch.keeping import KeepWhole

    op = getattr(torch.ops.test_left, name)
    model = torch.nn.Module()
    model.forward = lambda x: op(x, None, x[0])
    shapes = {"x": {at: torch.export.Dim("n", min=2, max=64)}}
    program = torch.export.export(model, (torch.randn(3, 4),), dynamic_shapes=shapes, strict=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        KeepWhole()(program.graph_module)
    calls = [node for node in program.graph.nodes if node.op == "call_function"]
    kinds = {isinstance(node.meta["val"].shape[at], torch.SymInt) for node in calls if node.meta["val"].ndim > 1}
    x = torch.randn(*[7 if at == dim else size for dim, size in enumerate((3, 4))])
    equal = torch.allclose(program.module()(x), op(x, None, x[0]), atol=1e-5)
    return [
        [str(node.target) for node in calls][-2:],
        kinds == {True},
        equal,
        len(said(str(e.message) for e in caught)),
    ]


def sums() -> list[str]:
    """What is said of sums of products, most of the calls of a pattern of three."""
    from test_left_executorch.fusion import FuseLeaky

    model = torch.nn.Module()
    model.forward = lambda x, w: x * w + w * w
    exported = torch.export.export(model, (torch.randn(2, 4), torch.randn(4)), strict=False)
    edge = to_edge(exported, compile_config=EdgeCompileConfig(_check_ir_validity=False))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        edge.transform([FuseLeaky(edge.exported_program())])
    return said(str(each.message) for each in caught)


def left() -> dict:
    package.register()
    x = torch.randn(4, 8)
    model, warned = quantized(x)
    with torch.no_grad():
        wanted = model(x)
    made = lowering.lower(model, (x,), "8a8w")
    got = lowering.execute(made.pte, (x,))
    steps = [float((g - w).abs().max() / (w.max() - w.min()) * 255) for g, w in zip(got, wanted, strict=True)]
    found = {
        "early": early(),
        "early_dynamic": [early_dynamic(*each) for each in DYNAMIC],
        "sums": sums(),
        "warned": warned,
        "cpu": sorted(made.on_cpu),
        "steps": steps,
    }
    found["said"] = said(made.warnings)
    package.unregister()
    return found
