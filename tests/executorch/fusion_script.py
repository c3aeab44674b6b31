"""Runs in the interpreter that has the wheel: patterns become ops, in graphs of every stage and in programs that run.

PYTHONPATH has test_fused_executorch and opkg_executorch. Arguments: the observer of kernel calls, the op package.
Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys

import test_fused_executorch as package
import torch
from executorch.backends.qualcomm._passes.qnn_pass_manager import QnnPassManager, get_qnn_pass_manager_cls
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer
from executorch.exir import EdgeCompileConfig, to_edge
from left_script import left
from opkg_executorch import lowering, observe

CONFIG = EdgeCompileConfig(_check_ir_validity=False)


class Function(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def names(program) -> list[str]:
    """Calls of a graph, without `aten` and the namespace of our ops."""
    graph = getattr(program, "graph", program)
    calls = [getattr(n.target, "__name__", str(n.target)) for n in graph.nodes if n.op == "call_function"]
    return [name.removeprefix("aten.").removeprefix("test_fused.") for name in calls]


def edge(function, *inputs):
    program = torch.export.export(Function(function), inputs, strict=True)
    return to_edge(program, compile_config=CONFIG)


def seed() -> dict:
    """The example of ExecuTorch's documentation of the backend dialect."""
    from test_fused_executorch.fusion import FuseAddRelu

    x, y = torch.randn(2, 3), torch.randn(2, 3)
    program = edge(lambda x, y: torch.ops.aten.relu.default(x + y), x, y)
    before = names(program.exported_program())
    program = program.transform([FuseAddRelu()])
    fused = program.exported_program()
    kept = torch.export.export(fused.module(), (x, y))
    again = kept.run_decompositions()
    return {
        "before": before,
        "graph": str(fused.graph).strip().splitlines()[3:],
        "equal": torch.equal(fused.module()(x, y), torch.relu(x + y)),
        "kept": names(kept),
        "again": names(again),
        "size": len(program.to_executorch().buffer) > 1000,
    }


def cases(x, y, v, w, deep, whole, flat):
    """Results by what they show."""
    t, s = x + y, torch.sigmoid(x)
    return {
        "commuted": torch.relu(y + x),
        "two": torch.relu(torch.relu(x + y) + y),
        "same": torch.relu(x + x),
        "used inside": (torch.relu(t), t),
        "factor": torch.relu(torch.add(x, y, alpha=2)),
        "number": torch.relu(x + 1.0),
        "rank": torch.relu(deep + deep),
        "shapes": torch.relu(x + y[:1]),
        "integers": torch.relu(whole + whole),
        "gate": torch.nn.functional.silu(x),
        "gate by hand": torch.sigmoid(y) * y,
        "gate of others": x * torch.sigmoid(y),
        "gates overlap": (x * s, s * x),
        "blend": torch.tanh(torch.relu(x + w) * 0.3 + x),
        "blend commuted": torch.tanh(x + 0.3 * torch.relu(w + x)),
        "larger": torch.tanh(torch.relu(v + w) * 0.3 + v),
        "other slope": torch.tanh(torch.relu(v + w) * 0.5 + v),
        "swirl": (torch.tanh(x) * y, torch.exp(x) - y),
        "half a swirl": torch.tanh(x) * y,
        "doubled": torch.relu(flat.flatten() * 2.0).reshape_as(flat),
        "not doubled": torch.relu(flat.flatten() * 2.0).reshape(flat.shape[1], flat.shape[0]),
        "called": torch.ops.test_fused.blend(x, w),
    }


INPUTS = (
    *(torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.randn(4), torch.randn(4)),
    *(torch.randn(1, 1, 1, 2, 2), torch.ones(2, 3, dtype=torch.int32), torch.randn(5, 7)),
)


def neighbours() -> dict[str, list[str]]:
    """What becomes of patterns, and of what looks like one, beside each other in one graph."""
    from test_fused_executorch.fusion import PASSES

    keys = list(cases(*INPUTS))
    program = edge(lambda *inputs: list(cases(*inputs).values()), *INPUTS)
    wanted = [t for value in cases(*INPUTS).values() for t in (value if isinstance(value, tuple) else [value])]
    program = program.transform([each(program.exported_program()) for each in PASSES])
    fused = program.exported_program()
    results = fused.module()(*INPUTS)
    flat = [t for value in results for t in (value if isinstance(value, list | tuple) else [value])]
    for got, want in zip(flat, wanted, strict=True):
        assert torch.equal(got, want) or torch.allclose(got, want, atol=1e-6)
    outputs = list(fused.graph.output_node().args[0])
    found = {}
    for key, value in zip(keys, cases(*INPUTS).values(), strict=True):
        mine = [outputs.pop(0) for _ in (value if isinstance(value, tuple) else [value])]
        found[key] = calls(mine)
    assert not outputs
    return found


def calls(outputs) -> list[str]:
    """Calls that outputs come from, in the graph's order."""
    seen: dict = {}
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if node.op == "call_function" and node not in seen:
            seen[node] = None
            stack += node.all_input_nodes
    found = [str(node.target.__name__) for node in outputs[0].graph.nodes if node in seen]
    return [name.removeprefix("aten.").removeprefix("test_fused.").partition(".")[0] for name in found]


