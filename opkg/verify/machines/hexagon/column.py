"""Runs cases on the kernels of a package in the emulator and judges them: one outcome per case over all its kernels."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.spec.model import OpPackage
from opkg.verify.cases.case import Case
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.paths import sum_of
from opkg.verify.judge.results import NOT_RUN, RawResult
from opkg.verify.judge.verdict import judge
from opkg.verify.machines import execute
from opkg.verify.machines.hexagon.calls import Call, decode_result, encode_call, takes
from opkg.verify.machines.hexagon.driver import arriving, kernels_of
from opkg.verify.machines.sanitize import explained

_MAGIC = b"OPKG" + struct.pack("<I", 1)
_WORST = ("crash", "timeout", "guard", "sanitizer", "error", "rejected", "failed", NOT_RUN, "passed")
# An instruction that qemu does not know ends it with SIGILL, or in an assertion of its decoder.
_ILLEGAL, _UNDECODED = 4, "decode_insns"
NO_FLOAT = "an instruction that the emulator does not know; it has no HVX floating point (OPKG_HVX_FLOAT is 0 here)"


def calls_of(package: OpPackage, cases: Sequence[Case], interface: str) -> list[Call]:
    """Every kernel that can take a case's tensors, case by case: those for its element types as they arrive."""
    table: dict[tuple[str, str], list[Call]] = {}
    found = []
    numbered = list(enumerate(kernels_of(package, interface)))
    for case in cases:
        key = (case.op.name, str(case.combination))
        types = arriving(case.op, case.combination, interface)
        mine = [
            (number, kernel)
            for number, (op, kernel) in numbered
            if op.name == case.op.name and arriving(op, kernel.combination, interface) == types
        ]
        for number, kernel in mine:
            if takes(kernel, case):
                variant = len(table.setdefault(key, []))
                call = Call(case, kernel, number, variant // len(mine), interface)
                table[key].append(call)
                found.append(call)
    return found


def write_calls(calls: Sequence[Call], path: Path) -> None:
    """The file that the program reads."""
    with path.open("wb") as file:
        file.write(_MAGIC)
        for call in calls:
            body = encode_call(call)
            file.write(struct.pack("<I", len(body)))
            file.write(body)


def run(calls: Sequence[Call], job: execute.Job, data: Path, report: Callable[[int], None]) -> list[RawResult]:
    """Runs all calls; `data` is the file that the job's command names."""
    write_calls(calls, data)
    results = execute.run(job, report)
    return [decode_result(call, result) for call, result in zip(calls, results, strict=True)]


def outcomes(
    cases: Sequence[Case], calls: Sequence[Call], results: Sequence[RawResult], root: Path
) -> list[CaseOutcome]:
    """One outcome per case: the worst of its calls, with the kernels of all. `root`: the project's."""
    by_case: dict[int, list[CaseOutcome]] = {}
    for call, result in zip(calls, results, strict=True):
        by_case.setdefault(id(call.case), []).append(_outcome(call, result, root))
    return [_merged(case, by_case.get(id(case), [])) for case in cases]


def judged(call: Call, result: RawResult, root: Path) -> CaseOutcome:
    """The outcome of one call, from the program's own record."""
    return _outcome(call, decode_result(call, result), root)


def _outcome(call: Call, result: RawResult, root: Path) -> CaseOutcome:
    result = explained(result, root, root)
    if result.status == "crash" and (result.code == _ILLEGAL or _UNDECODED in result.message):
        result = replace(result, message=NO_FLOAT)
    outcome = judge(call.case, result)
    if outcome.ok or outcome.status == NOT_RUN:
        return outcome
    return replace(outcome, message=f"{call.kernel.label}: {outcome.message}".removesuffix(": "))


def _merged(case: Case, found: Sequence[CaseOutcome]) -> CaseOutcome:
    if not found:
        return CaseOutcome(case.id, "error", case.describe(), "no kernel takes these tensors")
    worst = min(found, key=lambda outcome: (_WORST.index(outcome.status), -_error(outcome)))
    kernels = worst.kernels if not worst.ok else tuple(dict.fromkeys(name for o in found for name in o.kernels))
    return replace(worst, kernels=kernels, paths=sum_of(outcome.paths for outcome in found))


def _error(outcome: CaseOutcome) -> float:
    return max((stats.worst for stats in outcome.outputs), default=0.0)
