"""Hostile names wherever a name can stand: refused or taken as they are; nothing is executed, nothing lies outside."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from adverse_commands import make
from adverse_harness import opkg
from adverse_names import MARK, NAMES
from adverse_roles import ROLES

SAMPLE = NAMES[3::50]
# Roles in which a name is a path that the user gives, and may lead out of the project.
GIVEN = ("folder of new", "option", "path")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("names") / "project")


def faults(title: str, names: Iterable[str], project: Path, folder: Path, most: int = 1000) -> tuple[int, list[str]]:
    """How many command lines met the names in one role, and what went wrong."""
    role, found, runs = ROLES[title], [], 0
    for name in names:
        work = folder / "a" / "b" / "work"
        shutil.copytree(project, work / "project", symlinks=True)
        here = role.setup(work / "project", name)
        before = set(work.iterdir())
        for line in role.lines(name)[:most] if here is not None else ():
            ran = opkg(line, here)
            runs += 1
            outside = set(work.iterdir()) - before
            if ran.fault:
                found.append(f"{name!a}: {ran}")
            if outside and not (title in GIVEN and ".." in name):
                found.append(f"{name!a}: wrote {outside}: {ran}")
            if list(folder.rglob(MARK)):
                found.append(f"{name!a} was executed: {ran}")
        shutil.rmtree(folder / "a")
    return runs, found


def test_there_are_two_hundred() -> None:
    assert len(NAMES) >= 200
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("title", ROLES)
def test_some_names(project: Path, tmp_path: Path, title: str) -> None:
    runs, found = faults(title, SAMPLE, project, tmp_path, most=2)
    assert not found
    assert runs >= 1


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("title", ROLES)
def test_all_names(project: Path, tmp_path: Path, title: str, part: int) -> None:
    _, found = faults(title, NAMES[part::8], project, tmp_path)
    assert not found
