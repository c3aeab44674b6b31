"""Small words that several reports share."""

from __future__ import annotations


def plural(count: int, word: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
