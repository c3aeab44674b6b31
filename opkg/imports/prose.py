"""Free text of other worlds as summaries, descriptions and remarks of a spec, which go into C++ comments and strings."""

from __future__ import annotations

import re

from opkg.spec.safe_text import MAX_LINE, MAX_TEXT, text_fault

_TRIGRAPH = re.compile(r"\?(?=\?[=/'()!<>-])")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def one_line(text: str, most: int = MAX_LINE) -> str:
    """The text on one line, without what may not stand in C++; cut at a word where it is too long."""
    line = " ".join(_safe(text).replace('"', "'").split())
    if len(line) > most:
        line = line[: most - 4].rpartition(" ")[0] + " ..."
    assert text_fault(line, one_line=True) is None, line
    return line


def lines(text: str) -> str:
    """The text with its lines, without blanks that they have in common."""
    rows = [row.rstrip() for row in _safe(text).expandtabs(2).split("\n")]
    while rows and not rows[0].strip():
        rows.pop(0)
    while rows and not rows[-1].strip():
        rows.pop()
    indent = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    whole = "\n".join(row[indent:] for row in rows)
    return whole if len(whole) <= MAX_TEXT else whole[: MAX_TEXT - 5].rpartition("\n")[0] + "\n..."


def _safe(text: str) -> str:
    text = _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\\", "/").replace('"""', "'''"))
    return _TRIGRAPH.sub("? ", text.replace("*/", "* /").replace("/*", "/ *"))
