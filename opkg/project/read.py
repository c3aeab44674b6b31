"""Reads the specs of projects and asks their targets for findings: what `validate`, `build` and `verify` start from."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from opkg.project import files
from opkg.project.bodies import of_packages, shadowed
from opkg.project.config import config_of
from opkg.project.discover import Project, discover
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, sort_key
from opkg.spec.model import OpPackage
from opkg.targets import registry
from opkg.targets.registry import OURS, Loaded


class ReadProject(NamedTuple):
    """A project and its packages (those without errors). `findings` have paths as people see them, in order."""

    project: Project
    packages: tuple[OpPackage, ...]
    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


def read(paths: Sequence[str] = (), check_targets: bool = True) -> list[ReadProject]:
    """Reads all specs of `paths`. Raises OpkgError when there is none."""
    return [_read(project, check_targets) for project in discover(paths)]


def _read(project: Project, check_targets: bool) -> ReadProject:
    packages: list[OpPackage] = []
    findings: list[Diagnostic] = []
    only = config_of(project.root, project.prefix).targets
    for spec in project.specs:
        package, found, _ = read_spec(project.root, spec)
        findings += found
        if package is None:
            continue
        if only:
            package = replace(package, targets=tuple(text for text in package.targets if text.text in only))
        packages.append(package)
        findings += rule_findings(package) + shadowed(project.root, package)
        if check_targets:
            loaded, found = targets_of(package)
            # What two targets say of the same thing is said once.
            findings += dict.fromkeys([*found, *(f for target in loaded for f in check(target, package))])
    findings += clashes(packages)
    findings += of_packages(project.root, packages, project.covers("specs/") and len(packages) == len(project.specs))
    return ReadProject(project, tuple(packages), tuple(project.shown(sorted(findings, key=sort_key))))


def read_spec(root: str, spec: str, text: bytes | None = None) -> tuple[OpPackage | None, list[Diagnostic], str]:
    """One spec by its path relative to the root, which is also the path in findings and provenance lines.

    `text`: its bytes when they are not on the disk yet.
    Also returns the checksum of just the bytes that were read, those of the project's tuning.json among them.
    """
    from opkg.spec import reader
    from opkg.spec.source import MAX_BYTES

    try:
        data = files.read(os.path.join(root, spec), limit=MAX_BYTES) if text is None else text
    except OSError:
        return (*reader.read_file(os.path.join(root, spec), spec), "")
    package, findings = reader.read(data, spec)
    tuning = files.tuning(root)
    if tuning and package is not None and any(not kernel.body for op in package.ops for kernel in op.kernels):
        package, fault = _tuned(package, tuning)
        findings = [*findings, *fault]
    return package, findings, files.digest(data + tuning)


def _tuned(package: OpPackage, data: bytes) -> tuple[OpPackage, list[Diagnostic]]:
    """A package with generated kernels, and what was found about their loops."""
    from opkg.kernels.tuning import TuningError, parse

    try:
        text = data.decode()
        parse(text)
    except (UnicodeDecodeError, TuningError) as failure:
        hint = "delete the file and run 'opkg kernel tune'"
        return package, [error("OPK612", f"tuning that cannot be read: {failure}", Span(files.TUNING), hint)]
    return replace(package, tuning=text), []


def rule_findings(package: OpPackage) -> list[Diagnostic]:
    """What the checker of the rule language says. Packages without rules and tensor properties do not load it."""
    if not any(op.rules or op.tensor_properties for op in package.ops):
        return []
    from opkg.rules.check import check_package

    return list(check_package(package).findings)


def targets_of(package: OpPackage, only: Collection[str] = ()) -> tuple[list[Loaded], list[Diagnostic]]:
    """The targets a package asks for (of these, `only`; empty: all), and findings for those that are not here."""
    loaded: list[Loaded] = []
    findings: list[Diagnostic] = []
    for name in package.targets:
        if only and name.text not in only:
            continue
        try:
            loaded.append(registry.load(name.text, name.span))
        except OpkgError as failure:
            findings += failure.diagnostics
    return loaded, findings


def check(loaded: Loaded, package: OpPackage) -> list[Diagnostic]:
    """A target's own findings; a third party's exception is one too."""
    if loaded.maker == OURS:
        return loaded.target.check(package)
    try:
        return list(loaded.target.check(package))
    except Exception as failure:
        return broken(loaded, package, failure)


def broken(loaded: Loaded, package: OpPackage, failure: Exception) -> list[Diagnostic]:
    """The finding for a third party's target that raised; raised again under OPKG_DEBUG."""
    if os.environ.get("OPKG_DEBUG"):
        raise failure
    span = next((text.span for text in package.targets if text.text == loaded.name), Span(package.path))
    return list(registry.failed(loaded.name, loaded.maker, span, failure).diagnostics)


def clashes(packages: Sequence[OpPackage]) -> list[Diagnostic]:
    """Packages of one project whose files would lie in one folder."""
    seen: dict[str, OpPackage] = {}
    findings = []
    for package in packages:
        other = seen.setdefault(package.cpp_namespace.lower(), package)
        if other is not package:
            span = package.spans.get("name", package.spans.get("", Span(package.path)))
            same = f"package '{package.name}' is also in {other.path}"
            if other.name != package.name:
                same = f"package '{package.name}' takes the same folder as '{other.name}' in {other.path}"
            folder = f"generated/{package.cpp_namespace}"
            hint = f"both would write to {folder}: rename one, or put both ops into one spec"
            findings.append(error("OPK304", same, span, hint))
    return findings
