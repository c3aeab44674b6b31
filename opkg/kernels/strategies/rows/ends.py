"""Extremes of functions as functions of extremes: the largest |x| of a row is that of its smallest and its largest element.

What rises with an element, or falls, has its extremes where the element has them. What falls and then rises (|x|, x * x) is
largest at one of both ends. Operations of doubles keep the order of numbers, so that results are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type

_RISE = frozenset(("exp", "sigmoid", "tanh", "erf", "atan", "floor", "ceil", "trunc", "round", "sign"))
_LINEAR = frozenset(("neg", "add", "sub", "mul", "div"))


class Course(Enum):
    """How a value goes with one element."""

    SAME = "the same for all"
    UP = "rises"
    DOWN = "falls"
    CUP = "falls, then rises"
    CAP = "rises, then falls"


_TURNED = {
    Course.SAME: Course.SAME, Course.UP: Course.DOWN, Course.DOWN: Course.UP, Course.CUP: Course.CAP,
    Course.CAP: Course.CUP,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Way:
    """`input`: the node of the element; -1 where there is none. `linear`: made of sums and products alone."""

    course: Course
    input: int = -1
    linear: bool = True


def at_ends(snippet: Snippet) -> Snippet:
    """The snippet with extremes of functions of one element made of extremes of that element, where that is known."""
    return replace(snippet, graph=_Rewriter(snippet.graph).graph())


class _Rewriter:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes = Nodes(share=True)
        self._ways: list[_Way | None] = []

    def graph(self) -> Graph:
        places: list[int] = []
        for node in self._graph.nodes:
            self._ways.append(self._way(node))
            made = self._made(node, places)
            places.append(self._add(node, places) if made is None else made)
        return self._nodes.graph([Result(result.name, places[result.node]) for result in self._graph.results])

    def _add(self, node: Node, places: list[int] | Mapping[int, int]) -> int:
        return self._nodes.add(replace(node, args=tuple([places[arg] for arg in node.args])))

    def _made(self, node: Node, places: list[int]) -> int | None:
        """An extreme as a function of extremes; None where it stays what it is."""
        way = self._ways[node.args[0]] if node.op in ("reduce_max", "reduce_min") else None
        if way is None or way.input < 0 or node.type is not Type.REAL:
            return None
        largest = node.op == "reduce_max"
        if way.course in (Course.UP, Course.DOWN):
            if way.linear:
                return None
            return self._at(node, way.input, largest == (way.course is Course.UP), places)
        if (way.course is Course.CUP) != largest:
            return None
        ends = [self._at(node, way.input, end, places) for end in (True, False)]
        made = Node("max" if largest else "min", (), node.type, origin=node.origin)
        return self._nodes.add(replace(made, args=tuple(ends)))

    def _at(self, node: Node, element: int, largest: bool, places: list[int]) -> int:
        """The function of a reduction at the largest or at the smallest element."""
        extreme = replace(node, op="reduce_max" if largest else "reduce_min", origin="", args=(places[element],))
        made = {element: self._nodes.add(extreme)}
        for at in range(element + 1, len(places)):
            inner, way = self._graph[at], self._ways[at]
            if way is not None and way.input == element and any(arg in made for arg in inner.args):
                args = tuple([made.get(arg, places[arg]) for arg in inner.args])
                made[at] = self._nodes.add(replace(inner, args=args, origin=""))
        return made[node.args[0]]

    # How values go with an element ------------------------------------------------------------------------------------

    def _way(self, node: Node) -> _Way | None:
        if node.uniform:
            return _Way(Course.SAME)
        if node.type is not Type.REAL:
            return None
        if node.op == "input":
            return _Way(Course.UP, len(self._ways))
        ways = [self._ways[arg] for arg in node.args]
        known = [way for way in ways if way is not None]
        inputs = {way.input for way in known if way.input >= 0}
        if len(known) != len(ways) or len(inputs) != 1:
            return None
        course = self._course(node, [way.course for way in known])
        linear = node.op in _LINEAR and all(way.linear for way in known)
        return None if course is None else _Way(course, inputs.pop(), linear)

    def _course(self, node: Node, of: list[Course]) -> Course | None:
        if node.op in _RISE:
            return of[0]
        if node.op == "neg":
            return _TURNED[of[0]]
        if node.op == "abs":
            return Course.CUP if of[0] in (Course.UP, Course.DOWN) else None
        if node.op in ("max", "min"):
            return _joined(of, Course.CUP if node.op == "max" else Course.CAP)
        if node.op in ("add", "sub"):
            return _summed(of[0], of[1] if node.op == "add" else _TURNED[of[1]])
        if node.op in ("mul", "div"):
            return self._scaled(node, of)
        return None

    def _scaled(self, node: Node, of: list[Course]) -> Course | None:
        if node.op == "mul" and node.args[0] == node.args[1]:
            return Course.CUP if of[0] in (Course.UP, Course.DOWN) else None
        factor = self._graph[node.args[1]].value
        if of[1] is not Course.SAME or not isinstance(factor, int | float) or factor == 0:
            return None
        return of[0] if factor > 0 else _TURNED[of[0]]


def _summed(a: Course, b: Course) -> Course | None:
    if Course.SAME in (a, b):
        return b if a is Course.SAME else a
    return a if a is b and a in (Course.UP, Course.DOWN) else None


def _joined(of: list[Course], bent: Course) -> Course | None:
    """Of the larger (or smaller) one of two values."""
    moving = {course for course in of if course is not Course.SAME}
    if len(moving) == 1 and moving <= {Course.UP, Course.DOWN, bent}:
        return moving.pop()
    if len(moving) == 1:  # a limit cuts the ends of the other bend off
        return moving.pop()
    return bent if moving <= {Course.UP, Course.DOWN, bent} else None
