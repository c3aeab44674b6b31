"""Runs in the interpreter that has the wheel: gradients of the ops of grad_formulas.py beside those of torch's own steps, in
float32 and halves. PYTHONPATH has the package test.slopes. Prints one line of JSON."""

from __future__ import annotations

import contextlib
import json
import math

import test_slopes_executorch.ops as ops
import torch
from grad_formulas import BRANCHES, FORMULAS
from torch.autograd.graph import saved_tensors_hooks

TWICE = 8  # what torch's own steps are off twice, and places more, are what gradients may be off


def call_of(name):
    """The op and torch's steps, of the same tensors."""
    op = next(each for each in ops.OPS if each.name == snake(name))
    call = getattr(torch.ops.test_slopes, op.name)
    places = ["xzw".index(each) for each in op.inputs]
    return (lambda *t: call(*(t[at] for at in places))), (lambda *t: FORMULAS[name][1](torch, *t)), places


def snake(name):
    return "".join(f"_{c.lower()}" if c.isupper() and at else c.lower() for at, c in enumerate(name))


def slopes(call, tensors, places, weights):
    """Gradients of the tensors that a formula takes."""
    leaves = [t.detach().clone(memory_format=torch.preserve_format).requires_grad_(True) for t in tensors]
    result = call(*leaves)
    taken = [leaves[at] for at in places]
    return result, torch.autograd.grad(result, taken, weights.to(result.dtype), allow_unused=True)


def off(found, wanted, dtype):
    """The furthest of gradients, in places of the largest of a row."""
    place, far = torch.finfo(dtype).eps / 2, 0.0
    for got, want in zip(found, wanted, strict=True):
        size = want.abs().amax(-1, keepdim=True).clamp(min=1e-30)
        far = max(far, float(((got.double() - want) / size / place).abs().max()))
    return far


def near(name, dtype, strided):
    """How far gradients are off beside torch's own, of ordinary numbers."""
    mine, theirs, places = call_of(name)
    tensors = [torch.randn(40, 60).to(dtype) for _ in range(3)]
    if strided:
        tensors = [torch.randn(60, 40).to(dtype).t() for _ in range(3)]
    if name == "Odds":
        tensors[0] = torch.sigmoid(tensors[0].float()).to(dtype)
    if name == "Ratio":
        tensors[0] = tensors[0].abs() + 1
    weights = torch.randn(40, 60).to(dtype)
    _, exact = slopes(theirs, [t.double() for t in tensors], places, weights)
    _, torchs = slopes(theirs, tensors, places, weights)
    kinds = set()
    for _ in range(3):  # as it is called first, and known
        with saved_tensors_hooks(lambda t: kinds.add(t.dtype) or t, lambda t: t):
            result, own = slopes(mine, tensors, places, weights)
        assert {result.dtype, *(g.dtype for g in own)} == {dtype}, name
        allowed = 2 * off(torchs, exact, dtype) + TWICE
        assert off(own, exact, dtype) <= allowed, (name, dtype, strided, off(own, exact, dtype), allowed)
    with torch.no_grad():
        plain = mine(*tensors)
    assert off([plain], [result.detach().double()], dtype) <= 8, (name, dtype)
    return torch.float64 in kinds


SPECIAL = [0.0, -0.0, 1e-45, -1e-40, 1e-20, -3.0, 3.0, 1.0, -1.0, 20.5, -25.0, 88.0, 89.0, -89.0, -104.0]
SPECIAL += [1000.0, -1000.0, 1e30, -1e30, math.inf, -math.inf, math.nan]


def special(name):
    """Numbers where torch's own steps have finite gradients have them here, too, and the same ones; more may have."""
    mine, theirs, places = call_of(name)
    values = torch.tensor(SPECIAL)
    x = values.view(-1, 1).expand(-1, 6).contiguous()
    if name in ("Softmax", "LogSoftmax", "Norm", "L2Norm"):
        x = x + torch.tensor([0.0, 0.5, 1.0, -1.0, 2.0, 0.1])
    z = torch.tensor([1.0, -2.0, 0.5, 3.0, -0.25, 1000.0]).expand(len(SPECIAL), 6).contiguous()
    w = torch.tensor([0.0, 1.0, -3.0, 88.0, 0.5, 2.0]).expand(len(SPECIAL), 6).contiguous()
    tensors = [x, z, w]
    weights = torch.ones(x.shape)
    _, torchs = slopes(theirs, tensors, places, weights)
    _, exact = slopes(theirs, [t.double() for t in tensors], places, weights)
    _, own = slopes(mine, tensors, places, weights)
    better = 0
    for got, want, wide in zip(own, torchs, exact, strict=True):
        finite = want.isfinite() & wide.isfinite() & (wide.abs() < 1e38)
        near = (got.double() - wide).abs() <= 1e-4 * wide.abs() + 1e-4 * (want.double() - wide).abs() + 2e-6
        near |= (got.double() - wide).abs() <= 2 * (want.double() - wide).abs()
        wrong = finite & ~near
        assert not wrong.any(), (name, x[wrong], z[wrong], got[wrong], want[wrong], wide[wrong])
        better += int((got.isfinite() & ~want.isfinite()).sum())
    return better


