"""What float32 steps have one function of torch for, as calls."""

from __future__ import annotations

from collections.abc import Callable

from opkg.spec.compute.tree import (
    BITWISE,
    Binary,
    BinaryOp,
    Call,
    Const,
    Function,
    Move,
    Movement,
    Node,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.compute.types import Type
from opkg.targets.executorch_builder.layout import items
from opkg.targets.executorch_builder.torch_formulas import complement, deviation, growth, log_sum, odds, steepness
from opkg.targets.executorch_builder.torch_half import gated
from opkg.targets.executorch_builder.torch_known import ATOM, PRECEDENCE, SIGNED, Known, Printed
from opkg.targets.executorch_builder.torch_whole import apart, divisor_of, times_of


def near_half(
    node: Node, known: Known, show: Callable[[Node], Printed], reduced: Callable[[Reduce], str]
) -> Printed | None:
    """The same of float16 steps alone."""
    if isinstance(node, Reduce) and node.op in (Reduction.SUM, Reduction.MEAN) and _is_plain(node, known):
        return Printed(f"torch.{node.op}({reduced(node)})")
    parts = gated(node)
    return None if parts is None else Printed(f"tm.gated({', '.join(show(part).text for part in parts)})")


def near(node: Node, known: Known, show: Callable[[Node], Printed], reduced: Callable[[Reduce], str]) -> Printed | None:
    """The call for a formula, None for any other node. `show`: prints an operand, `reduced`: the arguments of a reduction."""
    if (operand := complement(node)) is not None:
        return Printed(f"torch.special.erfc({show(operand).text})")
    if (operand := growth(node)) is not None:
        return Printed(f"tm.growth({show(operand).text})")
    if (operand := odds(node)) is not None:
        return Printed(f"tm.logit({show(operand).text})")
    if (operand := steepness(node)) is not None:
        return Printed(f"tm.steepness({show(operand).text})")
    if (mean := deviation(node)) is not None:
        return Printed(f"tm.deviation({reduced(mean)})")
    if (total := log_sum(node)) is not None:
        return Printed(f"tm.log_sum({reduced(total)})")
    match node:
        case Unary(UnaryOp.NEG, Call(Function.SOFTPLUS, (Unary(UnaryOp.NEG, x),))) if known.kinds(x) == {Type.REAL}:
            return Printed(f"tm.log_sigmoid({show(x).text})")
        case Unary(UnaryOp.INVERT, x) if not known.is_scalar(x):
            return Printed(f"~{show(x).at(ATOM)}", SIGNED)
        case Binary() if node.op in BITWISE and not known.is_scalar(node):
            return _bits(node, show(node.left), show(node.right))
        case Binary() | Call() if known.kinds(node) == {Type.INTEGER} and (call := _integers(node, known, show)):
            return call
        case Call(Function.SIGMOID, (x,)) if _is_gate(x, known) and not known.is_scalar(x):
            return Printed(f"tm.gate({show(x).text})")
        case Call(Function.HARDSWISH, (x,)) if Function.HARDSWISH in known.formed and not known.is_scalar(x):
            return Printed(f"tm.clipped_gate({show(x).text})")
        case Call(Function.RSQRT, (x,)) if known.kinds(x) == {Type.REAL} and not known.is_scalar(x):
            return Printed(f"tm.rsqrt({show(x).text})")
        case Call(Function.ABS, (x,)) if not known.is_scalar(x):
            return Printed(f"torch.abs({show(x).text})")
        case Call(Function.MIN | Function.MAX, (x, other)):
            return _bounded(node.function, x, other, known, show)
        case Call(Function.CLIP, (x, Const() as low, Const() as high)) if _takes(known, x, low) and _takes(
            known, x, high
        ):
            return Printed(f"torch.clamp({', '.join(show(each).text for each in node.args)})")
        case Reduce(op=Reduction.MIN | Reduction.MAX) if _is_plain(node, known):
            return Printed(f"torch.a{node.op}({reduced(node)})")
        case Move(op=Movement.CONCAT, axes=(axis,)) if all(_are_alike(known, node.args[0], each) for each in node.args):
            return Printed(f"torch.cat({items([show(each).text for each in node.args])}, {axis})")
        case Move(op=Movement.TRANSPOSE, args=(x,), axes=tuple() as axes) if axes and not known.is_scalar(x):
            return Printed(f"torch.permute({show(x).text}, {axes!r})")
        case Select(test, then, other) if not known.is_scalar(test):
            if _are_alike(known, then, other) or _takes(known, then, other) or _takes(known, other, then):
                return Printed(f"torch.where({', '.join(show(each).text for each in (test, then, other))})")
            return None
        case _:
            return None


def _is_plain(node: Reduce, known: Known) -> bool:
    """Whether a reduction of a tensor names its dimensions, as torch's function takes them."""
    return isinstance(node.axes, tuple) and bool(node.axes) and not known.is_scalar(node.operand)


def _integers(node: Binary | Call, known: Known, show: Callable[[Node], Printed]) -> Printed | None:
    """Torch's functions of integers of any size, where these say the same."""
    match node:
        case Call(Function.SIGN, (x,)) if not known.is_scalar(x):
            return Printed(f"torch.sign({show(x).text})")
        case Call(Function.ABS) if (pair := apart(node)) is not None and not any(map(known.is_scalar, pair)):
            texts = ", ".join(show(each).text for each in pair)
            return Printed(f"torch.maximum({texts}) - torch.minimum({texts})", PRECEDENCE["-"])
        case Binary(BinaryOp.POW, x, exponent) if times_of(exponent) is not None and not known.is_scalar(x):
            return Printed(f"torch.pow({show(x).text}, {show(exponent).text})")
        case Binary(BinaryOp.FLOOR_DIV | BinaryOp.MOD as op, x, right) if not known.is_scalar(x):
            divisor = divisor_of(right)
        case _:
            return None
    if divisor is None:
        return None
    if divisor > 0 and divisor & (divisor - 1) == 0:  # bits say it
        if op is BinaryOp.MOD:
            return Printed(f"{show(x).at(PRECEDENCE['&'])} & {divisor - 1}", PRECEDENCE["&"])
        return Printed(f"torch.bitwise_right_shift({show(x).text}, {divisor.bit_length() - 1})")
    if op is BinaryOp.MOD:
        return Printed(f"torch.remainder({show(x).text}, {divisor})")
    return Printed(f'torch.div({show(x).text}, {divisor}, rounding_mode="floor")')


def _is_gate(x: Node, known: Known) -> bool:
    """Whether the sigmoid of x stands for tanh, or may be 1 less another one."""
    match x:
        case Unary(UnaryOp.NEG):
            return True
        case Binary(BinaryOp.MUL, Const(a), _) | Binary(BinaryOp.MUL, _, Const(a)) if a < 0:
            return True
        case _:
            return Function.SIGMOID in known.formed


def _bits(node: Binary, left: Printed, right: Printed) -> Printed:
    """Torch's operators of integers of any size; shifts by what is below 0 are by 0, and by what there are no bits for leave
    0 or the sign."""
    if node.op in (BinaryOp.SHIFT_LEFT, BinaryOp.SHIFT_RIGHT):
        side = "left" if node.op is BinaryOp.SHIFT_LEFT else "right"
        count = right.text if isinstance(node.right, Const) else f"torch.clamp({right.text}, min=0)"
        return Printed(f"torch.bitwise_{side}_shift({left.text}, {count})")
    prec = PRECEDENCE[node.op]
    return Printed(f"{left.at(prec)} {node.op} {right.at(prec + 1)}", prec)


def _bounded(function: Function, x: Node, other: Node, known: Known, show: Callable[[Node], Printed]) -> Printed | None:
    """The lower or the higher of two tensors, or of a tensor and a number."""
    if _are_alike(known, x, other):
        return Printed(f"torch.{function}imum({show(x).text}, {show(other).text})")
    tensor, number = (other, x) if isinstance(x, Const) else (x, other)
    if not _takes(known, tensor, number):
        return None
    if function is Function.MAX and number == Const(0):
        return Printed(f"torch.relu({show(tensor).text})")
    limit = "min" if function is Function.MAX else "max"
    return Printed(f"torch.clamp({show(tensor).text}, {limit}={show(number).text})")


def _are_alike(known: Known, a: Node, b: Node) -> bool:
    """Whether two values are tensors of one type."""
    kinds = known.kinds(a)
    return kinds == known.kinds(b) and len(kinds) == 1 and not known.is_scalar(a) and not known.is_scalar(b)


def _takes(known: Known, x: Node, number: Node) -> bool:
    """Whether the first is a tensor, and the second a number of the text that has its type."""
    if known.is_scalar(x) or not isinstance(number, Const) or isinstance(number.value, bool):
        return False
    return known.kinds(x) == {Type.REAL} or (known.kinds(x) == {Type.INTEGER} and isinstance(number.value, int))
