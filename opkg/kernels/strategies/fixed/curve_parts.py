"""Which nodes are curves: smooth functions of a 16-bit input, of its part above or below 0, or of a sum."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import Graph, Result
from opkg.kernels.graphs.nodes import with_inputs
from opkg.kernels.strategies.curves import SMOOTH, at_number, ends, smooth_part, takes, waves_alone
from opkg.kernels.strategies.fixed.numbers import Atom, Unfit
from opkg.kernels.strategies.softplus import constant

_SIDES = {"max": "positive", "min": "negative"}
_PART = "a part"  # no name of an input


def curve_of(graph: Graph, at: int) -> Atom | None:
    """A node as a curve of its only input, where it is one; what waves are multiplied by or added to stays outside."""
    (name,) = graph.operands_of(at)
    for side in ("", *_SIDES.values()):
        made = _function(graph, at, side)
        if made is not None and waves_alone(made) is not False:
            return Atom("curve", name, str(at), side=side)
    return None


def sum_of(graph: Graph, at: int) -> int | None:
    """What a node is a smooth function of alone that ends as numbers or lines, where that is computed; None of others."""
    for index in range(at, -1, -1):
        if graph[index].op in SMOOTH:
            for inner in _linear(graph, graph[index].args[0]):
                if _function_of(graph, at, inner) is not None:
                    return inner
    return None


def _linear(graph: Graph, at: int) -> list[int]:
    """A node, and what it is a linear function of with numbers and params, down to the last that is computed."""
    found: list[int] = []
    while graph[at].op not in ("input", "const", "param"):
        found.append(at)
        others = [arg for arg in graph[at].args if not graph[arg].uniform]
        if graph[at].op not in ("add", "sub", "mul", "div", "neg") or len(others) != 1:
            break
        at = others[0]
    return found


def _function_of(graph: Graph, at: int, inner: int) -> Graph | None:
    made = with_inputs(graph, {inner: _PART}, (Result("result", at),))
    smooth = smooth_part(made, made.results[0].node) if made.inputs == (_PART,) else None
    return smooth if smooth is not None and takes(smooth) == "line" and ends(smooth) else None


def function(graph: Graph, atom: Atom) -> Graph:
    """What computes a curve of its input, which may be one on a side of 0 alone, or of a sum."""
    if atom.args:
        inner = sum_of(graph, int(atom.part))
        of_sum = None if inner is None else _function_of(graph, int(atom.part), inner)
        assert of_sum is not None
        return of_sum
    made = _function(graph, int(atom.part), "") or _function(graph, int(atom.part), atom.side)
    assert made is not None
    return made


def on_side(graph: Graph, curve: Atom, side: str) -> Atom | float:
    """A curve of its input's part on a side of 0, or what it is at 0. Raises Unfit."""
    if side and curve.side in ("", side):
        return replace(curve, side=side)
    value = at_number(function(graph, curve), 0.0)
    if value is None:
        raise Unfit("a choice between functions of an input and of params")
    return value


def _function(graph: Graph, at: int, side: str) -> Graph | None:
    """What computes a node of its input, or of the input's part on a side of 0 as of an input; None where it is not smooth."""
    if not side:
        return smooth_part(graph, at)
    parts = {i: _PART for i in range(at) if _is_part(graph, i, side)}
    made = with_inputs(graph, parts, (Result("result", at),))
    return smooth_part(made, made.results[0].node) if made.inputs == (_PART,) else None


def _is_part(graph: Graph, at: int, side: str) -> bool:
    """Whether a node is max(x, 0) or min(x, 0) of an input."""
    node = graph[at]
    zeros = [arg for arg in node.args if graph[arg].op == "const" and constant(graph, arg) == 0]
    return _SIDES.get(node.op) == side and len(zeros) == 1 and any(graph[arg].op == "input" for arg in node.args)
