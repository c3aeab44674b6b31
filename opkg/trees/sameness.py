"""Whether two texts of an entry or a module say the same: what a formatter of Python does to one is no difference."""

from __future__ import annotations

import ast
import io
import tokenize
from functools import cache

from opkg.project.files import digest
from opkg.targets.foreign import MARK, Place
from opkg.trees import table

_AROUND = {
    "names": ("from . import (\n", ")\n"),
    "list": ("[\n", "]\n"),
    "call": ("[\n", "]\n"),
    "guards": ("if True:\n", ""),
    "starts": ("if True:\n", ""),
    "classes": ("", ""),
    "imports": ("", ""),
}
"""What makes a module of an entry, wherever its lines begin."""


def same_entry(place: Place, one: str, other: str, marks: bool = True) -> bool:
    """Of two entries of a list. `marks`: whether it matters if opkg's mark stands behind one."""
    if one == other:
        return True
    if place.kind not in _AROUND:
        return place.kind == "table" and not marks and table.unmarked(one) == table.unmarked(other)
    head, tail = _AROUND[place.kind]
    return _same(f"{head}{one}{tail}", f"{head}{other}{tail}", marks)


def same_module(path: str, one: str, other: str) -> bool:
    """Of two texts of a file; of what is no Python only the same text."""
    return one == other or (path.endswith(".py") and _same(one, other, True))


def _same(one: str, other: str, marks: bool) -> bool:
    said = _said(one, marks)
    return said is not None and said == _said(other, marks)


@cache
def _said(text: str, marks: bool) -> str | None:
    """A checksum of what a text says, its comments in their order; None of what is no Python."""
    try:
        words = "\n".join([*_comments(text, marks), ast.dump(ast.parse(text))])
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    return digest(words.encode("utf-8", "surrogatepass"))


def _comments(text: str, marks: bool) -> list[str]:
    """Comments without the space that stands in front of their words."""
    tokens = tokenize.generate_tokens(io.StringIO(text.replace("\r\n", "\n")).readline)
    found = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return [each.lstrip("# ").rstrip() for each in found if marks or not each.startswith(MARK.strip())]
