"""Compares what should be there with what is: every file gets a status, and nothing is written."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

import opkg
from opkg import SHARED_FOLDER
from opkg.project import files, provenance
from opkg.project.discover import Project
from opkg.project.fastcheck import is_ours
from opkg.project.manifest import PATH, Made, Manifest, Specs
from opkg.project.render import Rendering, Wanted, place_fault


class Status(StrEnum):
    """What is to be said of a file."""

    SAME = "same"
    MISSING = "missing"
    STALE = "stale"  # as opkg wrote it, but the spec (or opkg) says otherwise now
    OTHER_VERSION = "other version"  # as another version of opkg, or of the target, wrote it
    EDITED = "edited"
    FOREIGN = "foreign"  # stands where a generated file goes, and opkg never wrote it
    ORPHAN = "orphan"  # generated once, and nothing asks for it any more
    ORPHAN_EDITED = "edited orphan"
    COPY = "copy"  # of a generated file, that the manifest does not know
    KERNEL_MISSING = "missing file of yours"
    BLOCKED = "blocked"  # a folder, a link or another thing is in the way


Signature = tuple[int, int, int]  # inode, size, modification time in ns


class FileState(NamedTuple):
    """One file. `signature`: of the file that was compared, None when there is none. `note`: words for messages. `ready`:
    the bytes of a missing file and their checksum: they are written next."""

    path: str
    status: Status
    spec: str
    wanted: Wanted | None = None
    signature: Signature | None = None
    note: str = ""
    ready: tuple[bytes, str] | None = None


class Look(NamedTuple):
    """What stands at a place: its signature (None: nothing), its bytes with unix line ends, or why it does not do."""

    signature: Signature | None
    data: bytes = b""
    fault: str = ""


def look(root: str, path: str, outside: dict[str, str]) -> Look:
    """Reads the file at a path relative to the root. `outside`: see `place_fault`."""
    fault = place_fault(root, path, outside)
    if fault:
        return Look(None, b"", fault)
    place = f"{root}/{path}"
    try:
        found = os.lstat(place)
    except OSError:
        return Look(None)
    seen = (found.st_ino, found.st_size, found.st_mtime_ns)
    if stat.S_ISREG(found.st_mode):
        try:
            return Look(seen, files.unix(files.read(place, follow=False)))
        except OSError as failure:
            return Look(seen, b"", f"{path} cannot be read: {failure.strerror}")
    if stat.S_ISLNK(found.st_mode):
        return Look(seen, b"", f"{path} is a link to {os.readlink(place)}")
    return Look(seen, b"", f"{path} is {'a folder' if stat.S_ISDIR(found.st_mode) else 'no file'}")


class State(NamedTuple):
    """All files of a project that a run is about, in order, and the manifest's next content."""

    files: list[FileState]
    specs: Specs
    shared: dict[str, str]

    @property
    def changed(self) -> list[FileState]:
        return [file for file in self.files if file.status is not Status.SAME]


def of_files(rendering: Rendering, manifest: Manifest, targets: Collection[str] = ()) -> State:
    """The state of every file in scope. Fills in the checksums of `rendering.entries`."""
    project = rendering.project
    known = _known(project, manifest, targets)
    outside: dict[str, str] = {}
    found: list[FileState | None] = []
    shared = manifest.shared
    kept = needed_elsewhere(project, manifest, targets)
    sums = {name: shared[name] for name in kept if name in shared}  # of shared files, as they will be
    for path, wanted in rendering.wanted.items():
        if wanted.shared:
            found.append(_of_shared_file(project.root, wanted, shared, sums, outside))
            continue
        record, _ = known.get(path, (None, ""))
        found.append(_of_file(project.root, wanted, record, rendering, outside))
    for name in shared.keys() - sums.keys():
        found.append(_left_over(project.root, SHARED_FOLDER + name, "", shared[name], outside))
    for path, (record, spec) in known.items():
        if path not in rendering.wanted:
            found.append(_left_over(project.root, path, spec, record["files"][path], outside))
    if not targets:
        found += _unknown(rendering, manifest)
    in_order = sorted((f for f in found if f is not None), key=lambda f: f.path)
    return State(in_order, _merged(rendering, manifest, targets), sums)


