"""Prints the expressions of a `compute:` tree as torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from opkg.spec.compute.tree import (
    BITWISE,
    REAL_FUNCTIONS,
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
    Select,
    Unary,
    UnaryOp,
    asks_presence,
)
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.layout import items
from opkg.targets.executorch_builder.names import local, quoted
from opkg.targets.executorch_builder.torch_casts import Reaches, cast_text
from opkg.targets.executorch_builder.torch_gradients import is_steep, shifts
from opkg.targets.executorch_builder.torch_known import ATOM, PRECEDENCE, SIGNED, Known, Printed, double, tensor
from opkg.targets.executorch_builder.torch_moves import moved
from opkg.targets.executorch_builder.torch_near import near, near_half
from opkg.targets.executorch_builder.torch_single import Wide
from opkg.targets.executorch_builder.torch_whole import HELD

_COMPARE = 2  # Python's comparisons bind weaker than | and &
# Functions that have one name in torch and here.
_TORCH = REAL_FUNCTIONS - {Function.SOFTPLUS, Function.SILU, Function.GELU, Function.MISH, Function.HARDSWISH}
_SAFE = frozenset((Function.ABS, Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC))


class Expressions(ABC):
    """The expressions of one function; `wide`: of float32 inputs, and what is float64; `half`: of float16 ones."""

    def __init__(self, op: Op, rows: Sequence[Combination], known: Known, wide: Wide | None, half: bool) -> None:
        assert op.compute is not None
        self.op, self.wide, self.half = op, wide, half
        self._known = known
        self._reaches = Reaches(op, rows)
        self._last = 0  # a cast that is an output and nothing else, by identity
        self._in_wide = False
        self._doubled: dict[str, None] = {}  # inputs that float64 steps take
        self._shifts = shifts(op.compute)
        self._branches: list[
            tuple[str, str]
        ] = []  # tests, and functions that leave a value no gradient where they fail

    @abstractmethod
    def _show(self, node: Node, whole: bool = False) -> Printed:
        """The value of a node, through a temporary when it is long or needs statements; `whole`: it may be long."""

    @abstractmethod
    def _named(self, node: Node) -> str:
        """A new variable with the value of a node."""

    def _starts_wide(self, node: Node) -> bool:
        """Whether a float32 step takes the result of a float64 one."""
        return self.wide is not None and not self._in_wide and id(node) in self.wide.nodes

    def _rounded(self, node: Node, shown: Printed) -> Printed:
        """A float64 value as float32 steps take it; single numbers as they are."""
        real = Type.REAL in self._known.kinds(node) and not self._known.is_scalar(node)
        return Printed(f"{shown.at(ATOM)}.float()") if real else shown

    def _printed(self, node: Node) -> Printed:
        """The value of a node; in a branch of a choice, with no gradients where that is not chosen."""
        if isinstance(node, Select) and self._has_steep_branch(node):
            return self._steep_choice(node)
        shown = self._value(node)
        if self._branches and isinstance(node, Input | Assigned) and self._known.kinds(node) == {Type.REAL}:
            for test, function in self._branches:
                shown = Printed(f"tm.{function}({shown.text}, {test})")
        return shown

    def _has_steep_branch(self, node: Select) -> bool:
        is_element = not self._known.is_scalar(node.test) and not asks_presence(node.test)
        is_real = Type.REAL in self._known.kinds(node)
        return is_element and is_real and (is_steep(node.then) or is_steep(node.other))

    def _steep_choice(self, node: Select) -> Printed:
        """`where`, of whose branches one has a slope that may be infinite where the other is chosen."""
        held, self._branches = self._branches, []
        test = local(node.test.name) if isinstance(node.test, Assigned) else self._named(node.test)
        shown = []
        for branch, function in ((node.then, "chosen"), (node.other, "left_out")):
            self._branches = [*held, (test, function)] if is_steep(branch) else held
            shown.append(self._show(branch).text)
        self._branches = held
        return Printed(f"tm.where({test}, {', '.join(shown)})")

    def _value(self, node: Node) -> Printed:
        single = self.wide is not None and not self._in_wide
        if self.half and (call := near_half(node, self._known, self._show, self._reduced)) is not None:
            return call
        if single and (call := near(node, self._known, self._show, self._reduced)) is not None:
            return call
        match node:
            case Input() if self._in_wide and self._known.kinds(node) == {Type.REAL}:
                self._doubled[node.name] = None
                return Printed(double(node.name))
            case Assigned() if self.wide is not None and node.name in self.wide.names and not self._in_wide:
                return self._rounded(node, Printed(local(node.name)))
            case Const():
                negative = not isinstance(node.value, bool) and (node.value < 0 or str(node.value)[0] == "-")
                return Printed(repr(node.value), SIGNED if negative else ATOM, number=True)
            case Input() | Param() | Assigned():
                return Printed(local(node.name))
            case Present():
                return Printed(f"tm.number({self._truth(node)})")
            case Unary():
                return self._unary(node)
            case Binary():
                return self._binary(node)
            case Compare():
                left, right = self._operands(node.left, node.right)
                if left.text in ("True", "False") or right.text in ("True", "False"):
                    left, right = (Printed(f"tm.number({p.text})") if p.number else p for p in (left, right))
                return Printed(f"{left.at(3)} {node.op} {right.at(3)}", _COMPARE)
            case Select():
                return self._where(self._show(node.test), node.then, node.other)
            case Call():
                return self._call(node)
            case Cast():
                return self._cast(node)
            case Reduce():
                return self._reduce(node)
            case Move():
                return Printed(moved(node, [tensor(self._show(arg)).text for arg in node.args]))

    def _cast(self, node: Cast) -> Printed:
        """`last`: an output, which may be int32; else integers are int64, or int32 where all are."""
        shown, last = self._show(node.operand), id(node) == self._last
        single = self.wide is not None and not self._in_wide
        if single and node.dtype == "float32":
            return shown  # an integer that is float32 already
        kinds, reach = self._known.kinds(node.operand), self._reaches.of(node.operand)
        fits = node.dtype in HELD and node.dtype != "bool8" and not (shown.number or self._known.is_scalar(node))
        if fits and kinds == {Type.INTEGER}:
            text = cast_text(node, shown, reach, False, "")
            return shown if text == shown.text else Printed(text)
        is_real = fits and kinds == {Type.REAL}
        if is_real and (reach.within(node.dtype) or not (reach.nan or single)):  # float32 has no 2**31 - 1
            return Printed(cast_text(node, shown, reach, True, ".int()" if last else ".long()"))
        dtype = quoted(DTYPES[node.dtype].name) if node.dtype in DTYPES else f"types[{quoted(node.dtype)}]"
        return Printed(f"tm.{'held' if last and is_real else 'cast'}({shown.text}, {dtype})")

    def _unary(self, node: Unary) -> Printed:
        inner = self._show(node.operand)
        if node.op is UnaryOp.NOT:
            return Printed(f"tm.logical_not({inner.text})")
        if node.op is UnaryOp.INVERT:
            return Printed(f"tm.invert({inner.text})")
        return Printed(f"-{inner.at(ATOM)}", SIGNED, inner.number)

    def _operands(self, *nodes: Node) -> list[Printed]:
        """Operands of an operator: a float beside what may be integers, and one of two numbers, become tensors."""
        shown = [self._show(node) for node in nodes]
        integers = any(
            Type.INTEGER in self._known.kinds(node) for node, p in zip(nodes, shown, strict=True) if not p.number
        )
        numbers = all(printed.number for printed in shown)
        mixed = numbers and any(Type.REAL in self._known.kinds(node) for node in nodes)  # torch: a float32
        for at, (node, printed) in enumerate(zip(nodes, shown, strict=True)):
            real = integers and Type.REAL in self._known.kinds(node)
            if printed.number and (real or mixed or (numbers and at == 0)):
                shown[at] = Printed(f"tm.number({printed.text})")
        return shown

    def _binary(self, node: Binary) -> Printed:
        if fused := self._fused(node):
            return fused
        left, right = self._operands(node.left, node.right)
        op: str = node.op
        match node.op:
            case BinaryOp.AND | BinaryOp.OR:
                op = "&" if node.op is BinaryOp.AND else "|"
            case BinaryOp.FLOOR_DIV | BinaryOp.MOD:
                name = "floor_divide" if node.op is BinaryOp.FLOOR_DIV else "remainder"
                return Printed(f"tm.{name}({left.text}, {right.text})")
            case _ if node.op in BITWISE:
                return Printed(f"tm.{node.op.name.lower()}({left.text}, {right.text})")
            case BinaryOp.DIV if not (self._real_tensor(node.left, left) or self._real_tensor(node.right, right)):
                return Printed(f"tm.divide({left.text}, {right.text})")
            case BinaryOp.POW if not (self._real_tensor(node.left, left) and right.number):
                return Printed(f"tm.power({left.text}, {right.text})")
            case _:
                pass
        prec = PRECEDENCE[op]
        if op == "**":
            space = "" if left.text.isidentifier() and right.prec == ATOM else " "  # as ruff writes it
            return Printed(f"{left.at(ATOM)}{space}**{space}{right.at(ATOM)}", prec)
        return Printed(f"{left.at(prec)} {op} {right.at(prec + 1)}", prec)

    def _fused(self, node: Binary) -> Printed | None:
        """A sum with a product as one call of torch, which rounds once or twice: float32 is proved with either. Of numbers that
        are each for a row it is slow."""
        if self.wide is None or self._in_wide or node.op not in (BinaryOp.ADD, BinaryOp.SUB):
            return None
        turned = self.half and node.op is BinaryOp.SUB  # a * b - c is a * b + -c, which rounds once
        sides = [(node.right, node.left)] + ([(node.left, node.right)] if node.op is BinaryOp.ADD or turned else [])
        for product, other in sides:
            if not isinstance(product, Binary) or product.op is not BinaryOp.MUL or self._starts_wide(product):
                continue
            nodes = (other, product.left, product.right)
            if not self.half and any(self._known.is_column(each) for each in nodes):
                continue
            if all(self._known.kinds(each) == {Type.REAL} and not self._known.is_scalar(each) for each in nodes):
                addend, *factors = (self._show(each) for each in nodes)
                texts = ", ".join(each.text for each in factors)
                if turned and product is node.left:
                    return Printed(f"torch.addcmul(-{addend.at(ATOM)}, {texts})")
                return Printed(
                    f"torch.addcmul({addend.text}, {texts}{'' if node.op is BinaryOp.ADD else ', value=-1'})"
                )
        return None

    def _real_tensor(self, node: Node, shown: Printed) -> bool:
        return not shown.number and self._known.kinds(node) == {Type.REAL}

    def _where(self, test: Printed, then: Node, other: Node) -> Printed:
        a, b = self._show(then), self._show(other)
        return Printed(f"tm.where({test.text}, {a.text}, {b.text})")

    def _call(self, node: Call) -> Printed:
        args = [self._show(arg) for arg in node.args]
        real = self._real_tensor(node.args[0], args[0])
        module = "torch" if node.function in _SAFE | _TORCH and real and not args[0].number else "tm"
        if node.function is Function.SILU and real:
            module = "torch.nn.functional"
        name = {Function.MIN: "minimum", Function.MAX: "maximum"}.get(node.function, node.function.value)
        return Printed(f"{module}.{name}({', '.join(arg.text for arg in args)})")

    def _reduce(self, node: Reduce) -> Printed:
        name = "own" if self.wide is not None and id(node) in self.wide.own else "reduce"
        return Printed(f"tm.{name}_{node.op}({self._reduced(node)})")

    def _reduced(self, node: Reduce) -> str:
        """The arguments of a reduction."""
        axes = local(node.axes) if isinstance(node.axes, str) else "None"
        if isinstance(node.axes, tuple):
            axes = str(node.axes[0]) if len(node.axes) == 1 else items([str(axis) for axis in node.axes])
        keep = f"bool({local(node.keepdims)})" if isinstance(node.keepdims, str) else repr(node.keepdims)
        operand = self._show(node.operand).text
        return f"{f'tm.still({operand})' if id(node) in self._shifts else operand}, {axes}, {keep}"

    def _truth(self, node: Node) -> str:
        """A scalar test as a Python condition."""
        match node:
            case Present():
                return f"{local(node.name)} is not None"
            case Unary(UnaryOp.NOT, Present(name)):
                return f"{local(name)} is None"
            case Unary(UnaryOp.NOT, operand):
                return f"not ({self._truth(operand)})"
            case Binary(BinaryOp.AND | BinaryOp.OR):
                texts = [self._truth(side) for side in (node.left, node.right)]
                nested = [isinstance(s, Binary) and s.op != node.op for s in (node.left, node.right)]
                return f" {node.op} ".join(f"({t})" if n else t for t, n in zip(texts, nested, strict=True))
            case _:
                return self._printed(node).text
