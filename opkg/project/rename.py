"""Another name for an op: in its spec, in rules that name it, and in the kernel files that implement it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from opkg.project.discover import SKIPPED, Project
from opkg.project.edit import Before, Made, edit, replaced
from opkg.project.generate import Action
from opkg.project.read import read_spec
from opkg.project.scaffold import failure_at, like, text_of
from opkg.rules.syntax import Binary, Call, Node, Paren, Str, Unary
from opkg.rules.text.from_spec import document_of
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning
from opkg.spec.model import Op, OpPackage
from opkg.spec.names import op_name_fault, snake

_TEXTS = (".yaml", ".yml", ".py", ".cpp", ".cc", ".h", ".hpp", ".md", ".toml", ".txt")
_MOST = 1 << 20  # bytes of a file that is searched for the old name


class Renamed(NamedTuple):
    """What was (or would be) done, and a warning for each line elsewhere in the project that has the old name."""

    actions: tuple[Action, ...]
    left: tuple[Diagnostic, ...]


class _Place(NamedTuple):
    """Where an op is named: in a spec, by its path relative to the root."""

    spec: str
    span: Span


def rename(
    project: Project, packages: Sequence[OpPackage], package: OpPackage, op: Op, new: str, dry: bool = False
) -> Renamed | None:
    """Gives an op of `package`, one of the project's `packages`, another name, in one transaction with all generated files.

    The file of its kernels moves when it has the name that opkg gave it. None when a killed run had to be undone first: read
    the project again, then. Raises OpkgError when the name does not do or is taken, or a file is in the way; nothing is
    written then.
    """
    _free(project, package, new)
    places = [place for each in packages for place in _named(each, package.name, op.name)]
    specs = [package.path, *sorted({place.spec for place in places} - {package.path})]
    bodies = sorted({kernel.body for kernel in op.kernels if kernel.body})
    ours, wanted = f"kernels/{snake(op.name)}.cpp", f"kernels/{snake(new)}.cpp"
    moves = ours in bodies and wanted != ours and not _says_body(op)

    def make(before: Before) -> Made:
        if moves and wanted in before:
            raise failure_at("OPK343", f"'{project.prefix}{wanted}' is in the way", project.prefix + wanted, "move it")
        made: dict[str, bytes | None] = {}
        for spec in specs:
            text = text_of(before[spec], project.prefix + spec)
            pieces = [(place.span, new) for place in places if place.spec == spec]
            if spec == package.path:
                pieces.append((op.span, _key(text, op, new)))
            made[spec] = like(before[spec], replaced(text, pieces))
        words = _Words(package, op, _renamed(project, package, new, made), ours if moves else "", wanted)
        for body in bodies:
            if body in before:
                made[body] = None
                text = words.put(text_of(before[body], project.prefix + body))
                made[wanted if moves and body == ours else body] = like(before[body], text)
        return made

    plan = edit(project, specs, [*bodies, *([wanted] if moves else [])], make, dry)
    if plan is None:
        return None
    return Renamed(tuple(plan.actions), tuple(project.shown(list(_left(project, op.name, {*specs, *bodies, wanted})))))


def _free(project: Project, package: OpPackage, new: str) -> None:
    fault = op_name_fault(new)
    if fault is not None:
        raise OpkgError([error(fault[0], fault[1], Span(""), fault[2])])
    if new in [other.name for other in package.ops]:
        message = f"op '{new}' exists already in package '{package.name}'"
        raise failure_at("OPK342", message, project.prefix + package.path, "choose another name")


def _says_body(op: Op) -> bool:
    """Whether the spec itself names the file of the op's kernels, so that it stays where it is."""
    return any("body" in kernel.spans for kernel in op.kernels)


def _key(text: str, op: Op, new: str) -> str:
    """The new name as the op's key, in the quotes that the old one has."""
    first = text.split("\n")[op.span.line - 1][op.span.column - 1]
    return f"{first}{new}{first}" if first in "\"'" else new


def _renamed(project: Project, package: OpPackage, new: str, made: Made) -> Op:
    """The op as the changed spec has it; its findings are raised."""
    changed, found, _ = read_spec(project.root, package.path, made[package.path])
    if changed is None:
        raise OpkgError(project.shown([finding for finding in found if finding.is_error]))
    return next(op for op in changed.ops if op.name == new)


def _named(package: OpPackage, owner: str, name: str) -> Iterator[_Place]:
    """Where rules and tensor properties of a package name an op of the package `owner`."""
    if not any(op.rules or op.tensor_properties for op in package.ops):
        return
    words = {f"{owner}::{name}", name} if package.name == owner else {f"{owner}::{name}"}
    for item in document_of(package)[0].items:
        parts = getattr(item, "args", None) or (getattr(item, "match", None), getattr(item, "replace", None))
        for node in (found for part in parts if part is not None for found in _names(part)):
            if node.value in words and node.end > node.start:
                start = node.start + 1 + len(node.value) - len(name)
                yield _Place(package.path, item.text.span(start, start + len(name)))


def _names(node: Node) -> Iterator[Str]:
    """The constants that name ops: the first argument of each Op."""
    match node:
        case Call(name, args):
            if name == "Op" and args and isinstance(args[0], Str):
                yield args[0]
            for arg in args:
                yield from _names(arg)
        case Unary(_, inner) | Paren(inner):
            yield from _names(inner)
        case Binary(_, left, right):
            yield from _names(left)
            yield from _names(right)
        case _:
            return


class _Words:
    """The words of a kernel file that come from the op's name: functions, argument structs, header, the file's own path."""

    def __init__(self, package: OpPackage, old: Op, new: Op, body: str, wanted: str) -> None:
        header = package.cpp_namespace
        pairs = {a.function: b.function for a, b in zip(old.kernels, new.kernels, strict=True)}
        pairs[f"{header}/{snake(old.name)}.h"] = f"{header}/{snake(new.name)}.h"
        if body:
            pairs[body] = wanted
        self.pairs = pairs
        self.args = re.compile(rf"\b{re.escape(old.identifier)}Args(?=\w*\b)")
        self.new_args = f"{new.identifier}Args"
        self.exact = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in sorted(pairs, key=len, reverse=True)))
        self.comment = re.compile(rf"(//.*?)\b{re.escape(old.name)}\b")
        self.name = new.name

    def put(self, text: str) -> str:
        text = self.exact.sub(lambda found: self.pairs[found[0]], text)
        text = self.args.sub(self.new_args, text)
        return self.comment.sub(lambda found: found[1] + self.name, text)


def _left(project: Project, name: str, edited: set[str]) -> Iterator[Diagnostic]:
    """Lines of other files of the user's that still have the old name, as a word."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    for folder, folders, files in os.walk(project.root):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), project.root).replace(os.sep, "/")
            if file.endswith(_TEXTS) and path not in edited:
                yield from _lines(project.root, path, word)


def _lines(root: str, path: str, word: re.Pattern[str]) -> Iterator[Diagnostic]:
    try:
        with open(f"{root}/{path}", encoding="utf-8") as file:
            lines = file.read(_MOST).split("\n")
    except (OSError, UnicodeDecodeError):
        return
    for number, line in enumerate(lines, 1):
        found = word.search(line)
        if found is not None:
            span = Span(path, number, found.start() + 1, number, found.end() + 1)
            yield warning("OPK345", f"'{found[0]}' is still named here", span, "change it where it means the op")
