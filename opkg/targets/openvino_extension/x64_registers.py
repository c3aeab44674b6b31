"""Registers of an emitter, by a scan over the nodes of its graph: what all kinds of numbers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from opkg.kernels.graphs.graph import Graph, Node
from opkg.spec.model import Op, ParamSpec

MOST_AUX = 8  # of 16 registers, beside those of inputs and outputs


class NoEmitter(Exception):
    """Why an op has no emitter."""


@dataclass(frozen=True, slots=True)
class EmitterCode:
    """The statements of `emit_impl`, how many registers they take beside inputs and outputs, and the params they read."""

    lines: tuple[str, ...]
    aux: int
    params: tuple[ParamSpec, ...]


@dataclass
class RegisterWriter(ABC):
    """Registers by a scan over the nodes in order: a value's is free after its last use, and may take the result then."""

    op: Op
    graph: Graph
    lines: list[str] = field(default_factory=list)
    held: dict[int, int] = field(default_factory=dict)  # node: its register
    free: list[int] = field(default_factory=list)
    used: int = 0
    commute: frozenset[str] = frozenset()

    @abstractmethod
    def constant(self, node: Node) -> str:
        """A number of the graph as an operand in memory."""

    @abstractmethod
    def param(self, node: Node) -> str:
        """The same of a param."""

    @abstractmethod
    def in_memory(self, place: int, node: Node) -> bool:
        """Whether the last operand of a node may be in memory."""

    @abstractmethod
    def scratch(self, place: int, node: Node) -> int:
        """How many registers a node takes beside its operands and its result."""

    @abstractmethod
    def simple(self, place: int, node: Node, to: str, args: list[str], extra: list[str]) -> None:
        """The statements of a node."""

    def keeps(self, node: Node) -> bool:
        """Whether operands are read after the result was first written."""
        return False

    def code(self) -> EmitterCode:
        last = {arg: place for place, node in enumerate(self.graph.nodes) for arg in node.args}
        last |= {result.node: len(self.graph) for result in self.graph.results}
        for place, node in enumerate(self.graph.nodes):
            if node.op not in ("input", "param", "const"):
                self._node(place, node, last)
        names = [t.name for t in self.op.outputs]
        for result in self.graph.results:
            self.lines.append(f"h->vmovups(out[{names.index(result.name)}], {self.operand(result.node)});")
        read = {node.name for node in self.graph.nodes if node.op == "param"}
        if self.used > MOST_AUX:
            raise NoEmitter(f"it takes {self.used} registers")
        return EmitterCode(tuple(self.lines), self.used, tuple(p for p in self.op.params if p.name in read))

    def take(self) -> int:
        if self.free:
            return self.free.pop()
        self.used += 1
        return self.used - 1

    def operand(self, place: int) -> str:
        """A value as the last operand of an instruction: a register, or memory."""
        node = self.graph[place]
        match node.op:
            case "input":
                return f"in[{[t.name for t in self.op.inputs].index(node.name)}]"
            case "param":
                return self.param(node)
            case "const":
                return self.constant(node)
        return f"aux[{self.held[place]}]"

    def _register(self, place: int, scratch: list[int]) -> str:
        """A value in a register; a constant is loaded into one of `scratch`."""
        text = self.operand(place)
        if not text.startswith("this->"):
            return text
        scratch.append(self.take())
        self.lines.append(f"h->vmovups(aux[{scratch[-1]}], {text});")
        return f"aux[{scratch[-1]}]"

    def _node(self, place: int, node: Node, last: dict[int, int]) -> None:
        args, loaded = list(node.args), list[int]()
        if node.op in self.commute and self.operand(args[0]).startswith("this->"):
            args.reverse()
        memory = self.in_memory(place, node)
        texts = [
            self.operand(arg) if at == len(args) - 1 and memory else self._register(arg, loaded)
            for at, arg in enumerate(args)
        ]
        ending = [arg for arg in dict.fromkeys(node.args) if last[arg] == place and arg in self.held]
        if not self.emit_function(place, node, texts[0], ending):
            extra = [self.take() for _ in range(self.scratch(place, node))]
            if not self.keeps(node):
                self.free += [self.held.pop(arg) for arg in ending]
            self.held[place] = self.take()
            self.simple(place, node, f"aux[{self.held[place]}]", texts, [f"aux[{each}]" for each in extra])
            self.free += [self.held.pop(arg) for arg in ending if arg in self.held]
            self.free += extra
        self.free += loaded

    def emit_function(self, place: int, node: Node, x: str, ending: list[int]) -> bool:
        """A function of one operand, computed in place; False for other nodes."""
        return False
