"""Measured kernels as one self-contained HTML page: a bar per kernel, with its floor and the figures of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import opkg
from opkg.report.bench_text import exactness
from opkg.resources import render as render_template
from opkg.verify.bench.record import Record
from opkg.verify.bench.suite import Suite


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure to compare with, at a place of the bar in percent."""

    name: str
    text: str
    place: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One kernel. Widths in percent of the longest bar of its group."""

    name: str
    note: str
    cost: str
    packets: float
    stalls: float
    marks: tuple[Mark, ...]
    missed: str


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    bars: tuple[Bar, ...]


def render(records: Sequence[Record], suite: Suite | None = None) -> str:
    """The page; with the suite, its rows and marks for the figures of others."""
    groups = []
    for arch, n in dict.fromkeys((r.arch, r.n) for r in records):
        bars = _suite_bars(suite, arch, n) if suite is not None else _bars(records, arch, n)
        groups.append(Group(f"{arch}, {n} elements" if n else f"{arch}, loops", tuple(bars)))
    missed = sum(bool(row.misses) for row in suite.rows) if suite is not None else 0
    return render_template("report/bench.html.j2", groups=groups, version=opkg.__version__, suite=suite, missed=missed)


def _bars(records: Sequence[Record], arch: str, n: int) -> list[Bar]:
    mine = [r for r in records if (r.arch, r.n) == (arch, n)]
    longest = max([r.cost for r in mine if not r.problem], default=1.0) * 1.05
    bars = []
    for record in mine:
        name = record.kernel if record.floor is not None or record.problem else f"{record.kernel} of {record.strategy}"
        bars.append(_bar(name, record, longest, (), ""))
    return bars


def _suite_bars(suite: Suite, arch: str, n: int) -> list[Bar]:
    rows = [row for row in suite.rows if (row.arch, row.n) == (arch, n)]
    tops = [
        max(r.record.cost if r.record else 0.0, r.known.halide or 0.0, r.known.careful_on(arch) or 0.0) for r in rows
    ]
    longest = max(tops, default=1.0) * 1.05
    bars = []
    for row in rows:
        others = [("careful", row.known.careful_on(arch)), ("Halide", row.known.halide)]
        marks = [Mark(name, f"{value:.2f}", value / longest * 100) for name, value in others if value is not None]
        if row.record is None:
            bars.append(Bar(row.known.name, row.problem, "-", 0.0, 0.0, tuple(marks), row.problem))
        else:
            bars.append(_bar(row.known.name, row.record, longest, tuple(marks), "; ".join(row.misses)))
    return bars


def _bar(name: str, record: Record, longest: float, marks: tuple[Mark, ...], missed: str) -> Bar:
    if record.problem:
        return Bar(name, record.problem, "-", 0.0, 0.0, marks, missed)
    if record.floor is not None:
        marks = (Mark("floor", f"{record.floor:.2f}", record.floor / longest * 100), *marks)
    note = f"{record.strategy}, {record.unroll} steps a turn, exact: {exactness(record)}"
    stalls = record.stalls_per_128 or 0.0
    return Bar(
        name, note, f"{record.cost:.2f}", record.packets_per_128 / longest * 100, stalls / longest * 100, marks, missed
    )  # fmt: skip
