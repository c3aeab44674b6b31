"""Arithmetic behind a reshape of what was reduced, put in front of it, where shapes tell that it can be there.

`reshape(n, x.shape) * g` is `reshape(n * reshape(g, ...), x.shape)`, so that what is reshaped last is an output
(opkg/kernels/emit/moved_back.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.kernels.graphs.graph import LEAVES, MOVES, REDUCE, SCAN, Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes, moved
from opkg.spec.compute.extents import Dim, of_param, of_tensor
from opkg.spec.compute.whole import Part, Size
from opkg.spec.model import Op

_OTHER = MOVES | REDUCE | SCAN | LEAVES  # what is not elementwise
_Dims = tuple[Dim, ...]


@dataclass(frozen=True, slots=True)
class _Groups:
    """What an input was reshaped to. `blocks`: its dimensions, and what they became: one by one where they stayed, the others
    together."""

    blocks: tuple[tuple[_Dims, tuple[Part, ...]], ...]

    @property
    def dims(self) -> _Dims:
        return tuple([dim for dims, _ in self.blocks for dim in dims])

    def parts(self, dims: _Dims) -> tuple[Part, ...] | None:
        """What a tensor that meets the input element by element is to be reshaped to; None where that is not told."""
        found: tuple[Part, ...] = ()
        for whole, parts in reversed(self.blocks):
            if not dims:
                return found
            dims, given = dims[: -len(whole)], dims[-len(whole) :]
            if given != whole and any(dim != 1 for dim in given):
                return None
            found = (*(parts if given == whole else (1,) * len(parts)), *found)
        return None if dims else found


def arithmetic_first(op: Op, graph: Graph) -> Graph:
    """The graph with arithmetic in front of reshapes of what is reduced, as far as shapes tell that it can be there."""
    reduces = any(not graph[index].uniform for index in graph.reductions)
    return _Regrouping(op, graph).graph() if reduces and graph.moves else graph


class _Regrouping:
    def __init__(self, op: Op, graph: Graph) -> None:
        self.old = graph
        self.nodes = Nodes(share=True)
        self.dims: dict[str, _Dims | None] = {tensor.name: of_tensor(tensor, op).dims for tensor in op.inputs}
        self.dims |= {param.name: of_param(param, op).dims for param in op.params}
        self.groups: dict[int, _Groups] = {}  # of the values that have the shape of what an input was reshaped to
        self.reduced: set[int] = set()  # values that hang on a reduction

    def graph(self) -> Graph:
        place: list[int] = []
        for node in self.old.nodes:
            place.append(self._placed(moved(node, place.__getitem__)))
        return self.nodes.graph([Result(result.name, place[result.node]) for result in self.old.results])

    def _placed(self, node: Node) -> int:
        reshaped = [arg for arg in dict.fromkeys(node.args) if self._is_back(arg)]
        if node.op in _OTHER or not reshaped:
            return self._add(node)
        last = self.nodes.list[reshaped[0]]
        groups = self.groups.get(last.args[0])
        if any(self.nodes.list[arg].parts != last.parts for arg in reshaped):
            return self._add(node)
        others = [arg for arg in node.args if arg not in reshaped and not self.nodes.list[arg].uniform]
        if others or len(reshaped) > 1:
            alike = {self.groups.get(self.nodes.list[arg].args[0]) for arg in reshaped}
            if groups is None or alike != {groups} or self._sizes(last, groups.dims) != groups.dims:
                return self._add(node)
        args: list[int] = []
        for arg in node.args:
            inner = self.nodes.list[arg].args[0] if arg in reshaped else self._inside(arg, groups)
            if inner is None:
                return self._add(node)
            args.append(inner)
        made = self._add(replace(node, args=tuple(args)))
        return self._add(replace(last, args=(made,), type=node.type, origin=""))

    def _is_back(self, index: int) -> bool:
        node = self.nodes.list[index]
        return node.op == "move_reshape" and not isinstance(node.axes, str) and node.args[0] in self.reduced

    def _add(self, node: Node) -> int:
        at = self.nodes.add(node)
        groups = self._reshaped(node) if node.op == "move_reshape" else None
        if node.op not in _OTHER:  # of weights, too: those of the most dimensions
            groups = max((self.groups[arg] for arg in node.args if arg in self.groups), key=_count, default=None)
        if groups is not None:
            self.groups[at] = groups
        if (node.op in REDUCE or node.op in SCAN) and not node.uniform:
            self.reduced.add(at)
        if any(arg in self.reduced for arg in node.args):
            self.reduced.add(at)
        return at

    def _reshaped(self, node: Node) -> _Groups | None:
        """The groups that a reshape makes of an input; None of anything else."""
        source = self.nodes.list[node.args[0]]
        dims = self.dims.get(source.name) if source.op in ("input", "param") else None
        if dims is None or isinstance(node.axes, str) or any(str(dim).startswith("*") for dim in dims):
            return None
        sizes = [self._size(part) for part in node.parts]
        first = _alike(dims, sizes)
        last = _alike(dims[first:][::-1], sizes[first:][::-1])
        ends = len(dims) - last, len(sizes) - last
        middle = (dims[first : ends[0]], node.parts[first : ends[1]])
        before = [((dims[at],), (node.parts[at],)) for at in range(first)]
        behind = [((dims[at - last],), (node.parts[at - last],)) for at in range(last)]
        return _Groups((*before, *([middle] if middle[0] else []), *behind)) if middle[0] or not middle[1] else None

    def _size(self, part: Part) -> Dim | None:
        if isinstance(part, Size):
            dims = self.dims[part.name]
            return dims[part.axis] if dims is not None and -part.axis <= len(dims) else None
        return part if isinstance(part, int) and part > 0 else None

    def _sizes(self, node: Node, dims: _Dims) -> tuple[Dim | None, ...]:
        """The sizes that a reshape gives; what remains is as in these, where it has as many."""
        sizes = [self._size(part) for part in node.parts]
        if len(sizes) == len(dims) and node.parts.count(-1) == 1:
            sizes[node.parts.index(-1)] = dims[node.parts.index(-1)]
        return tuple(sizes)

    def _inside(self, index: int, groups: _Groups | None) -> int | None:
        """A value that meets what is reshaped, as it meets what is not yet; None where that is not told."""
        node = self.nodes.list[index]
        if node.uniform:
            return index
        if node.op in ("input", "param"):
            dims = self.dims[node.name]
            parts = groups.parts(dims) if groups is not None and dims is not None else None
            return self._add(Node("move_reshape", (index,), node.type, parts=parts)) if parts else None
        if node.op in _OTHER:
            return None
        args = [self._inside(arg, groups) for arg in node.args]
        given = [arg for arg in args if arg is not None]
        return self._add(replace(node, args=tuple(given))) if len(given) == len(args) else None


def _count(groups: _Groups) -> int:
    return sum(dim != 1 for dim in groups.dims)


def _alike(dims: Sequence[Dim], sizes: Sequence[Dim | None]) -> int:
    """How many dimensions are the same from the first on."""
    same = [dim == size and not str(dim).startswith("*") for dim, size in zip(dims, sizes, strict=False)]
    return same.index(False) if False in same else len(same)
