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
    while True:
        uses = Counter(_READ.findall(_TOLD.sub("", "\n".join(lines))))
        kept = []
        for line in lines:
            value = declared.match(line)
            if value is None or uses[value["name"]] > 1:
                kept.append(line)
            elif value.groupdict().get("call"):
                kept.append(line[value.end() :])
        if kept == lines:
            return lines
        lines = kept
