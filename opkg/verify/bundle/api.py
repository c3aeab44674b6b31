"""What `opkg bundle` does: builds both halves, prepares contexts, checks names, and gives the files. Writes no bundle itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from opkg.device.library import Wanted, check
from opkg.device.socs import Soc
from opkg.spec.diagnostics import Diagnostic, MissingTool, OpkgError, Span, error
from opkg.spec.model import OpPackage
from opkg.verify.bundle import models, programs
from opkg.verify.bundle.contexts import Prepared, prepare, unknown
from opkg.verify.bundle.files import EXECUTORCH, NET_RUN, ONNXRUNTIME, Part, files
from opkg.verify.cases.case import Case
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References
from opkg.verify.machines import current, device, htp
from opkg.verify.machines.executorch.packages import TARGET as BUILDERS
from opkg.verify.machines.hexagon.loadable import tables


@dataclass(frozen=True, slots=True)
class Way:
    """How graphs are prepared for what runs them. `target`: that a package needs for it, beside QHPI; `qnn`: the version of QNN
    that prepares them."""

    target: str
    prepare: Callable[[Path, OpPackage, Sequence[Case], Soc], tuple[list[Prepared], list[Diagnostic]]]
    qnn: Callable[[Path], str]


def _here(root: Path) -> str:
    path = htp.library()
    return htp.version(path) if path is not None else ""


WAYS = {
    NET_RUN: Way("", prepare, _here),
    ONNXRUNTIME: Way(ONNXRUNTIME, models.prepare, _here),
    EXECUTORCH: Way(BUILDERS, programs.prepare, programs.qnn),
}
RUNTIME = ("libQnnHtp.so", "libQnnHtpPrepare.so", "libQnnSystem.so")


@dataclass(frozen=True, slots=True)
class Bundle:
    """`files`: path -> content, empty when a finding is an error."""

    soc: Soc
    files: dict[str, bytes]
    findings: tuple[Diagnostic, ...]
    runs: int = 0

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


def bundle(
    root: Path,
    packages: Sequence[OpPackage],
    soc: Soc,
    ops: Sequence[str],
    cases: int,
    runtime: Path | None,
    purpose: str = NET_RUN,
    system: str = device.LINUX,
) -> Bundle:
    """The bundle of a project's packages for one SoC. `ops`: only these, all when empty; `cases`: per combination of element
    types; `runtime`: a folder with QNN's libraries for ARM; `purpose`: one of WAYS; `system`: which ARM half. Raises
    MissingTool."""
    way = WAYS[purpose]
    device.need((soc.arch, system))
    findings = current.findings(root, packages, {way.target} - {""})
    parts: list[Part] = []
    runtimes = _runtime(runtime, soc)
    if any(finding.is_error for finding in findings):
        return Bundle(soc, {}, tuple(findings))
    for package in packages:
        part, found = _part(root, package, soc, ops, cases, way, system)
        findings += found
        parts += [part] if part is not None else []
    if not parts and not any(finding.is_error for finding in findings):
        findings.append(error("OPK796", "no op of these packages has a QHPI kernel to prepare", Span("")))
    broken = any(finding.is_error for finding in findings)
    made = {} if broken else files(soc, way.qnn(root), parts, runtimes, purpose, system)
    return Bundle(soc, made, tuple(dict.fromkeys(findings)), sum(len(part.prepared) for part in parts))


def _part(
    root: Path, package: OpPackage, soc: Soc, ops: Sequence[str], cases: int, way: Way, system: str
) -> tuple[Part | None, list[Diagnostic]]:
    chosen, findings = _cases(root, package, ops, cases)
    targets = {target.text for target in package.targets}
    if not chosen or "qnn-htp-qhpi" not in targets:
        return None, findings
    if way.target and way.target not in targets:
        hint = f"targets: [qnn-htp-qhpi, {way.target}], then opkg generate"
        return None, [
            *findings,
            error("OPK799", f"{package.name} has no target {way.target}", Span(package.path), hint),
        ]
    arm, dsp = (device.build(root, package, kind) for kind in (system, soc.arch))
    findings += [*arm.findings, *dsp.findings]
    prepared, found = way.prepare(root, package, chosen, soc)
    findings += found
    if arm.library is None or dsp.library is None or not prepared:
        return None, findings
    halves = arm.library.read_bytes(), dsp.library.read_bytes()
    for library, content in zip((arm.library, dsp.library), halves, strict=True):
        findings += unknown(prepared, content, library.relative_to(root.resolve()).as_posix())
    findings += check(dsp.library.name, halves[1], Wanted((soc,)), tables()).findings
    return Part(package, tuple(prepared), *halves), findings


def _cases(root: Path, package: OpPackage, ops: Sequence[str], cases: int) -> tuple[list[Case], list[Diagnostic]]:
    found: list[Case] = []
    findings: list[Diagnostic] = []
    references = References(root)
    for op in package.ops:
        if ops and op.name not in ops:
            continue
        try:
            made, wrong = generate(op, references.load(op, root / package.path), Plan(cases, large=0))
        except OpkgError as failed:
            findings += failed.diagnostics
            continue
        for combination in op.combinations:
            found += [case for case in made if case.combination == combination][:cases]
        findings += wrong
    return found, findings


def _runtime(folder: Path | None, soc: Soc) -> list[tuple[str, bytes]]:
    """QNN's libraries for the SoC. Raises MissingTool with the names of those that are not in the folder."""
    if folder is None:
        return []
    arch = soc.arch.upper()
    names = (*RUNTIME, f"libQnnHtp{arch}Stub.so", f"libQnnHtp{arch}Skel.so")
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        hint = "unpack PyPI's onnxruntime-qnn for aarch64 (Linux), or name a folder with those of the SDK"
        raise MissingTool([error("OPK798", f"there is no {', '.join(missing)}", Span(str(folder)), hint)])
    return [(name, (folder / name).read_bytes()) for name in names]
