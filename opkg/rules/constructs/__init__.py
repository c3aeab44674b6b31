"""The table of constructs: a row for each name of the rule language and context, read by checker, reference and tests."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from opkg.rules.constructs import building, constants, macros, matches, operators, properties, splitting
from opkg.rules.constructs.model import Construct as Construct
from opkg.rules.constructs.model import ContextKind as ContextKind
from opkg.rules.constructs.model import Kind as Kind
from opkg.rules.constructs.model import Param as Param

_ROOMS = (matches, constants, operators, properties, macros, building, splitting)


def _gather() -> dict[str, tuple[Construct, ...]]:
    found: dict[str, tuple[Construct, ...]] = {}
    for room in _ROOMS:
        for row in room.ROWS:
            found[row.name] = (*found.get(row.name, ()), row)
    return found


CONSTRUCTS: dict[str, tuple[Construct, ...]] = _gather()
FAMILIES: tuple[Construct, ...] = splitting.FAMILIES


def rows_of(name: str) -> tuple[Construct, ...]:
    """All rows of a name, `oExp::` before it or not; also a member of a family (`SHAPE_FROM_...`). Empty when unknown."""
    name = name.removeprefix("oExp::")
    if name in CONSTRUCTS:
        return CONSTRUCTS[name]
    return tuple(replace(row, name=name) for row in FAMILIES if name.startswith(row.name) and name != row.name)


def row_of(name: str, context: ContextKind) -> Construct | None:
    """The row of a name in a context."""
    return next((row for row in rows_of(name) if row.context is context), None)


@cache
def names(context: ContextKind, *, bare: bool | None = None) -> tuple[str, ...]:
    """Names that can stand in a context, with (`bare` False) or without (True) brackets, in order of the table."""
    return tuple(
        row.name for rows in CONSTRUCTS.values() for row in rows if row.context is context and bare in (None, row.bare)
    )
