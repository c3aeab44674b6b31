"""Parameters of the fake program: names in `edge_program`."""

from __future__ import annotations

from typing import Any


def is_parameter(node: Any, edge_program: Any) -> bool:
    return node.name in edge_program


def get_parameter(node: Any, edge_program: Any) -> Any:
    return edge_program[node.name]
