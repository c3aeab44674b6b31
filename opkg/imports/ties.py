"""Which tensors of an op share a type variable, where the source only lists types for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from opkg.spec.dtypes import DTYPES

Types = tuple[str, ...]
MOST_COMBINATIONS = 32  # each is a kernel, for every set of optional inputs and params


@dataclass(frozen=True, slots=True)
class Tied:
    """`dtypes`: what each tensor's `dtype:` says, in order; `types`, `combinations`: those keys. `shared`: variables that several
    tensors have; `cut`: there are more combinations than are good."""

    dtypes: tuple[str, ...]
    types: tuple[tuple[str, Types], ...]
    combinations: tuple[tuple[tuple[str, str], ...], ...]
    shared: tuple[str, ...]
    cut: bool


def tie(lists: Sequence[Types]) -> Tied:
    """Variables for lists of types: equal lists share one; a list of one type is that type."""
    ordered = [tuple(sorted(set(each), key=each.index)) for each in lists]
    keys = [frozenset(each) for each in ordered]
    counts = Counter(keys)
    names: dict[frozenset[str], str] = {}
    first: dict[frozenset[str], Types] = {}
    for key, each in zip(keys, ordered, strict=True):
        if len(key) > 1 and key not in names:
            names[key] = "T" if not names else f"T{len(names) + 1}"
            first[key] = each
    dtypes = tuple(names.get(key, each[0]) for key, each in zip(keys, ordered, strict=True))
    types = tuple((name, first[key]) for key, name in names.items())
    cut = prod(len(each) for _, each in types) > MOST_COMBINATIONS
    shared = tuple(name for key, name in names.items() if counts[key] > 1)
    return Tied(dtypes, types, rows(types) if cut else (), shared, cut)


def rows(types: Sequence[tuple[str, Types]]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """One row for each type of each variable, with the others as near to it as they have one."""
    rows = [
        tuple((other, _nearest(dtype, has)) for other, has in types) for name, each in types for dtype in each if name
    ]
    return tuple(dict.fromkeys(rows))


def _nearest(wanted: str, among: Types) -> str:
    """The type itself, else one of its kind and width, of its kind, of its width."""
    want = DTYPES[wanted]

    def rank(name: str) -> tuple[bool, bool, bool, int]:
        row = DTYPES[name]
        return name != wanted, row.quantized != want.quantized, row.kind is not want.kind, abs(row.bits - want.bits)

    return min(among, key=rank)
