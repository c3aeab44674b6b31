"""Diagnostics as data: where, how bad, which id, what, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How bad a finding is; only errors make a command exit with 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Span(NamedTuple):
    """A stretch of text in a file: lines and columns count from 1, the end column is exclusive.

    Columns count characters (Unicode code points), as editors and compilers print them.
    A span of a whole file is line 1, column 1.
    """

    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1


def place(spans: dict[str, Span], key: str, fallback: Span) -> Span:
    """Where a field of a record stands, or the record it would stand in, or `fallback`."""
    return spans.get(key) or spans.get("") or fallback


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `id` is a key of the catalog (`opkg explain ID`)."""

    id: str
    message: str
    span: Span
    hint: str = ""
    severity: Severity = Severity.ERROR

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


def error(id: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    """An error at `span`."""
    return Diagnostic(id, message, span, hint)


def warning(id: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    """A warning at `span`."""
    return Diagnostic(id, message, span, hint, Severity.WARNING)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    """Order of print: by file, then position, then id."""
    span = diagnostic.span
    return (span.path, span.line, span.column, diagnostic.id, diagnostic.message)


class OpkgError(Exception):
    """Something the user can mend; carries the diagnostics to print. Exit code 1 unless told otherwise."""

    exit_code = 1

    def __init__(self, diagnostics: list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = tuple(diagnostics)


class Misuse(OpkgError):
    """The command line names something that there is not. Exit code 2."""

    exit_code = 2


class MissingTool(OpkgError):
    """A compiler, simulator or backend that the command needs is not installed. Exit code 3."""

    exit_code = 3


def nearest(word: str, known: list[str] | tuple[str, ...]) -> str | None:
    """The known word most like `word`, or None when none is close."""
    import difflib  # only on the error path

    lower = {k.lower(): k for k in reversed(known)}
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if found:
        return found[0]
    found = difflib.get_close_matches(word.lower(), list(lower), n=1, cutoff=0.6)
    return lower[found[0]] if found else None
