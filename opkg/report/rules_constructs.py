"""A construct of the rule language in words: its rows of the table, as `opkg rules explain --construct` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from opkg.report.paint import Paint, plain
from opkg.rules.constructs.model import Construct

WIDTH = 96


def render(rows: Sequence[Construct], paint: Paint = plain) -> str:
    """All rows of one name, with a line end."""
    return "\n".join(_row(row, paint) for row in rows)


def _row(row: Construct, paint: Paint) -> str:
    result = f" -> {row.result}" if row.result else ""
    lines = [f"{paint(row.signature + result, 'head')}   {paint(f'in: {row.context}', 'dim')}"]
    lines.append(fill(row.meaning, WIDTH, initial_indent="  ", subsequent_indent="  "))
    facts = (
        ("where", row.where),
        ("means", row.expansion + (" (taken from its name and use; no text says so)" if row.assumed else "")),
        ("SDK", sdks(row)),
        ("published", "" if row.published else "no: known from code that ships"),
        ("QHPI", row.qhpi),
        ("trap", row.trap),
    )
    lines += [_folded(paint(f"{name}: ", "warn" if name == "trap" else "dim"), text) for name, text in facts if text]
    return "\n".join(lines) + "\n"


def sdks(row: Construct) -> str:
    """Which SDK versions have it; "" for all."""
    if row.until:
        return f"{row.since} to {row.until}"
    return f"since {row.since}" if row.since != "2.13" else ""


def _folded(name: str, text: str) -> str:
    return f"  {name}{fill(text, WIDTH, subsequent_indent='      ')}"


def as_object(row: Construct) -> dict[str, Any]:
    """The row as plain values."""
    return {
        "name": row.name, "context": row.context.value, "signature": row.signature, "result": row.result,
        "meaning": row.meaning, "where": row.where, "since": row.since, "until": row.until, "expansion": row.expansion,
        "published": row.published, "qhpi": row.qhpi, "trap": row.trap,
    }  # fmt: skip


def render_numbers(name: str, kind: str, numbers: dict[str, int], note: str, paint: Paint = plain) -> str:
    """A pass or flag by its number in each SDK that has it, with a line end."""
    words = sorted({(number, tuple(sdk for sdk in numbers if numbers[sdk] == number)) for number in numbers.values()})
    texts = [f"{number} (SDK {', '.join(versions)})" for number, versions in words]
    lines = [f"{paint(name, 'head')}   {paint(kind, 'dim')}", f"  {', '.join(texts)}"]
    return "\n".join([*lines, *([f"  {note}"] if note else [])]) + "\n"


def number_object(name: str, kind: str, numbers: dict[str, int]) -> dict[str, Any]:
    """The same as plain values."""
    return {"name": name, "context": kind, "numbers": dict(numbers)}
