"""The column `executorch`: runs the models of a package in one process and judges what they computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from opkg.spec.diagnostics import Diagnostic, Severity, error
from opkg.spec.dtypes import DTYPES, DType
from opkg.spec.model import Op, OpPackage, Tolerance
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import LogLine, RawOutput, RawResult
from opkg.verify.judge.tolerance import OutputStats, output_stats, tolerance_for
from opkg.verify.machines import execute
from opkg.verify.machines.executorch import calls, messages, observer
from opkg.verify.machines.executorch.environment import Environment, Missing, find
from opkg.verify.machines.executorch.packages import package_folder
from opkg.verify.machines.executorch.plan import Planned, modes
from opkg.verify.meaning.numbers import Array, Quant, encode

START = 60.0  # seconds that the imports of torch and ExecuTorch may take on a busy machine
# What float16 costs: layers around a float op round what they are given to 11 bits; numbers below 2**-14 may become 0.
FLOAT16 = Tolerance(ulp=2, abs=2.0**-14, rel=2.0**-9)
FLOAT16_SIGMOID = 1e-3  # the backend's sigmoid computes in float16, not only rounds to it
# Steps of its output by which the backend's own sigmoid or addition may be wrong, in 8 and in 16 bits.
NEIGHBOUR_STEPS = {"sigmoid": {"8a8w": 2.0, "16a8w": 8.0}, "add": {"8a8w": 1.0, "16a8w": 2.0}}


@dataclass(frozen=True, slots=True)
class Files:
    """Where a run of one package's cases keeps its files."""

    folder: Path

    @property
    def cases(self) -> Path:
        return self.folder / "cases.json"

    @property
    def data(self) -> Path:
        return self.folder / "cases.data"

    def log(self, case: int) -> Path:
        """What the process said in a case that ended it."""
        return self.folder / f"case.{case}.log"


def findings(package: OpPackage, ops: Sequence[Op]) -> list[Diagnostic]:
    """One note per op about the combinations that no mode of the quantizer makes."""
    found = []
    for op in ops:
        _, reasons = modes(op)
        if reasons:
            why: dict[str, list[str]] = {}
            for combination, reason in reasons.items():
                why.setdefault(reason, []).append(combination.suffix or "any")
            text = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in why.items())
            note = error("OPK436", f"{op.name} is not run through ExecuTorch in all element types ({text})", op.span)
            found.append(replace(note, severity=Severity.INFO))
    return found


def run(
    planned: Sequence[Planned],
    package: OpPackage,
    root: Path,
    library: Path,
    job: execute.Job,
    report: Callable[[int], None],
    fail_fast: bool = False,
    words: Sequence[str] = (),
) -> list[CaseOutcome]:
    """Runs all cases, or up to the first that fails; `job` has the folder, the time limit and the event that stops it, and
    no command yet. `words`: further options of what runs the cases."""
    found = find(root)
    assert not isinstance(found, Missing)  # the machine was available
    files = Files(job.folder)
    calls.write(planned, package, library, observer.library(root), files.cases, files.data)
    job = replace(
        job,
        command=(*command(found, files), *words),
        timeout=job.timeout + START,
        variables=variables(found, root, package, files.folder),
    )
    for old in files.folder.glob("case.*.log"):
        old.unlink()
    if fail_fast:
        job = replace(job, fails=lambda result: not judged(planned[result.case], result).ok)
    results = execute.run(job, report)
    return [judged(each, with_log(result, files)) for each, result in zip(planned, results, strict=True)]


def command(environment: Environment, files: Files) -> tuple[str, ...]:
    """What runs the cases, without where the results go."""
    return (str(environment.python), "-P", "-m", "opkg_executorch.run_cases", "--cases", str(files.cases))


