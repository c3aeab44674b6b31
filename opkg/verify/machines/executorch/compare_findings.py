"""What a comparison of a model has found that its user should know: runs that failed, ops that were not used, losses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, warning
from opkg.verify.machines.executorch.compare import CORE, Comparison, Figures, Pair, Run

MOST_LOSS = 1.0  # dB
SAME = 0.5  # dB that are no difference
_LINES = 3  # of a log, in a hint


def findings(found: Comparison) -> list[Diagnostic]:
    """All of it, in the order of the modes. A fault of the model file is the only one."""
    runs = [run for pair in found.pairs for run in (pair.stock, pair.ours) if run is not None]
    fault = next((run for run in runs if run.status == "fault"), None)
    if fault is not None:
        id = "OPK442" if fault.stage == "export" else "OPK441"
        return [error(id, fault.message, Span(found.model, fault.line), fault.hint)]
    listed = [each for pair in found.pairs for each in _of_mode(found, pair)]
    ours = [run for run in runs if run.side == "ours" and run.lowered]
    if ours and not any(node.ours for run in ours for node in run.nodes):
        message = f"no operator of {', '.join(found.packages)} is in the lowered program"
        hint = "; ".join(dict.fromkeys(text for run in ours for text in (*run.warnings, *run.nearly)))
        listed.append(warning("OPK444", message, Span(found.model), hint))
    return listed


def _of_mode(found: Comparison, pair: Pair) -> Iterator[Diagnostic]:
    for run in (pair.stock, pair.ours):
        if run is not None and not run.ok:
            yield _failed(found, run, other=pair.ours if run.side == "stock" else pair.stock)
    if pair.ours is None or not pair.ours.ok:
        return
    yield from _not_called(found, pair.ours)
    if pair.stock is not None and pair.stock.ok:
        yield from _losses(found, pair.mode, pair.stock, pair.ours)


def _failed(found: Comparison, run: Run, other: Run | None) -> Diagnostic:
    """A failed run: an error, but a warning for stock when the packages do better."""
    severity = Severity.WARNING if run.side == "stock" and other is not None and other.ok else Severity.ERROR
    message = f"{run.mode} {run.side}: {run.stage} failed: {run.message}"
    return Diagnostic("OPK443", message, Span(found.model, run.line), _hint(run), severity)


def _hint(run: Run) -> str:
    """Why, as far as somebody said it: a builder, or the log, which of a process that died holds its last words."""
    lines: list[str] = []
    if run.log is not None and run.log.is_file():
        said = [line.strip() for line in run.log.read_text("utf-8", errors="replace").splitlines() if line.strip()]
        wrong = [line for line in said if "[ERROR" in line]
        lines = wrong[:_LINES] or (said[-_LINES:] if run.status == "died" else [])
    log = [f"log: {_shown(run.log)}"] if run.log is not None else []
    return "; ".join([*([run.hint] if run.hint else []), *lines, *log])


def _shown(log: Path | None) -> str:
    return os.path.relpath(log) if log is not None and log.is_relative_to(Path.cwd()) else str(log)


def _not_called(found: Comparison, run: Run) -> Iterator[Diagnostic]:
    called = {name.partition("/")[0] for name in found.calls(run)}
    for label in dict.fromkeys(node.label for node in run.nodes if node.ours and node.package != CORE):
        if label not in called:
            yield error("OPK444", f"{run.mode}: {label} is in the program, but none of its kernels was called",
                        Span(found.model), f"log: {_shown(run.log)}")  # fmt: skip


def _losses(found: Comparison, mode: str, stock: Run, ours: Run) -> Iterator[Diagnostic]:
    where = Span(found.model)
    if any(abs(a - b) > 1e-6 * max(1.0, abs(a)) for a, b in zip(stock.outputs, ours.outputs, strict=False)):
        hint = "seed what makes its weights and inputs"
        yield warning("OPK445", f"{mode}: the model computes something else in the second process", where, hint)
        return
    more = {name: n - stock.on_cpu.get(name, 0) for name, n in ours.on_cpu.items() if n > stock.on_cpu.get(name, 0)}
    if more:
        names = ", ".join(f"{count} {name}" for name, count in more.items())
        yield warning("OPK445", f"{mode}: on the CPU, but delegated by stock: {names}", where, "; ".join(ours.warnings))
    if (ours.delegates or 0) > (stock.delegates or 0):
        yield warning("OPK445", f"{mode}: {ours.delegates} delegates, with stock {stock.delegates}", where)
    for number, (before, after) in enumerate(zip(stock.against_float, ours.against_float, strict=False)):
        loss = _loss(before, after)
        if loss > MOST_LOSS:
            message = f"{mode}: output {number} is {loss:.1f} dB farther from float PyTorch than with stock"
            model = ours.quantization[number].snr if number < len(ours.quantization) else None
            if model is not None and after.snr is not None and after.snr > model - SAME:
                message += f", and where the quantized model is ({model:.1f} dB): stock is better than what it runs"
                yield Diagnostic("OPK445", message, where, severity=Severity.INFO)
            else:
                yield warning("OPK445", message, where)


def _loss(before: Figures, after: Figures) -> float:
    """How much lower the SNR is, in dB; 0 when one of them has none."""
    if before.snr is None or after.snr is None:
        return 0.0
    return before.snr - after.snr
