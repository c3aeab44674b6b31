"""Renders specs into a temporary folder and imports the generated packages with a stand-in for the wheel."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from executorch_lib import HERE, ROOT, SPECS, load, write

from opkg.spec.model import OpPackage


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "executorch: needs an interpreter with the executorch wheel")


@pytest.fixture(scope="session")
def everything() -> OpPackage:
    return load(SPECS[0])


@pytest.fixture(scope="session")
def interpreter() -> str:
    """The interpreter with the wheel; without it a skip here and a failure in CI."""
    path = os.environ.get("OPKG_EXECUTORCH_PYTHON") or str(ROOT / ".venv-executorch" / "bin" / "python")
    if Path(path).exists():
        return path
    message = f"{path} is missing: scripts/setup-executorch.sh makes it (or set OPKG_EXECUTORCH_PYTHON)"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def _forget() -> None:
    for name in list(sys.modules):
        if name.split(".")[0] == "executorch" or name.split(".")[0].endswith("_executorch"):
            del sys.modules[name]


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[OpPackage], ModuleType]]:
    """Imports the package generated from a model, with the fake wheel on the path."""
    _forget()
    monkeypatch.syspath_prepend(str(HERE / "fake"))

    def make(package: OpPackage) -> ModuleType:
        monkeypatch.syspath_prepend(str(write(package, tmp_path)))
        return importlib.import_module(f"{package.cpp_namespace}_executorch")

    yield make
    _forget()
