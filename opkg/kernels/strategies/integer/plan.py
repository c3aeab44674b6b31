"""In which form every value of an integer kernel is computed: the cheapest, conversions included."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from opkg.kernels.graphs.graph import Node
from opkg.kernels.graphs.ranges import Interval, clamped, needed
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.integer.graph import IntegerGraph, stored_interval
from opkg.kernels.strategies.integer.lanes import FORMS, S64, T8, TESTS, Form
from opkg.kernels.strategies.integer.lowering import ALU, DOUBLE, MULTIPLY, Lowering
from opkg.kernels.strategies.integer.lowerings import LOWERINGS
from opkg.kernels.strategies.integer.maker import Cannot
from opkg.spec.compute.types import Type

_NEVER = 1 << 40
LEAVES = frozenset(("input", "const", "uniform"))


def form_of(operand: Operand) -> Form:
    """The form in which a tensor's elements lie in memory; bools are tested after they were loaded."""
    return Form(operand.storage.bits, operand.storage.signed, operand.bias != 0)


def stored_form(operand: Operand, type_: Type) -> Form:
    """The form that a value must have to be stored, or has once it is loaded."""
    return T8 if type_ is Type.BOOL else form_of(operand)


@dataclass(slots=True)
class Plan:
    """`lowerings[i]`: how node i is computed (None for leaves); `needed`: between which ends its values are told apart."""

    needed: tuple[Interval, ...]
    step: int
    apart: bool
    lowerings: list[Lowering | None] = field(default_factory=list)
    cost: int = 0


def step_of(snippet: Snippet) -> int:
    """Elements of a step: a whole vector of the smallest element."""
    smallest = min(o.storage.bits for o in (*read_inputs(snippet), *snippet.outputs))
    return 1024 // smallest


def plan(snippet: Snippet, given: IntegerGraph, apart: bool) -> Plan:
    """Chooses a lowering for every node. Raises Cannot when some node has none."""
    return _Planner(snippet, given, apart).plan()


