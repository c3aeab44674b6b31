"""Findings for people: place, message, the source line with a caret under the span, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category, east_asian_width

from opkg.report.paint import Paint, plain
from opkg.spec.diagnostics import Diagnostic, Severity, Span

TAB = 4  # columns
WIDEST = 160  # columns of a source line; of a longer one only the part around the span is shown
_CONTEXT = 60


def render(findings: Sequence[Diagnostic], paint: Paint = plain) -> str:
    """All findings and the summary line; empty without findings."""
    if not findings:
        return ""
    sources = Sources()
    return "".join(one(finding, sources, paint) for finding in findings) + summary(findings, paint) + "\n"


class Sources:
    """The lines of files that findings point to, each file read once."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def line(self, span: Span) -> str | None:
        """The first line of a span; None for the span of a whole file, or when it cannot be read."""
        if (span.end_line, span.end_column) <= (span.line, span.column):
            return None
        if span.path not in self._lines:
            self._lines[span.path] = _read(span.path)
        lines = self._lines[span.path]
        return lines[span.line - 1] if span.line <= len(lines) else None


def _read(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            text = file.read(1 << 23).removeprefix("\ufeff")
    except OSError:
        return []
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def one(finding: Diagnostic, sources: Sources, paint: Paint = plain) -> str:
    """One finding, with a line end."""
    place = where(finding.span)
    head = f"{paint(place, 'head')}: " if place else ""
    severity = finding.severity.value
    lines = [f"{head}{paint(severity, severity)}: {visible(finding.message)} {paint(f'[{finding.id}]', 'dim')}"]
    source = sources.line(finding.span)
    if source is not None:
        shown, caret = excerpt(source, finding.span)
        lines += [
            f"    {shown}".rstrip(),
            "    " + caret[: len(caret) - len(caret.lstrip())] + paint(caret.lstrip(), "mark"),
        ]
    explain = f"(opkg explain {finding.id})"
    hint = f"{visible(finding.hint)} {paint(explain, 'dim')}" if finding.hint else paint(explain, "dim")
    lines.append(f"    hint: {hint}" if finding.hint else f"    {hint}")
    return "\n".join(lines) + "\n"


def where(span: Span) -> str:
    """`path:line:col`; only the path for the span of a whole file, and nothing when there is no file."""
    path = visible(span.path)
    if not path or (span.line, span.column, span.end_line, span.end_column) == (1, 1, 1, 1):
        return path
    return f"{path}:{span.line}:{span.column}"


def summary(findings: Sequence[Diagnostic], paint: Paint = plain) -> str:
    """`2 errors, 1 warning in 1 file`."""
    counts = []
    for severity in Severity:
        number = sum(finding.severity is severity for finding in findings)
        if number:
            counts.append(paint(f"{number} {severity.value}{'s' if number > 1 else ''}", severity.value))
    files = len({finding.span.path for finding in findings if finding.span.path})
    place = f" in {files} file{'s' if files > 1 else ''}" if files else ""
    return ", ".join(counts) + place


def excerpt(source: str, span: Span) -> tuple[str, str]:
    """The source line as shown and the caret line under it; both in columns of a terminal."""
    start = min(span.column - 1, len(source))
    end = len(source) if span.end_line > span.line else min(span.end_column - 1, len(source))
    end = max(end, start + 1)
    cut = ""
    if sum(_width(c, 0) for c in source) > WIDEST:
        first, last = (
            max(0, start - _CONTEXT),
            min(len(source), max(end, start + _CONTEXT) if end - start < 80 else start + 80),
        )
        cut = "..." if first else ""
        tail = "..." if last < len(source) else ""
        source, start, end = cut + source[first:last] + tail, start - first + len(cut), end - first + len(cut)
        end = max(min(end, len(source) - len(tail)), start + 1)
    shown, columns = _columns(source)
    left = columns[start]
    right = columns[end] if end < len(columns) else columns[-1] + end - len(source)
    return shown, " " * left + "^" + "~" * (right - left - 1)


def _columns(source: str) -> tuple[str, list[int]]:
    """The line as shown, and the column where each character begins (one more for the end)."""
    shown: list[str] = []
    columns = []
    column = 0
    for char in source:
        columns.append(column)
        width = _width(char, column)
        shown.append(" " * width if char == "\t" else visible(char))
        column += width
    columns.append(column)
    return "".join(shown), columns


def _width(char: str, column: int) -> int:
    """How many columns a character takes on a terminal."""
    if char < "\x7f":
        return TAB - column % TAB if char == "\t" else 1
    if _is_hidden(char):
        return 1  # a replacement character is shown
    if category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(char) in ("W", "F") else 1


def _is_hidden(char: str) -> bool:
    """Control characters, and those that change the direction of text: they would lie about what follows."""
    if char < " " or char == "\x7f":
        return char != "\t"
    return (
        "\x80" <= char <= "\x9f" or char in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


def visible(text: str) -> str:
    """The text with a replacement character for everything that a terminal would act on."""
    return text if text.isprintable() else "".join("\ufffd" if _is_hidden(c) else c for c in text)
