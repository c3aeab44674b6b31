"""Short rows: whether many of them can be folded at a time, so that lanes are results (opkg/folds.h)."""

from __future__ import annotations

from opkg.kernels.sequence import Folds
from opkg.kernels.snippet import Operand
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.columns.found import Number, number_name, parts_of
from opkg.kernels.strategies.columns.lines import is_line, whole
from opkg.kernels.strategies.columns.vectors import HEADERS, vector_lines
from opkg.kernels.strategies.rows.errors import table_sums
from opkg.kernels.strategies.rows.numbers import value_lines
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan
from opkg.kernels.strategies.rows.several_numbers import gate_headers
from opkg.kernels.strategies.rows.smooth import smooth_of

MANY = "many rows at a time, lanes being results"
_PRODUCTS = ("opkg/hvx_fold_products.h",)


def folds_of(found: Plan, extremes: list[Extreme], reduced: list[tuple[Operand, int]]) -> Folds | None:
    """How rows with one result each are folded; None where they are not: the result hangs on several sums
    of the row, or on a sum of a function of its elements, which lanes have no table for."""
    numbers: list[Number] = [*extremes, *found.totals.values(), *found.products.values()]
    inputs = read_inputs(found.snippet)
    if not numbers or len(reduced) != 1 or len(inputs) != 1 or table_sums(found) or found.tests:
        return None
    try:
        return _folded(found, inputs[0], numbers, *reduced[0])
    except Cannot:
        return None


def _folded(found: Plan, operand: Operand, numbers: list[Number], output: Operand, node: int) -> Folds | None:
    parts = tuple([part for number in numbers for part in parts_of(operand, number)])
    bias = 0 if operand.quantized else operand.bias
    if len(numbers) == 1:
        line = is_line(found, output, node)
        asks_wide = smooth_of(found) is not None or max(operand.storage.bits, output.storage.bits) == 32
        wide = number_name(numbers[0]) if line and asks_wide else ""
        results = "wide" if wide else "line" if line else whole(found, output, node)
        if results != "single":
            lines = tuple(value_lines(found, node)) if line else ()
            return Folds(parts, lines, results, bias, wide, headers=_PRODUCTS if found.products else ())
    if not all(isinstance(number, Extreme) for number in numbers):
        return None
    vectors = vector_lines(found, operand, numbers, [(output, node)])
    return Folds(parts, (), "numbers", bias, vectors=tuple(vectors), headers=(*HEADERS, *gate_headers(vectors)))
