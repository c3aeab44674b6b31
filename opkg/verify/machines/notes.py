"""What a machine says about the cases that it cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from opkg.spec.diagnostics import Diagnostic, Severity, error
from opkg.spec.model import Combination, Op
from opkg.verify.cases.case import Case


def left_out(
    code: str, runtime: str, op: Op, cases: Sequence[Case], reason: Callable[[Case], str]
) -> Diagnostic | None:
    """A note about the cases of an op that are not run, by element types and reason; None when all are."""
    lost: dict[tuple[Combination, str], int] = {}
    total: dict[Combination, int] = {}
    for case in cases:
        total[case.combination] = total.get(case.combination, 0) + 1
        why = reason(case)
        if why:
            lost[case.combination, why] = lost.get((case.combination, why), 0) + 1
    if not lost:
        return None
    whole: dict[str, list[str]] = {}
    parts = []
    for (combination, why), count in lost.items():
        name = combination.suffix or "any"
        if count == total[combination]:
            whole.setdefault(why, []).append(name)
        else:
            parts.append(f"{count} of {total[combination]} cases of {name}: {why}")
    text = "; ".join([f"{', '.join(names)}: {why}" for why, names in whole.items()] + parts)
    note = error(code, f"{op.name} is not run through {runtime} in all cases ({text})", op.span)
    return replace(note, severity=Severity.INFO)
