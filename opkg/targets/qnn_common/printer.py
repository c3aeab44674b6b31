"""Prints an expression of the spec as C++, in a frame that knows what each name is there."""

from __future__ import annotations

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
from opkg.targets.qnn_common.names import string


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
    def item(self, name: str, index: str) -> Printed: ...
    def call(self, function: str, tensor: str) -> Printed: ...
    def concat(self, axis: str, tensor: str) -> Printed: ...
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
        case Item(base, index):
            return _item(base, index, frame)
        case Unary(op, operand):
            inner = show(operand, frame)
            kind = Type.BOOL if op == "not" else inner.type
            return Printed(("!" if op == "not" else op) + inner.at(15), kind, 15)
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


def _number(value: int | float) -> Printed:
    if isinstance(value, int):
        suffix = "LL" if abs(value) > 0x7FFFFFFF else ""
        return Printed(f"{value}{suffix}", Type.INT, 16 if value >= 0 else 15)
    return Printed(repr(value), Type.FLOAT, 16 if value >= 0 else 15)


def _common(a: Printed, b: Printed) -> Type:
    return Type.FLOAT if Type.FLOAT in (a.type, b.type) and a.type != b.type else a.type


def _item(base: Tree, index: Tree, frame: Frame) -> Printed:
    where = show(index, frame).text
    if isinstance(base, Name):
        return frame.item(base.id, where)
    return Printed(f"{show(base, frame).at(16)}.at({where})", Type.INT)


def _binary(tree: Binary, frame: Frame) -> Printed:
    left, right = show(tree.left, frame), show(tree.right, frame)
    if tree.op in ("/", "//", "%"):
        return _division(tree.op, left, right, frame)
    prec = _PRECEDENCE[tree.op]
    text = f"{left.at(prec)} {_SPELLING.get(tree.op, tree.op)} {right.at(prec + 1)}"
    if tree.op == "and" or tree.op == "or":  # mixing && and || without parentheses is a warning
        text = f"{left.at(8)} {_SPELLING[tree.op]} {right.at(8)}"
        if isinstance(tree.left, Binary) and tree.left.op == tree.op:
            text = f"{left.text} {_SPELLING[tree.op]} {right.at(8)}"
    return Printed(text, Type.BOOL if prec < 12 else _common(left, right), prec)


def _division(op: str, left: Printed, right: Printed, frame: Frame) -> Printed:
    if Type.FLOAT not in (left.type, right.type):
        function = "floor_mod" if op == "%" else "floor_div"
        return Printed(frame.integer_call(function, f"{left.text}, {right.text}"), Type.INT)
    if op == "%":
        raise Unprintable("% of floating-point numbers")
    quotient = frame.integer_call("divide", f"{left.text}, {right.text}")
    return Printed(f"std::floor({quotient})" if op == "//" else quotient, Type.FLOAT)


def _call(tree: Call, frame: Frame) -> Printed:
    if tree.function in _ON_TENSORS and isinstance(tree.args[0], Name):
        return frame.call(tree.function, tree.args[0].id)
    if tree.function == "concat" and isinstance(tree.args[1], Name):
        return frame.concat(show(tree.args[0], frame).text, tree.args[1].id)
    if tree.function == "reduce":
        shape, axes, keep = tree.args
        over = _axes(axes, frame)
        return Printed(f"opkg::reduce({_shape(shape, frame)}, {over}, {show(keep, frame).text})", Type.SHAPE)
    if tree.function == "broadcast":
        text = _shape(tree.args[0], frame)
        for other in tree.args[1:]:
            text = f"opkg::broadcast({text}, {_shape(other, frame)})"
        return Printed(text, Type.SHAPE)
    if tree.function == "product":
        return Printed(f"opkg::product({_shape(tree.args[0], frame)})", Type.INT)
    args = [show(arg, frame) for arg in tree.args]
    if tree.function in ("ceil_div", "round_up"):
        return Printed(frame.integer_call(tree.function, ", ".join(a.text for a in args)), Type.INT)
    return _folded(tree.function, args)


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
    if isinstance(tree, ShapeList):
        return "opkg::Integers{" + ", ".join(show(item, frame).text for item in tree.items) + "}"
    return show(tree, frame).text


def _shape(tree: Tree, frame: Frame) -> str:
    """A shape; a bare tensor stands for its shape."""
    if isinstance(tree, Name):
        return frame.member(tree.id, "shape").text
    return show(tree, frame).text


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


class ValidationFrame:
    """Names as the variables of a generated `validate_...` function (see validation.py)."""

    def __init__(
        self, types: dict[str, Type], tensors: dict[str, str], shaped: frozenset[str], lists: dict[str, str]
    ) -> None:
        self._types = types  # dims and scalar params, by name
        self._tensors = tensors  # tensor name -> C++ variable
        self._shaped = shaped  # tensor params
        self._lists = lists  # variadic tensor -> its count

    def name(self, id: str) -> Printed:
        from opkg.targets.qnn_common.names import local

        if id in self._types or id in self._shaped:
            return Printed(local(id), self._types.get(id, Type.SHAPE))
        raise Unprintable(f"'{id}' is a tensor and has no value at preparation time")

    def rest(self, id: str) -> str:
        return self.name(id).text

    def member(self, tensor: str, member: str) -> Printed:
        if tensor not in self._tensors:
            return Printed(f"{self.name(tensor).text}.shape()", Type.SHAPE)
        return Printed(f"{self._tensors[tensor]}.{member}()", MEMBERS[member])

    def item(self, name: str, index: str) -> Printed:
        if name in self._tensors:
            return Printed(f"{self._tensors[name]}.dim({index})", Type.INT)
        if self._types.get(name) is Type.SHAPE:
            return Printed(f"{self.name(name).text}.at({index})", Type.INT)
        if name in self._types and self._types[name] is Type.FLOAT:
            return Printed(f"{self.name(name).text}.number({index})", Type.FLOAT)
        return Printed(f"{self.name(name).text}[{index}]", Type.INT)

    def call(self, function: str, tensor: str) -> Printed:
        from opkg.targets.qnn_common.names import local

        variable = self._tensors.get(tensor)
        if function == "count":
            return Printed(self._lists.get(tensor, "1"), Type.INT)
        if function == "present":
            given = variable if variable is not None else f"{local(tensor)}_param"
            return Printed(f"static_cast<bool>({given})", Type.BOOL)
        if variable is None:
            return Printed(
                f"{local(tensor)}.size()" if function == "size" else f"{local(tensor)}.shape().rank", Type.INT
            )
        return Printed(f"{variable}.{function}()", Type.INT)

    def concat(self, axis: str, tensor: str) -> Printed:
        return Printed(f"check_.concat({axis}, {local_first(tensor)}, {self._lists[tensor]})", Type.SHAPE)

    def integer_call(self, function: str, args: str) -> str:
        return f"check_.{function}({args})"


def local_first(tensor: str) -> str:
    """The variable that holds the position of a variadic input's first tensor."""
    return f"{tensor}_first"


def message(text: str) -> str:
    """A message of the spec's as a C++ string literal."""
    return string(text)
