"""Small words that several reports share."""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plural(count: int, word: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def clean(text: str) -> str:
    """Text from outside, without what would move a terminal's cursor or change its colours."""
    return _CONTROL.sub("?", text)
