"""ONNX models of cases, prepared ahead of time by ONNX Runtime for a SoC, in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from opkg.device.socs import Soc
from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.model import OpPackage
from opkg.verify.bundle.contexts import INTERFACE, TIMEOUT, Prepared, understood
from opkg.verify.cases.case import Case
from opkg.verify.machines import build
from opkg.verify.machines.onnxruntime import calls, column, holding
from opkg.verify.machines.table import choose


def prepare(root: Path, package: OpPackage, cases: Sequence[Case], soc: Soc) -> tuple[list[Prepared], list[Diagnostic]]:
    """The models of the cases that an ONNX model can hold; what could not be prepared is a finding (OPK796). Raises MissingTool
    without ONNX Runtime and its provider."""
    choose(("onnxruntime",), root)
    built = build.build(root, package, INTERFACE)
    if not built.ok or built.library is None:
        return [], list(built.findings)
    held = [case for case in cases if not holding.reason(case)]
    folder = built.library.parent / "bundle" / f"{soc.name}-models"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = folder / "cases.json", folder / "cases.data"
    calls.write(held, package, built.library, Path(), *paths, {})
    command = [sys.executable, "-P", "-m", "opkg_onnxruntime.prepare", "--cases", str(paths[0]), "--out", str(folder)]
    done = subprocess.run(
        [*command, "--soc", str(soc.model)], capture_output=True, text=True, errors="replace", check=False,
        env=column.variables(root, package), timeout=TIMEOUT * (len(held) + 1),
    )  # fmt: skip
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"case"')]
    problems = {record["case"]: record["problem"] for record in told}
    found: list[Prepared] = []
    findings = list(built.findings)
    for place, case in enumerate(held):
        problem = problems.get(place, f"the process ended with {done.returncode}")
        binaries = sorted((folder / str(place)).glob("*.bin"))
        each = None if problem or not binaries else understood(package, case, soc, binaries[0].read_bytes())
        if isinstance(each, Prepared):
            model = (folder / str(place) / "model.onnx").read_bytes()
            found.append(replace(each, model=model, name=binaries[0].name))
        elif each is not None:
            findings.append(each)
        else:
            message = f"{case.op.name} {case.id} is not prepared for {soc.name}: {problem or 'no context was made'}"
            findings.append(error("OPK796", message, case.op.span))
    shutil.rmtree(folder)
    return found, findings
