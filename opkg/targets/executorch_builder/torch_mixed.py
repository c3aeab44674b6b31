"""Which steps of an op are float64 where all of them in float32 is not proved (docs/design/executorch.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.spec.compute.tree import REAL_FUNCTIONS, Call, Compute, children
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.torch_bounds import Bounds
from opkg.targets.executorch_builder.torch_inputs import are_exact
from opkg.targets.executorch_builder.torch_single import Wide, proved


@dataclass(frozen=True, slots=True)
class Mixed:
    """A computation of float32 and float64 steps, and what is proved of it by rows of element types."""

    wide: Wide
    rows: dict[int, dict[str, Bounds]]


def mixed(op: Op, combinations: Sequence[Combination]) -> Mixed | None:
    """Which steps are float64 where all in float32 is not proved, the same ones in as many rows as may be; None where no
    function would be float32 even so."""
    left = [at for at, row in enumerate(combinations) if proved(op, row) is None and are_exact(op, row)]
    together = [left] if len(left) > 1 else []
    tried = (_mixed(op, combinations, rows) for rows in (*together, *([at] for at in left)))
    return next((found for found in tried if found is not None), None)


def _mixed(op: Op, combinations: Sequence[Combination], rows: Sequence[int]) -> Mixed | None:
    wide, size = Wide(), -1
    found: dict[int, dict[str, Bounds]] = {}
    while size < wide.size:
        size = wide.size
        found = {at: bounds for at in rows if (bounds := proved(op, combinations[at], wide)) is not None}
    if op.compute is None or len(found) < len(rows) or not _has_function(op.compute, wide):
        return None
    return Mixed(wide, found)


def _has_function(compute: Compute, wide: Wide) -> bool:
    """Whether float32 steps are worth the conversions: one of them is a function."""
    stack = [each.expr for each in compute.statements if each.name not in wide.names]
    while stack:
        node = stack.pop()
        if id(node) not in wide.nodes:
            if isinstance(node, Call) and node.function in REAL_FUNCTIONS:
                return True
            stack += children(node)
    return False
