"""Which ops compute in float16 or bfloat16: what torch rounds once, at the end (docs/design/executorch.md)."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from enum import IntEnum

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compare,
    Const,
    Function,
    Input,
    Move,
    Node,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.compute.walk import walk
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.torch_bounds import MOVES

# Functions that torch computes in float32 and rounds: measured over all float16 (0.5002 of the last place; erf: 5 places,
# rsqrt 1.3 without vectors).
_ONCE = frozenset(
    {
        Function.EXP, Function.SIGMOID, Function.TANH, Function.SQRT, Function.LOG, Function.LOG1P,
        Function.SIN, Function.COS, Function.ASIN, Function.ATAN, Function.SILU, Function.HARDSWISH, Function.SOFTPLUS,
    }
)  # fmt: skip
_NOT_WIDE = frozenset({Function.HARDSWISH})  # multiplies before it divides
_WHOLE = frozenset({Function.SIGN, Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC})
_SAME = frozenset({Function.MIN, Function.MAX, Function.CLIP, Function.ABS}) | _WHOLE
_SUMS = (BinaryOp.ADD, BinaryOp.SUB)


class State(IntEnum):
    """A value of 16 bits: exactly that of the computation, rounded once, or more than that."""

    EXACT, ROUNDED, OTHER = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Short:
    """A type of 16 bits. `stored`: the element type of the spec that its tensors have; `is_wide`: its numbers are as large and
    as small as those of float32, in which torch computes."""

    stored: str
    is_wide: bool = False

    def holds(self, value: float) -> bool:
        """Whether it has a number."""
        if isinstance(value, bool) or math.isnan(value):
            return True
        try:
            packed = b"\0\0" + struct.pack("<f", value)[2:] if self.is_wide else struct.pack("<e", value)
        except OverflowError:
            return False
        held: float = struct.unpack("<f" if self.is_wide else "<e", packed)[0]
        return held == value


HALF, BRAIN = Short("float16"), Short("float32", is_wide=True)


def is_half(op: Op, combination: Combination, short: Short = HALF) -> bool:
    """Whether steps in a type of 16 bits round once at most, for all outputs."""
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return False
    inputs = {tensor.dtype.of(combination).name for tensor in op.inputs}
    outputs = {tensor.dtype.of(combination).name for tensor in op.outputs}
    if inputs != {short.stored} or not outputs <= {short.stored, "bool8", "int32"}:
        return False
    walk = _Walk(short, Types(op.compute, op, combination))
    for statement in op.compute.statements:
        walk.names[statement.name] = walk.state(statement.expr)
    return all(walk.names[tensor.name] is not State.OTHER for tensor in op.outputs)


def takes_once(op: Op) -> bool:
    """Whether each input is an operand of one step: gradients that come from several would be rounded before they are added."""
    assert op.compute is not None
    names = [node.name for node in walk(s.expr for s in op.compute.statements) if isinstance(node, Input | Assigned)]
    return len(names) == len(set(names))


class _Walk:
    """The states of the names of one computation."""

    def __init__(self, short: Short, types: Types) -> None:
        self._short, self._types = short, types
        self.names: dict[str, State] = {}

    def state(self, node: Node) -> State:
        match node:
            case Const():
                return State.EXACT if self._short.holds(node.value) else State.ROUNDED
            case Input():
                return State.EXACT
            case Assigned():
                return self.names[node.name]
            case Select():
                return max(self._exact(node.test), *(self.state(each) for each in (node.then, node.other)))
            case Unary(UnaryOp.NEG | UnaryOp.NOT):
                return self.state(node.operand)
            case Compare() | Binary(BinaryOp.AND | BinaryOp.OR):
                return self._exact(node.left, node.right)
            case Binary() if self._types[node] is Type.REAL:
                return self._binary(node)
            case Call() if node.function in _SAME:
                return self._exact(*node.args)
            case Call() if node.function in (_ONCE - _NOT_WIDE if self._short.is_wide else _ONCE):
                return max(State.ROUNDED, self._exact(*node.args))
            case Reduce(Reduction.MIN | Reduction.MAX) | Reduce(Reduction.ARGMIN | Reduction.ARGMAX):
                return self._exact(node.operand)
            case Reduce(Reduction.SUM | Reduction.MEAN) if self._types[node] is Type.REAL:
                return self._added(node)
            case Move() if node.op in MOVES and self._types[node] is Type.REAL:
                return max(self.state(each) for each in node.args)
            case _:
                return State.OTHER

    def _exact(self, *nodes: Node) -> State:
        """What a step leaves exact; a rounded operand may not go into one."""
        held = all(self.state(node) is State.EXACT for node in nodes)
        return State.EXACT if held else State.OTHER

    def _added(self, node: Reduce) -> State:
        """A sum over one dimension, which torch adds in float32, at most 15 * 2**-24 off; over several it may be one number after
        another. A mean may be one of numbers whose sum is beyond float32."""
        is_one = isinstance(node.axes, tuple) and len(node.axes) == 1
        if not is_one or (node.op is Reduction.MEAN and self._short.is_wide):
            return State.OTHER
        return max(State.ROUNDED, self._exact(node.operand))

    def _binary(self, node: Binary) -> State:
        """One call of torch: of numbers and tensors, a product with a sum or with a sigmoid."""
        if (gate := gated(node)) is not None:
            return State.OTHER if self._short.is_wide else max(State.ROUNDED, self._exact(*gate))
        if node.op in _SUMS and (parts := _product(node)) is not None:
            held = all(_is_tensor(part) for part in parts) and self._exact(*parts) is State.EXACT
            return State.ROUNDED if held else State.OTHER
        if node.op in (BinaryOp.MOD, BinaryOp.POW) and _is_tensor(node.left) and _is_tensor(node.right):
            return max(State.ROUNDED, self._exact(node.left, node.right))
        if node.op is BinaryOp.POW:
            return max(State.ROUNDED, self._exact(node.left)) if self._raises(node.right) else State.OTHER
        if node.op not in (*_SUMS, BinaryOp.MUL, BinaryOp.DIV):
            return State.OTHER
        if not _is_tensor(node.left) and (node.op is BinaryOp.DIV or not _is_tensor(node.right)):
            return State.OTHER  # a number by a tensor is two calls
        scales = node.op not in _SUMS
        held = all(
            (scales and _is_ordinary(each)) or self.state(each) is State.EXACT for each in (node.left, node.right)
        )
        return State.ROUNDED if held else State.OTHER

    def _raises(self, exponent: Node) -> bool:
        """Whether torch raises to a number as it is, rounding once: powers of what is wide may be too large or small inside."""
        if not isinstance(exponent, Const) or isinstance(exponent.value, bool):
            return False
        return exponent.value == 2 if self._short.is_wide else exponent.value > 0 and self._short.holds(exponent.value)


def gated(node: Node) -> tuple[Node, Node] | None:
    """x and z of `x * sigmoid(z)`, which is one step of float16 (`tm.gated`)."""
    match node:
        case Binary(BinaryOp.MUL, x, Call(Function.SIGMOID, (z,))) | Binary(
            BinaryOp.MUL, Call(Function.SIGMOID, (z,)), x
        ):
            return (x, z) if _is_tensor(x) and _is_tensor(z) else None
        case _:
            return None


def _product(node: Binary) -> tuple[Node, Node, Node] | None:
    """The operands of a call that multiplies and adds, as the printer chooses it."""
    sides = ((node.right, node.left), (node.left, node.right))
    for product, other in sides:
        if isinstance(product, Binary) and product.op is BinaryOp.MUL:
            return other, product.left, product.right
    return None


def _is_tensor(node: Node) -> bool:
    """Whether a value is no number of the text."""
    return not isinstance(node, Const) and not (isinstance(node, Unary) and not _is_tensor(node.operand))


def _is_ordinary(node: Node) -> bool:
    """A factor in float32."""
    return isinstance(node, Const) and not isinstance(node.value, bool) and 2.0**-100 <= abs(node.value) <= 2.0**100
