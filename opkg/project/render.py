"""Specs to the files that should be there: reads, renders, checks what targets return; writes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from typing import NamedTuple

import opkg
from opkg import SHARED_FOLDER
from opkg.project import files, identity, provenance
from opkg.project.bodies import shadowed
from opkg.project.discover import Project
from opkg.project.manifest import Made, Manifest, SpecEntry
from opkg.project.read import broken, check, clashes, read_spec, rule_findings, targets_of
from opkg.spec.diagnostics import Diagnostic, Misuse, Span, error, nearest, sort_key
from opkg.spec.model import OpPackage
from opkg.targets.artifact import Artifact, Ownership
from opkg.targets.registry import OURS, Loaded


class Wanted(NamedTuple):
    """A file that should be there. `spec`, `target`: the first to ask for it."""

    artifact: Artifact
    spec: str
    target: str

    @property
    def yours(self) -> bool:
        return self.artifact.ownership is Ownership.YOURS

    @property
    def shared(self) -> bool:
        return self.artifact.ownership is Ownership.SHARED

    def data(self) -> bytes:
        """The bytes to write; a file of the user's gets no provenance line."""
        if self.yours:
            return files.unix(self.artifact.text.encode())
        source = provenance.SHARED if self.shared else self.spec
        return provenance.stamp(self.artifact.text, self.artifact.comment, source, opkg.__version__)


