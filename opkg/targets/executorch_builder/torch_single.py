"""Which ops compute in float32: those whose `compute:` is proved to lose nothing by it (docs/design/executorch.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compare,
    Compute,
    Const,
    Function,
    Input,
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
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder import torch_bounds as rules
from opkg.targets.executorch_builder.torch_bounds import TRUTH, Bounds, Unproved

# Errors that an output may have, in 2**-24: 16 is 2**-20 of the value; of float16 a hundredth of the last place.
ALLOWED = {"float32": 16.0, "float16": 80.0, "bool8": 0.0}
# Absolute errors, in 2**-126, by what was too small inside.
LOST = {"float32": 2.0**10, "float16": 2.0**90, "bool8": 0.0}
_INPUTS = {
    "float32": Bounds(),
    "float16": Bounds(bits=11, low=-65504.0, high=65504.0, least=2.0**-24),
}
_LIMITS = frozenset((Function.MIN, Function.MAX, Function.CLIP))


def proved(op: Op, combination: Combination) -> dict[str, Bounds] | None:
    """What float32 steps are off at most in each output; None where nothing is proved."""
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return None
    names = {tensor.name: tensor.dtype.of(combination).name for tensor in op.tensors}
    if any(names[tensor.name] not in _INPUTS for tensor in op.inputs):
        return None
    found: dict[str, Bounds] = {}
    try:
        for output in op.outputs:
            name = names[output.name]
            bounds = _Walk(op, combination, output.name).result()
            allowed = ALLOWED.get(name, -1.0)
            if bounds.error > allowed or bounds.loss > LOST[name] or (bounds.moved and name != "float32"):
                return None
            found[output.name] = bounds
    except Unproved:
        return None
    return found


class _Walk:
    """The bounds of one output, statement by statement."""

    def __init__(self, op: Op, combination: Combination, output: str) -> None:
        assert op.compute is not None
        self.op, self.output = op, output
        self._types = Types(op.compute, op, combination)
        self._dtypes = {tensor.name: tensor.dtype.of(combination).name for tensor in op.inputs}
        self._uses = _uses(op.compute, output)
        self._params = {param.name: param for param in op.params}
        self._names: dict[str, Bounds] = {}

    def result(self) -> Bounds:
        assert self.op.compute is not None
        for statement in self.op.compute.statements:
            if self._uses[statement.name]:
                self._names[statement.name] = self._of(statement.expr)
        return self._names[self.output]

    def _of(self, node: Node) -> Bounds:
        real = self._types[node] is Type.REAL
        match node:
            case Const():
                return TRUTH if isinstance(node.value, bool) else rules.constant(node.value)
            case Input() if real:
                known = _INPUTS[self._dtypes[node.name]]
                return replace(known, movable=node.name if self._uses[node.name] == 1 else "")
            case Param() if real and self._is_single(node.name):
                return _INPUTS[self._params[node.name].dtype.name]
            case Assigned():
                return self._names[node.name]
            case Present():
                return TRUTH
            case Unary(UnaryOp.NOT) | Binary(BinaryOp.AND | BinaryOp.OR) | Compare():
                return self._test(node)
            case Unary(UnaryOp.NEG) if real:
                return rules.negated(self._of(node.operand))
            case Binary() if real:
                return self._binary(node)
            case Select():
                self._of(node.test)
                return rules.joined([self._of(node.then), self._of(node.other)])
            case Call() if real:
                args = [self._of(arg) for arg in node.args]
                return rules.limited(node.function, args) if len(args) > 1 else rules.applied(node.function, args[0])
            case Reduce(Reduction.MIN | Reduction.MAX) if real:
                return replace(self._of(node.operand), movable="")
            case _:
                raise Unproved

    def _is_single(self, name: str) -> bool:
        """Whether a param is one number that float32 holds."""
        return self._params[name].shape is None and self._params[name].dtype.name in _INPUTS

    def _test(self, node: Node) -> Bounds:
        """A test is the same one: it compares what nothing was rounded of."""
        values = [self._of(child) for child in children(node)]
        if any(value.error or not value.whole for value in values):
            raise Unproved
        return TRUTH

    def _binary(self, node: Binary) -> Bounds:
        left, right = self._of(node.left), self._of(node.right)
        match node.op:
            case BinaryOp.ADD:
                return rules.added(left, right)
            case BinaryOp.SUB:
                return rules.added(left, rules.negated(right))
            case BinaryOp.MUL if _gates(node.left, node.right) and not left.error:
                return rules.applied(Function.SILU, left)
            case BinaryOp.MUL if _gates(node.right, node.left) and not right.error:
                return rules.applied(Function.SILU, right)
            case BinaryOp.MUL if node.left == node.right:
                return rules.power(left, 2)
            case BinaryOp.MUL:
                return rules.multiplied(left, right)
            case BinaryOp.DIV if _is_literal(node.left):  # torch: reciprocal, then a product
                return rules.multiplied(left, rules.divided(rules.constant(1), right))
            case BinaryOp.DIV:
                return rules.divided(left, right)
            case BinaryOp.POW if isinstance(node.right, Const) and node.right.value in (2, 3):
                return rules.power(left, int(node.right.value))
            case _:
                raise Unproved


def _is_literal(node: Node) -> bool:
    """Whether a node is a number of the text."""
    return isinstance(node, Const) or (isinstance(node, Unary) and _is_literal(node.operand))


def _gates(left: Node, right: Node) -> bool:
    """Whether a product is SiLU."""
    return isinstance(right, Call) and right.function is Function.SIGMOID and right.args == (left,)


def _uses(compute: Compute, output: str) -> Counter[str]:
    """How often each name goes into an output, through temporaries, too."""
    found = Counter({output: 1})
    for statement in reversed(compute.statements):
        stack = [statement.expr]
        while stack and found[statement.name]:
            node = stack.pop()
            stack += children(node)
            if isinstance(node, Input | Assigned):
                found[node.name] += found[statement.name]
    return found
