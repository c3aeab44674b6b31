"""Hostile names wherever a name can stand: refused or taken as they are; nothing is executed, nothing lies outside."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from adverse_commands import make
from adverse_harness import can_confine, import_all, nothing_outside, opkg
from adverse_names import MARK, NAMES
from adverse_roles import ROLES

SAMPLE = NAMES[3::50]
# Roles in which a name is a path that the user gives, and may lead out of the project.
GIVEN = ("folder of new", "option", "path")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("names") / "project")


@pytest.fixture(scope="module")
def imported() -> None:
    import_all()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a place: the project is copied hundreds of times."""
    shared = Path("/dev/shm")
    place = Path(tempfile.mkdtemp(dir=shared if os.access(shared, os.W_OK) else tmp_path, prefix="opkg-names-"))
    yield place
    shutil.rmtree(place)


def around(folder: Path, project: Path) -> set[str]:
    """All files and folders below one folder, but what is in the project."""
    found = set()
    for root, folders, files in os.walk(folder):
        if root == str(project):
            folders.clear()
        else:
            found.update(f"{root}/{name}" for name in (*folders, *files))
    return found


def faults(title: str, names: Iterable[str], project: Path, folder: Path, most: int = 1000) -> tuple[int, list[str]]:
    """How many command lines met the names in one role, and what went wrong."""
    role, found, runs = ROLES[title], [], 0
    for name in names:
        if name.startswith("/") and title in GIVEN and not can_confine():
            continue  # root writes there
        work = folder / "a" / "b" / "work"
        shutil.copytree(project, work / "project", symlinks=True)
        here = role.setup(work / "project", name)
        before = around(folder, here or work)
        for line in role.lines(name)[:most] if here is not None else ():
            ran = opkg(line, here, nothing_outside(folder) if can_confine() else lambda: None)
            runs += 1
            outside, before = around(folder, here) - before, around(folder, here)
            if ran.fault:
                found.append(f"{name!a}: {ran}")
            if outside and not (title in GIVEN and ".." in name):
                found.append(f"{name!a}: wrote {outside}: {ran}")
            if os.strerror(errno.EROFS) in ran.out + ran.err and title not in GIVEN:
                found.append(f"{name!a}: would have written outside: {ran}")
            if list(folder.rglob(MARK)):
                found.append(f"{name!a} was executed: {ran}")
        shutil.rmtree(folder / "a")
    return runs, found


def test_there_are_two_hundred() -> None:
    assert len(NAMES) >= 200
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("title", ROLES)
def test_some_names(project: Path, folder: Path, title: str) -> None:
    runs, found = faults(title, SAMPLE, project, folder, most=2)
    assert not found, "\n".join(found)
    assert runs >= 1


@pytest.mark.sweep
@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("title", ROLES)
def test_all_names(project: Path, folder: Path, title: str, part: int) -> None:
    runs, found = faults(title, NAMES[part::8], project, folder)
    print(f"{title} {part}: {runs} command lines")
    assert not found, "\n".join(found)
