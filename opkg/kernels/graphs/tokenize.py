"""Which neighbours of a graph of many ops become one kernel: greedy, one visit per op.

An op that fits takes in the subgraphs that its operands come from, as long as no cycle arises, few enough tensors go in
and out, and all results can be computed in one loop (their shapes broadcast). The rules are those of OpenVINO's snippets,
whose partitions of 400 random graphs are a test; the cycle test is its conservative one or true reachability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from opkg.spec.shapes import EvaluationError, Shape, broadcast, product

MOST_TENSORS = 11  # inputs and outputs of a subgraph


class Kind(StrEnum):
    INPUT = "input"
    CONSTANT = "constant"
    OP = "op"
    RESULT = "result"


class CycleTest(StrEnum):
    """NUMBERS: by numbers in the order of visits, conservative. PATHS: whether there is a path out and back in."""

    NUMBERS = "numbers"
    PATHS = "paths"


@dataclass(frozen=True, slots=True)
class Token:
    """One node of a graph of ops. `fits`: an op that a kernel can be made of."""

    name: str
    kind: Kind
    args: tuple[str, ...] = ()
    shape: Shape = ()
    fits: bool = False


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Ops that become one kernel, in the order in which they joined. `inputs`: one per tensor handed over; one that
    reaches it twice may stand twice. `outputs`: ops whose results are used outside."""

    ops: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.ops[-1]


