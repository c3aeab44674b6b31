"""Short rows of floats, many at once: extremes (templates/qnn/hvx_fold_floats.h), sums and means (templates/qnn/folds_sums.h)."""

from __future__ import annotations

from opkg.kernels.sequence import Folds, Part
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.columns.floats import ELEMENTS, float_columns


def folds_of_floats(snippet: Snippet) -> Folds | None:
    """How rows are folded whose only result is an extreme, the sum or the mean of the only input's elements; None for others."""
    graph, inputs = snippet.graph, read_inputs(snippet)
    node = graph[graph.results[0].node]
    if len(graph.results) != 1 or len(inputs) != 1 or not node.args or graph[node.args[0]].op != "input":
        return None
    (operand,), (output,) = inputs, snippet.outputs
    if node.op in ("reduce_sum", "reduce_mean") and operand.storage in ELEMENTS and output.storage in ELEMENTS:
        columns = float_columns(snippet)
        return Folds((), (), "numbers", 0, floats=columns, headers=("opkg/folds_sums.h",))
    if node.op not in ("reduce_max", "reduce_min") or not operand.is_float or output.storage is not operand.storage:
        return None
    largest = str(node.op == "reduce_max").lower()
    part = Part(f"opkg::hvx::ExtremeOfFloats<{operand.storage.bytes}, {largest}>", "extreme", False, 0, 0)
    return Folds((part,), (), "floats", 0, headers=("opkg/hvx_fold_floats.h",))
