"""The quick half of a check: compares checksums with the manifest; reads no YAML and renders nothing."""

from __future__ import annotations

import os
from collections.abc import Collection
from hashlib import sha256

from opkg.project import files, identity, manifest, provenance
from opkg.project.discover import Project
from opkg.project.manifest import Made, SpecEntry, Specs


def is_current(project: Project, targets: Collection[str] = ()) -> int:
    """How many generated files were compared, when all of them and all specs are as the manifest says; else 0.

    Zero only means that the slow way must look. `targets`: only those (empty: all that the specs ask for).
    """
    found = manifest.load(project.root)
    if found.fault or not project.specs:
        return 0
    covered = {spec for spec in found.specs if project.covers(spec)}
    if covered != set(project.specs):
        return 0
    made = _chosen(found.specs, covered, targets)
    if made is None or not all(_by_this_opkg(by) for by in {record["by"] for _, record in made}):
        return 0
    if not _specs_same(project.root, made) or not _files_same(project.root, made):
        return 0
    if not targets and _has_unknown(project, found.specs):
        return 0
    return sum(len(record["files"]) for _, record in made)


def _chosen(specs: Specs, covered: set[str], targets: Collection[str]) -> list[tuple[str, Made]] | None:
    """What the run is about as (spec, made); None when a target's files were not made yet or are left over."""
    found: list[tuple[str, Made]] = []
    for spec in covered:
        entry: SpecEntry = specs[spec]
        declared = set(entry["targets"])
        if targets:
            declared &= set(targets)
        elif declared != set(entry["made"]):
            return None
        for target in declared:
            if target not in entry["made"]:
                return None
            found.append((spec, entry["made"][target]))
    return found or None


def _by_this_opkg(by: str) -> bool:
    """Whether files marked so were made by this opkg, and by the same version of a third party's target."""
    if by == identity.ours():
        return True
    if not by.startswith("opkg "):
        other, _, rest = by.partition(", ")
        name, _, version = other.rpartition(" ")
        if rest != identity.ours():
            return False
        from opkg.targets.registry import installed

        maker = installed(name)
        return maker is not None and maker.version == version and not maker.editable
    return False


def _specs_same(root: str, made: list[tuple[str, Made]]) -> bool:
    wanted: dict[str, str] = {}
    for spec, record in made:
        if wanted.setdefault(spec, record["spec"]) != record["spec"]:
            return False
    try:
        return all(files.digest(files.read(f"{root}/{spec}")) == checksum for spec, checksum in wanted.items())
    except OSError:
        return False


def _files_same(root: str, made: list[tuple[str, Made]]) -> bool:
    read = files.read
    try:
        for _, record in made:
            for path, checksum in record["files"].items():
                data = read(f"{root}/{path}", False)
                if b"\r" in data:
                    data = files.unix(data)
                if sha256(data).hexdigest() != checksum:
                    return False
            for path in record["yours"]:
                os.stat(f"{root}/{path}")
    except OSError:
        return False
    return True


def _has_unknown(project: Project, specs: Specs) -> bool:
    """Whether a file that carries our line lies under generated/ and is not in the manifest."""
    known = {path for entry in specs.values() for made in entry["made"].values() for path in made["files"]}
    known.add(manifest.PATH)
    return any(is_ours(project.root, path) for path in files.unknown_files(project.root, "generated", known))


def is_ours(root: str, path: str) -> bool:
    """Whether a file that the manifest does not know carries our line (copies of edits do not count)."""
    if ".edited-" in path.rpartition("/")[2]:
        return False
    try:
        head = files.read(f"{root}/{path}", follow=False, limit=1)[:4096]
    except OSError:
        return False
    return provenance.MARK in head
