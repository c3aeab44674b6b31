"""What the tests of ONNX Runtime share: the runtime itself, and the example, built once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from opkg.verify.machines.onnxruntime.machine import OnnxruntimeMachine

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def runtime() -> str:
    """The version of onnxruntime-qnn; without it a skip here and a failure in CI."""
    found = OnnxruntimeMachine().available()
    if not found.ok:
        if os.environ.get("CI"):
            pytest.fail(f"{found.reason}: {found.install}")
        pytest.skip(found.reason)
    return found.version


@pytest.fixture(scope="session")
def project(runtime: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """examples/onnxruntime, which commands may build in."""
    root = tmp_path_factory.mktemp("onnxruntime") / "example"
    example = ROOT / "examples" / "onnxruntime"
    shutil.copytree(example, root, ignore=shutil.ignore_patterns("build", "__pycache__"))
    return root