def _known(project: Project, manifest: Manifest, targets: Collection[str]) -> dict[str, tuple[Made, str]]:
    """The generated files the manifest has for the specs and targets in scope: path -> (record, spec)."""
    known: dict[str, tuple[Made, str]] = {}
    for spec, entry in manifest.specs.items():
        if not project.covers(spec):
            continue
        for target, made in entry["made"].items():
            if not targets or target in targets:
                known.update(dict.fromkeys(made["files"], (made, spec)))
    return known


def _of_file(
    root: str, wanted: Wanted, record: Made | None, rendering: Rendering, outside: dict[str, str]
) -> FileState:
    if wanted.yours:
        return _yours(root, wanted, outside)
    path, spec = wanted.artifact.path, wanted.spec
    made = rendering.entries[spec]["made"][wanted.target]
    expected = wanted.data()
    checksum = made["files"][path] = sha256(expected).hexdigest()
    seen = look(root, path, outside)
    if seen.fault:
        return FileState(path, Status.BLOCKED, spec, wanted, seen.signature, seen.fault)
    if seen.signature is None:
        return FileState(path, Status.MISSING, spec, wanted, ready=(expected, checksum))
    if seen.data == expected:
        return FileState(path, Status.SAME, spec, wanted, seen.signature)
    status, note = _difference(seen.data, record, path, made)
    return FileState(path, status, spec, wanted, seen.signature, note)


def _of_shared_file(
    root: str, wanted: Wanted, recorded: Mapping[str, str], sums: dict[str, str], outside: dict[str, str]
) -> FileState:
    """A file that any number of specs need. `recorded`, `sums`: checksums as they were and as they will be."""
    path = wanted.artifact.path
    name = path[len(SHARED_FOLDER) :]
    expected = wanted.data()
    checksum = sums[name] = sha256(expected).hexdigest()
    seen = look(root, path, outside)
    if seen.fault:
        return FileState(path, Status.BLOCKED, wanted.spec, wanted, seen.signature, seen.fault)
    if seen.signature is None:
        return FileState(path, Status.MISSING, wanted.spec, wanted, ready=(expected, checksum))
    if seen.data == expected:
        return FileState(path, Status.SAME, wanted.spec, wanted, seen.signature)
    line = provenance.find(seen.data)
    note = ""
    if sha256(seen.data).hexdigest() != recorded.get(name) and (line is None or not line.intact):
        status = Status.EDITED if name in recorded or line is not None else Status.FOREIGN
    elif line is not None and line.version != opkg.__version__:
        status, note = Status.OTHER_VERSION, f"opkg {line.version}; this is {opkg.__version__}"
    else:
        status, note = Status.STALE, "opkg"
    return FileState(path, status, wanted.spec, wanted, seen.signature, note)


def needed_elsewhere(project: Project, manifest: Manifest, targets: Collection[str]) -> dict[str, tuple[str, str]]:
    """The shared files that specs and targets need which the run is not about: name -> (spec, who generated its files)."""
    found: dict[str, tuple[str, str]] = {}
    for spec, entry in manifest.specs.items():
        covered = project.covers(spec)
        for target, made in entry["made"].items():
            if not covered or (targets and target not in targets):
                found.update(dict.fromkeys(made["shared"], (spec, made["by"])))
    return found


def _yours(root: str, wanted: Wanted, outside: dict[str, str]) -> FileState:
    """A file of the user's: only that it exists is of interest."""
    path = wanted.artifact.path
    fault = place_fault(root, path, outside)
    if fault:
        return FileState(path, Status.BLOCKED, wanted.spec, wanted, None, fault)
    place = f"{root}/{path}"
    if os.path.isfile(place):
        return FileState(path, Status.SAME, wanted.spec, wanted)
    if os.path.lexists(place):
        what = "is a link to nothing" if os.path.islink(place) else "is no file"
        return FileState(path, Status.BLOCKED, wanted.spec, wanted, None, f"{path} {what}")
    return FileState(path, Status.KERNEL_MISSING, wanted.spec, wanted)


