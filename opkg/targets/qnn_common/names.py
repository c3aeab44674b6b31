"""Names in generated C++: case changes, safe identifiers, string literals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from opkg.spec.names import snake as snake

# Identifiers the generated functions use themselves; a name of the spec's that equals one gets an underscore.
_OURS = frozenset(
    (
        *("opkg", "std", "op", "handle", "in", "out", "slice", "size_t"),
        *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    )
)


@lru_cache(maxsize=4096)
def camel(name: str) -> str:
    """`hard_swish` -> `HardSwish`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_\W]+", name) if part)


def local(name: str) -> str:
    """A name of the spec's as a C++ local variable that cannot meet one of ours."""
    return f"{name}_" if name in _OURS or name.endswith("_") else name


def unique(names: Iterable[str]) -> list[str]:
    """The names in order, a later equal one with a number behind it."""
    seen: set[str] = set()
    out = []
    for name in names:
        number, candidate = 2, name
        while candidate in seen:
            number, candidate = number + 1, f"{name}{number}"
        seen.add(candidate)
        out.append(candidate)
    return out


def string(text: str) -> str:
    """A C++ string literal: quotes, backslashes, control characters and trigraphs escaped."""
    out = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char == "?":
            out.append("\\?" if out and out[-1] in ("?", "\\?") else "?")
        elif char == "\n":
            out.append("\\n")
        elif ord(char) < 32 or ord(char) == 127:
            out.append(f"\\{ord(char):03o}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'


def comment(text: str) -> str:
    """Text that can stand in a line comment: one line, no trailing backslash."""
    return " ".join(text.split()).rstrip("\\").rstrip()
