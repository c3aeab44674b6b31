"""What a verification found: one outcome per case and column, and what tables and reports ask of them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from opkg.spec.diagnostics import Diagnostic, Span
from opkg.spec.dtypes import DType
from opkg.verify.judge.around import Around
from opkg.verify.judge.paths import BY_HAND, NOTHING, Paths, sum_of
from opkg.verify.judge.results import Fault, LogLine
from opkg.verify.judge.tolerance import BINS, Element, OutputStats


@dataclass(frozen=True, slots=True)
class Column:
    """A machine and an interface. `reason` says why it was skipped; empty when it ran."""

    label: str
    machine: str
    interface: str
    reason: str = ""
    install: str = ""
    checks: str = ""  # of `--sanitize`: what was looked for

    @property
    def ran(self) -> bool:
        return not self.reason


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """One case on one column. `status`: passed, failed (wrong numbers), rejected, error, crash, timeout, guard (memory that
    is not the kernel's), sanitizer, or "not run" where the run ended before it."""

    case: str
    status: str
    description: str
    message: str = ""
    stage: str = ""
    code: int = 0
    kernels: tuple[str, ...] = ()
    outputs: tuple[OutputStats, ...] = ()
    log: tuple[LogLine, ...] = ()
    trace: tuple[str, ...] = ()
    microseconds: int = 0
    paths: Paths = NOTHING
    around: tuple[Around, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status == "passed"

    def reason(self) -> str:
        """Why it failed, in one line."""
        if self.status != "failed":
            where = f" in {self.stage}" if self.stage else ""
            code = f" (code {self.code})" if self.code else ""
            return f"{self.status}{where}{code}: {self.message}".rstrip(": ")
        worst = max((o for o in self.outputs if not o.ok), key=lambda o: o.failed, default=None)
        if worst is None:
            return self.message
        worst_error = amount(worst.worst, worst.unit)
        text = f"{worst.name}: {worst.failed} of {worst.elements} elements differ, worst {worst_error}"
        return f"{text}; {self.message}" if self.message else text


# Units in the last place say nothing of results near 0: beyond this, what passes is shown by its absolute error.
FAR = 1000


def amount(error: float, unit: str) -> str:
    """An error in words: `0`, `1 lsb`, `2 ulp`, `3`; `no number` where one side is NaN or infinite."""
    if error == float("inf"):
        return "no number"
    text = f"{error:.0f}" if error < 1e6 else f"{error:.1e}"
    return text if error == 0 or not unit else f"{text} {unit}"


@dataclass(frozen=True, slots=True)
class Cell:
    """All cases of one op and combination, or of one rule, on one column."""

    package: str
    op: str
    combination: str  # short name: "u8"
    types: str  # "T=ufixed8"
    column: Column
    outcomes: tuple[CaseOutcome, ...]
    span: Span
    rule: str = ""  # of a cell about an optimization rule, whose `op` is "Op/rule"
    by_hand: bool = False  # whether a kernel of the combination has a `body:`

    @property
    def failures(self) -> tuple[CaseOutcome, ...]:
        return tuple(o for o in self.outcomes if not o.ok)

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def outputs(self) -> tuple[OutputStats, ...]:
        return tuple(stats for outcome in self.outcomes for stats in outcome.outputs)

    @property
    def worst(self) -> OutputStats | None:
        """The output with the largest error; None when nothing could be compared."""
        return max(self.outputs, key=lambda o: o.worst, default=None)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that the machine chose, each once, in order of first use."""
        return tuple(dict.fromkeys(k for o in self.outcomes for k in o.kernels))

    @property
    def paths(self) -> Paths:
        """What was counted over all cases."""
        return sum_of(outcome.paths for outcome in self.outcomes)

    @property
    def around(self) -> tuple[Around, ...]:
        """What the backend adds around the op between convolutions; empty where no machine counted it."""
        return next((outcome.around for outcome in self.outcomes if outcome.around), ())

    @property
    def code(self) -> str:
        """Which code ran: `vector`, `portable`, `vector 97%`, `by hand`; empty where nothing ran or nothing is known."""
        counted = self.paths.text()
        ran = any(outcome.ok or outcome.status == "failed" for outcome in self.outcomes)
        if not self.by_hand or not ran:
            return counted
        return f"{counted}, {BY_HAND}" if counted else BY_HAND

    def text(self) -> str:
        """What the table shows: the worst error, or what went wrong."""
        stopped = [o.status for o in self.outcomes if o.status not in ("passed", "failed")]
        worst = self.worst
        if stopped:
            return f"{max(set(stopped), key=stopped.count)} {len(stopped)}/{len(self.outcomes)}"
        if worst is None:
            return "-"
        if self.ok and worst.unit == "ulp" and worst.worst > FAR:
            farthest = max(self.outputs, key=lambda o: o.worst_abs)
            allowed = f" of {farthest.room:.0e}" if isfinite(farthest.room) else ""
            return f"{farthest.worst_abs:.0e}abs{allowed}"
        return amount(worst.worst, worst.unit).replace(" lsb", "lsb").replace(" ulp", "ulp")

    @property
    def least_failed(self) -> float:
        """The smallest error beyond the tolerance; inf when there is none."""
        return min((o.least_failed for o in self.outputs), default=float("inf"))

    def histogram(self) -> tuple[int, ...]:
        """Counts of element errors over all cases and outputs."""
        total = [0] * (len(BINS) + 2)
        for stats in self.outputs:
            for place, count in enumerate(stats.histogram):
                total[place] += count
        return tuple(total)


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """A whole run. `diagnostics`: findings that kept something from being verified (and warnings)."""

    columns: tuple[Column, ...]
    cells: tuple[Cell, ...]
    diagnostics: tuple[Diagnostic, ...]
    seed: int
    cases_per_kernel: int
    seconds: float
    resumed: int = 0  # cases that ran before the same run was interrupted

    @property
    def ok(self) -> bool:
        return all(cell.ok for cell in self.cells) and not any(d.is_error for d in self.diagnostics)

    @property
    def cases(self) -> int:
        """Cases run, over all columns."""
        return sum(len(cell.outcomes) for cell in self.cells)

    @property
    def failures(self) -> tuple[tuple[Cell, CaseOutcome], ...]:
        return tuple((cell, outcome) for cell in self.cells for outcome in cell.failures)

    @property
    def ops(self) -> tuple[tuple[str, str], ...]:
        """(package, op), in order."""
        return tuple(dict.fromkeys((cell.package, cell.op) for cell in self.cells if not cell.rule))

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """(package, "Op/rule"), in order."""
        return tuple(dict.fromkeys((cell.package, cell.op) for cell in self.cells if cell.rule))

    def command(self, cell: Cell, outcome: CaseOutcome) -> str:
        """The command that repeats one case from where this run was started."""
        spec = cell.span.path
        where = "" if not spec or spec.startswith("specs/") else f" {shlex.quote(spec)}"
        how = " --sanitize" if cell.column.checks else ""
        what = (
            f"--on {cell.column.machine}{how} --op {cell.op.partition('/')[0]} --seed {self.seed} --case {outcome.case}"
        )
        return f"opkg verify{where} {what}"


def merged(results: Sequence[VerifyResult]) -> VerifyResult:
    """The results of several projects as one; there must be at least one."""
    first = results[0]
    columns = tuple(dict.fromkeys(column for result in results for column in result.columns))
    cells = tuple(cell for result in results for cell in result.cells)
    findings = tuple(finding for result in results for finding in result.diagnostics)
    seconds = sum(result.seconds for result in results)
    return VerifyResult(
        columns, cells, findings, first.seed, first.cases_per_kernel, seconds, sum(result.resumed for result in results)
    )


__all__ = ["CaseOutcome", "Cell", "Column", "DType", "Element", "VerifyResult", "amount", "merged"]
