"""Runs in the interpreter that has the wheel: gradients of the torch custom ops. Arguments: generated packages.

PYTHONPATH has the packages; test.trained is one of them. Prints one line of JSON.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from pathlib import Path

import test_trained_executorch as trained
import test_trained_executorch.ops as trained_ops
import torch
import torch.nn.functional as F
from torch.autograd import forward_ad

HERE = Path(__file__).resolve().parent
SHAPES = [(2, 3, 5), (5,), (3,), (1, 3, 1), (1,)]
MANDATORY = {
    "alpha": 0.2,
    "beta": 0.6,
    "axes": [2],
    "axis": 2,
    "operation": 2,
    "factor": 1.5,
    "min_value": -0.4,
    "max_value": 0.7,
}


def samples(op):
    """Calls that the spec allows, with all inputs and with the mandatory ones: positive values, then others."""
    params = {name: MANDATORY[name] for name in op.params if name in MANDATORY}
    for positive, shapes in itertools.product((True, False), itertools.product([*SHAPES, None], repeat=len(op.inputs))):
        values = [None if s is None else torch.rand(s, dtype=torch.float64) * 1.8 + 0.6 for s in shapes]
        values = [v if positive or v is None else v - 1.5 for v in values]
        given = op.bind(values, params)
        try:
            op.checked(given)
        except (ValueError, TypeError):  # TypeError: a mandatory one is missing
            continue
        if values[0] is not None and values[0].ndim == 3:
            yield values, params


def checked(name: str) -> dict[str, int]:
    """gradcheck of each op with a computation that gives numbers; how many calls of each were tried."""
    module = importlib.import_module(f"{name}.ops")
    module.define()
    found = {}
    for op in module.OPS:
        if op.compute is None or op.pattern is not None:
            continue
        call = getattr(getattr(torch.ops, module.TORCH_NAMESPACE), op.name)
        tried = 0
        for values, params in samples(op):
            if tried == 2:
                break
            inputs = [None if v is None else v.requires_grad_(True) for v in values]
            results = call(*inputs, **params)
            first = results[0] if isinstance(results, tuple | list) else results
            if not first.dtype.is_floating_point or not bool(torch.isfinite(first).all()):
                continue

            def run(*tensors, call=call, inputs=inputs, params=params):
                left = iter(tensors)
                return call(*(None if each is None else next(left) for each in inputs), **params)

            real = [each for each in inputs if each is not None]
            assert torch.autograd.gradcheck(run, real), op.name
            assert tried or torch.autograd.gradgradcheck(run, real), op.name
            transformed(op.name, run, [each.detach().float() for each in real])
            tried += 1
        found[op.name] = tried
    module.undefine()
    return found


def transformed(name, run, tensors, near=1e-4) -> None:
    """Derivatives in torch.func and forward ones are those of backward(), also of calls that are known by now."""
    for _ in range(3):
        first = run(*tensors)
    several = isinstance(first, tuple | list)

    def single(*given):
        return run(*given)[0] if several else run(*given)

    tangents = [torch.randn_like(t) for t in tensors]
    leaves = [t.clone().requires_grad_(True) for t in tensors]
    result = single(*leaves)
    cotangent = torch.randn_like(result)
    wanted = torch.autograd.grad(result, leaves, cotangent, allow_unused=True, materialize_grads=True)
    along = sum((g.double() * t.double()).sum() for g, t in zip(wanted, tangents, strict=True))
    value, changed = torch.func.jvp(single, tuple(tensors), tuple(tangents))
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(*pair) for pair in zip(tensors, tangents, strict=True)]
        changes = [changed, forward_ad.unpack_dual(single(*duals)).tangent]
    torch.testing.assert_close(value, first[0] if several else first, msg=name)
    size = max(1.0, *(float((g * t).abs().sum()) for g, t in zip(wanted, tangents, strict=True)))
    for change in changes:
        found = 0.0 if change is None else (change.double() * cotangent.double()).sum()
        assert abs(float(found - along)) < near * size, (name, found, along)
    derived = torch.func.vjp(single, *tensors)[1](cotangent)
    torch.testing.assert_close(list(derived), list(wanted), rtol=near, atol=near, msg=name)
    stacks = [torch.stack([t, t / 2]) for t in tensors]
    for got, each in zip(torch.vmap(single)(*stacks), zip(*stacks, strict=True), strict=True):
        torch.testing.assert_close(got, single(*each), msg=name)
    mapped = torch.vmap(lambda c: torch.func.vjp(single, *tensors)[1](c))(torch.stack([cotangent, -cotangent]))
    torch.testing.assert_close([each[0] for each in mapped], list(wanted), rtol=near, atol=near, msg=name)


def gradient(run, *tensors):
    fresh = [t.detach().clone().requires_grad_(True) for t in tensors]
    run(*fresh).sum().backward()
    return [None if t.grad is None else t.grad.tolist() for t in fresh]


def kinks() -> list[str]:
    """Places where a function has no derivative, beside torch's functions."""
    ops = torch.ops.test_trained
    x = torch.tensor([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 2.5])
    a, b = torch.tensor([[1.0, 2.0, 2.0]]), torch.tensor([[1.0, -1.0, 2.0]])
    pairs = {
        "relu": (gradient(lambda t: ops.kinks(t)[0], x), gradient(torch.relu, x)),
        "clip": (gradient(lambda t: ops.kinks(t)[1], x), gradient(lambda t: torch.clamp(t, -1, 1), x)),
        "abs": (gradient(lambda t: ops.kinks(t)[2], x), gradient(torch.abs, x)),
        "round": (gradient(lambda t: ops.kinks(t)[3], x), gradient(lambda t: torch.round(t) + torch.sign(t), x)),
        "max": (gradient(lambda s, t: ops.ties(s, t)[0], a, b), gradient(torch.maximum, a, b)),
        "row": (gradient(lambda t: ops.ties(t, b)[1], a), gradient(lambda t: torch.amax(t, -1, True), a)),
        "param": (gradient(lambda t: ops.ties(a, t)[2], b), gradient(lambda t: torch.clamp(t, -1, 1), b)),
        "half": (gradient(ops.halves, x.half()), gradient(lambda t: t * t * 3, x.half())),
    }
    transformed("halves", ops.halves, [x.half()], 5e-3)
    transformed("open", ops.open, [torch.randn(3, 4)], 5e-3)  # with a half inside
    assert not ops.kinks(x.clone().requires_grad_(True))[4].requires_grad
    for name, (got, want) in pairs.items():
        assert got == want, (name, got, want)
    return sorted(pairs)


