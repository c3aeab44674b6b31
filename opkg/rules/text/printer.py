"""Syntax trees as text: on one line, or laid out as macro calls. `parse_expression(to_text(tree))` is the tree again."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.syntax import Binary, Call, Declaration, Float, Int, Name, Node, Opaque, Paren, Rule, Str, Unary
from opkg.rules.text.literals import quoted
from opkg.rules.text.parse import LEVELS

INDENT = 4
_PREFIX_LEVEL = 20
_OPERAND_LEVEL = 21


def to_text(node: Node) -> str:
    """The canonical text of a tree on one line: `Op("A", "X")`, `EARLY + 2`, `a | b`; numbers stay as written."""
    if isinstance(node, Str):
        return quoted(node.value)
    if isinstance(node, Call):
        return f"{node.name}({', '.join(map(to_text, node.args))})"
    if isinstance(node, Int | Float | Name | Opaque):
        return node.text
    if isinstance(node, Paren):
        return f"({to_text(node.inner)})"
    if isinstance(node, Unary):
        operand = _at_least(node.operand, _PREFIX_LEVEL)
        if isinstance(node.operand, Int | Float) and node.operator in "-+" and operand[0] not in "+-":
            return f"{node.operator}({operand})"
        return f"{node.operator}{' ' if operand.startswith(node.operator) else ''}{operand}"
    level = LEVELS[node.operator]
    return f"{_at_least(node.left, level)} {node.operator} {_at_least(node.right, level + 1)}"


def _at_least(node: Node, level: int) -> str:
    """The text of an operand, in brackets if it would bind less strongly than `level`."""
    text = to_text(node)
    return f"({text})" if _strength(node) < level else text


def _strength(node: Node) -> int:
    if isinstance(node, Binary):
        return LEVELS[node.operator]
    return _PREFIX_LEVEL if isinstance(node, Unary) else _OPERAND_LEVEL


def rule_text(rule: Rule, width: int = 110) -> str:
    """The rule as its macro call without `;`, in lines of at most `width` characters where the rule allows it.

    Rules of YAML and of tilings (DEF_AUTOSPLIT) become DEF_PACKAGE_OPTIMIZATION, with flags ..._WITH_FLAGS; a pass
    that is left out is EARLY, a constraint OK.
    """
    macro = "DEF_PACKAGE_OPTIMIZATION" if rule.flags is None else "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS"
    if rule.macro in ("DEF_OPT", "DEF_OPTIM", "DEF_OPT_FLAGS"):
        macro = rule.macro
    pass_ = rule.pass_ if rule.pass_ is not None else Name("EARLY")
    when = rule.when if rule.when is not None else Name("OK")
    flags = () if rule.flags is None else (rule.flags,)
    return call_text(macro, (pass_, *flags, rule.match, when, rule.replace), width)


def declaration_text(declaration: Declaration, width: int = 110) -> str:
    """The declaration as its macro call without `;`, laid out like a rule."""
    return call_text(declaration.macro, declaration.args, width)


def call_text(name: str, args: Sequence[Node], width: int = 110) -> str:
    """A macro call: on one line if it fits, else an argument a line, nested calls broken only where they must be."""
    flat = f"{name}({', '.join(map(to_text, args))})"
    if len(flat) <= width:
        return flat
    pad = " " * INDENT
    parts = [pad + layout(arg, INDENT, width, 1) for arg in args]
    return f"{name}(\n" + ",\n".join(parts) + ")"


def layout(node: Node, column: int, width: int, after: int = 0) -> str:
    """The text of a node whose first line begins at `column` and whose last line has `after` more characters to hold.

    A call that does not fit keeps the names and numbers it begins with on its first line; every other argument stands on
    a line of its own, indented by 4 from the line the call begins on.
    """
    flat = to_text(node)
    if column + len(flat) + after <= width or not isinstance(node, Call) or not node.args:
        return flat
    head = 0
    while head < len(node.args) - 1 and not isinstance(node.args[head], Call | Binary):
        head += 1
    first = f"{node.name}({', '.join(map(to_text, node.args[:head]))}"
    if column + len(first) + 1 > width:
        first, head = f"{node.name}(", 0
    inner = column + INDENT
    rest = [
        " " * inner + layout(arg, inner, width, after + 1 if last else 1)
        for arg, last in ((arg, arg is node.args[-1]) for arg in node.args[head:])
    ]
    return first + (",\n" if head else "\n") + ",\n".join(rest) + ")"
