"""The members of a rows struct whose results are made of elements and of what is found of their columns (opkg/columns_norm.h)."""

from __future__ import annotations

import re

from opkg.kernels.emit.rows import LANES
from opkg.kernels.sequence import Norm
from opkg.kernels.snippet import Snippet


def element_lines(norm: Norm) -> list[str]:
    """`element`: of 32 elements and what their columns have."""
    return [
        "",
        f"static constexpr size_t kMostCount = {norm.most};  // elements of a column",
        f"static constexpr uint32_t kNumbers = {norm.numbers};  // of a column",
        f"using Each = opkg::hvx::Types<{', '.join(norm.each)}>;  // inputs with a number for each column",
        "",
        "/// Results of 32 elements: of these, numbers of their columns, numbers of the other inputs.",
        "OPKG_INLINE HVX_Vector element(const HVX_Vector* in) const {",
        *(f"  {line}" for line in norm.lines),
        "}",
    ]


def norm_lines(snippet: Snippet, norm: Norm, found: str) -> list[str]:
    """`lines`: of 32 columns, from words of what was found of them and of the other inputs. `found`: the line that says what."""
    each = " each" if any("each[" in line for line in norm.lines) else ""
    count = " n" if any(re.search(r"\bn\b", line) for line in norm.lines) else ""
    limits = []
    if norm.limits:
        limits = [
            "/// What results are clamped with.",
            f"OPKG_INLINE opkg::hvx::Limits<Result> limits() const {{ return {{{', '.join(norm.limits)}}}; }}",
        ]
    return [
        f"using Element = {LANES[snippet.inputs[0].storage]};",
        found,
        f"using Result = {LANES[snippet.outputs[0].storage]};",
        *limits,
        *_distance_lines(norm),
        f"static constexpr size_t kMostCount = {norm.most};  // elements of a column",
        f"using Each = opkg::hvx::Types<{', '.join(norm.each)}>;  // inputs with a number for each column",
        "",
        "/// Lines of 32 columns of n elements. False: some of the `live` first are too steep, or not exact enough.",
        "OPKG_APART bool lines(const HVX_Vector* found, "
        f"size_t{count}, size_t live, "
        f"const HVX_Vector*{each}, opkg::hvx::LineWords& to) const {{",
        *(f"  {line}" for line in norm.lines),
        "}",
    ]


def _distance_lines(norm: Norm) -> list[str]:
    """What a function of distances has, where there is one."""
    if not norm.table and not norm.exponential:
        return []
    values = [f"const opkg::hvx::Exponential& values() const {{ return {norm.exponential}; }}"]
    if norm.table:
        fraction = f"{norm.table.removesuffix('_table')}_fraction_table"
        values = [
            f"const uint16_t* values() const {{ return {norm.table}; }}",
            f"const uint16_t* fractions() const {{ return {fraction}; }}",
            f"bool always_fractions() const {{ return {norm.fine}; }}",
        ]
    return [
        f"static constexpr bool kLargest = {str(norm.largest).lower()};  // what distances are from",
        f"static constexpr bool kOfElements = {str(norm.of_elements).lower()};  // what results are lines of",
        *values,
    ]
