"""Decisions on sums, products and quotients of floats as if nothing was rounded: opkg/hvx_exactly.h in the float strategy."""

from __future__ import annotations

from collections.abc import Callable

from opkg.kernels.block import Block
from opkg.kernels.graphs.decisions import ROUNDINGS
from opkg.kernels.graphs.graph import MIRRORED, Graph, Node
from opkg.kernels.in_single import (
    PAIRS,
    ROUNDED,
    Held,
    at_exactly,
    decisions,
    float_shifts,
    held,
    is_long,
    shift_of,
    whole_params,
)
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.ops import PREFIX, label
from opkg.kernels.strategies.floating.uniform import Uniforms

HEADER, REMAINDER = "opkg/hvx_exactly.h", "opkg/hvx_remainder.h"
REMAINDERS = frozenset(("mod", "floor_div"))
_MOST = 1 << 22
_PARTS = {"mul": "product_parts", "add": "sum_parts", "sub": "difference_parts"}
Value = Callable[[int, int], str]  # of a node in a group, as a real number


def decided(snippet: Snippet) -> frozenset[int]:
    """The decisions that are made this way: those which rounding could turn."""
    graph, found = snippet.graph, held(snippet)
    plain = decisions(snippet, exactly=False)
    rounded = {at for at, right in plain.items() if not right or graph[at].op in REMAINDERS}
    return frozenset(at for at in rounded if not graph[at].uniform and at_exactly(graph, graph[at], found))


