"""Which strategy makes a kernel's vector code: all are asked, the cheapest is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from struct import pack, unpack

from opkg.kernels.cost import cycles_per_element
from opkg.kernels.graphs.graph import MOVES, PLACES, SCAN, Node
from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.deciding import ROUNDINGS, decides
from opkg.kernels.sequence import Columns, Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies import GROUP, STRATEGIES
from opkg.spec.compute.types import Type

# Operations whose result single precision holds if it holds their real operands.
_KEEP = ROUNDINGS | {"neg", "abs", "min", "max", "select", "sign"}
NAMES = {"reduce_argmax": "argmax", "reduce_argmin": "argmin", "scan_sum": "cumsum"}
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
    return _candidates(snippet, tuple(table().items()))


@lru_cache(maxsize=64)
def _candidates(snippet: Snippet, places: tuple[tuple[str, str], ...]) -> tuple[Candidate, ...]:
    return tuple(_candidate(name, _load(place), snippet) for name, place in places)


def choose(snippet: Snippet) -> Candidate | None:
    """The cheapest candidate, the first one of equals; None when only portable code can do it.

    HVX has floating point from v68 on: integer instructions come first where both can do it.
    """
    return best(candidates(snippet))


def best(found: Iterable[Candidate]) -> Candidate | None:
    """The one of some candidates that is kept."""
    return min((candidate for candidate in found if candidate.lowered is not None), key=_rank, default=None)


def _rank(candidate: Candidate) -> tuple[bool, float]:
    return candidate.lowered is not None and candidate.lowered.float_unit, candidate.estimate or 0.0


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
    alone = next((node.op for node in snippet.graph.nodes if node.op in PLACES | SCAN | MOVES), "")
    if alone:
        called = f"'{NAMES.get(alone) or alone.removeprefix('move_')}'"
        why = "copies vectors without a strategy" if alone in MOVES else "is portable code"
        return Candidate(name, None, f"{called} {why}", None)
    made = lower(snippet)
    if isinstance(made, str):
        return Candidate(name, None, made, None)
    if snippet.scattered and not isinstance(made, Columns):
        return Candidate(name, None, snippet.scattered, None)
    if made.float_unit and decides_in_single(snippet):
        return Candidate(name, None, "it decides on values that single precision rounds", None)
    return Candidate(name, made, "", estimate(snippet, made))


def decides_in_single(snippet: Snippet) -> bool:
    """Whether anything hangs on a comparison, sign, rounding to a whole number or cast of real values that single
    precision rounds: which side they are on would be a matter of chance."""
    graph = snippet.graph
    exact: list[bool] = []
    for node in graph.nodes:
        reals = [arg for arg in node.args if graph[arg].type is Type.REAL]
        if decides(graph, node):
            signs = node.op == "sign" or any(graph[arg].op == "const" and graph[arg].value == 0 for arg in node.args)
            if not all(exact[arg] or (signs and graph[arg].op == "input") for arg in reals):
                return True
        leaf = node.op in ("input", "param", "const")
        exact.append(_exact(snippet, node) if leaf else node.op in _KEEP and all(exact[arg] for arg in reals))
    return False


def _exact(snippet: Snippet, node: Node) -> bool:
    """Whether a leaf is a number of float32."""
    value = node.value
    if node.op == "const":
        if not isinstance(value, int | float):
            return True
        return abs(value) < 1e38 and value == unpack("f", pack("f", value))[0]
    return node.op == "param" or (node.op == "input" and snippet.operand(node.name).is_float)


@cache
def _load(place: str) -> Lower:
    module, _, attribute = place.partition(":")
    lower: Lower = getattr(import_module(module), attribute)
    return lower
