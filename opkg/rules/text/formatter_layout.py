"""Layout of a macro call that has comments; without any it is the printer's."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.syntax import Binary, Call, Node
from opkg.rules.text.formatter_comments import CommentMap
from opkg.rules.text.printer import INDENT, call_text, layout, to_text

WIDTH = 110


def macro_text(call: Call, comments: CommentMap, width: int = WIDTH) -> str:
    """A macro call from the first column; with a comment inside, every argument has a line of its own."""
    if not comments.inside(call):
        return call_text(call.name, call.args, width)
    return _broken(call, 0, 0, width, comments, 0)


def _with_comments(node: Node, column: int, width: int, comments: CommentMap, after: int) -> str:
    if not isinstance(node, Call) or not comments.inside(node):
        return layout(node, column, width, after)
    head = 0
    while head < len(node.args) - 1 and _stays_in_front(node.args[head], comments):
        head += 1
    return _broken(node, head, column, width, comments, after)


def _stays_in_front(argument: Node, comments: CommentMap) -> bool:
    """Whether an argument is a word or number without a comment."""
    return not isinstance(argument, Call | Binary) and (argument.start, argument.end) not in comments.at


def _broken(call: Call, head: int, column: int, width: int, comments: CommentMap, after: int) -> str:
    """A call over several lines, `head` arguments on the first; `after` characters follow on the last."""
    first = f"{call.name}({', '.join(map(to_text, call.args[:head]))}"
    rest = call.args[head:]
    lines = [first + ("," if head and rest else "")]
    pad = " " * (column + INDENT)
    for argument in rest:
        remarks = comments.of(argument)
        last = argument is rest[-1]
        before = "".join(f"{comment} " for comment in remarks.before)
        room = after + 1 if last else 1
        text = before + _with_comments(argument, column + INDENT, width - len(before), comments, room)
        lines += [pad + comment for comment in remarks.above]
        lines.append(pad + text + ("" if last else ",") + _behind(remarks.behind))
    closing = comments.closing.get((call.start, call.end), [])
    lines += [pad + comment for comment in closing]
    open_end = bool(closing or (rest and comments.of(rest[-1]).behind))
    return "\n".join(lines) + (f"\n{' ' * column})" if open_end else ")")


def _behind(comments: Sequence[str]) -> str:
    """Comments behind an argument; after a `//` another line begins."""
    return "".join(f"  {comment}" for comment in comments)
