"""Gradients of the generated torch ops in the interpreter that has torch: derived ones, those of references, QAT."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write

pytestmark = pytest.mark.executorch
EXAMPLES = ("activations/specs/activations", "math/specs/math", "qnn/specs/qnn", "rewrites/specs/rewrites")
# comparisons, logic and what chooses by number have no gradient; ArgMax and the like no computation
_WITHOUT = ("and", "or", "xor", "not", "equal", "greater", "less")


def test_gradients(interpreter: str, tmp_path: Path) -> None:
    """gradcheck of every computation of the examples; kinks as torch has them; an op without a gradient says so; QAT."""
    paths = [path for name in EXAMPLES for path in sorted((ROOT / "examples" / name).parent.glob("*.yaml"))]
    packages = [load(path) for path in paths]
    folders = [str(write(package, tmp_path)) for package in (*packages, load(HERE / "specs/trained.yaml"))]
    script = [interpreter, str(HERE / "grad_script.py"), *(f"{p.cpp_namespace}_executorch" for p in packages)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    tried = {f"{package}.{op}": count for package, ops in found["gradcheck"].items() for op, count in ops.items()}
    assert len(tried) > 40
    left = [name for name, count in tried.items() if not count]
    assert all(any(word in name.rpartition(".")[2].split("_") for word in _WITHOUT) for name in left), left
    assert found["kinks"] == ["abs", "clip", "half", "max", "param", "relu", "round", "row"]
    no_gradient, *twice = found["references"][:3]
    transforms = found["references"][3:]
    assert len(transforms) == 2
    assert all(said.startswith("cube has no derivative in torch.func and forward") for said in transforms)
    assert no_gradient.startswith("silent has no gradient: the spec has no compute: that")
    assert len(twice) == 2
    assert all(said.startswith("cube has no gradient of its gradient: backward: is") for said in twice)
    (no_gradient,) = found["compiled"]
    assert "test_trained::silent has no gradient" in no_gradient or "silent has no gradient: the spec" in no_gradient
    assert found["opcheck"] == ["SUCCESS"]
    assert found["exported"] == ["aten.linear.default", "test_trained.swish.default"]
    assert found["qat"]["parameters"] == 7
    assert found["qat"]["without"] == []
    first, last = found["qat"]["loss"]
    assert last < 0.95 * first, found["qat"]
