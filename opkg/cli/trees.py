"""What verbs share that change somebody else's source tree: what would change, and words on what did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.output import log, plural, show_diff
from opkg.spec.diagnostics import Diagnostic, Span, error

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.trees.checkout import Changing, Checkout


def project_of(paths: tuple[str, ...]) -> ReadProject:
    """The one project that paths are of. UsageError when they are of several."""
    from opkg.project.read import read

    projects = read(paths)
    if len(projects) > 1:
        names = ", ".join(project.project.prefix or "." for project in projects)
        raise click.UsageError(f"PATHS are of several projects ({names}); one at a time.")
    return projects[0]


def opened(path: str, knows: str) -> Checkout:
    """The tree in a folder that a user named. `knows`: a hint for findings."""
    import os

    from opkg.trees.checkout import Checkout

    root = os.path.abspath(path)
    return Checkout(root, "" if root == os.getcwd() else path.rstrip("/") + "/", knows)


def stale(tree: Checkout, change: Changing) -> Diagnostic:
    """The finding of --check for a file that would change."""
    what = "is missing" if change.before is None else "is left over" if change.after is None else "is out of date"
    message = f"the checkout is not what the specs say: {what}"
    return error("OPK364", message, Span(tree.prefix + change.path), "run it without --check")


def show_changes(tree: Checkout, changes: list[Changing]) -> None:
    """The changes as a unified diff on stdout."""
    for each in changes:
        show_diff(_diff(tree.prefix, each))


def _diff(prefix: str, change: Changing) -> list[str]:
    from difflib import unified_diff

    old = f"a/{prefix}{change.path}" if change.before is not None else "/dev/null"
    new = f"b/{prefix}{change.path}" if change.after is not None else "/dev/null"
    lines = unified_diff(_lines(change.before), _lines(change.after), old, new, lineterm="")
    return [part for line in lines for part in line.split("\n")]


def _lines(text: str | None) -> list[str]:
    lines = (text or "").split("\n")
    if lines[-1]:
        return [*lines[:-1], lines[-1] + "\n\\ No newline at end of file"]
    return lines[:-1]


def log_changes(changes: list[Changing], dry: bool) -> None:
    """How many files were written, removed and changed; with -v which."""
    if not changes:
        log("nothing to do")
        return
    verbs = [("write", "wrote", "before"), ("remove", "removed", "after"), ("change", "changed", "")]
    counts: dict[str, int] = {}
    for would, did, side in verbs:
        for each in (each for each in changes if _kind(each) == side):
            kind = would if dry else did
            counts[kind] = counts.get(kind, 0) + 1
            log(f"{'would ' if dry else ''}{kind} {each.path}", 1)
    words = ", ".join(f"{kind} {plural(number, 'file')}" for kind, number in counts.items())
    log(f"would {words}" if dry else words)


def _kind(change: Changing) -> str:
    """The side on which a file is missing; empty when it is there before and after."""
    return next((side for side in ("before", "after") if getattr(change, side) is None), "")
