"""What the tests of openvino-extension share: the example's library, built once."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file
from opkg.verify.api import VerifyOptions, verify
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


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Without OpenVINO a skip here and a failure in CI."""
    if library.folder() is None:
        message = "PyPI's openvino is not here: pip install 'opkg[openvino]'"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    root = tmp_path_factory.mktemp("openvino") / "example"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns("build"))
    package, findings = read_file(root / "specs" / "blocks.yaml", "specs/blocks.yaml")
    assert package is not None, findings
    flags = os.environ.get("CXXFLAGS")
    os.environ["CXXFLAGS"] = "-O0 -Werror"  # generated files have no warnings
    try:
        result = verify(root, [package], VerifyOptions(on=("openvino",), check_current=False, cases=4, timeout=60.0))
    finally:
        os.environ.pop("CXXFLAGS") if flags is None else os.environ.update(CXXFLAGS=flags)
    built = root / "build" / "nn_blocks" / "openvino-x86" / "libnn_blocks_openvino.so"
    assert built.is_file(), [finding.message for finding in result.diagnostics]
    return Project(root, package, built, result)
