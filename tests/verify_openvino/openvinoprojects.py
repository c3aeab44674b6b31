"""What the tests of openvino-extension share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from opkg.spec.model import OpPackage
from opkg.verify.judge.outcome import VerifyResult
from opkg.verify.machines.openvino import library

EXAMPLE = Path(__file__).parents[2] / "examples" / "openvino"


@dataclass(frozen=True)
class Project:
    """A copy of the example, its package, its built library, and what a short run of its cases gave."""

    root: Path
    package: OpPackage
    library: Path
    result: VerifyResult


def needed() -> None:
    """Without OpenVINO a skip here and a failure in CI."""
    if library.folder() is None:
        message = "PyPI's openvino is not here: pip install 'opkg[openvino]'"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
