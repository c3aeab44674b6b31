"""The engine against another one, written here without any index or worklist, on random graphs and rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_sim_kit import check_books

from opkg.rules import syntax
from opkg.rules.core import (
    Apply,
    Build,
    Const,
    Existing,
    Expr,
    HtpType,
    Match,
    MatchOp,
    MatchTag,
    Property,
    PropertyKind,
    Relation,
    RelationKind,
    Repl,
    Tag,
    Type,
    TypedRule,
)
from opkg.rules.sim import Graph, Output, Settings, apply
from opkg.rules.sim.model import INPUT
from opkg.rules.sim.run import StepKind
from opkg.spec.source_text import SourceText

WRITTEN = syntax.Rule(
    "r", "", None, None, syntax.Name("m"), None, syntax.Name("r"), SourceText("r.yaml", "rule"), start=0, end=4
)
OK = Const(Type.BOOL, True)
PLAIN = Output(HtpType.Float32, (1,))
OPS = ("o0", "o1", "o2", "o3", "o4")
WEIGHT = {op: 4**i for i, op in enumerate(OPS)}
TAGS = ("X", "Y", "Z")


# ---- the other engine


@dataclass(frozen=True)
class Plain:
    op: str
    inputs: tuple[int, ...]


class Naive:
    """A dict of nodes; after each application it starts again at the first node."""

    def __init__(self, nodes: dict[int, Plain], outputs: list[int]) -> None:
        self.nodes, self.outputs = nodes, outputs
        self.ids = count(max(nodes) + 1)
        self.rank = {id: place for place, id in enumerate(self.order())}

    def order(self) -> list[int]:
        done: list[int] = []

        def visit(id: int) -> None:
            if id not in done:
                for i in self.nodes[id].inputs:
                    visit(i)
                done.append(id)

        read = {i for node in self.nodes.values() for i in node.inputs}
        for root in (*self.outputs, *(id for id in sorted(self.nodes) if id not in read)):
            visit(root)
        return done

    def run(self, rules: list[TypedRule]) -> None:
        self.clean(sorted(self.nodes))
        for priority in sorted({rule.priority for rule in rules}):
            while any(
                self.step(rule, id)
                for id in sorted(self.nodes, key=lambda id: (self.rank[id], id))
                for rule in rules
                if rule.priority == priority
            ):
                pass

    def step(self, rule: TypedRule, root: int) -> bool:
        bound: dict[str, set[int]] = {"*": {root}}
        if not self.fits(rule.match, root, bound) or any(len(ids) > 1 for ids in bound.values()):
            return False
        tags = {tag: min(ids) for tag, ids in bound.items()}
        if not self.holds(rule.when, tags):
            return False
        readers = [id for id, node in self.nodes.items() if root in node.inputs]
        old = set(self.nodes)
        result = self.make(rule.replace, tags, root)
        if result == root:
            return False
        for id in readers:
            node = self.nodes[id]
            self.nodes[id] = Plain(node.op, tuple(result if i == root else i for i in node.inputs))
        self.outputs = [result if id == root else id for id in self.outputs]
        self.clean([root, *sorted(set(self.nodes) - old)])
        return True

    def fits(self, part: Match, id: int, bound: dict[str, set[int]]) -> bool:
        if isinstance(part, MatchTag):
            bound.setdefault(part.tag, set()).add(id)
            return True
        node = self.nodes[id]
        if node.op != part.op or len(node.inputs) < len(part.inputs):
            return False
        if len(node.inputs) != len(part.inputs) and not part.open:
            return False
        if part.tag:
            bound.setdefault(part.tag, set()).add(id)
        return all(self.fits(p, i, bound) for p, i in zip(part.inputs, node.inputs, strict=False))

    def holds(self, when: Expr, tags: dict[str, int]) -> bool:
        if isinstance(when, Relation):
            first, second = (tags[operand.name] for operand in when.operands if isinstance(operand, Tag))
            return first == second
        if isinstance(when, Apply):
            if when.operator == "NOT":
                return not self.holds(when.args[0], tags)
            inputs = when.args[0]
            assert isinstance(inputs, Property)
            assert isinstance(inputs.operand, Tag)
            return len(self.nodes[tags[inputs.operand.name]].inputs) == 2
        return True

    def make(self, repl: Repl, tags: dict[str, int], root: int) -> int:
        if isinstance(repl, Existing):
            assert isinstance(repl.operand, Tag)
            return tags[repl.operand.name]
        assert isinstance(repl, Build)
        inputs = tuple(self.make(i, tags, root) for i in repl.inputs)
        id = next(self.ids)
        self.nodes[id] = Plain(repl.op, inputs)
        self.rank[id] = self.rank[root]
        return id

    def clean(self, doubtful: list[int]) -> None:
        """What was only there for the root goes; other nodes that nobody reads stay."""
        while doubtful:
            id = doubtful.pop()
            node = self.nodes.get(id)
            read = id in self.outputs or any(id in other.inputs for other in self.nodes.values())
            if node is not None and node.op != INPUT and not read:
                del self.nodes[id]
                doubtful += node.inputs


# ---- random graphs and rules


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    graph = Graph()
    graph.add(INPUT, (), PLAIN, name="x")
    graph.add(INPUT, (), PLAIN, name="y")
    for number in range(draw(st.integers(1, 12))):
        inputs = draw(st.lists(st.integers(max(0, len(graph) - 4), len(graph) - 1), min_size=0, max_size=3))
        graph.add(draw(st.sampled_from(OPS)), inputs, PLAIN, name=f"n{number}")
    given_out = draw(st.lists(st.sampled_from(sorted(graph.nodes)), min_size=1, max_size=3, unique=True))
    graph.set_outputs((f"out{i}", id) for i, id in enumerate(given_out))
    return graph


@st.composite
def patterns(draw: st.DrawFn, depth: int = 2) -> MatchOp:
    inputs: list[Match] = []
    for _ in range(draw(st.integers(0, 3))):
        deeper = depth > 1 and draw(st.integers(0, 2)) == 0
        inputs.append(draw(patterns(depth - 1)) if deeper else MatchTag(draw(st.sampled_from(TAGS))))
    return MatchOp(draw(st.sampled_from(OPS)), tuple(inputs), open=draw(st.integers(0, 3)) == 0)


def tags_of(part: Match) -> set[str]:
    return {part.tag} if isinstance(part, MatchTag) else set().union(*map(tags_of, part.inputs))


@st.composite
def replacements(draw: st.DrawFn, known: list[str], budget: int, depth: int = 3) -> Repl:
    """Ops that weigh less than `budget` together, so that rewriting must end."""
    lighter = [op for op in OPS if WEIGHT[op] < budget]
    if known and (not lighter or draw(st.integers(0, 2)) == 0 or not depth):
        return Existing(Tag(draw(st.sampled_from(known))))
    op = draw(st.sampled_from(lighter or OPS[:1]))
    left, inputs = budget - WEIGHT[op], []
    for _ in range(draw(st.integers(0, 2)) if depth else 0):
        part = draw(replacements(known, max(left // 2, 1), depth - 1))
        if weight_of(part) >= left:
            break
        left -= weight_of(part)
        inputs.append(part)
    return Build(op, tuple(inputs))


def weight_of(repl: Repl) -> int:
    return WEIGHT[repl.op] + sum(map(weight_of, repl.inputs)) if isinstance(repl, Build) else 0


@st.composite
def conditions(draw: st.DrawFn, known: list[str]) -> Expr:
    kind = draw(st.integers(0, 4))
    if kind == 0 and known:
        pair = (Tag(draw(st.sampled_from(known))), Tag(draw(st.sampled_from(known))))
        return Apply("NOT", (Relation(RelationKind.SAME_OP, pair),), Type.BOOL)
    if kind == 1:
        inputs = Property(PropertyKind.INPUTS, Tag(draw(st.sampled_from([*known, "*"]))), None, Type.SIZE)
        return Apply("EQ", (inputs, Const(Type.SIZE, 2)), Type.BOOL)
    return OK


@st.composite
def random_rules(draw: st.DrawFn, ends: bool) -> TypedRule:
    pattern = draw(patterns())
    known = sorted(tags_of(pattern))
    repl = draw(replacements(known, WEIGHT[pattern.op] if ends else 300))
    if ends and weight_of(repl) >= WEIGHT[pattern.op]:
        repl = Existing(Tag(known[0])) if known else Existing(Tag("*"))
    when = draw(conditions(known))
    return TypedRule(
        f"r{draw(st.integers(0, 99))}", draw(st.sampled_from([5, 9])), "EARLY", (), pattern, when, repl, "p", WRITTEN
    )


@settings(max_examples=250, deadline=None)
@given(graphs(), st.lists(random_rules(ends=True), min_size=1, max_size=6))
def test_the_same_fixpoint(graph: Graph, rules: list[TypedRule]) -> None:
    done = apply(graph, rules, Settings())
    assert done.stopped is None
    check_books(done.graph)
    last = graph.copy()
    for step in done.steps:
        if step.kind in (StepKind.RULE, StepKind.DEAD):
            last.play(step.delta)
    other = Naive(
        {id: Plain(node.op, node.inputs) for id, node in graph.nodes.items()}, [id for _, id in graph.outputs]
    )
    other.run(rules)
    assert {id: Plain(node.op, node.inputs) for id, node in last.nodes.items()} == other.nodes
    assert [id for _, id in last.outputs] == other.outputs


@settings(max_examples=100, deadline=None)
@given(graphs(), st.lists(random_rules(ends=False), min_size=1, max_size=6))
def test_any_rules_come_to_an_end(graph: Graph, rules: list[TypedRule]) -> None:
    done = apply(graph, rules, Settings(max_lineage=60, max_growth=1))
    check_books(done.graph)
    assert (done.stopped is None) == (not any(finding.id == "OPK587" for finding in done.findings))
    if done.stopped is not None:
        assert done.stopped.rules
        assert set(done.stopped.rules) <= {rule.name for rule in rules}


@pytest.mark.parametrize("size", [20_000])
def test_deep_graphs_need_no_stack(size: int) -> None:
    graph = Graph()
    last = graph.add(INPUT, (), PLAIN, name="x").id
    for number in range(size):
        last = graph.add(f"o{number % 2}", (last,), PLAIN).id
    graph.set_outputs([("y", last)])
    rule = TypedRule("r", 5, "5", (), MatchOp("o1", (MatchOp("o0", (MatchTag("X"),)),)), OK, Build("o2", (Existing(Tag("X")),)),
                     "p", WRITTEN)  # fmt: skip
    done = apply(graph, [rule], Settings(trace=False))
    assert done.counts == {"r": size // 2}
    assert len(done.graph) == size // 2 + 1
