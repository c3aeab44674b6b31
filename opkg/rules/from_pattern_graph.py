"""A `pattern:` as a graph of core ops: what an optimization rule would match."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from opkg.rules.from_pattern_ops import CONSTANTS, DEFAULTS, FORMS, Core, Input, NoCoreOp, Number, Part, known
from opkg.spec.diagnostics import Span
from opkg.spec.pattern import TorchPattern
from opkg.spec.pattern_names import FUNCTIONAL

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


def graph_of(pattern: TorchPattern, output: str) -> tuple[Core | None, str, Span]:
    """The op that gives the output; else None, what has no core op, and where that stands."""
    found: dict[str, Part] = {name: Input(name) for name in pattern.inputs}
    found |= {name: Number(float(value)) for name, value in pattern.literals}
    for statement in pattern.statements:
        try:
            if len(statement.targets) != 1:
                raise NoCoreOp("a function with several results")
            found[statement.targets[0]] = _part(ast.parse(statement.text, mode="eval").body, found)
        except NoCoreOp as missing:
            return None, str(missing), statement.span
        except (OverflowError, ZeroDivisionError, ValueError, TypeError):
            return None, f"'{statement.text}' (its number has no value)", statement.span
    root = found[output]
    if not isinstance(root, Core):
        return None, "a pattern without an op", pattern.span
    return root, "", pattern.span


def _part(node: ast.expr, found: Mapping[str, Part]) -> Part:
    """The node of one expression. Raises NoCoreOp."""
    if isinstance(node, ast.Name):
        return found[node.id]
    if isinstance(node, ast.Constant):
        return _number(node)
    if isinstance(node, ast.UnaryOp):
        operand = _part(node.operand, found)
        return Number(-operand.value) if isinstance(operand, Number) else Core("Neg", (operand,))
    if isinstance(node, ast.BinOp):
        return _operator(node.op, _part(node.left, found), _part(node.right, found))
    if isinstance(node, ast.Compare):
        return _operator(node.ops[0], _part(node.left, found), _part(node.comparators[0], found))
    if isinstance(node, ast.Attribute) and node.attr in CONSTANTS:
        return Number(CONSTANTS[node.attr])
    if isinstance(node, ast.Call):
        return _call(node, found)
    raise NoCoreOp(f"'{ast.unparse(node)[:60]}'")


def _number(node: ast.Constant) -> Number:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float) or abs(node.value) > _LARGEST:
        raise NoCoreOp(f"'{ast.unparse(node)[:40]}' as an operand")
    return Number(float(node.value))


def _operator(kind: ast.AST, left: Part, right: Part) -> Part:
    if isinstance(left, Number) and isinstance(right, Number) and type(kind) in _FOLDED:
        value = _FOLDED[type(kind)](left.value, right.value)
        if not abs(value) <= _LARGEST:
            raise NoCoreOp(f"the number {value:g}")
        return Number(value)
    name = _OPERATORS.get(type(kind))
    if name is None:
        raise NoCoreOp(f"the operator '{_SYMBOLS.get(type(kind), '?')}'")
    return FORMS[name].build((_own(left), _own(right)))


def _own(part: Part) -> Part:
    """A literal is a constant of its own at each place where it stands."""
    return Number(part.value, part.kind) if isinstance(part, Number) else part


def _call(node: ast.Call, found: Mapping[str, Part]) -> Part:
    """A call: its arguments to the operands of the function's form."""
    assert isinstance(node.func, ast.Attribute)
    function = ast.unparse(node.func)
    args = list(node.args)
    if not function.startswith("torch."):  # a method: its tensor is the first argument
        args.insert(0, node.func.value)
        function = node.func.attr
    name = known(function)
    form = FORMS[name]
    names = (*form.operands, *(option[0] for option in form.options))
    if len(args) > len(names):
        raise NoCoreOp(f"{function} with {len(args)} arguments")
    given = {**dict(zip(names, args, strict=False)), **{k.arg or "": k.value for k in node.keywords}}
    foreign = [key for key in given if key not in names]
    if foreign:
        raise NoCoreOp(f"{function} with '{foreign[0]}'")
    for option, value, default in form.options:
        if option in given and not _is(given[option], value):
            raise NoCoreOp(f"{function} with {option}={ast.unparse(given[option])[:40]}")
        if option not in given and default != value:
            raise NoCoreOp(f"{function} without {option}={value}")
    operands = [_operand(name, function, key, given, found) for key in form.operands]
    if isinstance(operands[0], Number) and name != "where":
        raise NoCoreOp(f"{function} of a number")
    try:
        return form.build(tuple(operands))
    except NoCoreOp as reason:
        raise NoCoreOp(f"{function} {reason}") from None


def _operand(name: str, function: str, key: str, given: Mapping[str, ast.expr], found: Mapping[str, Part]) -> Part:
    if key in given:
        node = given[key]
        if key == "dim" and isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 1:
            node = node.elts[0]
        return _own(_part(node, found))
    if (name, key) in DEFAULTS:
        return Number(DEFAULTS[name, key])
    raise NoCoreOp(f"{function} without '{key}'")


def _is(node: ast.expr, value: object) -> bool:
    """Whether an argument is the literal that core ops compute with."""
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
