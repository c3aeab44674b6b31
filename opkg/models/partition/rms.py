"""Normalizations by the root of the mean square, written out in ops: x / sqrt(mean(x * x) + eps), times a weight or not."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.models.model import Links, Model, Node
from opkg.models.partition.moved import is_number


def rms_norms(model: Model, edges: Links) -> Iterator[tuple[int, ...]]:
    """The nodes of each, the last one gives its result. What is in between is read by nothing else."""
    for number, node in enumerate(model.nodes):
        if node.op == "ReduceMean" and _last_axis(model, node):
            found = _Walk(model, edges).around(number)
            if found is not None:
                yield found


def _last_axis(model: Model, node: Node) -> bool:
    """Whether a mean is over the last dimension alone."""
    shape = model.tensor(node.inputs[0]).fixed if node.inputs else None
    if shape is None:
        return False
    axes = node.attributes.get("axes", node.attributes.get("dim"))
    if len(node.inputs) > 1 and node.inputs[1] in model.constants:
        axes = tuple(model.constants[node.inputs[1]].read().reshape(-1).tolist())
    return isinstance(axes, tuple) and axes in ((-1,), (len(shape) - 1,))


class _Walk:
    def __init__(self, model: Model, edges: Links) -> None:
        self.model, self.edges = model, edges

    def around(self, mean: int) -> tuple[int, ...] | None:
        """The nodes around the mean of squares."""
        square = self.edges.maker.get(self.model.nodes[mean].inputs[0])
        x = self._squared(square)
        total = self._next(mean, ("Add",))
        if square is None or x is None or total is None or not self._number(total):
            return None
        found = [square, mean, total]
        at = total
        if (root := self._next(total, ("Sqrt",))) is not None:
            found.append(root)
            at = root
        scaled = self._scaled(at, x, found)
        if scaled is None:
            return None
        weighted = self._next(scaled, ("Mul",))
        if weighted is not None and any(self._is_weight(name) for name in self.model.nodes[weighted].inputs):
            found.append(weighted)
        return tuple(found)

    def _squared(self, number: int | None) -> str | None:
        """x of x * x or x ** 2, which one node reads."""
        if number is None:
            return None
        node = self.model.nodes[number]
        same = node.op == "Mul" and len(set(node.inputs)) == 1
        power = node.op == "Pow" and len(node.inputs) == 2 and self._value(node.inputs[1]) == 2
        return node.inputs[0] if (same or power) and len(self.edges.used(node.outputs[0])) == 1 else None

    def _scaled(self, at: int, x: str, found: list[int]) -> int | None:
        """x divided by a root, or times its inverse; adds the nodes of it."""
        direct = self._next(at, ("Div",))
        if direct is not None and self.model.nodes[direct].inputs[0] == x:
            found.append(direct)
            return direct
        inverse = self._next(at, ("Div", "Pow", "Reciprocal", "Rsqrt"))
        scaled = self._next(inverse, ("Mul",)) if inverse is not None else None
        if inverse is None or scaled is None or x not in self.model.nodes[scaled].inputs:
            return None
        found += [inverse, scaled]
        return scaled

    def _next(self, number: int, ops: tuple[str, ...]) -> int | None:
        """The one node that reads a node's result, when it is one of these ops."""
        name = self.model.nodes[number].outputs[0]
        users = self.edges.used(name)
        if name in self.edges.results or len(users) != 1:
            return None
        return users[0] if self.model.nodes[users[0]].op in ops else None

    def _number(self, number: int) -> bool:
        return any(is_number(self.model, name) for name in self.model.nodes[number].inputs)

    def _value(self, name: str) -> float | None:
        return float(self.model.constants[name].read().reshape(())) if is_number(self.model, name) else None

    def _is_weight(self, name: str) -> bool:
        return name in self.model.constants
