"""Prints expressions of the spec over the names of shape_rules.h and shape_rules.py, which mean the same."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Unary
from opkg.spec.model import Op, ParamSpec
from opkg.targets.openvino_extension.languages import Cpp, Python
from opkg.targets.openvino_extension.types import element
from opkg.targets.qnn_common.names import local

_ATOM = 9
_PRECEDENCE = {"==": 1, "!=": 1, "<": 2, "<=": 2, ">": 2, ">=": 2, "+": 3, "-": 3, "*": 4}
_CALLS = {"/": "floor_div", "//": "floor_div", "%": "floor_mod", "and": "both", "or": "either"}
_FUNCTIONS = {"min": "least", "max": "most", "abs": "magnitude"}


Language = Cpp | Python
CPP, PYTHON = Cpp(), Python()


@dataclass(frozen=True)
class Printer:
    """Expressions of one op."""

    op: Op
    language: Language

    def text(self, tree: Tree, level: int = 0) -> str:
        """A value; in brackets where it binds less than `level`."""
        found, own = self._show(tree)
        return found if own >= level else f"({found})"

    def _show(self, tree: Tree) -> tuple[str, int]:
        call = self.language.call
        match tree:
            case Num(value):
                return repr(value), _ATOM if value >= 0 else 5
            case Truth(value):
                return self.language.truths[0 if value else 1], _ATOM
            case Name(id):
                return self._name(id), _ATOM
            case Member(tensor, member):
                return self._member(tensor, member), _ATOM
            case Item(base, index):
                return call("at", self.text(base), self.text(index)), _ATOM
            case Unary("not", operand):
                return call("negated", self.text(operand)), _ATOM
            case Unary(_, operand):
                return f"-{self.text(operand, 6)}", 5
            case Select(test, then, other):
                return call("select", *(self.text(part) for part in (test, then, other))), _ATOM
            case Binary():
                return self._binary(tree)
            case Call(function, args):
                return self._call(function, args), _ATOM
            case ShapeList(items):
                return call("joined", self.language.listed([self.item(item) for item in items])), _ATOM
        raise AssertionError(f"{type(tree).__name__} stands in shape lists only")

    def _name(self, id: str) -> str:
        if id in DTYPES:
            return self.language.types + element(DTYPES[id])
        if any(var.name == id for var in self.op.type_vars):
            tensor = next((t for t in self.op.inputs if t.dtype.var == id), None)
            return self._member(tensor.name if tensor else id, "dtype")
        return local(id)

    def _member(self, tensor: str, member: str) -> str:
        if member == "shape":
            return local(tensor)
        if member in ("rank", "size"):
            return self.language.call({"size": "product"}.get(member, member), local(tensor))
        return f"{tensor}_{member}_"  # dtype, scale, offset: variables where they are read

    def _binary(self, tree: Binary) -> tuple[str, int]:
        types = [self._type(side) for side in (tree.left, tree.right)]
        if all(types):
            same = self.language.call("same_type", *(self.text(side) for side in (tree.left, tree.right)))
            return (same if tree.op == "==" else self.language.call("negated", same)), _ATOM
        if tree.op in _CALLS:
            function = "divide" if tree.op == "/" and self._is_real(tree) else _CALLS[tree.op]
            return self.language.call(function, self.text(tree.left), self.text(tree.right)), _ATOM
        left, right, level = tree.left, tree.right, _PRECEDENCE[tree.op]
        if not self._object(left) and not self._object(right):  # two literals are a number of the language
            return f"{self.language.prefix}Number({self.text(left)}) {tree.op} {self.text(right, level + 1)}", level
        return f"{self.text(left, level + (level < 3))} {tree.op} {self.text(right, level + 1)}", level

    def _object(self, tree: Tree) -> bool:
        """Whether a value has a type of the rules."""
        return not isinstance(tree, Num | Truth) and not (isinstance(tree, Unary) and isinstance(tree.operand, Num))

    def _type(self, tree: Tree) -> bool:
        names = {var.name for var in self.op.type_vars} | set(DTYPES)
        return (isinstance(tree, Member) and tree.member == "dtype") or (isinstance(tree, Name) and tree.id in names)

    def _is_real(self, tree: Tree) -> bool:
        match tree:
            case Num(value):
                return isinstance(value, float)
            case Name(id) | Item(Name(id), _):
                return any(p.name == id and p.dtype.kind is Kind.FLOAT for p in self.op.params)
            case Member(_, member):
                return member == "scale"
            case Binary(_, left, right):
                return self._is_real(left) or self._is_real(right)
            case Unary(_, operand):
                return self._is_real(operand)
            case Select(_, then, other):
                return self._is_real(then) or self._is_real(other)
            case Call("min" | "max" | "abs", args):
                return any(self._is_real(arg) for arg in args)
        return False

    def _call(self, function: str, args: tuple[Tree, ...]) -> str:
        call = self.language.call
        named = args[0].id if isinstance(args[0], Name) else ""
        if function in ("present", "count"):
            return self._given(function, named)
        if function in ("size", "product"):
            if function == "size" and self._param(named) is not None:
                return call("size", local(named))
            return call("product", self.shape(args[0]))
        if function == "rank":
            return "1" if self._param(named) is not None else call("rank", local(named))
        if function == "broadcast":
            text = self.shape(args[0])
            for other in args[1:]:
                text = call("broadcast", text, self.shape(other))
            return text
        if function == "reduce":
            return call("reduce", self.shape(args[0]), self._axes(args[1]), self.text(args[2]))
        text = self.text(args[0])
        for other in args[1:]:
            text = call(_FUNCTIONS.get(function, function), text, self.text(other))
        return text if len(args) > 1 else call(_FUNCTIONS.get(function, function), text)

    def _given(self, function: str, name: str) -> str:
        param = self._param(name)
        if param is not None:
            return f"has_{name}_"
        place = next((i for i, t in enumerate(self.op.inputs) if t.name == name), None)
        given = self.language.truths[0] if place is None else f"rules_.given({place})"
        return given if function == "present" else self.language.call("select", given, "1", "0")

    def _axes(self, tree: Tree) -> str:
        if isinstance(tree, ShapeList):
            return self.language.listed([self.text(item) for item in tree.items])
        if isinstance(tree, Name) and (param := self._param(tree.id)) is not None and param.shape is not None:
            return local(tree.id)
        return self.language.listed([self.text(tree)])

    def _param(self, name: str) -> ParamSpec | None:
        return next((p for p in self.op.params if p.name == name), None)

    def shape(self, tree: Tree) -> str:
        """A shape; that of a tensor param's values is these."""
        param = self._param(tree.id) if isinstance(tree, Name) else None
        text = self.text(tree)
        return self.language.call("shape_of", text) if param is not None and param.shape is not None else text

    def item(self, tree: Tree) -> str:
        """An item of a shape list."""
        if isinstance(tree, Rest):
            return local(tree.name) if tree.name is not None else self.language.any_run
        return self.text(tree)

    def bound(self, param: ParamSpec, tree: Tree) -> str:
        """An end of a range, in the precision of the param: 0.1 means the float32 next to it."""
        if param.dtype.kind is Kind.FLOAT and isinstance(tree, Num):
            return self.language.float(tree.value)
        return self.text(tree, 3)
