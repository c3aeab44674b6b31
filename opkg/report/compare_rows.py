"""What a comparison of a model shows, as rows of text: shared by the table on a terminal and by the page."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opkg.report.verify_words import plural
from opkg.verify.machines.executorch.compare import CORE, Comparison, Figures, Pair, Replacement, Run

Cell = Callable[[Run], str]
NONE = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A line: what is counted or measured, and the texts of stock and ours for each mode."""

    label: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A place of the model, and the modes in which it is so."""

    ours: str
    where: str
    stock: str
    modes: tuple[str, ...]


def sections(found: Comparison) -> tuple[Section, ...]:
    """The table: counts, then differences. Rows that say nothing in any mode are left out."""
    several = max((len(run.against_float) for run in _runs(found)), default=1) > 1
    worst = ", the worst output" if several else ""
    kernels = any(name != CORE for name in found.packages)
    counts = (
        *((("run", _status),) if any(run.status in ("failed", "died") for run in _runs(found)) else ()),
        ("delegates", lambda run: NONE if run.delegates is None else str(run.delegates)),
        ("operators delegated", lambda run: _count(run, run.operators)),
        ("operators on the CPU", lambda run: _count(run, sum(run.on_cpu.values()))),
        ("operators of QNN", lambda run: _count(run, len(run.nodes))),
        ("of these, of the packages", lambda run: _count(run, sum(node.ours for node in run.nodes))),
        ("calls of their kernels", lambda run: str(sum(found.calls(run).values())) if run.ok and kernels else NONE),
        (".pte, bytes", lambda run: NONE if run.bytes is None else f"{run.bytes:,}"),
    )  # fmt: skip
    listed = [
        _section(found, "", counts),
        _section(found, f"against float PyTorch{worst}", _figures(lambda run: run.against_float)),
        _section(found, f"against the quantized model in PyTorch{worst}", _figures(_against_quantized)),
        _section(
            found, f"the quantized model in PyTorch, against float{worst}", _figures(lambda run: run.quantization)
        ),
    ]
    return tuple(section for section in listed if section.rows)


def _runs(found: Comparison) -> list[Run]:
    return [run for pair in found.pairs for run in (pair.stock, pair.ours) if run is not None]


def _against_quantized(run: Run) -> Sequence[Figures]:
    return () if run.mode == "float" else run.against_quantized


def _count(run: Run, number: int) -> str:
    return str(number) if run.lowered else NONE


def _status(run: Run) -> str:
    return run.status if run.ok else f"{run.status} ({run.stage})"


def _figures(of: Callable[[Run], Sequence[Figures]]) -> tuple[tuple[str, Cell], ...]:
    """Rows of differences; of several outputs the worst."""
    return (
        ("outputs that do not fit", lambda run: str(sum(bool(f.fault) for f in of(run)) or NONE)),
        ("largest difference", lambda run: _worst([f.max for f in of(run)], max, "{:.3g}")),
        ("of the range", lambda run: _worst([f.relative for f in of(run)], max, "{:.2%}")),
        ("SNR, dB", lambda run: _snr(of(run))),
        ("cosine", lambda run: _worst([f.cosine for f in of(run)], min, "{:.7f}")),
        ("NaN or infinite in one only", lambda run: str(sum(f.invalid or 0 for f in of(run)) or NONE)),
        ("whole numbers that differ", lambda run: _whole(of(run))),
    )


def _worst(values: Sequence[float | None], choose: Callable[[list[float]], float], form: str) -> str:
    known = [value for value in values if value is not None]
    return form.format(choose(known)) if known else NONE


def _snr(figures: Sequence[Figures]) -> str:
    known = [f.snr for f in figures if f.snr is not None]
    if known:
        return f"{min(known):.1f}"
    return "exact" if figures and all(f.exact for f in figures) else NONE


def _whole(figures: Sequence[Figures]) -> str:
    whole = [f for f in figures if f.max is None and f.unequal is not None]
    return str(sum(f.unequal or 0 for f in whole)) if whole else NONE


def _section(found: Comparison, title: str, rows: Sequence[tuple[str, Cell]]) -> Section:
    listed = []
    for label, cell in rows:
        cells = tuple((_cell(pair.stock, cell), _cell(pair.ours, cell)) for pair in found.pairs)
        if any(text != NONE for pair in cells for text in pair):
            listed.append(Row(label, cells))
    return Section(title, tuple(listed))


def _cell(run: Run | None, cell: Cell) -> str:
    return cell(run) if run is not None else NONE


def facts(found: Comparison) -> tuple[str, ...]:
    """What was compared, with what."""
    env = found.environment
    samples = max((run.samples for run in _runs(found)), default=0)
    return (
        ", ".join(found.packages), plural(samples, "sample"), f"executorch {env.executorch}", f"torch {env.torch}",
        f"QNN {env.qnn or '?'}",
    )  # fmt: skip


def replaced(found: Comparison) -> tuple[Replaced, ...]:
    """What came in the place of what, by place of the model."""
    modes: dict[Replacement, list[str]] = {}
    for pair in found.pairs:
        for each in pair.replaced():
            modes.setdefault(each, []).append(pair.mode)
    return tuple(
        Replaced(counted(each.ours), place(found, each.file, each.line, each.module), counted(each.stock), tuple(where))
        for each, where in modes.items()
    )


def counted(items: Sequence[tuple[str, int]]) -> str:
    """`Sigmoid, 2 ElementWiseMultiply`."""
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in items) or "nothing"


def place(found: Comparison, file: str, line: int, module: str) -> str:
    """Where in the model: the path of the module, and the line of its file."""
    if file == os.path.abspath(found.model):
        file = os.path.basename(found.model)
    return (
        ", ".join(part for part in (module, f"{os.path.basename(file)}:{line}" if file else "") if part)
        or "place unknown"
    )


def changes(pair: Pair) -> list[str]:
    """Operators of QNN of which there are not as many: `Sigmoid 1 -> 0`."""
    return [f"{name} {before} -> {after}" for name, (before, after) in pair.changed().items()]


def decomposed(pair: Pair) -> str:
    """Ops of the packages that the model calls by name, which stock has as the torch calls of their `compute:`."""
    return counted(tuple(pair.stock.decomposed.items())) if pair.stock is not None and pair.stock.decomposed else ""


def on_cpu(pair: Pair) -> list[tuple[str, str]]:
    """Side and names of operators that stay on the CPU."""
    runs = [run for run in (pair.stock, pair.ours) if run is not None and run.on_cpu]
    return [(run.side, counted(tuple(run.on_cpu.items()))) for run in runs]
