"""What a generated check knows at each point: which names may be absent, which dimensions are bound, what is read."""

from __future__ import annotations

from collections import Counter

from opkg.spec.expr import Binary, Call, Expression, Item, Member, Name, Rest, Select, ShapeList, Tree, Unary
from opkg.spec.model import Op
from opkg.spec.requirements import requirements
from opkg.targets.executorch_builder.layout import Code
from opkg.targets.executorch_builder.names import local, quoted
from opkg.targets.executorch_builder.pyexpr import Printer, can_fail


class Plan:
    """The state of one op's check while it is written."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.code = Code()
        self.printer = Printer(op)
        self.absent = {t.name for t in op.inputs if t.optional}  # names whose local may be None
        self.first: dict[str, str] = {}  # dimension -> the tensor or param that binds it first
        self.uses = _uses(op)

    def use(self, helper: str) -> str:
        return self.printer.use(helper)

    def call(self, helper: str, *args: str) -> None:
        """A line that calls one of the helpers."""
        self.code.call(self.use(helper), *args)

    def bind(self, name: str, where: str, value: str, maybe: bool) -> None:
        """Bind a named dimension to `value`, or compare it; `maybe`: inside a block that may not run."""
        if name not in self.first:
            self.first[name] = where
            self.code.add(f"{local(name)} = {value}")
            if maybe:
                self.absent.add(name)
            return
        self.use("bind")
        args = (quoted(name), local(name), quoted(self.first[name]), value, quoted(where))
        self.code.call(f"{local(name)} = bind", *args)
        if not maybe:
            self.absent.discard(name)

    def declare(self, names: list[str], maybe: bool) -> None:
        """Locals for dimensions that a block is about to bind, if it runs."""
        for name in dict.fromkeys(names):
            if maybe and name not in self.first:
                kind = "int" if name in self.op.dims else "tuple[int, ...]"
                self.code.add(f"{local(name)}: {kind} | None = None")

    def guard(self, *trees: Tree) -> str:
        """`if gamma is not None:` for all that the trees need and the call may lack; may be empty."""
        needs = [name for tree in trees for name in requirements(tree) if name in self.absent]
        tests = [f"{local(name)} is not None" for name in dict.fromkeys(needs)]
        for tree in trees:
            tests += [self._known(member) for member in members(tree) if member.member in ("scale", "offset")]
        return f"if {' and '.join(dict.fromkeys(tests))}:" if tests else ""

    def _known(self, member: Member) -> str:
        name = self.printer.tensor(member.tensor)
        test = f"{name}.{member.member} is not None"
        optional = member.tensor in self.absent
        return f"({local(member.tensor)} is None or {test})" if optional else test

    def unknown(self, tree: Tree) -> list[str]:
        """Names the tree needs and the call may lack."""
        return [name for name in requirements(tree) if name in self.absent]

    def safely(self, before: str, *trees: Tree, after: str = "") -> str:
        """The header of a block in which an expression without a value rejects the call."""
        if not any(can_fail(tree) for tree in trees):
            return ""
        args = [quoted(before), quoted(after)] if after else [quoted(before)]
        return f"with {self.use('rejecting')}({', '.join(args)}):"


def nodes(tree: Tree) -> list[Tree]:
    """The tree and all below it."""
    below: tuple[Tree, ...] = ()
    match tree:
        case Item(base, index):
            below = (base, index)
        case Call(_, args):
            below = args
        case Unary(_, operand):
            below = (operand,)
        case Binary(_, left, right):
            below = (left, right)
        case Select(test, then, other):
            below = (test, then, other)
        case ShapeList(items):
            below = items
    return [tree, *(node for child in below for node in nodes(child))]


def members(tree: Tree) -> list[Member]:
    return [node for node in nodes(tree) if isinstance(node, Member)]


def expressions(op: Op) -> list[Expression]:
    """All expressions that a check evaluates."""
    found = [t.shape for t in op.tensors]
    for param in op.params:
        ends = (param.range.low, param.range.high) if param.range is not None else ()
        found += [e for e in (param.shape, param.default, *ends) if isinstance(e, Expression)]
    return [*found, *(c.require for c in op.constraints)]


def _uses(op: Op) -> Counter[str]:
    """How often each name stands in an expression; a dimension that stands in one place only needs no local."""
    counts: Counter[str] = Counter()
    for expression in expressions(op):
        for node in nodes(expression.tree):
            if isinstance(node, Name):
                counts[node.id] += 1
            elif isinstance(node, Rest) and node.name is not None:
                counts[node.name] += 1
            elif isinstance(node, Member):
                counts[node.tensor] += 1
    for tensor in op.inputs:
        if tensor.variadic:  # every one of them must agree
            counts.update(_binders(tensor.shape.tree))
    for param in op.params:
        if param.shape is not None:  # the builder needs every dimension of a tensor param
            tree = param.shape.tree
            counts.update(_binders(tree) if isinstance(tree, ShapeList) and len(tree.items) > 1 else ())
    return counts


def _binders(tree: Tree) -> list[str]:
    """Names that a shape list binds."""
    found = tree.items if isinstance(tree, ShapeList) else ()
    return [name for i in found if (name := i.id if isinstance(i, Name) else i.name if isinstance(i, Rest) else None)]
