"""Reductions down columns: whole packages against their references, on the host and in qemu, and what they cost."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

HERE = Path(__file__).parent

# Widths that fill vectors and that do not, joined rows, more rows than 16 bits hold, more elements than 32 bits hold.
OPS = """\
  Mean:
    types: {T: [ufixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}}
    kernels: [{multithreaded: true}]
    compute: y = mean(x, axis=(1, 2))
    tests:
      cases:
        - {x: {shape: [2, 3, 7, 256]}}
        - {x: {shape: [2, 7, 7, 1000]}}
        - {x: {shape: [1, 33, 31, 16]}}
        - {x: {shape: [2, 33, 31, 17]}}
        - {x: {shape: [2, 9, 31, 100]}}
        - {x: {shape: [3, 9, 31, 3]}}
        - {x: {shape: [2, 45, 31, 1]}}
        - {x: {shape: [1, 2, 1, 129]}}
        - {x: {shape: [2, 1, 1, 5]}}
        - {x: {shape: [3, 7, 7, 100]}}
        - {x: {shape: [2, 2, 3, 43]}}
        - {x: {shape: [2, 5, 1, 30]}}
        - {x: {shape: [7, 2, 1, 65]}}
        - {x: {shape: [1, 1, 5, 513]}}
        - {x: {shape: [2, 2, 2, 330]}}
        - {x: {shape: [1, 28, 28, 17]}}
        - {x: {shape: [1, 9, 17, 17]}}
        - {x: {shape: [3, 13, 11, 33]}}
        - {x: {shape: [1, 5, 5, 7]}}
  Most:
    types: {T: [sfixed8, int32]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [1, B, 1, D]}}
    compute: y = max(x, axis=(0, 2), keepdims=True)
    tests:
      cases:
        - {x: {shape: [3, 2, 7, 640]}}
        - {x: {shape: [5, 9, 31, 3]}}
        - {x: {shape: [4, 3, 65, 33]}}
        - {x: {shape: [1, 5, 9, 17]}}
        - {x: {shape: [2, 5, 7, 17]}}
        - {x: {shape: [1, 28, 28, 3]}}
        - {x: {shape: [300, 2, 2, 5]}}
        - {x: {shape: [9, 30, 3, 20]}}
  Around:
    types: {T: [sfixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [H, W]}}
    kernels: [{multithreaded: true}]
    compute: y = mean(x, axis=(0, 3))
    tests:
      cases:
        - {x: {shape: [2, 5, 7, 17]}}
        - {x: {shape: [2, 40, 40, 3]}}
        - {x: {shape: [3, 5, 2, 100]}}
        - {x: {shape: [1, 28, 28, 3]}}
        - {x: {shape: [300, 2, 2, 5]}}
        - {x: {shape: [1, 33, 4, 40]}}
        - {x: {shape: [5, 37, 9, 200]}}
  Between:
    types: {T: [ufixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [H, C]}}
    compute: y = mean(x, axis=(0, 2))
    tests:
      cases:
        - {x: {shape: [3, 2, 8, 64]}}
        - {x: {shape: [2, 3, 64, 64]}}
        - {x: {shape: [3, 2, 7, 32]}}
        - {x: {shape: [1, 28, 28, 3]}}
        - {x: {shape: [2, 40, 30, 16]}}
        - {x: {shape: [1, 300, 7, 2]}}
  Between32:
    inputs: {x: {dtype: int32, shape: [N, H, W, C]}}
    outputs: {y: {dtype: int32, shape: [H, C]}}
    compute: y = sum(x, axis=(0, 2))
    tests: {cases: [{x: {shape: [1, 28, 28, 3]}}, {x: {shape: [2, 30, 5, 15]}}, {x: {shape: [2, 5, 7, 3]}}]}
  Across:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, W]}}
    compute: y = mean(x, axis=(1, 3))
    tests:
      cases:
        - {x: {shape: [2, 5, 28, 3]}}
        - {x: {shape: [1, 9, 17, 65]}}
        - {x: {shape: [2, 3, 7, 100]}}
        - {x: {shape: [2, 4, 3, 2]}}
        - {x: {shape: [9, 30, 3, 20]}}
        - {x: {shape: [1, 28, 28, 3]}}
        - {x: {shape: [2, 128, 5, 7]}}
        - {x: {shape: [2, 129, 5, 7]}}
        - {x: {shape: [1, 255, 3, 5]}}
        - {x: {shape: [2, 257, 2, 3]}}
        - {x: {shape: [1, 600, 4, 1]}}
        - {x: {shape: [2, 3, 1100, 4]}}
        - {x: {shape: [2, 2, 2, 2049]}}
  Across32:
    inputs: {x: {dtype: int32, shape: [N, H, W, C]}}
    outputs: {y: {dtype: int32, shape: [N, W]}}
    compute: y = sum(x, axis=(1, 3))
    tests: {cases: [{x: {shape: [2, 5, 7, 17]}}, {x: {shape: [3, 5, 40, 9]}}, {x: {shape: [1, 6, 300, 10]}}]}
  AcrossFull:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: sfixed32, shape: [N, W]}}
    compute: y = sum(x, axis=(1, 3))
    tests:
      cases:
        - {x: {shape: [1, 256, 2, 3], scale: 1.0, offset: 0, values: FULL}}
        - {x: {shape: [1, 384, 2, 2], scale: 1.0, offset: 0, values: FULL}}
  AcrossMost:
    types: {T: [sfixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, W]}}
    compute: y = max(x, axis=(1, 3))
    tests:
      cases:
        - {x: {shape: [2, 5, 7, 17]}}
        - {x: {shape: [3, 5, 40, 9]}}
        - {x: {shape: [1, 6, 300, 30]}}
        - {x: {shape: [2, 300, 3, 5]}}
  AcrossSpread:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, W]}}
    compute: y = mean((x - mean(x, axis=(1, 3), keepdims=True)) ** 2, axis=(1, 3))
    tests: {cases: [{x: {shape: [4, 5, 7, 17]}}, {x: {shape: [1, 28, 28, 3]}}, {x: {shape: [2, 3, 210, 12]}}]}
  Around32:
    inputs: {x: {dtype: int32, shape: [N, H, W, C]}}
    outputs: {y: {dtype: int32, shape: [H, W]}}
    compute: y = sum(x, axis=(0, 3))
    tests: {cases: [{x: {shape: [2, 5, 7, 17]}}, {x: {shape: [3, 5, 40, 9]}}, {x: {shape: [4, 6, 7, 100]}}]}
  AroundMost:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [H, W]}}
    compute: y = max(x, axis=(0, 3))
    tests: {cases: [{x: {shape: [1, 28, 28, 3]}}, {x: {shape: [3, 30, 41, 17]}}, {x: {shape: [2, 3, 150, 100]}}]}
  Total:
    types: {T: [int32, int8]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: int32, shape: [A, C]}}
    compute: y = sum(x, axis=-2)
    tests: {cases: [{x: {shape: [3, 5, 300]}}, {x: {shape: [2, 301, 17]}}]}
  Mean32:
    types: {T: [sfixed32]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [A, D]}}
    compute: y = mean(x, axis=(1, 2))
    tests: {cases: [{x: {shape: [2, 3, 7, 40]}}, {x: {shape: [1, 9, 31, 3]}}]}
  Wide:
    types: {T: [ufixed8, sfixed32]}
    inputs: {x: {dtype: sfixed32, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [A, D]}}
    compute: y = mean(x, axis=(1, 2)) * 2 + 1
    tests: {cases: [{x: {shape: [2, 3, 7, 40]}}, {x: {shape: [1, 200, 200, 3]}}]}
  Least:
    inputs: {x: {dtype: sfixed32, shape: [A, B, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A, C]}}
    compute: y = min(x, axis=1)
    tests:
      cases:
        - {x: {shape: [2, 7, 40]}}
        - {x: {shape: [3, 2, 100], scale: 0.3, offset: 5}, y: {scale: 0.3, offset: 5}}
        - {x: {shape: [3, 2, 100], scale: 0.3, offset: 5}, y: {scale: 0.3, offset: 6}}
        - {x: {shape: [2, 5, 3], scale: 0.3}, y: {scale: 0.30000001}}
  Total8:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A, C]}}
    compute: y = 3 - sum(x, axis=1)
    tests: {cases: [{x: {shape: [2, 7, 40]}}, {x: {shape: [1, 900, 3]}}]}
  OfTable:
    types: {T: [ufixed8, sfixed8]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [A, D]}}
    compute: y = 1 - mean(tanh(abs(x)), axis=(1, 2))
    tests: {cases: [{x: {shape: [2, 3, 7, 140]}}, {x: {shape: [1, 9, 31, 3]}}, {x: {shape: [1, 1, 1, 3]}}]}
  OfProduct:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [A, D]}}
    compute: y = mean(silu(x) * x, axis=(1, 2))
    tests: {cases: [{x: {shape: [2, 3, 7, 140]}}, {x: {shape: [1, 9, 31, 3]}}]}
  Product:
    inputs: {x: {dtype: int32, shape: [A, B, C]}}
    outputs: {y: {dtype: int32, shape: [A, C]}, z: {dtype: int32, shape: [A, C]}}
    compute: y = prod(x, axis=1); z = sum(x, axis=1)
    tests: {cases: [{x: {shape: [2, 3, 40]}}, {x: {shape: [2, 5, 3]}}]}
  Rows32:
    inputs: {x: {dtype: sfixed32, shape: [A, B]}}
    outputs: {y: {dtype: ufixed8, shape: [A]}}
    compute: y = mean(x, axis=-1)
    tests: {cases: [{x: {shape: [9, 40]}}]}
  Several:
    types: {T: [ufixed16]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [B]}, z: {dtype: T, shape: [B]}}
    compute: y = mean(x, axis=(0, 2, 3)) * 2 + 1; z = max(x, axis=(0, 2, 3)) - min(x, axis=(0, 2, 3))
    tests: {cases: [{x: {shape: [4, 2, 3000, 3]}}, {x: {shape: [5, 9, 1, 3]}}, {x: {shape: [3, 2, 11, 40]}}]}
  Variance:
    types: {T: [sfixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}}
    compute: y = mean((x - mean(x, axis=(1, 2), keepdims=True)) ** 2, axis=(1, 2))
    tests:
      cases:
        - {x: {shape: [1, 3, 7, 256]}}
        - {x: {shape: [2, 9, 31, 17]}}
        - {x: {shape: [1, 30, 300, 3]}}
        - {x: {shape: [2, 3, 1, 300]}}
  Spread:
    types: {T: [ufixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [H, C]}}
    compute: y = var(x, axis=(0, 2))
    tests: {cases: [{x: {shape: [2, 5, 7, 17]}}, {x: {shape: [1, 28, 28, 3]}}, {x: {shape: [3, 9, 10, 50]}}]}
  Both:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, 1, 1, C]}, z: {dtype: T, shape: [N, 1, 1, C]}}
    compute: y = var(x, axis=(1, 2), keepdims=True); z = max(x, axis=(1, 2), keepdims=True)
    tests: {cases: [{x: {shape: [1, 128, 1, 64]}}, {x: {shape: [1, 32, 3, 96]}}]}
