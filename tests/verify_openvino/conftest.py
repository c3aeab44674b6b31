"""The example's library, built once."""

from __future__ import annotations

import shutil

import pytest
from openvinoprojects import EXAMPLE, Project, needed

from opkg.spec.reader import read_file
from opkg.verify.api import VerifyOptions, verify


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Without OpenVINO a skip here and a failure in CI."""
    needed()
    root = tmp_path_factory.mktemp("openvino") / "example"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns("build"))
    package, findings = read_file(root / "specs" / "blocks.yaml", "specs/blocks.yaml")
    assert package is not None, findings
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CXX", raising=False)
        patch.setenv("CXXFLAGS", "-O0 -Werror")  # generated files have no warnings
        result = verify(root, [package], VerifyOptions(on=("openvino",), check_current=False, cases=4, timeout=60.0))
    built = root / "build" / "nn_blocks" / "openvino-x86" / "libnn_blocks_openvino.so"
    assert built.is_file(), [finding.message for finding in result.diagnostics]
    return Project(root, package, built, result)