def _difference(actual: bytes, record: Made | None, path: str, now: Made) -> tuple[Status, str]:
    """Why a file differs from what is wanted, and words on it."""
    line = provenance.find(actual)
    recorded = record is not None and sha256(actual).hexdigest() == record["files"][path]
    if not recorded and (line is None or not line.intact):
        return (Status.EDITED if record is not None or line is not None else Status.FOREIGN), ""
    if line is not None and line.version != opkg.__version__:
        return Status.OTHER_VERSION, f"opkg {line.version}; this is {opkg.__version__}"
    if record is None:
        return Status.STALE, ""
    for before, after in zip(_makers(record), _makers(now), strict=False):
        if before != after:
            return Status.OTHER_VERSION, f"{before}; this is {after}"
    return Status.STALE, "spec" if record["spec"] != now["spec"] else "opkg"


def _makers(made: Made) -> list[str]:
    """`acme-opkg 1.2, opkg 0.1.0 (checksum)` as its parts, without opkg's checksum."""
    return [maker.partition(" (")[0] for maker in made["by"].split(", ")]


def _left_over(root: str, path: str, spec: str, checksum: str, outside: dict[str, str]) -> FileState | None:
    """A file that the manifest knows and nothing asks for; None when it is gone already."""
    seen = look(root, path, outside)
    if seen.fault:
        return FileState(path, Status.BLOCKED, spec, None, seen.signature, seen.fault)
    if seen.signature is None:
        return None
    line = provenance.find(seen.data)
    unedited = sha256(seen.data).hexdigest() == checksum or (line is not None and line.intact)
    return FileState(path, Status.ORPHAN if unedited else Status.ORPHAN_EDITED, spec, None, seen.signature)


def _unknown(rendering: Rendering, manifest: Manifest) -> list[FileState]:
    """Files with our line below generated/ that neither the manifest nor a spec knows.

    With a manifest that can be trusted they are somebody's copies; without one they may be what opkg left there.
    """
    project = rendering.project
    listed = {path for entry in manifest.specs.values() for made in entry["made"].values() for path in made["files"]}
    listed.update(SHARED_FOLDER + name for name in manifest.shared)
    listed.update(rendering.wanted)
    listed.add(PATH)
    found = []
    for path in files.unknown_files(project.root, "generated", listed):
        if not is_ours(project.root, path):
            continue
        seen = look(project.root, path, {})
        line = provenance.find(seen.data)
        spec = line.spec if line is not None else ""
        if path.startswith(SHARED_FOLDER):
            if manifest.fault and project.scope not in (("",), ("specs/",)):
                continue  # other specs may need it
            spec = ""
        if spec and not project.covers(spec) and os.path.exists(f"{project.root}/{spec}"):
            continue
        intact = line is not None and line.intact
        status = Status.ORPHAN if intact else Status.ORPHAN_EDITED
        if not manifest.fault and not (intact and _moved(path, rendering)):
            status = Status.COPY
        found.append(FileState(path, status, spec, None, seen.signature))
    return found


def _moved(path: str, rendering: Rendering) -> bool:
    """Whether a file is where packages had headers and scripts of their own before they shared them: merging a branch of
    that time brings some back."""
    parts = path.split("/")
    if len(parts) < 4 or path.startswith(SHARED_FOLDER):
        return False
    name = path.partition("/include/opkg/")[2] or "/".join(parts[3:])
    return SHARED_FOLDER + name in rendering.wanted


def _merged(rendering: Rendering, manifest: Manifest, targets: Collection[str]) -> Specs:
    """The manifest's next content: what is out of scope stays as it was."""
    specs = {spec: entry for spec, entry in manifest.specs.items() if not rendering.project.covers(spec)}
    for spec, entry in rendering.entries.items():
        before = manifest.specs.get(spec)
        if targets and before is not None:
            others = {name: made for name, made in before["made"].items() if name not in targets}
            entry["made"].update(others)
        if entry["made"]:
            specs[spec] = entry
    return specs
