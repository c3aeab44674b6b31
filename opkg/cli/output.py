"""What verbs share: findings on stdout, log on stderr, colours only where they belong."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import TextIO

import click

from opkg.cli.options import format_option, ops_option, paths_argument, target_option, words
from opkg.report.findings import render
from opkg.report.paint import Paint, ansi, plain
from opkg.report.verify_words import plural
from opkg.spec.diagnostics import Diagnostic, Severity

__all__ = [
    "exit_code",
    "format_option",
    "log",
    "notable",
    "opkg_in",
    "ops_option",
    "paint",
    "paths_argument",
    "plural",
    "replace_file",
    "show_actions",
    "show_diff",
    "show_findings",
    "show_notable",
    "target_option",
    "words",
    "write_file",
]


def paint(stream: TextIO | None = None) -> Paint:
    """Colours when the stream (default stdout) is a terminal and neither NO_COLOR nor TERM=dumb is set."""
    stream = stream or sys.stdout
    coloured = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return ansi if coloured else plain


def show_findings(findings: Sequence[Diagnostic], format: str = "text") -> None:
    """Findings on stdout."""
    sys.stdout.write(render(findings, format, paint()))


def notable(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """For verbs that are run all the time: without remarks (infos), whose number is logged; with -v, all."""
    if _verbosity() > 0:
        return list(findings)
    left = [finding for finding in findings if finding.severity is not Severity.INFO]
    if len(left) < len(findings):
        log(f"{plural(len(findings) - len(left), 'remark')}: opkg validate shows them, or -v")
    return left


def show_notable(findings: Sequence[Diagnostic], format: str = "text") -> None:
    """As `show_findings`, in text without remarks."""
    show_findings(notable(findings) if format == "text" else findings, format)


def exit_code(findings: Sequence[Diagnostic]) -> int:
    """1 when there is an error, else 0."""
    return int(any(finding.is_error for finding in findings))


def log(text: str, level: int = 0) -> None:
    """A line on stderr; `level` 0 always (not with -q), 1 with -v, 2 with -vv."""
    if level <= _verbosity():
        print(f"opkg: {text}", file=sys.stderr)


def _verbosity() -> int:
    """-1 with -q, 1 with -v."""
    context = click.get_current_context(silent=True)
    return (context.find_root().obj if context is not None else 0) or 0


def show_diff(lines: Sequence[str], most: int = 0) -> None:
    """A unified diff on stdout, coloured; at most `most` lines (0: all)."""
    from opkg.report.findings_text import visible

    colour = paint()
    styles = {"+": "good", "-": "error", "@": "info"}
    shown = lines[:most] if most else lines
    for line in shown:
        style = "head" if line.startswith(("--- ", "+++ ")) else styles.get(line[:1], "")
        print(colour("\t".join(visible(part) for part in line.split("\t")), style))
    if len(shown) < len(lines):
        print(colour(f"... {len(lines) - len(shown)} more lines", "dim"))


def write_file(path: str, text: str) -> None:
    """Writes a text where the user wants it; OpkgError (OPK324) when that cannot be."""
    replace_file(path, text.encode("utf-8", "backslashreplace"))


def show_actions(actions: Sequence[tuple[str, str]], dry: bool) -> None:
    """Verbs and paths: those of a dry run on stdout, else on stderr with -v."""
    for verb, path in actions:
        if dry:
            print(f"would {verb} {path}")
        else:
            log(f"{verb} {path}", 1)


def opkg_in(folder: str) -> str:
    """The command in a folder, as a shell takes it: `opkg -C 'my kit'`."""
    from shlex import quote

    return "opkg" if folder in (".", "") else f"opkg -C {quote(folder)}"


def replace_file(path: str, data: bytes) -> None:
    """Writes a file in one step: whoever reads it sees the old content or the new, also after a crash or on a full disk.

    What is no regular file (/dev/stdout, a pipe) is written as it is. OpkgError (OPK324) when the system refuses, or the
    file is read-only.
    """
    from opkg.project.files import read_only
    from opkg.project.findings import cannot_write, is_read_only
    from opkg.spec.diagnostics import OpkgError

    target = os.path.realpath(path)  # a link stays a link
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.exists(target) and not os.path.isfile(target):
            with open(path, "wb") as file:
                file.write(data)
        elif read_only(target):
            raise OpkgError([is_read_only(path)])
        else:
            _replaced(target, data)
    except OSError as failure:
        raise OpkgError([cannot_write(path, failure)]) from None


def _replaced(target: str, data: bytes) -> None:
    beside = os.path.join(os.path.dirname(target), f".opkg-{os.getpid()}-{threading.get_ident()}")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            if os.path.exists(target):
                os.fchmod(file.fileno(), os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise
