"""A fused op as `pattern:`: the calls of torch that its nodes are, in the names of the spec."""

from __future__ import annotations

import re
from collections import Counter

from opkg.fuse import naming
from opkg.fuse.fused import FusedOp
from opkg.models.model import Model, Node

MOST_INLINE = 60  # characters of an expression that becomes an operand


def pattern_lines(model: Model, op: FusedOp) -> list[str]:
    """The statements, those of the first place; [] for a model of another origin."""
    return _Text(model, op).lines() if model.exact else []


class _Text:
    def __init__(self, model: Model, op: FusedOp) -> None:
        self.model, self.op, self.place = model, op, op.places[0]
        self.values = dict(zip(self.place.inputs, op.inputs, strict=True))
        self.operators: set[str] = set()  # tensors whose text has an operator outermost
        self.results = dict(zip(self.place.outputs, op.outputs, strict=True))
        self.taken = {*op.inputs, *op.outputs}
        inside = [model.nodes[number] for number in self.place.nodes]
        self.uses = Counter(name for node in inside for name in self._read(node))

    def _read(self, node: Node) -> list[str]:
        """The tensors of a node's call, as often as it names them."""
        return [node.inputs[int(at)] for at in re.findall(r"\{(\d+)\}", str(node.attributes["torch"]))]

    def lines(self) -> list[str]:
        found = []
        for number in self.place.nodes:
            node = self.model.nodes[number]
            result = node.outputs[0]
            text = self._call(node)
            if result not in self.results and self.uses[result] == 1 and len(text) <= MOST_INLINE:
                self.values[result] = text
                if _is_operator(node):
                    self.operators.add(result)
                continue
            name = self.results.get(result) or naming.distinct("t", self.taken)
            self.taken.add(name)
            self.values[result] = name
            found.append(f"{name} = {text}")
        return found

    def _call(self, node: Node) -> str:
        def operand(match: re.Match[str]) -> str:
            name = node.inputs[int(match[1])]
            both = _is_operator(node) and name in self.operators
            return f"({self.values[name]})" if both else self.values[name]

        return re.sub(r"\{(\d+)\}", operand, str(node.attributes["torch"]))


def _is_operator(node: Node) -> bool:
    """Whether a call is written as an operator, not as a function, between whose arguments there are commas."""
    return re.match(r"[\w.]+\(", str(node.attributes["torch"])) is None
