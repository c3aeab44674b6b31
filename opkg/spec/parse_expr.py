"""Expression text to a typed tree: Python's own parser on checked text, then a subset and type check."""

from __future__ import annotations

import ast

from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.expr import (
    Binary,
    Expression,
    Name,
    Num,
    Rest,
    Select,
    ShapeList,
    Tree,
    Type,
    Unary,
)
from opkg.spec.expr import Item as ItemTree
from opkg.spec.expr_leaves import NUMBERS, LeafWalker, Typed, power_hint, type_hint, what_is
from opkg.spec.expr_text import ExprError, read_ast
from opkg.spec.nodes import Piece
from opkg.spec.scope import Scope, Symbol, What

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


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


class Walker(LeafWalker):
    """Checks one syntax tree against the subset and types it."""

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
        if type_ not in NUMBERS:
            raise self.fail("OPK163", f"'{op}' needs numbers, not {type_}", node, type_hint(tree, type_))
        return tree, type_

    def binary(self, node: ast.BinOp, depth: int) -> Typed:
        op = _BINARY.get(type(node.op))
        if op is None:
            raise self.fail("OPK161", f"{what_is(node.op)} is not in the expression language", node, power_hint(node))
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
                raise self.fail("OPK161", f"{what_is(op_node)} is not in the expression language", node)
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
                raise self.fail("OPK163", "a tensor cannot be compared", node, type_hint(tree, type_))
        if left[1] in NUMBERS and right[1] in NUMBERS:
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
            if not (then_type in NUMBERS and other_type in NUMBERS):
                raise self.fail("OPK163", f"one branch is {then_type}, the other {other_type}", node.orelse)
            type_ = Type.FLOAT
        return Select(test, then, other, self.col(node)), type_

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
        raise ExprError("OPK163", message, 0, len(self.text), type_hint(tree, type_))


Walker.visits = {
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
