"""Sums over dimensions of large float32 tensors, added piece by piece, and calls that run without tests from the second on."""

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


@pytest.mark.executorch
def test_pieces_are_the_whole(interpreter: str, tmp_path: Path) -> None:
    spec = tmp_path / "sums.yaml"
    spec.write_text(SPEC)
    environment = {**os.environ, "PYTHONPATH": str(write(load(spec), tmp_path))}
    done = subprocess.run([interpreter, "-c", SCRIPT], capture_output=True, text=True, timeout=200, env=environment)
    assert (done.returncode, done.stdout) == (0, "alike\n"), done.stderr
