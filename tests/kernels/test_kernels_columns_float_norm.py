"""Instance norm of floats in single precision, numbers of 32 columns at a time, against references and bounds; what it costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import parts
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

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
    package = generated(tmp_path, OPS)
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
    package = generated(tmp_path, OPS)
    op = package.ops[0]
    for source in sources_of(op, op.kernels):
        for snippet in (part for group in parts(op, source, True) for part in group):
            chosen = choose(snippet)
            assert chosen is not None
            assert chosen.lowered is not None
            assert chosen.strategy == "columns"
            assert chosen.lowered.title == "3 passes down the columns in single precision"
            assert chosen.lowered.error.startswith("each part within 0.5 ulp of single precision")


@pytest.mark.sweep
def test_packets_of_numbers_of_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No divisions and roots in double, which took 770 packets a column."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    halves = OPS.replace("types: {T: [float32, float16]}", "types: {T: [float16]}")
    spec = f"opkg: 1\npackage: {{name: t.norm, targets: [qnn-htp-qhpi]}}\nops:\n{halves}"
    (tmp_path / "specs" / "s.yaml").write_text(spec)
    monkeypatch.chdir(tmp_path)
    assert run(["bench", "Instance", "--call", "--arch", "v73", "--shape", "1x8x8x32", "--format", "json"]) == 0
    found = [(record["static"], record["later"] < 2000) for record in json.loads(capsys.readouterr().out)]
    assert found == [(True, True)] * 3  # in blocks, flat, at any address


def test_scaled_means_are_no_elements(tmp_path: Path) -> None:
    """An output of one number a column has no place for each element."""
    scaled = """\
  Scaled:
    inputs: {x: {dtype: float32, shape: [N, H, W, C]}, g: {dtype: float32, shape: [C]}}
    outputs: {y: {dtype: float32, shape: [N, 1, 1, C]}}
    compute: y = mean(x, axis=(1, 2), keepdims=True) * g
"""
    op = generated(tmp_path, scaled).ops[0]
    (source,) = sources_of(op, op.kernels)
    assert all(choose(snippet) is None for group in parts(op, source, True) for snippet in group)
