"""What torch says of an op of the package that is used before `register()`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def hint(namespace: str, names: Collection[str], package: str) -> None:
    """`torch.ops.<namespace>.<name>` says how it is defined, as long as it is not. Does nothing without torch."""
    try:
        import torch
        from torch._ops import _OpNamespace
    except (ImportError, OSError):
        return

    class Undefined(_OpNamespace):  # type: ignore[misc]
        __module__ = _OpNamespace.__module__  # torch makes names of ops of it

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name not in names:
                    raise
            here = f"torch.ops.{namespace}.{name}"
            text = f"{here} is not defined yet: call {package}.register() first"
            alone = f"from {package} import ops; ops.define()"
            raise AttributeError(f"{text} (for the torch op alone: {alone})")

    space = getattr(torch.ops, namespace)
    if type(space) is _OpNamespace:
        space.__class__ = Undefined
