"""What a call of an op can give: which optional inputs and params are there, and how many of a variadic tensor."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from opkg.spec.model import ParamSpec, TensorSpec

MOST_PARAM_SETS = 24  # sets of params tried
MOST_NULLS = 3  # optional inputs that may be null in the middle

Counts = tuple[tuple[str, int], ...]  # (tensor, how many) of those given, in the order of the spec


def presences(tensors: tuple[TensorSpec, ...]) -> Iterator[Counts]:
    """Which tensors are given and how many of a variadic one: all first, then optional ones leave from the end."""
    optional = [t.name for t in tensors if t.optional]
    for absent in range(len(optional) + 1):
        present = [t for t in tensors if t.name not in optional[len(optional) - absent :]]
        counts = [range(t.variadic[0], t.variadic[1] + 1) if t.variadic else (1,) for t in present]
        for chosen in product(*counts):
            yield tuple((t.name, n) for t, n in zip(present, chosen, strict=True))


def nulls(tensors: tuple[TensorSpec, ...], given: Counts) -> list[tuple[str, ...]]:
    """Which of the optional inputs given can be null tensors: none, or some before the last one."""
    names = [name for name, _ in given]
    middle = [t.name for t in tensors if t.optional and t.name in names[:-1]]
    if len(middle) > MOST_NULLS or not any(t.optional and t.name in names[-1:] for t in tensors):
        return [()]
    return [found for count in range(len(middle) + 1) for found in combinations(middle, count)]


def param_sets(params: tuple[ParamSpec, ...]) -> list[tuple[str, ...]]:
    """Sets of params given, in the order of the spec: all of them first, then with fewer of those that have a default."""
    found: list[tuple[str, ...]] = []
    optional = [p.name for p in params if p.optional]
    for left_out in range(len(optional) + 1):
        for missing in reversed(list(combinations(optional, left_out))):
            found.append(tuple(p.name for p in params if p.name not in missing))
            if len(found) >= MOST_PARAM_SETS:
                return found
    return found
