"""Torch ops in eager mode where nobody asks for gradients: the same values in inference mode, without gradients and in parts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import load, write

SPEC = """
opkg: 1
package: {name: test.direct, version: 1.0.0, targets: [executorch-builder]}
ops:
  Gate:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = sigmoid(z) * x
  Scaled:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape, optional: true}}
    params: {factor: {dtype: float32, default: 2.0}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = tanh(x * factor) * (z if present(z) else x)
  Head:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, 100]"}}
    outputs: {y: {dtype: T, shape: "[N, 50]"}}
    compute: y = x[..., :50]
  Columns:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, C]"}, b: {dtype: T, shape: "[C]"}}
    outputs: {y: {dtype: T, shape: x.shape}, z: {dtype: T, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=0, keepdims=True))
      y = e / sum(e, axis=0, keepdims=True)
      z = x * sum(abs(b), axis=0, keepdims=True)
  Flat:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, C]"}}
    outputs: {y: {dtype: T, shape: "[N * C]"}, z: {dtype: T, shape: "[N * C]"}}
    compute: y = reshape(x, [-1]); z = reshape(transpose(x, [1, 0]), [-1])
  Peak:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, C]"}}
    outputs: {y: {dtype: T, shape: "[N, 1]"}}
    compute: y = max(x, axis=-1, keepdims=True)
  Mixed:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: g = sigmoid(w); y = g * x + (1 - g) * z
  Root:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, C]"}, gamma: {dtype: T, shape: "[C]"}}
    outputs: {y: {dtype: T, shape: x.shape}, s: {dtype: T, shape: x.shape}}
    compute: |
      y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-6) * gamma
      s = x / max(sqrt(sum(x * x, axis=-1, keepdims=True)), 1.0e-12)
  Pair:
    types: {A: [float16], B: [float32]}
    inputs: {x: {dtype: A}, z: {dtype: B, shape: x.shape}}
    outputs: {y: {dtype: A, shape: x.shape}, w: {dtype: B, shape: x.shape}}
    compute: y = x * sigmoid(x); w = z * sigmoid(z)
  Turned:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}, s: {dtype: T, shape: x.shape}}
    compute: y = cast(x * 300, T); s = x * sigmoid(x)
"""
SCRIPT = """
import torch
from test_direct_executorch import ops

ops.define()
op = torch.ops.test_direct
torch.manual_seed(0)

def near(found, wanted):
    least = 256 * 2.0**-24 if found.dtype is torch.float32 else 0.54 * 2.0**-10
    assert found.shape == wanted.shape and found.is_contiguous()
    off = (found.double() - wanted).abs() - least * wanted.abs()
    assert float(off.max()) < 2.0**-24, float(off.max())

def scaled(x, z, factor=2.0):
    return torch.tanh(x.double() * factor) * (x if z is None else z).double()

every = torch.arange(-(1 << 15), 1 << 15).to(torch.int16).view(torch.float16)
every = every[every.isfinite()]
for value in (1.0, -3.1, 65504.0, 1e-5):
    x = torch.full_like(every, value)
    near(op.gate(x, every), x.double() * torch.sigmoid(every.double()))
