"""Comments inside macro calls: which argument each one belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from opkg.rules.syntax import Call, Comment, Node


@dataclass(slots=True)
class Remarks:
    """The comments at one argument: before it on lines of their own, before it on its line, behind it on its line."""

    above: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CommentMap:
    """Comments by the place (start, end) of the argument they are at, and those in front of a call's closing bracket."""

    at: dict[tuple[int, int], Remarks] = field(default_factory=dict)
    closing: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    offsets: list[int] = field(default_factory=list)

    def of(self, node: Node) -> Remarks:
        return self.at.get((node.start, node.end), _NONE)

    def inside(self, node: Node) -> bool:
        """Whether a comment stands inside a node, so that it cannot be one line."""
        return any(node.start <= offset < node.end for offset in self.offsets)


_NONE = Remarks()


def attach(call: Call, comments: Sequence[Comment], source: str) -> CommentMap:
    """The comments inside `call`, each at the argument where it stays."""
    out = CommentMap()
    for comment in comments:
        if not call.start <= comment.start < call.end:
            continue
        _attach(out, _innermost(call, comment), comment, source)
        out.offsets.append(comment.start)
    return out


def _innermost(call: Call, comment: Comment) -> Call:
    """The smallest call that holds a comment behind its opening bracket."""
    for argument in call.args:
        if isinstance(argument, Call) and argument.start <= comment.start < argument.end:
            return _innermost(argument, comment)
    return call


def _attach(out: CommentMap, call: Call, comment: Comment, source: str) -> None:
    text = comment.text.replace("\r\n", "\n").rstrip()
    previous = next((a for a in reversed(call.args) if a.end <= comment.start), None)
    following = next((a for a in call.args if a.end > comment.start), None)
    one_line = text.startswith("/*") and "\n" not in text
    between = source[previous.end : comment.start] if previous is not None else "\n"
    same_line = "\n" not in between
    if following is not None and ("," in between or not same_line):
        # a comment in the middle of an argument (between two parts of a string, say) goes in front of it
        in_it = following.start < comment.start
        touches = "\n" not in source[comment.end : max(following.start, comment.end)]
        if one_line and (in_it or touches):
            _remarks(out, following).before.append(text)
            return
        if in_it or not same_line:
            _remarks(out, following).above.append(text)
            return
    if previous is not None and same_line:
        _remarks(out, previous).behind.append(text)
    else:
        out.closing.setdefault((call.start, call.end), []).append(text)


def _remarks(out: CommentMap, node: Node) -> Remarks:
    return out.at.setdefault((node.start, node.end), Remarks())
