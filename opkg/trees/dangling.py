"""What a planned change of Python files would break: names that nothing binds any more, modules that are gone."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher

from opkg.trees.checkout import Checkout

_HINT = "undo the edit, or take out by hand what needs it; then run this again"


def report(checkout: Checkout) -> None:
    """Findings (OPK361) on what would need something that the change takes away; none where it is not done anyway."""
    if checkout.findings:
        return
    gone = _outermost({_module(each.path) for each in checkout.changes() if each.after is None})
    for path, text in list(checkout.after.items()):
        if text is None or not path.endswith(".py"):
            continue
        before = checkout.before[path] or ""
        found = {*_imports(text, path, gone)} | ({*_unbound(before, text)} if text != before else set())
        for line, column, name in sorted(found):
            message = f"'{name}' is used here, and opkg would take it out"
            checkout.fault("OPK361", message, path, _line_before(before, text, line), _HINT, column)


def _module(path: str) -> str:
    """A module as a path without an ending; of a package's `__init__.py` its folder."""
    return path.removesuffix(".py").removesuffix("/__init__")


def _outermost(modules: Collection[str]) -> set[str]:
    return {module for module in modules if os.path.dirname(module) not in modules}


def _imports(text: str, path: str, gone: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where a file imports a module that goes away."""
    if not any(os.path.basename(module) in text for module in gone):
        return
    for node in ast.walk(_parsed(text)):
        if isinstance(node, ast.ImportFrom):
            home = _home(node, path)
            places = [(home, node.lineno, node.col_offset)]
            places += [(f"{home}/{each.name}", each.lineno, each.col_offset) for each in node.names]
            for module, line, column in places:
                if any(f"/{each}/" in f"/{module}/" for each in gone):
                    yield line, column + 1, os.path.basename(module)


def _home(node: ast.ImportFrom, path: str) -> str:
    """The module that something is imported from, as a path; a relative one from the root of the checkout."""
    folders = os.path.dirname(path).split("/")
    above = folders[: len(folders) - node.level + 1] if node.level else []
    return "/".join([*above, *(node.module or "").split(".")]).rstrip("/")


def _unbound(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """Where a file uses a name that it binds no more."""
    module = _parsed(after)
    lost = _bound(_parsed(before)) - _bound(module)
    for node in ast.walk(module) if lost else ():
        if isinstance(node, ast.Name) and node.id in lost:
            yield node.lineno, node.col_offset + 1, node.id


def _bound(module: ast.Module) -> set[str]:
    """Names that a module binds anywhere."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def _line_before(before: str, after: str, line: int) -> int:
    """The line of the file as it is that a line of the planned text comes from."""
    blocks = SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False).get_matching_blocks()
    return next((a + line - b for a, b, size in blocks if b < line <= b + size), line)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])  # what is not Python is a finding where something goes in or out
