"""Which ops compute tensors of bfloat16 in that type, and that torch rounds these once, over all bit patterns."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import load, write
from single_random import spec
from test_torch_single import op_of

from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.torch_functions import functions

_ROW = "axis=-1, keepdims=True"
_ONE = (
    "abs(x)", "-x", "x + z", "x - z", "x * z", "x / z", "x * z + w", "x * 0.3", "x / 0.3", "x + 0.25", "max(x, 0)", "min(x, z)",
    "clip(x, 0, 6)", "floor(x)", "sign(x)", "exp(x)", "log(x)", "sqrt(x)", "tanh(x)", "sigmoid(x)", "x * sigmoid(x)", "cos(x)",
    "log(1 + x)", "x % z", "log(1 + exp(x))", "log(sigmoid(x))", "x ** z", "x ** 2", "x ** 0.5", "where(x > z, x, w * z)",
    f"max(x, {_ROW}) - z", "concat([x[..., 2:], z[..., :2]], axis=-1)",
)  # fmt: skip
_SUMS = (f"sum(abs(x), {_ROW})", f"sum(x, {_ROW})")  # results of another shape: test_torch_sums.py computes them
_NOT = (
    "x * z * w", "x + z + w", "x * sigmoid(z)", "erf(x)", "x ** 3", "x ** 2.5", "x * clip(x + 3, 0, 6) / 6", "x + 0.1",
    "clip(x, 0, 0.1)", "1 / x", "x * p", "rsqrt(x)", f"sum(x * z, {_ROW})", f"mean(abs(x), {_ROW})", "exp(x) - 1",
    f"sum(x, {_ROW}) * x",
)  # fmt: skip
_SCRIPT = """
import json
import torch
from test_single_executorch import ops

torch.set_num_threads(1)
ops.define()
patterns = torch.arange(-32768, 32768).to(torch.int16).view(torch.bfloat16).view(-1, 64)
given = torch.Generator().manual_seed(1)
x = patterns[torch.randperm(1024, generator=given)]
z = patterns.flatten()[torch.randperm(65536, generator=given)].view(-1, 64)
w = torch.randn(x.shape, generator=given).bfloat16()
most, wrong = 2.0**128 - 2.0**119, []
exact = {  # what float64 loses, too
    "log(1 + x)": torch.log1p,
    "log(1 + exp(x))": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "log(sigmoid(x))": lambda x: -torch.logaddexp(-x, torch.zeros_like(x)),
}
for op, text in zip(ops.OPS, TEXTS, strict=True):
    call, results = getattr(torch.ops.test_single, op.name), []
    for tensors in ([x, z, w], [x.t(), z.t(), w.t()], [x, z[:, :1].expand(x.shape), w]):
        for _ in range(3):
            got = call(*tensors)
        want = op.compute(*(t.double() for t in tensors), torch.tensor(0.3, dtype=torch.float64), op.types[0])[0]
        want = exact[text](tensors[0].double()) if text in exact else want
        kept = want.expand(got.shape)
        place = torch.exp2((torch.frexp(kept.abs()).exponent - 8).clamp(min=-133).double())
        near = (got.double() - kept).abs() <= 0.51 * place + 2.0**-126 * (3 * tensors[0].double().abs().nan_to_num()).clamp(min=1)
        near |= (got.double() == kept) | (got.isnan() & kept.isnan())
        near |= (kept.abs() >= most * (1 - 1e-6)) & (kept.sign() == got.sign()) & got.isinf()
        if not got.is_contiguous() or got.dtype is not torch.bfloat16 or not near.all():
            at = tuple((~near).nonzero()[0].tolist()) if not near.all() else (0, 0)
            wrong.append([op.name, *(float(t[at]) for t in tensors), float(got[at]), float(kept[at])])
leaf = x.clone().requires_grad_(True)
assert torch.autograd.grad(torch.ops.test_single.op0(leaf, z, w).sum(), leaf)[0].dtype is torch.bfloat16
print(json.dumps(wrong))
"""


@pytest.mark.parametrize("text", _ONE + _SUMS + _NOT)
def test_what_is_rounded_once(text: str) -> None:
    assert sorted(functions(op_of(text), DEFAULT).brain) == ([0] if text in _ONE + _SUMS else [])


@pytest.mark.executorch
def test_torch_keeps_to_it(interpreter: str, tmp_path: Path) -> None:
    path = tmp_path / "brain.yaml"
    path.write_text(spec(list(_ONE)))
    environment = {**os.environ, "PYTHONPATH": str(write(load(path), tmp_path))}
    done = subprocess.run(
        [interpreter, "-c", f"TEXTS = {_ONE}\n{_SCRIPT}"], capture_output=True, text=True, timeout=300, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout.strip().splitlines()[-1]) == []
    fixed = tmp_path / "fixed.yaml"
    fixed.write_text(
        spec(["x + z"]).replace("dtype: T", "dtype: float32").replace("    types: {T: [float32, float16]}\n", "")
    )
    environment["PYTHONPATH"] = str(write(load(fixed), tmp_path / "other"))
    call = "x = torch.ones(3, 4).bfloat16(); y = torch.ops.test_single.op0(x, x * 2**-9, x); print(y.dtype, y[0, 0].item())"
    script = f"import torch\nfrom test_single_executorch import ops\nops.define()\n{call}"
    done = subprocess.run([interpreter, "-c", script], capture_output=True, text=True, timeout=300, env=environment)
    assert done.stdout.split() == ["torch.float32", "1.001953125"], done.stdout + done.stderr
