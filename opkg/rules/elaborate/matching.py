"""Patterns: Op, OpVarIn, LET, tags."""

from __future__ import annotations

from typing import Any

from opkg.rules import core
from opkg.rules.constructs import Construct, ContextKind, Kind
from opkg.rules.elaborate.state import State, at, name_at, unwrap
from opkg.rules.elaborate.take import builds, construct, takes
from opkg.rules.syntax import Call, Node, Str

MOST_ENTRIES = 80
MATCH = ContextKind.MATCH


def pattern(state: State, node: Node) -> core.MatchOp | None:
    """The whole pattern; enters its tags into the state."""
    node = unwrap(node)
    state.tags["*"] = core.MatchTag("*")
    if isinstance(node, Call) and node.name == "LET":
        state.warning(
            "OPK526",
            'LET at the root: the root has the tag "*" already, and the published text forbids it',
            name_at(node),
        )
    made = matched(state, node)
    if isinstance(made, core.MatchTag):
        state.error("OPK526", "a pattern begins with an op, not with a tag", node, 'Op("Name", ...)')
        return None
    if made is None:
        strings = _strings(node)
        state.tags_known = bool(strings)
        for name in strings:  # so that no tag seems unknown because of an error around it
            state.tags.setdefault(name, core.MatchTag(name))
    else:
        state.tags["*"] = made
        entries = _ops(made) + len(_plain_tags(made))
        if entries > MOST_ENTRIES:
            state.error("OPK528", f"the pattern has {entries} ops and tags; {MOST_ENTRIES} is the limit", node)
    return made


def _strings(node: Node) -> set[str]:
    """All strings in a tree."""
    node = unwrap(node)
    if isinstance(node, Str):
        return {node.value}
    return set().union(*map(_strings, node.args)) if isinstance(node, Call) else set()


@takes(Kind.MATCH)
def matched(state: State, node: Node) -> core.Match | None:
    """A part of a pattern."""
    node = unwrap(node)
    if isinstance(node, Str):
        if node.value == "*":
            state.error(
                "OPK526", '"*" is the root\'s tag and cannot stand for an input', node, "give the input another tag"
            )
            return None
        found = core.MatchTag(node.value, at=at(node))
        state.tags.setdefault(node.value, found)
        return found
    if isinstance(node, Call):
        made: core.Match | None = construct(state, node, MATCH)
        return made
    state.error("OPK522", 'a part of a pattern is needed here: "X", Op(...), OpVarIn(...) or LET(...)', node)
    return None


@takes(Kind.MATCH_OP)
def matched_op(state: State, node: Node) -> core.MatchOp | None:
    """What LET may wrap."""
    bare = unwrap(node)
    if isinstance(bare, Str):
        state.error("OPK526", "LET wraps an op; a tag has its name already and does not compile here", node)
        return None
    made = matched(state, node)
    return made if isinstance(made, core.MatchOp) else None


@takes(Kind.NEW_TAG)
def new_tag(state: State, node: Node) -> str | None:
    """The tag that a LET gives."""
    node = unwrap(node)
    if not isinstance(node, Str):
        state.error("OPK522", "a tag is a string", node)
        return None
    if node.value == "*":
        state.error("OPK526", '"*" is the root\'s tag', node, "give it another one")
        return None
    known = state.tags.get(node.value)
    if isinstance(known, core.MatchOp) or node.value in state.aliases:
        state.error("OPK526", f'"{node.value}" is the tag of another LET', node, "a tag names one op")
        return None
    return node.value


@builds(MATCH, "Op", "OpVarIn")
def _op(state: State, call: Call, row: Construct, values: list[Any]) -> core.MatchOp:
    name, *inputs = values
    return core.MatchOp(name, tuple(inputs), row.name == "OpVarIn", at=at(call))


@builds(MATCH, "LET")
def _let(state: State, call: Call, row: Construct, values: list[Any]) -> core.MatchOp | None:
    tag, op = values
    inside = unwrap(call.args[1])
    if tag in _plain_tags(op) or tag in _let_tags(op):
        state.error(
            "OPK526", f'"{tag}" stands inside the op that LET calls so: a node cannot be its own input', call.args[0]
        )
        return None
    if isinstance(inside, Call) and inside.name == "LET":
        state.warning("OPK526", "LET around a LET: the published text lets it wrap Op and OpVarIn only", name_at(call))
    if op.tag:
        state.aliases[tag] = op.tag
        state.tags[tag] = op
        return op  # type: ignore[no-any-return]
    made = core.MatchOp(op.op, op.inputs, op.open, tag, at=at(call))
    state.tags[tag] = made
    return made


def _ops(match: core.Match) -> int:
    return 1 + sum(map(_ops, match.inputs)) if isinstance(match, core.MatchOp) else 0


def _plain_tags(match: core.Match) -> set[str]:
    if isinstance(match, core.MatchTag):
        return {match.tag}
    return set().union(*map(_plain_tags, match.inputs))


def _let_tags(match: core.Match) -> set[str]:
    if isinstance(match, core.MatchTag):
        return set()
    return {match.tag} - {""} | set().union(*map(_let_tags, match.inputs))
