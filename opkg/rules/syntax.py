"""The syntax tree of the rule language: what was written, node by node, each with its place in a text (`opkg.spec.source_text`).

Every construct of the language is a `Call`; which ones exist and what they mean is in `opkg.rules.constructs`, not here.
`start` and `end` are offsets into the text (end exclusive) and take no part in comparison, so that
`parse(print(tree)) == tree` can be said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from opkg.spec.source_text import AnyText


def _at() -> int:
    return field(default=0, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Str:
    """A string constant; adjacent ones are joined. `value` is what it means, escapes (of MESSAGE texts) resolved."""

    value: str
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Int:
    """An integer constant as written (`0x10u`, `-3`): `value` with its sign, `unsigned` when it has a U suffix."""

    text: str
    value: int = field(compare=False)
    unsigned: bool = field(compare=False)
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Float:
    """A floating constant as written (`-1.331e-2`, `1.0f`)."""

    text: str
    value: float = field(compare=False)
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier, also a qualified one: `OK`, `EARLY`, `DType::QUInt8`, `Flags::RESOURCE_HVX`, `std::numeric_limits`."""

    text: str
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Call:
    """`NAME(args)`; also C++ functional casts such as `size_t(4)`. `name_end` is where the name ends."""

    name: str
    args: tuple[Node, ...]
    start: int = _at()
    end: int = _at()
    name_end: int = _at()


@dataclass(frozen=True, slots=True)
class Unary:
    """A C++ prefix operator on something that is no plain number: `-EARLY`, `!x`. The grammar has none."""

    operator: str
    operand: Node
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Binary:
    """A C++ binary operator: `EARLY + 2`, `a|b` of flags, `2*16`. The grammar has `+` in pass specs only."""

    operator: str
    left: Node
    right: Node
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Paren:
    """Brackets around an expression: `(EARLY + 1)`, `(f<Tensor>)`."""

    inner: Node
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Opaque:
    """Balanced C++ text that the language does not read (template arguments, casts, lambdas): kept as written."""

    text: str
    start: int = _at()
    end: int = _at()


Node = Str | Int | Float | Name | Call | Unary | Binary | Paren | Opaque


def with_parts(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with each of its operands or arguments changed."""
    match node:
        case Call(args=args):
            return replace(node, args=tuple([change(arg) for arg in args]))
        case Unary(operand=operand):
            return replace(node, operand=change(operand))
        case Binary(left=left, right=right):
            return replace(node, left=change(left), right=change(right))
        case Paren(inner=inner):
            return replace(node, inner=change(inner))
    return node


class Front(StrEnum):
    """Where a declaration came from."""

    YAML = "yaml"  # a rule of a spec
    CPP = "cpp"  # a macro call in C++ source
    EXPANDED = "expanded"  # after the compiler's -E


@dataclass(frozen=True, slots=True)
class Rule:
    """One optimization rule. `name`: the spec's, or `FILE_STEM_LINE` in C++. A part that was left out is None (YAML only:
    pass EARLY, no flags, constraint OK). `macro`: the macro it was written with, "" for a rule in YAML fields.
    """

    name: str
    macro: str
    pass_: Node | None
    flags: Node | None
    match: Node
    when: Node | None
    replace: Node
    text: AnyText = field(compare=False, repr=False)
    start: int = _at()
    end: int = _at()


def changed(rule: Rule, change: Callable[[Node], Node]) -> Rule:
    """The rule with each of its parts changed."""

    def part(node: Node | None) -> Node | None:
        return None if node is None else change(node)

    return replace(
        rule, pass_=part(rule.pass_), flags=part(rule.flags), match=change(rule.match), when=part(rule.when),
        replace=change(rule.replace),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declaration:
    """Another macro call that op packages make: DEF_TENSOR_PROPERTIES, DEF_PACKAGE_OP*, DEF_PACKAGE_PARAM_ORDER."""

    macro: str
    args: tuple[Node, ...]
    text: AnyText = field(compare=False, repr=False)
    start: int = _at()
    end: int = _at()


Item = Rule | Declaration


@dataclass(frozen=True, slots=True)
class Comment:
    """A C++ comment inside a declaration, markers included."""

    text: str
    start: int = _at()
    end: int = _at()


@dataclass(frozen=True, slots=True)
class Document:
    """All declarations of one file or spec, in order; `comments`: those inside declarations, in order.

    `package`: THIS_PKG_NAME or the spec's package, "" when unknown. `external`: names of C++ functions that
    `:::EXTERNAL_SHAPEFN:::` comments annotate -> the annotation's text.
    """

    path: str
    front: Front
    package: str
    items: tuple[Item, ...]
    comments: tuple[Comment, ...] = field(default=(), compare=False)
    external: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(item for item in self.items if isinstance(item, Rule))

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        return tuple(item for item in self.items if isinstance(item, Declaration))
