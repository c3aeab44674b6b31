"""Shared by the tests of verify: one runner cache for the session, shared between xdist's workers."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def runner_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where runners are compiled to: kept between test runs, keyed by the sources."""
    base = Path(__file__).parents[2] / "build" / ".opkg-runner"
    base.mkdir(parents=True, exist_ok=True)
    return base


@pytest.fixture(autouse=True)
def _cache(runner_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_CACHE_DIR", str(runner_cache))
    monkeypatch.delenv("CXX", raising=False)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