for dtype in (torch.float32, torch.float16):
    for shape in ((3, 5), (3, 5), (400, 300)):
        x, z = torch.randn(shape).to(dtype), torch.randn(shape).to(dtype)
        leaf = x.clone().requires_grad_()
        modes = (torch.no_grad, torch.inference_mode, torch.enable_grad)
        for mode in modes * 3:
            with mode():
                for first in (x, leaf):
                    asked = first.requires_grad and mode is torch.enable_grad
                    for found, wanted in (
                        (op.gate(first, z), x.double() * torch.sigmoid(z.double())),
                        (op.scaled(first), scaled(x, None)),
                        (op.scaled(first, z, 2.0), scaled(x, z)),
                        (op.scaled(first, z, 2), scaled(x, z)),
                        (op.scaled(first, None, 2.0), scaled(x, None)),
                        (op.scaled(first, z, 0.5), scaled(x, z, 0.5)),
                        (op.scaled(first, z, factor=0.5), scaled(x, z, 0.5)),
                    ):
                        near(found.detach(), wanted)
                        assert found.requires_grad == asked, (mode, dtype)
                        assert found.data_ptr() not in (x.data_ptr(), z.data_ptr(), leaf.data_ptr())
    for shape in ((4, 60000), (60000, 4), (2, 3)):  # cut along the other dimension, in no part, whole
        x, b = torch.randn(shape).to(dtype), torch.rand(shape[1]).to(dtype) / 8
        e = torch.softmax(x.double(), 0)
        for _ in range(3):
            y, z = op.columns(x, b)
            near(y, e)
            near(z, x.double() * b.double().abs().sum())
    x = torch.randn(1, 100).to(dtype)  # a view of one row would be contiguous
    for _ in range(3):
        kept, y = x.clone(), op.head(x)
        y.fill_(7)
        assert torch.equal(x, kept)
    # what the first calls of a shape see, and the next ones
    for stored in ((lambda x: x, lambda x: x.t().contiguous().t()), (lambda x: x.t().contiguous().t(), lambda x: x)):
        shape = (5, 7) if stored[0](torch.ones(5, 7)).is_contiguous() else (7, 5)
        for change in stored:
            for _ in range(3):
                x = change(torch.randn(shape).to(dtype))
                kept = x.clone()
                y, z = op.flat(x)
                assert torch.equal(y, x.reshape(-1)) and torch.equal(z, x.t().reshape(-1))
                y.fill_(7)
                z.fill_(7)
                assert torch.equal(x, kept)
    x = torch.randn(10000, 100).to(dtype)
    for _ in range(3):
        assert torch.equal(op.peak(x), x.amax(-1, keepdim=True))
    for shape in ((3, 5), (300, 200)):
        x, z, w = (torch.randn(shape).to(dtype) for _ in range(3))
        w[0] = torch.tensor([100.0, -100, 30, -30, 0][: shape[1]] * (shape[1] // 5)).to(dtype)
        g = torch.sigmoid(w.double())
        terms = (g * x.double()).abs() + (torch.sigmoid(-w.double()) * z.double()).abs()
        for _ in range(3):
            off = (op.mixed(x, z, w).double() - (g * x.double() + torch.sigmoid(-w.double()) * z.double())).abs()
            assert float((off - terms * (2.0**-18 if dtype is torch.float32 else 2.0**-10)).max()) < 2.0**-24
for count in (7, 70000):  # two kinds of halves: each result has its own
    x, z = torch.randn(count).half(), torch.randn(count).bfloat16()
    for first in (x, x.clone().requires_grad_()):
        for _ in range(4):
            y, w = op.pair(first, z)
            near(y.detach(), torch.nn.functional.silu(x.double()))
            assert torch.equal(w, torch.nn.functional.silu(z.float()).bfloat16())
for kind, wanted in ((torch.float16, torch.inf), (torch.bfloat16, 90112.0), (torch.float32, 90000.0)):
    x = torch.full((7,), 300.0, dtype=kind)  # bfloat16 counts as float32, also where float16 comes first
    for _ in range(4):
        assert torch.equal(op.turned(x)[0], torch.full_like(x, wanted)), op.turned(x)
# parts of float32 are the caller's own memory while they are computed: nothing of his changes, and nothing is kept
for dtype in (torch.float32, torch.float16):
    gamma, results = torch.randn(100).to(dtype), []
    last = torch._neg_view if dtype is torch.float32 else torch.neg  # torch copies the former of float16 wrong
    for number, change in enumerate((lambda x: x, lambda x: x, lambda x: x.t().contiguous().t(), last) * 2):
        x = change(torch.randn(3001, 100).to(dtype))
        held, uses = x.clone(), torch._C._storage_Use_Count(x.untyped_storage()._cdata)
        mode = torch.inference_mode() if number % 3 == 2 else torch.no_grad()
        with mode:
            y, s = op.root(x, gamma)
        assert torch.equal(x, held) and torch._C._storage_Use_Count(x.untyped_storage()._cdata) == uses
        root = held.double().pow(2).mean(-1, keepdim=True)
        near(y, held.double() / (root + 1e-6).sqrt() * gamma.double())
        near(s, held.double() / (root * 100).sqrt())
        results.append((y, s, y.clone(), s.clone()))
        gamma.mul_(-1.5)
        x.zero_()
    assert all(torch.equal(y, a) and torch.equal(s, b) for y, s, a, b in results)
print("alike")
"""
# A known call is computed before torch's dispatcher is asked, and no one that something watches.
WATCHED = """
import torch
from test_direct_executorch import ops
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

ops.define()
op = torch.ops.test_direct
packet = op.gate
x, z = torch.randn(3, 5), torch.randn(3, 5)
wanted = op.gate(x, z)
for _ in range(3):
    assert torch.equal(op.gate(x, z), wanted)
seen = []

class Dispatched(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        seen.append(func)
        return func(*args, **(kwargs or {}))

class Called(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        seen.append(func)
        return func(*args, **(kwargs or {}))

class Other(torch.Tensor):
    pass

for mode, name in ((Dispatched, packet.default), (Called, packet)):
    with mode():
        assert torch.equal(op.gate(x, z), wanted)
    assert name in seen, (mode, seen)
with torch.profiler.profile() as profile:
    op.gate(x, z)
assert "test_direct::gate" in {each.key for each in profile.key_averages()}
assert torch.allclose(torch.vmap(op.gate)(x, z), wanted)
assert "test_direct::gate" in str(torch.jit.trace(lambda x, z: op.gate(x, z), (x, z)).graph)
assert "test_direct.gate" in torch.fx.symbolic_trace(lambda x, z: op.gate(x, z)).code
assert op.gate(x.to("meta"), z.to("meta")).device.type == "meta"
assert op.gate(x.as_subclass(Other), z).shape == (3, 5)
leaf = x.clone().requires_grad_()
for _ in range(3):
    op.gate(leaf, z).sum().backward()
assert torch.allclose(leaf.grad, 3 * torch.sigmoid(z))
assert torch.autograd.gradcheck(op.gate, (x.clone().requires_grad_(), z), eps=1e-2, atol=1e-2, rtol=1e-2)
with torch.no_grad():
    assert all(torch.equal(op.gate(leaf, z), wanted) for _ in range(3))
assert op.gate(leaf, z).requires_grad
class Model(torch.nn.Module):
    def forward(self, x, z):
        return op.gate(x, z)
exported = torch.export.export(Model(), (x, z))
assert packet.default in {node.target for node in exported.graph.nodes}
assert torch.equal(exported.module()(x, z), wanted)
assert torch.equal(torch.compile(Model(), backend="eager", fullgraph=True)(x, z), wanted)
for call in (lambda: op.gate(x), lambda: op.gate(x, z[:2]), lambda: op.gate(x, 1), lambda: op.gate(x, z, z)):
    for _ in range(2):
        try:
            call()
        except (TypeError, ValueError, RuntimeError):
            continue
        raise AssertionError(call)
ops.undefine()
try:
    packet(x, z)
except Exception:
    print("alike")
"""


@pytest.mark.executorch
@pytest.mark.parametrize("script", [SCRIPT, WATCHED], ids=["values", "watched"])
def test_modes_and_parts(interpreter: str, tmp_path: Path, script: str) -> None:
    spec = tmp_path / "direct.yaml"
    spec.write_text(SPEC)
    environment = {**os.environ, "PYTHONPATH": str(write(load(spec), tmp_path))}
    done = subprocess.run([interpreter, "-c", script], capture_output=True, text=True, timeout=200, env=environment)
    assert (done.returncode, done.stdout) == (0, "alike\n"), done.stderr
