"""Blocks of `loops` whose values have names of their own stand without braces; what several of them declare alike, once.
In `several`, whose blocks have much on the stack, the last block alone does so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from opkg.kernels.emit.blocks import Statement, indented, statements, text_of

_LOOPS, _SEVERAL = (
    re.compile(rf"(?:__attribute__\(\(noinline\)\) )?bool {name}\(.*\{{$") for name in ("loops", "several")
)
_CONSTANT = re.compile(r"const .* (\w+)(?: = |\().*;(?:  //.*)?$")


def flat(lines: Iterable[str]) -> list[str]:
    """The members of a struct, with `loops` so."""
    found: list[str] = []
    for part in statements(lines):
        if any(form.fullmatch(part.head) for form in (_LOOPS, _SEVERAL)):
            last = _SEVERAL.fullmatch(part.head) is not None
            found += [part.head, *indented(_body(statements(part.inner), [], last)), part.lines[-1]]
        else:
            found += part.lines
    return found


def _body(parts: Sequence[Statement], above: Sequence[Statement], last: bool) -> list[str]:
    """The statements of one scope. `above`: those in front of it in the scopes around it. `last`: blocks that further ones
    follow are left as they are."""
    found: list[Statement] = []
    for at, part in enumerate(parts):
        if not part.is_block or part.chained:
            found += _branches(part, [*above, *found], last) if part.is_block else [part]
            continue
        inner = statements(part.inner)
        rest = [*parts[:at], *parts[at + 1 :]]
        ends = not last or not any(other.is_block for other in parts[at + 1 :])
        front = [*above, *found]
        if ends and part.head == "{" and all(_moves(s, [*above, *rest], front) for s in inner if not s.is_block):
            found += [s for s in inner if s.is_block or not _known(s, front)]
        elif part.head.startswith("if constexpr"):
            found.append(Statement((part.head, *indented(_body(inner, front, last)), part.lines[-1])))
        else:
            found.append(part)
    return text_of(found)


def _branches(part: Statement, above: Sequence[Statement], last: bool) -> list[Statement]:
    """`if constexpr` with `else`: each branch is a scope."""
    middle = [at for at, line in enumerate(part.lines) if line == "} else {"]
    if not part.head.startswith("if constexpr") or len(middle) != 1:
        return [part]
    lines = [part.head]
    for start, end in ((1, middle[0]), (middle[0] + 1, len(part.lines) - 1)):
        inner = statements([line[2:] for line in part.lines[start:end]])
        lines += [*indented(_body(inner, above, last)), part.lines[end]]
    return [Statement(tuple(lines))]


def _moves(one: Statement, others: Sequence[Statement], front: Sequence[Statement]) -> bool:
    """Whether a statement of a block may stand in the scope around it: a constant that nothing else there has the name of,
    unless it is the same one, or no declaration at all."""
    if not one.declares:
        return True
    if not _CONSTANT.fullmatch(one.head) or any(_clash(one, other) for other in others):
        return False
    return _known(one, front) or not any(part.lines == one.lines for part in front)


def _clash(one: Statement, other: Statement) -> bool:
    if not other.is_block:
        return other.declares == one.declares and other.lines != one.lines
    if other.head == "{":
        return any(_clash(one, inner) for inner in statements(other.inner))
    return False


def _known(one: Statement, above: Sequence[Statement]) -> bool:
    """Whether a constant is there, and nothing has changed since of which it is made."""
    if not one.declares:
        return False
    places = [at for at, part in enumerate(above) if part.lines == one.lines]
    return bool(places) and not any(part.writes & one.words - {one.declares} for part in above[places[-1] :])
