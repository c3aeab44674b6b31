"""Sums over dimensions: of large float32 tensors, added piece by piece, and of halves, as torch has them; calls that run
without tests from the second on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import load, write

SPEC = """
opkg: 1
package: {name: test.sums, version: 1.0.0, targets: [executorch-builder]}
ops:
  Norm:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    params: {axes: {dtype: int32, shape: "[n]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=axes, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=axes, keepdims=True) + 1.0e-5)
  Total:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[M]"}, z: {dtype: T, shape: "[N, C]"}}
    compute: y = mean(exp(x), axis=[0, 2]); z = sum(exp(x), axis=1)
  Two:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {s: {dtype: T, shape: x.shape}, d: {dtype: T, shape: x.shape}}
    compute: s = sigmoid(x) * z; d = max(x, 0)
"""
HALVES = """
opkg: 1
package: {name: test.sums, version: 1.0.0, targets: [executorch-builder]}
ops:
  Sizes:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[M, C]"}}
    compute: y = sum(abs(x), axis=0)
  Added:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[N, C]"}}
    compute: y = sum(x, axis=1)
  Mean:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[N, M]"}}
    compute: y = mean(x, axis=-1)
  Several:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[M]"}}
    compute: y = mean(x, axis=[0, -1])
  Place:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: int32, shape: "[N, M]"}}
    compute: y = argmax(x, axis=-1)
  Turned:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[C, N, M]"}}
    compute: y = transpose(x, [2, 0, 1])
  Joined:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, M, C]"}, z: {dtype: T, shape: "[N, M, C]"}}
    outputs: {y: {dtype: T, shape: "[N, M, 2 * C]"}}
    compute: y = concat([x, z], axis=2)
"""
SCRIPT = """
import torch
from test_sums_executorch import ops

ops.define()
op = torch.ops.test_sums
torch.manual_seed(0)

def near(found, wanted):
    least = 256 * 2.0**-24 if found.dtype is torch.float32 else 0.56 * 2.0**-10
    assert found.shape == wanted.shape and found.is_contiguous()
    off = (found.double() - wanted).abs() - least * wanted.abs()
    assert float(off.max()) < 2.0**-22, float(off.max())

def norm(x, axes):
    d = x.double() - x.double().mean(axes, keepdim=True)
    return d * torch.rsqrt((d * d).mean(axes, keepdim=True) + 1e-5)

SHAPES = ([1, 70, 101], [1, 1, 300001], [60000, 5], [3, 5, 18001])  # one is added as a whole
for dtype in (torch.float32, torch.float16):
    for shape in SHAPES:
        x = torch.randn(shape).to(dtype)
        for given in (x, x.transpose(-1, -2).contiguous().transpose(-1, -2), x):
            for axes in ([-1], [0], list(range(len(shape)))):
                near(op.norm(given, axes), norm(given, axes))
            if len(shape) == 3:
                e = given.double().exp()
                y, z = op.total(given)
                near(y, e.mean((0, 2)))
                near(z, e.sum(1))
    x, z = torch.randn(5, 7).to(dtype), torch.randn(5, 7).to(dtype)
    for given in (x, x, torch.randn(7, 5).to(dtype).t(), x):
        s, d = op.two(given, z)
        near(s, torch.sigmoid(given.double()) * z.double())
        near(d, given.double().clamp(min=0))
        s.zero_(), d.zero_()
    leaf = x.clone().requires_grad_()
    assert op.two(leaf, z)[0].requires_grad
    with torch.no_grad():
        near(op.two(leaf, z)[1], x.double().clamp(min=0))
    assert not op.two(x, z)[0].requires_grad
print("alike")
"""
HALVES_SCRIPT = """
import torch
from test_sums_executorch import ops

ops.define()
assert [op.half for op in ops.OPS] == [(1,), (1,), (1,), (), (1,), (1,), (1,)]
assert [bool(op.brain) for op in ops.OPS] == [True, True, False, False, True, True, True]
op = torch.ops.test_sums
torch.manual_seed(0)

def near(found, wide, dims, function):
    wanted, size = function(wide, dims), function(wide.abs(), dims)
    place = torch.exp2(torch.frexp(wanted).exponent.double()) * torch.finfo(found.dtype).eps / 2
    assert found.shape == wanted.shape and found.is_contiguous()
    off = (found.double() - wanted).abs() - 0.5 * place.clamp(min=2.0**-24) - 32 * 2.0**-24 * size
    assert float(off.max()) <= 0, float(off.max())

for dtype in (torch.float16, torch.bfloat16, torch.float32):
    for shape in ([1, 3, 17], [5, 70, 101], [20001, 2, 7]):
        x = (torch.randn(shape) / 50).to(dtype) if shape[0] < 9 else torch.full(shape, 0.0123, dtype=dtype)
        turned, parts = x.transpose(1, 2).contiguous().transpose(1, 2), x.repeat(1, 1, 2)[..., : shape[2]]
        for given in (x, turned, x[:, :1].expand(shape), parts):
            before = given.clone()
            for _ in range(3):
                near(op.sizes(given), given.double().abs(), 0, torch.sum)
                near(op.added(given), given.double(), 1, torch.sum)
                near(op.mean(given), given.double(), -1, torch.mean)
                near(op.several(given), given.double(), (0, 2), torch.mean)
                assert torch.equal(op.place(given), given.argmax(-1).int())
                turned, joined = op.turned(given), op.joined(given, x)
                assert torch.equal(turned, given.permute(2, 0, 1)) and turned.is_contiguous()
                assert torch.equal(joined, torch.cat([given, x], 2)) and joined.is_contiguous()
                turned.zero_(), joined.zero_()
            assert torch.equal(given, before)
print("alike")
"""


@pytest.mark.executorch
@pytest.mark.parametrize(("text", "script"), [(SPEC, SCRIPT), (HALVES, HALVES_SCRIPT)], ids=["pieces", "halves"])
def test_sums_are_near(interpreter: str, tmp_path: Path, text: str, script: str) -> None:
    spec = tmp_path / "sums.yaml"
    spec.write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(write(load(spec), tmp_path))}
    done = subprocess.run([interpreter, "-c", script], capture_output=True, text=True, timeout=200, env=environment)
    assert (done.returncode, done.stdout) == (0, "alike\n"), done.stderr
