"""The formatter: brings the rules of a C++ file or of a spec into the canonical layout and touches nothing else.

What comes out is read again before it is given out: when it does not say the same as what went in, the text stays as it
was and a finding says so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from opkg.rules.syntax import Call, Comment, Declaration, Document, Item, Node
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.formatter_comments import attach
from opkg.rules.text.formatter_layout import macro_text
from opkg.rules.text.formatter_spec import format_spec as format_spec
from opkg.spec.diagnostics import Diagnostic, Span, error, warning

_MACROS = (
    *("DEF_PACKAGE_OPTIMIZATION", "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "DEF_OPT", "DEF_OPTIM", "DEF_OPT_FLAGS"),
    "DEF_TENSOR_PROPERTIES",
)


def format_cpp(source: str, path: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """C++ source with every rule and every DEF_TENSOR_PROPERTIES in the canonical layout, and the parser's findings.

    Comments inside a call stay at their argument; what stands between calls stays as it is, to the byte (but a call
    that is indented moves to the first column, where the SDK's tool looks for it). A call that does not parse is left
    alone. Formatting twice gives the same as once.
    """
    document, found = parse_cpp(source, path)
    findings: tuple[Diagnostic, ...] = tuple(found)
    errors = [finding for finding in findings if finding.is_error]
    begins = [comment.start for comment in document.comments]
    newline = "\r\n" if "\r\n" in source else "\n"
    changes: list[_Change] = []
    for item in document.items:
        if _is_formatted(item) and not _has_error(item, errors):
            first, last = bisect_left(begins, item.start), bisect_left(begins, item.end)
            new = _item_text(item, document.comments[first:last], source)
            changes.append(_Change(item, _line_start(source, item.start), new.replace("\n", newline)))
    formatted = _replaced(source, changes)
    if _is_safe(source, formatted, document, path):
        return formatted, findings
    good = [change for change in changes if _same_meaning(change, path)]
    findings += tuple(_kept(change.item) for change in changes if change not in good)
    formatted = _replaced(source, good)
    if _is_safe(source, formatted, document, path):
        return formatted, findings
    message = "the file is left as it is: formatted, it would not read as the same"
    return source, (*findings, error("OPK517", message, Span(path)))


class _Change(NamedTuple):
    """A macro call, the offset from which its line is replaced, its new text."""

    item: Item
    start: int
    text: str


def _is_safe(source: str, formatted: str, document: Document, path: str) -> bool:
    """Whether what was formatted reads as before."""
    return formatted == source or _same_document(document, parse_cpp(formatted, path)[0])


def _is_formatted(item: Item) -> bool:
    """Registrations and param orders are lists of names and numbers: theirs is the layout of the code around them.

    The arguments of DEF_AUTOSPLIT* are not those of the rule they stand for.
    """
    return item.macro in _MACROS


def _has_error(item: Item, errors: Sequence[Diagnostic]) -> bool:
    if not errors:
        return False
    span = item.text.span(item.start, item.end)
    first, last = (span.line, span.column), (span.end_line, span.end_column)
    return any(first <= (f.span.line, f.span.column) < last for f in errors)


def arguments(item: Item) -> tuple[Node, ...]:
    """What stands in the brackets of a macro call."""
    if isinstance(item, Declaration):
        return item.args
    parts = (item.pass_, item.flags, item.match, item.when, item.replace)
    return tuple(part for part in parts if part is not None)


def _item_text(item: Item, comments: Sequence[Comment], source: str) -> str:
    """The new text of a macro call with its comments."""
    call = Call(item.macro, arguments(item), start=item.start, end=item.end, name_end=item.start + len(item.macro))
    return macro_text(call, attach(call, comments, source))


def _line_start(source: str, start: int) -> int:
    """The start of the line, when only blanks stand in front of `start`; else `start`."""
    begun = source.rfind("\n", 0, start) + 1
    return start if source[begun:start].strip(" \t") else begun


def _kept(item: Item) -> Diagnostic:
    message = f"this {item.macro} is left as it is: in its new layout it would not read as the same"
    return warning("OPK516", message, item.text.span(item.start, item.end))


def _replaced(source: str, changes: Sequence[_Change]) -> str:
    parts, at = [], 0
    for item, start, text in changes:
        parts += [source[at:start], text]
        at = item.end
    return "".join([*parts, source[at:]])


def _same_meaning(change: _Change, path: str) -> bool:
    """Whether a call alone reads as the same item."""
    found, _ = parse_cpp(change.text + "\n", path)
    return len(found.items) == 1 and _meaning(found.items[0]) == _meaning(change.item)


def _same_document(before: Document, after: Document) -> bool:
    """Whether two documents have the same items and the same comments."""
    if [_meaning(item) for item in before.items] != [_meaning(item) for item in after.items]:
        return False
    return sorted(_words(c) for c in before.comments) == sorted(_words(c) for c in after.comments)


def _meaning(item: Item) -> tuple[object, ...]:
    """An item without its name, which has the line in it."""
    return (item.macro, *arguments(item))


def _words(comment: Comment) -> str:
    return comment.text.replace("\r\n", "\n").rstrip()
