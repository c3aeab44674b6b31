"""Which operations of a graph decide on real values that double precision may have rounded, and what they decide on.

A comparison, a sign, a rounding to whole numbers or a cast jumps: an error of 2^-53 in front of it can turn the result.
Such operations are computed by opkg/exact.h from numbers that doubles hold: inputs, params, constants, whole numbers.
"""

from __future__ import annotations

from collections.abc import Container
from math import frexp

from opkg.kernels.graphs.decisions import ROUNDINGS, decides
from opkg.kernels.graphs.graph import COMPARE, REDUCE, Graph, Node
from opkg.kernels.graphs.nodes import reachable
from opkg.spec.compute.types import Type

# What an expression of opkg/exact.h can be made of; any other value enters it as a number of double precision.
_EXACT = ROUNDINGS | {"add", "sub", "mul", "div", "neg", "abs", "min", "max", "select", "sign", "floor_div", "mod"}
_SAME = ROUNDINGS | {"neg", "abs", "min", "max", "select", "sign"}  # bits of the result: those of the operands
_DOUBLE = 53
_ELEMENT = 41  # bits: a difference of stored numbers of 16 bits times a float32
_MOST_PARTS = 48  # of a sum: half of ExactSum::kMost, for what a quotient leaves
_WHOLE = 8  # parts of a whole number of 400 bits
_Parts = tuple[int, int]  # most doubles in a numerator and in its denominator; 0: it is 1


def choices(graph: Graph) -> frozenset[int]:
    """Comparisons of real values that choose between values made of these: as dfmax and dfmin they would lose NaN."""
    found: set[int] = set()
    for node in graph.nodes:
        if node.op != "select" or node.type is not Type.REAL:
            continue
        values = {at for at in reachable(graph.nodes, node.args[1:]) if graph[at].op != "const"}
        tests = [node.args[0]]
        while tests:
            at = tests.pop()
            if graph[at].op in ("and", "or", "not"):
                tests.extend(graph[at].args)
            elif graph[at].op in ("lt", "le", "gt", "ge") and values.intersection(graph[at].args):
                found.add(at)
    return frozenset(found)


class Deciding:
    """The decisions of a graph that rounding could turn. `given`: nodes whose values are there already."""

    def __init__(self, graph: Graph, given: Container[int]) -> None:
        self.graph = graph
        self.given = given
        self._bits: list[int] = []  # of every real value, if doubles hold it exactly; else more than _DOUBLE
        self._leaves: dict[int, tuple[int, ...]] = {}
        for node in graph.nodes:
            self._bits.append(self._bits_of(node))

    def open(self, index: int) -> bool:
        """Whether the rounding of doubles could turn what a node decides."""
        node = self.graph[index]
        if not decides(self.graph, node) or self._is_plain(node):
            return False
        return max(self._parts(index, {})) <= _MOST_PARTS

    def _is_plain(self, node: Node) -> bool:
        """Whether doubles are enough: its operands are exact, or it is the sign of one sum or difference of such."""
        args = node.args
        if node.op in COMPARE and any(self._is_zero(arg) for arg in args):
            args = tuple([arg for arg in args if not self._is_zero(arg)])
        elif node.op != "sign":
            return all(self._bits[arg] <= _DOUBLE for arg in args)
        whole = [self.graph[arg].args if self.graph[arg].op in ("add", "sub") else (arg,) for arg in args]
        return all(self._bits[arg] <= _DOUBLE for group in whole for arg in group)

    def _is_zero(self, index: int) -> bool:
        node = self.graph[index]
        return node.op == "const" and node.value == 0

    def _bits_of(self, node: Node) -> int:
        args = [self._bits[arg] for arg in node.args]
        if node.op == "const" and isinstance(node.value, int | float):
            return significant(node.value)
        if node.op in ("input", "param") or node.type is not Type.REAL or self._is_number(node):
            return _ELEMENT
        if node.op == "mul":
            return sum(args)
        return max(args) if node.op in _SAME else _DOUBLE + 1

    def _is_number(self, node: Node) -> bool:
        """Whether a value is a number of double precision by definition: sums of rows, functions, casts."""
        return node.op not in _EXACT

    def leaves(self, index: int) -> tuple[int, ...]:
        """The values that an open decision is computed from, in order: reals, integers and bools."""
        if index not in self._leaves:
            found: dict[int, None] = {}
            for arg in self.graph[index].args:
                self._collect(arg, found)
            self._leaves[index] = tuple(sorted(found))
        return self._leaves[index]

    def _collect(self, index: int, found: dict[int, None]) -> None:
        node = self.graph[index]
        if node.op == "const" and node.type is not Type.BOOL:
            return
        if self.is_leaf(index):
            found[index] = None
            return
        if self._is_constant(node):  # the first one is a number of the function's type, so that C++ does not round
            found[node.args[0]] = None
        for arg in node.args:
            self._collect(arg, found)

    def _is_constant(self, node: Node) -> bool:
        """Whether an operation has constants alone, whose result no double holds."""
        return node.type is Type.REAL and all(self.graph[arg].op == "const" for arg in node.args)

    def is_leaf(self, index: int) -> bool:
        """Whether a value enters the expressions of decisions as it is."""
        node = self.graph[index]
        if node.op in ("input", "param") or node.type is not Type.REAL or self._is_number(node):
            return True
        return index in self.given and not all(self._reachable(arg) for arg in node.args)

    def _reachable(self, index: int) -> bool:
        """Whether all that a node is made of can be computed here."""
        node = self.graph[index]
        if index in self.given or node.op == "const":
            return True
        return node.op not in ("input", "param", *REDUCE) and all(self._reachable(arg) for arg in node.args)

    def _parts(self, index: int, known: dict[int, _Parts]) -> _Parts:
        """The parts of a value, or of what is computed for a decision."""
        if index in known:
            return known[index]
        node = self.graph[index]
        if node.op == "const" or (self.is_leaf(index) and not decides(self.graph, node)):
            return 1, 0
        args = [self._parts(arg, known) for arg in node.args if self.graph[arg].type is not Type.BOOL]
        known[index] = _joined(node.op, args)
        return known[index]


def _joined(op: str, args: list[_Parts]) -> _Parts:
    if op in ("floor_div", "mod"):
        whole = (max(_WHOLE, *_quotient(args)), 0)
        return whole if op == "floor_div" else _difference([args[0], (_times(_WHOLE, args[1][0]), args[1][1])])
    if op in ROUNDINGS or op in ("sign", "cast"):
        return max(_WHOLE, *args[0]), 0
    if op == "mul":
        return _times(args[0][0], args[1][0]), _times(args[0][1], args[1][1])
    if op == "div":
        return _quotient(args)
    return args[0] if op in ("neg", "abs") else _difference(args)


def _quotient(args: list[_Parts]) -> _Parts:
    return _times(args[0][0], args[1][1]), _times(args[0][1], args[1][0])


def _difference(args: list[_Parts]) -> _Parts:
    (a, b), (c, d) = args[-2:]
    return _times(a, d) + _times(c, b), _times(b, d)


def _times(a: int, b: int) -> int:
    return 2 * a * b if a and b else a or b


def significant(value: int | float) -> int:
    """Bits from the first to the last one that is set."""
    mantissa = int(abs(frexp(float(value))[0]) * 2.0**_DOUBLE) if value and abs(value) < 2.0**1023 else 0
    return mantissa.bit_length() - ((mantissa & -mantissa).bit_length() - 1) if mantissa else 0
