"""Lays packages out in a checkout that is somebody else's: files of ours, entries in its lists; all of it or nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from opkg.project import files
from opkg.project.state import Signature
from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.targets.foreign import MARK, Insertion, Place
from opkg.trees import entries, table
from opkg.trees.found import Taken, Unexpected
from opkg.trees.record import Laid, Put
from opkg.trees.sameness import same_entry, same_module


class Package(NamedTuple):
    """What one package wants in the checkout."""

    name: str
    files: Mapping[str, str]
    insertions: Sequence[Insertion]


class Changing(NamedTuple):
    """One file of the checkout. None: there is none (before), it goes away (after)."""

    path: str
    before: str | None
    after: str | None


@dataclass(slots=True)
class Checkout:
    """The files of a checkout as they are and as they are going to be, and what is wrong with them.

    `root`: absolute; `prefix` + a path is the path as people see it; `knows`: a hint on what this opkg expects to find;
    `adopts`: what is there just as it is wanted counts as put in, even if nobody remembers it.
    """

    root: str
    prefix: str
    knows: str = ""
    adopts: bool = True
    before: dict[str, str | None] = field(default_factory=dict)
    after: dict[str, str | None] = field(default_factory=dict)
    signatures: dict[str, Signature] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)

    def read(self, path: str) -> str | None:
        """The text as it is going to be, line ends as they are; None when there is no such file."""
        if path not in self.after:
            self.before[path] = self.after[path] = self._load(path)
        return self.after[path]

    def _load(self, path: str) -> str | None:
        place = f"{self.root}/{path}"
        if not self._inside(place):
            self.fault("OPK361", "is in a folder that a link leads to, outside of the checkout", path)
            return None
        try:
            found = os.lstat(place)
        except OSError:
            return None
        self.signatures[path] = (found.st_ino, found.st_size, found.st_mtime_ns)
        if not stat.S_ISREG(found.st_mode):
            self.fault("OPK361", "is no file of its own (a link or a folder)", path)
            return None
        try:
            return files.read(place, follow=False).decode()
        except UnicodeDecodeError:
            self.fault("OPK361", "is not UTF-8", path)
        except OSError as failure:
            self.fault("OPK361", f"cannot be read: {failure.strerror}", path)
        return None

    def _inside(self, place: str) -> bool:
        """Whether the folder of a file is the checkout's own, wherever links lead."""
        root, folder = os.path.realpath(self.root), os.path.realpath(os.path.dirname(place))
        return folder == root or folder.startswith(root.rstrip("/") + "/")

    def as_it_is(self, path: str) -> str | None:
        """The text before anything was changed."""
        self.read(path)
        return self.before[path]

    def fault(self, id: str, message: str, path: str, line: int = 1, hint: str = "", column: int = 1) -> None:
        finding = error(id, message, Span(self.prefix + path, line, column, line, column), hint)
        if finding not in self.findings:
            self.findings.append(finding)

    def changes(self) -> list[Changing]:
        return [
            Changing(path, self.before[path], self.after[path])
            for path in sorted(self.after)
            if self.before[path] != self.after[path]
        ]


# What is to be done


def plan(
    checkout: Checkout, known: Mapping[str, Laid], wanted: Sequence[Package], remove: Sequence[str]
) -> dict[str, Laid]:
    """Changes the texts of `checkout`; returns what is known of it afterwards.

    What was put in before and is not wanted any more goes out first, in the packages that are laid out anew and in those
    to `remove`. What is there as it is wanted stays where it is. What somebody edited is a finding.
    """
    then = {name: laid for name, laid in known.items() if name not in remove}
    for name in dict.fromkeys([*(p.name for p in wanted), *remove]):
        if name in known:
            new = next((package for package in wanted if package.name == name), Package(name, {}, ()))
            _take_out(checkout, known[name], new)
    for package in wanted:
        then[package.name] = _put_in(checkout, package, known.get(package.name, Laid()))
    return then


