"""Reductions over dimensions that are not the last ones: lanes are results, rows are added or compared as vectors.

What is found of a column are the sums and extremes of its stored numbers, exactly. A single 8-bit or 16-bit result that is
a line of one of them is made in fixed point, a vector at a time; other results of up to 16 bits of mantissas and exponents
of 32 columns; everything else column by column, in double.
"""

from __future__ import annotations

from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Columns, Numbers
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.columns.float_norms import float_norm_columns
from opkg.kernels.strategies.columns.floats import by_columns, float_columns
from opkg.kernels.strategies.columns.found import (
    ROWS,
    Number,
    all_parts,
    in_halves,
    joined,
    moments_of,
    number_name,
    turn,
)
from opkg.kernels.strategies.columns.lines import is_line, whole
from opkg.kernels.strategies.columns.norms import goes_along, norm_columns
from opkg.kernels.strategies.columns.softmax import distance_columns
from opkg.kernels.strategies.columns.spreads import HEADERS as SPREAD_HEADERS
from opkg.kernels.strategies.columns.spreads import spread_of
from opkg.kernels.strategies.columns.tables import table_columns
from opkg.kernels.strategies.columns.vectors import (
    HEADERS,
    MOMENTS_HEADERS,
    WIDE_HEADERS,
    per_step,
    vector_lines,
)
from opkg.kernels.strategies.rows.analysis import plan
from opkg.kernels.strategies.rows.corners import HEADERS as CORNER_HEADERS
from opkg.kernels.strategies.rows.corners import corners
from opkg.kernels.strategies.rows.exponentials import exponential_of
from opkg.kernels.strategies.rows.numbers import number_lines, value_lines
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Total
from opkg.kernels.strategies.rows.several import SUM_HEADERS
from opkg.kernels.strategies.rows.several_numbers import gate_headers
from opkg.kernels.strategies.rows.smooth import HEADERS as SMOOTH_HEADERS
from opkg.kernels.strategies.rows.smooth import smooth_of
from opkg.kernels.strategies.rows.strategy import Reduced, prepared, used_extremes


def lower(snippet: Snippet) -> Columns | str:
    """The columns of a snippet whose rows are scattered; a text says why it has none."""
    if not snippet.scattered:
        return "its rows are in one piece" if snippet.graph.reductions else "it reduces nothing"
    try:
        if any(operand.is_float for operand in read_inputs(snippet)):
            full = any(not by_columns(snippet.graph, result.node) for result in snippet.graph.results)
            return float_norm_columns(snippet) if full else float_columns(snippet)
        found = plan(snippet)
        if found.guarded:
            raise Cannot("sums of products of 16-bit elements and of something else, down columns")
        away = bool(found.tables) or exponential_of(found) is not None
        if away and not _all_reduced(found) and len(read_inputs(snippet)) == 1:
            return distance_columns(found)
        if len(read_inputs(snippet)) == 1 and _all_reduced(found):
            return _columns(found)
        return _norm(snippet, found)
    except Cannot as reason:
        return str(reason)


def _norm(snippet: Snippet, found: Plan) -> Columns:
    """Lines of the first input; where they are none as they stand, with what other inputs have for each column as numbers of
    the column, which functions may take: gates (`x * sigmoid(mean(x) * w)`). Raises Cannot."""
    try:
        return norm_columns(found)
    except Cannot as reason:
        _, *each = read_inputs(snippet)
        if not each or goes_along(snippet, each):
            raise
        try:
            return norm_columns(plan(snippet, given=[other.name for other in each]))
        except Cannot:
            raise reason from None


def has_single_numbers(snippet: Snippet) -> bool:
    """Whether what elements of a column share is made in single precision."""
    found = lower(snippet) if any(operand.is_float for operand in read_inputs(snippet)) else ""
    return isinstance(found, Columns) and found.floats is not None and found.floats.made is not None


def _all_reduced(found: Plan) -> bool:
    return all(found.rank[result.node] != "element" for result in found.graph.results)


