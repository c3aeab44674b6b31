"""The leaves of an expression: names, numbers, members and calls; the base of the walker over a syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar

from opkg.spec.diagnostics import nearest
from opkg.spec.dtypes import DTYPES
from opkg.spec.expr import FUNCTIONS, MEMBERS, Call, Member, Name, Num, Tree, Truth, Type
from opkg.spec.expr_text import ExprError
from opkg.spec.scope import Scope, What

MAX_DEPTH = 48
MAX_INT = (1 << 63) - 1

NUMBERS = (Type.INT, Type.FLOAT)
_ARGUMENT = {"int": Type.INT, "bool": Type.BOOL}

Typed = tuple[Tree, Type]


class LeafWalker:
    """Types the leaves and calls of one syntax tree; `visits` says which method reads which node."""

    visits: ClassVar[dict[type, Callable[[Any, Any, int], Typed]]] = {}

    def __init__(self, scope: Scope, text: str, base: int = 0) -> None:
        self.scope = scope
        self.text = text
        self.base = base

    def fail(self, id: str, message: str, node: ast.AST, hint: str = "") -> ExprError:
        start = getattr(node, "col_offset", 0)
        end = getattr(node, "end_col_offset", None) or start + 1
        return ExprError(id, message, start, end, hint)

    def typed(self, node: ast.AST, depth: int) -> Typed:
        """Tree and type of one node."""
        if depth > MAX_DEPTH:
            raise self.fail("OPK167", f"this expression nests more than {MAX_DEPTH} deep", node)
        visit = self.visits.get(type(node))
        if visit is None:
            raise self.fail("OPK161", f"{what_is(node)} is not in the expression language", node, power_hint(node))
        return visit(self, node, depth + 1)

    def col(self, node: ast.expr) -> int:
        return node.col_offset + self.base

    def want(self, node: ast.AST, depth: int, type_: Type, what: str) -> Tree:
        """A node of exactly one type."""
        tree, found = self.typed(node, depth)
        if found is not type_:
            raise self.fail("OPK163", f"{what} must be of type {type_}, not {found}", node, type_hint(tree, found))
        return tree

    def constant(self, node: ast.Constant, depth: int) -> Typed:
        value = node.value
        if value is True or value is False:
            return Truth(value, self.col(node)), Type.BOOL
        if value is Ellipsis:
            raise self.fail("OPK169", "'...' stands only in a list of dimensions", node, "write [...]")
        if isinstance(value, int):
            if value > MAX_INT:
                raise self.fail("OPK166", "this number does not fit in 64 bits", node)
            return Num(value, self.col(node)), Type.INT
        if isinstance(value, float):
            if value in (float("inf"), float("-inf")):
                raise self.fail("OPK166", "this number does not fit in a float64", node)
            return Num(value, self.col(node)), Type.FLOAT
        raise self.fail("OPK161", f"{value!r} is not in the expression language", node)

    def name(self, node: ast.Name, depth: int) -> Typed:
        """A name with a value; tensors (type TENSOR) and tensor params (SHAPE when of ints) included."""
        symbol = self.scope.get(node.id)
        if symbol is None:
            return self.other_name(node)
        if symbol.what is What.CONSTANT:
            return Num(symbol.value, self.col(node)), Type.INT
        if symbol.what is What.REST:
            hint = f"write {node.id}... inside [ ]"
            raise self.fail("OPK169", f"'{node.id}' is a run of dimensions, not a number", node, hint)
        if symbol.what is What.TENSOR_PARAM:
            return Name(node.id, self.col(node)), Type.SHAPE if symbol.type is Type.INT else Type.TENSOR
        return Name(node.id, self.col(node)), symbol.type

    def other_name(self, node: ast.Name) -> Typed:
        if node.id in DTYPES:
            return Name(node.id, self.col(node)), Type.DTYPE
        if node.id in ("true", "false"):
            return Truth(node.id == "true", self.col(node)), Type.BOOL
        known = [*self.scope.known(), *FUNCTIONS]
        near = nearest(node.id, known)
        hint = ""
        if near is not None:
            hint = f"did you mean '{near}'?"
        elif self.scope.symbols:
            hint = "known here: " + ", ".join(list(self.scope.symbols)[:12])
        where = f" of {self.scope.op}" if self.scope.op else ""
        message = f"'{node.id}' is no input, output, param or dimension{where}"
        raise self.fail("OPK162", message, node, hint)

    def member(self, node: ast.Attribute, depth: int) -> Typed:
        if not isinstance(node.value, ast.Name):
            raise self.fail("OPK161", "a member can only be taken of a tensor's name", node)
        name = node.value.id
        if self.scope.get(name) is None:
            self.other_name(node.value)
        if not self.scope.is_tensor(name):
            raise self.fail("OPK165", f"'{name}' is no tensor and has no member '{node.attr}'", node)
        type_ = MEMBERS.get(node.attr)
        if type_ is None:
            near = nearest(node.attr, tuple(MEMBERS))
            hint = f"did you mean '{near}'?" if near else "members: " + ", ".join(MEMBERS)
            raise self.fail("OPK165", f"a tensor has no member '{node.attr}'", node, hint)
        return Member(name, node.attr, self.col(node)), type_

    def call(self, node: ast.Call, depth: int) -> Typed:
        """A call of one of FUNCTIONS, its arguments checked by the table."""
        if not isinstance(node.func, ast.Name):
            raise self.fail("OPK164", "this is no function", node.func)
        name = node.func.id
        row = FUNCTIONS.get(name)
        if row is None:
            near = nearest(name, tuple(FUNCTIONS))
            hint = f"did you mean '{near}'?" if near else "functions: " + ", ".join(FUNCTIONS)
            raise self.fail("OPK164", f"there is no function '{name}'", node.func, hint)
        if node.keywords:
            raise self.fail("OPK164", f"{name}() takes no named arguments", node.keywords[0])
        wants = self.arity(name, row[0], node)
        typed = [self.argument(a, w, name, depth) for a, w in zip(node.args, wants, strict=True)]
        result = row[1]
        if result == "same":
            type_ = Type.INT if all(t is Type.INT for _, t in typed) else Type.FLOAT
        else:
            type_ = Type(result)
        return Call(name, tuple([tree for tree, _ in typed]), self.col(node)), type_

    def arity(self, name: str, wants: tuple[str, ...], node: ast.Call) -> tuple[str, ...]:
        """What each argument must be; "..." repeats the last."""
        given = len(node.args)
        if wants[-1] == "...":
            least, most = len(wants) - 1, 16
            wants = wants[:-1] + (wants[-2],) * max(0, given - least)
        else:
            least = most = len(wants)
        if not least <= given <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise self.fail("OPK164", f"{name}() takes {count} arguments, not {given}", node)
        return wants

    def argument(self, node: ast.expr, want: str, function: str, depth: int) -> Typed:
        if want == "tensor":
            return self.tensor_argument(node, function)
        tree, type_ = self.typed(node, depth)
        good = type_ is _ARGUMENT.get(want)
        if want == "number":
            good = type_ in NUMBERS
        elif want == "shape":
            good = type_ is Type.SHAPE or (isinstance(tree, Name) and self.scope.is_tensor(tree.id))
        elif want == "axes":
            good = type_ in (Type.INT, Type.SHAPE)
        if not good:
            raise self.fail("OPK163", f"{function}() needs {want} here, not {type_}", node, type_hint(tree, type_))
        return tree, type_

    def tensor_argument(self, node: ast.expr, function: str) -> Typed:
        """The name of a tensor; for present() also of a param, for rank() and size() also of a tensor param."""
        symbol = self.scope.get(node.id) if isinstance(node, ast.Name) else None
        if symbol is None:
            if isinstance(node, ast.Name):
                self.other_name(node)
            raise self.fail("OPK163", f"{function}() needs the name of a tensor", node)
        allowed = [What.INPUT, What.OUTPUT]
        if function in ("present", "rank", "size"):
            allowed.append(What.TENSOR_PARAM)
        if function == "present":
            allowed.append(What.PARAM)
        if symbol.what not in allowed:
            assert isinstance(node, ast.Name)
            raise self.fail("OPK163", f"{function}() needs the name of a tensor; '{node.id}' is a {symbol.what}", node)
        assert isinstance(node, ast.Name)
        return Name(node.id, self.col(node)), Type.TENSOR


def type_hint(tree: Tree, type_: Type) -> str:
    if type_ is Type.TENSOR and isinstance(tree, Name):
        return f"write {tree.id}.shape, {tree.id}.rank or {tree.id}.size"
    return "write 'and', 'or', 'not' between comparisons" if type_ is Type.BOOL else ""


_NAMES = {
    "Pow": "a power", "Lambda": "a lambda", "ListComp": "a comprehension", "GeneratorExp": "a comprehension",
    "Tuple": "a tuple", "Dict": "a dict", "Set": "a set", "In": "'in'", "NotIn": "'not in'", "Is": "'is'",
    "IsNot": "'is not'", "LShift": "a shift", "RShift": "a shift", "NamedExpr": "an assignment", "MatMult": "'@'",
    "Await": "'await'", "Yield": "'yield'",
}  # fmt: skip


def what_is(node: ast.AST) -> str:
    return _NAMES.get(type(node).__name__, "this")


def power_hint(node: ast.AST) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return "multiply instead"
    return "a shape stands in [ ]" if isinstance(node, ast.Tuple) else ""
