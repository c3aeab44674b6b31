"""Lines of a function without the values that nothing reads."""

from __future__ import annotations

import re
from collections import Counter

# Messages and comments may name a value without reading it; `//` after a value divides, in Python.
_READ = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_TOLD = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(?:^|[;{}])[^\S\n]*//.*', re.MULTILINE)


def without_unused(lines: list[str], declared: re.Pattern[str]) -> list[str]:
    """The lines without values that nothing reads, until none is left.

    `declared` matches the declaration of a value that may go: group `name`, and group `call` when it has one, the
    declaration of a value whose call stays.
    """
    uses = Counter(_read("\n".join(lines)))
    left: list[str | None] = list(lines)
    values = {at: value for at, line in enumerate(lines) if (value := declared.match(line))}
    while unused := [at for at, value in values.items() if uses[value["name"]] <= 1]:
        for at in unused:
            value = values.pop(at)
            uses.subtract(_read(value.string))
            left[at] = None
            if value.groupdict().get("call"):
                left[at] = call = value.string[value.end() :]
                uses.update(_read(call))
    return [line for line in left if line is not None]


def _read(text: str) -> list[str]:
    """Names in code."""
    return _READ.findall(_TOLD.sub("", text))
