"""The text of one expression to Python's syntax tree, after checks that keep Python's parser quiet and bounded."""

from __future__ import annotations

import ast
import re

MAX_TEXT = 1000

_BAD_CHAR = re.compile(r"[^A-Za-z0-9_ .,()\[\]+\-*/%<>=!\n]")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[0-9](?:[A-Za-z0-9_]|\.(?!\.)|(?<=[eE])[+-](?=[0-9]))*")
_GOOD_NUMBER = re.compile(r"(?:0|[1-9][0-9]*|(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))$")
_BARE_POINT = re.compile(r"(?<![A-Za-z0-9_.\])])\.[0-9]+")
_REST_AFTER = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\.\.\.")
_HINTS = {
    "&": "write 'and'", "|": "write 'or'", "?": "write 'a if test else b'", "^": "there is no power; multiply",
    "'": "a name needs no quotes here", '"': "a name needs no quotes here", "~": "write 'not'",
    "{": "shapes stand in [ ]", ":": "there are no slices; use x.shape[0]", ";": "one expression only",
}  # fmt: skip


class ExprError(Exception):
    """One finding of an expression, at characters `start` to `end` of its text."""

    def __init__(self, id: str, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__(message)
        self.id, self.message, self.start, self.end, self.hint = id, message, start, end, hint


def read_ast(text: str) -> ast.expr:
    """Python's syntax tree of the text; ExprError when the text is no expression of ours."""
    if not text.strip():
        raise ExprError("OPK160", "an expression is missing", 0, 1)
    if len(text) > MAX_TEXT:
        raise ExprError("OPK167", f"an expression has at most {MAX_TEXT} characters", 0, 1)
    _check_text(text)
    clean = text.replace("\n", " ")
    if "..." in clean:
        clean = _REST_AFTER.sub(r"*\1  ", clean)
    lead = len(clean) - len(clean.lstrip(" "))
    if lead:
        clean = clean[lead:] + " " * lead
    try:
        if clean.startswith("*"):
            return _starred(clean, lead)
        body = ast.parse(clean, mode="eval").body
    except SyntaxError as failure:
        if "too many nested" in (failure.msg or ""):
            raise ExprError("OPK167", "this expression nests too deep", 0, 1) from None
        offset = failure.offset or 0
        last = len(clean.rstrip()) + lead
        at = min(offset - 1 + lead, last) if offset > 0 else last
        reason, end = _reason(failure, at >= last), max(at + 1, min((failure.end_offset or 0) - 1 + lead, last))
        raise ExprError("OPK160", f"cannot read this expression: {reason}", at, end, _hint(clean, at - lead)) from None
    except (ValueError, RecursionError, MemoryError):
        raise ExprError("OPK167", "this expression nests too deep", 0, 1) from None
    return _moved(body, lead) if lead else body


def _starred(clean: str, lead: int) -> ast.expr:
    """`*name`, one item of a shape list."""
    body = ast.parse(f"[{clean}]", mode="eval").body
    if isinstance(body, ast.List) and len(body.elts) == 1:
        return _moved(body.elts[0], lead - 1)
    raise ExprError("OPK160", "this is no expression", lead, lead + len(clean.rstrip()))


def _moved(body: ast.expr, by: int) -> ast.expr:
    """The tree with all its columns moved."""
    for node in ast.walk(body):
        if isinstance(node, ast.expr):
            node.col_offset += by
            node.end_col_offset = (node.end_col_offset or 0) + by
    return body


def _reason(failure: SyntaxError, at_end: bool) -> str:
    message = failure.msg or "invalid syntax"
    if at_end or "EOF" in message or "was never closed" in message:
        return "it ends too early"
    return "unexpected text" if message.startswith("invalid syntax") else message.split(". ")[0]


def _hint(text: str, at: int) -> str:
    """What stands at a place that Python's parser does not take."""
    if text[at : at + 1] == "=":
        return "two values are compared with '=='"
    return "write 'not'" if text[at : at + 1] == "!" else ""


def _check_text(text: str) -> None:
    """Characters and numbers that are not of the language, before Python's parser sees them."""
    bad = _BAD_CHAR.search(text)
    if bad is not None:
        char = bad.group()
        raise ExprError("OPK161", f"'{char}' is not in the expression language", *bad.span(), _HINTS.get(char, ""))
    for found in _NUMBER.finditer(text):
        if not _GOOD_NUMBER.match(found.group()):
            hint = "write numbers as 12, 0.5 or 1e-5"
            raise ExprError("OPK166", f"'{found.group()}' is not a number of this language", *found.span(), hint)
    point = _BARE_POINT.search(text)
    if point is not None:
        hint = f"write 0{point.group()}"
        raise ExprError("OPK166", f"'{point.group()}' is not a number of this language", *point.span(), hint)
