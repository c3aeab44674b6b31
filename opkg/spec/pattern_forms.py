"""What a `pattern:` may be made of: each expression is checked to be a call, an operator or an index that torch has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from opkg.spec.compute.text import Fault, Places, fault
from opkg.spec.diagnostics import Span, error
from opkg.spec.model import Op
from opkg.spec.pattern import MAX_DEPTH, MAX_NODES, dim_places
from opkg.spec.pattern_choice import Conditions
from opkg.spec.pattern_hints import hint_for, known_function, nearest_name, path_of, torch_name
from opkg.spec.pattern_names import CONSTANTS, FUNCTIONS, INSTEAD, METHODS

_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
_COMPARE = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_TEXT = re.compile(r"[\w ,.>*-]{0,64}", re.ASCII)
_HINTS: dict[type[ast.AST], str] = {
    ast.BoolOp: "torch.logical_and(a, b), torch.logical_or(a, b)",
    ast.Not: "torch.logical_not(a)", ast.Invert: "torch.logical_not(a)", ast.BitAnd: "torch.logical_and(a, b)",
    ast.BitOr: "torch.logical_or(a, b)", ast.BitXor: "torch.logical_xor(a, b)", ast.Attribute: "methods are called: x.mean(-1)",
    ast.Is: "==", ast.IsNot: "!=", ast.UAdd: "leave it out", ast.NamedExpr: "a statement of its own: t = ...",
    ast.Starred: "write the arguments out", ast.JoinedStr: "write the text out",
}  # fmt: skip
_NO_KEYWORDS = frozenset(("out", "inplace", "generator", "device", "requires_grad", "pin_memory"))
_MODULES = ("torch", "F")


class Full(Fault):
    """A pattern that is too large; ends the reading."""


class Forms:
    """Expressions of the pattern of one op, and the names that they may use."""

    def __init__(self, op: Op, places: Places) -> None:
        self.places = places
        self.inputs = {tensor.name for tensor in op.inputs}
        self.params = {param.name: param for param in op.params}
        self.outputs = {tensor.name for tensor in op.outputs}
        self.dims = dim_places(op)
        self.conditions = Conditions(op, places)
        self.assigned: dict[str, Span] = {}
        self.reads: dict[str, frozenset[str]] = {}  # name -> the inputs that its value comes from
        self.used: set[str] = set()
        self.left = MAX_NODES

    def look(self, node: ast.expr, depth: int = 0) -> frozenset[str]:
        """Checks one tensor or number; the inputs that it comes from. Raises Fault."""
        self.count(node, depth)
        at = self.places.of(node)
        if isinstance(node, ast.Name):
            return self.name(node, at)
        if isinstance(node, ast.Constant):
            return self.constant(node, at)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.look(node.operand, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _BINARY):
            return self.look(node.left, depth + 1) | self.look(node.right, depth + 1)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _COMPARE):
            return self.look(node.left, depth + 1) | self.look(node.comparators[0], depth + 1)
        if isinstance(node, ast.Subscript):
            self.index(node.slice, depth + 1)
            return self.look(node.value, depth + 1)
        if isinstance(node, ast.Call):
            return self.call(node, depth)
        if isinstance(node, ast.Attribute):
            return self.attribute(node, at)
        if isinstance(node, ast.IfExp):
            self.condition(node)
            return self.look(node.body, depth + 1) | self.look(node.orelse, depth + 1)
        raise self.foreign(node, at)

    def condition(self, node: ast.IfExp) -> None:
        """Checks what an alternative hangs on; its params count as read."""
        self.conditions.check(node.test)
        self.used |= self.conditions.asked
        for name in self.conditions.asked:
            self.param(name, self.places.of(node.test))

    def count(self, node: ast.expr, depth: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise Full(error("OPK159", f"a pattern has at most {MAX_NODES} operations", self.places.of(node)))
        if depth > MAX_DEPTH:
            hint = "name parts of it: t = ..."
            raise fault("OPK159", f"this nests deeper than {MAX_DEPTH} levels", self.places.of(node), hint)

    def foreign(self, node: ast.expr, at: Span) -> Fault:
        """The fault of syntax that patterns do not have."""
        kind: ast.AST = node
        if isinstance(node, ast.BinOp | ast.UnaryOp):
            kind = node.op
        elif isinstance(node, ast.Compare):
            if len(node.ops) > 1:
                hint = "torch.logical_and(a < b, b < c)"
                return fault("OPK159", "a chain of comparisons has no meaning for tensors", at, hint)
            kind = node.ops[0]
        text = self.places.text_of(node)
        shown = f"'{text}'" if len(text) <= 40 and "\n" not in text else "this"
        return fault("OPK159", f"{shown} has no place in a pattern", at, _HINTS.get(type(kind), ""))

    def name(self, node: ast.Name, at: Span) -> frozenset[str]:
        name = node.id
        if name in self.assigned:
            self.used.add(name)
            return self.reads.get(name, frozenset((name,)))
        if name in self.inputs:
            self.used.add(name)
            return frozenset((name,))
        if name in self.params:
            self.used.add(name)
            self.param(name, at)
            return frozenset()
        if name in self.dims:
            self.used.add(name)
            return frozenset()
        if name in self.outputs:
            raise fault("OPK171", f"'{name}' is used before it is assigned", at, "assign it in an earlier line")
        if name in _MODULES:
            raise fault("OPK159", f"'{name}' alone is no tensor", at, "torch.relu(x)")
        known = (*self.inputs, *self.params, *self.dims, *self.assigned)
        raise fault("OPK171", f"'{name[:60]}' is no input, param or earlier result", at, nearest_name(name, known))

    def param(self, name: str, at: Span) -> None:
        """A param that is read is one literal number."""
        param = self.params[name]
        if param.shape is not None:
            hint = "write the numbers out, as torch wants them: [0, 2, 1]"
            raise fault("OPK174", f"param '{name}' is a tensor; a pattern reads numbers", at, hint)
        if param.default is not None and not isinstance(param.default, bool | int | float):
            message = f"the default of param '{name}' is an expression; a pattern stands for one number"
            raise fault("OPK174", message, at, "give it a literal default, or write the number here")

    def constant(self, node: ast.Constant, at: Span) -> frozenset[str]:
        value = node.value
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise fault("OPK159", "this number has more than 64 bits", at, "write it with a point: 1e30")
        if isinstance(value, float) and value == float("inf"):
            raise fault("OPK159", "this number is too large for a float", at, "torch.inf, if that is meant")
        if not isinstance(value, int | float):
            raise fault("OPK159", f"{ast.unparse(node)[:40]} is no tensor and no number", at)
        return frozenset()

    def argument(self, node: ast.expr, depth: int) -> frozenset[str]:
        """An argument of a call: also None, a word, and a list of arguments."""
        if isinstance(node, ast.List | ast.Tuple):
            self.count(node, depth)
            return self.several(node.elts, depth + 1)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | None):
            self.count(node, depth)
            if node.value is None or _TEXT.fullmatch(node.value):
                return frozenset()
            raise fault("OPK159", "no function of torch takes this text", self.places.of(node))
        if isinstance(node, ast.IfExp):
            self.count(node, depth)
            self.condition(node)
            return self.argument(node.body, depth + 1) | self.argument(node.orelse, depth + 1)
        return self.look(node, depth)

    def several(self, nodes: Iterable[ast.expr], depth: int) -> frozenset[str]:
        reads: frozenset[str] = frozenset()
        for node in nodes:
            reads |= self.argument(node, depth)
        return reads

    def index(self, node: ast.expr, depth: int) -> None:
        """An index of literals and named dimensions: `[0]`, `[..., :4]`, `[:, None]`, `[..., D // 2 :]`."""
        self.count(node, depth)
        if isinstance(node, ast.Tuple):
            for element in node.elts:
                self.index(element, depth + 1)
            return
        parts: list[ast.expr | None] = [node]
        if isinstance(node, ast.Slice):
            parts = [node.lower, node.upper, node.step]
        for part in parts:
            number = part.operand if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) else part
            whole = isinstance(number, ast.Constant) and type(number.value) is int
            blank = isinstance(part, ast.Constant) and part.value in (None, ...) and not isinstance(node, ast.Slice)
            if part is not None and not blank and self.is_size(part):
                self.look(part, depth + 1)
                continue
            if part is not None and not whole and not blank:
                hint = "whole numbers, named dimensions, slices of them, ... and None"
                raise fault("OPK159", "this is no index of a pattern", self.places.of(part), hint)
            if isinstance(number, ast.Constant) and whole:
                self.constant(number, self.places.of(part or node))

    def is_size(self, node: ast.expr) -> bool:
        """Whether an expression is of named dimensions and whole numbers."""
        names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        kinds = (ast.Name, ast.BinOp, ast.UnaryOp, ast.USub, ast.Load, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)
        plain = all(
            isinstance(each, kinds) or (isinstance(each, ast.Constant) and type(each.value) is int)
            for each in ast.walk(node)
        )
        return bool(names) and plain and all(name in self.dims and name not in self.assigned for name in names)

    def call(self, node: ast.Call, depth: int) -> frozenset[str]:
        reads = self.function(node.func, depth)
        for keyword in node.keywords:
            at = self.places.of(keyword)
            if keyword.arg is None:
                raise fault("OPK159", "'**' has no place in a pattern", at, _HINTS[ast.Starred])
            if keyword.arg in _NO_KEYWORDS:
                raise fault("OPK173", f"'{keyword.arg}' has no place in a pattern", at, "leave it out")
        return reads | self.several([*node.args, *(keyword.value for keyword in node.keywords)], depth + 1)

    def function(self, func: ast.expr, depth: int) -> frozenset[str]:
        """Checks that what is called is torch's; the inputs that the tensor of a method comes from."""
        at = self.places.of(func)
        if isinstance(func, ast.Name):
            raise fault("OPK173", f"'{func.id[:60]}' is no function of torch", at, torch_name(func.id))
        if not isinstance(func, ast.Attribute):
            raise fault("OPK173", "this is no function of torch", at, "torch.relu(x)")
        path = path_of(func)
        if path and path[0] in _MODULES and not self.own(path[0]):
            known_function(path, at)
            return frozenset()
        if path and not self.own(path[0]):
            message = f"'{'.'.join(path)[:60]}' is no function of torch"
            raise fault("OPK173", message, at, torch_name(path[-1]))
        reads = self.look(func.value, depth + 1)
        if func.attr not in METHODS:
            raise fault("OPK173", f"a pattern has no method '{func.attr[:60]}'", at, hint_for(func.attr, METHODS, ""))
        return reads

    def own(self, name: str) -> bool:
        return name in self.inputs or name in self.params or name in self.outputs or name in self.assigned

    def attribute(self, node: ast.Attribute, at: Span) -> frozenset[str]:
        """`torch.float32`, `torch.inf`; everything else is a fault."""
        path = path_of(node)
        if len(path) == 2 and path[0] == "torch" and not self.own("torch"):
            if path[1] in CONSTANTS:
                return frozenset()
            if path[1] in FUNCTIONS:
                raise fault("OPK159", f"'torch.{path[1]}' is not called", at, f"torch.{path[1]}(...)")
            raise fault(
                "OPK173", f"a pattern has no 'torch.{path[1][:60]}'", at, hint_for(path[1], CONSTANTS, "torch.")
            )
        if node.attr in METHODS and node.attr not in INSTEAD:
            raise fault("OPK159", f"method '{node.attr}' is not called", at, f"x.{node.attr}(...)")
        hint = INSTEAD.get(node.attr) or _HINTS[ast.Attribute]
        raise fault("OPK159", f"the member '{node.attr[:60]}' has no place in a pattern", at, hint)

    def plain(self, node: ast.expr) -> ast.expr:
        """The checked expression with `F.` written out, and conditions in Python."""
        rewritten = _Plain(self.conditions, not self.own("F")).visit(node)
        assert isinstance(rewritten, ast.expr)
        return ast.fix_missing_locations(rewritten)


class _Plain(ast.NodeTransformer):
    """Replaces the module `F` by `torch.nn.functional`, and conditions by plain ones."""

    def __init__(self, conditions: Conditions, module: bool) -> None:
        self.conditions, self.module = conditions, module

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return ast.IfExp(self.conditions.plain(node.test), self.visit(node.body), self.visit(node.orelse))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if self.module and isinstance(node.value, ast.Name) and node.value.id == "F":
            node.value = ast.parse("torch.nn.functional", mode="eval").body
        return node