def references() -> list[str]:
    """A numpy function's gradient, and what an op without one says."""
    ops = torch.ops.test_trained
    x, scale = torch.randn(2, 3, dtype=torch.float64), torch.tensor([0.7], dtype=torch.float64)
    x.requires_grad_(True)
    scale.requires_grad_(True)
    assert torch.autograd.gradcheck(lambda s, t: ops.cube(s, t, factor=1.5), (x, scale))
    assert torch.autograd.gradcheck(lambda s: ops.cube(s), (x,))
    w, said = torch.ones(2, 3, dtype=torch.float64, requires_grad=True), []

    def gradient(values):
        return torch.autograd.grad(ops.cube(values).sum(), values, create_graph=True)[0]

    for run in (ops.silent, lambda t: gradient(t).pow(2), lambda t: gradient(t * w).pow(2)):
        try:
            run(x).sum().backward()
        except (NotImplementedError, RuntimeError) as failure:
            said.append(str(failure))
    for derive in (torch.func.grad, lambda f: lambda t: torch.func.jvp(f, (t,), (t,))):
        try:
            derive(lambda t: ops.cube(t).sum())(x.detach())
        except NotImplementedError as failure:
            said.append(str(failure))
    return said


def compiled() -> list[str]:
    """Gradients of a numpy function in compiled graphs, and what an op without one says there."""
    ops = torch.ops.test_trained
    shape, factor = (2, 3), 1.5

    def run(x, scale):
        return (ops.cube(x * 2, scale, factor=factor) + ops.cube(x) + ops.swish(x)).sum()

    tensors = torch.randn(shape), torch.tensor([0.7])
    wanted = gradient(run, *tensors)
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        assert gradient(torch.compile(run, backend=backend, fullgraph=True), *tensors) == wanted, backend
    grads = [torch.ones(shape)]
    for words in ((), (tensors[1],)):
        overload = torch.ops.test_trained._gradient_of_cube.default
        assert set(torch.library.opcheck(overload, (grads, tensors[0], *words)).values()) == {"SUCCESS"}
    said = []
    try:
        torch._dynamo.reset()
        gradient(torch.compile(ops.silent, backend="aot_eager"), tensors[0])
    except Exception as failure:  # torch wraps it
        said.append(str(failure))
    return said


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.third = (torch.nn.Conv2d(*c, 3, padding=1) for c in ((2, 4), (4, 4), (4, 2)))
        self.scale = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        x = torch.ops.test_trained.swish(self.first(x))
        x = torch.ops.test_trained.kinks(self.second(x))[1]
        return torch.ops.test_trained.cube(self.third(x), self.scale, factor=0.5)


def trained_net() -> dict[str, object]:
    """Quantization-aware training by ExecuTorch's quantizer: parameters without a gradient, and how far the loss comes."""
    from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer, QuantDtype
    from torchao.quantization.pt2e import move_exported_model_to_train
    from torchao.quantization.pt2e.quantize_pt2e import prepare_qat_pt2e

    torch.manual_seed(3)
    x = torch.randn(4, 2, 6, 6)
    wanted = F.avg_pool2d(x, 3, 1, 1)
    quantizer = QnnQuantizer()
    quantizer.set_default_quant_config(QuantDtype.use_8a8w, is_qat=True)
    model = prepare_qat_pt2e(torch.export.export(Net().eval(), (x,)).module(), quantizer)
    move_exported_model_to_train(model)
    parameters = dict(model.named_parameters())
    optimizer = torch.optim.Adam(parameters.values(), lr=0.02)
    losses, without = [], set()
    for _ in range(25):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), wanted)
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
        without |= {name for name, p in parameters.items() if p.grad is None or not bool(p.grad.abs().sum() > 0)}
    return {"parameters": len(parameters), "without": sorted(without), "loss": [losses[0], losses[-1]]}


def main() -> None:
    torch.manual_seed(1)
    found: dict[str, object] = {"gradcheck": {name: checked(name) for name in sys.argv[1:]}}
    trained_ops.define(references=HERE / "specs")
    found["kinks"] = kinks()
    found["references"] = references()
    found["compiled"] = compiled()
    x = torch.randn(3, 4, requires_grad=True)
    swish = torch.ops.test_trained.swish.default
    found["opcheck"] = sorted(set(torch.library.opcheck(swish, (x,)).values()))
    exported = torch.export.export(torch.nn.Sequential(torch.nn.Linear(4, 4), Call(swish)), (x,))
    found["exported"] = [str(n.target) for n in exported.graph.nodes if n.op == "call_function"]
    trained_ops.undefine()
    trained.register(references=HERE / "specs")
    found["qat"] = trained_net()
    print(json.dumps(found))


class Call(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


main()
