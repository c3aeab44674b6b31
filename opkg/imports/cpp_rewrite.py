"""Rules in the words of a spec: constants of the source by their values, ops of the package by their bare names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from opkg.rules.elaborate.defines import Define, substitute, substitute_args
from opkg.rules.syntax import Document, Name, Node, Rule, Str, changed, with_parts


def without_macros(document: Document, known: Mapping[str, Define]) -> Document:
    """The document with the package's own macros and names of ops written out."""
    items = (
        substitute(item, known) if isinstance(item, Rule) else substitute_args(item, known) for item in document.items
    )
    return replace(document, items=tuple(items))


def rewritten(rule: Rule, prefixes: Sequence[str], constants: Mapping[str, Node]) -> Rule:
    """The rule with op names of the package's `prefixes` bare and with constants replaced by their values."""
    return changed(rule, lambda node: _rewritten(node, prefixes, constants, 0))


def _rewritten(node: Node, prefixes: Sequence[str], constants: Mapping[str, Node], depth: int) -> Node:
    match node:
        case Str():
            prefix, mark, rest = node.value.rpartition("::")
            return replace(node, value=rest) if mark and prefix in prefixes else node
        case Name() if node.text in constants and depth < 16:
            return _rewritten(constants[node.text], prefixes, constants, depth + 1)
    return with_parts(node, lambda part: _rewritten(part, prefixes, constants, depth))
