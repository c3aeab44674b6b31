"""What is known while one rule is elaborated: findings, tags of the pattern, splits that are open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from opkg.rules import syntax
from opkg.rules.context import Context
from opkg.rules.core_match import At, MatchOp, MatchTag
from opkg.spec.diagnostics import Diagnostic, Severity
from opkg.spec.source_text import AnyText

DEEPEST = 130
Place = syntax.Node | At


@dataclass(slots=True)
class Split:
    """An AUTOSPLIT or OP_ITER whose last operand is being read. `construct`: its name; `used`: its tag was used."""

    tag: str
    construct: str
    used: bool = False


@dataclass(slots=True)
class State:
    """The state of one rule. `complete` is False when a value is not known to us, so that there can be no typed rule."""

    context: Context
    text: AnyText
    front: syntax.Front
    findings: list[Diagnostic] = field(default_factory=list)
    complete: bool = True
    replacing: bool = False  # in the replacement, not in pattern or constraint
    tags: dict[str, MatchTag | MatchOp] = field(default_factory=dict)
    tags_known: bool = True  # False: the pattern could not be read
    aliases: dict[str, str] = field(default_factory=dict)  # a LET around a LET: outer tag -> inner tag
    splits: list[Split] = field(default_factory=list)  # innermost last
    split_tags: set[str] = field(default_factory=set)  # of the whole replacement
    budget: int = 10_000  # constructs that may still be read: macros in macros' arguments multiply
    depth: int = 0  # constructs in each other
    seen: set[Diagnostic] = field(default_factory=set)
    roots: set[int] = field(default_factory=set)  # ids of syntax nodes at the root of the replacement

    def error(self, id: str, message: str, place: Place, hint: str = "") -> None:
        """An error at a node; always gives None, which stands for what cannot be known after it."""
        self._add(Severity.ERROR, id, message, place, hint)

    def warning(self, id: str, message: str, place: Place, hint: str = "") -> None:
        """A warning at a node."""
        self._add(Severity.WARNING, id, message, place, hint)

    def info(self, id: str, message: str, place: Place, hint: str = "") -> None:
        """A remark at a node."""
        self._add(Severity.INFO, id, message, place, hint)

    def _add(self, severity: Severity, id: str, message: str, place: Place, hint: str) -> None:
        start, end = place if isinstance(place, tuple) else (place.start, place.end)
        found = Diagnostic(id, message, self.text.span(start, end), hint, severity)
        if found not in self.seen:  # an argument that a macro repeats is read twice
            self.seen.add(found)
            self.findings.append(found)

    @property
    def failed(self) -> bool:
        return any(finding.is_error for finding in self.findings)

    def spend(self, place: Place) -> bool:
        """One construct more; False, with a finding (OPK528), when there have been too many or too many in each other."""
        self.budget -= 1
        if self.budget == -1 or (self.depth == DEEPEST and self.budget >= 0):
            what = f"constructs nested deeper than {DEEPEST}" if self.depth == DEEPEST else "more than 10000 constructs"
            message = f"the rule has {what} after the expansion of macros"
            self.error("OPK528", message, place, "give parts of it to rules of their own")
            self.budget = min(self.budget, -1)
        return self.budget >= 0

    def open_split(self, tag: str) -> Split | None:
        """The innermost open split with that tag."""
        return next((split for split in reversed(self.splits) if split.tag == tag), None)

    @contextmanager
    def within(self, split: Split) -> Iterator[None]:
        """While the last operand of a split is read."""
        self.splits.append(split)
        self.split_tags.add(split.tag)
        try:
            yield
        finally:
            self.splits.pop()


def at(node: syntax.Node) -> At:
    """Where a node stands."""
    return (node.start, node.end)


def name_at(call: syntax.Call) -> At:
    """Where the name of a call stands."""
    return (call.start, call.name_end)


def unwrap(node: syntax.Node) -> syntax.Node:
    """The node without brackets around it."""
    while isinstance(node, syntax.Paren):
        node = node.inner
    return node
