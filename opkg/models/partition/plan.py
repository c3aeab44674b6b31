"""What of a model becomes kernels of several ops: the subgraphs, what they save, and why other nodes are not taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opkg.models.model import Model, Node, links
from opkg.models.partition.best import best
from opkg.models.partition.claimed import claimed
from opkg.models.partition.limits import Limits, why_not
from opkg.models.partition.moved import alone, borders, together


@dataclass(frozen=True, slots=True)
class Kernel:
    """One subgraph: its nodes in an order of computation, tensors that go in and out, bytes moved by its ops one by one
    and as one."""

    nodes: tuple[int, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Plan:
    """`kernels`: of two nodes at least, those that save most first. `singles`: nodes that fit and stay alone. `left`: why a
    node is not taken, by its number. `before`, `after`: bytes that the whole model moves."""

    model: Model
    limits: Limits
    kernels: tuple[Kernel, ...]
    singles: tuple[int, ...]
    left: dict[int, str]
    before: int
    after: int

    @property
    def ops_after(self) -> int:
        """How many ops there are with the kernels in place."""
        return len(self.model.nodes) - sum(len(kernel.nodes) - 1 for kernel in self.kernels)


def plan(model: Model, limits: Limits, also: Callable[[Model, Node], str] = lambda model, node: "") -> Plan:
    """The subgraphs that limits allow. `also`: a further reason why a node cannot be taken, "" for none."""
    edges = links(model)
    reasons = [why_not(model, node, limits) or also(model, node) for node in model.nodes]
    for number, first in (claimed(model, edges) if limits.claims else {}).items():
        reasons[number] = reasons[number] or f"computed with {first}"
    found = best(model, edges, [not reason for reason in reasons], limits)
    kernels = []
    for part in found:
        if len(part.nodes) > 1:
            nodes = tuple(sorted(part.nodes))
            inputs, outputs = borders(model, edges, nodes)
            before, after = alone(model, nodes), together(model, edges, nodes)
            kernels.append(Kernel(nodes, inputs, outputs, before, after))
    kernels.sort(key=lambda kernel: (kernel.after - kernel.before, kernel.nodes))
    taken = {number for kernel in kernels for number in kernel.nodes}
    left = {number: reason for number, reason in enumerate(reasons) if reason}
    singles = tuple(number for number in range(len(model.nodes)) if number not in taken and number not in left)
    before = alone(model, range(len(model.nodes)))
    after = before + sum(kernel.after - kernel.before for kernel in kernels)
    return Plan(model, limits, tuple(kernels), singles, left, before, after)