def _columns(found: Plan) -> Columns:
    inputs = read_inputs(found.snippet)
    if len(inputs) != 1:
        raise Cannot("columns of more than one tensor")
    (operand,) = inputs
    if found.tables:
        return table_columns(found, operand, _reduced(found))
    reduced = _reduced(found)
    lines = number_lines(found, [], reduced)
    numbers: list[Number] = [
        *used_extremes(found, [], lines),
        *found.totals.values(),
        *dict.fromkeys(found.products.values()),
    ]
    if not numbers:
        raise Cannot("no result depends on the elements")
    parts = [part for each in all_parts(operand, numbers) for part in each]
    moments = moments_of(operand, numbers)
    single = len(numbers) == 1 and len(reduced) == 1
    line = single and is_line(found, *reduced[0])
    smooth = smooth_of(found)
    if smooth and not line:
        raise Cannot("results of a function's sum that are no lines of it, down columns")
    asks_wide = smooth is not None or max(operand.storage.bits, reduced[0][0].storage.bits) == 32
    wide = number_name(numbers[0]) if line and asks_wide else ""
    results = "wide" if wide else "line" if line else whole(found, *reduced[0]) if single else "single"
    lines = [*joined(numbers, operand, lines), *lines]
    members, prepare = prepared(found, [], reduced, [])
    spread = spread_of(found, operand, numbers, *reduced[0]) if len(reduced) == 1 and results == "single" else None
    results = "spread" if spread else results
    vectors = _in_vectors(found, operand, numbers, reduced) if results == "single" else []
    if vectors:
        results = "numbers"
        steps = [(per_step(output), found.shared.steps[output.name]) for output, _ in reduced if output.quantized]
        members += [Member("double", name) for name, _ in steps]
        prepare += [f"{name} = 1.0 / {step}.scale;" for name, step in steps]
    squares = [n for n in numbers if isinstance(n, Total) and len(n.atoms) == 2]
    headers = (
        *(("opkg/hvx_columns_product.h",) if found.products else ()),
        *((*HEADERS, *gate_headers(vectors)) if vectors else ()),
        *(SPREAD_HEADERS if spread else ()),
        *(MOMENTS_HEADERS if moments else ()),
        *(CORNER_HEADERS if corners(found) else ()),
        *(SMOOTH_HEADERS if smooth else ()),
        *(SUM_HEADERS if any("whole_sum_of(" in line for line in vectors) else ()),
        *(WIDE_HEADERS if any(in_halves(operand, n) for n in squares) else ()),
    )
    return Columns(
        strategy="columns",
        title=f"1 pass down the columns{', then one after another in double' if results == 'single' else ''}",
        error="within 1 step of the correctly rounded result" if line or vectors or spread else "correctly rounded",
        step=(4 if moments else ROWS) * 1024 // operand.storage.bits,
        members=tuple(members),
        prepare=tuple(prepare),
        stages=(turn(operand, numbers), *(() if results != "single" else (Numbers(tuple(lines)),))),
        reduced=frozenset([output.name for output, _ in reduced]),
        headers=headers,
        arch=65,
        parts=tuple(parts),
        found=moments,
        column=tuple(lines),
        line=tuple(value_lines(found, reduced[0][1])) if line else (),
        wide=wide,
        vectors=tuple(vectors),
        spread=spread,
        results=results,
        bias=0 if operand.quantized else operand.bias,
    )


def _in_vectors(found: Plan, operand: Operand, numbers: list[Number], reduced: list[Reduced]) -> list[str]:
    """C++ of all results of 32 columns at a time; empty where there is none."""
    try:
        return vector_lines(found, operand, numbers, reduced)
    except Cannot:
        return []


def _reduced(found: Plan) -> list[Reduced]:
    """The outputs, each with one element per column, and their nodes."""
    reduced = []
    for result in found.graph.results:
        if found.rank[result.node] != "row":
            raise Cannot(f"'{result.name}' is not reduced")
        reduced.append((found.snippet.operand(result.name), result.node))
    return reduced
