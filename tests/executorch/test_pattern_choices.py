"""One pattern for calls with and without optional inputs, and for other values of params than the defaults."""

from __future__ import annotations

import json
import os
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write

from opkg.cli.main import run
from opkg.spec.model import ParamSpec
from opkg.spec.pattern_choice import absences, choices
from opkg.targets.executorch_builder.fusion_samples import tried
from opkg.verify.machines.executorch import environment, observer

SPEC = HERE / "specs/choices.yaml"


CALLS = {
    "residual": ["residual(2)", "residual(2, alpha=0.3)"],
    "norm": ["norm(1)", "norm(2)", "norm(3, eps=0.01)", "norm(1)"],
    "layer_norm": ["layer_norm(1)", "layer_norm(2, eps=0.001)", "layer_norm(3)"],
    "gelu": ["gelu(1)", "gelu(1, approximate=1, scale=0.7)"],
    "twice": ["twice(2, k=0.7)"],
    "scaled": ["scaled(2, alpha=0.3, beta=0.3)"],
}


@pytest.mark.executorch
def test_in_a_graph(interpreter: str, tmp_path: Path) -> None:
    """Two of the ops in a program of `to_edge`."""
    head, *ops = re.split(r"(?m)^(?=  [A-Z])", SPEC.read_text())
    (tmp_path / "choices.yaml").write_text(
        head + "".join(op for op in ops if op.startswith(("  Gelu:", "  LayerNorm:")))
    )
    paths = (write(load(tmp_path / "choices.yaml"), tmp_path), ROOT / "opkg/verify/machines/executorch/harness")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    script = [interpreter, str(HERE / "choices_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=600, env=variables)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert sorted(found["calls"]) == sorted(CALLS["gelu"] + CALLS["layer_norm"])
    assert found["equal"]


@pytest.mark.sweep
@pytest.mark.executorch
@pytest.mark.xdist_group("executorch")
def test_one_pattern_for_all_calls(tmp_path: Path) -> None:
    """Fused in a program of `to_edge`, lowered and run on the HTP."""
    here = environment.find(ROOT)
    if isinstance(here, environment.Missing):
        message = f"{here.reason}: {here.install}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/choices.yaml").write_text(SPEC.read_text())
    assert run(["-C", str(tmp_path), "generate"]) == 0
    assert run(["-C", str(tmp_path), "build"]) == 0
    library = tmp_path / "build/test_choices/qhpi-x86/libtest_choices.so"
    script = [here.python, HERE / "choices_script.py", observer.library(ROOT), library]
    variables = here.variables([tmp_path / "generated/test_choices/executorch"])
    done = subprocess.run(
        list(map(str, script)), capture_output=True, text=True, errors="replace", timeout=600, env=variables
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert sorted(found["calls"]) == sorted(call for calls in CALLS.values() for call in calls)
    assert found["equal"]
    assert (found["delegates"], found["cpu"]) == (1, [])
    assert found["delegated"] == sorted(name for name, calls in CALLS.items() for _ in calls)
    assert found["kernels"] == len(found["delegated"]) - 1  # the backend computes norm(x) once
    assert found["off"] < 2e-3


def test_what_is_tried() -> None:
    """Of calls, those that QNN can be told; of numbers, three that are not the default and that no two params share."""
    package = load(SPEC)
    ops = {op.name: op for op in package.ops}
    assert absences(ops["Norm"]) == [frozenset(), frozenset({"beta"}), frozenset({"beta", "gamma"})]
    mode, scale = ops["Gelu"].params
    assert choices(mode) == (0, 1)
    assert choices(scale) == ()
    assert [list(row) for row in tried([mode, scale])] == [["scale"]] * 3
    many = [ParamSpec(f"p{at}", scale.dtype, default=1.0) for at in range(12)]
    rows = tried(many)
    ratios = []
    for param in many:
        first, second, third = (row[param.name] for row in rows)
        assert len({1.0, first, second, third}) == 4
        ratios.append((second - first) / (third - first))
    assert all(abs(a - b) > 1e-3 for a, b in pairwise(sorted(ratios)))
