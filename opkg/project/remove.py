"""Takes an op out of its spec, and what was generated for it out of the tree; files of the user's stay."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from opkg.project.discover import Project
from opkg.project.edit import Before, Made, edit
from opkg.project.generate import Action
from opkg.project.scaffold import like, text_of
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning
from opkg.spec.model import Op, OpPackage


class Removed(NamedTuple):
    """What was (or would be) done, and a warning for each file of the user's that nothing uses any more."""

    actions: tuple[Action, ...]
    unused: tuple[Diagnostic, ...]


def remove(project: Project, package: OpPackage, op: Op, dry: bool = False) -> Removed | None:
    """Removes an op, in one transaction with its generated files.

    None when a killed run had to be undone first: read the project again, then. Raises OpkgError when it is the package's only
    op, when others' rules name it, or something is in the way; nothing is written then.
    """
    if len(package.ops) == 1:
        hint = f"delete {project.prefix}{package.path}, and run: opkg generate"
        message = f"'{op.name}' is the only op of '{package.name}'"
        raise OpkgError(project.shown([error("OPK346", message, op.span, hint)]))

    shown = project.prefix + package.path

    def make(before: Before) -> Made:
        text = without_op(text_of(before[package.path], shown), op.name, shown)
        return {package.path: like(before[package.path], text)}

    plan = edit(project, [package.path], (), make, dry)
    if plan is None:
        return None
    used = {kernel.body for other in package.ops if other is not op for kernel in other.kernels}
    bodies = sorted({kernel.body for kernel in op.kernels if kernel.body} - used)
    there = [body for body in bodies if os.path.isfile(f"{project.root}/{body}")]
    hint = "it is yours: delete it if nothing else needs it"
    unused = [warning("OPK347", f"no op uses this file after {op.name}", Span(body), hint) for body in there]
    return Removed(tuple(plan.actions), tuple(project.shown(unused)))


def without_op(text: str, name: str, path: str) -> str:
    """The spec without an op's lines, the comment right above it, and a blank line before; all other lines untouched."""
    import yaml

    root: Any = yaml.compose(text)
    ops = next(value for key, value in root.value if key.value == "ops")
    if ops.flow_style:
        span = Span(path, ops.start_mark.line + 1, ops.start_mark.column + 1)
        message = "'ops' is written in braces; an op can be taken only out of an indented block"
        raise OpkgError([error("OPK344", message, span)])
    lines = text.split("\n")
    keys = [key.start_mark for key, _ in ops.value]
    place = next(number for number, (key, _) in enumerate(ops.value) if key.value == name)
    first = _comments_above(lines, keys[place].line, keys[place].column)
    last = (
        _comments_above(lines, keys[place + 1].line, keys[place].column) if place + 1 < len(keys) else _end(lines, ops)
    )
    while last > keys[place].line + 1 and not lines[last - 1].strip():
        last -= 1
    while first and not lines[first - 1].strip():
        first -= 1
    if place == 0:  # the first stands right below `ops:`
        while last < len(lines) and not lines[last].strip():
            last += 1
    return "\n".join([*lines[:first], *lines[last:]])


def _comments_above(lines: list[str], line: int, column: int) -> int:
    """The line where the comments right above a key begin that stand in its column."""
    while line and lines[line - 1].startswith(" " * column + "#"):
        line -= 1
    return line


def _end(lines: list[str], ops: Any) -> int:
    """The line after the last of the block; comments behind it that are less indented are not its own."""
    end = min(int(ops.end_mark.line), len(lines))
    column = ops.start_mark.column
    while end and (not lines[end - 1].strip() or _outside(lines[end - 1], column)):
        end -= 1
    return end


def _outside(line: str, column: int) -> bool:
    return line.lstrip().startswith("#") and len(line) - len(line.lstrip()) < column
