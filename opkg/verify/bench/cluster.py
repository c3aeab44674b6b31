"""Benchmarks on a Dask cluster: a task for each op, or shape, and architecture; records in the order of one machine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from opkg.spec.model import Op
from opkg.verify.bench.call import CallRecord, Sources, bench_calls
from opkg.verify.bench.record import Options, Record, bench
from opkg.verify.cluster import Task, run_on
from opkg.verify.options import Report, silent

_R = TypeVar("_R")


def bench_on(
    address: str, package: str, ops: Iterable[Op], options: Options, root: Path, report: Report = silent
) -> list[Record]:
    """As `bench`, on the workers of a scheduler; raises as `run_on`, too."""
    root = root.resolve()
    options = options if options.against is None else replace(options, against=options.against.resolve())
    tasks = [
        Task(f"{op.name} {arch}", str(root), partial(bench, package, [op], replace(options, archs=(arch,)), root))
        for op in ops
        for arch in options.archs
    ]
    found = [record for records in run_on(address, tasks, report) for record in records]
    return _ordered(found, lambda record: record.kernel, lambda record: record.arch)


def bench_calls_on(
    address: str, sources: Sources, archs: Sequence[str], shapes: Sequence[tuple[int, ...]], in_ddr: bool,
    report: Report = silent,
) -> list[CallRecord]:  # fmt: skip
    """As `bench_calls`, on the workers of a scheduler; raises as `run_on`, too."""
    name = sources.op.name
    tasks = [
        Task(
            f"{name} {arch} {'x'.join(map(str, shape))}", str(sources.root),
            partial(bench_calls, sources, (arch,), (shape,), in_ddr),
        )
        for arch in archs
        for shape in shapes
    ]  # fmt: skip
    found = [record for records in run_on(address, tasks, report) for record in records]
    return _ordered(found, lambda record: record.arch, lambda record: record.kernel, lambda record: record.shape)


def _ordered(records: list[_R], *keys: Callable[[_R], Hashable]) -> list[_R]:
    """The records by keys, of which values stand in the order in which they come first."""
    places = [{value: at for at, value in enumerate(dict.fromkeys(map(key, records)))} for key in keys]
    return sorted(records, key=lambda record: [place[key(record)] for place, key in zip(places, keys, strict=True)])
