"""Shapes and constraints of an op as C++ on ir::Shape: what helpers of shape inference return and what validators require."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Unary
from opkg.spec.model import Op, ParamSpec
from opkg.targets.onert.shape_trees import Unprintable, is_shape, places, run_of, tensor_of
from opkg.targets.onert.types import data_type

# How tight an expression binds: C++'s levels, the larger the tighter.
_LEVEL = {
    "or": 1,
    "and": 2,
    "==": 8,
    "!=": 8,
    "<": 9,
    "<=": 9,
    ">": 9,
    ">=": 9,
    "+": 12,
    "-": 12,
    "*": 13,
    "/": 13,
    "%": 13,
}
_SPELLING = {"or": "||", "and": "&&"}
_ATOM = 16


@dataclass(frozen=True, slots=True)
class Shapes:
    """Expressions of one op. Shapes are variables `x_shape`, indices `x_index`; `param`: how the params are reached;
    `types`: C++ of an operand's ir::TypeInfo by its index, empty where there is none; `zero`: its zero point."""

    op: Op
    param: str = "param"
    types: str = ""
    zero: str = "zero_point()"

    def text(self, tree: Tree, level: int = 0) -> str:
        """A number or truth value; in brackets where it binds less than `level`. Raises Unprintable."""
        found, own = self._show(tree)
        return found if own >= level else f"({found})"

    def _show(self, tree: Tree) -> tuple[str, int]:
        match tree:
            case Num(value):
                return (repr(value), _ATOM if value >= 0 else 15)
            case Truth(value):
                return ("true" if value else "false", _ATOM)
            case Name(id):
                return self._name(id), _ATOM
            case Member(tensor, member):
                return self._member(tensor, member), _ATOM
            case Item(base, index):
                return self._item(base, index), _ATOM
            case Unary(op, operand):
                return ("!" if op == "not" else "-") + self.text(operand, 16), 15
            case Select(test, then, other):
                return f"{self.text(test, 2)} ? {self.text(then, 2)} : {self.text(other, 1)}", 0
            case Binary():
                return self._binary(tree)
            case Call(function, args):
                return self._call(function, args)
        raise Unprintable("a shape where a number is wanted")

    def _name(self, id: str) -> str:
        if id in DTYPES:
            return f"ir::DataType::{data_type(DTYPES[id])}"
        if id in self.op.dims:
            return self._dim(id)
        param = next((p for p in self.op.params if p.name == id), None)
        if param is not None and param.shape is None:
            value = f"{self.param}.{id}"
            return f"static_cast<int32_t>({value})" if param.dtype.kind is Kind.UINT else value
        raise Unprintable(f"'{id}' as a number")

    def _dim(self, name: str) -> str:
        """A named dimension, where it is read first."""
        for tensor in sorted(self.op.inputs, key=lambda t: t.optional):
            for item, place in places(tensor):
                if item == Name(name):
                    return f"{tensor.name}_shape.dim({place})"
        for param in self.op.params:
            if param.shape is not None and param.shape.tree == ShapeList((Name(name),)):
                return f"static_cast<int32_t>({self.param}.{param.name}.size())"
        raise Unprintable(f"dimension '{name}'")

    def _member(self, tensor: str, member: str) -> str:
        if member == "rank":
            return f"{tensor}_shape.rank()"
        if member == "size":
            return f"static_cast<int32_t>({tensor}_shape.num_elements())"
        if self.types and member in ("dtype", "scale", "offset"):
            info = self.types.format(index=f"{tensor}_index")
            return {"dtype": f"{info}.type()", "scale": f"{info}.scale()", "offset": f"(-{info}.{self.zero})"}[member]
        raise Unprintable(f"{tensor}.{member}")

    def _item(self, base: Tree, index: Tree) -> str:
        if isinstance(base, Name) and any(p.name == base.id and p.shape is not None for p in self.op.params):
            if isinstance(index, Num):
                return f"{self.param}.{base.id}[{index.value}]"
            raise Unprintable(f"an element of '{base.id}' that is computed")
        name = tensor_of(base, self.op)
        if name is None:
            raise Unprintable("an element of what is no tensor's shape")
        return f"{name}_shape.dim({_counted(index, name, self)})"

    def _binary(self, tree: Binary) -> tuple[str, int]:
        if tree.op in ("/", "//", "%"):
            sign = "%" if tree.op == "%" else "/"
            if not (self._positive(tree.left) and self._positive(tree.right)):
                raise Unprintable("a quotient of numbers that may be negative")
            return f"{self.text(tree.left, 13)} {sign} {self.text(tree.right, 14)}", 13
        level = _LEVEL[tree.op]
        if is_shape(tree.left, self.op) and tree.op in ("==", "!="):
            return f"{self.shape(tree.left)} {tree.op} {self.shape(tree.right)}", level
        least = 8 if tree.op in ("and", "or") else 10 if level < 12 else level
        chained = isinstance(tree.left, Binary) and tree.left.op == tree.op and tree.op in ("and", "or")
        left = self.text(tree.left, level if chained else least)
        return (
            f"{left} {_SPELLING.get(tree.op, tree.op)} {self.text(tree.right, max(least, level + (level >= 12)))}",
            level,
        )

    def _positive(self, tree: Tree) -> bool:
        """Whether a number is never negative."""
        match tree:
            case Num(value):
                return value >= 0
            case Name(id):
                param = next((p for p in self.op.params if p.name == id), None)
                return id in self.op.dims or (param is not None and _unsigned(param))
            case Item(Name(id), _):
                param = next((p for p in self.op.params if p.name == id), None)
                return param is None or _unsigned(param)
            case Item() | Member():
                return True
            case Binary(op, left, right):
                return op in ("+", "*", "/", "//", "%") and self._positive(left) and self._positive(right)
            case Call(function, args):
                return function in ("rank", "size", "product") or all(self._positive(arg) for arg in args)
        return False

    def _call(self, function: str, args: tuple[Tree, ...]) -> tuple[str, int]:
        named = args[0].id if isinstance(args[0], Name) else ""
        if function == "rank" and self._tensor(named):
            return f"{named}_shape.rank()", _ATOM
        if function == "size" and any(p.name == named for p in self.op.params):
            return f"static_cast<int32_t>({self.param}.{named}.size())", _ATOM
        if function in ("size", "product"):
            return f"static_cast<int32_t>({self.shape(args[0])}.num_elements())", _ATOM
        if function == "present" and any(t.name == named and t.optional for t in self.op.inputs):
            return f"has_{named}", _ATOM
        if function in ("ceil_div", "round_up") and all(self._positive(arg) for arg in args):
            a, b = self.text(args[0], 12), self.text(args[1], 14)
            quotient = f"({a} + {self.text(args[1], 13)} - 1) / {b}"
            return (quotient, 13) if function == "ceil_div" else (f"{quotient} * {b}", 13)
        if function in ("min", "max"):
            text = self.text(args[0])
            for other in args[1:]:
                text = f"std::{function}<int32_t>({text}, {self.text(other)})"
            return text, _ATOM
        raise Unprintable(f"{function}() of this")

    def _tensor(self, name: str) -> bool:
        return any(t.name == name for t in self.op.tensors)

    def shape(self, tree: Tree) -> str:
        """A shape that is one expression. Raises Unprintable."""
        name = tensor_of(tree, self.op)
        if name is not None:
            return f"{name}_shape"
        if isinstance(tree, Call) and tree.function == "broadcast":
            text = self.shape(tree.args[0])
            for other in tree.args[1:]:
                text = f"inferEltwiseShape({text}, {self.shape(other)})"
            return text
        if isinstance(tree, ShapeList) and not any(isinstance(item, Rest) for item in tree.items):
            return "ir::Shape{" + ", ".join(self.text(item) for item in tree.items) + "}"
        raise Unprintable("this shape in an expression")

    def build(self, tree: Tree, variable: str) -> list[str]:
        """Statements that make a variable with a shape. Raises Unprintable."""
        if isinstance(tree, Call) and tree.function == "reduce":
            return self._reduce(tree, variable)
        if isinstance(tree, ShapeList) and any(isinstance(item, Rest) for item in tree.items):
            lines = [f"ir::Shape {variable};"]
            for item in tree.items:
                if isinstance(item, Rest):
                    lines += self._run(item, variable)
                else:
                    lines.append(f"{variable}.append({self.text(item)});")
            return lines
        return [f"const ir::Shape {variable} = {self.shape(tree)};"]

    def _run(self, rest: Rest, variable: str) -> list[str]:
        name, first, after = run_of(self.op, rest.name)
        end = f"{name}_shape.rank()" + (f" - {after}" if after else "")
        return [f"for (int i = {first}; i < {end}; ++i)", f"  {variable}.append({name}_shape.dim(i));"]

    def _reduce(self, tree: Call, variable: str) -> list[str]:
        of, axes, keep = tree.args
        shape = self.shape(of)
        lines = [f"ir::Shape {variable};", f"for (int i = 0; i < {shape}.rank(); ++i)", "{"]
        test = " || ".join(f"i == {axis}" for axis in self._axes(axes, shape))
        param = next((p for p in self.op.params if isinstance(axes, Name) and p.name == axes.id and p.shape), None)
        if param is not None:
            lines += [
                "  bool reduced = false;",
                f"  for (const auto axis_ : {self.param}.{param.name})",
                f"    reduced |= i == {_wrapped('axis_', shape, not _unsigned(param))};",
            ]
            test = "reduced"
        kept = self.text(keep, 2)
        if kept == "true":
            lines.append(f"  {variable}.append({test} ? 1 : {shape}.dim(i));")
        else:
            negated = f"!{test}" if test == "reduced" else f"!({test})" if "||" in test else test.replace("==", "!=")
            lines += [f"  if ({negated})", f"    {variable}.append({shape}.dim(i));"]
            if kept != "false":
                lines += [f"  else if ({kept})", f"    {variable}.append(1);"]
        return [*lines, "}"]

    def _axes(self, tree: Tree, shape: str) -> list[str]:
        """Dimensions counted from the front."""
        if isinstance(tree, ShapeList):
            return [axis for item in tree.items for axis in self._axes(item, shape)]
        if isinstance(tree, Num):
            return [str(tree.value)] if tree.value >= 0 else [f"{shape}.rank() - {-tree.value}"]
        if isinstance(tree, Unary) and tree.op == "-" and isinstance(tree.operand, Num):
            return [f"{shape}.rank() - {tree.operand.value}"]
        if isinstance(tree, Name) and any(p.name == tree.id and p.shape is not None for p in self.op.params):
            return []
        text = self.text(tree)
        return [text if self._positive(tree) else _wrapped(text, shape, True)]


def _wrapped(axis: str, shape: str, signed: bool) -> str:
    return f"({axis} < 0 ? {axis} + {shape}.rank() : {axis})" if signed else f"static_cast<int32_t>({axis})"


def _unsigned(param: ParamSpec) -> bool:
    """Whether a param is never negative, by its type or its range."""
    if param.dtype.kind in (Kind.UINT, Kind.BOOL):
        return True
    low = param.range.low if param.range is not None else None
    return low is not None and isinstance(low.tree, Num) and low.tree.value >= 0


def _counted(index: Tree, name: str, shapes: Shapes) -> str:
    """An index of a shape; negative ones count from the end."""
    if isinstance(index, Num):
        return str(index.value) if index.value >= 0 else f"{name}_shape.rank() - {-index.value}"
    if isinstance(index, Unary) and index.op == "-":
        return f"{name}_shape.rank() - {shapes.text(index.operand, 13)}"
    return shapes.text(index)
