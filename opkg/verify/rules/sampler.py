"""Random graphs of the form of a rule's pattern, made from the leaves up; the same for the same seed and goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from opkg.rules.core import HtpType, MatchOp, MatchTag, TypedRule
from opkg.rules.sim.data import Array as ArrayData
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Output
from opkg.verify.cases import values
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules import leaves
from opkg.verify.rules.goals import Goal, Key, producers
from opkg.verify.rules.leaves import Leaf
from opkg.verify.rules.meaning import Arg, Call, Unfit
from opkg.verify.rules.tensors import Value, rounded
from opkg.verify.rules.world import World

SHARED = 0.75  # how often two equal patterns of a multi-output op are one node
EXTRA_OUTPUTS = 0.2  # how often an inner node is read from outside, too


@dataclass(frozen=True, slots=True)
class Sample:
    """A graph in which `root` has the form of the pattern, with values of its inputs by node id."""

    graph: Graph
    root: int
    inputs: dict[int, Array]
    number: int


@dataclass(frozen=True, slots=True)
class Style:
    """How one graph is drawn: a number and an attempt name the random stream; `tiny`: dimensions of 1 to 3 only."""

    seed: int
    number: int
    attempt: int = 0
    tiny: bool = False

    @property
    def label(self) -> str:
        return f"{self.number}-{self.attempt}-{int(self.tiny)}"


# (maker, pattern, path, names, element type its reader would like, goals) -> id of the node of an op and all below it.
Draw = Callable[["Maker", MatchOp, str, tuple[str, ...], HtpType | None, Mapping[str, Goal]], int]


@dataclass(slots=True)
class Maker:
    """Makes one graph. Raises Unfit when the drawn operands do not go together."""

    rule: TypedRule
    world: World
    style: Style
    goals: Mapping[Key, Goal]
    draw: Draw
    graph: Graph = field(default_factory=Graph)
    values: dict[int, Value] = field(default_factory=dict)
    inputs: dict[int, Array] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    theme: HtpType = HtpType.QUInt8
    made_by_ops: frozenset[str] = frozenset()
    multis: dict[MatchOp, int] = field(default_factory=dict)  # equal patterns of multi-output ops may be one node

    def rng(self, *what: str) -> Rng:
        """The random stream of one decision: others do not shift it."""
        return Rng(self.style.seed, "rule", self.rule.name, self.style.label, *what)

    def make(self) -> Sample:
        """The graph of the rule's pattern."""
        themes = leaves.THEMES
        hinted = [t for t in themes if ("", f"hint {int(t)}") in self.goals]
        rng = self.rng("theme")
        self.theme = rng.choice(hinted) if hinted and rng.chance(0.7) else themes[self.style.number % len(themes)]
        self.made_by_ops = producers(self.rule)
        self.graph.options.update({k: v for (tag, k), v in self.goals.items() if tag == "" and " " not in k})
        root = self.op(self.rule.match, "*", None, {})
        outputs = [("y", root)]
        for (tag, key), name in self.goals.items():
            if key == "consumer" and tag in self.tags and isinstance(name, str):
                outputs.append((f"consumer{len(outputs)}", self.consumer(tag, name)))
        inner = [i for i, n in self.graph.nodes.items() if i != root and n.op not in (INPUT, CONST, SHAPE)]
        if inner and self.rng("extra").chance(EXTRA_OUTPUTS) and not self.graph.nodes[inner[-1]].output.is_multi:
            outputs.append(("inner", inner[-1]))
        self.graph.set_outputs(tuple(outputs))
        return Sample(self.graph, root, self.inputs, self.style.number)

    # ---- nodes

    def consumer(self, tag: str, op: str) -> int:
        """One more op that reads an operand."""
        counts = self.counts(op, 1)
        parts = tuple(MatchTag(tag if i == 0 else f"{tag}>{op}{i}") for i in range(counts[0]))
        return self.op(MatchOp(op, parts), f"{tag}>{op}", None, {})

    def counts(self, op: str, least: int) -> list[int]:
        """Numbers of operands that an op can have, from `least` on, fewest first."""
        own = self.world.own(op)
        if own is not None:
            found = sorted(n for n in own.counts() if n >= least)
        else:
            meaning = self.world.meaning(op)
            if meaning is None:
                raise Unfit(f"{op} has no meaning here")
            most = meaning.most if meaning.most >= 0 else least + 3
            found = list(range(max(meaning.least, least), most + 1))
        if not found:
            raise Unfit(f"{op} cannot have {least} operands")
        return found

    def op(self, match: MatchOp, path: str, demand: HtpType | None, down: Mapping[str, Goal]) -> int:
        """The node of a pattern's op, with everything below it. `demand`: the element type its reader would like; `down`:
        goals about its output's dimensions."""
        if match.op in (CONST, INPUT, SHAPE):
            raise Unfit(f"{match.op} as the root of a graph")
        if match.op == OUT:
            return self.selected(match, path, demand)
        if match.op != OUT and match.open:
            match = self.opened(match, path)
        names = tuple(t for t in ("*" if path == "*" else "", match.tag, path) if t)
        asked = {key: value for tag, key, value in self.about(names)}
        id = self.draw(self, match, path, names, demand, {**down, **asked})
        for name in names:
            self.tags.setdefault(name, id)
        return id

    def about(self, names: tuple[str, ...]) -> list[tuple[str, str, Goal]]:
        return [(tag, key, value) for (tag, key), value in self.goals.items() if tag in names]

    def opened(self, match: MatchOp, path: str) -> MatchOp:
        """An OpVarIn with some more operands."""
        counts = self.counts(match.op, len(match.inputs))
        count = self.rng("open", path).choice(counts)
        more = tuple(MatchTag(f"{path}+{i}") for i in range(count - len(match.inputs)))
        return MatchOp(match.op, (*match.inputs, *more), False, match.tag)

    def selected(self, match: MatchOp, path: str, demand: HtpType | None) -> int:
        """A `$Out` node on a multi-output op."""
        multi = self.several(match, path, demand)
        value = self.values[multi]
        if not isinstance(value, tuple):
            raise Unfit("$Out of an op with one output")
        rng = self.rng("out", path)
        used = [n.inputs[1] for n in self.graph.nodes.values() if n.op == OUT and n.inputs[0] == multi]
        tag = match.inputs[1].tag if len(match.inputs) > 1 else ""
        index = int(self.goals.get((tag, "dim3"), len(used))) % len(value)
        which = self.graph.add(SHAPE, (), Output(HtpType.Int32, (0, 0, len(value), index)))
        if len(match.inputs) > 1 and isinstance(match.inputs[1], MatchTag):
            self.tags[match.inputs[1].tag] = which.id
        source = self.graph.nodes[self.graph.nodes[multi].inputs[0]].output
        output = leaves.result_output(rng, source.dtype, value[index])
        return self.add(OUT, (multi, which.id), output, value[index], path, match)

    def several(self, match: MatchOp, path: str, demand: HtpType | None) -> int:
        """The multi-output op that a `$Out` reads: a new one, or one that is there."""
        first = match.inputs[0] if match.inputs else None
        known = list(self.multis.values())
        if isinstance(first, MatchOp):
            same = self.multis.get(first)
            if same is not None and self.rng("share", path).chance(SHARED):
                return same
            self.multis[first] = self.op(first, f"{path}.0", demand, {})
            return self.multis[first]
        if first is None or not known:
            raise Unfit("$Out of an operand that the pattern does not describe")
        return self.tags.setdefault(first.tag, known[0])

    def add(
        self, op: str, inputs: tuple[int, ...], output: Output, value: Value, path: str, match: MatchOp | None
    ) -> int:
        """A node with its values, rounded as its type says."""
        plain = op.rpartition("::")[2].removeprefix("QNN_").removeprefix("ElementWise").lstrip("$").lower()
        name = "root" if path == "*" else match.tag if match is not None and match.tag else plain
        node = self.graph.add(op, inputs, output, None, self.unique(name))
        self.values[node.id] = value if isinstance(value, tuple) else rounded(value, output)
        return node.id

    def unique(self, name: str) -> str:
        """A name that no node has."""
        name = "".join(c if c.isalnum() or c in "_$" else "_" for c in name.replace("*", "root")).strip("_") or "x"
        taken = {n.name for n in self.graph.nodes.values()}
        if name not in taken:
            return name
        return next(f"{name}_{i}" for i in range(2, len(taken) + 3) if f"{name}_{i}" not in taken)

    # ---- leaves

    def leaf(self, tag: str, leaf: Leaf) -> int:
        """A graph input, constant or shape under a tag."""
        leaf = leaves.with_values(self.goals, tag, leaf) if not leaf.shape else leaf
        name = self.unique(tag)
        if leaf.shape:
            node = self.graph.add(SHAPE, (), Output(HtpType.Int32, tuple(int(v) for v in leaf.value)), None, name)
        elif leaf.const:
            node = self.graph.add(CONST, (), leaf.output, ArrayData(leaf.value), name)
        else:
            node = self.graph.add(INPUT, (), leaf.output, None, name)
            self.inputs[node.id] = leaf.value
        self.values[node.id] = leaf.value
        self.tags[tag] = node.id
        return node.id

    def producer(self, tag: str) -> MatchOp | None:
        """The op that makes a leaf, when the constraint looks behind it."""
        op = self.goals.get((tag, "producer"))
        if op is None and tag in self.made_by_ops:
            op = self.rng("producer", tag).choice(("q::Relu", "q::ElementWiseAdd", "q::ElementWiseNeg"))
        if not isinstance(op, str) or op in (INPUT, CONST, SHAPE):
            return None
        count = self.counts(op, 0)[0]
        return MatchOp(op, tuple(MatchTag(f"{tag}<{i}") for i in range(count)))

    def bound(self, tag: str) -> int | None:
        """The node that a tag is already bound to, or that it shall share with another tag."""
        other = self.goals.get((tag, "alias"))
        if tag not in self.tags and isinstance(other, str) and other in self.tags:
            self.tags[tag] = self.tags[other]
        return self.tags.get(tag)

    def arg(self, id: int) -> Arg:
        node = self.graph.nodes[id]
        return Arg(self.values[id], node.output, node.op in (CONST, SHAPE))

    def call(self, op: str, ids: tuple[int, ...], dtype: HtpType) -> Value:
        """What the op gives on nodes that are there."""
        return self.world.compute(Call(op, tuple(self.arg(i) for i in ids), dtype))

    def values_style(self, place: int) -> str:
        """How the numbers of an operand are drawn; graphs take the ways in turn."""
        styles = values.STYLES
        return styles[(self.style.number + place * 3) % len(styles)]
