"""Prints an expression of the spec as Python over the locals of a generated check."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.expr import (
    MEMBERS,
    Binary,
    Call,
    Item,
    Member,
    Name,
    Num,
    Select,
    ShapeList,
    Tree,
    Type,
    Unary,
)
from opkg.spec.model import Op
from opkg.spec.python_text import ATOM, Printed, PythonText
from opkg.targets.executorch_builder.names import local, quoted


def _used() -> dict[str, None]:
    return {}


@dataclass(slots=True)
class Printer(PythonText):
    """Prints expressions of one op. `helpers` and `needs_types` collect what the printed text relies on."""

    op: Op
    helpers: dict[str, None] = field(default_factory=_used)
    needs_types: bool = False
    type_vars: set[str] = field(default_factory=set)

    def use(self, helper: str) -> str:
        self.helpers.setdefault(helper)
        return helper

    def member(self, tensor: str, member: str) -> Printed:
        return Printed(f"{self.tensor(tensor)}.{member}", MEMBERS[member])

    def run(self, name: str) -> str:
        return local(name)

    def absent(self, id: str) -> str:
        return f"{local(id)} is None" if any(t.name == id for t in self.op.inputs) else ""

    def tensor(self, name: str) -> str:
        """A tensor; a variadic one stands for its first."""
        spec = next(t for t in self.op.tensors if t.name == name)
        return f"{local(name)}[0]" if spec.variadic else local(name)

    def shape(self, tree: Tree) -> str:
        """A shape; the name of a tensor stands for its shape."""
        if isinstance(tree, Name) and any(t.name == tree.id for t in self.op.tensors):
            return f"{self.tensor(tree.id)}.shape"
        return self.text(tree)

    def name(self, id: str) -> Printed:
        for param in self.op.params:
            if param.name == id:
                return Printed(local(id), Type.SHAPE if param.shape is not None else value_type(param.dtype.kind))
        if id in self.op.dims:
            return Printed(local(id), Type.INT)
        if any(var.name == id for var in self.op.type_vars):
            self.needs_types = True
            self.type_vars.add(id)
            return Printed(f"types[{quoted(id)}]", Type.DTYPE)
        if any(t.name == id for t in self.op.tensors):
            return Printed(f"{self.tensor(id)}.shape", Type.SHAPE)
        return Printed(quoted(DTYPES[id].name), Type.DTYPE)

    def item(self, base: Tree, index: Tree) -> Printed:
        where = self.text(index)
        param = next((p for p in self.op.params if isinstance(base, Name) and p.name == base.id), None)
        kind = value_type(param.dtype.kind) if param is not None else Type.INT
        return Printed(f"{self.show(base).at(ATOM)}[{where}]", kind)

    def call(self, tree: Call) -> Printed:
        name, args = tree.function, tree.args
        if name in ("rank", "size", "count", "present"):
            return self._of_tensor(name, args[0])
        if name == "concat":
            assert isinstance(args[1], Name)
            return Printed(f"{self.use('concat')}({self.text(args[0])}, {local(args[1].id)})", Type.SHAPE)
        if name == "reduce":
            texts = [self.shape(args[0]), self.text(args[1]), self.text(args[2])]
            return Printed(f"{self.use('reduce')}({', '.join(texts)})", Type.SHAPE)
        if name in ("broadcast", "product"):
            text = ", ".join(self.shape(arg) for arg in args)
            return Printed(f"{self.use(name)}({text})", Type.SHAPE if name == "broadcast" else Type.INT)
        shown = [self.show(arg) for arg in args]
        if name in ("ceil_div", "round_up"):
            self.use(name)
        kind = Type.FLOAT if any(s.type is Type.FLOAT for s in shown) else Type.INT
        return Printed(f"{name}({', '.join(s.text for s in shown)})", kind)

    def _of_tensor(self, function: str, tree: Tree) -> Printed:
        assert isinstance(tree, Name)
        param = next((p for p in self.op.params if p.name == tree.id), None)
        tensor = next((t for t in self.op.tensors if t.name == tree.id), None)
        name = local(tree.id)
        if function == "present":
            if param is not None:
                return Printed(f"{given_flag(tree.id)}", Type.BOOL)
            return Printed("True" if tensor in self.op.outputs else f"{name} is not None", Type.BOOL, 4)
        if function == "count":
            assert tensor is not None
            text = f"len({name})" if tensor.variadic else f"int({name} is not None)" if tensor.optional else "1"
            return Printed(text, Type.INT)
        if param is not None:
            return Printed("1" if function == "rank" or param.shape is None else f"len({name})", Type.INT)
        return Printed(f"{self.tensor(tree.id)}.{function}", Type.INT)


def given_flag(param: str) -> str:
    """The local that says whether the call itself set a param."""
    return f"has_{param}_"


def value_type(kind: Kind) -> Type:
    if kind is Kind.BOOL:
        return Type.BOOL
    return Type.FLOAT if kind is Kind.FLOAT else Type.INT


def can_fail(tree: Tree) -> bool:
    """Whether evaluating may raise: a division, an index, shapes that need to fit."""
    match tree:
        case Binary(op, left, right):
            divides = op in ("/", "//", "%") and not (isinstance(right, Num) and right.value != 0)
            return divides or can_fail(left) or can_fail(right)
        case Item(Member(_, "shape"), Num(0) | Unary("-", Num(1))):
            return False  # every tensor has a dimension
        case Item():
            return True
        case Call(function, args):
            if function in ("ceil_div", "round_up"):
                return not (isinstance(args[1], Num) and args[1].value != 0) or can_fail(args[0])
            return function in ("broadcast", "reduce", "concat") or any(can_fail(a) for a in args)
        case Unary(_, operand):
            return can_fail(operand)
        case Select(test, then, other):
            return can_fail(test) or can_fail(then) or can_fail(other)
        case ShapeList(parts):
            return any(can_fail(p) for p in parts)
    return False
