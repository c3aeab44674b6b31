"""Common subexpressions and constant propagation, as passes ask for them by their flags and as a run ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opkg.rules.sim.data import Array
from opkg.rules.sim.frame import Settings
from opkg.rules.sim.model import CONST, INPUT, SHAPE, Delta, Graph, Node


def merge_common(graph: Graph) -> Delta:
    """Makes one node of nodes that do the same; the first in topological order stays, with the split history of both.

    Shapes are compared by value and stay as they are: each is part of the op that reads it.
    """
    delta = graph.journal = Delta()
    first: dict[tuple[object, ...], int] = {}
    for node in list(graph.order()):
        now = graph.nodes[node.id]
        if now.op in (INPUT, SHAPE) or (now.op == CONST and now.data is None):
            continue
        inputs = tuple(_input_key(graph.nodes[i]) for i in now.inputs)
        key = (now.op, inputs, now.output, now.data if isinstance(now.data, Array) else repr(now.data))
        kept = first.setdefault(key, now.id)
        if kept != now.id:
            _keep_history(graph, graph.nodes[kept], now)
            graph.redirect(now.id, kept, graph.users(now.id))
            graph.sweep([now.id])
    graph.journal = None
    return delta


def _input_key(node: Node) -> object:
    return node.output if node.op == SHAPE and not node.inputs else node.id


def _keep_history(graph: Graph, kept: Node, merged: Node) -> None:
    more = tuple(record for record in merged.history if record not in kept.history)
    if more:
        graph.set(kept.id, replace(kept, history=(*kept.history, *more)))


def fold_constants(graph: Graph, settings: Settings) -> tuple[Delta, list[tuple[int, str]]]:
    """Replaces ops of `settings.fold` by constants where all inputs are known; gives also (node, message) of functions that
    failed. A function that gives None leaves the node."""
    failures: list[tuple[int, str]] = []
    if not settings.fold:
        return Delta(), failures
    import numpy as np

    delta = graph.journal = Delta()
    for node in list(graph.order()):
        fold = settings.fold.get(node.op)
        now = graph.nodes.get(node.id)
        if fold is None or now is None or now.output.is_multi or not now.inputs:
            continue
        values = [_known(graph.nodes[i]) for i in now.inputs]
        if any(value is None for value in values):
            continue
        try:
            result = fold(now, values)
            data = None if result is None else Array(np.asarray(result).reshape(now.output.dims))
        except Exception as error:  # a user's function may raise anything
            failures.append((now.id, f"{type(error).__name__}: {error}"))
            continue
        if data is not None:
            _put(graph, now, data)
    graph.journal = None
    return delta, failures


def _put(graph: Graph, node: Node, data: Array) -> None:
    made = graph.add(CONST, (), node.output, data, "", node.origin, node.history)
    graph.redirect(node.id, made.id, graph.users(node.id))
    graph.sweep([node.id])


def _known(node: Node) -> Any:
    """The values of a constant or shape as an array of real numbers, None when they are not known."""
    import numpy as np

    if node.op == SHAPE:
        return np.array(node.output.shape, np.int64)
    return node.data.array(node.output) if node.op == CONST and node.data is not None else None