""".replace("FULL", str([255] * 1536))
# Squares of 16 bits, in two words each: about the mean, about zero points at both ends and beyond, with a root, to bytes.
WIDE = """\
  Variance:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}}
    compute: y = var(x, axis=(1, 2))
    tests:
      cases:
        - {x: {shape: [1, 3, 7, 256]}}
        - {x: {shape: [2, 9, 31, 17]}}
        - {x: {shape: [2, 7, 1, 1000]}}
        - {x: {shape: [2, 30, 300, 3]}}
        - {x: {shape: [1, 200, 200, 1]}}
  Deviation:
    types: {T: [ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, 1, W, C]}}
    compute: y = 1 / std(x, axis=1, keepdims=True)
    tests: {cases: [{x: {shape: [4, 6, 2, 128]}}, {x: {shape: [1, 17, 5, 100]}}]}
  Squares:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, H, C]}, z: {dtype: T, shape: [N, H, C]}}
    compute: y = mean(x * x, axis=2); z = sum(x, axis=2) + sqrt(mean(x * x, axis=2))
    tests: {cases: [{x: {shape: [3, 2, 11, 40]}}, {x: {shape: [1, 5, 9000, 3]}}, {x: {shape: [1, 2, 3, 330]}}]}
"""
# Of floats: sums of few and of many rows, extremes, squares about the mean; joined rows, the last one short.
FLOATS = """\
  Mean:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}}
    compute: y = mean(x, axis=(1, 2))
    tests:
      cases:
        - {x: {shape: [1, 3, 7, 256]}}
        - {x: {shape: [2, 9, 31, 17]}}
        - {x: {shape: [1, 30, 300, 3]}}
        - {x: {shape: [1, 5, 5, 1000]}}
        - {x: {shape: [2, 5, 3, 1]}}
  Several:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [B]}, z: {dtype: T, shape: [B]}}
    compute: y = max(x, axis=(0, 2, 3)); z = min(x, axis=(0, 2, 3)) + sum(x, axis=(0, 2, 3))
    tests: {cases: [{x: {shape: [4, 2, 300, 3]}}, {x: {shape: [3, 2, 11, 40]}}]}
  Variance:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}}
    compute: y = mean((x - mean(x, axis=(1, 2), keepdims=True)) ** 2, axis=(1, 2))
    tests: {cases: [{x: {shape: [1, 3, 7, 256]}}, {x: {shape: [2, 9, 31, 17]}}, {x: {shape: [1, 30, 40, 100]}}]}
  Functions:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}, z: {dtype: T, shape: [N, C]}}
    compute: y = sqrt(mean(x * x, axis=(1, 2))); z = max(abs(x), axis=(1, 2)) + mean(x / (1 + exp(-abs(x))), axis=(1, 2))
    tests: {cases: [{x: {shape: [1, 3, 7, 128]}}, {x: {shape: [2, 9, 31, 17]}}, {x: {shape: [1, 5, 3, 1]}}]}
  Across:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, W]}, z: {dtype: T, shape: [N, W]}}
    compute: y = mean(x, axis=(1, 3)); z = var(x, axis=(1, 3)) + max(x, axis=(1, 3))
    tests:
      cases:
        - {x: {shape: [2, 28, 28, 3]}}
        - {x: {shape: [1, 9, 17, 5]}}
        - {x: {shape: [3, 30, 5, 17]}}
        - {x: {shape: [1, 4, 100, 2]}}
