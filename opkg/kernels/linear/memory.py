"""A graph with its memory operations written out: what is loaded, broadcast and stored, once each.

An operand that is one number along the innermost dimension and goes straight into an operation with others is a
`broadcast_load`; with another operation between, it is `load`, the operation, and `broadcast_move`. One that is broadcast
along other dimensions only is a plain `load`, and keeps the loops over them apart. A tensor is loaded once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from opkg.kernels.graphs.graph import REDUCE, Graph
from opkg.kernels.graphs.shapes import Dim, Dims, broadcast, reduced, shapes_of

MEMORY = ("load", "broadcast_load", "store")


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of the linear code. `args` number earlier steps.

    `op`: that of the graph's node, or `load`, `broadcast_load`, `broadcast_move`, `store`, or `scalar` for what is one
    number in a call (a constant, a param, or computed of those). `shape`: of the value; `lies`: of the tensor in
    memory, and of a reduction's value with the reduced dimensions as 1.
    `tensor`: what is loaded or stored. `node`: the graph's node, -1 for none. `invariant`: the value is the same along
    the innermost dimension, so it can be made before the loop over it.
    """

    op: str
    args: tuple[int, ...]
    shape: Dims
    tensor: str = ""
    node: int = -1
    invariant: bool = False
    lies: Dims = ()


@dataclass(frozen=True, slots=True)
class Linear:
    """The steps in order, and the shape that the loops run over."""

    steps: tuple[Step, ...]
    domain: Dims

    def of(self, op: str) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.op == op)


def linear(graph: Graph, tensors: Mapping[str, Dims]) -> Linear:
    """The linear code of a graph for shapes of its inputs, tensor params and outputs; ShapeError when they do not fit."""
    return _Writer(graph, tensors).write()


class _Writer:
    def __init__(self, graph: Graph, tensors: Mapping[str, Dims]) -> None:
        self.graph = graph
        self.tensors = tensors
        self.shapes = shapes_of(graph, tensors)
        outputs = [tensors.get(result.name, self.shapes[result.node]) for result in graph.results]
        operands = [self.shapes[arg] for node in graph.nodes if node.op in REDUCE for arg in node.args]
        self.domain = broadcast([*outputs, *operands] if operands else outputs)
        self.behind = next((n for n, dim in enumerate(reversed(self.domain)) if dim != 1), 0)  # 1s after the innermost
        self.steps: list[Step] = []
        self.made: dict[int, int] = {}  # node -> step
        self.loaded: dict[int, int] = {}  # node of a tensor -> its plain load
        self.moved: dict[int, int] = {}  # step -> step of its broadcast
        self.plain = self._read_plainly()

    def write(self) -> Linear:
        for index, node in enumerate(self.graph.nodes):
            if node.uniform or node.op in ("input", "param"):
                continue  # made where it is first used
            wide = self._innermost(self.shapes[index])
            if node.op in REDUCE:
                wide = self._innermost(self.shapes[node.args[0]])
            args = tuple(self._operand(arg, wide, alone=len(node.args) == 1) for arg in node.args)
            self.made[index] = self._add(node.op, args, self.shapes[index], node=index)
            if node.op in REDUCE:
                kept = reduced(node, self.shapes[node.args[0]], keep=True)
                self.steps[-1] = replace(self.steps[-1], lies=kept)
        for result in self.graph.results:
            shape = self.tensors.get(result.name, self.shapes[result.node])
            value = self._operand(result.node, self._innermost(shape), alone=False)
            self._add("store", (value,), shape, result.name, result.node)
        return Linear(tuple(self.steps), self.domain)

    def _innermost(self, shape: Dims) -> Dim:
        """The dimension of the inner loop: the last one that is not 1 in the domain."""
        return shape[-1 - self.behind] if len(shape) > self.behind else 1

    def _widened(self, shape: Dims, wide: Dim) -> Dims:
        full = (*[1] * (self.behind + 1 - len(shape)), *shape)
        return (*full[: len(full) - 1 - self.behind], wide, *full[len(full) - self.behind :])

    def _is_tensor(self, index: int) -> bool:
        node = self.graph[index]
        return node.op in ("input", "param") and not node.uniform

    def _read_plainly(self) -> set[int]:
        """Tensors of which some use needs the elements as they lie, so that one plain load serves all uses."""
        found = set()
        for index, node in enumerate(self.graph.nodes):
            for arg in node.args:
                widens = self._innermost(self.shapes[arg]) == 1 != self._innermost(self.shapes[index])
                if self._is_tensor(arg) and (node.op in REDUCE or not widens):
                    found.add(arg)
        return found

    def _operand(self, index: int, wide: Dim, alone: bool) -> int:
        """The step of an operand, broadcast along the innermost dimension when its consumer is wider."""
        if self.graph[index].uniform:
            if index not in self.made:
                self.made[index] = self._add("scalar", (), (), node=index, invariant=True)
            return self.made[index]
        shape = self.shapes[index]
        widens = not alone and self._innermost(shape) == 1 != wide
        if not self._is_tensor(index):
            return self._move(self.made[index], wide) if widens else self.made[index]
        name = self.graph[index].name
        if widens and index not in self.plain:
            if index not in self.made:
                self.made[index] = self._add("broadcast_load", (), self._widened(shape, wide), name, index, True)
            return self.made[index]
        if index not in self.loaded:
            self.loaded[index] = self._add("load", (), shape, name, index)
        return self._move(self.loaded[index], wide) if widens else self.loaded[index]

    def _move(self, step: int, wide: Dim) -> int:
        if step not in self.moved:
            shape = self.steps[step].shape
            self.moved[step] = self._add("broadcast_move", (step,), self._widened(shape, wide), invariant=True)
        return self.moved[step]

    def _add(
        self, op: str, args: tuple[int, ...], shape: Dims, tensor: str = "", node: int = -1, invariant: bool = False
    ) -> int:
        whole = self._innermost(self.domain)
        same = op not in REDUCE and whole != 1 and self._innermost(shape) == 1
        made_of = op not in REDUCE and op != "store" and bool(args) and all(self.steps[arg].invariant for arg in args)
        lies = self.tensors.get(tensor, shape) if tensor else ()
        self.steps.append(Step(op, args, shape, tensor, node, invariant or same or made_of, lies))
        return len(self.steps) - 1
