"""Expression text to a typed tree: Python's own parser on a checked text, then a subset and type check with exact columns."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from opkg.spec.diagnostics import Diagnostic, error, nearest
from opkg.spec.dtypes import DTYPES
from opkg.spec.expr import (
    FUNCTIONS,
    MEMBERS,
    Binary,
    Expression,
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
from opkg.spec.expr import Call as CallTree
from opkg.spec.expr import Item as ItemTree
from opkg.spec.expr_text import ExprError, read_ast
from opkg.spec.scope import Scope, Symbol, What
from opkg.spec.source import Piece

MAX_DEPTH = 48
MAX_INT = (1 << 63) - 1

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_NUMBERS = (Type.INT, Type.FLOAT)
_ARGUMENT = {"int": Type.INT, "bool": Type.BOOL}

Typed = tuple[Tree, Type]


def parse(
    piece: Piece, scope: Scope, want: tuple[Type, ...], findings: list[Diagnostic], what: str = "this"
) -> Expression | None:
    """The expression in `piece`, of one of the types `want`; None after a finding (OPK160 to OPK179).

    `what` names the value in a type message ("the default", "a dimension").
    """
    typed = parse_tree(piece, scope, want, findings, what)
    if typed is None:
        return None
    return Expression(piece.text, typed[0], typed[1], piece.span)


def parse_tree(
    piece: Piece, scope: Scope, want: tuple[Type, ...], findings: list[Diagnostic], what: str, base: int = 0
) -> Typed | None:
    """Tree and type of one expression; `base` is added to the columns in the tree."""
    try:
        walker = Walker(scope, piece.text, base)
        typed = walker.typed(read_ast(piece.text), 0)
        typed = walker.coerced(typed, want, what)
        return typed
    except ExprError as failure:
        span = piece.at(failure.start, failure.end)
        findings.append(error(failure.id, failure.message, span, failure.hint))
        return None


class Walker:
    """Checks one syntax tree against the subset and types it."""

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
        visit = _VISIT.get(type(node))
        if visit is None:
            raise self.fail("OPK161", f"{_what_is(node)} is not in the expression language", node, _power_hint(node))
        return visit(self, node, depth + 1)

    def col(self, node: ast.expr) -> int:
        return node.col_offset + self.base

    # Leaves

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

    # Operators

    def item(self, node: ast.Subscript, depth: int) -> Typed:
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            raise self.fail("OPK161", "a slice is not in the expression language", node.slice, "index one element")
        base, type_ = self.typed(node.value, depth)
        element = Type.INT
        symbol: Symbol | None = self.scope.get(base.id) if isinstance(base, Name) else None
        if symbol is not None and symbol.what is What.TENSOR_PARAM:
            element = symbol.type
        elif type_ is not Type.SHAPE:
            hint = f"write {base.id}.shape[...]" if type_ is Type.TENSOR and isinstance(base, Name) else ""
            raise self.fail("OPK163", "only a shape or a tensor param has elements", node.value, hint)
        index = self.want(node.slice, depth, Type.INT, "an index")
        return ItemTree(base, index, self.col(node)), element

    def want(self, node: ast.AST, depth: int, type_: Type, what: str) -> Tree:
        """A node of exactly one type."""
        tree, found = self.typed(node, depth)
        if found is not type_:
            raise self.fail("OPK163", f"{what} must be of type {type_}, not {found}", node, _type_hint(tree, found))
        return tree

    def unary(self, node: ast.UnaryOp, depth: int) -> Typed:
        if isinstance(node.op, ast.Not):
            return Unary(
                "not", self.want(node.operand, depth, Type.BOOL, "the operand of 'not'"), self.col(node)
            ), Type.BOOL
        if not isinstance(node.op, ast.USub):
            raise self.fail("OPK161", "unary '+' is not in the expression language", node)
        tree, type_ = self.number(node.operand, depth, "-")
        return Unary("-", tree, self.col(node)), type_

    def number(self, node: ast.AST, depth: int, op: str) -> Typed:
        tree, type_ = self.typed(node, depth)
        if type_ not in _NUMBERS:
            raise self.fail("OPK163", f"'{op}' needs numbers, not {type_}", node, _type_hint(tree, type_))
        return tree, type_

    def binary(self, node: ast.BinOp, depth: int) -> Typed:
        op = _BINARY.get(type(node.op))
        if op is None:
            raise self.fail("OPK161", f"{_what_is(node.op)} is not in the expression language", node, _power_hint(node))
        left, left_type = self.number(node.left, depth, op)
        right, right_type = self.number(node.right, depth, op)
        both = Type.INT if left_type is right_type is Type.INT else Type.FLOAT
        if op in ("//", "%") and both is Type.FLOAT:
            raise self.fail("OPK163", f"'{op}' needs ints", node)
        if op in ("/", "//", "%") and isinstance(right, Num) and right.value == 0:
            raise self.fail("OPK170", "division by zero", node.right)
        return Binary(op, left, right, self.col(node)), both

    def logic(self, node: ast.BoolOp, depth: int) -> Typed:
        op = "and" if isinstance(node.op, ast.And) else "or"
        trees = [self.want(value, depth, Type.BOOL, f"an operand of '{op}'") for value in node.values]
        tree = trees[0]
        for value in trees[1:]:
            tree = Binary(op, tree, value, self.col(node))
        return tree, Type.BOOL

    def compare(self, node: ast.Compare, depth: int) -> Typed:
        left, left_type = self.typed(node.left, depth)
        at: ast.expr = node.left
        result: Tree | None = None
        for op_node, right_node in zip(node.ops, node.comparators, strict=True):
            op = _COMPARE.get(type(op_node))
            if op is None:
                raise self.fail("OPK161", f"{_what_is(op_node)} is not in the expression language", node)
            right, right_type = self.typed(right_node, depth)
            self.comparable(op, (left, left_type, at), (right, right_type, right_node))
            pair = Binary(op, left, right, self.col(node))
            result = pair if result is None else Binary("and", result, pair, self.col(node))
            left, left_type, at = right, right_type, right_node
        assert result is not None
        return result, Type.BOOL

    def comparable(self, op: str, left: tuple[Tree, Type, ast.AST], right: tuple[Tree, Type, ast.AST]) -> None:
        for tree, type_, node in (left, right):
            if type_ is Type.TENSOR:
                raise self.fail("OPK163", "a tensor cannot be compared", node, _type_hint(tree, type_))
        if left[1] in _NUMBERS and right[1] in _NUMBERS:
            return
        if left[1] is not right[1]:
            raise self.fail("OPK163", f"cannot compare {left[1]} with {right[1]}", right[2])
        if op not in ("==", "!="):
            raise self.fail("OPK163", f"'{op}' needs numbers, not {left[1]}", left[2])

    def select(self, node: ast.IfExp, depth: int) -> Typed:
        test = self.want(node.test, depth, Type.BOOL, "the condition")
        then, then_type = self.typed(node.body, depth)
        other, other_type = self.typed(node.orelse, depth)
        type_ = then_type
        if then_type is not other_type:
            if not (then_type in _NUMBERS and other_type in _NUMBERS):
                raise self.fail("OPK163", f"one branch is {then_type}, the other {other_type}", node.orelse)
            type_ = Type.FLOAT
        return Select(test, then, other, self.col(node)), type_

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
        return CallTree(name, tuple([tree for tree, _ in typed]), self.col(node)), type_

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
            good = type_ in _NUMBERS
        elif want == "shape":
            good = type_ is Type.SHAPE or (isinstance(tree, Name) and self.scope.is_tensor(tree.id))
        elif want == "axes":
            good = type_ in (Type.INT, Type.SHAPE)
        if not good:
            raise self.fail("OPK163", f"{function}() needs {want} here, not {type_}", node, _type_hint(tree, type_))
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

    def shape(self, node: ast.List, depth: int) -> Typed:
        items: list[Tree] = []
        rests = 0
        for element in node.elts:
            tree = self.shape_item(element, depth)
            rests += isinstance(tree, Rest)
            if rests > 1:
                raise self.fail("OPK169", "a shape has at most one run of dimensions", element)
            items.append(tree)
        return ShapeList(tuple(items), self.col(node)), Type.SHAPE

    def shape_item(self, node: ast.AST, depth: int) -> Tree:
        """One item of a list of dimensions: an int, `...` or `*name`."""
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return Rest(None, self.col(node))
        if isinstance(node, ast.Starred):
            return self.starred(node)
        return self.want(node, depth, Type.INT, "a dimension")

    def starred(self, node: ast.Starred) -> Rest:
        if not isinstance(node.value, ast.Name):
            raise self.fail("OPK169", "only a name can stand for a run of dimensions", node, "write batch...")
        symbol = self.scope.get(node.value.id)
        if symbol is None:
            self.other_name(node.value)
        if symbol is None or symbol.what is not What.REST:
            message = f"'{node.value.id}' is no run of dimensions"
            raise self.fail("OPK169", message, node, f"an input's shape must name it first: [{node.value.id}..., C]")
        return Rest(node.value.id, self.col(node))

    def stray_rest(self, node: ast.Starred, depth: int) -> Typed:
        raise self.fail("OPK169", "a run of dimensions stands only in a list of dimensions", node, "write [ ] around")

    def coerced(self, typed: Typed, want: tuple[Type, ...], what: str) -> Typed:
        """The tree as one of the wanted types: an int serves as float, a tensor as its shape."""
        tree, type_ = typed
        if type_ in want:
            return typed
        if type_ is Type.INT and Type.FLOAT in want:
            return typed
        wanted = " or ".join(want)
        message = f"{what} must be of type {wanted}, not {type_}"
        raise ExprError("OPK163", message, 0, len(self.text), _type_hint(tree, type_))


def _type_hint(tree: Tree, type_: Type) -> str:
    if type_ is Type.TENSOR and isinstance(tree, Name):
        return f"write {tree.id}.shape, {tree.id}.rank or {tree.id}.size"
    return "write 'and', 'or', 'not' between comparisons" if type_ is Type.BOOL else ""


_NAMES = {
    "Pow": "a power", "Lambda": "a lambda", "ListComp": "a comprehension", "GeneratorExp": "a comprehension",
    "Tuple": "a tuple", "Dict": "a dict", "Set": "a set", "In": "'in'", "NotIn": "'not in'", "Is": "'is'",
    "IsNot": "'is not'", "LShift": "a shift", "RShift": "a shift", "NamedExpr": "an assignment", "MatMult": "'@'",
    "Await": "'await'", "Yield": "'yield'",
}  # fmt: skip


def _what_is(node: ast.AST) -> str:
    return _NAMES.get(type(node).__name__, "this")


def _power_hint(node: ast.AST) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return "multiply instead"
    return "a shape stands in [ ]" if isinstance(node, ast.Tuple) else ""


_VISIT: dict[type, Callable[[Walker, Any, int], Typed]] = {
    ast.Constant: Walker.constant,
    ast.Name: Walker.name,
    ast.Attribute: Walker.member,
    ast.Subscript: Walker.item,
    ast.UnaryOp: Walker.unary,
    ast.BinOp: Walker.binary,
    ast.BoolOp: Walker.logic,
    ast.Compare: Walker.compare,
    ast.IfExp: Walker.select,
    ast.Call: Walker.call,
    ast.List: Walker.shape,
    ast.Starred: Walker.stray_rest,
}
