"""What can be wrong around a project: disks, permissions, home folders, links; each a context that a run happens in."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from adverse_harness import can_confine, no_powers, nothing_outside, small_files


class Place(NamedTuple):
    """Where a run happens, and what its process does first."""

    project: Path
    prepare: Callable[[], None] = lambda: None


class CannotMount(Exception):
    """Nothing can be mounted here; carries the reason."""


Condition = Callable[[Path, Path], Iterator[Place]]


def _copy(original: Path, folder: Path) -> Path:
    return Path(shutil.copytree(original, folder / "project", symlinks=True))


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotMount(done.stderr.strip())


def _environment(**variables: str | None) -> None:
    """Variables of this process; None takes one away."""
    for name, value in variables.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    tempfile.tempdir = None


def _modes(folder: Path, file: int, directory: int) -> None:
    for root, _, names in os.walk(folder, topdown=False):
        for name in names:
            if not os.path.islink(f"{root}/{name}"):
                os.chmod(f"{root}/{name}", file)
        os.chmod(root, directory)


def read_only(original: Path, folder: Path) -> Iterator[Place]:
    """No permission to write anything in the project; root's powers are taken away."""
    project = _copy(original, folder)
    _modes(project, 0o444, 0o555)
    try:
        yield Place(project, no_powers)
    finally:
        _modes(project, 0o644, 0o755)


def read_only_all(original: Path, folder: Path) -> Iterator[Place]:
    """Neither the project, nor the home folder, the cache or temporary files can be written."""
    none = str(folder / "none" / "none")

    def prepare() -> None:
        _environment(HOME=none, OPKG_CACHE_DIR=none, XDG_CACHE_HOME=None, TMPDIR=none)
        no_powers()

    (folder / "none").mkdir(0o555)
    for place in read_only(original, folder):
        yield place._replace(prepare=prepare)


def read_only_mount(original: Path, folder: Path) -> Iterator[Place]:
    """A file system that is mounted read-only."""
    project = _copy(original, folder)
    _mount("--bind", str(project), str(project))
    try:
        _mount("-o", "remount,ro,bind", str(project))
        yield Place(project)
    finally:
        subprocess.run(["umount", str(project)], check=True)


def full_disk(free: int) -> Condition:
    """A small disk with so many bytes left, where the project, the cache and temporary files are."""

    def condition(original: Path, folder: Path) -> Iterator[Place]:
        disk = folder / "disk"
        disk.mkdir()
        _mount("-t", "tmpfs", "-o", "size=16m", "none", str(disk))
        try:
            project = _copy(original, disk)
            left = os.statvfs(disk)
            (disk / "filler").write_bytes(bytes(left.f_bavail * left.f_frsize - free))
            yield Place(project, lambda: _environment(TMPDIR=str(disk), OPKG_CACHE_DIR=str(disk / "cache")))
        finally:
            subprocess.run(["umount", "--lazy", str(disk)], check=True)

    return condition


def short_files(original: Path, folder: Path) -> Iterator[Place]:
    """No file can grow beyond 3,000 bytes: a full disk for where nothing can be mounted."""
    yield Place(_copy(original, folder), small_files(3000))


def no_home(original: Path, folder: Path) -> Iterator[Place]:
    """A user without a home folder or a name, as containers have them."""

    def prepare() -> None:
        import pwd

        def unknown(_: object) -> None:
            raise KeyError("no such user")

        _environment(HOME=None, OPKG_CACHE_DIR=None, XDG_CACHE_HOME=None, USER=None, LOGNAME=None)
        pwd.getpwuid = pwd.getpwnam = unknown  # type: ignore[assignment]

    yield Place(_copy(original, folder), prepare)


def unusable_home(original: Path, folder: Path) -> Iterator[Place]:
    """A home folder and a temporary one in which nothing can be made."""
    gone = "/proc/self/nothing"
    yield Place(
        _copy(original, folder), lambda: _environment(HOME=gone, OPKG_CACHE_DIR=None, XDG_CACHE_HOME=None, TMPDIR=gone)
    )


def unknown_home(original: Path, folder: Path) -> Iterator[Place]:
    """A cache in the home folder of a user that does not exist."""
    yield Place(_copy(original, folder), lambda: _environment(OPKG_CACHE_DIR="~nobody-of-that-name/cache"))


def deleted_folder(original: Path, folder: Path) -> Iterator[Place]:
    """The current folder is deleted while a shell stands in it."""
    project = _copy(original, folder)
    yield Place(project, lambda: shutil.rmtree(project))


CONDITIONS: dict[str, Condition] = {
    "read-only": read_only,
    "read-only everywhere": read_only_all,
    "read-only mount": read_only_mount,
    "full disk": full_disk(0),
    "60 kB left": full_disk(60_000),
    "400 kB left": full_disk(400_000),
    "short files": short_files,
    "no home": no_home,
    "unusable home": unusable_home,
    "unknown home": unknown_home,
    "deleted folder": deleted_folder,
}

# Parts of a project, and what may stand in their place.
PARTS = (
    "specs", "specs/mini.yaml", "generated", "generated/manifest.json", "generated/a_mini/qhpi/Makefile", "build", "kernels",
    "kernels/twist.cpp", "references.py", "tuning.json", ".opkg", ".opkg-transaction", "checkout", "model.py", "cpp/fuse.cpp",
    "graphs/add_relu.txt",
)  # fmt: skip
INSTEAD: dict[str, Callable[[Path], None]] = {
    "a link to nothing": lambda place: place.symlink_to("/nonexistent/x"),
    "a link to itself": lambda place: place.symlink_to(place.name),
    "a link out": lambda place: place.symlink_to("/etc"),
    "a link to memory": lambda place: place.symlink_to("/proc/self/mem"),
    "noise": lambda place: place.write_bytes(b"\xff\x00{"),
    "a folder": lambda place: place.mkdir(),
    "a pipe": os.mkfifo,
    "a closed folder": lambda place: place.mkdir(0o000),
}


def instead(part: str, what: str) -> Condition:
    """The project with something else in place of a part; root's powers are taken away, and /etc is safe."""

    def condition(original: Path, folder: Path) -> Iterator[Place]:
        def prepare() -> None:
            nothing_outside(folder)()
            no_powers()

        if not can_confine():
            raise CannotMount("not even read-only")
        project = _copy(original, folder)
        place = project / part
        if place.is_dir():
            shutil.rmtree(place)
        place.unlink(missing_ok=True)
        INSTEAD[what](place)
        try:
            yield Place(project, prepare)
        finally:
            if what == "a closed folder" and place.is_dir():
                place.chmod(0o755)

    return condition


@contextmanager
def under(condition: Condition, original: Path, folder: Path) -> Iterator[Place]:
    """A copy of the project under the condition; everything is gone afterwards."""
    folder.mkdir()
    try:
        yield from condition(original, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