def dynamic() -> list[str]:
    """Calls of a graph with a dynamic dimension."""
    from test_fused_executorch.fusion import PASSES

    dim = torch.export.Dim("n", min=2, max=64)
    model = Function(lambda x: torch.tanh(torch.relu(x + x[0]) * 0.3 + x))
    program = torch.export.export(model, (torch.randn(5, 4),), dynamic_shapes=(({0: dim},),))
    program = to_edge(program, compile_config=CONFIG)
    fused = program.transform([each(program.exported_program()) for each in PASSES]).exported_program()
    x = torch.randn(9, 4)
    assert torch.allclose(fused.module()(x), model(x), atol=1e-6)
    return [name.partition(".")[0] for name in names(fused)]


def eager() -> dict:
    """The op is its pattern: values, gradients, what the spec does not allow."""
    ops = torch.ops.test_fused
    x, w = torch.randn(3, 4, requires_grad=True), torch.randn(4)
    ops.blend(x, w, slope=0.5).sum().backward()
    first = x.grad.clone()
    x.grad = None
    torch.tanh(torch.relu(x + w) * 0.5 + x).sum().backward()
    said = ""
    try:
        ops.add_relu(torch.ones(2), torch.ones(3))
    except ValueError as failure:
        said = str(failure)
    checks = torch.library.opcheck(ops.blend.default, (torch.randn(3, 4), w), {"slope": 0.5})
    return {"gradient": torch.equal(first, x.grad), "said": said, "opcheck": sorted(set(checks.values()))}


class Model(torch.nn.Module):
    """Patterns between a convolution and other ops; one with two results is only for floats."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.w = torch.nn.Parameter(torch.rand(16) - 0.5)

    def forward(self, x):
        y = self.conv(x)
        z = torch.relu(y + torch.tanh(y))
        gate = z * torch.sigmoid(z)
        blend = torch.tanh(torch.relu(y + self.w) * 0.3 + y)
        called = torch.ops.test_fused.blend(gate, self.w, slope=0.125)
        more = torch.exp(y) - z
        bell = torch.exp(-(y**2))
        rms = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6) * self.w
        return z, gate, blend, called, torch.tanh(y) * z + 1.0, more, bell, rms


class Asks(torch.nn.Module):
    """Two ops that ask for different scales of one tensor, and of the model's input."""

    def forward(self, x):
        ops = torch.ops.test_fused
        y = torch.relu(x) - 0.5
        return ops.coarse(y), ops.fine(y), y * 0.5, ops.fine(x), ops.coarse(x)


def lowered(model, x, mode: str, infos) -> dict:
    """Quantized, lowered and run: what was delegated, kernels called, and how far each output is, in steps of 8 bits."""
    torch.manual_seed(2)
    more = [(torch.randn_like(x),) for _ in range(3)]
    program = model if mode == "float" else lowering.quantize(model, (x,), mode, more)
    with torch.no_grad():
        wanted = program(x)
    before = observe.counts()
    made = lowering.lower(program, (x,), mode, infos)
    got = lowering.execute(made.pte, (x,))
    steps = [float((g - w).abs().max() / (w.max() - w.min()) * 255) for g, w in zip(got, wanted, strict=True)]
    kernels = observe.since(before)
    return {
        "delegates": made.delegates,
        "ours": sorted(name for name in made.delegated if name.startswith("test_fused")),
        "stock": sorted(name for name in made.delegated if "add" in name or "sigmoid" in name or "relu" in name),
        "cpu": list(made.on_cpu),
        "converts": sum(name == "aten._to_copy.default" for name in made.delegated),
        "kernels": {name.partition("/")[2]: count for name, count in sorted(kernels.items())},
        "steps": [round(each, 2) for each in steps],
        "said": [text for text in made.warnings if "test.fused" in text],
    }


def asked() -> dict:
    """Scales that the two ops get in the quantized model, and what else the tensor is quantized with."""
    program = lowering.quantize(Asks(), (torch.randn(1, 4, 8, 16),), "8a8w")
    found: dict = {}
    for node in program.graph.nodes:
        if node.op == "call_function" and str(node.target).startswith("test_fused"):
            found.setdefault(str(node.target).split(".")[1], []).append(node.args[0].args[1])
    return found


def order() -> list[str]:
    """The pass pipeline, shortened: first, ours, last; the same for those who give their own."""
    from test_fused_executorch.pipeline import passes

    program = torch.export.export(Function(torch.relu), (torch.randn(2),))
    manager = get_qnn_pass_manager_cls()()
    default = [type(each).__name__ for each in manager.get_to_edge_transform_passes(program)]
    job, table = passes()
    given = manager.get_to_edge_transform_passes(program, passes_job=job, dep_table=table)
    assert [type(each).__name__ for each in given] == default
    return [default[0], *[name for name in default if name.startswith(("Fuse", "Expand"))], default[-1]]


def stock() -> list:
    """What register() wraps."""
    wrapped = ("get_capture_program_passes", "get_to_edge_transform_passes")
    return [*(vars(QnnPassManager)[name] for name in wrapped), vars(QnnQuantizer)["transform_for_annotation"]]


def main() -> None:
    observe.start(sys.argv[1])
    before = stock()
    package.register()
    infos = package.package_info(sys.argv[2])
    found: dict = {"seed": seed(), "neighbours": neighbours(), "dynamic": dynamic(), "eager": eager(), "order": order()}
    x = torch.randn(1, 3, 8, 16)
    for mode in ("float", "8a8w", "16a8w"):
        found[mode] = lowered(Model().eval(), x, mode, infos)
    found["alone"] = lowered(Model().eval(), x, "float", [])
    found["asked"] = asked()
    found["asks"] = lowered(Asks(), torch.randn(1, 4, 8, 16), "8a8w", infos)
    found["left"] = left()
    package.unregister()
    found["restored"] = stock() == before
    package.register()
    found["again"] = seed()["again"]
    print(json.dumps(found))


main()
