"""Macros and constants that a C++ file defines for its own rules: found by their text, put in place of their names.

Only what is one expression of the language is taken. A name that is defined twice differently, or undefined again, is left
alone: which definition holds would be the preprocessor's to say (`--preprocess`).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from opkg.rules import syntax
from opkg.rules.constructs import rows_of
from opkg.rules.core import Type
from opkg.rules.elaborate.leaves import CASTS
from opkg.rules.elaborate.take import instantiate
from opkg.rules.text.macros import Macro, definitions, joined
from opkg.rules.text.parse import parse_expression
from opkg.spec.source_text import SourceText

_CONSTANT = re.compile(
    r"^[ \t]*(?:(?:static|inline)[ \t]+)*const(?:expr)?[ \t]+(?:(?:static|inline|const)[ \t]+)*([\w:]+)[ \t]+([A-Za-z_]\w*)"
    r"[ \t]*=[ \t]*([^;{}\n]+);",
    re.M,
)
_STRING = re.compile(
    r"^[ \t]*(?:(?:static|inline|const|constexpr)[ \t]+)*char(?:[ \t]+const)?[ \t]*"
    r"(?:\*[ \t]*(?:const(?:expr)?[ \t]+)?([A-Za-z_]\w*)|[ \t]([A-Za-z_]\w*)[ \t]*\[[ \t]*\d*[ \t]*\])"
    r"[ \t]*=?[ \t]*\{?[ \t]*((?:\"[^\"\n]*\"\s*)+)\}?[ \t]*;",
    re.M,
)
_MOST_TEXT = 20_000  # of one body
_MOST_NODES = 10_000  # of one rule after it
_DEEPEST = 20  # macros in macros
_HIGHEST = 120  # tree


@dataclass(frozen=True, slots=True)
class Define:
    """A definition: `params` None for a name without brackets. `several`: its body is the arguments of a call, not one
    expression."""

    params: tuple[str, ...] | None
    body: syntax.Node
    several: bool = False


def defines(source: str) -> dict[str, Define]:
    """What a file defines, by name."""
    source = joined(source)
    macros: dict[str, Macro | None] = {}
    for name, macro in definitions(source):
        _enter(macros, name, macro)
    for type, name, body in _CONSTANT.findall(source):
        known = type.removeprefix("std::")
        _enter(macros, name, Macro(name, None, f"{known if known in CASTS else ''}({body.strip()})"))
    for pointer, array, text in _STRING.findall(source):
        _enter(macros, pointer or array, Macro(pointer or array, None, text.strip()))
    found = {name: _read(macro) for name, macro in macros.items() if macro is not None and not rows_of(name)}
    return {name: define for name, define in found.items() if define is not None}


def _enter(macros: dict[str, Macro | None], name: str, macro: Macro | None) -> None:
    macros[name] = macro if macros.get(name, macro) == macro else None


def _read(macro: Macro) -> Define | None:
    """The definition as a tree; None when it is no expression."""
    text, names = macro.body, macro.parameters
    if not text or len(text) > _MOST_TEXT or "#" in text or "..." in (names or ()):
        return None
    for several, source in ((False, text), (True, f"LIST({text})")):
        node, findings = parse_expression(SourceText("definition", source))
        if node is None or isinstance(node, syntax.Opaque) or any(finding.is_error for finding in findings):
            continue
        if not several or (isinstance(node, syntax.Call) and len(node.args) > 1):
            return Define(names, node, several)
    return None


def defined_by(sources: Iterable[str]) -> dict[str, Define]:
    """What files define together; a name that two of them define differently is left out."""
    found: dict[str, Define | None] = {}
    for source in sources:
        for name, define in defines(source).items():
            found[name] = define if found.get(name, define) == define else None
    return {name: define for name, define in found.items() if define is not None}


def constants(found: Mapping[str, Define]) -> dict[str, syntax.Node]:
    """What of definitions is a value: an expression without arguments that is no text and no call; numbers are computed."""
    plain = {name: _computed(d.body) for name, d in found.items() if d.params is None and not d.several}
    return {name: value for name, value in plain.items() if not isinstance(value, syntax.Str | syntax.Call)}


def _computed(node: syntax.Node) -> syntax.Node:
    """The number that an expression of whole numbers is; else the expression without the type of the constant."""
    value = _whole(node)
    if value is not None:
        return syntax.Int(str(value), value, False)
    while isinstance(node, syntax.Paren) or (
        isinstance(node, syntax.Call) and node.name in CASTS and len(node.args) == 1
    ):
        node = node.inner if isinstance(node, syntax.Paren) else node.args[0]
    return node


def _whole(node: syntax.Node) -> int | None:
    """The value of an integer expression such as `4 * 1024`; None for everything else."""
    match node:
        case syntax.Int() if not node.unsigned:
            return node.value
        case syntax.Paren():
            return _whole(node.inner)
        case syntax.Call(name=name, args=(arg,)) if name in CASTS and CASTS[name] in (Type.INT, Type.SIZE, Type.INT64):
            return _whole(arg)
        case syntax.Binary() if node.operator in _FOLDS:
            left, right = _whole(node.left), _whole(node.right)
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


def substitute(rule: syntax.Rule, known: Mapping[str, Define]) -> syntax.Rule:
    """The rule with definitions in place of names; unchanged when that makes it too large."""
    if not known:
        return rule
    expander = _Expander(known)
    made = syntax.changed(rule, lambda node: expander.node(node, 0))
    return rule if expander.left < 0 else made


def substitute_args(declaration: syntax.Declaration, known: Mapping[str, Define]) -> syntax.Declaration:
    """The declaration with definitions in place of names, also such as stand for several arguments."""
    if not known:
        return declaration
    expander = _Expander(known)
    args = tuple(made for arg in declaration.args for made in expander.items(arg, 0))
    return declaration if expander.left < 0 else replace(declaration, args=args)


class _Expander:
    def __init__(self, known: Mapping[str, Define]) -> None:
        self.known = known
        self.left = _MOST_NODES
        self.height = 0

    def node(self, node: syntax.Node, depth: int, tight: bool = False) -> syntax.Node:
        """The node with definitions put in; `depth` of macros in macros. `tight`: an operator stands beside it, so that a
        definition with operators of its own would be torn apart by the preprocessor."""
        self.left = -1 if self.height > _HIGHEST else self.left - 1
        if self.left < 0 or depth > _DEEPEST:
            return node
        self.height += 1
        made = self.expanded(node, depth, tight)
        self.height -= 1
        return made

    def items(self, node: syntax.Node, depth: int) -> list[syntax.Node]:
        """An argument with definitions put in: several where one stands for several."""
        name = node.text if isinstance(node, syntax.Name) else node.name if isinstance(node, syntax.Call) else ""
        found = self.known.get(name)
        if found is None or not found.several or depth > _DEEPEST or self.left < 0:
            return [self.node(node, depth)]
        given = node.args if isinstance(node, syntax.Call) else ()
        if (found.params is None) is isinstance(node, syntax.Call) or len(found.params or ()) != len(given):
            return [node]
        body = instantiate(found.body, dict(zip(found.params or (), given, strict=True)), node)
        assert isinstance(body, syntax.Call)
        return [made for arg in body.args for made in self.items(arg, depth + 1)]

    def expanded(self, node: syntax.Node, depth: int, tight: bool) -> syntax.Node:
        """The node with definitions put into its parts, and in place of itself."""
        match node:
            case syntax.Name(text=text) if (found := self.found(text, tight)) is not None and found.params is None:
                return self.node(instantiate(found.body, {}, node), depth + 1)
            case syntax.Call(name=name, args=args):
                made = tuple(self.node(arg, depth) for arg in args)
                found = self.found(name, tight)
                if found is None or found.params is None or len(found.params) != len(args):
                    return replace(node, args=made)
                return self.node(instantiate(found.body, dict(zip(found.params, made, strict=True)), node), depth + 1)
        beside = isinstance(node, syntax.Unary | syntax.Binary)
        return syntax.with_parts(node, lambda part: self.node(part, depth, beside))

    def found(self, name: str, tight: bool) -> Define | None:
        """The definition that may be put in place of a name here."""
        found = self.known.get(name)
        return None if found is None or found.several or (tight and isinstance(found.body, syntax.Binary)) else found
