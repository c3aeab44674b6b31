"""Lines of somebody else's file that are set aside under a mark, so that they come back without a record: text in, text out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from opkg.trees.found import line_end, split_lines


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `first` to `last` (from 0, `last` excluded), and what stands in their place: lines without line ends."""

    first: int
    last: int
    instead: tuple[str, ...] = ()


def _kept(owner: str) -> str:
    return f"# opkg {owner}| "


def _added(owner: str) -> str:
    return f"  # opkg {owner}"


def set_aside(text: str, owner: str, spans: Sequence[Span]) -> str:
    """The text with those lines behind the mark of `owner`, a package; spans must not overlap."""
    lines = split_lines(text)
    for span in sorted(spans, key=lambda span: -span.first):
        held = lines[span.first : span.last]
        end = line_end(held[0]) or "\n"
        hidden = [f"{_indent(line)}{_kept(owner)}{line[len(_indent(line)) :]}" for line in held]
        if span.instead and not line_end(hidden[-1]):
            hidden[-1] += end
        lines[span.first : span.last] = [*hidden, *(f"{line}{_added(owner)}{end}" for line in span.instead)]
    return "".join(lines)


def restored(text: str, owner: str) -> str:
    """The text as it was before `set_aside` for that owner."""
    kept, added = _kept(owner), _added(owner)
    if kept not in text:
        return text
    shown = (line for line in split_lines(text) if not line.rstrip("\r\n").endswith(added))
    return "".join(_shown(line, kept) for line in shown)


def owners(text: str) -> set[str]:
    """Packages that have lines set aside in a text."""
    return set(re.findall(r"^[ \t]*# opkg ([\w.-]+)\| ", text, re.MULTILINE))


def _shown(line: str, kept: str) -> str:
    indent = _indent(line)
    return indent + line[len(indent) + len(kept) :] if line.startswith(kept, len(indent)) else line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
