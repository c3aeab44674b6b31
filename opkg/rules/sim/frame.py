"""What an attempt to apply a rule stands on: graph, bound tags, open splits, settings; and what users can set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from opkg.rules.core import At, Expr
from opkg.rules.sim.arithmetic import Fault, Scalar
from opkg.rules.sim.model import Graph, Node, OptionValue

MAX_SPLITS = 8  # open splits at a time (the real context stack has eight places)
MAX_SPENT = 300_000  # nodes, slices and steps of one replacement; more is taken for a mistake
# (node, values of the inputs) -> values of the output, or None when it cannot tell; arrays are numpy's, of real numbers.
Folder = Callable[[Node, list[Any]], Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made.

    `externals`: C++ function name -> Python function (see `context.Context`). `constants`: values of C++ names in rules.
    `options`: in addition to the graph's (which win). `fold`: op -> constant propagation of it.
    `verbose`: records the value of each subexpression of a constraint. `attempts`: records also what did not apply.
    `trace`: False keeps no record of applications.
    `max_lineage`: rewrites of rewrites in one pass; `max_growth`: applications in one pass
    for each node it starts with (1000 at least; for new nodes 50,000 at least); beyond that, the rules are taken to be endless.
    """

    externals: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    constants: Mapping[str, Scalar] = field(default_factory=dict)
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    fold: Mapping[str, Folder] = field(default_factory=dict)
    verbose: bool = False
    attempts: bool = False
    trace: bool = True
    max_lineage: int = 500
    max_growth: int = 20


@dataclass(frozen=True, slots=True)
class Split:
    """An open AUTOSPLIT slice or OP_ITER step: the variables SPLIT_DIM, SPLIT_START (ITER_VAR) and SPLIT_SIZE."""

    dim: int
    start: int
    size: int


@dataclass(slots=True)
class Frame:
    """One attempt. `bound`: tag -> node id, "*" the root. `log`: values of subexpressions in order of evaluation."""

    graph: Graph
    bound: Mapping[str, int]
    settings: Settings
    splits: dict[str, Split] = field(default_factory=dict)
    log: list[tuple[Expr, Scalar]] | None = None
    missing: set[str] = field(default_factory=set)  # options that were read and are not set
    spent: int = 0  # nodes built, slices and steps begun

    def spend(self) -> None:
        """One more node, slice or step. Raises Fault for more than any sensible replacement has."""
        self.spent += 1
        if self.spent > MAX_SPENT:
            raise Fault(f"the replacement builds more than {MAX_SPENT} nodes and slices")

    def option(self, name: str) -> OptionValue:
        """A graph option; one that is not set is 0 and noted."""
        value = self.graph.options.get(name)
        if value is None:
            value = self.settings.options.get(name)
        if value is None:
            self.missing.add(name)
            return 0
        return value

    def tagged(self, tag: str, at: At) -> Node:
        id = self.bound.get(tag)
        if id is None:
            raise Fault(f'no operand has the tag "{tag}"', at)
        return self.graph.nodes[id]

    def split(self, tag: str, at: At) -> Split:
        split = self.splits.get(tag)
        if split is None:
            raise Fault(f'"{tag}" is no split that is open here', at)
        return split

    def external(self, name: str, at: At) -> Callable[..., Any]:
        """A user's Python function for a C++ one, by full name or what stands after the last `::`."""
        found = self.settings.externals.get(name) or self.settings.externals.get(name.rpartition("::")[2])
        if found is None:
            raise Fault(f"function {name} is not known here; give it in Python", at)
        return found
