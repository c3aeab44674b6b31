"""Which ops of integers are computed in int32: where results have the low 32 bits of int64 (docs/design/executorch.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.spec.compute.tree import (
    BITWISE,
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
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.torch_bounds import MOVES, Unproved

LOW, HIGH = -(1 << 31), (1 << 31) - 1
HELD = frozenset({"int8", "int16", "int32", "uint8", "bool8"})
_BITS = (BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR)
_ROOMS = ((1 << 30) - 1, 1 << 15)  # for sums, for products and sums of them
_SHIFTS = (BinaryOp.SHIFT_LEFT, BinaryOp.SHIFT_RIGHT)
_FUNCTIONS = frozenset({Function.MIN, Function.MAX, Function.CLIP, Function.ABS})


@dataclass(frozen=True, slots=True)
class Span:
    """Where an integer lies. Not `exact`: int32 may have wrapped, and only its low 32 bits are known."""

    low: int = LOW
    high: int = HIGH
    exact: bool = True


WRAPPED = Span(exact=False)


def is_whole(op: Op, combination: Combination) -> bool:
    """Whether int32 steps give all outputs to the last bit."""
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return False
    if any(tensor.dtype.of(combination).name not in HELD for tensor in op.tensors):
        return False
    return _is_held(op, combination)


def is_narrow(op: Op, combination: Combination) -> bool:
    """Whether the same holds of steps in the type of 8 or 16 bits that all integers of the op have."""
    dtypes = {tensor.dtype.of(combination).name for tensor in op.tensors} - {"bool8"}
    if op.compute is None or len(dtypes) != 1 or not dtypes < HELD - {"int32"}:
        return False
    return _is_held(op, combination, *DTYPES[dtypes.pop()].limits)


def room_of(op: Op, combination: Combination) -> int | None:
    """The size up to which int32 inputs wrap nowhere, of an op with one result, which some step makes; None: there is no such
    size, or no need of it."""
    if op.compute is None or len(op.outputs) != 1 or any(t.variadic is not None or t.optional for t in op.tensors):
        return None
    dtypes = {tensor.dtype.of(combination).name for tensor in op.tensors}
    if not dtypes <= HELD or not isinstance(op.compute.statements[-1].expr, Binary | Call):
        return None
    return next((most for most in _ROOMS if _is_held(op, combination, most=most)), None)


def _is_held(op: Op, combination: Combination, low: int = LOW, high: int = HIGH, most: int = -LOW) -> bool:
    """Whether steps in a type that holds some numbers have the low bits of each output; of inputs no larger than `most`."""
    assert op.compute is not None
    walk = _Walk(op, combination, low, high)
    walk.limit(most)
    try:
        for statement in op.compute.statements:
            walk.names[statement.name] = walk.of(statement.expr)
    except Unproved:
        return False
    return any(t.dtype.of(combination).name != "bool8" for t in op.inputs)


def shift_of(node: Node) -> int | None:
    """A count that a shift of 32 bits takes as it is."""
    if isinstance(node, Const) and not isinstance(node.value, bool) and node.value in range(32):
        return int(node.value)
    return None


def divisor_of(node: Node) -> int | None:
    """A number that torch divides integers by as they are: not by 0, and by -1 the lowest one has no quotient."""
    if isinstance(node, Const) and isinstance(node.value, int) and node.value not in (0, -1):
        return node.value if not isinstance(node.value, bool) and LOW <= node.value <= HIGH else None
    return None


def times_of(node: Node) -> int | None:
    """2 and 3 as exponents."""
    if isinstance(node, Const) and isinstance(node.value, int) and node.value in (2, 3):
        return node.value
    return None


def apart(node: Call) -> tuple[Node, Node] | None:
    """a and b of `abs(a - b)`, which is max(a, b) - min(a, b) whether the difference has wrapped or not."""
    match node.args:
        case (Binary(BinaryOp.SUB, Input() | Assigned() as a, Input() | Assigned() as b),):
            return a, b
        case _:
            return None


def _power(a: Span, times: int) -> tuple[int, int]:
    ends = a.low**times, a.high**times
    return (0 if times == 2 and a.low < 0 < a.high else min(ends)), max(ends)


class _Walk:
    """The spans of one computation."""

    def __init__(self, op: Op, combination: Combination, low: int, high: int) -> None:
        assert op.compute is not None
        self._low, self._high = low, high  # the type of the steps
        self._types = Types(op.compute, op, combination)
        self._known = {tensor.name: Span(*tensor.dtype.of(combination).limits) for tensor in op.inputs}
        held = (param for param in op.params if param.shape is None and param.dtype.name in HELD)
        spans = {param.name: Span(*param.dtype.limits) for param in held}
        self._params = {name: span for name, span in spans.items() if low <= span.low and span.high <= high}
        self.names: dict[str, Span] = {}

    def limit(self, most: int) -> None:
        """Makes the inputs no larger than that."""
        for name, span in self._known.items():
            self._known[name] = Span(max(span.low, -most), min(span.high, most))

    def of(self, node: Node) -> Span:
        if self._types[node] is Type.REAL:
            raise Unproved
        match node:
            case Const(value) if self._low <= value <= self._high:
                return Span(int(value), int(value))
            case Input(name):
                return self._known[name]
            case Param(name) if name in self._params:
                return self._params[name]
            case Assigned(name):
                return self.names[name]
            case Present():
                return Span(0, 1)
            case Compare() | Binary(BinaryOp.AND | BinaryOp.OR) | Unary(UnaryOp.NOT):
                self._exact(children(node))
                return Span(0, 1)
            case Unary():
                x = self.of(node.operand)
                ends = (-x.high, -x.low) if node.op is UnaryOp.NEG else (~x.high, ~x.low)
                return self._held(*ends, x.exact)
            case Binary():
                return self._binary(node)
            case Select():
                self._exact((node.test,))
                return _joined([self.of(node.then), self.of(node.other)])
            case Call(Function.SIGN):
                self._exact(node.args)
                return Span(-1, 1)
            case Call(Function.ABS) if (pair := apart(node)) is not None:
                a, b = self._exact(pair)
                return self._held(0, max(a.high - b.low, b.high - a.low))
            case Call() if node.function in _FUNCTIONS:
                spans = self._exact(node.args)
                return (
                    self._held(0, max(-spans[0].low, spans[0].high))
                    if node.function is Function.ABS
                    else _joined(spans)
                )
            case Cast() if node.dtype in HELD and node.dtype != "bool8" and self._low == LOW:
                (span,), (low, high) = self._exact((node.operand,)), DTYPES[node.dtype].limits
                return Span(min(max(span.low, low), high), min(max(span.high, low), high))
            case Reduce():
                return self._reduce(node)
            case Move() if node.op in MOVES:
                return _joined([self.of(arg) for arg in node.args])
            case _:
                raise Unproved

    def _held(self, low: int, high: int, exact: bool = True) -> Span:
        return Span(low, high) if exact and low >= self._low and high <= self._high else WRAPPED

    def _exact(self, nodes: Sequence[Node]) -> list[Span]:
        """Operands of what looks at more than the low bits."""
        spans = [self.of(node) for node in nodes]
        if not all(span.exact for span in spans):
            raise Unproved
        return spans

    def _binary(self, node: Binary) -> Span:
        a, b = self.of(node.left), self.of(node.right)
        exact = a.exact and b.exact
        if (
            isinstance(node.right, Const)
            and node.op in _SHIFTS
            and node.right.value >= (self._high - self._low).bit_length()
        ):
            raise Unproved
        match node.op:
            case BinaryOp.ADD:
                return self._held(a.low + b.low, a.high + b.high, exact)
            case BinaryOp.SUB:
                return self._held(a.low - b.high, a.high - b.low, exact)
            case BinaryOp.MUL:
                corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return self._held(min(corners), max(corners), exact)
            case _ if node.op in _BITS:
                return Span(self._low, self._high, exact)
            case BinaryOp.SHIFT_LEFT if (count := shift_of(node.right)) is not None:
                return self._held(a.low << count, a.high << count, exact)
            case BinaryOp.SHIFT_RIGHT if (count := shift_of(node.right)) is not None and exact:
                return Span(a.low >> count, a.high >> count)
            case BinaryOp.SHIFT_LEFT if b.exact and not isinstance(node.right, Const):
                return WRAPPED
            case BinaryOp.SHIFT_RIGHT if exact and not isinstance(node.right, Const):
                return Span(min(a.low, 0), max(a.high, 0))
            case BinaryOp.FLOOR_DIV if exact and (divisor := divisor_of(node.right)) is not None:
                ends = a.low // divisor, a.high // divisor
                return Span(min(ends), max(ends))
            case BinaryOp.MOD if exact and (divisor := divisor_of(node.right)) is not None:
                return Span(min(divisor + 1, 0), max(divisor - 1, 0))
            case BinaryOp.FLOOR_DIV if exact and not isinstance(node.right, Const):
                return self._held(min(a.low, -a.high), max(a.high, -a.low))
            case BinaryOp.MOD if exact and not isinstance(node.right, Const):
                return Span(min(b.low + 1, 0), max(b.high - 1, 0))
            case BinaryOp.POW if (times := times_of(node.right)) is not None:
                return self._held(*_power(a, times), exact)
            case _:
                assert node.op in BITWISE or self._types[node] is Type.INTEGER
                raise Unproved

    def _reduce(self, node: Reduce) -> Span:
        """Sums over dimensions are int64 in torch."""
        span = self.of(node.operand)
        if node.op in (Reduction.SUM, Reduction.CUMSUM):
            return WRAPPED
        if not span.exact:
            raise Unproved
        if node.op in PLACES and self._low == LOW:
            return Span(0, HIGH)
        if node.op in (Reduction.MIN, Reduction.MAX):
            return span
        raise Unproved


def _joined(spans: Sequence[Span]) -> Span:
    """One of several values, or what lies between them."""
    if not all(span.exact for span in spans):
        return WRAPPED
    return Span(min(span.low for span in spans), max(span.high for span in spans))
