"""Reads a `compute:` text for one op: statements, names and forms; types and shapes are checked after it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from opkg.spec.compute import calls, moves
from opkg.spec.compute.elsewhere import member
from opkg.spec.compute.names import Names
from opkg.spec.compute.text import Fault, Places, check_depth, fault, statements
from opkg.spec.compute.tree import (
    Assign,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Compute,
    Const,
    Node,
    Present,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.diagnostics import Diagnostic, Span, error, warning
from opkg.spec.model import Op
from opkg.spec.names import name_fault
from opkg.spec.source_text import SourceText

_BINARY: dict[type[ast.operator], BinaryOp] = {
    ast.Add: BinaryOp.ADD, ast.Sub: BinaryOp.SUB, ast.Mult: BinaryOp.MUL, ast.Div: BinaryOp.DIV,
    ast.FloorDiv: BinaryOp.FLOOR_DIV, ast.Mod: BinaryOp.MOD, ast.Pow: BinaryOp.POW, ast.BitAnd: BinaryOp.BIT_AND,
    ast.BitOr: BinaryOp.BIT_OR, ast.BitXor: BinaryOp.BIT_XOR, ast.LShift: BinaryOp.SHIFT_LEFT,
    ast.RShift: BinaryOp.SHIFT_RIGHT,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], UnaryOp] = {
    ast.USub: UnaryOp.NEG, ast.Not: UnaryOp.NOT, ast.Invert: UnaryOp.INVERT,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: CompareOp.EQ, ast.NotEq: CompareOp.NE, ast.Lt: CompareOp.LT, ast.LtE: CompareOp.LE,
    ast.Gt: CompareOp.GT, ast.GtE: CompareOp.GE,
}  # fmt: skip
_HINTS: dict[type[ast.AST], str] = {
    ast.Attribute: "values have no members; functions are written f(x)",
    ast.NamedExpr: "give it a statement of its own: t = ...", ast.Is: "write '=='", ast.IsNot: "write '!='",
    ast.AugAssign: "every name is assigned once: write t = a + b", ast.MatMult: "there is no matrix product",
    ast.Expr: "write y = ... for each output", ast.If: "write y = a if test else b",
    ast.AnnAssign: "types follow from the operands: write y = ...",
}  # fmt: skip
_WORDS = {
    "Attribute": "a member", "Lambda": "a lambda", "ListComp": "a comprehension",
    "SetComp": "a comprehension", "DictComp": "a comprehension", "GeneratorExp": "a comprehension",
    "JoinedStr": "an f-string", "NamedExpr": "':='", "Tuple": "a tuple", "List": "a list", "Dict": "a dict",
    "Set": "a set", "Starred": "'*'", "Await": "await", "Yield": "yield", "AugAssign": "an update", "Expr": "an expression alone",
    "Call": "a call of what is no name",
    "AnnAssign": "an annotation", "If": "an if statement",
    "MatMult": "'@'", "UAdd": "unary '+'", "Is": "'is'",
    "IsNot": "'is not'", "In": "'in'", "NotIn": "'not in'",
}  # fmt: skip
MAX_NODES = 2000


def read(source: SourceText, op: Op) -> tuple[Compute | None, list[Diagnostic]]:
    """The computation and its findings; None exactly when one of them is an error. Never raises.

    Checks names and forms; `opkg.spec.compute.check.read_checked` checks types and shapes, too.
    """
    try:
        places, body = statements(source)
    except Fault as failure:
        return None, [failure.finding]
    reader = Reader(op, places)
    return reader.read(body, source.span(0, len(source.text)))


class Reader:
    """Walks the statements of one computation. A fault ends its statement, not the reading."""

    def __init__(self, op: Op, places: Places) -> None:
        self.op = op
        self.places = places
        self.names = Names(op)
        self.findings: list[Diagnostic] = []
        self.left = MAX_NODES

    def read(self, body: list[ast.stmt], span: Span) -> tuple[Compute | None, list[Diagnostic]]:
        read: list[Assign] = []
        targets = [statement.targets for statement in body if isinstance(statement, ast.Assign)]
        self.names.later = frozenset([t.id for each in targets for t in each if isinstance(t, ast.Name)])
        for statement in body:
            self.names.present.clear()
            try:
                read.append(self.statement(statement))
            except Fault as failure:
                self.findings.append(failure.finding)
        if any(finding.is_error for finding in self.findings):
            return None, self.findings
        for tensor in self.op.outputs:
            if tensor.name not in self.names.assigned:
                message = f"output '{tensor.name}' is never assigned"
                hint = f"{tensor.name} = ..."
                self.findings.append(error("OPK145", message, span, hint))
        for name, place in self.names.assigned.items():
            if name not in self.names.outputs and name not in self.names.used:
                self.findings.append(warning("OPK146", f"'{name}' is never used", place, "delete the line"))
        failed = any(finding.is_error for finding in self.findings)
        return None if failed else Compute(tuple(read), span), self.findings

    # Statements

    def statement(self, statement: ast.stmt) -> Assign:
        if not isinstance(statement, ast.Assign):
            raise self.foreign(statement)
        if len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
            target = statement.targets[-1] if len(statement.targets) > 1 else statement.targets[0]
            raise fault("OPK141", "a statement assigns one name", self.places.of(target), "write a line for each")
        target = statement.targets[0]
        span = self.places.of(target)
        try:
            expr = self.node(statement.value, 0)
        finally:  # the name counts as assigned even when its value is at fault: one finding, not one per use
            duplicate = self.names.assigned.get(target.id)
            if self.assignable(target.id) == "":
                self.names.assigned.setdefault(target.id, span)
        if duplicate is not None:
            message = f"'{target.id}' is assigned twice, first in line {duplicate.line}"
            raise fault("OPK145", message, span, "give one of them another name")
        unfit = self.assignable(target.id)
        if unfit:
            raise fault("OPK145", unfit, span, "give it another name")
        return Assign(target.id, expr, span)

    def assignable(self, name: str) -> str:
        """Why a name cannot be assigned, or empty text."""
        if name in self.names.outputs:
            return ""
        for names, what in (
            (self.names.inputs, "an input"),
            (self.names.params, "a param"),
            (self.names.enums, "an enum value"),
        ):
            if name in names:
                return f"'{name}' is {what} and cannot be assigned"
        if name in self.op.dims or name in self.op.rests:
            return f"'{name}' is a dimension and cannot be assigned"
        flaw = name_fault(name)
        return flaw[1] if flaw is not None else ""

    # Expressions

    def node(self, node: ast.expr, depth: int) -> Node:
        """The tree of an expression; Fault when it is none of ours."""
        span = self.places.of(node)
        check_depth(depth, span)
        self.left -= 1
        if self.left < 0:
            raise fault("OPK140", f"a computation has at most {MAX_NODES} operations", span, "write a reference")
        visit = _VISITS.get(type(node))
        if visit is None:
            raise self.foreign(node)
        return visit(self, node, depth + 1, span)

    def foreign(self, node: ast.AST, at: ast.expr | ast.stmt | None = None) -> Fault:
        """The fault of syntax that the language does not have."""
        name = type(node).__name__
        place = node if isinstance(node, ast.expr | ast.stmt) else at
        assert place is not None
        what = _WORDS.get(name) or ("a statement of this kind" if isinstance(node, ast.stmt) else f"'{name}'")
        message = f"{what} is not in the compute language"
        hint = member(node, calls.KNOWN) if isinstance(node, ast.Attribute) else ""
        return fault("OPK141", message, self.places.of(place), hint or _HINTS.get(type(node), ""))

    def constant(self, node: ast.Constant, depth: int, span: Span) -> Node:
        value = node.value
        if isinstance(value, bool):
            return Const(value, span)
        if isinstance(value, int) and value >= 1 << 63:
            raise fault("OPK141", "this number has more than 64 bits", span, "write it with a point: 1e30")
        if isinstance(value, float) and value == float("inf"):
            raise fault("OPK141", "this number is too large for a float", span)
        if isinstance(value, int | float):
            return Const(value, span)
        what = {str: "text", bytes: "text", complex: "an imaginary number", type(None): "None"}.get(
            type(value), "'...'"
        )
        raise fault("OPK141", f"{what} is not in the compute language", span)

    def name(self, node: ast.Name, depth: int, span: Span) -> Node:
        return self.names.get(node.id, span)

    def unary(self, node: ast.UnaryOp, depth: int, span: Span) -> Node:
        op = _UNARY.get(type(node.op))
        if op is None:
            raise self.foreign(node.op, node)
        operand = self.node(node.operand, depth)
        if op is not UnaryOp.NEG:
            return Unary(op, operand, span)
        if isinstance(operand, Const) and not isinstance(operand.value, bool):
            return Const(-operand.value, span)
        return Unary(UnaryOp.NEG, operand, span)

    def binary(self, node: ast.BinOp, depth: int, span: Span) -> Node:
        op = _BINARY.get(type(node.op))
        if op is None:
            raise self.foreign(node.op, node)
        return Binary(op, self.node(node.left, depth), self.node(node.right, depth), span)

    def logic(self, node: ast.BoolOp, depth: int, span: Span) -> Node:
        """What `present()` says on the left holds on the right of 'and' (of 'or', its negation)."""
        op = BinaryOp.AND if isinstance(node.op, ast.And) else BinaryOp.OR
        before = len(self.names.present)
        below = depth + len(node.values) - 2  # the first operand lies deepest
        tree = self.node(node.values[0], below)
        self.names.present += given(tree, op is BinaryOp.AND)
        for place, value in enumerate(node.values[1:]):
            right = self.node(value, below - place)
            self.names.present += given(right, op is BinaryOp.AND)
            tree = Binary(op, tree, right, span)
        del self.names.present[before:]
        return tree

    def compare(self, node: ast.Compare, depth: int, span: Span) -> Node:
        below = depth + len(node.ops) - 1 + (len(node.ops) > 1)  # the first pair lies deepest
        operands = [
            self.node(operand, below - max(place - 1, 0))
            for place, operand in enumerate((node.left, *node.comparators))
        ]
        result: Node | None = None
        for place, kind in enumerate(node.ops):
            op = _COMPARE.get(type(kind))
            if op is None:
                raise self.foreign(kind, node)
            pair = Compare(op, operands[place], operands[place + 1], span)
            result = pair if result is None else Binary(BinaryOp.AND, result, pair, span)
        assert result is not None
        return result

    def select(self, node: ast.IfExp, depth: int, span: Span) -> Node:
        return self.chosen(node.test, node.body, node.orelse, depth, span)

    def chosen(self, test_: ast.expr, then_: ast.expr, other_: ast.expr, depth: int, span: Span) -> Node:
        """A select: its branches may use what its test knows to be present."""
        test = self.node(test_, depth)
        branches = []
        for branch, truth in ((then_, True), (other_, False)):
            before = len(self.names.present)
            self.names.present += given(test, truth)
            branches.append(self.node(branch, depth))
            del self.names.present[before:]
        return Select(test, branches[0], branches[1], span)

    def call(self, node: ast.Call, depth: int, span: Span) -> Node:
        return calls.call(self, node, depth, span)

    def subscript(self, node: ast.Subscript, depth: int, span: Span) -> Node:
        return moves.sliced(self, node, depth, span)


def given(test: Node, truth: bool) -> list[str]:
    """The inputs that are present when a condition has this truth."""
    match test:
        case Present():
            return [test.name] if truth else []
        case Unary(op=UnaryOp.NOT):
            return given(test.operand, not truth)
        case Binary(op=BinaryOp.AND) if truth:
            return given(test.left, True) + given(test.right, True)
        case Binary(op=BinaryOp.OR) if not truth:
            return given(test.left, False) + given(test.right, False)
    return []


_VISITS: dict[type[ast.expr], Callable[..., Node]] = {
    ast.Constant: Reader.constant,
    ast.Name: Reader.name,
    ast.UnaryOp: Reader.unary,
    ast.BinOp: Reader.binary,
    ast.BoolOp: Reader.logic,
    ast.Compare: Reader.compare,
    ast.IfExp: Reader.select,
    ast.Call: Reader.call,
    ast.Subscript: Reader.subscript,
}
