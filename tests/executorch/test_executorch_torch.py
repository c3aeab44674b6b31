"""The generated torch custom ops in the interpreter that has torch: meaning, fake tensors, `out` variants, opcheck."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write
from executorch_random import spec

pytestmark = pytest.mark.executorch


def test_custom_ops(interpreter: str, tmp_path: Path) -> None:
    """Eager is what `compute:` means on random calls with NaN and infinities; references, shapes, errors."""
    specs = [HERE / "specs/computed.yaml", HERE / "specs/everything.yaml", ROOT / "examples/layout/specs/layout.yaml"]
    folders = [str(write(load(path), tmp_path)) for path in specs]
    script = [interpreter, str(HERE / "torch_script.py"), str(ROOT / "examples/layout")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*folders, str(ROOT)])}
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert set(found["meaning"]) == {"Arithmetic", "Integers", "Functions", "Norm", "Reductions", "Names"}
    assert found["meaning"]["Norm"] > 4000
    assert found["errors"] == [
        "integers: no element types of the op fit a: torch.float32, b: torch.float32",
        "norm: dimension C is 4 in 'x' and 5 in 'gamma'",
        "reductions: a dimension remains",
        "fixed: the spec has no compute: and no reference:",
    ]
    assert (found["outs"], found["opchecks"], found["gone"], found["again"]) == (2, 7, True, [5.0])
    assert found["program"] > 1000
    assert found["twice"] == "test_computed::names is defined already; this package defines it from the spec"
    assert found["ranges"] == ["2..64"]  # no shape rule and no check narrows the dynamic dimension
    assert found["fake"] == [[2, 3], [2, 3], [2, 2], [2, 3], [2, 5]]


def test_random_computations(interpreter: str, tmp_path: Path) -> None:
    """Sixty random computations agree with numpy where that decides on doubles, too (floor, %, a comparison); where the last
    bit of exp() or a sum differs, another step may follow."""
    path = tmp_path / "random.yaml"
    path.write_text(spec(60, seed=1))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(write(load(path), tmp_path)), str(ROOT)])}
    script = [interpreter, str(HERE / "random_script.py"), str(path)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    shares = json.loads(done.stdout.strip().splitlines()[-1])
    assert len(shares) == 60
    assert min(shares.values()) > 0.995, shares  # 3 of 600 elements
    assert sum(shares.values()) > 60 * 0.9998, shares


def test_quantizer(interpreter: str, tmp_path: Path) -> None:
    """The backend's quantizer annotates the ops as the spec demands, in 8 and 16 bits."""
    folder = str(write(load(HERE / "specs/quantized.yaml"), tmp_path))
    environment = {**os.environ, "PYTHONPATH": folder}
    script = [interpreter, str(HERE / "quantize_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["agnostic"] == [f"test_quantized.{name}.default" for name in ("fixed", "plain", "shared")]
    for kind, high in (("8a8w", 255), ("16a8w", 65535)):
        ops = found[kind]
        assert ops["error"] < 0.02, kind
        symmetric, offset = ops["fixed"]["in"]
        assert symmetric[1:] == [(high + 1) // 2, 0, high]
        assert offset[1:] == [100, 0, high]
        assert ops["fixed"]["out"] == [[0.007812, 128, 0, high]]
        x, weight, bias = ops["weighted"]["in"]
        assert x[2:] == [0, high]
        assert weight == ["per channel", 0, -127, 127]
        assert bias[1:] == [0, -(1 << 31), (1 << 31) - 1]
    a, b = found["8a8w"]["shared"]["in"]
    assert a == b
    above, low, high_output = found["8a8w"]["shared"]["out"]
    assert (above, low) == (["aten.where.self"], a)
    assert high_output != a
    said = "[test.quantized] shared stays in floating point (shared): no kernel for ufixed16"
    assert (found["8a8w"]["said"], found["16a8w"]["said"]) == ([], [said])


def test_torch_ops_of_others(interpreter: str, tmp_path: Path) -> None:
    """`torch:`: our builders take ops of torch, and leave to the stock builders what the spec does not allow."""
    environment = {**os.environ, "PYTHONPATH": str(write(load(HERE / "specs/mapped.yaml"), tmp_path))}
    script = [interpreter, str(HERE / "mapped_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    high = 3.0000000054977558e38
    assert found["built"] == [
        ["aten.hardswish.default", "HardSwish", {}],
        ["aten.relu.default", "Clip", {"low": 0.0, "high": high}],
        ["aten.hardtanh.default", "Clip", {"low": 0.0, "high": 6.0}],
        ["aten.hardtanh.default", "Clip", {"low": -2.0, "high": 3.0}],
        ["aten.clamp.default", "Clip", {"low": -1.0, "high": 1.0}],
        ["aten.clamp.default", "stock", ["aten.clamp.default: max is not None does not hold"]],
        ["aten.elu.default", "Elu", {"alpha": 0.5}],
        ["aten.elu.default", "stock", ["aten.elu.default: there is no place for argument 'scale', 2.0"]],
        ["aten.rms_norm.default", "RmsNorm", {"inputs": 3}],  # two of them made: torch has none
        ["aten._softmax.default", "Softmax", {"axis": 1}],  # decomposed, because the spec says so
        ["aten.layer_norm.default", "LayerNorm", {"epsilon": 9.999999747378752e-06, "axes": [2]}],
        ["aten.native_layer_norm.default", "", ["'gamma' has rank 2; allowed is 1"]],  # decomposed, because not allowed
    ]
    x, y = (f"aten_relu_default{number}@0 FLOAT_32" for number in ("", "_1"))
    a, b = "aten_mm_default_a", "aten_mm_default_b"
    assert found["several"] == [
        ["Retype", f"{x} [2, 3]", "->", f"{a}_0@0 INT_32 [2, 3]", {}],
        ["Retype", f"{a}_0@0 INT_32 [2, 3]", "->", f"{a}@0 FLOAT_32 [2, 3]", {}],
        ["Retype", f"{y} [3, 5]", "->", f"{b}_0_0@0 INT_32 [3, 5]", {}],
        ["Retype", f"{b}_0_0@0 INT_32 [3, 5]", "->", f"{b}_0@0 INT_32 [3, 5]", {}],
        ["Turn", f"{b}_0@0 INT_32 [3, 5]", "->", f"{b}@0 INT_32 [5, 3]", {"perm": [1, 0]}],
        ["Dot", f"{a}@0 FLOAT_32 [2, 3]", f"{b}@0 INT_32 [5, 3]", "->", "aten_mm_default@0 FLOAT_32 [2, 5]", {}],
    ]
    said = "[test.mapped] Dot is left to the backend's own builder (aten_mm_default): Turn: fewer than 100 numbers"
    assert found["too many"] == [said] * 2
    assert found["quantized"] == ["aten.elu.default", "aten.hardswish.default", "aten.layer_norm.default"]
    assert found["wrong"] == [
        "aten.relu.default has no argument 'input'; it has self",
        "aten.elu.default has no argument 'alfa'; it has self, alpha, scale, input_scale",
        "argument 'half_to_float' of aten._softmax.default is in no args, params, when or ignore",
    ]
    assert (found["layer_norm kept"], found["kept after"], found["restored"]) == (1, 0, True)


def test_recorded_programs(interpreter: str, tmp_path: Path) -> None:
    """From the second call of a shape on an op runs as a program: the same bits as at once, in parts and in threads, too."""
    examples = [ROOT / f"examples/{name}.yaml" for name in ("activations/specs/activations", "math/specs/math")]
    packages = [load(path) for path in (*examples, HERE / "specs/computed.yaml", HERE / "specs/trained.yaml")]
    folders = [str(write(package, tmp_path)) for package in packages]
    script = [interpreter, str(HERE / "recorded_script.py"), *(f"{p.cpp_namespace}_executorch" for p in packages)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert len([name for name, tried in found["calls"].items() if tried >= 4]) >= 12, found
    narrowed = [f"test_trained_executorch.{name}" for name in ("halves", "open")]
    assert found["computed"] == ["test_computed_executorch.functions", *narrowed]
    assert 1 <= found["threads"] <= 4
    assert 1 <= found["kept"] <= 32


def test_patterns_without_fusions(interpreter: str, tmp_path: Path) -> None:
    """For releases that fusions have no place in, an op with only a pattern computes it, and has its gradient."""
    environment = {**os.environ, "PYTHONPATH": str(write(load(HERE / "specs/old.yaml"), tmp_path))}
    script = [interpreter, str(HERE / "old_patterns_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert (found["same"], found["gradient"]) == (True, True)
    assert found["exported"] == ["test_old.square.default"]
    assert found["said"] == "square: 'x' has rank 1; allowed is 2"
