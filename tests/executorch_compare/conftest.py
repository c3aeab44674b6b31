"""The environment in which models are compared, and model files that cannot be."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opkg.verify.machines.executorch.environment import Environment, Missing, find

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def environment() -> Environment:
    """ExecuTorch and QNN's libraries; without them a skip here and a failure in CI."""
    found = find(ROOT)
    if isinstance(found, Missing):
        message = f"{found.reason}: {found.install}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def inside(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What compare_script.py found."""
    folder = tmp_path_factory.mktemp("models")
    done = subprocess.run(
        [str(environment.python), str(HERE / "compare_script.py"), str(folder)],
        env=environment.variables(), capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(lines[0].removeprefix("FOUND "))
    return found
