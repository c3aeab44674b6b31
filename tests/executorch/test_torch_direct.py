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
print("alike")
"""


@pytest.mark.executorch
def test_modes_and_parts(interpreter: str, tmp_path: Path) -> None:
    spec = tmp_path / "direct.yaml"
    spec.write_text(SPEC)
    environment = {**os.environ, "PYTHONPATH": str(write(load(spec), tmp_path))}
    done = subprocess.run([interpreter, "-c", SCRIPT], capture_output=True, text=True, timeout=200, env=environment)
    assert (done.returncode, done.stdout) == (0, "alike\n"), done.stderr
