"""Functions of the elements of a column of floats, in single precision: what is summed up, or compared, in their place."""

from __future__ import annotations

from collections.abc import Mapping

from opkg.kernels.block import Block
from opkg.kernels.emit.phrases import step_lines
from opkg.kernels.graphs.graph import REDUCE, Graph, Node
from opkg.kernels.sequence import ValueFunction
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.floating.io import Streams
from opkg.kernels.strategies.floating.strategy import LARGE_PARTS, FloatMaker
from opkg.kernels.strategies.floating.uniform import UnableError, Uniforms
from opkg.kernels.strategies.rows.plan import Cannot
from opkg.spec.compute.types import Type


def is_function(graph: Graph, at: int) -> bool:
    """Whether a real node is made of elements alone, not of what is found of their column."""
    return graph[at].type is Type.REAL and not graph[at].uniform and not _reduces(graph, at)


def function_of(snippet: Snippet, operand: Operand, at: int, name: str) -> ValueFunction:
    """The C++ of a function of 32 elements. Raises Cannot."""
    setup = Block()
    body = Block(setup)
    elements = body.load(operand.name)
    value = function_value(snippet, operand, at, setup, body, elements)
    insts = [*setup.insts, *body.insts]
    large = any(inst.op in LARGE_PARTS for inst in insts)
    return ValueFunction(name, elements, (*step_lines(insts, lambda inst: "", ()), f"return {value};"), large)


def function_value(snippet: Snippet, operand: Operand, at: int, setup: Block, body: Block, elements: str) -> str:
    """The same as instructions of `setup` and `body`: the vector that has the values. Raises Cannot."""
    try:
        made = ElementFunction(snippet, operand, setup, body, elements)
        value = made.value(at)
    except UnableError as reason:
        raise Cannot(str(reason)) from None
    if made.uniforms.members:
        raise Cannot("a function of elements and of params, down columns")
    return value


def _reduces(graph: Graph, at: int) -> bool:
    node: Node = graph[at]
    return node.op in REDUCE or any(_reduces(graph, arg) for arg in node.args)


class ElementFunction(FloatMaker):
    """The instructions of a function of 32 elements. `known`: names of other nodes."""

    known: Mapping[int, str] = {}

    def __init__(self, snippet: Snippet, operand: Operand, setup: Block, body: Block, elements: str) -> None:
        self.snippet, self.graph, self.elements = snippet, snippet.graph, elements
        self.setup, self.body = setup, body
        self.streams = Streams((operand,), setup, body)
        self.streams.groups = 1
        self.users = self.graph.users()
        self.values = {}
        self.uniforms = Uniforms(snippet, setup)

    def value(self, wanted: int) -> str:
        needed: set[int] = set()
        todo = [wanted]
        while todo:
            at = todo.pop()
            if at not in needed and not self.graph[at].uniform:
                needed.add(at)
                todo += () if at in self.known else self.graph[at].args
        fused: Mapping[int, int] = {s: p for s, p in self._fused().items() if s in needed and p in needed}
        for at in sorted(needed - set(fused.values())):
            self.values[at] = self._node(at, self.graph[at], fused.get(at))
        return self._value(wanted, 0, Type.REAL)

    def _node(self, index: int, node: Node, product: int | None) -> list[str]:
        if index in self.known:
            return [self.known[index]]
        return [self.elements] if node.op in ("input", "param") else super()._node(index, node, product)
