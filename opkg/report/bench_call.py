"""Measured whole calls on a terminal and as JSON: one line a kernel, shape and alignment."""

from __future__ import annotations

import json
from collections.abc import Sequence

from opkg.report.bench_text import table
from opkg.report.paint import Paint, plain
from opkg.verify.bench.call import CALLS, MOST_TRACED, CallRecord
from opkg.verify.bench.call_parts import PARTS

STATIC = "static: other instructions stand for those on floats, which no emulator has; the packets are those of the compiled code"
NOTE = (
    "packets of one call; first, later: the first and the third call; overhead: the third without rows and tail; p/128: its "
    "packets\nand stalls per 128 bytes of output (of input where that is more than four times as large)"
)
UNTRACED = (
    f"without parts: calls of more than {MOST_TRACED:,} packets together, mostly of portable code; opkg verify tells which "
    "code computes"
)
HEAD = ("kernel", "arch", "shape", "layout", "first", "later", "overhead", *PARTS, "stalls", "p/128", "")


def as_text(records: Sequence[CallRecord], paint: Paint = plain) -> str:
    """The table; what could not be measured says why."""
    lines: list[tuple[str, ...]] = [HEAD]
    for record in records:
        start = (record.kernel, record.arch, "x".join(map(str, record.shape)), _layout(record))
        if record.problem:
            lines.append((*start, *("-",) * (5 + len(PARTS)), record.problem))
            continue
        known = dict(record.parts)
        parts = tuple(str(known[part]) if known else "-" for part in PARTS)
        overhead = "-" if record.overhead is None else str(record.overhead)
        stalls = "-" if record.stalls < 0 else str(record.stalls)
        last = (f"{record.per_128:.2f}", "static" if record.static else "")
        lines.append((*start, str(record.first), str(record.later), overhead, *parts, stalls, *last))
    notes = [NOTE]
    if any(record.static for record in records):
        notes.append(STATIC)
    if any(not record.parts and record.later * CALLS > MOST_TRACED for record in records):
        notes.append(UNTRACED)
    return table(lines, paint, left=(0, 2, 3, len(HEAD) - 1)) + "\n\n" + "\n".join(notes) + "\n"


def _layout(record: CallRecord) -> str:
    return f"{record.layout}{', DDR' if record.in_ddr else ''}{'' if record.aligned else ', unaligned'}"


def as_json(records: Sequence[CallRecord]) -> str:
    """A list with one object per line of the table; null where there are no figures."""
    return json.dumps([_as_object(record) for record in records], indent=1) + "\n"


def _as_object(record: CallRecord) -> dict[str, object]:
    measured = not record.problem
    return {
        "kernel": record.kernel,
        "arch": record.arch,
        "shape": list(record.shape),
        "layout": record.layout,
        "aligned": record.aligned,
        "in_ddr": record.in_ddr,
        "first": record.first if measured else None,
        "later": record.later if measured else None,
        "overhead": record.overhead if measured else None,
        "parts": dict(record.parts) if measured and record.parts else None,
        "stalls": record.stalls if measured and record.stalls >= 0 else None,
        "packets_per_128": round(record.per_128, 4) if measured else None,
        "static": record.static if measured else None,
        "problem": record.problem or None,
    }
