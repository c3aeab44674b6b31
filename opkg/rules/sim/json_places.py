"""JSON text to values that know their place; NaN and Infinity are numbers, as Python writes them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 20
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|-?Infinity\b|NaN\b")
_WORDS = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"(?:true|false|null)\b")


@dataclass(frozen=True, slots=True)
class Placed:
    """A value. `value`: str, int, float, bool, None, list of Placed, or dict of str to Placed; `start`, `end`: offsets."""

    value: Any
    start: int
    end: int


class Unreadable(Exception):
    """No JSON; `at`: offset."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at


def parse(text: str) -> Placed:
    """The value of a whole text. Raises Unreadable."""
    found = _value(text, _skip(text, 0), 0)
    end = _skip(text, found.end)
    if end < len(text):
        raise Unreadable("text after the end of the JSON value", end)
    return found


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Placed:
    char = text[at : at + 1]
    if char in ("{", "["):
        if depth >= MAX_DEPTH:
            raise Unreadable(f"nested more than {MAX_DEPTH} deep", at)
        return _object(text, at, depth) if char == "{" else _array(text, at, depth)
    if char == '"':
        return _string(text, at)
    found = _NUMBER.match(text, at)
    if found:
        word = found.group()
        whole = re.fullmatch(r"-?\d{1,40}", word)
        return Placed(int(word) if whole else float(word), at, found.end())
    found = _WORD.match(text, at)
    if found:
        return Placed(_WORDS[found.group()], at, found.end())
    raise Unreadable("a value is missing" if not char else "this is no JSON value", at)


def _string(text: str, at: int) -> Placed:
    found = _STRING.match(text, at)
    if not found:
        raise Unreadable("a text that is not closed, or has a control character", at)
    try:
        return Placed(json.loads(found.group()), at, found.end())
    except ValueError:
        raise Unreadable("a text with an escape that JSON does not have", at) from None


def _object(text: str, start: int, depth: int) -> Placed:
    made: dict[str, Placed] = {}
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        if made:
            at = _skip(text, _need(text, at, ","))
        if text[at : at + 1] != '"':
            raise Unreadable("a key in quotes is missing", at)
        key = _string(text, at)
        if key.value in made:
            raise Unreadable(f"a second key {key.value!r}", at)
        found = _value(text, _skip(text, _need(text, _skip(text, key.end), ":")), depth + 1)
        made[key.value] = found
        at = _skip(text, found.end)
    return Placed(made, start, at + 1)


def _array(text: str, start: int, depth: int) -> Placed:
    made: list[Placed] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        if made:
            at = _skip(text, _need(text, at, ","))
        found = _value(text, at, depth + 1)
        made.append(found)
        at = _skip(text, found.end)
    return Placed(made, start, at + 1)


def _need(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise Unreadable(f"'{mark}' is missing", at)
    return at + 1
