"""Changes many files of a project at once: all of them or none, even when the process is killed half-way.

Everything is prepared in a folder `.opkg-transaction` of the root: new files (`new/N`, or `tree/PATH` where their folder is
new, too), then a journal. From the journal on, new folders are moved to their places whole, and each old file is linked or
moved to `old/N` before the new one takes its place. Whoever finds a journal undoes what was done, in reverse; when all is in
place the folder is renamed, and then only has to be deleted.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import NamedTuple

from opkg.project.files import DONE, FOLDER

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EXDEV, errno.EMLINK, errno.ENOSYS, errno.EACCES)

Signature = tuple[int, int, int]


class Change(NamedTuple):
    """One file to write (`data` gives its bytes) or to delete (None).

    `signature`: the file that is replaced, None when there is none. A file that is replaced keeps its permission bits.
    `checksum`: of the bytes, where it is known.
    """

    path: str
    data: Callable[[], bytes] | None
    signature: Signature | None = None
    checksum: str = ""


class Step(NamedTuple):
    """A line of the journal. `new`: checksum of what is written ("" when deleted); `had`: whether there was a file."""

    path: str
    new: str
    had: bool


class Changed(Exception):
    """A file is not any more what it was when the changes were planned; carries its path."""


class Transaction:
    """The changes of one project; use `stage`, `apply`, `finish`, and `rollback` whenever one of them raises."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folder = f"{root}/{FOLDER}"
        self.changes: list[tuple[Step, Signature | None]] = []
        self.made: list[str] = []  # folders that there were not, outer ones first
        self.current = FOLDER  # the path at work, for who has to report a failure

    def stage(self, changes: Sequence[Change]) -> None:
        """Writes all new files beside the tree. Raises OSError (disk full, not allowed)."""
        os.mkdir(self.folder)
        os.mkdir(f"{self.folder}/new")
        os.mkdir(f"{self.folder}/old")
        self.made = self._missing_folders(changes)
        fresh = set(self.made)
        for folder in self.made:
            self.current = folder
            above = folder.rpartition("/")[0]
            if above not in fresh:
                os.makedirs(f"{self.folder}/tree/{above}", exist_ok=True)
            os.mkdir(f"{self.folder}/tree/{folder}")
        for number, (path, make, signature, checksum) in enumerate(changes):
            self.current = path
            if make is not None:
                data = make()
                staged = f"tree/{path}" if path.rpartition("/")[0] in fresh else f"new/{number}"
                self._write(f"{self.folder}/{staged}", data, f"{self.root}/{path}" if signature else "")
                checksum = checksum or sha256(data).hexdigest()
            self.changes.append((Step(path, checksum, signature is not None), signature))

    def _write(self, name: str, data: bytes, like: str) -> None:
        fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if like:
                os.fchmod(fd, os.stat(like).st_mode & 0o7777)
            if name.endswith("/journal.tmp"):
                os.fsync(fd)
        finally:
            os.close(fd)

    def apply(self) -> None:
        """Puts everything in place. Raises Changed or OSError; then `rollback` must be called."""
        self.current = FOLDER
        journal = json.dumps({"steps": [step for step, _ in self.changes], "made": self.made}).encode()
        self._write(f"{self.folder}/journal.tmp", journal, "")
        os.rename(f"{self.folder}/journal.tmp", f"{self.folder}/journal")
        fresh, emptied = set(self.made), set()
        for folder in self.made:
            self.current = folder
            if folder.rpartition("/")[0] not in fresh:
                _move_folder(f"{self.folder}/tree/{folder}", f"{self.root}/{folder}")
        for number, (step, signature) in enumerate(self.changes):
            self.current = step.path
            folder = step.path.rpartition("/")[0]
            if not step.new:
                self._take(number, step, signature)
                emptied.add(folder)
            elif folder not in fresh:
                self._put(number, step, signature)
        for folder in sorted(emptied, reverse=True):
            self._prune(folder)

    def _missing_folders(self, changes: Sequence[Change]) -> list[str]:
        """Folders to be made, outer ones first."""
        missing: dict[str, None] = {}
        seen: set[str] = set()
        for change in changes:
            chain = []
            folder = change.path.rpartition("/")[0] if change.data is not None else ""
            while folder and folder not in seen:
                seen.add(folder)
                if not os.path.isdir(f"{self.root}/{folder}"):
                    chain.append(folder)
                folder = folder.rpartition("/")[0]
            missing.update(dict.fromkeys(reversed(chain)))
        return list(missing)

    def _put(self, number: int, step: Step, expected: Signature | None) -> None:
        new, old, place = f"{self.folder}/new/{number}", f"{self.folder}/old/{number}", f"{self.root}/{step.path}"
        if expected is None:
            _place_new(new, place, step.path)
            return
        _unchanged(place, step.path, expected)
        try:
            os.link(place, old, follow_symlinks=False)
        except OSError as failure:
            if failure.errno not in _NO_LINKS:
                raise
            os.rename(place, old)
        _move(new, place)

    def _take(self, number: int, step: Step, expected: Signature | None) -> None:
        place = f"{self.root}/{step.path}"
        _unchanged(place, step.path, expected)
        _move(place, f"{self.folder}/old/{number}")

    def _prune(self, folder: str) -> None:
        """Removes folders that are empty now, up to `generated`, which may go too."""
        while folder:
            try:
                os.rmdir(f"{self.root}/{folder}")
            except OSError:
                return
            folder = folder.rpartition("/")[0]

    def rollback(self) -> None:
        """The tree as it was before `stage`. Raises OSError when that is not possible now; the next run tries again."""
        undo(self.root)

    def finish(self) -> None:
        """From here on the changes stand."""
        os.rename(self.folder, f"{self.root}/{DONE}")
        shutil.rmtree(f"{self.root}/{DONE}", ignore_errors=True)


