"""Which ops are float32 step by step, as torch's own steps are: sums, products and quotients whose errors are beside the sizes of
their terms, where nothing is proved of the values themselves (docs/design/executorch.md). What `round` and its like take is
float64, unless nothing in it was rounded: they decide as the computation does, and what they give is exact up to 2**24."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from opkg.spec.compute.tree import (
    PLACES,
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
from opkg.spec.dtypes import Kind
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder import torch_bounds as rules
from opkg.targets.executorch_builder import torch_slopes as slopes
from opkg.targets.executorch_builder.torch_bounds import MOVES, Bounds, Unproved
from opkg.targets.executorch_builder.torch_formulas import (
    deviation,
    growth,
    has_tensors,
    log_sum,
    odds,
    peak,
    seen,
    ungrown,
    unscaled,
)
from opkg.targets.executorch_builder.torch_inputs import are_exact, are_floats, is_exact
from opkg.targets.executorch_builder.torch_single import ALLOWED, Wide
from opkg.targets.executorch_builder.torch_steps import LEAST, POSITIVE, SMOOTH, Step, worst
from opkg.targets.executorch_builder.torch_whole import HELD

_CHOICES = frozenset((Function.MIN, Function.MAX, Function.CLIP, Function.ABS))
_WHOLE = frozenset((Function.SIGN, Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC))
_ADDED = 32.0  # what torch's own sums over dimensions are off by at most, measured of up to 2**24 elements: 18


@dataclass(frozen=True, slots=True)
class Plain:
    """`outputs`: how far float32 steps are off in each, if none is beyond float32 or below its normal numbers. `wide`: what is
    float64, and sums over dimensions that are torch's own in float32."""

    outputs: dict[str, Step]
    wide: Wide


def plain(op: Op, combination: Combination) -> Plain | None:
    """What is known of an op whose steps may all be float32 so; None: they may not."""
    if (
        op.compute is None
        or any(tensor.variadic is not None for tensor in op.tensors)
        or not are_floats(op, combination)
    ):
        return None
    wide, size = Wide(), -1
    walk = _Walk(op, combination, wide)
    while size < wide.size:  # again from the start, until no name is float64 any more that was not
        size = wide.size
        walk = _Walk(op, combination, wide)
        try:
            walk.all()
        except Unproved:
            return None
    if wide.size and not are_exact(op, combination):
        return None
    found = {tensor.name: walk.names[tensor.name] for tensor in op.outputs}
    allowed = (ALLOWED.get(tensor.dtype.of(combination).name, 0.0) for tensor in op.outputs)
    if any(step.error > most for step, most in zip(found.values(), allowed, strict=True)):
        return None
    return Plain(found, replace(wide, own=frozenset(walk.own)))


