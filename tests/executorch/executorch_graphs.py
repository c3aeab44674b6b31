"""Fake tensors and graph nodes, as much of them as builders look at."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FakeTensor:
    shape: tuple[int, ...]
    dtype: str = "float32"

    def permute(self, order: list[int]) -> FakeTensor:
        return FakeTensor(tuple(self.shape[at] for at in order), self.dtype)


@dataclass
class FakeNode:
    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    target: str = "call"
    users: dict[Any, None] = field(default_factory=dict)


def tensor(name: str, *shape: int, dtype: str = "float32", quant: dict[str, Any] | None = None) -> FakeNode:
    """A node that yields one tensor."""
    meta: dict[str, Any] = {"val": FakeTensor(shape, dtype)}
    return FakeNode(name, meta=meta | ({"quant": quant} if quant else {}))


def call(*args: Any, out: Any, **kwargs: Any) -> FakeNode:
    """A node of the op; `out`: shape of its output, or a list of shapes."""
    value = [FakeTensor(shape) for shape in out] if isinstance(out, list) else FakeTensor(out)
    return FakeNode("op_1", args, kwargs, {"val": value})


def build(visitor: type[Any], node: FakeNode, program: dict[str, Any] | None = None) -> Any:
    """What define_node makes of a node."""
    return visitor({}, program or {}, False).define_node(node, defaultdict(dict))
