"""Stand-ins for modules that the wheel's tests import at their top and its operator tests do not use."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# What is missing here is replaced; what is installed is used.
NAMES = (
    "PIL",
    "datasets",
    "executorch.examples",
    "expecttest",
    "graphviz",
    "hypothesis",
    "lm_eval",
    "pandas",
    "parameterized",
    "pydot",
    "requests",
    "scipy",
    "sklearn",
    "timm",
    "tokenizers",
    "torchaudio",
    "torchsr",
    "torchvision",
    "tqdm",
    "transformers",
)


class Stub(ModuleType):
    """A module whose every attribute is a class, made when it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Meta(name, (_Missing,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class _Meta(type):
    """What stands for a class may be a module in truth: it has attributes, too."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Meta(name, (_Missing,), {"__module__": f"{cls.__module__}.{cls.__name__}"})


class _Missing(metaclass=_Meta):
    """A class of a module that is not installed: may be named and inherited from, not made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise ImportError(f"{type(self).__module__}.{type(self).__name__} is not installed")


class Finder(MetaPathFinder, Loader):
    """Comes last: answers for what nobody else has found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        known = any(fullname == name or fullname.startswith(f"{name}.") for name in NAMES)
        return ModuleSpec(fullname, self, is_package=True) if known else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Stub(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def install() -> None:
    """Put the finder behind all others; more often than once does no harm."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.append(Finder())
