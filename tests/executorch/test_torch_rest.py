"""`%` and `//` where torch's own steps are taken as they are: the bits of the careful ones, in torch."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, load, write

_HEAD = "opkg: 1\npackage: {name: test.rest, targets: [executorch-builder]}\nops:\n"
_OP = """  %s:
    types: {T: [%s]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = %s
"""
_OPS = (
    ("Rest", "float32, float16", "x % z"),
    ("RestOfTwo", "float32, float16", "x % 2 + 0 * z"),
    ("Three", "float32, float16", "3 % x + 0 * z"),
    ("OfParam", "float32, float16", "p % x + 0 * z"),
    ("Whole", "int32, int8, uint8", "x // z"),
    ("WholeRest", "int32, int8, uint8", "x % z"),
)


@pytest.mark.executorch
def test_torch_has_the_same_bits(interpreter: str, tmp_path: Path) -> None:
    path = tmp_path / "rest.yaml"
    with_param = _OP.replace("    outputs", "    params: {p: {dtype: float32, default: 3.0}}\n    outputs")
    path.write_text(_HEAD + "".join((with_param if "p" in row[2] else _OP) % row for row in _OPS))
    environment = {**os.environ, "PYTHONPATH": str(write(load(path), tmp_path))}
    script = [interpreter, str(HERE / "rest_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["wrong"] == []
    assert found["compared"] > 4_000_000
    assert found["large"] > 10_000  # quotients beyond float32