def _take_out(checkout: Checkout, laid: Laid, new: Package) -> None:
    texts = {(i.path, i.place, i.key): i.text for i in new.insertions}
    for put in laid.entries:
        text = checkout.read(put.path)
        if text is None:
            continue
        try:
            found = entries.find(text, put.place, put.key)
            wanted = texts.get((put.path, put.place, put.key))
            if found is None or (wanted is not None and same_entry(put.place, found.text, wanted)):
                continue
            if not same_entry(put.place, found.text, put.text, marks=False):
                _edited(checkout, put.path, _line(checkout, put, found.line), f"entry '{put.key}'")
                continue
            checkout.after[put.path] = entries.remove(text, put.place, put.key)
        except Unexpected as reason:
            unexpected(checkout, put.path, _as_it_was(checkout, put) or reason)
    for path, checksum in laid.files.items():
        text = checkout.read(path)
        if text is None or (path in new.files and same_module(path, text, new.files[path])):
            continue
        if files.digest(text.encode()) != checksum:
            _edited(checkout, path, 1, "file")
            continue
        checkout.after[path] = None


def _line(checkout: Checkout, entry: Put | Insertion, otherwise: int) -> int:
    """The line of an entry in the file as it is, which others of ours have moved by now."""
    found = entries.find(checkout.before[entry.path] or "", entry.place, entry.key)
    return otherwise if found is None else found.line


def _edited(checkout: Checkout, path: str, line: int, what: str) -> None:
    hint = "move the edit to the spec and undo it here; or delete it here, and it is put in again"
    checkout.fault("OPK363", f"the {what} that opkg put in here was edited", path, line, hint)


def unexpected(checkout: Checkout, path: str, reason: Unexpected) -> None:
    """The finding that a list is not to be found, or not to be changed safely."""
    message = f"does not look as expected: {reason.message}"
    checkout.fault("OPK361", message, path, reason.line, checkout.knows, reason.column)


def _put_in(checkout: Checkout, package: Package, known: Laid) -> Laid:
    made: dict[str, str] = {}
    for path, text in package.files.items():
        there = checkout.read(path)
        if there is not None and not same_module(path, there, text):
            if path in known.files:
                _edited(checkout, path, 1, "file")
            else:
                _taken(checkout, path, 1, "a file of this name")
            continue
        if there is None or checkout.adopts or path in known.files:
            made[path] = files.digest((text if there is None else there).encode())
        checkout.after[path] = text if there is None else there
    ours = {(put.path, put.place, put.key) for put in known.entries}
    found = [put for each in package.insertions if (put := _insert(checkout, each, ours)) is not None]
    return Laid(made, tuple(found))


def _insert(checkout: Checkout, wanted: Insertion, ours: Container[tuple[str, Place, str]]) -> Put | None:
    """Puts one entry in; None when that is not ours to do, or cannot be done (then there is a finding)."""
    text = checkout.read(wanted.path)
    if text is None:
        if not wanted.optional and not any(f.span.path == checkout.prefix + wanted.path for f in checkout.findings):
            checkout.fault("OPK361", "is missing: the checkout is not as expected", wanted.path, 1, "see its version")
        return None
    try:
        checkout.after[wanted.path] = entries.insert(text, wanted.place, wanted.key, wanted.text)
    except Taken as there:
        same = same_entry(wanted.place, there.text, wanted.text)
        mine = (wanted.path, wanted.place, wanted.key) in ours
        if wanted.shared and not mine and _unmarked(wanted.text) <= _unmarked(there.text):
            return None
        if not same:
            line = _line(checkout, wanted, there.line)
            if mine:
                _edited(checkout, wanted.path, line, f"entry '{wanted.key}'")
            else:
                _taken(checkout, wanted.path, line, f"'{wanted.key}'")
        if not same or not (mine or checkout.adopts):
            return None
    except table.Absent:
        return None
    except Unexpected as reason:
        unexpected(checkout, wanted.path, _as_it_was(checkout, wanted) or reason)
        return None
    return Put(wanted.path, wanted.place, wanted.key, wanted.text)


def _unmarked(text: str) -> set[str]:
    """The lines of an entry, whoever put it in."""
    return {table.unmarked(line.partition(MARK)[0]) for line in text.split("\n")}


def _as_it_was(checkout: Checkout, entry: Put | Insertion) -> Unexpected | None:
    """Why an entry cannot go into the file as it is, or out of it; others of ours have moved its lines by now."""
    return entries.obstacle(checkout.before[entry.path] or "", entry.place, entry.key)


def _taken(checkout: Checkout, path: str, line: int, what: str) -> None:
    hint = "rename the op or the package in the spec, or take out what stands here"
    checkout.fault("OPK360", f"there is {what} here already, and opkg did not put it in", path, line, hint)
