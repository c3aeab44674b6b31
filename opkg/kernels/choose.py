"""Which strategy makes a kernel's vector code: all are asked, the cheapest is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies import GROUP, STRATEGIES

Lower = Callable[[Snippet], "Lowered | Sequence | str"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one strategy made of a snippet. `lowered` None: `why` it cannot. `estimate`: packets per 128 output bytes."""

    strategy: str
    lowered: Lowered | Sequence | None
    why: str
    estimate: float | None


def candidates(snippet: Snippet) -> tuple[Candidate, ...]:
    """One candidate per strategy, in order of the table."""
    return tuple(_candidate(name, _load(place), snippet) for name, place in table().items())


def choose(snippet: Snippet) -> Candidate | None:
    """The cheapest candidate, the first one of equals; None when only portable code can do it."""
    able = [candidate for candidate in candidates(snippet) if candidate.lowered is not None]
    return min(able, key=lambda candidate: candidate.estimate or 0.0) if able else None


def estimate(snippet: Snippet, lowered: Lowered | Sequence) -> float:
    """Packets per 128 bytes of all outputs, by the resources that the instructions take."""
    bodies = [lowered.body] if isinstance(lowered, Lowered) else [loop.body for loop in lowered.loops]
    return sum(map(len, bodies)) / 4 * 128 / (lowered.step * sum(o.storage.bytes for o in snippet.outputs))


def table() -> dict[str, str]:
    """Our strategies, then those of others (entry point group `opkg.strategies`): name -> "module:function"."""
    found = {**_others(tuple(sys.path)), **STRATEGIES}
    return {name: place for name, place in found.items() if find_spec(place.partition(":")[0]) is not None}


@cache
def _others(_: tuple[str, ...]) -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))}


def _candidate(name: str, lower: Lower, snippet: Snippet) -> Candidate:
    made = lower(snippet)
    if isinstance(made, str):
        return Candidate(name, None, made, None)
    return Candidate(name, made, "", estimate(snippet, made))


@cache
def _load(place: str) -> Lower:
    module, _, attribute = place.partition(":")
    lower: Lower = getattr(import_module(module), attribute)
    return lower
