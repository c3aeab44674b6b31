"""Prints an expression of the spec as C++, in a frame that knows what each name is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from opkg.spec.dtypes import DTYPES
from opkg.spec.expr import (
    MEMBERS,
    Binary,
    Call,
    Item,
    Member,
    Name,
    Num,
    Rest,
    Select,
    ShapeList,
    Tree,
    Truth,
    Type,
    Unary,
)
from opkg.targets.qnn_common.names import local


class Unprintable(Exception):
    """The frame cannot express this part; the message says which and why."""


class Printed(NamedTuple):
    """C++ text, its type, and its precedence (larger binds tighter)."""

    text: str
    type: Type
    prec: int = 16

    def at(self, prec: int) -> str:
        """The text, in parentheses where an operator of `prec` needs them."""
        return self.text if self.prec >= prec else f"({self.text})"


class Frame(Protocol):
    """What the names of an expression are in the C++ at hand."""

    def name(self, id: str) -> Printed: ...
    def rest(self, id: str) -> str: ...
    def member(self, tensor: str, member: str) -> Printed: ...
    def shape_item(self, shape: Tree, index: Tree) -> Printed: ...
    def item(self, name: str, index: Tree) -> Printed: ...
    def call(self, function: str, tensor: str) -> Printed: ...
    def concat(self, axis: str, tensor: str) -> Printed: ...
    def shape_call(self, function: str, args: str) -> str: ...
    def integer_call(self, function: str, args: str) -> str: ...


_PRECEDENCE = {"or": 1, "and": 2, "==": 8, "!=": 8, "<": 9, "<=": 9, ">": 9, ">=": 9, "+": 12, "-": 12, "*": 13}
_SPELLING = {"or": "||", "and": "&&"}
_ON_TENSORS = ("rank", "size", "count", "present")


def show(tree: Tree, frame: Frame) -> Printed:
    """C++ for a tree. Raises Unprintable where the frame has no such thing."""
    match tree:
        case Num(value):
            return _number(value)
        case Truth(value):
            return Printed("true" if value else "false", Type.BOOL)
        case Name(id) if id in DTYPES:
            return Printed(DTYPES[id].qnn, Type.DTYPE)
        case Name(id):
            return frame.name(id)
        case Member(tensor, member):
            return frame.member(tensor, member)
        case Item(Name(id), index):
            return frame.item(id, index)
        case Item(base, index):
            return frame.shape_item(base, index)
        case Unary(op, operand):
            return _unary(op, show(operand, frame))
        case Select(test, then, other):
            a, b = show(then, frame), show(other, frame)
            return Printed(f"{show(test, frame).at(2)} ? {a.at(2)} : {b.at(1)}", _common(a, b), 0)
        case Binary():
            return _binary(tree, frame)
        case Call():
            return _call(tree, frame)
        case ShapeList(items):
            return Printed(shape_list(items, frame), Type.SHAPE)
        case Rest():
            raise Unprintable("a run of dimensions stands only in a shape list")
    raise Unprintable(f"unknown construct {type(tree).__name__}")


def _unary(op: str, inner: Printed) -> Printed:
    if op == "not":
        return Printed("!" + inner.at(15), Type.BOOL, 15)
    text = inner.at(15)
    return Printed(f"-({text})" if text.startswith("-") else f"-{text}", inner.type, 15)


def _number(value: int | float) -> Printed:
    if isinstance(value, int):
        suffix = "LL" if abs(value) > 0x7FFFFFFF else ""
        return Printed(f"{value}{suffix}", Type.INT, 16 if value >= 0 else 15)
    return Printed(repr(value), Type.FLOAT, 16 if value >= 0 else 15)


def _common(a: Printed, b: Printed) -> Type:
    return Type.FLOAT if Type.FLOAT in (a.type, b.type) and a.type != b.type else a.type


def _narrow(tree: Tree) -> bool:
    """Whether C++ would compute the tree in the 32-bit `int` of its literals."""
    match tree:
        case Num(value):
            return isinstance(value, int) and abs(value) <= 0x7FFFFFFF
        case Unary("-", operand):
            return _narrow(operand)
        case Select(_, then, other):
            return _narrow(then) and _narrow(other)
    return False


def _binary(tree: Binary, frame: Frame) -> Printed:
    left, right = show(tree.left, frame), show(tree.right, frame)
    if tree.op in ("/", "//", "%"):
        return _division(tree.op, left, right, frame)
    prec = _PRECEDENCE[tree.op]
    if prec >= 12 and _narrow(tree.left) and _narrow(tree.right):
        left = Printed(f"int64_t{{{left.text}}}", Type.INT)
    if tree.op in ("and", "or"):  # mixing && and || without parentheses is a warning
        chained = isinstance(tree.left, Binary) and tree.left.op == tree.op
        text = f"{left.text if chained else left.at(8)} {_SPELLING[tree.op]} {right.at(8)}"
    elif prec < 12:  # and so is comparing comparisons
        text = f"{left.at(10)} {tree.op} {right.at(10)}"
    else:
        text = f"{left.at(prec)} {tree.op} {right.at(prec + 1)}"
    return Printed(text, Type.BOOL if prec < 12 else _common(left, right), prec)


def _division(op: str, left: Printed, right: Printed, frame: Frame) -> Printed:
    if Type.FLOAT not in (left.type, right.type):
        function = "floor_mod" if op == "%" else "floor_div"
        return Printed(frame.integer_call(function, f"{left.text}, {right.text}"), Type.INT)
    if op != "/":
        raise Unprintable(f"{op} of floating-point numbers")
    return Printed(frame.integer_call("divide", f"{left.text}, {right.text}"), Type.FLOAT)


def _call(tree: Call, frame: Frame) -> Printed:
    if tree.function in _ON_TENSORS and isinstance(tree.args[0], Name):
        return frame.call(tree.function, tree.args[0].id)
    if tree.function == "concat" and isinstance(tree.args[1], Name):
        return frame.concat(show(tree.args[0], frame).text, tree.args[1].id)
    if tree.function == "reduce":
        shape, axes, keep = tree.args
        over = _axes(axes, frame)
        args = f"{show_shape(shape, frame)}, {over}, {show(keep, frame).text}"
        return Printed(frame.shape_call("reduce", args), Type.SHAPE)
    if tree.function == "broadcast":
        text = show_shape(tree.args[0], frame)
        for other in tree.args[1:]:
            text = frame.shape_call("broadcast", f"{text}, {show_shape(other, frame)}")
        return Printed(text, Type.SHAPE)
    if tree.function == "product":
        return Printed(f"{show_shape(tree.args[0], frame)}.product()", Type.INT)
    args_ = [show(arg, frame) for arg in tree.args]
    if tree.function in ("ceil_div", "round_up"):
        return Printed(frame.integer_call(tree.function, ", ".join(a.text for a in args_)), Type.INT)
    return _folded(tree.function, args_)


def _folded(function: str, args: list[Printed]) -> Printed:
    """min, max and abs: two operands at a time, of one type."""
    real = any(a.type is Type.FLOAT for a in args)
    cpp = "double" if real else "int64_t"
    kind = Type.FLOAT if real else Type.INT
    if function == "abs":
        return Printed(f"opkg::abs<{cpp}>({args[0].text})", kind)
    text = args[0].text
    for other in args[1:]:
        text = f"opkg::{function}<{cpp}>({text}, {other.text})"
    return Printed(text, kind)


def _axes(tree: Tree, frame: Frame) -> str:
    if isinstance(tree, ShapeList) and not any(isinstance(item, Rest) for item in tree.items):
        return "opkg::Integers{" + ", ".join(show(item, frame).text for item in tree.items) + "}"
    printed = show(tree, frame)
    return f"opkg::Integers{{{printed.text}}}" if printed.type is Type.INT else printed.text


def show_shape(tree: Tree, frame: Frame) -> str:
    """A shape; a bare tensor stands for its shape, a tensor param for its elements."""
    if isinstance(tree, Name):
        return frame.member(tree.id, "shape").text
    return show(tree, frame).at(16)


def shape_list(items: tuple[Tree, ...], frame: Frame) -> str:
    """`[N, H / 2]` -> `opkg::Shape{N, ...}`, with a run in the middle appended."""
    if not any(isinstance(item, Rest) for item in items):
        return "opkg::Shape{" + ", ".join(show(item, frame).text for item in items) + "}"
    text = "opkg::Shape{}"
    for item in items:
        if isinstance(item, Rest):
            if item.name is None:
                raise Unprintable("'...' has no name to repeat; write *name in both places")
            text += f".append({frame.rest(item.name)})"
        else:
            text += f".push({show(item, frame).text})"
    return text


@dataclass(frozen=True)
class ValidationFrame:
    """Names as the variables of a generated `validate_...` function (see validation.py)."""

    values: dict[str, Type]  # dims, rests and scalar params
    tensors: dict[str, str]  # tensor -> C++ variable
    shaped: dict[str, Type]  # tensor params: type of an element
    lists: dict[str, str]  # variadic tensor -> variable with its count
    type_vars: dict[str, str]  # type variable -> variable of a tensor of that type

    def name(self, id: str) -> Printed:
        if id in self.values:
            return Printed(local(id), self.values[id])
        if id in self.shaped:
            return Printed(f"{local(id)}.elements()", Type.SHAPE)
        if id in self.type_vars:
            return Printed(f"{self.type_vars[id]}.dtype()", Type.DTYPE)
        return self.member(id, "shape")

    def rest(self, id: str) -> str:
        return local(id)

    def member(self, tensor: str, member: str) -> Printed:
        if tensor not in self.tensors:
            return self.name(tensor)
        variable = self.tensors[tensor]
        if member in ("scale", "offset"):  # which a tensor may not have
            return Printed(f"check_.{member}({variable})", MEMBERS[member])
        return Printed(f"{variable}.{member}()", MEMBERS[member])

    def shape_item(self, shape: Tree, index: Tree) -> Printed:
        return Printed(f"check_.at({show(shape, self).text}, {show(index, self).text})", Type.INT)

    def item(self, name: str, index: Tree) -> Printed:
        where = show(index, self).text
        if name in self.shaped:
            real = self.shaped[name] is Type.FLOAT
            return Printed(f"check_.{'number_at' if real else 'at'}({local(name)}, {where})", self.shaped[name])
        return Printed(f"check_.at({self.name(name).text}, {where})", Type.INT)

    def call(self, function: str, tensor: str) -> Printed:
        variable = self.tensors.get(tensor)
        if variable is None:  # a param
            given = f"static_cast<bool>({local(tensor)}_param_)"
            text = {"present": given, "rank": "1", "size": f"{local(tensor)}.size()"}[function]
            return Printed(text, Type.BOOL if function == "present" else Type.INT)
        if function == "present":
            return Printed(f"static_cast<bool>({variable})", Type.BOOL)
        if function == "count":
            if tensor in self.lists:
                return Printed(f"int64_t{{{self.lists[tensor]}}}", Type.INT)
            return Printed(f"({variable} ? 1 : 0)", Type.INT)
        return Printed(f"{variable}.{function}()", Type.INT)

    def concat(self, axis: str, tensor: str) -> Printed:
        if tensor not in self.lists:
            return Printed(f"check_.concat({axis}, {self.tensors[tensor]})", Type.SHAPE)
        return Printed(f"check_.concat({axis}, {first_of(tensor)}, {self.lists[tensor]})", Type.SHAPE)

    def shape_call(self, function: str, args: str) -> str:
        return f"check_.{function}({args})"

    def integer_call(self, function: str, args: str) -> str:
        return f"check_.{function}({args})"


def first_of(tensor: str) -> str:
    """The variable that holds the position of a variadic tensor's first item."""
    return f"{local(tensor)}_first_"
