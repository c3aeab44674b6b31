"""What `opkg fmt` and `opkg rules format` share: files in a canonical layout, written, shown or only checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from opkg.cli.output import exit_code, log, plural, replace_file, show_diff, show_findings
from opkg.cli.rules_files import STDIN, Given
from opkg.spec.diagnostics import Diagnostic, sort_key

Formatter = Callable[
    [Given], tuple[bytes, Sequence[Diagnostic]]
]  # the new bytes; with an error, they must not be written
_OWN = frozenset(("OPK516", "OPK517", "OPK663"))  # what formatters themselves have to say

check_option: Callable[[Any], Any] = click.option(
    "--check", is_flag=True, help="Write nothing; exit code 1 when a file would change, and its name."
)
diff_option: Callable[[Any], Any] = click.option(
    "--diff", is_flag=True, help="Write nothing; print what would change as a unified diff."
)


class How(NamedTuple):
    """What the command line asks for."""

    check: bool
    diff: bool
    format: str


def format_files(given: Sequence[Given], findings: list[Diagnostic], formatted: Formatter, how: How) -> int:
    """Formats each file; the exit code: 1 for errors, and with --check for files that would change."""
    changed, same = [], 0
    for one in given:
        new, found = formatted(one)
        findings += found
        if exit_code(found):
            continue
        if one.path == STDIN and not (how.check or how.diff):
            sys.stdout.buffer.write(new)
        elif new == one.data:
            same += 1
        else:
            changed.append(one.path)
            _change(one, new, how)
    problems = sorted((f for f in findings if f.is_error or f.id in _OWN), key=sort_key)
    show_findings(problems, how.format)
    _log(len(changed), same, how.check or how.diff)
    return exit_code(problems) or int(how.check and bool(changed))


def _change(given: Given, new: bytes, how: How) -> None:
    if how.diff:
        show_diff(difference(given.data, new, given.path))
    elif how.check:
        print(f"would format {given.path}")
    else:
        replace_file(given.path, new)
        log(f"formatted {given.path}", 1)


def difference(old: bytes, new: bytes, path: str) -> list[str]:
    """A unified diff."""
    from difflib import unified_diff

    from opkg.project.files import unix

    before, after = (unix(data).decode("utf-8", "replace").split("\n") for data in (old, new))
    return list(unified_diff(before, after, path, f"{path} (formatted)", lineterm=""))


def _log(changed: int, same: int, dry: bool) -> None:
    words = []
    if changed:
        words.append(f"{plural(changed, 'file')} {'would be formatted' if dry else 'formatted'}")
    if same:
        words.append(f"{plural(same, 'file')} as it should be" if same == 1 else f"{same} files as they should be")
    if words:
        log(", ".join(words))
