"""Measured kernels as JSON: a list with one object per kernel, architecture and size."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from opkg.verify.bench.record import Record


def render(records: Iterable[Record]) -> str:
    """The JSON text: figures per 128 bytes with four decimals, null where there are none."""
    return json.dumps([as_object(record) for record in records], indent=1) + "\n"


def as_object(record: Record) -> dict[str, Any]:
    """One record. `problem` says why there are no figures and is null where there are. `static`: those
    of the compiled loop, which did not run."""
    measured = not record.problem
    ran = measured and not record.static
    return {
        "kernel": record.kernel,
        "arch": record.arch,
        "n": record.n if ran or not measured else None,
        "static": record.static,
        "packets_per_128": _figure(record.packets_per_128, measured),
        "stalls_per_128": _figure(record.stalls_per_128, measured),
        "load_stalls_per_128": _figure(record.load_stalls_per_128, ran),
        "floor": _figure(record.floor, True),
        "exact": record.exact if ran else None,
        "ratio": _figure(record.ratio, measured),
        "limit": record.limit,
        "instructions_per_128": _figure(record.instructions_per_128, ran),
        "hvx_per_128": _figure(record.hvx_per_128, ran),
        "packets_and_stalls": record.total if ran else None,
        "differs": _figure(record.differs, ran, 9),
        "most_steps": record.most if ran else None,
        "strategy": record.strategy,
        "unroll": record.unroll,
        "problem": record.problem or None,
    }


def _figure(value: float | None, measured: bool, digits: int = 4) -> float | None:
    return round(value, digits) if measured and value is not None else None
