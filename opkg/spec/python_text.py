"""Prints expressions of the spec as Python: operators, choices and lists here, what names and functions mean in the targets."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Type, Unary

ATOM = 9  # the precedence of what needs no brackets
_PRECEDENCE = {"or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 6, "-": 6}  # others 7


@dataclass(frozen=True, slots=True)
class Printed:
    """Python text with its type and the precedence of its outermost operator."""

    text: str
    type: Type = Type.INT
    prec: int = ATOM

    def at(self, prec: int) -> str:
        return self.text if self.prec >= prec else f"({self.text})"


class PythonText:
    """The printer of one op: `name`, `member`, `run` and `call` say what a target has in their places."""

    __slots__ = ()

    def name(self, id: str) -> Printed:
        raise NotImplementedError

    def member(self, tensor: str, member: str) -> Printed:
        raise NotImplementedError

    def run(self, name: str) -> str:
        """A named run of dimensions."""
        raise NotImplementedError

    def call(self, tree: Call) -> Printed:
        raise NotImplementedError

    def absent(self, id: str) -> str:
        """The test that an input is not there, where `id` is one; or empty text."""
        raise NotImplementedError

    def show(self, tree: Tree) -> Printed:
        """Python for a tree."""
        match tree:
            case Num(value):
                kind = Type.FLOAT if isinstance(value, float) else Type.INT
                return Printed(repr(value), kind, ATOM if value >= 0 else 8)
            case Truth(truth):
                return Printed(repr(truth), Type.BOOL)
            case Name(id):
                return self.name(id)
            case Member(tensor, member):
                return self.member(tensor, member)
            case Item(base, index):
                return self.item(base, index)
            case Unary("not", Call("present", (Name(id),))) if test := self.absent(id):
                return Printed(test, Type.BOOL, 4)
            case Unary("not", operand):
                return Printed(f"not {self.show(operand).at(3)}", Type.BOOL, 3)
            case Unary(_, operand):
                inner = self.show(operand)
                return Printed(f"-{inner.at(8)}", inner.type, 8)
            case Select(test, then, other):
                a, b = self.show(then), self.show(other)
                text = f"{a.at(1)} if {self.show(test).at(1)} else {b.at(0)}"
                return Printed(text, _common(a, b), 0)
            case Binary():
                return self._binary(tree)
            case ShapeList(parts):
                texts = [f"*{self.run(p.name or '')}" if isinstance(p, Rest) else self.text(p) for p in parts]
                return Printed(f"({', '.join(texts)}{',' if len(texts) == 1 else ''})", Type.SHAPE)
            case Call():
                return self.call(tree)
        raise AssertionError(f"{type(tree).__name__} has no value of its own")

    def text(self, tree: Tree) -> str:
        return self.show(tree).text

    def item(self, base: Tree, index: Tree) -> Printed:
        return Printed(f"{self.show(base).at(ATOM)}[{self.text(index)}]")

    def _binary(self, tree: Binary) -> Printed:
        left, right = self.show(tree.left), self.show(tree.right)
        prec = _PRECEDENCE.get(tree.op, 7)
        op = "//" if tree.op == "/" and Type.FLOAT not in (left.type, right.type) else tree.op
        text = f"{left.at(prec + 1 if prec == 4 else prec)} {op} {right.at(prec + 1)}"
        return Printed(text, Type.BOOL if prec < 6 else _common(left, right), prec)


def _common(a: Printed, b: Printed) -> Type:
    return Type.FLOAT if Type.FLOAT in (a.type, b.type) else a.type


def items_of(tree: ShapeList) -> list[tuple[Tree, int, int]]:
    """Each item with its index (from the end behind a run); a run with how many items stand before and after it."""
    rest = next((i for i, item in enumerate(tree.items) if isinstance(item, Rest)), None)
    total = len(tree.items)
    return [(item, i if rest is None or i <= rest else i - total, total - 1 - i) for i, item in enumerate(tree.items)]


def python_places(tree: ShapeList) -> list[tuple[Tree, str]]:
    """Each item with the index or slice of the dimensions that it stands for."""
    return [
        (item, f"{first or ''}:{-after or ''}" if isinstance(item, Rest) else str(first))
        for item, first, after in items_of(tree)
    ]
