"""The walk over typed trees (`opkg.rules.core`): a node and all below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

_PARTS: dict[Any, tuple[str, ...]] = {}


def child_fields(node: Any) -> tuple[str, ...]:
    """Names of the fields of a node that can hold nodes."""
    kind = type(node)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(field.name for field in fields(kind) if field.name not in ("at", "type", "syntax"))
    return _PARTS[kind]


def below(node: Any) -> Iterator[Any]:
    """A node and all nodes below it, from the top."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        children: list[Any] = []
        for name in child_fields(node):
            value = getattr(node, name)
            if type(value) is tuple:
                children.extend(child for child in value if is_dataclass(child))
            elif is_dataclass(value):
                children.append(value)
        pending.extend(reversed(children))
