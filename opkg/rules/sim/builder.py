"""The tool that replacements are built with: new nodes in the graph, and what describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from opkg.rules import core
from opkg.rules.core import At, HtpType
from opkg.rules.sim.arithmetic import Fault
from opkg.rules.sim.data import Data
from opkg.rules.sim.frame import Frame
from opkg.rules.sim.model import CONST, LEAVES, SHAPE, Node, Output

MAX_RANK = 8
SLICE, CONCAT, PACK, RESHAPE = "q::Slice_shape", "q::Concat", "q::Pack", "q::Reshape"


@dataclass(frozen=True, slots=True)
class Described:
    """What new nodes get: output, the node they stand for, the slices they are part of."""

    output: Output
    origin: int
    history: tuple[tuple[int, int], ...]


class Builder:
    """Builds one replacement; `risky`: it met nodes that may depend on the root (the caller looks for cycles)."""

    def __init__(self, frame: Frame, root: Node, table: Mapping[type, Construct]) -> None:
        self.frame = frame
        self._table = table
        self.root = root
        self.built: list[int] = []
        self.risky = False

    def build(self, repl: core.Repl, described: Described) -> Node:
        """The node of a replacement. Raises Fault when it cannot be built."""
        return self._table[type(repl)](self, repl, described)

    # ---- nodes

    def add(self, op: str, inputs: tuple[int, ...], output: Output, described: Described, data: Data | None) -> Node:
        self.frame.spend()
        history = () if op in LEAVES else described.history
        node = self.frame.graph.add(op, inputs, output, data, "", described.origin, history)
        self.built.append(node.id)
        return node

    def op(self, name: str, inputs: tuple[int, ...], described: Described, output: Output | None = None) -> Node:
        return self.add(name, inputs, output or described.output, described, None)

    def const(self, output: Output, data: Data, described: Described) -> Node:
        return self.add(CONST, (), output, described, data)

    def shape(self, dims: tuple[int, ...], described: Described, at: At) -> Node:
        if len(dims) > MAX_RANK:
            raise Fault(f"a shape of {len(dims)} dimensions; {MAX_RANK} are the most", at)
        for size in dims:
            if not 0 <= size < (1 << 31):
                raise Fault(f"{size} is no size of a dimension", at)
        return self.add(SHAPE, (), Output(HtpType.Int32, dims), described, None)

    def adopt(self, result: Any, name: str, described: Described, at: At) -> Node:
        """What a user's function gave, as a node."""
        self.risky = True
        if isinstance(result, Node):
            if self.frame.graph.nodes.get(result.id) is None:
                raise Fault(f"{name} gave a node that is not in the graph", at)
            return result
        if isinstance(result, (tuple, list)) and all(isinstance(size, int) for size in result):
            return self.shape(tuple(result), described, at)
        raise Fault(f"{name} gave {type(result).__name__}, neither a node nor dimensions", at)


Construct = Callable[[Builder, Any, Described], Node]
