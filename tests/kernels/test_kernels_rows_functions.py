"""Extremes of functions of rows, results of several extremes, sums of what tests choose: whole packages against references."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_kit import absent, snippets_of
from kernels_product import failures, generated

from opkg.kernels.sequence import Sequence
from opkg.kernels.strategies.rows.strategy import lower
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

ALL = "axis=-1, keepdims=True"
WIDE = "[ufixed8, sfixed8, ufixed16, sfixed16]"
SHAPES = ("300, 32", "7, 1", "129, 17", "33, 197", "9, 1000")
REDUCED = {
    "Farthest": (f"max(abs(x), {ALL})", WIDE),
    "Span": (f"max(x, {ALL}) - min(x, {ALL})", WIDE),
    "Square": (f"max(x * x, {ALL})", "[ufixed8, ufixed16]"),
    "Positive": (f"max(max(x, 0), {ALL})", "[ufixed8]"),
    "Lowest": (f"min(min(x, -x) * 0.5, {ALL})", "[sfixed8]"),
}
FULL = {
    "FarthestNorm": (f"x / (max(abs(x), {ALL}) + 0.01)", WIDE),
    "SpanNorm": (f"(x - min(x, {ALL})) / (max(x, {ALL}) - min(x, {ALL}) + 0.01)", "[ufixed8, ufixed16]"),
}
# Row by row. The last one takes three kinds of tests together.
CHOICES = {
    "Distance": (f"mean(abs(x - z), {ALL})", WIDE),
    "Larger": (f"sum(max(x, z), {ALL}) * 0.01", WIDE),
    "Above": (f"mean(where(x > z, x, 0), {ALL})", WIDE),
    "Products": (f"mean(where(x >= z, x * z, z), {ALL})", WIDE),
    "Masked": (f"mean(where(m, x, 0), {ALL})", WIDE),
    "Share": (f"sum(x * where(m, 1, 0), {ALL}) / (sum(where(m, 1, 0), {ALL}) + 1)", WIDE),
    "Both": (f"mean(where(not m and x != z, x - z * 0.5, min(z, -x)), {ALL})", WIDE),
}


def _op(name: str, compute: str, types: str, shape: str) -> str:
    others = {
        key: dtype
        for key, dtype in (("z", "T"), ("m", "bool8"))
        if f"{key}," in compute.replace(" ", ",").replace(")", ",")
    }
    inputs = "".join(f", {key}: {{dtype: {dtype}, shape: [A, C]}}" for key, dtype in others.items())
    cases = "".join(
        f"\n        - {{{', '.join(f'{key}: {{shape: [{size}]}}' for key in ('x', *others))}}}" for size in SHAPES
    )
    return f"""\
  {name}:
    types: {{T: {types}}}
    inputs: {{x: {{dtype: T, shape: [A, C]}}{inputs}}}
    outputs: {{y: {{dtype: T, shape: [A, {shape}]}}}}
    compute: y = {compute}
    tests:
      cases:{cases}
"""


OPS = {
    **{name: _op(name, *op, "1") for name, op in REDUCED.items()},
    **{name: _op(name, *op, "C") for name, op in FULL.items()},
}
TESTED = {name: _op(name, *op, "1") for name, op in CHOICES.items()}


@pytest.mark.parametrize("name", [*OPS, *TESTED])
def test_all_types_have_vector_code(name: str) -> None:
    for snippet in snippets_of(OPS[name] if name in OPS else TESTED[name]):
        made = lower(snippet)
        assert isinstance(made, Sequence), made
        assert name in TESTED or made.folds is not None or made.slots is not None, snippet.function


@pytest.mark.parametrize("machine", ["host", pytest.param("hexagon-v66", marks=pytest.mark.sweep)])
@pytest.mark.parametrize("ops", [OPS, TESTED])
def test_rows_are_those_of_the_reference(ops: dict[str, str], machine: str, tmp_path: Path) -> None:
    if machine != "host" and (toolchain.missing() or "v66" not in toolchain.runnable()):
        absent("no Hexagon toolchain for v66")
    package = generated(tmp_path, "".join(ops.values()))
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=1, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        if cell.op not in (*FULL, "Products"):  # these turn rows that are not exact enough down
            assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)
