"""Reads a `compute:` text and checks it against its op: types under every combination, shapes once."""

from __future__ import annotations

from opkg.spec.check_op import names_in
from opkg.spec.compute.extents import (
    MOST_RANK,
    SCALAR,
    Extent,
    Mismatch,
    broadcast,
    disagree,
    either,
    of_param,
    of_tensor,
    reduced,
)
from opkg.spec.compute.lengths import Dimensions
from opkg.spec.compute.moves import extent_of
from opkg.spec.compute.reader import read
from opkg.spec.compute.text import Fault, fault, statements
from opkg.spec.compute.tree import (
    Assigned,
    Compute,
    Const,
    Input,
    Move,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    asks_presence,
    children,
)
from opkg.spec.compute.types import Types, signature, unsigned
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op
from opkg.spec.source_text import SourceText


def read_checked(source: SourceText, op: Op) -> tuple[Compute | None, list[Diagnostic]]:
    """The computation and its findings (OPK140 to OPK149); None exactly when one of them is an error. Never raises."""
    compute, findings = read(source, op)
    if compute is None:
        return None, findings
    faults = _types(compute, op)
    try:
        Shapes(compute, op)
    except Fault as failure:
        faults.append(failure.finding)
    return (None if faults else compute), findings + faults


def read_syntax(source: SourceText) -> list[Diagnostic]:
    """The findings of a text whose op is not known."""
    try:
        statements(source)
    except Fault as failure:
        return [failure.finding]
    return []


def _types(compute: Compute, op: Op) -> list[Diagnostic]:
    """Faults of the combinations, those that differ in real, integer, bool and unsigned results; one for each place."""
    found: dict[object, Diagnostic] = {}
    different = {(signature(op, one), unsigned(op, one)): one for one in reversed(op.combinations)}
    for combination in reversed(different.values()):
        try:
            Types(compute, op, combination)
        except Fault as failure:
            found.setdefault(failure.finding.span, failure.finding)
    return list(found.values())


class Shapes:
    """The symbolic shape of every name of a computation; Fault OPK147 or OPK148 when one can never be."""

    def __init__(self, compute: Compute, op: Op) -> None:
        self.op = op
        self.dimensions = Dimensions(op)
        self.inputs = self.dimensions.inputs
        self.params = {param.name: of_param(param, op) for param in op.params}
        self.assigned: dict[str, Extent] = {}
        outputs = {tensor.name: of_tensor(tensor, op) for tensor in op.outputs}
        free = frozenset(name for constraint in op.constraints for name in names_in(constraint.require.tree))
        for statement in compute.statements:
            extent = self.of(statement.expr)
            self.assigned[statement.name] = extent
            output = outputs.get(statement.name)
            if output is not None and disagree(extent, output, free, self.dimensions.differ):
                message = f"'{statement.name}' has the shape {output}, its value {extent}"
                hint = "reductions keep their dimensions as 1 with keepdims=True"
                raise fault("OPK148", message, statement.expr.span, hint)

    def of(self, node: Node) -> Extent:
        """The extent of a node."""
        match node:
            case Const() | Present():
                return SCALAR
            case Input():
                return self.inputs[node.name]
            case Param():
                return self.params[node.name]
            case Assigned():
                return self.assigned[node.name]
            case Reduce():
                return self._reduce(node)
            case Move():
                counts = self.params.get(node.axes) if isinstance(node.axes, str) else None
                return extent_of(node, [self.of(arg) for arg in node.args], counts, self.dimensions)
            case Select() if asks_presence(node.test):
                test, then, other = self.of(node.test), self.of(node.then), self.of(node.other)
                chosen = either(then, other)
                return chosen if test == SCALAR else Extent(None, chosen.low, max(chosen.high, test.high))
        extent = SCALAR
        for child in children(node):
            other = self.of(child)
            try:
                self.dimensions.check(extent, other)
            except Mismatch as failure:
                raise fault("OPK148", f"{failure} do not broadcast", node.span, failure.hint) from None
            try:
                extent = broadcast(extent, other)
            except Mismatch as failure:
                raise fault("OPK148", f"{failure} never broadcast", node.span, "one of them must be 1") from None
        return extent

    def _reduce(self, node: Reduce) -> Extent:
        extent = self.of(node.operand)
        hint = "axes count from 0, or from the end when negative"
        if isinstance(node.axes, str) and extent.high == 0:
            raise fault("OPK147", f"there is no axis '{node.axes}' in a value of rank 0", node.span, hint)
        if node.op is Reduction.CUMSUM and isinstance(node.axes, str):
            return extent
        if isinstance(node.axes, str):
            count = (1, 1) if self.params[node.axes] == SCALAR else (0, MOST_RANK)
            if node.keepdims is True:
                return Extent(None, extent.low, extent.high)
            low = max(extent.low - count[1], 0)
            return Extent(None, low, extent.high if node.keepdims else max(extent.high - count[0], 0))
        try:
            kept, dropped = reduced(extent, node.axes, True), reduced(extent, node.axes, False)
        except Mismatch as failure:
            raise fault("OPK147", str(failure), node.span, hint) from None
        if node.op is Reduction.CUMSUM:
            return extent
        if isinstance(node.keepdims, str):
            return either(kept, dropped)
        return kept if node.keepdims else dropped
