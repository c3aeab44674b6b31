"""Which steps of ops are float32: where a `compute:` is proved to lose nothing by it (docs/design/executorch.md)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from opkg.spec.compute.tree import (
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Const,
    Function,
    Input,
    Move,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    children,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.compute.walk import walk
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder import torch_bounds as rules
from opkg.targets.executorch_builder import torch_slopes as slopes
from opkg.targets.executorch_builder.torch_bounds import MOVES, TRUTH, Bounds, Unproved
from opkg.targets.executorch_builder.torch_formulas import (
    complement,
    deviation,
    gates,
    growth,
    has_tensors,
    is_literal,
    is_norm,
    log_sum,
    odds,
    operand_of,
    peak,
    uses,
)
from opkg.targets.executorch_builder.torch_inputs import INPUTS, are_floats, is_floor, of_integer, of_param

# Errors that an output may have, in 2**-24: 256 is 2**-16 of the value, three hundredths of the last place of float16.
ALLOWED = {"float32": 256.0, "float16": 256.0, "bool8": 0.0}
# Absolute errors, in 2**-126, by what was too small inside.
LOST = {"float32": 2.0**10, "float16": 2.0**90, "bool8": 0.0}
# Below exp(-25) nothing is left of a value, and of it times 65504; logarithms of sums hang on less.
_SLOPES = {"float32": (88.0,), "float16": (25.0, 88.0)}


@dataclass(slots=True)
class Wide:
    """What is float64 in a computation whose other steps are float32: `nodes` with all below them, by identity, and the
    assigned `names`; float32 steps take it rounded. `own`: sums over dimensions that torch adds in float32."""

    nodes: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    own: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        return len(self.nodes) + len(self.names)


def proved(op: Op, combination: Combination, wide: Wide | None = None) -> dict[str, Bounds] | None:
    """What float32 steps are off at most in each output; None where nothing is proved.

    With `wide` steps that float32 may not compute are float64: what is new of it is added.
    """
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return None
    if not are_floats(op, combination):
        return None
    found: dict[str, Bounds] = {}
    for output in op.outputs:
        bounds = _proved(op, combination, output.name, wide)
        if bounds is None:
            return None
        found[output.name] = bounds
    return found


def _proved(op: Op, combination: Combination, output: str, wide: Wide | None) -> Bounds | None:
    """What one output is off, if it may be so far off; by the first slope that proves it, where nothing is widened by that."""
    dtype = next(t for t in op.outputs if t.name == output).dtype.of(combination).name
    choices = _SLOPES.get(dtype, (rules.SLOPE,))
    for slope in choices if wide is None else choices[:1]:
        try:
            bounds = _Walk(op, combination, output, wide, slope).result()
        except Unproved:
            continue
        if not _is_off(bounds, dtype):
            return bounds
    return None


def _is_off(bounds: Bounds, dtype: str) -> bool:
    """Whether a value is further off than an output of a type may be."""
    too_far = bounds.error > ALLOWED.get(dtype, -1.0) or bounds.loss > LOST.get(dtype, 0.0)
    return too_far or bool((bounds.scaled or bounds.capped) and dtype != "float32")


class _Walk:
    """The bounds of one output, statement by statement."""

    def __init__(self, op: Op, combination: Combination, output: str, wide: Wide | None, slope: float) -> None:
        assert op.compute is not None
        self._slope = slope
        self.op, self.output, self.wide = op, output, wide
        self._types = Types(op.compute, op, combination)
        self._dtype = next(t for t in op.outputs if t.name == output).dtype.of(combination).name
        self._dtypes = {tensor.name: tensor.dtype.of(combination).name for tensor in op.inputs}
        self._uses = uses(op.compute, output)
        self._params = {param.name: param for param in op.params}
        self._names: dict[str, Bounds] = {}
        self._nodes = {statement.name: statement.expr for statement in op.compute.statements}
        self._floors = {param.name for param in op.params if is_floor(param)}
        self._capped = self._grained = False

    def result(self) -> Bounds:
        assert self.op.compute is not None
        for statement in self.op.compute.statements:
            if self._uses[statement.name]:
                self._names[statement.name] = self._assigned(statement)
        return replace(self._names[self.output], capped=self._capped, grained=self._grained)

    def _assigned(self, statement: Assign) -> Bounds:
        """The bounds of a statement; one that float64 steps take is float64."""
        if self.wide is None:
            return self._of(statement.expr)
        if statement.name in self.wide.names:
            self._widened(statement.expr)
            return self._rounded(statement.expr)
        return self._of(statement.expr)

    def _of(self, node: Node) -> Bounds:
        """The bounds of a value in float32, or rounded to it where float32 may not compute it."""
        if self.wide is None:
            return self._single(node)
        if id(node) in self.wide.nodes:
            return self._rounded(node)
        held = set(self.wide.nodes), set(self.wide.names)
        flags = self._capped, self._grained
        found = self._near(node)
        if found is None and (operand := operand_of(node)) is not None and id(operand) not in self.wide.nodes:
            self.wide.nodes, self.wide.names = set(held[0]), set(held[1])
            found = self._near(node) if self._widen(operand) else None
        if found is None:
            rounded = self._rounded(node)
            self.wide.nodes, self.wide.names = held
            self._capped, self._grained = flags
            self._widen(node)
            return rounded
        return found

    def _near(self, node: Node) -> Bounds | None:
        """The bounds of a value in float32, None where an output may not be so far off."""
        try:
            bounds = self._single(node)
        except Unproved:
            return None
        return None if self._types[node] is Type.REAL and _is_off(bounds, self._dtype) else bounds

    def _widen(self, node: Node) -> bool:
        """Makes a value float64, with all that it is made of; False where it is no tensor of reals."""
        assert self.wide is not None
        if self._types[node] is Type.INTEGER or not has_tensors(node):
            return False
        self.wide.nodes.add(id(node))
        self._widened(node)
        return True

    def _rounded(self, node: Node) -> Bounds:
        """What float32 steps take of float64 ones: not of numbers alone, and no integers."""
        kind = self._types[node]
        if kind is Type.INTEGER or not has_tensors(node):
            raise Unproved
        if kind is Type.BOOL:
            return TRUTH
        bounds = rules.narrowed(node.function if isinstance(node, Call) else None)
        is_peak, axes = peak(node, self._nodes)
        return rules.centered(bounds, axes) if is_peak else bounds

    def _widened(self, node: Node) -> None:
        """What a float64 step takes is float64, too."""
        assert self.wide is not None
        self.wide.names.update(each.name for each in walk([node]) if isinstance(each, Assigned))

    def _single(self, node: Node) -> Bounds:
        real = self._types[node] is Type.REAL
        match node:
            case Const():
                return TRUTH if isinstance(node.value, bool) else rules.constant(node.value)
            case Input() if real:
                known = INPUTS[self._dtypes[node.name]]
                return replace(known, movable=node.name if self._uses[node.name] == 1 else "", sign=node.name)
            case Input(name):
                return of_integer(DTYPES[self._dtypes[name]], False)
            case Cast(Input(name), "float32") if self._dtypes[name] not in INPUTS:
                return of_integer(DTYPES[self._dtypes[name]], True)
            case Param() if real and self._is_single(node.name):
                return of_param(self._params[node.name])
            case Assigned():
                return self._names[node.name]
            case Present():
                return TRUTH
            case Unary(UnaryOp.NOT) | Binary(BinaryOp.AND | BinaryOp.OR) | Compare():
                return self._test(node)
            case Unary(UnaryOp.NEG) if real:
                return rules.negated(self._of(node.operand))
            case Binary() if real and deviation(node) is not None:
                return rules.deviation(self._of(node.left))
            case Call() if real and (total := log_sum(node)) is not None:
                self._grained = True
                return rules.log_sum(self._of(total.operand), total.axes)
            case Binary() if real and (operand := complement(node)) is not None:
                return slopes.complement(self._of(operand), self._slope)
            case Binary() if real and (operand := growth(node)) is not None:
                return slopes.growth(self._of(operand), self._slope)
            case Call() if real and (operand := odds(node)) is not None:
                return slopes.odds(self._of(operand))
            case Binary() if real:
                made = self._binary(node)
                is_peak, axes = peak(node, self._nodes)
                return rules.centered(made, axes) if is_peak else made
            case Select():
                self._of(node.test)
                return rules.joined([self._of(node.then), self._of(node.other)])
            case Call() if real:
                args = [self._of(arg) for arg in node.args]
                return rules.limited(node.function, args) if len(args) > 1 else self._applied(node.function, args[0])
            case Move() if real and node.op in MOVES:
                return rules.extreme(rules.joined([self._of(arg) for arg in node.args]))
            case Reduce(Reduction.MIN | Reduction.MAX) if real:
                return rules.extreme(self._of(node.operand))
            case Reduce(Reduction.SUM | Reduction.MEAN) if real:
                made = rules.totalled(self._of(node.operand), node.axes, node.op is Reduction.MEAN)
                self._capped |= made.capped
                return made
            case _:
                raise Unproved

    def _applied(self, function: Function, x: Bounds) -> Bounds:
        return slopes.applied(function, x, self._slope)

    def _is_single(self, name: str) -> bool:
        """Whether a param is one number that float32 holds."""
        return self._params[name].shape is None and self._params[name].dtype.name in INPUTS

    def _test(self, node: Node) -> Bounds:
        """A test is the same one: it compares what nothing was rounded of."""
        values = [self._of(child) for child in children(node)]
        if any(value.error or not value.whole for value in values):
            raise Unproved
        return TRUTH

    def _binary(self, node: Binary) -> Bounds:
        left, right = self._of(node.left), self._of(node.right)
        if not is_norm(node, self._nodes, self._floors):
            return self._operated(node, left, right)
        if self._capped:  # where it is infinite its square is
            left, right = (replace(each, infinite=min(each.infinite, 0)) for each in (left, right))
        return rules.normalized(self._operated(node, left, right))

    def _operated(self, node: Binary, left: Bounds, right: Bounds) -> Bounds:
        match node.op:
            case BinaryOp.ADD:
                return rules.added(left, right)
            case BinaryOp.SUB:
                return rules.added(left, rules.negated(right))
            case BinaryOp.MUL if gates(node.left, node.right) and not left.error:
                return slopes.applied(Function.SILU, left)
            case BinaryOp.MUL if gates(node.right, node.left) and not right.error:
                return slopes.applied(Function.SILU, right)
            case BinaryOp.MUL if node.left == node.right:
                return rules.power(left, 2)
            case BinaryOp.MUL:
                return rules.multiplied(left, right)
            case BinaryOp.DIV if is_literal(node.left):  # torch: reciprocal, then a product
                return rules.multiplied(left, rules.divided(rules.constant(1), right))
            case BinaryOp.DIV:
                return rules.divided(left, right)
            case BinaryOp.MOD:
                return rules.rest(left, right)
            case BinaryOp.POW if isinstance(node.right, Const) and node.right.value in (2, 3):
                return rules.power(left, int(node.right.value))
            case BinaryOp.POW:
                return rules.raised(left, right)
            case _:
                raise Unproved
