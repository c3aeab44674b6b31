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
