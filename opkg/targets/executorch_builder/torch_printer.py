"""Prints the statements and expressions of a `compute:` tree as torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

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
from opkg.targets.executorch_builder.layout import WIDTH, Code, items, statement
from opkg.targets.executorch_builder.names import local, quoted
from opkg.targets.executorch_builder.torch_known import ATOM, PRECEDENCE, SIGNED, Known, Printed, double, tensor
from opkg.targets.executorch_builder.torch_moves import moved
from opkg.targets.executorch_builder.torch_near import near, near_half
from opkg.targets.executorch_builder.torch_single import Wide

_COMPARE = 2  # Python's comparisons bind weaker than | and &
_LONG = 40  # a part that is longer gets a name of its own
# Functions that have one name in torch and here.
_TORCH = REAL_FUNCTIONS - {Function.SOFTPLUS, Function.SILU, Function.GELU, Function.MISH, Function.HARDSWISH}
_SAFE = frozenset((Function.ABS, Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC))


class Printer:
    """The statements of one function as they grow; `wide`: of float32 inputs, and what is float64; `half`: of float16 ones."""

    def __init__(self, op: Op, rows: Sequence[Combination], wide: Wide | None, half: bool = False) -> None:
        assert op.compute is not None
        self.op, self.wide, self.half = op, wide, half
        self._in_wide = False
        self._doubled: dict[str, None] = {}  # inputs that float64 steps take
        self.code = Code()
        self._known = Known(op, rows)
        self._parts = 0

    # Statements

    def assign(self, name: str, node: Node) -> None:
        """`name = node`."""
        if self._known.is_scalar(node):
            self._known.scalars.add(name)
        self._in_wide = self.wide is not None and name in self.wide.names
        self._store(local(name), node)
        self._in_wide = False

    def widen_inputs(self) -> None:
        """Puts the inputs that float64 steps take before all of them."""
        optional = {tensor.name for tensor in self.op.inputs if tensor.optional}
        for name in self._doubled:
            text = f"{local(name)}.double()"
            text += f" if {local(name)} is not None else None" if name in optional else ""
            self.code.lines.insert(0, f"    {double(name)} = {text}")

    def _store(self, variable: str, node: Node) -> None:
        """A statement, or several, that leave the value of a node in a variable."""
        if self._starts_wide(node):
            self._set(variable, self._show(node))
            return
        match node:
            case Select() if asks_presence(node.test):
                self._store_choice(variable, node)
            case Binary(BinaryOp.AND | BinaryOp.OR) if asks_presence(node.left):
                self._store_logic(variable, node)
            case _:
                self._set(variable, self._show(node, whole=True))

    def _set(self, variable: str, value: Printed) -> None:
        value = tensor(value)
        if variable != value.text:
            self.code.lines += statement(f"{variable} = ", value.text, self.code.depth)

    def _store_choice(self, variable: str, node: Select) -> None:
        """A choice that presence decides: only one branch is evaluated."""
        if self._known.is_scalar(node.test) and (flat := self._flat_choice(node)):
            line = f"{variable} = {flat}"
            if len(line) + 4 * self.code.depth <= WIDTH:
                self.code.add(line)
                return
        test = self._named(node.test) if not self._known.is_scalar(node.test) else None
        truth = self._truth(node.test) if test is None else f"tm.is_true({test})"
        with self.code.block(f"if {truth}:"):
            self._store(variable, node.then)
        with self.code.block("else:" if test is None else f"elif tm.is_false({test}):"):
            self._store(variable, node.other)
        if test is not None:
            with self.code.block("else:"):
                self._set(variable, self._where(Printed(test), node.then, node.other))

    def _flat_choice(self, node: Select) -> str:
        """The choice on one line, or empty text when it needs more."""
        with self._trial() as lines:
            then, other = (tensor(self._show(branch, whole=True)) for branch in (node.then, node.other))
            text = f"{then.at(1)} if {self._truth(node.test)} else {other.at(0)}"
            flat = not lines()
        return text if flat else ""

    def _store_logic(self, variable: str, node: Binary) -> None:
        """`and`, `or`: what is on the right may name what is absent, unless the left decides alone."""
        conjunction = node.op is BinaryOp.AND
        self._store(variable, node.left)
        with self.code.block(f"if not tm.is_{'false' if conjunction else 'true'}({variable}):"):
            right = self._show(node.right)
            self._set(variable, Printed(f"{variable} {'&' if conjunction else '|'} {right.at(6)}", 5))

    @contextmanager
    def _trial(self) -> Iterator[Callable[[], list[str]]]:
        """Printing whose statements are thrown away; yields a function that tells them."""
        held, parts = self.code.lines, self._parts
        self.code.lines = []
        yield lambda: self.code.lines
        self.code.lines, self._parts = held, parts

    def _named(self, node: Node) -> str:
        """A new variable with the value of a node."""
        self._parts += 1
        variable = f"part{self._parts}_"
        self._store(variable, node)
        return variable

    # Expressions

    def _show(self, node: Node, whole: bool = False) -> Printed:
        """The value of a node, through a temporary when it is long or needs statements; `whole`: it may be long."""
        if self._starts_wide(node):
            self._in_wide = True
            shown = self._show(node)
            self._in_wide = False
            return self._rounded(node, shown)
        lazy = isinstance(node, Select) and asks_presence(node.test)
        if lazy or (isinstance(node, Binary) and node.op in ("and", "or") and asks_presence(node.left)):
            return Printed(self._named(node))
        shown = self._printed(node)
        if whole or len(shown.text) <= _LONG or (shown.prec == ATOM and "(" not in shown.text):
            return shown
        self._parts += 1
        variable = f"part{self._parts}_"
        self._set(variable, shown)
        return Printed(variable)

    def _starts_wide(self, node: Node) -> bool:
        """Whether a float32 step takes the result of a float64 one."""
        return self.wide is not None and not self._in_wide and id(node) in self.wide.nodes

    def _rounded(self, node: Node, shown: Printed) -> Printed:
        """A float64 value as float32 steps take it; single numbers as they are."""
        real = Type.REAL in self._known.kinds(node) and not self._known.is_scalar(node)
        return Printed(f"{shown.at(ATOM)}.float()") if real else shown

    def _printed(self, node: Node) -> Printed:
        single = self.wide is not None and not self._in_wide
        if self.half and (call := near_half(node, self._show)) is not None:
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
                known = node.dtype in DTYPES
                dtype = quoted(DTYPES[node.dtype].name) if known else f"types[{quoted(node.dtype)}]"
                return Printed(f"tm.cast({self._show(node.operand).text}, {dtype})")
            case Reduce():
                return self._reduce(node)
            case Move():
                return Printed(moved(node, [tensor(self._show(arg)).text for arg in node.args]))

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
        return f"{self._show(node.operand).text}, {axes}, {keep}"

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
