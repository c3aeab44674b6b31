"""A `pattern:` as a graph of ops: torch's calls read by a table that says which ops compute each function.

What the ops are is the table's: core ops of QNN for rules (`opkg.rules.from_pattern_ops`), ONNX's for models
(`opkg.fuse.patch.forms`).
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from opkg.spec.diagnostics import Span
from opkg.spec.pattern import TorchPattern
from opkg.spec.pattern_names import FUNCTIONAL


class Kind(StrEnum):
    """What a constant of a pattern is."""

    TENSOR = "tensor"  # of the element type of the tensors
    FLOAT = "float"  # a float32 param of an op
    INDEX = "index"  # a whole number, 4 bytes
    FLAG = "flag"  # 0 or 1


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """An input of the op."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A literal: a constant in the graph."""

    value: float
    kind: Kind = Kind.TENSOR


@dataclass(frozen=True, slots=True, eq=False)
class Core:
    """An op. `either`: the two operands may stand in any order."""

    op: str
    operands: tuple[Part, ...]
    either: bool = False


Part = Input | Number | Core
Build = Callable[[tuple[Part, ...]], Part]
Option = tuple[str, object, object]


class NoForm(Exception):
    """No op of the table computes this; the text says what."""


@dataclass(frozen=True, slots=True)
class Form:
    """One function: its operands in order, then its options: name, the value that the ops have, torch's default."""

    operands: tuple[str, ...]
    build: Build
    options: tuple[Option, ...] = ()


Forms = Mapping[str, Form]
DEFAULTS: dict[tuple[str, str], float] = {
    ("elu", "alpha"): 1.0,
    ("leaky_relu", "negative_slope"): 0.01,
    ("hardtanh", "min_val"): -1.0,
    ("hardtanh", "max_val"): 1.0,
}
_ALIASES = {
    "negative": "neg", "absolute": "abs", "multiply": "mul", "subtract": "sub", "divide": "div", "true_divide": "div",
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne", "clip": "clamp",
}  # fmt: skip
CONSTANTS = {"pi": math.pi, "e": math.e}
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow", ast.MatMult: "matmul",
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
_FOLDED: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: float(a**b),
}  # fmt: skip
_SYMBOLS: dict[type[ast.AST], str] = {ast.FloorDiv: "//", ast.Mod: "%"}
_LARGEST = 3.4e38  # of float32


def graph_of(pattern: TorchPattern, output: str, forms: Forms) -> tuple[Core | None, str, Span]:
    """The op that gives the output; else None, what has no op, and where that stands."""
    found: dict[str, Part] = {name: Input(name) for name in pattern.inputs}
    found |= {name: Number(float(value)) for name, value in pattern.literals}
    for statement in pattern.statements:
        try:
            if len(statement.targets) != 1:
                raise NoForm("a function with several results")
            found[statement.targets[0]] = _part(ast.parse(statement.text, mode="eval").body, found, forms)
        except NoForm as missing:
            return None, str(missing), statement.span
        except (OverflowError, ZeroDivisionError, ValueError, TypeError):
            return None, f"'{statement.text}' (its number has no value)", statement.span
    root = found[output]
    if not isinstance(root, Core):
        return None, "a pattern without an op", pattern.span
    return root, "", pattern.span


def _part(node: ast.expr, found: Mapping[str, Part], forms: Forms) -> Part:
    """The node of one expression. Raises NoForm."""
    if isinstance(node, ast.Name):
        if node.id not in found:
            raise NoForm(f"the size '{node.id}'")
        return found[node.id]
    if isinstance(node, ast.Constant):
        return _number(node)
    if isinstance(node, ast.UnaryOp):
        operand = _part(node.operand, found, forms)
        return Number(-operand.value) if isinstance(operand, Number) else forms["neg"].build((operand,))
    if isinstance(node, ast.BinOp):
        return _operator(node.op, _part(node.left, found, forms), _part(node.right, found, forms), forms)
    if isinstance(node, ast.Compare):
        return _operator(node.ops[0], _part(node.left, found, forms), _part(node.comparators[0], found, forms), forms)
    if isinstance(node, ast.Attribute) and node.attr in CONSTANTS:
        return Number(CONSTANTS[node.attr])
    if isinstance(node, ast.Call):
        return _call(node, found, forms)
    raise NoForm(f"'{ast.unparse(node)[:60]}'")


