"""Plain integers of 8 and 16 bits and booleans reach kernels of both interfaces, and of the real backend."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.htp
def test_plain_integers_and_booleans_pass_everywhere(tmp_path: Path) -> None:
    on = "host,htp"
    if importlib.util.find_spec("onnxruntime_qnn") is None:
        if "CI" in os.environ:
            pytest.fail("onnxruntime-qnn is not installed: pip install '.[htp]'")
        on = "host"
    project = tmp_path / "integers"
    shutil.copytree(HERE / "integers", project)
    for words in (["generate"], ["verify", "--on", on, "--json", "result.json"]):
        command = [sys.executable, "-m", "opkg", *words]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    cells = json.loads((project / "result.json").read_text())["cells"]
    labels = {cell["column"] for cell in cells}
    assert len(labels) == (3 if "htp" in on else 2)
    for op, combinations in {"Negate": 2, "Half": 2, "Greater": 2, "Where": 2}.items():
        assert len([cell for cell in cells if cell["op"] == op]) == combinations * len(labels)
    assert all(cell["ok"] for cell in cells)
