"""What generated packages say before something fails: patterns that nearly match, QNN builds that cannot make a device."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import warnings
from importlib import metadata
from pathlib import Path

import pytest
from executorch_lib import HERE, load, write

pytestmark = pytest.mark.executorch
SCALED = """\
opkg: 1
package: {name: test.scaled, version: 1.0.0, targets: [qnn-htp-qhpi, executorch-builder]}
ops:
  Scaled:
    inputs: {x: {dtype: float32, shape: "[..., C]", rank: 2..4}, w: {dtype: float32, shape: "[C]"}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = tanh(x * w)
    pattern: torch.tanh(x * w)
"""
FUSES = """\
import logging
import sys

import test_scaled_executorch as package
import torch
from executorch.exir import EdgeCompileConfig, to_edge


class Model(torch.nn.Module):
    def forward(self, x, w):
        return torch.tanh(w * x)


logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
package.register()
from test_scaled_executorch.fusion import FuseScaled

for sizes in ((2, 3, 4), (4,)):
    inputs = (torch.randn(sizes), torch.randn(4))
    config = EdgeCompileConfig(_check_ir_validity=False)
    program = to_edge(torch.export.export(Model(), inputs), compile_config=config)
    fused = program.transform([FuseScaled(program.exported_program())])
    print("fused:", "test_scaled" in str(fused.exported_program().graph))
"""


def test_reasons(interpreter: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(write(load(HERE / "specs/fused.yaml"), tmp_path))}
    script = [interpreter, str(HERE / "near_script.py"), str(tmp_path / "sdk")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    near = found["near"]
    head = re.compile(r"^\[test\.fused\] blend is (?:nearly|not fused) at aten_tanh_default \(near_script\.py:\d+\): ")
    assert near == found["warned"]  # no call of the op is in these graphs
    assert (near["matches"], near["slope"], near["far"]) == ([], [], [])
    assert {name: head.sub("", said[-1]) for name, said in near.items() if said} == {
        "other call": "3 of 5 calls; aten_sigmoid_default is aten.sigmoid.default; the pattern has aten.relu.default",
        "other tensor": "'w' has rank 3; allowed is 1",  # all calls are there, of w and x for x and w
        "used inside": "5 of 5 calls; aten_relu_default is used by the result, too",
        "factor": "5 of 5 calls; argument 'alpha' of aten_add_tensor_1: it is 2, the pattern has 1",
    }
    assert found["builds"]["2.49.40"] == found["builds"]["3.0.0"] == []
    (said,) = found["builds"]["2.51.0"]
    assert said.startswith("[test.fused] QNN_SDK_ROOT has QNN 2.51, which does not read")
    assert "14001" in said


def test_of_two_readings_only_that_of_an_unfused_place_is_told(interpreter: str, tmp_path: Path) -> None:
    (tmp_path / "scaled.yaml").write_text(SCALED)
    (tmp_path / "fuses.py").write_text(FUSES)
    environment = {**os.environ, "PYTHONPATH": str(write(load(tmp_path / "scaled.yaml"), tmp_path))}
    script = [interpreter, str(tmp_path / "fuses.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith(("fused:", "[test.scaled]"))]
    refused = "[test.scaled] scaled is not fused at aten_tanh_default (fuses.py:11): 'x' has rank 1; allowed is 2 to 4"
    assert said == ["fused: True", refused, "fused: False"]


@pytest.mark.parametrize(
    ("version", "known"),
    [("1.5.1+cpu", True), ("1.4.0", True), ("1.6.0", False), ("2.0.0a0", False), ("1.0.0", False), ("", True)],
)
def test_register_tells_of_an_unknown_release(
    version: str, known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything else: a source tree has no version to tell of, and imports of another release may fail."""

    def installed(name: str) -> str:
        if not version:
            raise metadata.PackageNotFoundError(name)
        return version

    (tmp_path / "scaled.yaml").write_text(SCALED)
    monkeypatch.syspath_prepend(str(write(load(tmp_path / "scaled.yaml"), tmp_path)))
    monkeypatch.setattr(metadata, "version", installed)
    package = importlib.import_module("test_scaled_executorch")
    monkeypatch.setitem(sys.modules, "executorch", None)  # so that nothing behind the warning is done
    try:
        with warnings.catch_warnings(record=True, action="always") as said, pytest.raises(ImportError):
            package.register()
    finally:
        for name in [name for name in sys.modules if name.startswith("test_scaled_executorch")]:
            del sys.modules[name]
    text = f"[test.scaled] these builders are made for ExecuTorch 1.4 and 1.5, not for {version}: they may fail or be ignored"
    assert [str(each.message) for each in said] == ([] if known else [text])
    assert all(each.filename == __file__ for each in said)


@pytest.mark.parametrize(
    ("backend", "library", "told"),
    [("libc.so.6", "libtest_none.so", 1), ("libtest_none.so", "libtest_none.so", 0), ("libc.so.6", "libc.so.6", 0)],
)
def test_a_library_that_is_not_loaded_is_told_once(
    backend: str, library: str, told: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a program that is lowered without package_info(): the backend runs, and refuses ops it has no library of."""
    (tmp_path / "scaled.yaml").write_text(SCALED)
    folder = write(load(tmp_path / "scaled.yaml"), tmp_path) / "test_scaled_executorch"
    package = type(sys)("test_scaled_executorch")  # without what imports ExecuTorch
    package.__path__ = [str(folder)]
    for name in ("", ".constants", ".libraries"):
        monkeypatch.delitem(sys.modules, f"test_scaled_executorch{name}", raising=False)
    monkeypatch.setitem(sys.modules, "test_scaled_executorch", package)
    libraries = importlib.import_module("test_scaled_executorch.libraries")
    monkeypatch.setattr(libraries, "BACKEND", backend)
    monkeypatch.setattr(libraries, "LIBRARY", library)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        libraries.tell_of_missing()
        libraries.tell_of_missing()
    said = [str(each.message) for each in caught]
    assert len(said) == told
    assert all(text.startswith("[test.scaled] libtest_none.so is not loaded, and") for text in said)
