"""Lines of a function without the values that nothing reads."""

from __future__ import annotations

import re
from collections import Counter

# Messages and comments may name a value without reading it; `//` after a value divides, in Python.
_READ = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_TOLD = re.compile(r'"(?:[^"\\]|\\.)*"|(?:^|[;{}])\s*//.*', re.MULTILINE)


def without_unused(lines: list[str], declared: re.Pattern[str]) -> list[str]:
    """The lines without values that nothing reads, until none is left.

    `declared` matches the declaration of a value that may go: group `name`, and group `call` when it has one, the
    declaration of a value whose call stays.
    """
    uses = Counter(_read("\n".join(lines)))
    values = [(line, declared.match(line)) for line in lines]
    while True:
        kept: list[tuple[str, re.Match[str] | None]] = []
        for line, value in values:
            if value is None or uses[value["name"]] > 1:
                kept.append((line, value))
                continue
            uses.subtract(_read(line))
            if value.groupdict().get("call"):
                call = line[value.end() :]
                uses.update(_read(call))
                kept.append((call, declared.match(call)))
        if kept == values:
            return [line for line, _ in values]
        values = kept


def _read(text: str) -> list[str]:
    """Names in code."""
    return _READ.findall(_TOLD.sub("", text))
