"""Rules in the words of a spec: constants of the source by their values, ops of the package by their bare names."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from opkg.rules.elaborate.defines import Define, defines, substitute, substitute_args
from opkg.rules.syntax import Binary, Call, Document, Int, Name, Node, Paren, Rule, Str, Unary
from opkg.rules.text.parse import parse_expression
from opkg.spec.source_text import SourceText

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+([^\n\\]+)$", re.MULTILINE)
_CONSTANT = re.compile(r"\b(?:constexpr|const)\s+(?:static\s+)?[\w:]+\s+([A-Za-z_]\w*)\s*=\s*([^;{]+);")


def constants_of(codes: Sequence[str]) -> dict[str, Node]:
    """Macros without arguments and C++ constants of the source (without comments) whose value is one expression.

    A name with two values is left out.
    """
    values: dict[str, set[str]] = {}
    for code in codes:
        for pattern in (_DEFINE, _CONSTANT):
            for name, value in pattern.findall(code):
                values.setdefault(name, set()).add(" ".join(value.split()))
    out: dict[str, Node] = {}
    for name, texts in values.items():
        text = texts.pop()
        node, findings = parse_expression(SourceText("", text))
        if not texts and node is not None and not findings and not _names(node, name):
            number = _folded(node)
            out[name] = node if number is None else Int(str(number), number, False)
    return out


def without_macros(document: Document, known: Mapping[str, Define]) -> Document:
    """The document with the package's own macros and names of ops written out."""
    items = (
        substitute(item, known) if isinstance(item, Rule) else substitute_args(item, known) for item in document.items
    )
    return replace(document, items=tuple(items))


def macros_of(texts: Sequence[str], besides: Collection[str]) -> dict[str, Define]:
    """Macros and constants of all files but those `besides`; a name that two files define differently is left out."""
    found: dict[str, Define | None] = {}
    for text in texts:
        for name, define in defines(text).items():
            found[name] = define if found.get(name, define) == define else None
    return {name: define for name, define in found.items() if define is not None and name not in besides}


def _folded(node: Node) -> int | None:
    """The value of an integer expression such as `4 * 1024`; None for everything else."""
    match node:
        case Int() if not node.unsigned:
            return node.value
        case Paren():
            return _folded(node.inner)
        case Binary() if node.operator in _FOLDS:
            left, right = _folded(node.left), _folded(node.right)
            if left is None or right is None or (node.operator == "<<" and not 0 <= right < 31):
                return None
            return _FOLDS[node.operator](left, right)
    return None


_FOLDS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<<": operator.lshift,
}


def _names(node: Node, name: str) -> bool:
    """Whether a tree has a name in it."""
    if isinstance(node, Name):
        return node.text == name
    return any(_names(part, name) for part in _parts(node))


def _parts(node: Node) -> tuple[Node, ...]:
    match node:
        case Call():
            return node.args
        case Binary():
            return (node.left, node.right)
        case Unary():
            return (node.operand,)
        case Paren():
            return (node.inner,)
    return ()


def rewritten(rule: Rule, prefixes: Sequence[str], constants: Mapping[str, Node]) -> Rule:
    """The rule with op names of the package's `prefixes` bare and with constants replaced by their values."""

    def part(node: Node | None) -> Node | None:
        return None if node is None else _rewritten(node, prefixes, constants, 0)

    match, new = _rewritten(rule.match, prefixes, constants, 0), _rewritten(rule.replace, prefixes, constants, 0)
    return replace(rule, pass_=part(rule.pass_), flags=part(rule.flags), match=match, when=part(rule.when), replace=new)


def _rewritten(node: Node, prefixes: Sequence[str], constants: Mapping[str, Node], depth: int) -> Node:
    def again(inner: Node) -> Node:
        return _rewritten(inner, prefixes, constants, depth)

    match node:
        case Str():
            prefix, mark, rest = node.value.rpartition("::")
            return replace(node, value=rest) if mark and prefix in prefixes else node
        case Name() if node.text in constants and depth < 16:
            return _rewritten(constants[node.text], prefixes, constants, depth + 1)
        case Call():
            return replace(node, args=tuple(again(argument) for argument in node.args))
        case Binary():
            return replace(node, left=again(node.left), right=again(node.right))
        case Unary():
            return replace(node, operand=again(node.operand))
        case Paren():
            return replace(node, inner=again(node.inner))
    return node