def undo(root: str) -> None:
    """Undoes an unfinished transaction and deletes what a finished one left; safe to be killed and run again."""
    folder = f"{root}/{FOLDER}"
    steps, folders = _journal(folder)
    for number, step in reversed(list(enumerate(steps))):
        _undo_step(root, number, step)
    for made in reversed(folders):
        try:
            os.rmdir(f"{root}/{made}")
        except OSError:
            continue  # it was never made, or something else lies in it
    if steps:
        os.unlink(f"{folder}/journal")  # nothing is left to undo, whatever happens to the rest
    for leftover in (folder, f"{root}/{DONE}"):
        shutil.rmtree(leftover, ignore_errors=True)


def _journal(folder: str) -> tuple[list[Step], list[str]]:
    """Steps and folders made; a journal that is not ours (it may come with a checkout) is an OSError."""
    try:
        with open(f"{folder}/journal", "rb") as file:
            journal = json.load(file)
        steps = [Step(str(path), str(new), bool(had)) for path, new, had in journal["steps"]]
        folders = [str(made) for made in journal["made"]]
    except FileNotFoundError:
        return [], []
    except (ValueError, TypeError, KeyError):
        raise OSError(errno.EINVAL, f"{FOLDER}/journal is damaged") from None
    root = os.path.realpath(os.path.dirname(folder))
    for path in [step.path for step in steps] + folders:
        real = os.path.realpath(f"{root}/{path.rpartition('/')[0]}")
        if ".." in path.split("/") or path.startswith("/") or (real != root and not real.startswith(root + "/")):
            raise OSError(errno.EINVAL, f"{FOLDER}/journal leads out of the project")
    if os.path.islink(folder):
        raise OSError(errno.EINVAL, f"{FOLDER} is a link")
    return steps, folders


def _undo_step(root: str, number: int, step: Step) -> None:
    place = f"{root}/{step.path}"
    staged, old = (f"new/{number}", f"tree/{step.path}"), f"{root}/{FOLDER}/old/{number}"
    if os.path.lexists(old):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.lexists(place) and not os.path.samefile(place, old) and not _is(place, step.new):
            os.rename(place, spare(place))
        _move(old, place)
    elif not step.had and step.new and _is(place, step.new):
        left = [new for new in (f"{root}/{FOLDER}/{name}" for name in staged) if os.path.lexists(new)]
        if all(os.path.samefile(place, new) for new in left):
            os.unlink(place)


def _is(place: str, checksum: str) -> bool:
    """Whether the file still is what we wrote (someone may have saved another one since)."""
    try:
        with open(place, "rb") as file:
            return sha256(file.read()).hexdigest() == checksum
    except OSError:
        return False


def spare(place: str, taken: set[str] | None = None) -> str:
    """The first free name `FILE.edited-N`."""
    number = 1
    while os.path.lexists(f"{place}.edited-{number}") or (taken and f"{place}.edited-{number}" in taken):
        number += 1
    return f"{place}.edited-{number}"


def _unchanged(place: str, path: str, expected: Signature | None) -> None:
    try:
        found = os.lstat(place)
    except OSError:
        raise Changed(path) from None
    if (found.st_ino, found.st_size, found.st_mtime_ns) != expected:
        raise Changed(path)


def _place_new(new: str, place: str, path: str) -> None:
    """Moves a file to where there must be none."""
    try:
        os.link(new, place)
    except FileExistsError:
        raise Changed(path) from None
    except OSError as failure:
        if failure.errno not in _NO_LINKS:
            raise
        if os.path.lexists(place):
            raise Changed(path) from None
        _move(new, place)
        return
    os.unlink(new)


def _move(source: str, place: str) -> None:
    """Renames; across file systems (a mounted kernels/) by a copy that takes the place in one step."""
    try:
        os.replace(source, place)
    except OSError as failure:
        if failure.errno != errno.EXDEV:
            raise
        copy = f"{place}.opkg-copy"
        shutil.copy2(source, copy)
        os.replace(copy, place)
        os.unlink(source)


def _move_folder(source: str, place: str) -> None:
    """Renames a folder to where there must be none, or an empty one; across file systems folder by folder."""
    try:
        os.rename(source, place)
    except OSError as failure:
        if failure.errno != errno.EXDEV:
            raise
        os.mkdir(place)
        for name in sorted(os.listdir(source)):
            inner = os.path.isdir(f"{source}/{name}")
            (_move_folder if inner else _move)(f"{source}/{name}", f"{place}/{name}")
        os.rmdir(source)