def chosen():
    """A branch that is not chosen gives no gradient, whatever its slope is there, also by a name."""
    x = torch.tensor([1000.0, 100.0, 1.0, -1.0], requires_grad=True)
    found = {}
    for name in ("elu", "elus"):
        for kind in (torch.float32, torch.float64, torch.float16):
            leaf = x.detach().to(kind).requires_grad_(True)
            y = getattr(torch.ops.test_slopes, name)(leaf)
            found[f"{name} {kind}"] = torch.autograd.grad(y.sum(), leaf)[0].float().tolist()
    for name, (_, number, slope) in BRANCHES.items():
        for kind in (torch.float32, torch.float64, torch.bfloat16):
            leaf = torch.tensor([number] * 3, dtype=kind, requires_grad=True)
            y = getattr(torch.ops.test_slopes, snake(name))(leaf)
            assert torch.autograd.grad(y.sum(), leaf)[0].tolist() == [slope] * 3, (name, kind)
    leaf = torch.tensor([0.0, -1.0, 4.0, 7.0], requires_grad=True)
    z = torch.tensor([2.0, 3.0, -1.0, 4.0], requires_grad=True)
    y = torch.ops.test_slopes.ratio(leaf, z)
    found["ratio"] = [g.tolist() for g in torch.autograd.grad(y.sum(), [leaf, z])]
    return found


def signs():
    """The sign has no slope, in any type, nor where a transform of torch.func sees the steps; what it is a factor of has."""
    op = torch.ops.test_slopes
    for kind in (torch.float64, torch.float32, torch.float16):
        x = torch.tensor([-2.0, -1.0, -0.0, 0.0, 1.0, 2.0, math.nan], dtype=kind)
        for call, wanted in ((op.sign, torch.zeros(7)), (op.size, torch.tensor([-1.0, -1, 0, 0, 1, 1, math.nan]))):
            leaf = x.clone().requires_grad_(True)
            for found in (
                torch.autograd.grad(call(leaf).sum(), leaf)[0],
                torch.func.grad(lambda t, call=call: call(t).sum())(x),
                torch.func.jacfwd(call)(x).diagonal(),
                torch.func.jvp(call, (x,), (torch.ones_like(x),))[1],
            ):
                torch.testing.assert_close(found, wanted.to(kind), rtol=0, atol=0, equal_nan=True)
        torch.testing.assert_close(op.sign(x), torch.tensor([-1, -1, 0, 0, 1, 1, math.nan], dtype=kind), equal_nan=True)


def saved():
    """A result that torch has saved, changed in place, is an error, not another gradient."""
    for kind in (torch.float32, torch.float16, torch.float64):
        x = torch.ones(5, dtype=kind, requires_grad=True)
        for _ in range(3):
            y, more = torch.ops.test_slopes.pair(x)
            y.add_(1)
            with contextlib.suppress(RuntimeError):  # of float16 nothing is kept
                assert torch.equal(torch.autograd.grad(more.sum(), x)[0], more)


def twice(name):
    """Gradients of gradients, beside float64 ones."""
    mine, theirs, places = call_of(name)
    tensors = [torch.rand(3, 8) + 0.1 if name in ("Odds", "Ratio") else torch.randn(3, 8) for _ in range(3)]
    if name == "Odds":
        tensors[0] = tensors[0].clamp(0.01, 0.9)

    def second(call, kind):
        leaves = [t.to(kind).requires_grad_(True) for t in tensors]
        taken = [leaves[at] for at in places]
        first = torch.autograd.grad(call(*leaves).pow(2).sum(), taken, create_graph=True)
        total = sum(g.pow(2).sum() for g in first)
        return torch.autograd.grad(total, taken, allow_unused=True, materialize_grads=True)

    for got, want in zip(second(mine, torch.float32), second(theirs, torch.float64), strict=True):
        size = want.abs().max().clamp(min=1e-3)
        assert float((got.double() - want).abs().max() / size) < 2e-5, (name, got, want)


def asked():
    """Of inputs that need no gradient none is computed, and of those with fewer elements its sum."""
    x, z, w = torch.randn(4, 6), torch.randn(4, 6, requires_grad=True), torch.randn(4, 6)
    saved = []
    with saved_tensors_hooks(lambda t: saved.append(t) or t, lambda t: t):
        y = torch.ops.test_slopes.norm(x, z, w)
    y.sum().backward()
    torch.testing.assert_close(z.grad, torch.nn.functional.layer_norm(x, (6,)), rtol=1e-5, atol=1e-5)
    assert x.grad is None
    assert w.grad is None
    y = torch.ops.test_slopes.silu(z)
    y.add_(1)  # a result is its caller's own
    y.sum().backward()
    try:
        y.sum().backward()
    except RuntimeError as failure:
        return {"saved": len(saved), "again": str(failure)}
    return {"saved": len(saved), "again": ""}


def main():
    torch.manual_seed(2)
    ops.define()
    wide = []
    for name in FORMULAS:
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            for strided in (False, True):
                if near(name, dtype, strided):
                    wide.append(name)
    found = {"wide": sorted(set(wide)), "better": {name: special(name) for name in FORMULAS if name != "Ratio"}}
    for name in FORMULAS:
        twice(name)
    signs()
    saved()
    print(json.dumps({**found, "chosen": chosen(), **asked()}))


main()
