"""In which pass each value of a graph is computed whose reductions go over different dimensions.

A pass has reductions over the same dimensions, or none; what later ones need of it are numbers between passes. Values that
hang on no reduction, or on such numbers alone, are computed wherever they are needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.graphs.graph import MOVES, REDUCE, SCAN, Graph, Node
from opkg.kernels.portable.axes import Refused, bits_of, ranks_of
from opkg.spec.compute.extents import SCALAR, Extent, Mismatch, broadcast, is_rest, of_param, of_tensor, reduced
from opkg.spec.compute.types import Type
from opkg.spec.model import Op

HINT = "make them two ops, or reduce the same dimensions with keepdims=True"


@dataclass(frozen=True, slots=True, order=True)
class Pass:
    """Passes run by their levels. `bits`: C++ of the reduced dimensions; empty: element by element. `row`: the extents of these
    dimensions, where tensors have different ones."""

    level: int = 0
    bits: str = ""
    row: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Levels:
    """The pass and the extent of every node, the dimensions (bits) of every reduction, and the numbers between passes."""

    passes: tuple[Pass, ...]
    extents: tuple[Extent, ...]
    bits: tuple[str, ...]
    between: frozenset[int]


def levels_of(op: Op, graph: Graph, quantized: bool, apart: bool = False) -> Levels:
    """Raises Refused where a graph cannot be computed in passes. `quantized`: its inputs are; `apart`: the same dimensions of
    several tensors may have different extents, so that each row has a pass of its own."""
    making = _Levels(op, graph, quantized, apart)
    for index, node in enumerate(graph.nodes):
        making.add(index, node)
    return Levels(tuple(making.passes), tuple(making.extents), tuple(making.bits), frozenset(making.between))


class _Levels:
    def __init__(self, op: Op, graph: Graph, quantized: bool, apart: bool) -> None:
        self.op, self.graph, self.quantized, self.apart = op, graph, quantized, apart
        self.ranks = ranks_of(op, graph)
        self.leaves = {tensor.name: of_tensor(tensor, op) for tensor in op.inputs}
        self.leaves |= {param.name: of_param(param, op) for param in op.params}
        self.whole = frozenset[int]().union(*(_places(extent) for extent in self.leaves.values()))
        self.passes: list[Pass] = []
        self.extents: list[Extent] = []
        self.bits: list[str] = []
        self.places: list[frozenset[int]] = []  # the dimensions that need not be 1, counted from the last one
        self.domains: list[frozenset[int]] = []  # the dimensions of what the reductions of a value's pass go over
        self.between: set[int] = set()

    def add(self, index: int, node: Node) -> None:
        """Finds the pass of one more node."""
        if node.op in MOVES:
            raise Refused("reductions over different dimensions, and movement", node, HINT)
        reduces = node.op in REDUCE or node.op in SCAN
        bits = bits_of(self.op, node, self.ranks[node.args[0]]) if reduces else ""
        self.bits.append(bits)
        self.extents.append(self._extent(node, bits))
        self.places.append(self._places(node, bits))
        found, domain = self._reduction(node, bits) if bits else self._elementwise(node)
        self.passes.append(found)
        self.domains.append(domain)
        for arg in node.args:
            if self.passes[arg].bits and self.passes[arg] != found:
                self._keep(arg)

    def _extent(self, node: Node, bits: str) -> Extent:
        if node.op in ("input", "param"):
            return self.leaves[node.name]
        if bits:
            if not bits.startswith("0x") or not isinstance(node.keepdims, bool):
                raise Refused("reductions over different dimensions, which a param says", node, HINT)
            axes = tuple(-1 - place for place in range(int(bits, 16).bit_length()) if int(bits, 16) >> place & 1)
            return reduced(self.extents[node.args[0]], axes, node.keepdims or node.op in SCAN)
        extent = SCALAR
        for arg in node.args:
            try:
                extent = broadcast(extent, self.extents[arg])
            except Mismatch:
                raise Refused("shapes that do not fit", node) from None
        return extent

    def _places(self, node: Node, bits: str) -> frozenset[int]:
        if node.op in ("input", "param"):
            return _places(self.leaves[node.name])
        found = frozenset[int]().union(*(self.places[arg] for arg in node.args))
        if not bits or node.op in SCAN:
            return found
        gone = {place for place in range(int(bits, 16).bit_length()) if int(bits, 16) >> place & 1}
        left = found - gone
        return left if node.keepdims else frozenset(place - sum(g < place for g in gone) for place in left)

    def _reduction(self, node: Node, bits: str) -> tuple[Pass, frozenset[int]]:
        (arg,) = node.args
        at = self.passes[arg]
        domain, row = self.places[arg], self._row(arg, bits)
        if at.bits == "" or (at.bits, at.row) == (bits, row):
            return Pass(at.level, bits, row), domain | self.domains[arg]
        return Pass(at.level + 1, bits, row), domain

    def _row(self, index: int, bits: str) -> tuple[str, ...]:
        """The extents of the reduced dimensions of a value, the last one first; none where all rows are alike."""
        if not self.apart:
            return ()
        dims = self.extents[index].dims
        if dims is None or any(map(is_rest, dims)):
            raise Refused("reductions of rows whose lengths are not told", self.graph[index], HINT)
        whole = [str(dim) for dim in reversed(dims)]
        places = [place for place in range(int(bits, 16).bit_length()) if int(bits, 16) >> place & 1]
        return tuple([whole[place] if place < len(whole) else "1" for place in places])

    def _meets(self, index: int, at: Pass) -> bool:
        """Whether a value has the rows of a pass, or one number for each of them."""
        return all(mine in ("1", other) for mine, other in zip(self._row(index, at.bits), at.row, strict=True))

    def _elementwise(self, node: Node) -> tuple[Pass, frozenset[int]]:
        """That of the operands of the highest level; the next level where these are in several passes, or meet what has more
        dimensions than their reductions."""
        level = max([self.passes[arg].level for arg in node.args], default=0)
        last = [arg for arg in node.args if self.passes[arg].level == level and self.passes[arg].bits]
        found = {self.passes[arg] for arg in last}
        if not found:
            return Pass(level), frozenset()
        domain = frozenset[int]().union(*(self.domains[arg] for arg in last))
        others = [arg for arg in node.args if arg not in last]
        if len(found) > 1 or not all(self.places[arg] <= domain for arg in others):
            return Pass(level + 1), frozenset()
        (at,) = found
        return (at, domain) if all(self._meets(arg, at) for arg in others) else (Pass(level + 1), frozenset())

    def _keep(self, index: int) -> None:
        """A value becomes a number between passes. One with as many elements as a tensor is computed again of such numbers, and
        so is what would be made of sums of integers in double, one after another."""
        node = self.graph[index]
        whole = not self.places[index] < self.whole
        if (whole or (self.quantized and self.passes[index].level == 0)) and node.op not in REDUCE | SCAN:
            for arg in node.args:
                if self.passes[arg].bits:
                    self._keep(arg)
            return
        if node.type is not Type.REAL:
            raise Refused("reductions over different dimensions of what is no real number", node, HINT)
        if not self.places[index] < self.whole:
            raise Refused("reductions over different dimensions of one another's results", node, HINT)
        self.between.add(index)


def _places(extent: Extent) -> frozenset[int]:
    """The dimensions, counted from the last one, that need not be 1."""
    if extent.dims is None or any(map(is_rest, extent.dims)):
        return frozenset(range(extent.high))
    return frozenset(place for place, dim in enumerate(reversed(extent.dims)) if dim != 1)