def _number(node: ast.Constant) -> Number:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float) or abs(node.value) > _LARGEST:
        raise NoForm(f"'{ast.unparse(node)[:40]}' as an operand")
    return Number(float(node.value))


def _operator(kind: ast.AST, left: Part, right: Part, forms: Forms) -> Part:
    if isinstance(left, Number) and isinstance(right, Number) and type(kind) in _FOLDED:
        value = _FOLDED[type(kind)](left.value, right.value)
        if not abs(value) <= _LARGEST:
            raise NoForm(f"the number {value:g}")
        return Number(value)
    name = _OPERATORS.get(type(kind))
    if name is None or name not in forms:
        raise NoForm(f"the operator '{_SYMBOLS.get(type(kind), '?')}'")
    return forms[name].build((_own(left), _own(right)))


def _own(part: Part) -> Part:
    """A literal is a constant of its own at each place where it stands."""
    return Number(part.value, part.kind) if isinstance(part, Number) else part


def _call(node: ast.Call, found: Mapping[str, Part], forms: Forms) -> Part:
    """A call: its arguments to the operands of the function's form."""
    assert isinstance(node.func, ast.Attribute)
    function = ast.unparse(node.func)
    args = list(node.args)
    if not function.startswith("torch."):  # a method: its tensor is the first argument
        args.insert(0, node.func.value)
        function = node.func.attr
    name = _known(function, forms)
    form = forms[name]
    names = (*form.operands, *(option[0] for option in form.options))
    if len(args) > len(names):
        raise NoForm(f"{function} with {len(args)} arguments")
    given = {**dict(zip(names, args, strict=False)), **{k.arg or "": k.value for k in node.keywords}}
    foreign = [key for key in given if key not in names]
    if foreign:
        raise NoForm(f"{function} with '{foreign[0]}'")
    for option, value, default in form.options:
        if option in given and not _is(given[option], value):
            raise NoForm(f"{function} with {option}={ast.unparse(given[option])[:40]}")
        if option not in given and default != value:
            raise NoForm(f"{function} without {option}={value}")
    operands = [_operand(name, function, key, given, found, forms) for key in form.operands]
    if isinstance(operands[0], Number) and name != "where":
        raise NoForm(f"{function} of a number")
    try:
        return form.build(tuple(operands))
    except NoForm as reason:
        raise NoForm(f"{function} {reason}") from None


def _operand(
    name: str, function: str, key: str, given: Mapping[str, ast.expr], found: Mapping[str, Part], forms: Forms
) -> Part:
    if key in given:
        node = given[key]
        if key == "dim" and isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 1:
            node = node.elts[0]
        return _own(_part(node, found, forms))
    if (name, key) in DEFAULTS:
        return Number(DEFAULTS[name, key])
    raise NoForm(f"{function} without '{key}'")


def _is(node: ast.expr, value: object) -> bool:
    """Whether an argument is the literal that the table's ops compute with."""
    return (
        isinstance(node, ast.Constant)
        and node.value == value
        and isinstance(node.value, bool) == isinstance(value, bool)
    )


def missing_name(text: str) -> str:
    """A function as the user knows it: `torch.cumsum`, or `torch.nn.functional.mish` of a method's bare name."""
    if "." in text or not text.isidentifier():
        return text
    return f"torch.nn.functional.{text}" if text in FUNCTIONAL else f"torch.{text}"


def _known(function: str, forms: Forms) -> str:
    """The name in the table of a function of torch (`torch.nn.functional.relu`, `torch.ops.aten.add.Tensor`, `relu` of a
    method). Raises NoForm."""
    words = function.split(".")
    name = words[3] if words[:3] == ["torch", "ops", "aten"] else words[-1]
    foreign = words[:2] == ["torch", "ops"] and words[2] != "aten"
    name = _ALIASES.get(name, name)
    if foreign or name not in forms:
        raise NoForm(function)
    return name
