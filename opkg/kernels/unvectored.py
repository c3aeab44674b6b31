"""Generated kernels that no strategy makes vector code for, said once per op (OPK602)."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.kernels.choose import candidates, choose
from opkg.kernels.emit.parts import Source
from opkg.kernels.emit.passes import kernel_parts
from opkg.kernels.emit.views import copied
from opkg.kernels.graphs.graph import PLACES, SCAN
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.diagnostics import Diagnostic, Severity
from opkg.spec.model import Op


def unvectored(op: Op, sources: Sequence[Source]) -> list[Diagnostic]:
    """One finding that names the element types without vector code, by reason; none where every kernel has it."""
    why: dict[str, list[str]] = {}
    for source in sources:
        for snippets in kernel_parts(op, source, True):
            for snippet in snippets:
                if choose(snippet) is None and not _copies(snippet):
                    types = str(source.kernel.combination) or "its types"
                    named = why.setdefault(_reason(snippet), [])
                    named += [types] if types not in named else []
    if not why:
        return []
    told = "; ".join(f"{', '.join(types)}: {reason}" for reason, types in why.items())
    message = f"kernels of {op.name} have no vector code ({told})"
    return [Diagnostic("OPK602", message, op.span, f"opkg kernel show {op.name}", Severity.INFO)]


def _copies(snippet: Snippet) -> bool:
    """Whether elements move, which has vectors of its own (hvx_move.h)."""
    copies = copied(snippet, read_inputs(snippet))
    return bool(snippet.graph.moves) or (copies is not None and copies.always)


def _reason(snippet: Snippet) -> str:
    """The reason of the strategy that came nearest: the one for rows where dimensions are reduced, that for integers where
    all inputs are, else the last of the table that is about more than element types."""
    found = {candidate.strategy: candidate.why for candidate in candidates(snippet)}
    if snippet.scattered:
        return f"{snippet.scattered}, and down columns: {found.get('columns', 'no strategy is installed')}"
    integers = all(operand.dtype.integral for operand in snippet.inputs)
    reduces = any(not snippet.graph[i].uniform for i in snippet.graph.reductions)
    if any(node.op in PLACES for node in snippet.graph.nodes):
        return found.get("places", "no strategy is installed")
    if any(node.op in SCAN for node in snippet.graph.nodes):
        return found.get("scans", "no strategy is installed")
    named = "rows" if reduces else "integer" if integers else "floating"
    return found.get(named) or next(iter(found.values()), "no strategy is installed")
