"""Gradients of float32 and half tensors beside torch's own, and what the text says for their sake."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, load, write
from grad_formulas import spec
from single_random import spec as single_spec
from test_torch_single import package_of

from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.torch_functions import functions

_ROW = "axis=-1, keepdims=True"


def _texts(compute: str) -> dict[str, str]:
    package = package_of(single_spec(["x"]).replace("y = x", compute))
    return functions(package.ops[0], DEFAULT).texts


@pytest.mark.parametrize(
    ("compute", "text"),
    [
        ("y = where(x > 0, x, exp(x) - 1)", "tm.where(part1_, x, tm.growth(tm.left_out(x, part1_)))"),
        ("y = where(x > 0, log(x), z)", "tm.where(part1_, torch.log(tm.chosen(x, part1_)), z)"),
        ("l = log(x) * w; y = where(x > 0, l, z)", "torch.log(tm.chosen(x, part1_)) * tm.chosen(w, part1_)"),
        (  # in both branches, one in the other
            "y = where(x > 0, where(z > 0, z / x, x), x)",
            "tm.chosen(tm.chosen(z, part1_), part2_) / tm.chosen(tm.chosen(x, part1_), part2_)",
        ),
        ("t = exp(x); e = t - 1; y = where(x > 0, x, e)", "tm.where(part1_, x, tm.growth(tm.left_out(x, part1_)))"),
        ("a = x * z; y = where(x > 0, x, a * w)", "tm.left_out(x, part1_) * tm.left_out(z, part1_)"),
        ("d = x - z; y = where(d < 1, 0.5 * d * d, d)", "where(d < 1, 0.5 * d * d, d)"),  # of two: finite
        ("a = x * z; y = where(x > 0, x, a * 2)", "torch.where(x > 0, x, a * 2)"),
        ("y = where(x > 0, x * 2, z)", "torch.where(x > 0, x * 2, z)"),  # no slope is infinite
        ("l = log(x); y = where(x > 0, l, z) + l", "torch.where(x > 0, l, z)"),  # what is taken elsewhere counts
        (f"y = where(x > 0, x / sum(exp(z), {_ROW}), z)", "torch.where(x > 0, part1_, z)"),  # of other places, too
    ],
)
def test_a_branch_that_is_not_chosen_has_no_gradient(compute: str, text: str) -> None:
    found = _texts(compute)
    name = next((each for each in ("single_op0", "mixed_op0") if each in found), "compute_op0")
    assert text in found[name], found[name]


@pytest.mark.parametrize(
    ("compute", "is_still"),
    [
        (f"e = exp(x - max(x, {_ROW})); y = e / sum(e, {_ROW})", True),
        (f"m = max(x, {_ROW}); d = x - m; e = exp(d); s = sum(e, {_ROW}); y = e / s", True),
        (f"y = exp(x - max(x, {_ROW})) / sum(exp(x - max(x, {_ROW})), {_ROW})", True),
        (f"d = x - max(x, {_ROW}); y = d - log(sum(exp(d), {_ROW}))", True),
        (f"m = max(x, {_ROW}); y = m + log(sum(exp(x - m), {_ROW}))", False),
        (f"m = max(x, {_ROW}); e = exp(x - m); y = e / sum(e, {_ROW}) * m", False),
        (f"e = exp(x - max(x, {_ROW})); y = e / (1 + sum(e, {_ROW}))", False),
        (f"e = exp(x - max(x, {_ROW})); y = e / sum(e, axis=-2, keepdims=True)", False),
        (f"e = exp(x - max(z, {_ROW})); y = e / sum(e, {_ROW})", False),
        (f"d = x - max(x, {_ROW}); y = d - log(sum(exp(2 * d), {_ROW}))", False),
        (f"e = exp(x - max(x, {_ROW})); y = e / sum(e, {_ROW}) + e", False),
    ],
)
def test_what_no_result_hangs_on(compute: str, is_still: bool) -> None:
    for name, text in _texts(compute).items():
        assert ("tm.still(" in text) is is_still, (name, text)
        assert text.count("tm.still(") == (text.count("reduce_max(") + text.count("torch.amax(") if is_still else 0)


def test_functions_that_stand_for_formulas() -> None:
    """Their slopes are those of what is written."""
    assert "tm.clipped_gate(x)" in _texts("y = x * clip(x + 3, 0, 6) / 6")["single_op0"]
    assert "tm.hardswish(x)" in _texts("y = hardswish(x)")["compute_op0"]
    assert "tm.gate(" in _texts("y = z * (1 + tanh(x))")["single_op0"]
    assert "torch.sigmoid(" in _texts("y = z * sigmoid(x)")["compute_op0"]


@pytest.mark.executorch
def test_torchs_own_steps_are_no_better(interpreter: str, tmp_path: Path) -> None:
    """Errors of gradients beside those of torch's steps, of ordinary and special numbers; gradients of gradients; what is asked
    for. `wide`: what keeps float64 tensors for its gradients."""
    path = tmp_path / "slopes.yaml"
    path.write_text(spec())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(write(load(path), tmp_path)), str(HERE)])}
    script = [interpreter, str(HERE / "slopes_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["wide"] == ["GeluTanh", "Huber", "LogSoftmax", "LogSum", "Ratio"]
    assert found["better"]["Elu"] > 10  # numbers of which torch's own are no numbers
    for name, slopes in found["chosen"].items():
        if name != "ratio":
            last = 1.5 if "elus" in name else 1.0
            assert slopes[:3] == [1.0, 1.0, 1.0]
            assert abs(slopes[3] / (last * 0.36787944) - 1) < 5e-4, name
    assert found["chosen"]["ratio"] == [[1.0, 1.0, 0.25, 1.0], [0.0, 1.0, 0.0, -1.0]]
    assert found["saved"] <= 2
    assert "second time" in found["again"]  # no graph is kept
