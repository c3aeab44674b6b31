"""Colours of what is printed: a style by name, or none at all."""

from __future__ import annotations

from collections.abc import Callable

Paint = Callable[[str, str], str]  # text, style (a key of _CODES) -> text

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "head": "1",
    "dim": "2",
    "mark": "1;32",
    "good": "32",
    "bad": "1;31",
    "warn": "33",
}


def plain(text: str, style: str) -> str:
    """No colours."""
    return text


def ansi(text: str, style: str) -> str:
    """Colours of a terminal."""
    code = _CODES.get(style, "")
    return f"\x1b[{code}m{text}\x1b[0m" if code else text
