"""`opkg rules format`: lays rules out in the canonical way and touches nothing else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, format_option, log, plural, replace_file, show_diff, show_findings
from opkg.cli.rules_files import STDIN, Given, gather
from opkg.spec.diagnostics import sort_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opkg.spec.diagnostics import Diagnostic

_BOM = b"\xef\xbb\xbf"


@click.command("format")
@click.argument("paths", nargs=-1, metavar="[FILES]...")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 when a file would change, and its name.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change as a unified diff.")
@click.option("--as", "as_", type=click.Choice(("cpp", "yaml")), help="What the files are, whatever their suffix.")
@format_option
def command(paths: tuple[str, ...], check: bool, diff: bool, as_: str | None, format: str) -> int:
    """Lay out the rules in FILES (specs, C++ files, folders of them): comments stay, what is no rule stays as it is.

    A file with a rule that cannot be read is not touched. `-` reads standard input and prints the result.
    """
    given, findings = gather(paths, as_)
    changed, same = [], 0
    for one in given:
        new, found = formatted(one)
        findings += found
        if exit_code(found):
            continue
        if one.path == STDIN and not (check or diff):
            sys.stdout.buffer.write(new)
        elif new == one.data:
            same += 1
        else:
            changed.append(one.path)
            _change(one, new, check, diff)
    problems = sorted((f for f in findings if f.is_error or f.id in _OWN), key=sort_key)
    show_findings(problems, format)
    _log(len(changed), same, check or diff)
    return exit_code(problems) or int(check and bool(changed))


_OWN = frozenset(("OPK516", "OPK517"))  # what the formatter itself has to say


def formatted(given: Given) -> tuple[bytes, Sequence[Diagnostic]]:
    """The file in the canonical layout, and findings; with an error among these it must not be written."""
    from opkg.rules.text.formatter import format_cpp, format_spec

    if given.is_spec:
        return format_spec(given.data, given.path)
    text, findings = format_cpp(given.text(), given.path)
    bom = _BOM if given.data.startswith(_BOM) else b""
    return bom + text.encode("utf-8", "surrogateescape"), findings


def _change(given: Given, new: bytes, check: bool, diff: bool) -> None:
    if diff:
        show_diff(difference(given.data, new, given.path))
    elif check:
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
