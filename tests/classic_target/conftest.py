"""Shared by the tests of the classic target: generated projects, and the runner, once a session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import targetlib

from opkg.spec.model import OpPackage

Project = tuple[Path, OpPackage]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Project]:
    """project("odd", sdk) is (folder, package), generated on first use."""
    made: dict[tuple[str, str], Project] = {}

    def get(name: str, sdk: str = "") -> Project:
        if (name, sdk) not in made:
            root = tmp_path_factory.mktemp(f"{name}{sdk}".replace(".", "_"))
            made[name, sdk] = (root, targetlib.project(name, root, sdk))
        return made[name, sdk]

    return get


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runners are kept between sessions, keyed by their sources."""
    folder = targetlib.ROOT / "build" / ".opkg-runner"
    folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.setenv("OPKG_CACHE_DIR", str(folder))
    monkeypatch.delenv("CXX", raising=False)
