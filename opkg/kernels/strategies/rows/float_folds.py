"""Short rows of floats: extremes of elements are folded, many rows at a time (templates/qnn/hvx_fold_floats.h)."""

from __future__ import annotations

from opkg.kernels.sequence import Folds, Part
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs


def folds_of_floats(snippet: Snippet) -> Folds | None:
    """How rows are folded whose only result is an extreme of the elements of the only input; None for others."""
    graph, inputs = snippet.graph, read_inputs(snippet)
    node = graph[graph.results[0].node]
    if len(graph.results) != 1 or len(inputs) != 1 or node.op not in ("reduce_max", "reduce_min"):
        return None
    (operand,), (output,) = inputs, snippet.outputs
    if graph[node.args[0]].op != "input" or not operand.is_float or output.storage is not operand.storage:
        return None
    largest = str(node.op == "reduce_max").lower()
    part = Part(f"opkg::hvx::ExtremeOfFloats<{operand.storage.bytes}, {largest}>", "extreme", False, 0, 0)
    return Folds((part,), (), "floats", 0, headers=("opkg/hvx_fold_floats.h",))
