"""The macros that C++ text defines, read by pattern: one reader for rules' definitions and for the import of packages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/')
_DEFINE = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+([A-Za-z_]\w*)(\([^()\n]*\))?([^\n]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Macro:
    """What a macro stands for; `parameters` None: it takes none."""

    name: str
    parameters: tuple[str, ...] | None
    body: str


def joined(source: str) -> str:
    """The text with spliced lines joined and comments blank."""
    return _TEXT_OR_COMMENT.sub(
        lambda found: found[0] if found[0].startswith('"') else " ", _SPLICE.sub(" ", source)
    )  # fmt: skip


def definitions(source: str) -> Iterator[tuple[str, Macro | None]]:
    """The definitions of a text (see `joined`) in order, by name; None where a name is undefined again."""
    for word, name, parameters, body in _DEFINE.findall(source):
        given = tuple(part.strip() for part in parameters[1:-1].split(",")) if parameters else None
        yield name, None if word == "undef" else Macro(name, given, body.strip())