def variables(environment: Environment, root: Path, package: OpPackage, scratch: Path) -> dict[str, str]:
    """The process's environment."""
    found = environment.variables([package_folder(root, package)], scratch=scratch)
    return {**found, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONFAULTHANDLER": "1"}


def with_log(result: RawResult, files: Files) -> RawResult:
    """A case that ended the process has left its log in a file."""
    if result.status not in ("crash", "timeout") or result.log or not files.log(result.case).is_file():
        return result
    lines = files.log(result.case).read_text(encoding="utf-8", errors="replace").splitlines()
    return replace(result, log=tuple(LogLine("log", line.strip()) for line in lines[-20:] if line.strip()))


def judged(planned: Planned, result: RawResult) -> CaseOutcome:
    """The outcome of a case."""
    case = planned.case
    text = f"{planned.mode}, {planned.around}: {case.describe()}"
    kernels = tuple(dict.fromkeys(kernel for _, kernel in result.kernels if kernel))
    outcome = CaseOutcome(
        case.id, result.status, text, result.message, result.stage, result.code, kernels,
        log=result.log, microseconds=result.microseconds, paths=result.paths,
    )  # fmt: skip
    if result.status != "ok":
        return replace(outcome, message=messages.explained(result))
    arrays = {output.name: array for output in result.outputs if (array := numbers(output)) is not None}
    stats = []
    for tensor in case.outputs:
        found = _compared(planned, tensor, arrays)
        if isinstance(found, str):
            return replace(outcome, status="error", message=found)
        stats.append(found)
    return replace(outcome, status="passed" if all(s.ok for s in stats) else "failed", outputs=tuple(stats))


def numbers(output: RawOutput) -> Array | None:
    """The float64 numbers of an output; None when bytes are missing."""
    array = np.frombuffer(output.data[: len(output.data) // 8 * 8], dtype="<f8")
    return array.reshape(output.dims) if array.size == int(np.prod(output.dims, dtype=np.int64)) else None


def _compared(planned: Planned, tensor: CaseTensor, arrays: dict[str, Array]) -> OutputStats | str:
    name, case = tensor.name, planned.case
    got, expected = arrays.get(name), arrays.get(f"{name} expected")
    if got is None or expected is None:
        return f"no output '{name}'"
    if got.shape != expected.shape:
        return f"output '{name}' has shape {list(got.shape)}, the model in torch {list(expected.shape)}"
    if not tensor.dtype.quantized:
        rounded = planned.around != "alone" and tensor.dtype.name == "float32"
        dtype = DTYPES["float16"] if rounded else tensor.dtype  # what the layers around the op round to
        tolerance = _float16_tolerance(planned, tensor) if rounded else tolerance_for(case.op, dtype)
        return output_stats(name, expected, encode(got, dtype, None), dtype, None, tolerance)
    grid = arrays.get(f"{name} grid")
    if grid is None:
        return f"output '{name}' is not quantized in the model"
    scale, zero, _, high = (float(number) for number in grid)
    dtype = DTYPES["ufixed16" if high > 255 else "ufixed8"]
    quant = Quant((scale,), (-int(zero),))
    own = arrays.get(f"{name} own")
    tolerance = _steps(planned, case, tensor, tensor.dtype, scale, float(own[0]) if own is not None else scale)
    return output_stats(name, expected, encode(got, dtype, quant), dtype, quant, tolerance)


def _float16_tolerance(planned: Planned, tensor: CaseTensor) -> Tolerance:
    """That of the spec, and what float16 costs."""
    own = tolerance_for(planned.case.op, tensor.dtype)
    room = FLOAT16_SIGMOID if planned.around == "sigmoid" else FLOAT16.abs or 0.0
    if planned.around == "add":
        inputs = [t.stored for t in planned.case.inputs if t.stored is not None and t.dtype.name == "float32"]
        most = max(float(np.abs(each).max(initial=0.0)) for each in (*planned.case.expected, *inputs))
        room += (FLOAT16.rel or 0.0) * most
    return Tolerance(None, FLOAT16.ulp, (own.abs or 0.0) + room, (own.rel or 0.0) + (FLOAT16.rel or 0.0))


def _steps(planned: Planned, case: Case, tensor: CaseTensor, dtype: DType, scale: float, own_scale: float) -> Tolerance:
    """That of the spec, in steps of the op's own output; through a neighbour that computes, in steps of its output."""
    own = tolerance_for(case.op, dtype)
    extra = NEIGHBOUR_STEPS.get(planned.around, {}).get(planned.mode)
    if extra is None or tensor is not next(t for t in case.outputs if t.dtype.quantized):
        return own
    slope = 0.25 if planned.around == "sigmoid" else 1.0
    return replace(own, lsb=np.ceil((own.lsb or 0) * own_scale * slope / scale + extra))
