"""Shared by the tests of the QHPI target: where compiled runners are kept, and a clean environment."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_CACHE_DIR", str(ROOT / "build" / ".opkg-runner"))
    for name in ("CXX", "HEXAGON_SDK_ROOT", "HEXAGON_INCLUDE", "MAKEFLAGS", "OPKG_SIM_SLICES"):
        monkeypatch.delenv(name, raising=False)
