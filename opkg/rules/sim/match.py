"""Matching: does a node's neighbourhood have the form of a rule's pattern, and what do the tags bind."""

from __future__ import annotations

from opkg.rules.core import MatchOp, MatchTag
from opkg.rules.sim.model import Graph, Node


def match(pattern: MatchOp, graph: Graph, node: Node) -> dict[str, int] | None:
    """Tag -> node id ("*" is the root), or None. Structure comes first, then tags: one that stands twice binds one node."""
    found: list[tuple[str, int]] = []
    if not _fits(pattern, graph, node, found):
        return None
    bound = {"*": node.id}
    for tag, id in found:
        if bound.setdefault(tag, id) != id:
            return None
    return bound


def _fits(pattern: MatchOp, graph: Graph, node: Node, found: list[tuple[str, int]]) -> bool:
    wanted, inputs = pattern.inputs, node.inputs
    if node.op != pattern.op or len(inputs) < len(wanted) or (len(inputs) > len(wanted) and not pattern.open):
        return False
    if pattern.tag:
        found.append((pattern.tag, node.id))
    for part, id in zip(wanted, inputs, strict=False):
        if isinstance(part, MatchTag):
            found.append((part.tag, id))
        elif not _fits(part, graph, graph.nodes[id], found):
            return False
    return True


def why_not(pattern: MatchOp, graph: Graph, node: Node) -> str:
    """Where the pattern does not fit, in words; "" when it does."""
    wanted = len(pattern.inputs)
    if node.op != pattern.op:
        return f"{graph.label(node.id)} is {node.op}, not {pattern.op}"
    if len(node.inputs) < wanted or (len(node.inputs) > wanted and not pattern.open):
        least = "at least " if pattern.open else ""
        return f"{graph.label(node.id)} ({node.op}) has {len(node.inputs)} inputs, the pattern {least}{wanted}"
    for part, id in zip(pattern.inputs, node.inputs, strict=False):
        if isinstance(part, MatchOp):
            reason = why_not(part, graph, graph.nodes[id])
            if reason:
                return reason
    return "" if match(pattern, graph, node) is not None else "a tag that stands twice meets two different nodes"


def depth(pattern: MatchOp) -> int:
    """Ops on the longest path of a pattern: 1 for a single op."""
    return 1 + max((depth(part) for part in pattern.inputs if isinstance(part, MatchOp)), default=0)
