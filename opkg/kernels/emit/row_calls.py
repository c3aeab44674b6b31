"""How the vector code of reductions takes rows, and what it asks for of their length before a call."""

from __future__ import annotations

from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.axes import Axes
from opkg.kernels.portable.reduce import axes_arguments
from opkg.kernels.sequence import Columns, Folds, Places, Scans
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.spans import COUNT


def lanes_of(lowered: Lowered | Loops) -> Columns | Folds | None:
    """The part of vector code whose lanes are results."""
    if isinstance(lowered, Columns):
        return lowered
    return lowered.folds if isinstance(lowered, Loops) else None


def way_of(lowered: Lowered | Loops | None) -> str:
    """What opkg::By and opkg::reduce_ are followed by: Columns, Folds, Slots, Places, Scans or nothing."""
    if isinstance(lowered, Places):
        return "Places"
    if isinstance(lowered, Scans):
        return "Scans"
    if isinstance(lowered, Loops) and lowered.slots is not None:
        return "Slots"
    lanes = lanes_of(lowered) if lowered is not None else None
    return type(lanes).__name__ if lanes is not None else ""


def in_panels(lowered: Lowered | Loops | None) -> bool:
    """Whether rows are brought into panels."""
    return isinstance(lowered, Loops) and lowered.panels


def reduced_lines(snippet: Snippet, lowered: Loops) -> list[str]:
    """What panels, and several rows at a time, must know of outputs."""
    several = lowered.slots is not None and lowered.reduced
    if not lowered.panels and not several:
        return []
    bits = sum(1 << place for place, output in enumerate(snippet.outputs) if output.name in lowered.reduced)
    unused = "[[maybe_unused]] " if lowered.slots is not None and lowered.slots.floats else ""  # without a float unit
    return [
        f"{unused}static constexpr uint32_t kReduced = {bits};  // bit i: output i has one element for each row",
        "",
    ]


def counted_prepare(snippet: Snippet, lowered: Loops, axes: Axes) -> list[str]:
    """Statements of `prepare` that know how many elements a row has."""
    if not any(COUNT in line for line in lowered.counted):
        return ["{", *(f"  {line}" for line in lowered.counted), "}"]
    inputs = ", ".join(f"opkg::operand(op.{o.name})" for o in read_inputs(snippet))
    lines = [f"const double {COUNT} = opkg::row_length({', '.join(axes_arguments(snippet, axes))}, {{{inputs}}});"]
    return ["{", *(f"  {line}" for line in (*lines, *lowered.counted)), "}"]
