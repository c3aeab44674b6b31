"""Contexts prepared on x86 for a SoC by the backend: a process for each SoC, since one cannot serve two (measured)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from opkg.device.socs import Soc
from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.model import OpPackage
from opkg.verify.bundle.names import has_name
from opkg.verify.cases import casefile
from opkg.verify.cases.case import Case
from opkg.verify.machines import build, context, execute
from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import RunFiles, choose

INTERFACE = "qhpi"
TIMEOUT = 60.0  # seconds of one graph


@dataclass(frozen=True, slots=True)
class Kept:
    """An input, or what an output must be: stored numbers of a numpy type. `allowed`: how far off an output may be (lsb, ulp,
    abs, rel); `ends`: between which each of its elements may lie, as float64."""

    name: str
    type: str
    dims: tuple[int, ...]
    data: bytes
    allowed: dict[str, float] = field(default_factory=dict)
    ends: tuple[bytes, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The context of one case. `kernels`: those of the package that it names, without the package's name. `model`: the ONNX
    file that reads it, `name`: as that names the context. `inputs` and `outputs`: where they are not those of the case."""

    case: Case
    binary: bytes
    kernels: tuple[str, ...]
    model: bytes = b""
    name: str = "context.bin"
    inputs: tuple[Kept, ...] = ()
    outputs: tuple[Kept, ...] = ()


def prepare(root: Path, package: OpPackage, cases: Sequence[Case], soc: Soc) -> tuple[list[Prepared], list[Diagnostic]]:
    """The contexts of cases; what could not be prepared is a finding (OPK796). Raises MissingTool without the backend or a
    compiler."""
    (state,) = choose(("htp",), root)
    built = build.build(root, package, INTERFACE)
    if not built.ok or built.library is None:
        return [], list(built.findings)
    folder = built.library.parent / "bundle" / soc.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = folder / "bundle.cases", folder / "bundle.data"
    casefile.write(cases, package.name, *paths)
    files = RunFiles(built.library, package.interface_provider, INTERFACE, *paths, TIMEOUT)
    command = state.machine.command(runner(state.machine.runner(INTERFACE), root), files)
    how = ("--contexts", str(folder), "--soc", str(soc.model))
    job = execute.Job((*command, *how), folder, "bundle", len(cases), TIMEOUT * 1.5 + 10)
    results = execute.run(job)
    found: list[Prepared] = []
    findings = list(built.findings)
    for number, (case, result) in enumerate(zip(cases, results, strict=True)):
        binary = folder / f"{number}.bin"
        if result.status != "ok" or not binary.is_file():
            why = f"{result.stage}: {result.message}" if result.message else result.status
            message = f"{case.op.name} {case.id} is not prepared for {soc.name}: {why}"
            findings.append(error("OPK796", message, case.op.span))
            continue
        each = understood(package, case, soc, binary.read_bytes())
        if isinstance(each, Prepared):
            found.append(each)
        else:
            findings.append(each)
    shutil.rmtree(folder)
    return found, findings


def understood(package: OpPackage, case: Case, soc: Soc, content: bytes) -> Prepared | Diagnostic:
    """A context with the kernels that it names; a finding when it is for another DSP, or not understood."""
    if b"arch=" in content and f"arch={soc.arch[1:]};".encode() not in content:
        message = f"the backend prepared {case.op.name} {case.id} for another DSP than {soc.name}'s {soc.arch}"
        return error("OPK796", message, case.op.span)
    try:
        return Prepared(case, content, _kernels(content, package))
    except context.NotUnderstood as reason:
        return error("OPK796", f"the context of {case.op.name} {case.id} is not understood: {reason}", case.op.span)


def _kernels(binary: bytes, package: OpPackage) -> tuple[str, ...]:
    own = f"{package.name}::"
    return tuple(sorted(name.removeprefix(own) for name in context.records(binary) if name.startswith(own)))


def unknown(prepared: Sequence[Prepared], library: bytes, where: str) -> list[Diagnostic]:
    """Kernels that contexts name and a library does not have (OPK797)."""
    findings = {}
    for each in prepared:
        for name in each.kernels:
            if not has_name(library, name):
                message = f"{where} has no kernel {name}, which the context of {each.case.op.name} {each.case.id} names"
                hint = "build it from the same specs: opkg generate, opkg bundle"
                findings[name] = error("OPK797", message, each.case.op.span, hint)
        if not each.kernels:
            message = f"the context of {each.case.op.name} {each.case.id} names no kernel of the package"
            findings[each.case.id] = error("OPK797", message, each.case.op.span)
    return list(findings.values())