class _Planner:
    """Costs by form first, from the leaves on; then the choice, from the results back."""

    def __init__(self, snippet: Snippet, given: IntegerGraph, apart: bool) -> None:
        self.snippet = snippet
        self.graph = given.graph
        self.ranges = given.ranges
        stored: dict[int, Interval] = {}
        for result in self.graph.results:
            window = stored_interval(snippet.operand(result.name))
            stored[result.node] = stored[result.node] | window if result.node in stored else window
        self.step = step_of(snippet)
        self.smallest = 1024 // self.step
        self.result = Plan(needed(self.graph, self.ranges, stored), self.step, apart)
        self.costs: list[dict[Form, int]] = []

    def plan(self) -> Plan:
        for index, node in enumerate(self.graph.nodes):
            self.costs.append(self._costs(index, node))
        asked: list[set[Form]] = [set() for _ in self.graph.nodes]
        for result in self.graph.results:
            type_ = self.graph[result.node].type
            asked[result.node].add(stored_form(self.snippet.operand(result.name), type_))
        chosen: list[Lowering | None] = [None] * len(self.graph)
        for index in reversed(range(len(self.graph))):
            node = self.graph[index]
            if node.op in LEAVES or not asked[index]:
                continue
            lowering = chosen[index] = self._choose(index, node, asked[index])
            for arg, form in zip(node.args, lowering.takes, strict=False):
                asked[arg].add(form)
        self.result.lowerings = chosen
        self.result.cost = (
            sum(self._spent(index, lowering, asked[index]) for index, lowering in enumerate(chosen)) + self._moves()
        )
        return self.result

    def _moves(self) -> int:
        """The cost of bringing tensors out of the order of memory and back."""
        if not self.result.apart:
            return 0
        tensors = [*self.graph.inputs, *(result.name for result in self.graph.results)]
        widths = [self.snippet.operand(name).storage.bits // self.smallest for name in tensors]
        return sum(MULTIPLY * {1: 0, 2: 1, 4: 4}[width] for width in widths)

    def _spent(self, index: int, lowering: Lowering | None, asked: set[Form]) -> int:
        """What a node and its conversions cost in the end."""
        node = self.graph[index]
        if node.op in ("const", "uniform") or not asked:
            return 0
        have = lowering.gives if lowering is not None else self._loaded(node)
        own = self._own(lowering) if lowering is not None else 0
        return own + sum(self._conversion(index, have, want) for want in asked)

    def _loaded(self, node: Node) -> Form:
        return stored_form(self.snippet.operand(node.name), node.type)

    def _forms(self, node: Node) -> Iterable[Form]:
        """Forms of whole vectors in this kernel."""
        return [f for f in (TESTS if node.type is Type.BOOL else (*FORMS, S64)) if f.bits >= self.smallest]

    def _costs(self, index: int, node: Node) -> dict[Form, int]:
        """What a node's value costs in each form that can hold it."""
        fitting = [form for form in self._forms(node) if self.result.needed[index] in form.limits]
        if node.op in ("const", "uniform"):
            return dict.fromkeys(fitting, 0)
        if node.op == "input":
            made = {self._loaded(node): 0}
        else:
            made = {}
            for lowering in self._lowerings(index, node):
                made[lowering.gives] = min(made.get(lowering.gives, _NEVER), self._total(node, lowering))
        if not made or min(made.values()) >= _NEVER:
            raise Cannot(f"no lanes hold what '{node.op}' gives ({_text(self.ranges[index])})")
        costs: dict[Form, int] = {}
        for form in fitting:
            costs[form] = min(cost + self._conversion(index, have, form) for have, cost in made.items())
        return costs

    def _lowerings(self, index: int, node: Node) -> list[Lowering]:
        constants = tuple([int(n.value or 0) if n.op == "const" else 0 for n in (self.graph[a] for a in node.args)])
        range_, kept = self.ranges[index], self.result.needed[index]
        found = []
        for lowering in LOWERINGS[node.op](range_, constants):
            if (range_ if lowering.exact else kept) not in lowering.gives.limits:
                continue
            if min(lowering.gives.bits, *(form.bits for form in lowering.takes)) >= self.smallest:
                found.append(lowering)
        return found

    def _total(self, node: Node, lowering: Lowering) -> int:
        """The cost of a lowering with its operands."""
        operands = zip(node.args, lowering.takes, strict=False)
        return self._own(lowering) + sum(self.costs[arg].get(form, _NEVER) for arg, form in operands)

    def _own(self, lowering: Lowering) -> int:
        cost = lowering.cost * self._vectors(lowering.gives)
        if lowering.takes[0].bits < lowering.gives.bits < 64 and not lowering.gives.test and not self.result.apart:
            cost += 2 * MULTIPLY * self._vectors(lowering.gives) // 2  # brought into the order of memory
        return cost

    def _vectors(self, form: Form) -> int:
        return self.step * form.bits // 1024

    def _choose(self, index: int, node: Node, asked: set[Form]) -> Lowering:
        """The lowering that is cheapest for all forms that are asked for."""

        def price(lowering: Lowering) -> int:
            return self._total(node, lowering) + sum(self._conversion(index, lowering.gives, form) for form in asked)

        return min(self._lowerings(index, node), key=price)

    def _conversion(self, index: int, have: Form, want: Form) -> int:
        """A rough cost of changing the form of a node's value."""
        if have == want:
            return 0
        if have.test:
            return (ALU if have.bits > want.bits and self.result.apart else 4 * ALU) * self._vectors(max(have, want))
        cost = ALU * (self._vectors(have) * have.moved + self._vectors(want) * want.moved)
        if have.bits != want.bits:
            more, less = max(have.bits, want.bits), min(have.bits, want.bits)
            each = DOUBLE if self.result.apart else MULTIPLY
            cost += each * self.step * (more - less) // 1024
        range_ = clamped(self.ranges[index], have.limits)
        if have.bits <= want.bits or not have.signed:
            outside = (range_.low < want.limits.low) + (range_.high > want.limits.high)
            cost += ALU * self._vectors(want) * outside
        return cost


def _text(range_: Interval) -> str:
    return f"{range_.low} to {range_.high}"
