"""What needs torch alone: an op that is used before `register()`, and rounding to halves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from executorch_lib import HERE, load, write

SCRIPT = """
import test_fused_executorch
import torch
from test_fused_executorch import ops

def said(what):
    try:
        return str(what())
    except AttributeError as failure:
        return str(failure)

x = torch.tensor([-1.0, 2.0])
print(said(lambda: torch.ops.test_fused.gate(x)))
print(said(lambda: torch.ops.test_fused.gate.default))
print(said(lambda: torch.ops.test_fused.gaze(x)))
print(hasattr(torch.ops.test_fused, "gate"))
ops.define()
print(said(lambda: torch.ops.test_fused.gate.default), torch.ops.test_fused.gate.__module__)
print(torch.ops.test_fused.coarse(x).tolist())
ops.undefine()
print(said(lambda: torch.ops.test_fused.gate(x)))
"""
HINT = (
    "torch.ops.test_fused.gate is not defined yet: call test_fused_executorch.register() first "
    "(for the torch op alone: from test_fused_executorch import ops; ops.define())"
)


@pytest.mark.executorch
def test_an_op_before_register(interpreter: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(write(load(HERE / "specs/fused.yaml"), tmp_path))}
    done = subprocess.run([interpreter, "-c", SCRIPT], capture_output=True, text=True, timeout=200, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        HINT,
        HINT,
        "'_OpNamespace' 'test_fused' object has no attribute 'gaze'",
        "False",
        "test_fused.gate.default torch._ops.test_fused",
        "[1.0, 2.0]",
        HINT,
    ]


def test_without_torch(tmp_path: Path) -> None:
    """Names, checks and shapes need nothing: an interpreter that cannot import torch."""
    folder = write(load(HERE / "specs/fused.yaml"), tmp_path)
    (folder / "torch.py").write_text("raise ImportError('no torch')")
    text = "import test_fused_executorch.shapes as s; print(s.check_gate.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    assert done.stdout == "check_gate\n", done.stderr


@pytest.mark.executorch
def test_halves_are_rounded_once(interpreter: str, tmp_path: Path) -> None:
    """Every float16, what lies between two of them and next to that, other magnitudes, infinities and NaN."""
    environment = {**os.environ, "PYTHONPATH": str(write(load(HERE / "specs/fused.yaml"), tmp_path))}
    script = [interpreter, str(HERE / "narrow_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=200, env=environment)
    assert done.stdout == "equal\n", done.stderr


OPEN = """\
opkg: 1
package: {name: test.open, version: 1.0.0, targets: [qnn-htp-qhpi, executorch-builder]}
ops:
  Open:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [A, 2, 6]}
    params:
      order: {dtype: uint32, shape: [3], axis_of: x}
      times: {dtype: uint32, shape: [3], default: [2, 1, 3]}
      around: {dtype: int32, shape: [3, 2], default: [0, 1, 2, 0, 3, 1]}
      sizes: {dtype: int32, shape: [2], default: [-1, 4]}
    outputs:
      turned: {dtype: T, rank: 3, shape: [...]}
      again: {dtype: T, rank: 3, shape: [...]}
      amid: {dtype: T, rank: 3, shape: [...]}
      other: {dtype: T, rank: 2, shape: [...]}
    compute: |
      turned = transpose(x, order)
      again = tile(x, times)
      amid = pad(x, around, -1)
      other = reshape(x, sizes)
"""
OPEN_SCRIPT = """
import torch
from test_open_executorch import ops
ops.define()
call = torch.ops.test_open.open

class Model(torch.nn.Module):
    def forward(self, x):
        return call(x + 1, order=[2, 0, 1], times=[1, 2, 1], sizes=[3, -1])

x = torch.arange(36.0).reshape(3, 2, 6)
exported = torch.export.export(Model(), (x,)).module()(x)
wanted = (
    (x + 1).permute(2, 0, 1), (x + 1).tile(1, 2, 1),
    torch.nn.functional.pad(x + 1, (3, 1, 2, 0, 0, 1), value=-1.0), (x + 1).reshape(3, -1),
)
print([[list(a.shape), torch.equal(a, b)] for a, b in zip(exported, wanted)])
"""


@pytest.mark.executorch
def test_shapes_that_a_list_says(interpreter: str, tmp_path: Path) -> None:
    """Traced tensors have no numbers; the lists that say an open shape do."""
    spec = tmp_path / "open.yaml"
    spec.write_text(OPEN, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(write(load(spec), tmp_path))}
    done = subprocess.run(
        [interpreter, "-c", OPEN_SCRIPT], capture_output=True, text=True, timeout=300, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[[[6, 3, 2], True], [[3, 4, 6], True], [[4, 4, 10], True], [[3, 12], True]]\n"
