"""What `opkg kernel show` says of operands that are parts of tensors: where they are, and what is copied."""

from __future__ import annotations

from opkg.kernels.choose import Candidate
from opkg.kernels.cost import FLOAT_UNIT, architecture
from opkg.kernels.emit.rows import runs
from opkg.kernels.emit.views import copied
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs


def parts_of(snippet: Snippet) -> list[tuple[str, str]]:
    """Operands that are parts of tensors, as C++ has them, and how they are read."""
    if not snippet.views:
        return []
    rows = [(name, view) for name, _, view in snippet.views]
    copies = copied(snippet, read_inputs(snippet))
    buffers = (
        "elements that do not lie side by side, and short rows, are copied to buffers or from there (opkg/rows_seen.h)"
    )
    as_stored = "elements are copied as they are stored, by vectors (opkg/hvx_move.h)"
    hows = [buffers] if copies is None or not copies.always else [as_stored]
    if copies is not None and not copies.always:
        hows.append(f"where scales and zero points are alike, {as_stored}")
    heads = [("parts" if how is hows[0] else "", how) for how in hows]
    return [*heads, *((f"  {name}", view) for name, view in rows)]


def runs_of(snippet: Snippet, chosen: Candidate, arch: str) -> list[tuple[str, str]]:
    """Whether short parts are left where they are, in place of copies (opkg/seen_run.h)."""
    if not snippet.views or not isinstance(chosen.lowered, Lowered):
        return []
    condition = runs(snippet, chosen.lowered)
    if condition == "false" or (condition and architecture(arch) < FLOAT_UNIT):
        return []
    return [("runs", "short parts that lie alike in all tensors are left there, and computed with what lies between")]
