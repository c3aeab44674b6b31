"""The formatter: brings the rules of a C++ file or of a spec into the canonical layout and touches nothing else.

What comes out is read again before it is given out: when it does not say the same as what went in, the text stays as it
was and a finding says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.cpp import parse_cpp
from opkg.rules.formatter_comments import attach
from opkg.rules.formatter_layout import macro_text
from opkg.rules.formatter_spec import format_spec as format_spec
from opkg.rules.syntax import Call, Comment, Declaration, Document, Item, Node, Opaque
from opkg.spec.diagnostics import Diagnostic, warning

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
    changes = []
    for item in document.items:
        if not _is_formatted(item) or _has_error(item, findings):
            continue
        new = _item_text(item, document.comments, source)
        start = _line_start(source, item.start)
        if new is None:
            findings = (*findings, _kept(item, "a comment stands where it cannot be kept in its place"))
        elif not _same_meaning(item, new, path):
            findings = (*findings, _kept(item, "its new layout would not read as the same"))
        else:
            changes.append((start, item.end, _line_ends(new, source)))
    formatted = _replaced(source, changes)
    if formatted != source and not _same_document(document, parse_cpp(formatted, path)[0]):
        whole = Diagnostic(*_UNSAFE, document.items[0].text.span(0, 1)) if document.items else None
        return source, (*findings, whole) if whole is not None else findings
    return formatted, findings


_UNSAFE = ("OPK517", "the file is left as it is: formatted, it would not read as the same")


def _is_formatted(item: Item) -> bool:
    """Registrations and param orders are lists of names and numbers: theirs is the layout of the code around them.

    The arguments of DEF_AUTOSPLIT* are not those of the rule they stand for.
    """
    return item.macro in _MACROS


def _has_error(item: Item, findings: Sequence[Diagnostic]) -> bool:
    span = item.text.span(item.start, item.end)
    first, last = (span.line, span.column), (span.end_line, span.end_column)
    return any(f.is_error and first <= (f.span.line, f.span.column) < last for f in findings)


def arguments(item: Item) -> tuple[Node, ...]:
    """What stands in the brackets of a macro call."""
    if isinstance(item, Declaration):
        return item.args
    parts = (item.pass_, item.flags, item.match, item.when, item.replace)
    return tuple(part for part in parts if part is not None)


def _item_text(item: Item, comments: Sequence[Comment], source: str) -> str | None:
    """The new text of a macro call; None when a comment stands inside text that is kept as written."""
    call = Call(item.macro, arguments(item), start=item.start, end=item.end, name_end=item.start + len(item.macro))
    inside = [comment for comment in comments if item.start <= comment.start < item.end]
    if inside and _in_opaque(call, inside):
        return None
    return macro_text(call, attach(call, inside, source))


def _in_opaque(node: Node, comments: Sequence[Comment]) -> bool:
    if isinstance(node, Opaque):
        return any(node.start <= comment.start < node.end for comment in comments)
    return isinstance(node, Call) and any(_in_opaque(argument, comments) for argument in node.args)


def _line_start(source: str, start: int) -> int:
    """The start of the line, when only blanks stand in front of `start`; else `start`."""
    begun = source.rfind("\n", 0, start) + 1
    return start if source[begun:start].strip(" \t") else begun


def _line_ends(text: str, source: str) -> str:
    """The line ends of the file."""
    return text.replace("\n", "\r\n") if "\r\n" in source else text


def _kept(item: Item, why: str) -> Diagnostic:
    return warning("OPK516", f"this {item.macro} is left as it is: {why}", item.text.span(item.start, item.end))


def _replaced(source: str, changes: Sequence[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, text in changes:
        parts += [source[at:start], text]
        at = end
    return "".join([*parts, source[at:]])


def _same_meaning(item: Item, text: str, path: str) -> bool:
    """Whether a call alone reads as the same item."""
    found, _ = parse_cpp(text + "\n", path)
    return len(found.items) == 1 and _meaning(found.items[0]) == _meaning(item)


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
