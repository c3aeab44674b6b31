"""The registry; register_node_visitor returns nothing, as in the wheel."""

from __future__ import annotations

from typing import Any

_node_visitor_dict: dict[str, Any] = {}


def register_node_visitor(visitor: Any) -> None:
    for target in visitor.target:
        _node_visitor_dict[target] = visitor
