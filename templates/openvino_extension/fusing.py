"""Puts ops into models: in the place of the graphs that the `pattern:` of their specs stands for.

A pattern is a name, which binds what is there; ("const", number); ("or", pattern, ...); or (type of a node, pattern of its
first input, ...). What is inside a match must not be read from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from openvino import Model
from openvino.passes import ModelPass
from openvino.utils import replace_node

COMMUTATIVE = frozenset(("Add", "Multiply", "Maximum", "Minimum"))
Bound = dict[str, Any]


def _same(a: Any, b: Any) -> bool:
    return a.get_node().get_name() == b.get_node().get_name() and a.get_index() == b.get_index()


def _orders(node: Any) -> Iterator[list[Any]]:
    given = node.input_values()
    yield given
    if node.get_type_name() in COMMUTATIVE:
        yield given[::-1]


def _match(value: Any, pattern: Any, bound: Bound, inside: list[Any]) -> Iterator[tuple[Bound, list[Any]]]:
    """All ways in which a value is what a pattern says: what its names are, and the nodes inside."""
    node = value.get_node()
    if isinstance(pattern, str):
        if pattern not in bound:
            yield {**bound, pattern: value}, inside
        elif _same(bound[pattern], value):
            yield bound, inside
    elif pattern[0] == "const":
        if node.get_type_name() == "Constant" and node.data.size == 1:
            number = node.data.reshape(-1)[0]
            if number == np.asarray(pattern[1]).astype(node.data.dtype):
                yield bound, inside
    elif pattern[0] == "or":
        for each in pattern[1:]:
            yield from _match(value, each, bound, inside)
    elif node.get_type_name() == pattern[0] and node.get_input_size() == len(pattern) - 1:
        for values in _orders(node):
            yield from _all(values, pattern[1:], bound, [*inside, node])


def _all(values: list[Any], patterns: Any, bound: Bound, inside: list[Any]) -> Iterator[tuple[Bound, list[Any]]]:
    if not values:
        yield bound, inside
        return
    for found, nodes in _match(values[0], patterns[0], bound, inside):
        yield from _all(values[1:], patterns[1:], found, nodes)


def _closed(nodes: list[Any]) -> bool:
    """Whether nothing outside reads what is inside; the first node is the root."""
    names = {node.get_name() for node in nodes}
    readers = (target.get_node() for node in nodes[1:] for out in node.outputs() for target in out.get_target_inputs())
    return all(reader.get_name() in names for reader in readers)


class Fuse(ModelPass):
    """Fuses ops: for each, the pattern and the names of its inputs. Calls that an op's rules refuse stay as they are."""

    def __init__(self, patterns: Mapping[Any, tuple[Any, list[str]]]) -> None:
        super().__init__()
        self._patterns = dict(patterns)
        self.fused: list[tuple[str, str]] = []  # name of a node that was replaced, and the op

    def run_on_model(self, model: Model) -> bool:
        for op, (pattern, inputs) in self._patterns.items():
            for node in reversed(model.get_ordered_ops()):
                self._fuse(node, op, pattern, inputs)
        return bool(self.fused)

    def _fuse(self, node: Any, op: Any, pattern: Any, inputs: list[str]) -> None:
        if node.get_output_size() != 1:
            return
        for bound, nodes in _match(node.output(0), pattern, {}, []):
            if not _closed(nodes):
                continue
            try:
                made = op([bound[name] for name in inputs])
            except (ValueError, RuntimeError):
                continue
            made.set_friendly_name(node.get_friendly_name())
            self.fused.append((node.get_friendly_name(), op.__name__))
            replace_node(node, made)
            return