def visiting_order(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Depth first from the results, the last result and the first operands first; inputs come before everything.

    `tokens` lists results and inputs in their order in the graph.
    """
    by_name = {token.name: token for token in tokens}
    todo = [token for token in tokens if token.kind is Kind.RESULT]
    todo += [token for token in tokens if token.kind is Kind.INPUT]
    done: dict[str, Token] = {}
    while todo:
        token = todo[-1]
        missing = [by_name[arg] for arg in reversed(token.args) if arg not in done]
        if token.name in done or not missing:
            done.setdefault(token.name, token)
            todo.pop()
        else:
            todo += missing
    return tuple(done.values())


def tokenize(
    tokens: Sequence[Token], most_tensors: int = MOST_TENSORS, cycle_test: CycleTest = CycleTest.NUMBERS
) -> tuple[Subgraph, ...]:
    """The subgraphs of a graph given in the order of visits. Ops that do not fit stay outside of all."""
    state = _State(tokens, most_tensors, cycle_test)
    for token in tokens:
        if token.kind is Kind.OP and token.fits:
            state.visit(token)
    parts = {id(part): part for part in state.owner.values()}.values()
    return tuple(Subgraph(tuple(part.ops), tuple(part.inputs), state.outputs(part.ops)) for part in parts)


@dataclass(slots=True, eq=False)
class _Part:
    """A subgraph as it grows. `number`: its place in the order of visits."""

    number: int
    ops: list[str]
    inputs: list[str] = field(default_factory=list)


class _State:
    def __init__(self, tokens: Sequence[Token], most_tensors: int, cycle_test: CycleTest) -> None:
        self.tokens: Mapping[str, Token] = {token.name: token for token in tokens}
        self.number = {token.name: number for number, token in enumerate(tokens)}
        self.most_tensors = most_tensors
        self.cycle_test = cycle_test
        self.owner: dict[str, _Part] = {}
        self.users: dict[str, list[str]] = {token.name: [] for token in tokens}
        for token in tokens:
            for arg in token.args:
                self.users[arg].append(token.name)

    def visit(self, token: Token) -> None:
        """Merges an op with the subgraphs of its operands, or makes it a subgraph of its own."""
        parts = self._mergeable(token)
        merged = self._merged(token, parts) if parts else None
        if merged is None:
            merged = self._joined(token, [])
        for op in merged.ops:
            self.owner[op] = merged

    def _mergeable(self, token: Token) -> list[_Part]:
        """The subgraphs of the operands that pass the cycle test."""
        found: list[_Part] = []
        candidates = {id(part): part for arg in token.args if (part := self.owner.get(arg)) is not None}
        limits = _Limits(self, token)
        for part in candidates.values():
            if self.cycle_test is CycleTest.NUMBERS:
                fits = limits.take(part)
            else:
                fits = not self._cycle(token, [*found, part])
            if fits:
                found.append(part)
        return found

    def _merged(self, token: Token, parts: list[_Part]) -> _Part | None:
        """All parts and the op, or None when a rule is broken."""
        if sum(self._feeds_result(part.ops) for part in parts) + self._feeds_result([token.name]) > 1:
            return None
        if self._takes_twice(token, parts):
            return None
        merged = self._joined(token, parts)
        outputs = self.outputs(merged.ops)
        if len(merged.inputs) + len(outputs) > self.most_tensors:
            return None
        try:
            broadcast([self.tokens[op].shape for op in outputs])
        except EvaluationError:
            return None
        return merged

    def _joined(self, token: Token, parts: list[_Part]) -> _Part:
        """Inputs in the order of the op's operands. Those of a part that are there already are not listed again."""
        inputs: list[str] = []
        ops: list[str] = []
        taken: list[_Part] = []
        for arg in token.args:
            part = next((part for part in parts if arg in part.ops), None)
            if part is None:
                if not self._moves_inside(arg):
                    inputs.append(arg)
            elif part not in taken:
                taken.append(part)
                ops += part.ops
                inputs += [name for name in dict.fromkeys(part.inputs) if name not in inputs]
        inputs = [name for name in inputs if name not in ops]
        return _Part(self.number[token.name], [*ops, token.name], inputs)

    def _takes_twice(self, token: Token, parts: list[_Part]) -> bool:
        """Whether the op reads a result of a subgraph that stays outside, and a part before it reads the same."""
        seen: set[str] = set()
        for arg in token.args:
            owner = self.owner.get(arg)
            if owner is not None and owner in parts:
                seen.update(owner.inputs)
            elif owner is not None and arg in seen:
                return True
        return False

    def _moves_inside(self, name: str) -> bool:
        token = self.tokens[name]
        return token.kind is Kind.CONSTANT and product(token.shape) == 1

    def outputs(self, ops: Sequence[str]) -> tuple[str, ...]:
        """The ops that are used outside of a set of ops."""
        inside = set(ops)
        return tuple(op for op in ops if any(user not in inside for user in self.users[op]))

    def _feeds_result(self, ops: Sequence[str]) -> bool:
        return any(self.tokens[user].kind is Kind.RESULT for op in ops for user in self.users[op])

    # The two cycle tests. Results of the whole graph come last, whatever their number: no cycle runs through them.

    def number_of(self, name: str) -> int:
        """The number of a node, or of the subgraph that it is in now."""
        part = self.owner.get(name)
        return part.number if part is not None else self.number[name]

    def parents(self, names: Sequence[str]) -> set[str]:
        """Operands from outside that are no constants or inputs."""
        inside = set(names)
        found = {arg for name in names for arg in self.tokens[name].args} - inside
        return {arg for arg in found if self.tokens[arg].kind is Kind.OP}

    def users_of(self, names: Sequence[str]) -> set[str]:
        found = {user for name in names for user in self.users[name]} - set(names)
        return {user for user in found if self.tokens[user].kind is not Kind.RESULT}

    def _cycle(self, token: Token, parts: list[_Part]) -> bool:
        """Whether a path leaves the union of op and parts and comes back."""
        inside = {token.name} | {op for part in parts for op in part.ops}
        todo = [user for name in inside for user in self.users[name] if user not in inside]
        seen: set[str] = set()
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            part = self.owner.get(at)
            for name in part.ops if part is not None else [at]:  # a subgraph is computed as a whole
                for user in self.users[name]:
                    if user in inside:
                        return True
                    todo.append(user)
        return False


class _Limits:
    """What may come before and after the new subgraph, by numbers: every part that joins narrows it."""

    def __init__(self, state: _State, token: Token) -> None:
        self.state = state
        self.token = token
        self.low = max(map(state.number_of, state.parents([token.name])), default=-1)
        self.high = min(map(state.number_of, state.users_of([token.name])), default=len(state.number) + 1)

    def take(self, part: _Part) -> bool:
        """Whether a part may join; narrows the limits when it may."""
        low = max([self.low, *map(self.state.number_of, self.state.parents(part.ops))])
        users = self.state.users_of(part.ops) - {self.token.name}
        high = min([self.high, *map(self.state.number_of, users)])
        if low >= high:
            return False
        self.low, self.high = low, high
        return True