"""
POOL = """\
opkg: 1
package: {name: t.pool, targets: [qnn-htp-qhpi]}
ops:
  Pool:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, C]}}
    compute: y = mean(x, axis=(1, 2))
  Least:
    inputs: {x: {dtype: sfixed32, shape: [N, C]}}
    outputs: {y: {dtype: sfixed32, shape: [C]}}
    compute: y = min(x, axis=0)
  Across:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, W]}}
    compute: y = mean(x, axis=(1, 3))
  Around:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [H, W]}}
    compute: y = mean(x, axis=(0, 3))
  Between:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [H, C]}}
    compute: y = mean(x, axis=(0, 2))
  Variance:
    inputs: {x: {dtype: ufixed16, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed16, shape: [N, C]}}
    compute: y = var(x, axis=(1, 2))
  Halves:
    inputs: {x: {dtype: float16, shape: [N, H, W, C]}}
    outputs: {y: {dtype: float16, shape: [N, W]}}
    compute: y = mean(x, axis=(1, 3))
"""


@pytest.mark.parametrize("target", ["qnn-htp-qhpi", pytest.param("qnn-htp-classic", marks=pytest.mark.sweep)])
def test_columns_are_those_of_the_reference(target: str, machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, OPS, target)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=6, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        # products of rows of less than 32 columns are portable, and tables whose values reach too far
        assert cell.paths.portable == 0 or cell.op in ("Product", "OfTable", "OfProduct"), (
            cell.op,
            str(cell.types),
            cell.paths,
        )
        assert cell.paths.vector > 0


def test_squares_of_16_bits(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, WIDE)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=10, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)
        assert cell.paths.vector > 0


def test_variances_in_fixed_point(tmp_path: Path) -> None:
    """How far results are off in steps, beside long double, of columns of all kinds."""
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}"]
    command += ["-isystem", str(SIM / "include"), str(HERE / "hvx_variance.cpp"), "-o", str(tmp_path / "variances")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "variances")], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == 10, ran.stdout
    for line in ran.stdout.splitlines():
        name, off, refused, turns = line.split()
        assert float(off) < (0.75 if name.startswith("root") else 0.51), line
        limit = 0.3 if "16" in name.split("_")[0] else 0.0  # a variance of few units of 16 bits that is many results
        assert int(refused) <= limit * int(turns), line


def test_columns_of_floats(tmp_path: Path) -> None:
    """Vectors take all but what is not finite."""
    package = generated(tmp_path, FLOATS)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=6, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.vector > 5 * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


@pytest.mark.parametrize(
    ("op", "shape", "bar"),
    [
        ("Pool", "1x7x7x1280", 1.45),  # four vectors are finished together
        ("Pool", "1x9x17x17", 3.8),  # joined rows that one vector holds are folded in registers
        ("Pool", "1x28x28x17", 2.1),  # what is found of joined rows stays in registers; nothing is chosen in a call
        pytest.param("Pool", "1x56x56x16", 1.8, marks=pytest.mark.sweep),
        ("Least", "3x10000", 13.0),  # numbers in the result's steps are results
        ("Across", "1x28x28x17", 8.1),  # short panels of a line are taken together
        pytest.param("Across", "1x28x28x100", 7.3, marks=pytest.mark.sweep),
        ("Around", "4x14x14x17", 8.5),  # what is found of rows is joined, then folded many at a time
        ("Between", "1x28x28x3", 24.0),  # columns come to slots
        ("Between", "4x14x14x17", 10.5),  # a short panel after the other, several of which are finished together
        ("Variance", "1x7x7x1280", 4.3),
        pytest.param("Variance", "1x56x56x16", 3.4, marks=pytest.mark.sweep),
        ("Halves", "2x28x28x3", 41.0),
    ],
)
def test_packets_of_columns(
    op: str, shape: str, bar: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows alone, of tensors at multiples of 128 and anywhere: what is made once for a shape and scales is prepare's."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(POOL)
    monkeypatch.chdir(tmp_path)
    assert run(["bench", op, "--call", "--arch", "v73", "--shape", shape, "--format", "json"]) == 0
    size = math.prod(map(int, shape.split("x"))) * {"Variance": 2, "Halves": 2, "Least": 4}.get(op, 1)
    for record in (found for found in json.loads(capsys.readouterr().out) if found["layout"] == "flat"):
        assert round((record["parts"]["rows"] + record["stalls"]) * 128 / size, 2) <= bar, record


def test_places_of_rows_and_columns(tmp_path: Path) -> None:
    """Extremes of their types, of all numbers of rows, columns and places; nothing beyond the tensor is read."""
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    program = tmp_path / "places"
    command = ["g++", "-std=c++17", "-O0", "-fsanitize=address", "-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
    command += [
        f"-I{tmp_path}",
        "-isystem",
        str(SIM / "include"),
        str(HERE / "hvx_fold_places.cpp"),
        "-o",
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr[:4000]
