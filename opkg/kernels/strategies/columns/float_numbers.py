"""Numbers of 32 columns of floats at a time, made of what was found of them, in single precision."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from opkg.kernels.block import Block
from opkg.kernels.emit.phrases import step_lines
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.sequence import Made
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.floating.io import Streams
from opkg.kernels.strategies.floating.ops import PREFIX, number
from opkg.kernels.strategies.floating.strategy import FloatMaker
from opkg.kernels.strategies.floating.uniform import UnableError, Uniforms
from opkg.spec.compute.types import Type

_FOUND, _TO = "found", "to"  # of `numbers`: sums, means and extremes; what is made of them


class Reduced(Protocol):
    """What is found of the columns of a tensor. `kinds`: by reduction."""

    snippet: Snippet
    graph: Graph
    operand: Operand
    kinds: Mapping[int, str]

    def number(self, node: int, odd: bool) -> tuple[int, bool, bool, bool]:
        """As `FloatNumbers.results`."""


def made_in_vectors(
    columns: Reduced,
    wanted: Sequence[tuple[int, bool]],
    shared: Uniforms | None = None,
    halves: Collection[int] = (),
) -> Made | None:
    """What makes numbers of columns, with true their inverses; None where only double does. `shared`: uniforms of the struct's
    other instructions; `halves`: places of those that become halves."""
    try:
        return _ColumnNumbers(columns, shared).made(wanted, halves)
    except UnableError:
        return None


class _ColumnNumbers(FloatMaker):
    """`leaves`: the reductions that are asked for, in the order of `found`; with true as what becomes a half."""

    def __init__(self, columns: Reduced, shared: Uniforms | None) -> None:
        self.snippet, self.graph, self.columns = columns.snippet, columns.graph, columns
        self.setup = Block()
        self.body = Block(self.setup)
        self.streams = Streams((columns.operand,), self.setup, self.body)
        self.streams.groups = 1
        self.users = self.graph.users()
        self.values = {}
        self.uniforms = shared.beside(self.setup) if shared is not None else Uniforms(self.snippet, self.setup)
        self.leaves: list[tuple[int, bool]] = []

    def made(self, wanted: Sequence[tuple[int, bool]], halves: Collection[int]) -> Made:
        needed: set[int] = set()
        found = [place for place in halves if wanted[place][0] in self.columns.kinds]  # results as they are
        todo = [self._root(at) if inverse else at for place, (at, inverse) in enumerate(wanted) if place not in found]
        while todo:
            at = todo.pop()
            if at not in needed and not self.graph[at].uniform:
                needed.add(at)
                todo += () if at in self.columns.kinds else self.graph[at].args
        fused = {total: product for total, product in self._fused().items() if total in needed and product in needed}
        for at in sorted(needed - set(fused.values())):
            self.values[at] = self._node(at, self.graph[at], fused.get(at))
        values = [
            self._leaf(at, True) if place in found else self._inverse(at) if inverse else self._value(at, 0, Type.REAL)
            for place, (at, inverse) in enumerate(wanted)
        ]
        lines = step_lines([*self.setup.insts, *self.body.insts], lambda inst: "", ())
        return Made(
            lines=(*lines, *(f"{_TO}[{place}] = {value};" for place, value in enumerate(values))),
            count=len(values),
            inverses=sum(1 << place for place, (_, inverse) in enumerate(wanted) if inverse),
            leaves=tuple(self.columns.number(at, odd) for at, odd in self.leaves),
            members=tuple(self.uniforms.members),
            prepare=tuple(self.uniforms.prepare),
        )

    def _node(self, index: int, node: Node, product: int | None) -> list[str]:
        if index not in self.columns.kinds:
            return super()._node(index, node, product)
        return [self._leaf(index, False)]

    def _leaf(self, index: int, odd: bool) -> str:
        self.leaves.append((index, odd))
        return f"{_FOUND}[{len(self.leaves) - 1}]"

    def _root(self, index: int) -> int:
        """What a number is the square root of; else the number."""
        node = self.graph[index]
        return node.args[0] if node.op == "sqrt" and not node.uniform else index

    def _inverse(self, index: int) -> str:
        value = self._value(self._root(index), 0, Type.REAL)
        if self._root(index) != index:
            return self.body.call(PREFIX + "rsqrt_sf", value, to="inverse")
        return self.body.call(PREFIX + "quotient_sf", number(self.setup, "1.0f"), value, to="inverse")
