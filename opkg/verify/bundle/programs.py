"""Programs of ExecuTorch for a SoC: made offline and run on x86, where they must call the kernel and give the right numbers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from opkg.device.socs import Soc
from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.model import OpPackage
from opkg.verify.bundle.contexts import INTERFACE, TIMEOUT, Kept, Prepared, understood
from opkg.verify.bundle.files import limits
from opkg.verify.cases.case import Case
from opkg.verify.judge.tolerance import tolerance_for
from opkg.verify.machines import build, execute
from opkg.verify.machines.executorch import column, environment
from opkg.verify.machines.executorch.plan import Planned, fits, modes
from opkg.verify.machines.table import choose

ROUNDING = 2.0**-10  # of a step: its numbers are stored as float32


def qnn(root: Path) -> str:
    """The version of QNN that makes the programs."""
    found = environment.find(root)
    return "" if isinstance(found, environment.Missing) else found.qnn


def prepare(root: Path, package: OpPackage, cases: Sequence[Case], soc: Soc) -> tuple[list[Prepared], list[Diagnostic]]:
    """The programs of the cases that a model of torch can hold, in one process; what could not be made, or is wrong on x86, is
    a finding (OPK796). Raises MissingTool without ExecuTorch."""
    choose(("executorch",), root)
    built = build.build(root, package, INTERFACE)
    if not built.ok or built.library is None:
        return [], list(built.findings)
    ops = list({case.op.name: case.op for case in cases}.values())
    findings = [*built.findings, *column.findings(package, ops)]
    mode = {(op.name, combination): mode for op in ops for combination, mode in modes(op)[0].items()}
    planned = [
        Planned(case, mode[case.op.name, case.combination], "alone")
        for case in cases
        if (case.op.name, case.combination) in mode and fits(case, any_size=False)
    ]
    folder = built.library.parent / "bundle" / f"{soc.name}-programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = ("--soc", str(soc.model), "--keep", str(folder.resolve()))
    job = execute.Job((), folder, "bundle", len(planned), TIMEOUT)
    outcomes = column.run(planned, package, root, built.library, job, lambda done: None, words=words)
    found: list[Prepared] = []
    for number, (each, outcome) in enumerate(zip(planned, outcomes, strict=True)):
        made = _made(folder / str(number), each, package, soc) if outcome.ok else None
        if isinstance(made, Prepared):
            found.append(made)
        elif made is not None:
            findings.append(made)
        else:
            why = outcome.message or "on x86 its numbers are not those of torch"
            message = (
                f"{each.case.op.name} {each.case.id} is not prepared for {soc.name}: {outcome.stage or 'x86'}: {why}"
            )
            findings.append(error("OPK796", message, each.case.op.span))
    shutil.rmtree(folder)
    return found, findings


def _made(folder: Path, planned: Planned, package: OpPackage, soc: Soc) -> Prepared | Diagnostic:
    """What was kept of a case, with the kernels of its contexts; a finding when none of them is understood."""
    found: Prepared | Diagnostic = error(
        "OPK796", f"{planned.case.op.name}: no delegate was kept", planned.case.op.span
    )
    kernels: list[str] = []
    for context in sorted(folder.glob("context.*")):
        found = understood(package, planned.case, soc, context.read_bytes())
        if not isinstance(found, Prepared):
            return found
        kernels += found.kernels
    if not isinstance(found, Prepared):
        return found
    facts = json.loads((folder / "program.json").read_text("utf-8"))
    inputs = tuple(_kept(folder, "input", at, each) for at, each in enumerate(facts["input"]))
    outputs = tuple(
        replace(_kept(folder, "output", at, each), allowed=_allowed(planned, at, each["step"]))
        for at, each in enumerate(facts["output"])
    )
    program = (folder / "model.pte").read_bytes()
    return Prepared(
        planned.case, program, tuple(sorted(set(kernels))), name="model.pte", inputs=inputs, outputs=outputs
    )


def _kept(folder: Path, kind: str, at: int, facts: Mapping[str, Any]) -> Kept:
    return Kept(f"{kind}_{at}", facts["type"], tuple(facts["dims"]), (folder / f"{kind}.{at}").read_bytes())


def _allowed(planned: Planned, at: int, step: float | None) -> dict[str, float]:
    """How far off an output may be, in numbers of the program: its outputs are not quantized."""
    tensor = planned.case.outputs[at]
    tolerance = tolerance_for(planned.case.op, tensor.dtype)
    if step is not None:
        return {"abs": step * ((tolerance.lsb or 0) + ROUNDING)}
    return limits(tolerance)
