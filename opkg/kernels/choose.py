"""Which strategy makes a kernel's vector code: all are asked, the cheapest is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec

from opkg.kernels.cost import cycles_per_element
from opkg.kernels.graphs.graph import MOVES
from opkg.kernels.in_single import decides_in_single
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Columns, Places, Scans, Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies import GROUP, STRATEGIES

WITH = {"scan_sum": "scans", "reduce_argmax": "places", "reduce_argmin": "places"}  # what one strategy alone knows
_IN_PANELS = "rows"  # the strategy of rows that may be brought into panels
Lower = Callable[[Snippet], "Lowered | Sequence | str"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one strategy made of a snippet. `lowered` None: `why` it cannot. `estimate`: packets per 128 output bytes."""

    strategy: str
    lowered: Lowered | Sequence | None
    why: str
    estimate: float | None


def candidates(snippet: Snippet) -> tuple[Candidate, ...]:
    """One candidate per strategy, in order of the table; of what one strategy alone knows, that one."""
    return _candidates(snippet, tuple(table().items()))


@lru_cache(maxsize=64)
def _candidates(snippet: Snippet, places: tuple[tuple[str, str], ...]) -> tuple[Candidate, ...]:
    own = next((WITH[node.op] for node in snippet.graph.nodes if node.op in WITH), "")
    wanted = [each for each in places if (each[0] == own if own else each[0] not in WITH.values())]
    return tuple(_candidate(name, _load(place), snippet) for name, place in wanted)


def choose(snippet: Snippet) -> Candidate | None:
    """The cheapest candidate, the first one of equals; None when only portable code can do it.

    HVX has floating point from v68 on: integer instructions come first where both can do it. Columns come before rows whose
    elements are brought together.
    """
    return best(candidates(snippet))


def best(found: Iterable[Candidate]) -> Candidate | None:
    """The one of some candidates that is kept."""
    return min((candidate for candidate in found if candidate.lowered is not None), key=_rank, default=None)


def _rank(candidate: Candidate) -> tuple[bool, bool, float]:
    made = candidate.lowered
    in_panels = isinstance(made, Sequence) and made.panels
    return in_panels, made is not None and made.float_unit, candidate.estimate or 0.0


def estimate(snippet: Snippet, lowered: Lowered | Sequence) -> float:
    """Packets per 128 bytes of all outputs, by the resources that the instructions take."""
    return cycles_per_element(lowered, "v66") * 128 / sum(o.storage.bytes for o in snippet.outputs)


def table() -> dict[str, str]:
    """Our strategies, then those of others (entry point group `opkg.strategies`): name -> "module:function"."""
    found = {**_others(tuple(sys.path)), **STRATEGIES}
    return {name: place for name, place in found.items() if find_spec(place.partition(":")[0]) is not None}


@cache
def _others(_: tuple[str, ...]) -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))}


def _candidate(name: str, lower: Lower, snippet: Snippet) -> Candidate:
    moved = next((node.op for node in snippet.graph.nodes if node.op in MOVES), "")
    if moved:
        return Candidate(name, None, f"'{moved.removeprefix('move_')}' copies vectors without a strategy", None)
    in_panels = bool(snippet.scattered) and name == _IN_PANELS
    made = lower(replace(snippet, scattered="", brought=True) if in_panels else snippet)
    if isinstance(made, str):
        return Candidate(name, None, made, None)
    if snippet.scattered and not isinstance(made, Columns | Places | Scans):
        if not in_panels or not isinstance(made, Sequence):
            return Candidate(name, None, snippet.scattered, None)
        for output in snippet.outputs:
            if (output.name in made.reduced) == (output.name in snippet.along):
                return Candidate(name, None, f"'{output.name}' is not known to have the elements of rows", None)
        made = replace(made, title=f"{made.title}, in panels of rows", panels=True)
    if made.float_unit and not made.settled and decides_in_single(snippet, isinstance(made, Lowered) and made.exactly):
        return Candidate(name, None, "it decides on values that single precision rounds", None)
    return Candidate(name, made, "", estimate(snippet, made))


@cache
def _load(place: str) -> Lower:
    module, _, attribute = place.partition(":")
    lower: Lower = getattr(import_module(module), attribute)
    return lower
