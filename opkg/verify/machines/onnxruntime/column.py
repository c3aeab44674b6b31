"""Runs the models of a package's cases in ONNX Runtime and judges what the HTP and the CPU computed."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.spec.model import OpPackage, Tolerance
from opkg.verify.cases.case import Case
from opkg.verify.judge.around import Around
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import LogLine, RawResult
from opkg.verify.judge.tolerance import OutputStats, output_stats, tolerance_for
from opkg.verify.judge.verdict import judge, nearest
from opkg.verify.machines import context, execute
from opkg.verify.machines.executorch import environment, observer
from opkg.verify.machines.onnxruntime import calls
from opkg.verify.machines.onnxruntime.machine import HARNESS, TARGET

START = 60.0  # seconds that imports and the provider may take on a busy machine
BY_FUNCTION = " by function"
# A function computes in float32 step by step; kernels and references round once or in float64.
FLOAT32 = Tolerance(ulp=64, abs=1e-5, rel=1e-4)
FLOAT16 = Tolerance(ulp=2, abs=1e-3, rel=2e-3)


def run(
    root: Path,
    package: OpPackage,
    cases: Sequence[Case],
    library: Path,
    job: execute.Job,
    report: Callable[[int], None],
    fail_fast: bool,
    around: Mapping[tuple[str, str], Case],
) -> list[CaseOutcome]:
    """Runs all cases, or up to the first that fails. `around`: calls that are also prepared between convolutions."""
    paths = job.folder / "cases.json", job.folder / "cases.data"
    calls.write(cases, package, library, observer.library(root), *paths, around)
    command = (sys.executable, "-P", "-m", "opkg_onnxruntime.run_models", "--cases", str(paths[0]))
    job = replace(
        job, command=command, cases=len(cases), timeout=job.timeout + START, variables=variables(root, package)
    )
    for old in (*job.folder.glob("case.*.log"), *job.folder.glob("around.*")):
        old.unlink()
    if fail_fast:
        job = replace(job, fails=lambda result: not judged(cases[result.case], result).ok)
    results = execute.run(job, report)
    outcomes = [judged(case, _with_log(result, job.folder)) for case, result in zip(cases, results, strict=True)]
    return [replace(each, around=_around(job.folder, place)) for place, each in enumerate(outcomes)]


def _around(folder: Path, place: int) -> tuple[Around, ...]:
    """What was counted of a case between convolutions."""
    report = folder / f"around.{place}.json"
    if not report.is_file():
        return ()
    told = json.loads(report.read_text(encoding="utf-8"))
    alone = _records(folder, told["alone"])
    if isinstance(alone, str):
        return (Around("convolutions alone", problem=alone),)
    found = []
    for form, given in told["forms"].items():
        whole = _records(folder, given)
        if isinstance(whole, str):
            found.append(Around(form, problem=whole))
            continue
        conversions, transposes = (count(whole) - count(alone) for count in (context.conversions, context.transposes))
        found.append(Around(form, conversions, transposes))
    return tuple(found)


def _records(folder: Path, given: Mapping[str, str]) -> Counter[str] | str:
    """The records of a binary that the process made, or why there are none."""
    if "problem" in given:
        return given["problem"]
    try:
        return context.records((folder / given["file"]).read_bytes())
    except context.NotUnderstood as reason:
        return f"the context binary is not understood: {reason}"
    finally:
        (folder / given["file"]).unlink(missing_ok=True)


def variables(root: Path, package: OpPackage) -> dict[str, str]:
    """The process's environment."""
    folders = (root / "generated" / package.cpp_namespace / TARGET, environment.HARNESS, HARNESS)
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}
    found.pop("PYTHONHOME", None)
    return {**found, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONFAULTHANDLER": "1"}


def _with_log(result: RawResult, folder: Path) -> RawResult:
    """A case that ended the process has left its log in a file."""
    path = folder / f"case.{result.case}.log"
    if result.status not in ("crash", "timeout") or result.log or not path.is_file():
        return result
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return replace(result, log=tuple(LogLine("log", line.strip()) for line in lines[-20:] if line.strip()))


def judged(case: Case, result: RawResult) -> CaseOutcome:
    """The outcome of a case: the HTP's outputs against the reference, then those of the function on the CPU."""
    outcome = judge(case, result)
    if result.status != "ok" or outcome.status == "error":
        return outcome
    stats = by_function(case, result)
    if isinstance(stats, str):
        return replace(outcome, status="error", message=stats)
    status = outcome.status if all(s.ok for s in stats) else "failed"
    return replace(outcome, status=status, outputs=(*outcome.outputs, *stats))


def by_function(case: Case, result: RawResult) -> tuple[OutputStats, ...] | str:
    """The comparison of what the function computed, or what is wrong with it."""
    given = {output.name: output for output in result.outputs}
    found = []
    for place, tensor in enumerate(case.outputs):
        name = f"{tensor.name}{BY_FUNCTION}"
        if name not in given:
            continue
        array = given[name].array(tensor)
        if isinstance(array, str):
            return array
        expected = nearest(case.expected[place], [other[place] for other in case.others], array, tensor)
        found.append(output_stats(name, expected, array, tensor.dtype, tensor.quant, _tolerance(case, place)))
    return tuple(found)


def _tolerance(case: Case, place: int) -> Tolerance:
    """That of the spec, and what the function's own rounding costs."""
    tensor = case.outputs[place]
    own = tolerance_for(case.op, tensor.dtype)
    if tensor.dtype.quantized:
        return replace(own, lsb=max(own.lsb or 0.0, 1.0))
    room = {"float32": FLOAT32, "float16": FLOAT16}.get(tensor.dtype.name)
    if room is None:
        return own
    return Tolerance(
        None,
        max(own.ulp or 0.0, room.ulp or 0.0),
        max(own.abs or 0.0, room.abs or 0.0),
        max(own.rel or 0.0, room.rel or 0.0),
    )