class _Walk:
    """The steps of one computation."""

    def __init__(self, op: Op, combination: Combination, wide: Wide) -> None:
        assert op.compute is not None
        self._compute, self._wide = op.compute, wide
        self._types = Types(op.compute, op, combination)
        self._singles = {p.name for p in op.params if p.shape is None and p.dtype.name in ("float32", "float16")}
        self._integers = {p.name for p in op.params if p.shape is None and p.dtype.kind in (Kind.INT, Kind.UINT)}
        self._held = {t.name for t in op.inputs if is_exact(t.dtype.of(combination))}  # in float32
        self._is_half = all(tensor.dtype.of(combination).name == "float16" for tensor in op.outputs)
        self.names: dict[str, Step] = {}
        self._nodes = {statement.name: statement.expr for statement in op.compute.statements}
        self._made_of: dict[str, frozenset[str]] = {}
        self.own: set[int] = set()  # sums over dimensions that are torch's own in float32, by identity

    def all(self) -> None:
        for statement in self._compute.statements:
            self._made_of[statement.name] = self._inputs(statement.expr)
            if statement.name not in self._wide.names:
                self.names[statement.name] = self.of(statement.expr)
            elif self._types[statement.expr] is Type.REAL:
                self._widen(statement.expr)
                self.names[statement.name] = Step(1, made=True, inputs=self._inputs(statement.expr))
            else:
                raise Unproved

    def of(self, node: Node) -> Step:
        match node:
            case Const(bool()) | Present():
                return Step()
            case Const(value):
                return Step(rules.constant(value).error, positive=value >= 0, number=True)
            case Input():
                if self._types[node] is Type.INTEGER and node.name not in self._held:
                    raise Unproved
                return Step(inputs=frozenset({node.name}))
            case Cast():
                return self._cast(node)
            case Param(name) if name in self._singles:
                return Step(number=True)
            case Param(name) if name in self._integers:  # rounded to float32
                return Step(1, number=True)
            case Assigned():
                return self.names[node.name]
            case Unary(UnaryOp.NOT) | Binary(BinaryOp.AND | BinaryOp.OR) | Compare():
                return self._test(node)
            case Select():
                self._exact(node.test)
                return worst(self.of(node.then), self.of(node.other))
            case Reduce():
                return self._reduce(node)
            case _ if self._types[node] is not Type.REAL:
                raise Unproved
            case Unary(UnaryOp.NEG):
                return replace(self.of(node.operand), positive=False)
            case Binary() if (operand := growth(node)) is not None:
                return self._function(slopes.growth, operand)
            case Call() if (operand := odds(node)) is not None:
                return self._function(slopes.odds, operand)
            case Call() if (total := log_sum(node)) is not None:
                return self._log_sum(total)
            case Binary():
                return self._binary(node)
            case Call():
                return self._whole(node) if node.function in _WHOLE else self._call(node)
            case Move() if node.op in MOVES:
                return worst(*(self.of(arg) for arg in node.args))
            case _:
                raise Unproved

    def _test(self, node: Node) -> Step:
        """A test is the same one: it compares what nothing was rounded of."""
        match node:
            case Unary():
                self._exact(node.operand)
            case Binary() | Compare():
                self._exact(node.left)
                self._exact(node.right)
            case _:
                raise Unproved
        return Step()

    def _exact(self, node: Node) -> None:
        if self.of(node).error:
            raise Unproved

    def _cast(self, node: Cast) -> Step:
        """Of what nothing was rounded of: to float32, or an integer, which has nothing of what is too small."""
        match node:
            case Cast(Input(name), "float32"):
                return Step(inputs=frozenset({name}))
            case Cast() if node.dtype in HELD and node.dtype != "bool8" and self._types[node.operand] is Type.REAL:
                self._exact(ungrown(node.operand, LEAST))
                return Step(inputs=self._inputs(node))
            case _:
                raise Unproved

    def _binary(self, node: Binary) -> Step:
        left, right = self.of(node.left), self.of(node.right)
        joined = worst(left, right)
        match node.op:
            case BinaryOp.SUB if deviation(node) is not None and not left.error:
                return replace(joined, error=3, positive=False)
            case BinaryOp.ADD | BinaryOp.SUB:
                return self._sum(node.op, left, right)
            case BinaryOp.MUL:
                positive = joined.positive or (node.left == node.right and not joined.summed)
                return replace(joined, error=left.error + right.error + 1, positive=positive)
            case BinaryOp.DIV if not right.summed:  # torch may multiply by 1 / right
                return replace(joined, error=left.error + right.error + 2)
            case BinaryOp.POW if isinstance(node.right, Const) and node.right.value in (2, 3):
                times = int(node.right.value)
                positive = left.positive or (times == 2 and not left.summed)
                return replace(left, error=times * (left.error + 1) - 1, positive=positive)
            case BinaryOp.POW if not (left.summed or right.summed):
                return self._power(left, right, node.right)
            case _:
                raise Unproved

    def _power(self, left: Step, right: Step, exponent: Node) -> Step:
        """Any power: a number may raise what has been rounded."""
        low = 0.0 if left.positive else -rules.HIGHEST
        raised = rules.constant(exponent.value) if isinstance(exponent, Const) else Bounds(error=right.error)
        made = rules.raised(Bounds(error=left.error, low=low), raised)
        return replace(worst(left, right), error=made.error, made=True, positive=left.positive, number=False)

    def _sum(self, op: BinaryOp, left: Step, right: Step) -> Step:
        """Of float32, a function is not taken from a number: next to it nothing may be left, and float64 has that."""
        joined = worst(left, right)
        alike = joined.positive and op is BinaryOp.ADD
        if left.decided & right.inputs or right.decided & left.inputs:  # a rest: little may be left of it
            raise Unproved
        if not alike and joined.made and joined.error and not self._is_half and (left.number or right.number):
            raise Unproved
        summed = joined.summed or (joined.error > 0 and not alike)
        return replace(joined, error=joined.error + 1, summed=summed, positive=alike, number=False)

    def _call(self, node: Call) -> Step:
        function = node.function
        args = [self.of(unscaled(arg, LEAST if function in SMOOTH else 1.0)) for arg in node.args]
        positive = function in POSITIVE
        if function in _CHOICES:
            joined = worst(*args)
            return replace(joined, positive=joined.positive or (positive and not joined.summed))
        step = args[0]
        if function in (Function.SQRT, Function.RSQRT) and not step.summed:
            return replace(step, error=step.error / 2 + 2, made=True, positive=True, number=False)
        if step.summed:
            raise Unproved
        error = slopes.applied(function, Bounds(step.error, low=0.0 if step.positive else -rules.HIGHEST)).error
        return replace(step, error=error, made=True, positive=positive or step.positive, number=False)

    def _log_sum(self, total: Reduce) -> Step:
        """The logarithm of a sum that has a 1 in it, exp(x - max(x)): nothing else in it is more than its error off."""
        match seen(total.operand, self._nodes):
            case Call(Function.EXP, (x,)) if peak(x, self._nodes) == (True, total.axes):
                step = self.of(total.operand)
                return replace(step, error=step.error + 3, made=True, positive=True, number=False)
            case _:
                raise Unproved

    def _function(self, function: Callable[[Bounds], Bounds], operand: Node) -> Step:
        """A function of what nothing was rounded of."""
        step = self.of(operand)
        if step.error:
            raise Unproved
        return replace(step, error=function(Bounds()).error, made=True, positive=False, number=False)

    def _whole(self, node: Call) -> Step:
        """`round` and its like: what they take is float64 where float32 might decide otherwise."""
        inputs = self._inputs(node)
        try:
            step = None if id(node) in self._wide.nodes else self.of(ungrown(node.args[0]))
        except Unproved:
            step = None
        if step is not None and not step.error:
            return Step(positive=step.positive, inputs=inputs)
        if not has_tensors(node):
            raise Unproved
        self._wide.nodes.add(id(node))
        self._widen(node)
        return Step(1, inputs=inputs, decided=inputs)

    def _widen(self, node: Node) -> None:
        """What a float64 step takes is float64, too."""
        self._wide.names.update(each.name for each in walk([node]) if isinstance(each, Assigned))

    def _inputs(self, node: Node) -> frozenset[str]:
        """The inputs that a value is made of."""
        match node:
            case Input():
                return frozenset({node.name})
            case Assigned():
                return self._made_of[node.name]
            case _:
                return frozenset[str]().union(*map(self._inputs, children(node)))

    def _reduce(self, node: Reduce) -> Step:
        step = self.of(node.operand)
        if self._types[node.operand] is Type.INTEGER:  # exact sums are float64
            raise Unproved
        if node.op in PLACES and not step.error:
            return Step()
        if self._types[node] is not Type.REAL:
            raise Unproved
        match node.op:
            case Reduction.MIN | Reduction.MAX:
                return replace(step, number=False)
            case Reduction.SUM | Reduction.MEAN if step.positive and not step.summed:  # in float64
                return replace(step, error=step.error + 2, number=False)
            case Reduction.SUM | Reduction.MEAN:
                self.own.add(id(node))
                return replace(step, error=step.error + _ADDED, summed=True, number=False)
            case Reduction.CUMSUM:  # torch adds in float64
                return replace(step, error=step.error + 2, summed=True, number=False)
            case _:
                raise Unproved
