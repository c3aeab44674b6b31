"""What the tests of the onert machine share: the runtime of PyPI's wheel, and a cache folder that stays."""

from __future__ import annotations

import os
from pathlib import Path

import onertprojects as projects
import pytest

from opkg.spec.model import OpPackage
from opkg.verify.machines.onert import library


@pytest.fixture(scope="session")
def runtime() -> Path:
    """libonert.so; without it a skip here and a failure in CI."""
    found = library.library()
    if found is None or library.lacks_writer():
        message = "PyPI's onert is not here: pip install 'opkg[onert]'"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, OpPackage]:
    """A project of two ops by hand, built once: what goes wrong is chosen when it runs."""
    root = tmp_path_factory.mktemp("both")
    return root, projects.both(root)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("OPKG_ONERT_LIB", raising=False)
    monkeypatch.setenv("CXXFLAGS", "-O1 -Werror")  # generated files have no warnings
