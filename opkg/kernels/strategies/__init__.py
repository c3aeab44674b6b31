"""The table of lowering strategies: how a snippet may become vector code.

A strategy is a function `lower(snippet) -> Lowered | Sequence | str`; a text says why it cannot. Packages of others add
rows through the entry point group `opkg.strategies`.
"""

from __future__ import annotations

# name -> module and function; the modules are loaded when a kernel is made.
STRATEGIES: dict[str, str] = {
    "table8": "opkg.kernels.strategies.table8:lower",
    "curves": "opkg.kernels.strategies.curves:lower",
    "cubics": "opkg.kernels.strategies.cubics.strategy:lower",
    "integer": "opkg.kernels.strategies.integer.strategy:lower",
    "fixed": "opkg.kernels.strategies.fixed.strategy:lower",
    "floating": "opkg.kernels.strategies.floating.strategy:lower",
    "rows": "opkg.kernels.strategies.rows.strategy:lower",
    "columns": "opkg.kernels.strategies.columns.strategy:lower",
    "places": "opkg.kernels.strategies.places:lower",
    "scans": "opkg.kernels.strategies.scans:lower",
}
GROUP = "opkg.strategies"
