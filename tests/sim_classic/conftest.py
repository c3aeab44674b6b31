"""Builds shared by all tests of the classic interface: the runner and the packages, once a session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import classiclib
from classiclib import Machine

from opkg.verify.machines import runners


@pytest.fixture(scope="session")
def host_runner() -> Path:
    classiclib.need("g++")
    return runners.runner(runners.HOST, classiclib.ROOT)


@pytest.fixture(scope="session")
def machine(host_runner: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Machine]:
    """machine("vectors") is opkg-host with packages/vectors, compiled on first use."""
    folder = tmp_path_factory.mktemp("classic")
    made: dict[str, Machine] = {}

    def get(name: str) -> Machine:
        if name not in made:
            library = classiclib.build(name, folder)
            provider = f"{name}InterfaceProvider"
            made[name] = Machine(host_runner, library, provider, name.capitalize(), folder / name)
        return made[name]

    return get
