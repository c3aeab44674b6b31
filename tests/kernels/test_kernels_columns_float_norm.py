"""Instance norm of floats: numbers of columns in double, elements in single precision, against references and bounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_product import failures, generated

from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import parts
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.api import VerifyOptions, verify

# Rows that fill vectors and that do not, joined ones, the last one short; images; one column, one pixel.
OPS = """\
  Instance:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, g: {dtype: T, shape: [C]}, b: {dtype: T, shape: [C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: |
      m = mean(x, axis=(1, 2), keepdims=True)
      d = x - m
      y = d * rsqrt(mean(d * d, axis=(1, 2), keepdims=True) + 0.00001) * g + b
    tests:
      cases:
        - {x: {shape: [2, 7, 7, 100]}}
        - {x: {shape: [1, 25, 33, 65]}}
        - {x: {shape: [1, 5, 6, 1]}}
        - {x: {shape: [2, 33, 31, 17]}}
        - {x: {shape: [1, 50, 60, 3]}}
        - {x: {shape: [1, 3, 3, 1000]}}
        - {x: {shape: [3, 1, 1, 40]}}
        - {x: {shape: [2, 2, 3, 43]}}
  Mixed:
    inputs: {x: {dtype: float16, shape: [N, H, W, C]}, g: {dtype: float32, shape: [C]}}
    outputs: {y: {dtype: float16, shape: [N, H, W, C]}}
    compute: y = (x - mean(x, axis=(1, 2), keepdims=True)) / sqrt(var(x, axis=(1, 2), keepdims=True) + 0.001) * g
    tests: {cases: [{x: {shape: [2, 9, 5, 100]}}]}
  Around:
    inputs: {x: {dtype: float32, shape: [A, B, C, D]}}
    params: {epsilon: {dtype: float32, default: 0.001}}
    outputs: {y: {dtype: float32, shape: [A, B, C, D]}}
    compute: |
      m = mean(x, axis=(0, 2), keepdims=True)
      y = (x - m) * rsqrt(mean((x - m) ** 2, axis=(0, 2), keepdims=True) + epsilon)
    tests: {cases: [{x: {shape: [3, 4, 7, 128]}}, {x: {shape: [4, 3, 10, 17]}}]}
  Centered:
    inputs: {x: {dtype: float32, shape: [N, H, W, C]}}
    outputs: {y: {dtype: float32, shape: [N, H, W, C]}}
    compute: y = x - mean(x, axis=(1, 2), keepdims=True)
    tests: {cases: [{x: {shape: [2, 9, 5, 100]}}, {x: {shape: [1, 20, 30, 128]}}]}
"""


def _verified(tmp_path: Path, cases: int) -> None:
    package = generated(tmp_path, OPS, "qnn-htp-qhpi")
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=cases, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:  # sums that are not finite, or means that have lost digits, are portable
        assert cell.paths.vector > 3 * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_instance_norm_of_floats_is_within_its_bounds(tmp_path: Path) -> None:
    _verified(tmp_path, 8)


@pytest.mark.sweep
def test_instance_norm_of_floats_in_many_cases(tmp_path: Path) -> None:
    _verified(tmp_path, 60)


def test_numbers_of_a_column_are_shared(tmp_path: Path) -> None:
    """Three passes; elements take the mean and the inverse root as they are in single precision."""
    package = generated(tmp_path, OPS, "qnn-htp-qhpi")
    op = package.ops[0]
    for source in sources_of(op, op.kernels):
        for snippet in (part for group in parts(op, source, True) for part in group):
            chosen = choose(snippet)
            assert chosen is not None
            assert chosen.lowered is not None
            assert chosen.strategy == "columns"
            assert chosen.lowered.title == "3 passes down the columns in single precision"
            assert chosen.lowered.error.startswith("each part within 0.5 ulp of single precision")


def test_scaled_means_are_no_elements(tmp_path: Path) -> None:
    """An output of one number a column has no place for each element."""
    scaled = """\
  Scaled:
    inputs: {x: {dtype: float32, shape: [N, H, W, C]}, g: {dtype: float32, shape: [C]}}
    outputs: {y: {dtype: float32, shape: [N, 1, 1, C]}}
    compute: y = mean(x, axis=(1, 2), keepdims=True) * g
"""
    op = generated(tmp_path, scaled, "qnn-htp-qhpi").ops[0]
    (source,) = sources_of(op, op.kernels)
    assert all(choose(snippet) is None for group in parts(op, source, True) for snippet in group)
