"""A finding about a stretch of text whose file is not known yet: what readers of single nodes give."""

from __future__ import annotations

from typing import NamedTuple

from opkg.rules.syntax import Node
from opkg.rules.text.printer import to_text
from opkg.spec.diagnostics import Diagnostic, Severity
from opkg.spec.source_text import AnyText


class Problem(NamedTuple):
    """One finding about the characters `start` to `end` (exclusive) of a text."""

    severity: Severity
    id: str
    message: str
    start: int
    end: int
    hint: str = ""

    def within(self, text: AnyText) -> Diagnostic:
        """The diagnostic, placed in the text the offsets are of."""
        return Diagnostic(self.id, self.message, text.span(self.start, self.end), self.hint, self.severity)


def brief(node: Node, most: int = 60) -> str:
    """The text of a node for a message, cut after `most` characters."""
    text = to_text(node)
    return text if len(text) <= most else f"{text[: most - 3]}..."