class Rendering:
    """All files of a project's specs in the scope of a run, and the findings on the way."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.wanted: dict[str, Wanted] = {}
        self.entries: dict[str, SpecEntry] = {}  # without checksums of files, which `state` fills in
        self.findings: list[Diagnostic] = []
        self._folded: dict[str, str] = {}

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)

    def add(self, package: OpPackage, loaded: Loaded, artifact: Artifact) -> None:
        """One file of a target, unless its path does not do."""
        name, path = loaded.name, artifact.path
        made = self.entries[package.path]["made"][name]
        other = self.wanted.get(path)
        shared = artifact.ownership is Ownership.SHARED
        if shared and other is not None and (other.artifact is artifact or other.artifact == artifact):
            made["shared"].append(path[len(SHARED_FOLDER) :])
            return
        span = next((t.span for t in package.targets if t.text == name), Span(package.path))
        fault = path_fault(artifact)
        if fault:
            message = f"target '{name}' of {loaded.maker} wants to write '{artifact.path}', {fault}"
            self.findings.append(error("OPK305", message, span, f"report it to the authors of {loaded.maker}"))
            return
        wanted = Wanted(artifact, package.path, name)
        if other is None:
            folded = self._folded.setdefault(path.lower(), path)
            if folded != path:
                message = f"'{path}' and '{folded}' are one file where case does not count"
                self.findings.append(error("OPK306", message, span, "rename an op, or a kernel's body"))
            self.wanted[path] = wanted
        elif not (wanted.yours and other.yours):
            self.findings.append(_claimed(wanted, other, span))
            return
        if wanted.yours:
            made["yours"].append(path)
        elif wanted.shared:
            made["shared"].append(path[len(SHARED_FOLDER) :])
        else:
            made["files"][path] = ""


def _claimed(wanted: Wanted, other: Wanted, span: Span) -> Diagnostic:
    who = f"target '{other.target}'" if other.spec == wanted.spec else other.spec
    if wanted.shared and other.shared:
        message = f"'{wanted.artifact.path}' (target '{wanted.target}') is shared with {who}, whose text differs"
        return error("OPK304", message, span, "report it to the authors of the two targets")
    message = f"'{wanted.artifact.path}' (target '{wanted.target}') is also a file of {who}"
    hint = "rename the package, or the op" if other.spec != wanted.spec else "drop one of the two targets"
    return error("OPK304", message, span, hint)


def path_fault(artifact: Artifact) -> str:
    """Why a path must not be written; empty when it may."""
    path = artifact.path
    parts = path.split("/")
    if not path or path.startswith("/") or "\\" in path or any(part in ("", ".", "..") for part in parts):
        return "which is no plain path below the project's root"
    if not path.isprintable():
        return "which has control characters in it"
    shared = path.startswith(SHARED_FOLDER)
    inside = parts[0] == "generated" and len(parts) > 2 and not shared
    if artifact.ownership is Ownership.GENERATED and not inside:
        return "which is not below generated/<package>/"
    if artifact.ownership is Ownership.SHARED and not shared:
        return f"which is not below {SHARED_FOLDER}"
    if artifact.ownership is Ownership.YOURS and (parts[0] in ("generated", "build") or parts[0].startswith(".")):
        return "where no file of yours may lie"
    return ""


def render(project: Project, manifest: Manifest, targets: Collection[str] = ()) -> Rendering:
    """Everything the specs in scope ask for, of all their targets or only of `targets`."""
    result = Rendering(project)
    packages: list[OpPackage] = []  # their ops are dropped when rendered: a thousand models are large
    for spec in project.specs:
        package = _render_spec(result, spec, targets)
        if package is not None:
            packages.append(package)
    result.findings += clashes(packages) + _taken(project, manifest, packages)
    if targets and result.ok:
        _check_targets(project, targets, packages)
    result.findings.sort(key=sort_key)
    return result


def _render_spec(result: Rendering, spec: str, targets: Collection[str]) -> OpPackage | None:
    root = result.project.root
    first = len(result.findings)  # of this spec
    package, findings, checksum = read_spec(root, spec, result.project.texts.get(spec))
    result.findings += findings
    if package is None:
        return None
    made: dict[str, Made] = {}
    entry = SpecEntry(package=package.name, targets=[t.text for t in package.targets], made=made)
    result.entries[package.path] = entry
    loaded, findings = targets_of(package, targets)
    result.findings += findings
    found = rule_findings(package) + shadowed(root, package)
    result.findings += found
    if any(finding.is_error for finding in found):
        return _without_ops(package)
    for target in loaded:
        by = identity.ours() if target.maker == OURS else f"{target.maker}, {identity.ours()}"
        made[target.name] = Made(by=by, spec=checksum, files={}, shared=[], yours=[])
        found = check(target, package)
        said = set(result.findings[first:])
        result.findings += [finding for finding in found if finding not in said]
        if not any(finding.is_error for finding in found):
            for artifact in _artifacts(result, target, package):
                result.add(package, target, artifact)
    return _without_ops(package)


def _without_ops(package: OpPackage) -> OpPackage:
    from dataclasses import replace

    return replace(package, ops=())


def _artifacts(result: Rendering, loaded: Loaded, package: OpPackage) -> Iterator[Artifact]:
    if loaded.maker == OURS:
        yield from loaded.target.render(package)
        return
    try:
        found = list(loaded.target.render(package))
        wrong = next((a for a in found if not isinstance(a, Artifact)), None)
        if wrong is not None:
            raise TypeError(f"render() returned a {type(wrong).__name__}, not an Artifact")
    except Exception as failure:
        result.findings += broken(loaded, package, failure)
        return
    yield from found


def _taken(project: Project, manifest: Manifest, packages: list[OpPackage]) -> list[Diagnostic]:
    """Packages whose folder belongs to a spec that the run is not about."""
    others = {
        entry["package"].replace(".", "_").replace("-", "_").lower(): spec
        for spec, entry in manifest.specs.items()
        if not project.covers(spec) and os.path.exists(f"{project.root}/{spec}")
    }
    findings = []
    for package in packages:
        other = others.get(package.cpp_namespace.lower())
        if other is not None:
            span = package.spans.get("name", Span(package.path))
            hint = f"rename the package here or there; if {other} has changed, generate for the whole project"
            findings.append(error("OPK304", f"package '{package.name}' is also in {other}", span, hint))
    return findings


def _check_targets(project: Project, targets: Collection[str], packages: list[OpPackage]) -> None:
    """Raises Misuse for names given with --target that no spec asks for."""
    known = tuple(dict.fromkeys(text.text for package in packages for text in package.targets))
    findings = []
    for name in targets:
        if name not in known and packages:
            near = nearest(name, known)
            hint = f"did you mean '{near}'?" if near else f"targets here: {', '.join(known)}; add it to 'targets:'"
            span = packages[0].targets[0].span if packages[0].targets else Span(packages[0].path)
            findings.append(error("OPK307", f"no spec here has the target '{name}'", span, hint))
    if findings:
        raise Misuse(project.shown(findings))


def place_fault(root: str, path: str, outside: dict[str, str]) -> str:
    """Why the place of a file cannot be written to: a file in the way of a folder, or a link out of the project.

    `outside` remembers the answer per folder.
    """
    folder = path.rpartition("/")[0]
    if folder not in outside:
        outside[folder] = _folder_fault(root, folder)
    return outside[folder]


def _folder_fault(root: str, folder: str) -> str:
    current = root
    for part in folder.split("/") if folder else ():
        current = f"{current}/{part}"
        try:
            mode = os.lstat(current).st_mode
        except OSError:
            return ""
        if stat.S_ISLNK(mode):
            real, home = os.path.realpath(current), os.path.realpath(root)
            if real != home and not real.startswith(home.rstrip("/") + "/"):
                return f"{current[len(root) + 1 :]} is a link out of the project, to {real}"
            mode = os.stat(current).st_mode if os.path.exists(current) else 0
        if not stat.S_ISDIR(mode):
            return f"{current[len(root) + 1 :]} is not a folder"
    return ""
