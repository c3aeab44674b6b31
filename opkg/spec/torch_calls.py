"""Torch ops that an op implements (`torch:`): which op, how its arguments map to inputs and params, and when it fits.

Expressions on the arguments of a call are a subset of Python's, because they read what a graph of torch holds: numbers,
lists and tensors. They are checked here and stand in generated Python as they are written.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from opkg.spec.diagnostics import Span

OVERLOAD = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*\.[A-Za-z_]\w*", re.ASCII)
FUNCTIONS = frozenset(
    (
        "abs",
        "bool",
        "float",
        "full",
        "int",
        "len",
        "list",
        "max",
        "min",
        "range",
        "rank",
        "shape",
        "sorted",
        "sum",
    )
)
MAX_LENGTH = 400

_ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot,
    ast.In, ast.NotIn, ast.IfExp, ast.Call, ast.Subscript, ast.Slice, ast.Constant, ast.Name, ast.Load, ast.List,
    ast.Tuple,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CallExpression:
    """An expression on the arguments of a torch call; `names`: the arguments that it reads, in order."""

    text: str
    names: tuple[str, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class TorchCall:
    """One torch op. `args`: input or param -> argument of the torch op; None: by position, inputs, then params.

    `params`: values of params from expressions. `when`: what must hold for the op to take the call. `ignore`: arguments that
    may have any value. `inputs`: inputs from expressions. `decompose`: torch may decompose the op; it is named for the quantizer.
    """

    op: str
    args: tuple[tuple[str, str], ...] | None
    params: tuple[tuple[str, CallExpression], ...]
    when: tuple[CallExpression, ...]
    span: Span = field(compare=False)
    ignore: tuple[str, ...] = ()
    inputs: tuple[tuple[str, CallExpression], ...] = ()
    decompose: bool = False


def parse_call(text: str, span: Span) -> CallExpression | str:
    """The expression, or why it is none."""
    text = " ".join(text.split())
    if len(text) > MAX_LENGTH:
        return f"an expression has at most {MAX_LENGTH} characters"
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as fault:
        return f"no expression: {fault.msg}"
    except (ValueError, RecursionError, MemoryError):
        return "no expression"
    names: dict[str, None] = {}
    functions: set[int] = set()
    for node in ast.walk(tree):
        fault_text = _fault(node, functions)
        if fault_text:
            return fault_text
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in functions:
            names.setdefault(node.id)
    return CallExpression(text, tuple(names), span)


def _fault(node: ast.AST, functions: set[int]) -> str:
    """Why a node may not stand in an expression; functions that are called are collected."""
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        if not known or node.keywords:
            return f"'{ast.unparse(node)}': the functions are {', '.join(sorted(FUNCTIONS))}"
        functions.add(id(node.func))
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool | int | float | str | None):
        return f"'{ast.unparse(node)}' is no number, text, bool or None"
    if not isinstance(node, _ALLOWED):
        return f"{type(node).__name__} has no place in an expression"
    return ""


def call_text(expression: CallExpression) -> str:
    """The expression as Python over `call`, a mapping of the arguments."""
    tree = ast.parse(expression.text, mode="eval")
    return ast.unparse(ast.fix_missing_locations(_Reader(set(expression.names)).visit(tree)))


class _Reader(ast.NodeTransformer):
    """Replaces `eps` by `call["eps"]`."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return ast.Call(node.func, [self.visit(argument) for argument in node.args], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.names:
            return node
        return ast.Subscript(ast.Name("call", ast.Load()), ast.Constant(node.id), ast.Load())
