"""Softmax, gates and min-max normalization down columns, against references; what has vector code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES
from kernels_product import failures, generated

from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import parts
from opkg.kernels.sequence import Columns
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.api import VerifyOptions, verify

# Rows that fill vectors and that do not, joined ones, one short; columns of one element; more than sums do without fractions;
# short panels, which are brought side by side.
SHAPES = "[{x: {shape: [1, 9, 8, 32]}}, {x: {shape: [2, 7, 7, 100]}}, {x: {shape: [1, 1, 5, 17]}}, {x: {shape: [2, 300, 1, 3]}}, "
SHAPES += "{x: {shape: [19, 17, 1, 17]}}, {x: {shape: [5, 9, 3, 1]}}]"
SOFTMAX = f"""\
  Softmax:
    types: {{T: [ufixed8, sfixed8, float16, float32]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      e = exp(x - max(x, axis=1, keepdims=True))
      y = e / sum(e, axis=1, keepdims=True)
    tests: {{cases: {SHAPES}}}
  Spatial:
    types: {{T: [ufixed8, float16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    params: {{t: {{dtype: float32, default: 2.0, range: 0.1 .. 10}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      e = exp((x - max(x, axis=(1, 2), keepdims=True)) / t)
      y = e / sum(e, axis=(1, 2), keepdims=True)
    tests: {{cases: {SHAPES}}}
"""
FLOATS = f"""\
  Logarithm:
    types: {{T: [float16, float32]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      m = max(x, axis=1, keepdims=True)
      y = x - m - log(sum(exp(x - m), axis=1, keepdims=True))
    tests: {{cases: {SHAPES}}}
  Total:
    types: {{T: [float16, float32]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, 1, W, C]}}}}
    compute: |
      m = max(x, axis=1, keepdims=True)
      y = m + log(sum(exp(x - m), axis=1, keepdims=True))
    tests: {{cases: {SHAPES}}}
  Largest:
    types: {{T: [float16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x / (max(abs(x), axis=1, keepdims=True) + 0.001)
    tests: {{cases: {SHAPES}}}
"""
HALVES = f"""\
  Halves:
    types: {{T: [ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    params: {{t: {{dtype: float32, default: 2.0, range: 0.1 .. 10}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      e = exp((x - max(x, axis=(1, 2), keepdims=True)) / t)
      y = e / sum(e, axis=(1, 2), keepdims=True)
    tests: {{cases: {SHAPES}}}
  Least:
    types: {{T: [sfixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      e = exp(min(x, axis=1, keepdims=True) - x)
      y = 1 - e / sum(e, axis=1, keepdims=True)
    tests: {{cases: {SHAPES}}}
  Logarithms:
    types: {{T: [sfixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      m = max(x, axis=1, keepdims=True)
      y = x - (m + log(sum(exp(x - m), axis=1, keepdims=True)))
    tests: {{cases: {SHAPES}}}
"""
GATES = f"""\
  Gate:
    types: {{T: [ufixed8, sfixed8, ufixed16, sfixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x * sigmoid(mean(x, axis=(1, 2), keepdims=True))
    tests: {{cases: {SHAPES}}}
  Hard:
    types: {{T: [ufixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x * clip(mean(x, axis=(1, 2), keepdims=True) / 6.0 + 0.5, 0, 1)
    tests: {{cases: {SHAPES}}}
  MinMax:
    types: {{T: [ufixed8, sfixed8, ufixed16, sfixed16, float16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: |
      lo = min(x, axis=(1, 2), keepdims=True)
      hi = max(x, axis=(1, 2), keepdims=True)
      y = (x - lo) / (hi - lo + 0.01)
    tests: {{cases: {SHAPES}}}
  Beside:
    types: {{T: [ufixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x / (max(x, axis=1, keepdims=True) + 500.0)
    tests: {{cases: {SHAPES}}}
  Weighted:
    types: {{T: [ufixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}, w: {{dtype: T, shape: [C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x * sigmoid(mean(x, axis=(1, 2), keepdims=True) * w)
    tests: {{cases: {SHAPES}}}
  Affine:
    types: {{T: [sfixed8]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}, w: {{dtype: sfixed16, shape: [1, 1, 1, C]}}, b: {{dtype: T, shape: [C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x * clip(max(x, axis=(1, 2), keepdims=True) * w + b, 0, 1)
    tests: {{cases: {SHAPES}}}
"""
ONES = f"""\
  Ones:
    types: {{T: [ufixed8, float32]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}, a: {{dtype: T, shape: [N, 1, 1, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C]}}}}
    compute: y = x * sum(a, axis=(1, 2), keepdims=True)
    tests: {{cases: {SHAPES}}}
"""
ROWS = """\
  Soft:
    inputs: {x: {dtype: ufixed8}}
    params: {t: {dtype: float32, default: 2.0, range: 0.1 .. 10}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: |
      e = exp((x - max(x, axis=-1, keepdims=True)) / t)
      y = e / sum(e, axis=-1, keepdims=True)
"""


def _verified(tmp_path: Path, ops: str, cases: int, vector: float) -> None:
    package = generated(tmp_path, ops)
    for op in package.ops:
        for source in sources_of(op, op.kernels):
            for snippet in (part for group in parts(op, source, True) for part in group):
                assert choose(snippet) is not None, (op.name, source)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=cases, check_current=False))
    assert failures(result) == ""
    assert not [finding for finding in result.diagnostics if finding.id == "OPK405"]
    for cell in result.cells:
        assert cell.paths.vector > vector * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_softmax_down_columns(tmp_path: Path) -> None:
    _verified(tmp_path, SOFTMAX, 3, 2)


def test_softmax_of_16_bits_and_logarithms_down_columns(tmp_path: Path) -> None:
    _verified(tmp_path, HALVES, 3, 2)


def test_sums_of_functions_of_distances_of_floats(tmp_path: Path) -> None:
    _verified(tmp_path, FLOATS, 2, 2)


def test_gates_and_ranges_of_columns(tmp_path: Path) -> None:
    _verified(tmp_path, GATES, 3, 1)


@pytest.mark.parametrize(
    "compute",
    ["x * sigmoid(mean(x, axis=(1, 2), keepdims=True) * w)", "x * clip(max(x, axis=1, keepdims=True) + w, 0, 1)"],
)
def test_gates_with_a_weight_for_each_column_need_no_floats(tmp_path: Path, compute: str) -> None:
    """Numbers of each column were made in double, one by one: 4x7x7x64 took 2.1 million packets of a call (v66), now 5,007."""
    inputs = "x: {dtype: ufixed8, shape: [N, H, W, C]}, w: {dtype: ufixed8, shape: [C]}"
    output = "y: {dtype: ufixed8, shape: x.shape}"
    text = f"  Gate:\n    inputs: {{{inputs}}}\n    outputs: {{{output}}}\n    compute: y = {compute}\n"
    (op,) = generated(tmp_path, text).ops
    for source in sources_of(op, op.kernels):
        for snippet in (part for group in parts(op, source, True) for part in group):
            found = choose(snippet)
            assert found is not None
            assert isinstance(found.lowered, Columns)
            assert not found.lowered.float_unit


def test_sums_of_one_element_do_not_count_it_often(tmp_path: Path) -> None:
    """In panels it was as often there as rows have elements: 235 steps off."""
    package = generated(tmp_path, ONES)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=3, check_current=False))
    assert failures(result) == ""


def test_a_table_of_rows_is_divided_by_a_param(tmp_path: Path) -> None:
    """Its entries ask for the inverse of a number of the call."""
    _verified(tmp_path, ROWS, 2, 1)


def test_exponentials_and_logarithms_are_within_their_bounds(tmp_path: Path) -> None:
    """Of all distances of 16 bits, with factors of 17 orders of magnitude."""
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}", "-isystem"]
    command += [str(SIM / "include"), str(Path(__file__).parent / "hvx_exponential.cpp"), "-o", str(tmp_path / "test")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "test")], capture_output=True, text=True, check=True, timeout=60)
    *made, logarithm = [line.split() for line in ran.stdout.splitlines()]
    assert [off for off, _ in made if off == "refused"] == ["refused"] * 2
    assert all(float(off) <= 0.5 and first == "0" for off, first in made if off != "refused")
    assert float(logarithm[1]) <= 1


@pytest.mark.sweep
@pytest.mark.parametrize("ops", [SOFTMAX, HALVES, FLOATS, GATES], ids=["softmax", "halves", "floats", "gates"])
def test_columns_in_many_cases(tmp_path: Path, ops: str) -> None:
    _verified(tmp_path, ops, 50, 1)
