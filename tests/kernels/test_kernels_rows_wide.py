"""Rows of 16-bit elements that are multiplied with each other: against the references, on the host and in qemu, and cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.kernels.strategies.rows.loop_block import power_below
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# More elements than 32-bit sums hold, rows of one element, rows that fill no vector.
OPS = """\
  Rms:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.000001)
    tests: {cases: [{x: {shape: [3, 2048]}}, {x: {shape: [3, 1]}}, {x: {shape: [7, 17]}}, {x: {shape: [2, 65601]}}]}
  RmsGamma:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}, gamma: {dtype: T, shape: [C]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.000001) * gamma
    tests: {cases: [{x: {shape: [3, 2048]}}, {x: {shape: [3, 1]}}, {x: {shape: [7, 17]}}]}
  Layer:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}, gamma: {dtype: T, shape: [C]}, beta: {dtype: T, shape: [C]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 0.00001) * gamma + beta
    tests: {cases: [{x: {shape: [3, 768]}}, {x: {shape: [3, 1]}}, {x: {shape: [7, 17]}}, {x: {shape: [2, 65601]}}]}
  LayerMixed:
    types: {T: [ufixed8, sfixed16], G: [sfixed8, ufixed16], Y: [ufixed8, ufixed16]}
    combinations:
      - {T: sfixed16, G: sfixed8, Y: ufixed8}
      - {T: ufixed8, G: sfixed8, Y: ufixed16}
      - {T: ufixed8, G: ufixed16, Y: ufixed16}
    inputs: {x: {dtype: T, shape: [A, C]}, gamma: {dtype: G, shape: [C]}}
    outputs: {y: {dtype: Y, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 0.00001) * gamma
    tests: {cases: [{x: {shape: [3, 768]}}, {x: {shape: [7, 17]}}]}
  LayerBiased:
    types: {T: [ufixed8, ufixed16], G: [ufixed8, sfixed16]}
    combinations:
      - {T: ufixed8, G: ufixed8}
      - {T: ufixed16, G: sfixed16}
    inputs: {x: {dtype: T, shape: [A, C]}, gamma: {dtype: G, shape: [C]}, beta: {dtype: sfixed32, shape: [C]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 0.00001) * gamma + beta
    tests: {cases: [{x: {shape: [3, 768]}}, {x: {shape: [7, 17]}}]}
  RmsMixed:
    inputs:
      x: {dtype: ufixed16, shape: [A, C]}
      gamma: {dtype: sfixed16, shape: [C]}
      beta: {dtype: ufixed8, shape: [C]}
    outputs: {y: {dtype: sfixed16, shape: x.shape}}
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.000001) * gamma + beta
  Dot:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}, w: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: [A, 1]}}
    compute: y = mean(x * w, axis=-1, keepdims=True)
    tests: {cases: [{x: {shape: [2, 65601]}}, {x: {shape: [7, 17]}}]}
  Plain:
    inputs: {x: {dtype: int16, shape: [A, C]}, w: {dtype: uint16, shape: x.shape}}
    outputs: {y: {dtype: ufixed16, shape: [A, 1]}}
    compute: y = sum(x * w, axis=-1, keepdims=True)
  PlainBytes:
    inputs: {x: {dtype: int8, shape: [A, C]}, w: {dtype: uint8, shape: x.shape}}
    outputs: {y: {dtype: ufixed16, shape: [A, 1]}}
    compute: y = sum(x * w, axis=-1, keepdims=True)
"""
# Near-constant rows of large numbers: sums of squares of 16 bits cancel so far in a variance that it is taken in whole numbers.
VARIANCE = """\
  Variance:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A, 1]}}
    compute: y = mean((x - mean(x, axis=-1, keepdims=True)) ** 2, axis=-1, keepdims=True)
  Deviation:
    inputs: {x: {dtype: ufixed16, shape: [A, C]}}
    outputs: {y: {dtype: float32, shape: [A, 1]}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = sqrt(sum(d * d, axis=-1, keepdims=True) * 0.5)
"""
NORMS = """\
opkg: 1
package: {name: t.norm, targets: [qnn-htp-qhpi]}
ops:
  Norm:
    inputs: {x: {dtype: ufixed16, shape: [N, C]}, gamma: {dtype: ufixed16, shape: [C]}}
    outputs: {y: {dtype: ufixed16, shape: x.shape}}
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.000001) * gamma
  LayerNorm:
    inputs: {x: {dtype: ufixed16, shape: [N, C]}, gamma: {dtype: ufixed16, shape: [C]}, beta: {dtype: ufixed16, shape: [C]}}
    outputs: {y: {dtype: ufixed16, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 0.00001) * gamma + beta
"""


def test_rows_of_16_bits_are_those_of_the_reference(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=12, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.vector > 0, (cell.op, str(cell.types), cell.paths)
        if cell.op == "Dot":
            assert cell.paths.portable == 0, cell.paths


def test_a_variance_of_16_bits_is_exact(tmp_path: Path) -> None:
    result = verify(
        tmp_path, [generated(tmp_path, VARIANCE)], VerifyOptions(on=("host",), cases=12, check_current=False)
    )
    assert failures(result) == ""
    assert all(cell.paths.vector > 0 and cell.paths.portable == 0 for cell in result.cells)


@pytest.mark.parametrize(("op", "shape", "most"), [("Norm", "4x2048", 60), ("LayerNorm", "4x768", 75)])
def test_packets_of_norms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], op: str, shape: str, most: int
) -> None:
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(NORMS)
    monkeypatch.chdir(tmp_path)
    assert run(["bench", op, "--call", "--arch", "v73", "--shape", shape, "--format", "json"]) == 0
    record = next(r for r in json.loads(capsys.readouterr().out) if r["aligned"])
    rows, channels = map(int, shape.split("x"))
    assert (record["later"] + record["stalls"]) * 128 / (rows * channels * 2) <= most, record


# The fifth case of an op has the four least numbers.
LONG = """\
  Mean:
    inputs: {x: {dtype: ufixed16, shape: [A, C]}}
    outputs: {y: {dtype: ufixed16, shape: [A, 1]}, most: {dtype: ufixed16, shape: [A, 1]}}
    compute: |
      y = mean(x, axis=-1, keepdims=True)
      most = max(x, axis=-1, keepdims=True)
    tests:
      cases: [{}, {}, {}, {}, {x: {shape: [1, 65599], scale: 0.001, offset: 0}}]
"""


def test_sums_of_long_rows_near_the_least_number_are_exact(tmp_path: Path) -> None:
    """A whole part of the row and what is left over lie in one sum of 32 bits."""
    package = generated(tmp_path, LONG)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=1, check_current=False))
    assert failures(result) == ""
    assert [cell.paths.portable for cell in result.cells] == [0]


@pytest.mark.parametrize("most", [2, 512, 1024, 1025, 131072, 131586])
def test_parts_of_rows_have_room_for_what_is_left_over(most: int) -> None:
    assert most // 4 < power_below(most) < most
