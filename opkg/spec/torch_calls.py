"""Torch ops that an op implements (`torch:`): which op, how its arguments map to inputs and params, and when it fits.

Expressions on the arguments of a call are a subset of Python's, because they read what a graph of torch holds: numbers,
lists and tensors. They are checked here and stand in generated Python as they are written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from opkg.spec.diagnostics import Span

OVERLOAD = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*\.[A-Za-z_]\w*", re.ASCII)
FUNCTIONS = frozenset((
    "abs", "all", "any", "bool", "bound", "constant", "enumerate", "fewer_scales", "float", "full", "grid", "int", "kind",
    "len", "list", "max", "min", "per_channel", "permute", "place", "range", "rank", "repeated", "reshape", "shape", "sorted",
    "sqrt", "sum", "value", "zip",
))  # fmt: skip
OF_THE_CALL = frozenset({"per_channel", "place", "value"})  # these read what the node of the call knows
WORDS = ("dims", "dtype")  # keywords beside the params of an op: shape and element type of what it makes
MAX_LENGTH = 400

_ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot,
    ast.In, ast.NotIn, ast.IfExp, ast.Call, ast.Subscript, ast.Slice, ast.Constant, ast.Name, ast.Load, ast.List,
    ast.Tuple, ast.ListComp, ast.comprehension, ast.Store, ast.keyword,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """An op of the package, called as a function: how many inputs it is given, and which params by name."""

    op: str
    inputs: int
    params: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallExpression:
    """An expression on the arguments of a torch call; `names`: the arguments that it reads, in order.

    `steps`: ops of the package that make what the expression gives.
    """

    text: str
    names: tuple[str, ...]
    span: Span = field(compare=False)
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class TorchCall:
    """One torch op. `args`: input or param -> argument of the torch op; None: by position, inputs, then params.

    `lowered`: the builder alone takes it. `encoding`: the output whose quantization the call's arguments are. `constant`: the
    input that the result is.

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
    lowered: bool = False
    encoding: str = ""
    constant: str = ""


def parse_call(text: str, span: Span) -> CallExpression | str:
    """The expression, or why it is none."""
    text = " ".join(text.split())
    text = {"true": "True", "false": "False"}.get(text, text)  # as YAML writes them
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
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    taken = sorted(bound & {*FUNCTIONS, "call"})
    if taken:
        return f"'{taken[0]}' is no name for what a list goes through"
    for node in ast.walk(tree):
        fault_text = _fault(node, functions)
        if fault_text:
            return fault_text
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in functions and node.id not in bound:
            names.setdefault(node.id)
    return CallExpression(text, tuple(names), span, tuple(_steps(tree)))


def _steps(tree: ast.AST) -> Iterator[Step]:
    """Calls of ops of the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_step(node):
            params = tuple(keyword.arg or "" for keyword in node.keywords if keyword.arg not in WORDS)
            yield Step(ast.unparse(node.func), len(node.args), params)


def _is_step(node: ast.Call) -> bool:
    """Whether an op of the package is called: its name begins with a capital letter, as no function's does."""
    named = isinstance(node.func, ast.Name) and node.func.id[:1].isupper()
    return named and all(keyword.arg for keyword in node.keywords)


def _fault(node: ast.AST, functions: set[int]) -> str:
    """Why a node may not stand in an expression; functions that are called are collected."""
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        if not _is_step(node) and (not known or node.keywords):
            return f"'{ast.unparse(node)}': the functions are {', '.join(sorted(FUNCTIONS))}"
        functions.add(id(node.func))
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool | int | float | str | None):
        return f"'{ast.unparse(node)}' is no number, text, bool or None"
    if not isinstance(node, _ALLOWED):
        return f"{type(node).__name__} has no place in an expression"
    return ""


def call_text(expression: CallExpression, made: Mapping[str, tuple[str, int | None]] | None = None) -> str:
    """The expression as Python over `call`, a mapping of the arguments.

    `made`: by op of the package its torch op, and which input its output has the element type of.
    """
    tree = ast.parse(expression.text, mode="eval")
    return ast.unparse(ast.fix_missing_locations(_Reader(set(expression.names), made or {}).visit(tree)))


class _Reader(ast.NodeTransformer):
    """Replaces `eps` by `call["eps"]`, and writes the rest as Python's tools want it."""

    def __init__(self, names: set[str], made: Mapping[str, tuple[str, int | None]]) -> None:
        self.names = names
        self.made = made

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        name, arguments = node.func.id, [self.visit(argument) for argument in node.args]
        if name not in FUNCTIONS:
            return self._step(name, arguments, {each.arg: self.visit(each.value) for each in node.keywords})
        if name in ("all", "any") and len(arguments) == 1 and isinstance(arguments[0], ast.ListComp):
            arguments = [ast.Name(ast.unparse(arguments[0])[1:-1], ast.Load())]
        keywords = [ast.keyword("strict", ast.Constant(True))] if name == "zip" else []
        own = ast.Attribute(ast.Name("call", ast.Load()), name, ast.Load())
        return ast.Call(own if name in OF_THE_CALL else node.func, arguments, keywords)

    def _step(self, name: str, inputs: list[ast.expr], given: dict[str | None, ast.expr]) -> ast.AST:
        """`made("acme.transpose.default", [x], {"perm": ...}, follows, dims, dtype)`."""
        op, follows = self.made.get(name, (name, None))
        words = [given.pop(word, ast.Constant(None)) for word in WORDS]
        params = ast.Dict([ast.Constant(param) for param in given], list(given.values()))
        values = [ast.Constant(op), ast.List(inputs, ast.Load()), params, ast.Constant(follows), *words]
        return ast.Call(ast.Name("made", ast.Load()), values, [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.names:
            return node
        return ast.Subscript(ast.Name("call", ast.Load()), ast.Constant(node.id), ast.Load())

    def visit_Slice(self, node: ast.Slice) -> ast.AST:
        """Spaces around the colons between anything but names and numbers."""
        parts = [self.visit(part) if part is not None else None for part in (node.lower, node.upper, node.step)]
        texts = [ast.unparse(part) if part is not None else "" for part in parts]
        texts = texts if node.step is not None else texts[:2]
        plain = all(isinstance(part, ast.Name | ast.Constant | None) for part in parts)
        return ast.Name((":" if plain else " : ").join(texts).strip(), ast.Load())
