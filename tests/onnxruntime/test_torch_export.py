"""torch.onnx.export with the generated translations: ops of torch become ONNX nodes, which run with their functions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from opkg.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-executorch" / "bin" / "python"
REQUIRED = ("onnxscript==0.7.2", "onnx==1.23.2", "onnxruntime==1.32.0")
SPEC = """\
opkg: 1
package: {name: test.exported, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime, executorch-builder]}
ops:
  Bounded:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..5}}
    params: {low: {dtype: float32, default: -1.0}, high: {dtype: float32, default: 1.0}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = clip(x, low, high)
  ScaledSum:
    types: {T: [float32]}
    inputs: {a: {dtype: T, rank: 1..4}, b: {dtype: T, rank: 1..4, optional: true}}
    params: {alpha: {dtype: float32, default: 1.0}, rectified: {dtype: bool8, default: false}}
    outputs: {y: {dtype: T, shape: "broadcast(a, b) if present(b) else a.shape"}}
    compute: |
      sum = alpha * a + b if present(b) else alpha * a
      y = where(rectified, max(sum, 0), sum)
  Leaned:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..5}}
    params: {slope: {dtype: float32, default: 0.25}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = where(x > 0, x, slope * x)
"""
EXPORT = """\
import sys
import numpy as np
import onnx
import onnxruntime
import torch
import test_exported_executorch.ops as ops
from test_exported_onnxruntime import add_functions
from test_exported_onnxruntime.torch_export import custom_translation_table

ops.define()
V = torch.ops.test_exported

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 17, 3, padding=1)

    def forward(self, x):
        h = V.bounded(self.conv(x), -0.5, 2.0)
        h = V.scaled_sum(h, torch.sigmoid(h), alpha=2.0, rectified=True)
        h = V.leaned(V.scaled_sum(h, None, 0.5) - 0.4, 0.125)
        return V.bounded(h), V.leaned(h - 1)

torch.manual_seed(0)
model, x = Model().eval(), torch.randn(1, 3, 5, 7)
table = custom_translation_table()
proto = torch.onnx.export(model, (x,), dynamo=True, custom_translation_table=table).model_proto
add_functions(proto)
onnx.checker.check_model(proto)
onnx.save(proto, sys.argv[1])
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
got = session.run(None, {session.get_inputs()[0].name: x.numpy()})
wanted = [each.detach().numpy() for each in model(x)]
np.savez(sys.argv[2], x=x.numpy(), got0=got[0], got1=got[1], wanted0=wanted[0], wanted1=wanted[1])
"""


@pytest.mark.sweep
def test_a_model_with_ops_of_torch(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Params as constants and as attributes, an input left out: the exported model gives torch's numbers on the CPU, and
    on the provider's HTP."""
    python = Path(os.environ.get("OPKG_EXECUTORCH_PYTHON", PYTHON))
    if not python.is_file():
        if os.environ.get("CI"):
            pytest.fail("no .venv-executorch: scripts/setup-executorch.sh")
        pytest.skip("no .venv-executorch")
    subprocess.run([str(python), "-m", "venv", str(tmp_path / "venv")], check=True)
    own = tmp_path / "venv" / "bin" / "python"
    subprocess.run([str(own), "-m", "pip", "install", "-q", "--disable-pip-version-check", *REQUIRED], check=True)
    asked = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    torch, mine = (subprocess.run([str(each), "-c", asked], check=True, capture_output=True, text=True).stdout.strip()
                   for each in (python, own))  # fmt: skip
    Path(mine, "torch.pth").write_text(torch + "\n")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    assert run(["-C", str(tmp_path), "generate"]) == 0
    assert run(["-C", str(tmp_path), "build", "--interface", "qhpi"]) == 0
    made = tmp_path / "generated" / "test_exported"
    variables = {**os.environ, "PYTHONPATH": f"{made / 'onnxruntime'}:{made / 'executorch'}"}
    model, numbers = tmp_path / "model.onnx", tmp_path / "numbers.npz"
    done = subprocess.run(
        [str(own), "-c", EXPORT, str(model), str(numbers)], env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    nodes = [node for node in onnx.load(model).graph.node if node.domain]
    assert [(node.op_type, len(node.input), [a.name for a in node.attribute]) for node in nodes] == [
        ("Bounded", 3, []),
        ("ScaledSum", 4, []),
        ("ScaledSum", 3, []),
        ("Leaned", 1, ["slope"]),
        ("Bounded", 3, []),
        ("Leaned", 1, ["slope"]),
    ]
    found = np.load(numbers)
    library = tmp_path / "build" / "test_exported" / "qhpi-x86" / "libtest_exported.so"
    on_htp = (
        "import sys, numpy as np, onnx; from test_exported_onnxruntime.session import create_session;"
        "f = np.load(sys.argv[2]); s = create_session(onnx.load(sys.argv[1]), sys.argv[3]);"
        "a = s.run(None, {s.get_inputs()[0].name: f['x']}); np.savez(sys.argv[4], *a)"
    )
    words = [str(model), str(numbers), str(library), str(tmp_path / "htp.npz")]
    subprocess.run([sys.executable, "-c", on_htp, *words], env=variables, check=True)
    htp = np.load(tmp_path / "htp.npz")
    for at in range(2):
        wanted = found[f"wanted{at}"]
        assert wanted.std() > 0.05
        assert np.abs(found[f"got{at}"] - wanted).max() < 1e-6
        assert np.abs(htp[f"arr_{at}"] - wanted).max() < 1e-5