class Exactly:
    """The instructions of such decisions. `value` gives a node's value in a group."""

    def __init__(self, snippet: Snippet, body: Block, uniforms: Uniforms, value: Value) -> None:
        self.graph: Graph = snippet.graph
        self.body, self.uniforms, self.value = body, uniforms, value
        self.held = held(snippet)
        self.decided = frozenset(at for at in decided(snippet) if self._is_made(at))
        self.inner = self._inner()
        self.prepare: list[str] = []
        if self.decided:
            ranges = [f"op.{name} >= -{_MOST} && op.{name} <= {_MOST}" for name in whole_params(self.graph)]
            shifts = [
                f"op.{name} == std::rint(op.{name}) && std::fabs(op.{name}) <= {_MOST}" for name in self._shifts()
            ]
            self.prepare = [f"if (!({test})) return false;" for test in (*ranges, *shifts)]

    def _shifts(self) -> list[str]:
        return float_shifts(self.graph, self.held)

    def _is_made(self, at: int) -> bool:
        """Whether there is more to a decision than what the operation does anyway."""
        node = self.graph[at]
        return node.op != "cast" or self.held[node.args[0]] in ROUNDED

    @property
    def headers(self) -> list[str]:
        remains = any(self.graph[at].op in REMAINDERS for at in self.decided)
        return [REMAINDER if remains else HEADER] if self.decided else []

    def _inner(self) -> frozenset[int]:
        """The values that nothing but such decisions asks for: they are made as parts only."""
        users, inner = self.graph.users(), set[int]()
        results = {result.node for result in self.graph.results}
        for at in reversed(range(len(self.graph))):
            pair = self.held[at] in ROUNDED and at not in results
            if pair and users[at] and all(user in self.decided or user in inner for user in users[at]):
                inner.add(at)
        return frozenset(inner)

    def make(self, at: int, group: int) -> str:
        """The result of a decision: a whole number, or a predicate."""
        node = self.graph[at]
        if node.op in ("mod", "floor_div"):
            return self._remainder(node, group)
        if node.op in ROUNDINGS or node.op == "cast":
            name, of = ("trunc" if node.op == "cast" else node.op), self.graph[node.args[0]]
            if self.held[node.args[0]] is Held.QUOTIENT:
                return self._quotient(name, of, node, group)
            if self.held[node.args[0]] is Held.SHIFTED:
                return self._shifted(name, of, node, group)
            return self.body.call(f"{PREFIX}{name}_parts", self.parts(node.args[0], group), to=label(node))
        return self._compared(node, group)

    def _remainder(self, node: Node, group: int) -> str:
        """`%` and `//` of exact numbers, and `%` 1 of sums and products."""
        first, second = node.args
        if self.held[first] is Held.PARTS:
            return self.body.call(PREFIX + "modulo_one", self.parts(first, group), to=label(node))
        if is_long(self.graph[second]):
            function = "quotient_down_long" if node.op == "floor_div" else "modulo_long"
            divisor = f"{PREFIX}long_divisor({self.graph[second].value!r})"
            return self.body.call(PREFIX + function, self.value(first, group), divisor, to=label(node))
        operands = [self.value(first, group), self.value(second, group)]
        if node.op == "floor_div":
            return self.body.call(PREFIX + "quotient_down_sf", *operands, to=label(node))
        if self.graph[second].uniform and self.uniforms.invertible(second):
            return self.body.call(PREFIX + "modulo_steps", *operands, self.uniforms.inverse(second), to=label(node))
        return self.body.call(PREFIX + "modulo_sf", *operands, to=label(node))

    def _quotient(self, name: str, of: Node, node: Node, group: int, *more: str) -> str:
        first, second = of.args
        operands = [self.value(first, group), self.value(second, group)]
        kind = "quotient"
        if self.graph[second].uniform and self.uniforms.invertible(second):
            kind, operands = "steps", [*operands, self.uniforms.inverse(second)]
        return self.body.call(f"{PREFIX}{name}_{kind}{'_from' if more else ''}", *operands, *more, to=label(node))

    def _shifted(self, name: str, of: Node, node: Node, group: int) -> str:
        """Of a quotient and a whole number: their halves go where the sum is even."""
        found = shift_of(self.graph, of, self.held)
        assert found is not None
        quotient, number = self.graph[found[0]], self.value(found[1], group)
        if of.op == "sub":
            number = self.body.call(PREFIX + "neg_sf", number)
        if name != "round":
            whole = self._quotient(name, quotient, node, group)
            return self.body.call(PREFIX + "add_sf", whole, number, to=label(node))
        return self._quotient(name, quotient, node, group, number)

    def _compared(self, node: Node, group: int) -> str:
        first, second = node.args
        op = node.op
        if self.held[first] not in PAIRS:
            first, second, op = second, first, MIRRORED[op]
        operands = (self.parts(first, group, compared=True), self.value(second, group))
        name, to = PREFIX + ("eq" if op == "ne" else op) + "_parts", label(node)
        found = self.body.call(name, *operands, kind="Q", to="" if op == "ne" else to)
        return self.body.q6("Q6_Q_not_Q", found, to=to) if op == "ne" else found

    def parts(self, at: int, group: int, compared: bool = False) -> str:
        """A sum or product and what its rounding took, as a pair of vectors. `compared`: small products, too."""
        node, call = self.graph[at], self.body.call
        if node.op in ("neg", "abs"):
            return call(f"{PREFIX}{node.op}_parts", self.parts(node.args[0], group, compared), kind="W", to=label(node))
        if self.held[at] is Held.PARTS:
            operands = [self.value(arg, group) for arg in node.args]
            name = "compared_product" if compared and node.op == "mul" else _PARTS[node.op]
            return call(PREFIX + name, *operands, kind="W", to=f"{label(node)}_parts")
        first, second = node.args
        if self.held[first] is Held.PARTS:
            pair, number = self.parts(first, group, compared), self.value(second, group)
            number = call(PREFIX + "neg_sf", number) if node.op == "sub" else number
        else:
            pair, number = self.parts(second, group, compared), self.value(first, group)
            pair = call(PREFIX + "neg_parts", pair, kind="W") if node.op == "sub" else pair
        inner = self.graph[first if self.held[first] is Held.PARTS else second]
        while inner.op in ("neg", "abs"):
            inner = self.graph[inner.args[0]]
        more = "compared_more" if compared and inner.op == "mul" else "more_parts"
        return call(PREFIX + more, pair, number, kind="W", to=f"{label(node)}_parts")
