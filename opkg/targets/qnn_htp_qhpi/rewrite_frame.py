"""A rule's C++ function under construction: its lines and its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from opkg.rules import core
from opkg.rules.walk import below
from opkg.targets.qnn_common.names import snake

_CPP = (
    "alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const constexpr continue ",
    "decltype default delete do double else enum explicit export extern false float for friend goto if inline int long ",
    "mutable namespace new noexcept not nullptr operator or private protected public register requires return short ",
    "signed sizeof static struct switch template this throw true try typedef typeid typename union unsigned using ",
    "virtual void volatile while xor",
)
_OURS = (
    *("opkg", "std", "op", "root", "rewrite", "output", "size_t"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
)
_KEYWORDS = frozenset([*"".join(_CPP).split(), *_OURS])


def identifier(text: str) -> str:
    """A C++ name like the text: `Slice.0` becomes `slice_0`."""
    name = re.sub(r"\W+", "_", snake(re.sub(r"\W+", "_", text, flags=re.ASCII)), flags=re.ASCII).strip("_")
    name = re.sub(r"__+", "_", name) or "x"
    if name[0].isdigit():
        name = f"x{name}"
    return f"{name}_of_rule" if name in _KEYWORDS else name


@dataclass(frozen=True, slots=True)
class SplitName:
    """The variable of an AUTOSPLIT (an `opkg::Split`) or, `counts`, of an OP_ITER (an int)."""

    name: str
    counts: bool = False


@dataclass(slots=True)
class Frame:
    """The function so far. `tags`: what the rule's tags are called in C++."""

    early: bool
    tags: dict[str, str] = field(default_factory=dict)
    splits: dict[str, SplitName] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    _taken: set[str] = field(default_factory=lambda: {"op", "root", "rewrite"})

    def line(self, text: str) -> None:
        self.lines.append(f"{'  ' * self.depth}{text}")

    def fresh(self, text: str) -> str:
        """A name that no other variable of the function has."""
        name = identifier(text)
        number, candidate = 2, name
        while candidate in self._taken:
            number, candidate = number + 1, f"{name}_{number}"
        self._taken.add(candidate)
        return candidate

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")


# Definitions that may go when nothing uses them: tags of terms that C++ does not need, or of modifiers that QHPI has not.
UNUSED_TAGS = re.compile(
    r"\s*const QHPI_\w+ (?P<name>\w+) = (opkg::input\(|opkg::output_of\(|rewrite\.output\(\)|\{op, 0\})"
)


def used_tags(*trees: core.Expr | core.Repl) -> set[str]:
    """The tags that constraint and replacement name."""
    return {node.name for tree in trees for node in below(tree) if isinstance(node, core.Tag)}
