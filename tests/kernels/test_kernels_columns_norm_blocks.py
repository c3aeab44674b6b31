"""Instance norm of tensors in blocks: against its reference, what stays flat, and what it costs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated, package_of
from test_kernels_columns_norm import BENCH

from opkg.cli.main import run
from opkg.kernels.blocks import why_flat
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Images that end in either vector of a block's row, in its middle and at its end; channels of one block, of several, of a part of
# one; few elements of a column and many; gamma flat, beta in blocks.
OPS = """\
  Instance:
    types: {T: [ufixed8, sfixed8, ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, g: {dtype: T, shape: [C]}, b: {dtype: T, shape: [1, 1, 1, C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: |
      m = mean(x, axis=(1, 2), keepdims=True)
      v = mean((x - m) ** 2, axis=(1, 2), keepdims=True)
      y = (x - m) * rsqrt(v + 0.00001) * g + b
    tests: &shapes
      cases:
        - {x: {shape: [2, 7, 7, 100]}}
        - {x: {shape: [1, 25, 33, 65]}}
        - {x: {shape: [2, 9, 12, 33]}}
        - {x: {shape: [1, 8, 5, 1]}}
  Centered:
    types: {T: [sfixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: y = x - mean(x, axis=(1, 2), keepdims=True)
    tests: *shapes
"""
_HALVES = """\
  Half:
    inputs:
      x: {dtype: float16, shape: [N, H, W, C]}
      g: {dtype: float16, shape: [C]}
      b: {dtype: float16, shape: [1, 1, 1, C]}
    outputs: {y: {dtype: float16, shape: [N, H, W, C]}}
    compute: |
      m = mean(x, axis=(1, 2), keepdims=True)
      y = (x - m) * rsqrt(mean((x - m) ** 2, axis=(1, 2), keepdims=True) + 0.00001) * g + b
    tests: {cases: [{x: {shape: [2, 7, 7, 100]}}, {x: {shape: [1, 25, 33, 65]}}, {x: {shape: [1, 8, 5, 1]}}]}
"""
FLAT = """\
  Beside:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}, g: {dtype: ufixed8, shape: [N, 1, 1, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, H, W, C]}}
    compute: y = (x - mean(x, axis=(1, 2), keepdims=True)) * g
  Lines:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, H, W, C]}}
    compute: y = x - mean(x, axis=2, keepdims=True)
"""


def _verified(tmp_path: Path, machines: tuple[str, ...], cases: int) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:  # columns that are not exact enough, or factors that are too steep, are portable
        assert any(kernel.endswith("_crouton") for kernel in cell.kernels), (cell.op, cell.kernels)
        assert cell.paths.vector > 4 * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_instance_norm_in_blocks_is_that_of_the_reference(tmp_path: Path) -> None:
    _verified(tmp_path, ("host",), 2)


@pytest.mark.sweep
def test_instance_norm_in_blocks_on_all_machines(tmp_path: Path) -> None:
    _verified(tmp_path, ("host", "hexagon"), 40)


def test_instance_norm_of_halves_in_blocks(tmp_path: Path) -> None:
    """Vectors take all but units of which a number is not finite."""
    package = generated(tmp_path, _HALVES)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=4, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert any(kernel.endswith("_crouton") for kernel in cell.kernels), cell.kernels
        assert cell.paths.vector > 4 * cell.paths.portable, cell.paths


def test_what_stays_flat() -> None:
    """Inputs that need not have one number for each channel; results that are lines of a part of an image."""
    why = {op.name: why_flat(op, op.kernels[0]) for op in package_of(FLAT, "qnn-htp-qhpi").ops}
    assert why == {
        "Beside": "'g' is not known to have a number for each channel",
        "Lines": "results of all elements of its lines are flat",
    }


@pytest.mark.sweep
def test_packets_of_instance_norm_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No more than 1.3 times what flat tensors take, padding and all."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(BENCH)
    monkeypatch.chdir(tmp_path)
    shapes = ("--shape", "1x28x28x100", "--shape", "1x8x8x32")
    assert run(["bench", "Norm", "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
    found: dict[tuple[str, int, str], float] = {}
    for record in json.loads(capsys.readouterr().out):
        size = math.prod(record["shape"])
        key = record["kernel"].removesuffix("_crouton"), size, record["layout"]
        found[key] = (sum(record["parts"].values()) + record["stalls"]) * 128 / size
    for (kernel, size, layout), packets in found.items():
        assert layout != "crouton" or packets <= 1.3 * found[kernel, size, "flat"], found
