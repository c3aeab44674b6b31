"""A small project with the target executorch-builder, generated and built once, and the interpreter that runs its models."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from modelprojects import SPEC, make

from opkg.spec.model import OpPackage
from opkg.verify.machines.executorch.environment import Environment, Missing, find

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="package", autouse=True)
def _cache() -> Iterator[None]:
    """Runners and the observer are compiled once, and kept between runs of the tests."""
    before = os.environ.get("OPKG_CACHE_DIR")
    os.environ["OPKG_CACHE_DIR"] = str(ROOT / "build" / ".opkg-runner")
    yield
    if before is None:
        del os.environ["OPKG_CACHE_DIR"]
    else:
        os.environ["OPKG_CACHE_DIR"] = before


@pytest.fixture(scope="package")
def environment() -> Environment:
    """ExecuTorch and QNN's libraries; without them a skip here and a failure in CI."""
    found = find(ROOT)
    if isinstance(found, Missing):
        message = f"{found.reason}: scripts/setup-executorch.sh"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="package")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, OpPackage]:
    """Root and package of the project."""
    root = tmp_path_factory.mktemp("models")
    return root, make(root, SPEC)
