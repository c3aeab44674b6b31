"""What sort of tree it is, read from its files: traits with their dates, and what generated code cannot do without."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Read = Callable[[str], str | None]
"""The text of a file of the tree; None when it has none of that name."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A field of an era and the trees in which it is set: those that have one of `paths`, with `pattern` in it.
    `without`: what trees are taken for that have none of the files."""

    field: str
    dates: str
    paths: tuple[str, ...]
    pattern: str = ""
    without: bool = False


@dataclass(frozen=True, slots=True)
class Need:
    """What generated code needs and older trees do not have: `pattern` in a file, or not (`never`)."""

    path: str
    words: str
    pattern: str
    never: bool = False


def found(traits: Iterable[Trait], read: Read) -> dict[str, bool]:
    """The fields of an era."""
    return {trait.field: _has(trait, read) for trait in traits}


def _has(trait: Trait, read: Read) -> bool:
    texts = [text for text in map(read, trait.paths) if text is not None]
    return any(re.search(trait.pattern, text) for text in texts) if texts else trait.without


def unmet(needs: Iterable[Need], read: Read) -> list[tuple[Need, int]]:
    """What a tree lacks that generated code needs, with the line (from 1) that shows it. A file that is not there is not
    asked: that one is missing is found where something has to go into it."""
    lacking = []
    for need in needs:
        text = read(need.path)
        match = re.search(need.pattern, text) if text is not None else None
        if text is not None and (match is None) != need.never:
            lacking.append((need, text[: match.start()].count("\n") + 1 if match is not None else 1))
    return lacking
