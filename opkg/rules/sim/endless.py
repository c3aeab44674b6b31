"""Endless rule sets: who rewrites what whom built, how often, and what grows on the way."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.rules.core import TypedRule
from opkg.rules.sim.frame import Settings
from opkg.rules.sim.model import Graph, Node
from opkg.rules.sim.run import StopKind, Stopped

LOOK_BACK = 64  # ancestors that are compared
REPEATS = 5  # a node that comes back for the fifth time
_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """One application in a line of applications, each at a node that the one before built."""

    depth: int
    before: Link | None
    rule: TypedRule
    key: _Key  # of the node that was replaced
    node: Node
    nodes: int  # of the graph, after it


class Lineage:
    """Watches the applications of one pass."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._links: dict[int, Link] = {}
        self._settings = settings
        # Structures of new nodes, all the way down to old ones: their number by what they are (negative), and by node.
        self._structures: dict[_Key, int] = {}
        self._made: dict[int, int] = {}
        self.applications = self.built = 0
        self._most = settings.max_growth * max(1000, len(graph))
        self._most_built = settings.max_growth * max(50_000, len(graph))

    def _key(self, node: Node) -> _Key:
        """What makes a node the same as one that was rewritten before: op, output, inputs (new ones by their structure)."""
        return (node.op, node.output, *(self._made.get(id, id) for id in node.inputs))

    def note(self, rule: TypedRule, root: Node, built: tuple[int, ...]) -> Stopped | None:
        """Takes down an application at `root`; says when there are signs that it goes on for ever."""
        self.applications += 1
        self.built += len(built)
        before = self._links.get(root.id)
        link = Link(before.depth + 1 if before else 1, before, rule, self._key(root), root, len(self._graph))
        for id in built:
            self._links[id] = link
            made = self._graph.nodes[id]
            structure = (*self._key(made), repr(made.data))
            self._made[id] = self._structures.setdefault(structure, -1 - len(self._structures))
        if root.id in self._graph.nodes:
            self._links[root.id] = link
        if self._repeats(link):
            return self._stopped(StopKind.REPEATS, link)
        if link.depth >= self._settings.max_lineage:
            return self._stopped(StopKind.LINEAGE, link)
        if self.applications >= self._most or self.built >= self._most_built:
            return self._stopped(StopKind.GROWTH, link)
        return None

    def _repeats(self, link: Link) -> bool:
        same, at = 1, link.before
        for _ in range(min(LOOK_BACK, link.depth - 1)):
            if at is None:
                break
            if at.rule is link.rule and at.key == link.key:
                same += 1
                if same >= REPEATS:
                    return True
            at = at.before
        return False

    def _stopped(self, kind: StopKind, link: Link) -> Stopped:
        chain = _chain(link)
        period = _period(chain)
        cycle = chain[-period:]
        names = tuple(each.rule.name for each in cycle)
        return Stopped(kind, link.rule.priority, names, link.node.id, self._words(kind, chain, cycle, names))

    def _words(self, kind: StopKind, chain: list[Link], cycle: list[Link], names: tuple[str, ...]) -> str:
        who = (
            f"rule {names[0]} rewrites what it built"
            if len(names) == 1
            else f"rules {', '.join(names)} rewrite in turn"
        )
        path = " -> ".join(each.node.op for each in (*cycle, cycle[0]))
        first = chain[0].node
        text = f"{who} ({path}), {chain[-1].depth} times over, beginning at {first.name or f'%{first.id}'}; "
        if kind is StopKind.GROWTH:
            return text + f"{self.applications} applications in the pass built {self.built} nodes"
        return text + _growth(chain, len(cycle), kind)


def _chain(link: Link) -> list[Link]:
    """The line up to an application, oldest first."""
    chain: list[Link] = []
    at: Link | None = link
    while at is not None:
        chain.append(at)
        at = at.before
    return chain[::-1]


def _period(chain: list[Link]) -> int:
    """After how many applications the rules of the line repeat: the shortest that explains its end."""
    rules = [id(each.rule) for each in chain[-LOOK_BACK:]]
    for period in range(1, len(rules)):
        compared = rules[-min(len(rules), 4 * period) :]
        if all(a == b for a, b in zip(compared, compared[period:], strict=False)):
            return period
    return len(rules)


def _growth(chain: list[Link], period: int, kind: StopKind) -> str:
    """What differs between the last round and the one before."""
    if len(chain) <= period:
        return "each time with other nodes"
    last, before = chain[-1], chain[-1 - period]
    changes = []
    if last.nodes > before.nodes:
        grown = last.nodes - before.nodes
        changes.append(f"the graph grows by {grown} node{'s' if grown > 1 else ''} a round")
    if len(last.node.inputs) != len(before.node.inputs):
        changes.append(f"the op's inputs go from {len(before.node.inputs)} to {len(last.node.inputs)}")
    if last.node.output != before.node.output:
        changes.append(f"its output goes from {_short(before)} to {_short(last)}")
    if changes:
        return ", ".join(changes)
    return "the same node comes back" if kind is StopKind.REPEATS else "nothing gets smaller"


def _short(link: Link) -> str:
    return f"{link.node.output.dtype.name}[{','.join(map(str, link.node.output.shape))}]"
