"""Kernels of smooth functions of one half: the tables are found when they are generated, as they hang on no number of a call."""

from __future__ import annotations

import math
from functools import lru_cache

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet, Storage
from opkg.kernels.snippets import read_inputs

HEADER, PREFIX = "opkg/hvx_cubics.h", "opkg::hvx::cubics_hf"
_PARTS = ("value", "slope", "bend", "twist", "power")
_WIDTH = 112  # characters of a line of numbers
_SHIFTS, _UNITS = 15, (88, 80)  # of a step, without lookups; before v69, and from then on


def lower(snippet: Snippet) -> Lowered | str:
    """The kernel, or why there is none."""
    made = _made(snippet)
    if isinstance(made, str):
        return made
    pieces, constants, error = made
    body = Block()
    (source,), (output,) = read_inputs(snippet), snippet.outputs
    loaded = [body.load(source.name, part) for part in range(2)]
    found = body.call(f"{PREFIX}<kCubics, {pieces}>", loaded[1], loaded[0], kind="W", to=output.name)
    body.store(output.name, body.lo(found), 0)
    body.store(output.name, body.hi(found), 1)
    return Lowered(
        strategy="cubics",
        title="Cubics of equal pieces in whole numbers, 128 halves at a time",
        error=f"{math.ceil(error * 100) / 100:g} ulp of half precision, of all halves",
        step=128,
        members=(),
        prepare=(),
        setup=(),
        body=tuple(body.insts),
        headers=(HEADER,),
        constants=constants,
    )


def _made(snippet: Snippet) -> tuple[int, tuple[str, ...], float] | str:
    inputs = read_inputs(snippet)
    if len(inputs) != 1 or len(snippet.outputs) != 1:
        return "several inputs or outputs"
    if any(o.storage is not Storage.F16 for o in (*inputs, *snippet.outputs)) or inputs[0].is_param:
        return "not from halves to halves"
    return "a reduction" if snippet.graph.reductions else _constants(snippet.graph)


@lru_cache(maxsize=64)
def _constants(graph: Graph) -> tuple[int, tuple[str, ...], float] | str:
    """How many pieces there are, lines of the table, and the largest error."""
    from opkg.kernels.strategies.cubics.pieces import fitted  # numpy takes its time to be loaded

    found = fitted(graph)
    if isinstance(found, str):
        return found
    cubics, error = found
    numbers = [
        str(cubics.times).lower(), str(cubics.point), str(cubics.length), str(cubics.origin), f"{cubics.least:#06x}",
        f"{cubics.most:#06x}", str(cubics.overflows).lower(), str(cubics.undefined).lower(),
    ]  # fmt: skip
    lines = [f"{', '.join(numbers)},"]
    for part, name in enumerate(_PARTS):
        lines += [f"// {name}", *_numbers([int(n) for n in cubics.table[:, part]], "" if name == _PARTS[-1] else ",")]
    head = f"static constexpr opkg::hvx::Cubics<{cubics.pieces}> kCubics = {{"
    table = ("// clang-format off", head, *(f"  {line}" for line in lines), "};", "// clang-format on")
    return cubics.pieces, table, error


def _numbers(numbers: list[int], end: str) -> list[str]:
    """A list in braces as lines."""
    lines, line = [], "{"
    for number in numbers:
        if len(line) > _WIDTH - 8:
            lines.append(line.rstrip())
            line = " "
        line += f"{number}, "
    return [*lines, f"{line.removesuffix(', ')}}}{end}"]


def packets_of(function: str, newer: bool) -> float | None:
    """What a step takes at least, by its units (the shifts and lookups, or all together); None of another function. `newer`:
    products of 16 bits take one multiply unit, from v69 on."""
    if not function.startswith(f"{PREFIX}<"):
        return None
    pieces = int(function.rpartition(" ")[2].removesuffix(">"))
    halves, bytes_ = -(-pieces // 16), -(-pieces // 32)
    lookups = len(_PARTS[:-1]) * halves + bytes_ - 1
    return max(lookups + _SHIFTS, (2 * lookups + _UNITS[newer]) / 4)


def error_of(snippet: Snippet) -> float:
    """The largest error of a kernel in ulp of half precision; 0 where it is not made by this strategy."""
    made = _made(snippet)
    return 0.0 if isinstance(made, str) else made[2]
