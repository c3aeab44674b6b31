"""What walks over typed trees find and make: which expressions give the same value each time they are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass, replace
from typing import Any

from opkg.rules.core import ExternalScalar, MatchOp, OpaqueScalar, Tag
from opkg.rules.core_match import Match
from opkg.rules.core_scalar import Apply, Cast, Expr
from opkg.rules.walk import below, child_fields


def is_stable(expr: Any) -> bool:
    """Whether evaluating it twice in one attempt gives the same: no C++ function or unknown macro is in it."""
    return not any(isinstance(node, ExternalScalar | OpaqueScalar) for node in below(expr))


def tags_in(node: Any) -> set[str]:
    """Tags that a tree names as operands."""
    return {part.name for part in below(node) if isinstance(part, Tag)}


def match_ops(pattern: MatchOp) -> Iterator[MatchOp]:
    """The ops of a pattern, the root first."""
    yield pattern
    for part in pattern.inputs:
        if isinstance(part, MatchOp):
            yield from match_ops(part)


def bound_by(pattern: MatchOp) -> dict[str, Match]:
    """What each tag of a pattern stands for: an op of the pattern, or anything (a MatchTag)."""
    found: dict[str, Match] = {"*": pattern}
    for op in match_ops(pattern):
        if op.tag:
            found[op.tag] = op
        for part in op.inputs:
            if not isinstance(part, MatchOp):
                found.setdefault(part.tag, part)
    return found


def terms(expr: Expr, operator: str = "AND") -> list[Expr]:
    """The operands of nested ANDs (or ORs) in order."""
    if isinstance(expr, Apply) and expr.operator == operator:
        return [term for arg in expr.args for term in terms(arg, operator)]
    if isinstance(expr, Cast) and expr.implicit and expr.operand.type is expr.type:
        return terms(expr.operand, operator)
    return [expr]


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with nodes replaced: `change` gives the new node, or None to keep it and look below."""
    made = change(node)
    if made is not None:
        return made
    parts = {}
    for name in child_fields(node):
        value = getattr(node, name)
        if type(value) is tuple:
            new: Any = tuple(rewritten(part, change) if is_dataclass(part) else part for part in value)
            changed = any(one is not other for one, other in zip(new, value, strict=True))
        else:
            new = rewritten(value, change) if is_dataclass(value) else value
            changed = new is not value
        if changed:
            parts[name] = new
    return replace(node, **parts) if parts else node
