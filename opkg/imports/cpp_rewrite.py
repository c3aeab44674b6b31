"""Rules in the words of a spec: constants of the source by their values, ops of the package by their bare names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from opkg.rules.elaborate.defines import Define, substitute, substitute_args
from opkg.rules.syntax import Binary, Call, Document, Name, Node, Paren, Rule, Str, Unary


def without_macros(document: Document, known: Mapping[str, Define]) -> Document:
    """The document with the package's own macros and names of ops written out."""
    items = (
        substitute(item, known) if isinstance(item, Rule) else substitute_args(item, known) for item in document.items
    )
    return replace(document, items=tuple(items))


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
