"""Results of all elements from what is found of their columns (instance norm): against their references, and what they cost."""

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

# Rows that fill vectors and that do not, joined ones, the last one short; images; one column, one element.
OPS = """\
  Instance:
    types: {T: [ufixed8, sfixed8, ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, g: {dtype: T, shape: [C]}, b: {dtype: T, shape: [C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: |
      m = mean(x, axis=(1, 2), keepdims=True)
      v = mean((x - m) ** 2, axis=(1, 2), keepdims=True)
      y = (x - m) * rsqrt(v + 0.00001) * g + b
    kernels: [{layout: flat}]
    tests:
      cases:
        - {x: {shape: [2, 7, 7, 100]}}
        - {x: {shape: [1, 25, 33, 65]}}
        - {x: {shape: [1, 5, 6, 1]}}
        - {x: {shape: [2, 33, 31, 17]}}
        - {x: {shape: [1, 50, 60, 3]}}
        - {x: {shape: [1, 9, 5, 300]}}
        - {x: {shape: [1, 3, 3, 1000]}}
        - {x: {shape: [3, 1, 1, 40]}}
        - {x: {shape: [2, 3, 2, 50]}}
        - {x: {shape: [2, 2, 3, 43]}}
  Wide:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}, g: {dtype: ufixed8, shape: [C]}, b: {dtype: sfixed32, shape: [C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, H, W, C]}}
    compute: y = (x - mean(x, axis=(1, 2), keepdims=True)) / sqrt(var(x, axis=(1, 2), keepdims=True) + 0.001) * g + b
    tests: {cases: [{x: {shape: [2, 9, 1, 100]}}, {x: {shape: [2, 9, 5, 100]}}]}
  Large:
    types: {T: [ufixed8, sfixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: y = (x - mean(x, axis=(1, 2), keepdims=True)) * rsqrt(var(x, axis=(1, 2), keepdims=True) + 0.001)
    kernels: [{layout: flat}]
    tests: {cases: [{x: {shape: [1, 256, 256, 3]}}, {x: {shape: [1, 251, 263, 2]}}]}
  Around:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: T, shape: [A, B, C, D]}}
    compute: y = x * rsqrt(mean(x * x, axis=(0, 2), keepdims=True) + 0.01)
    tests: {cases: [{x: {shape: [3, 4, 7, 128]}}, {x: {shape: [2, 3, 5, 6]}}]}
  Centered:
    types: {T: [sfixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: y = x - mean(x, axis=(1, 2), keepdims=True)
    kernels: [{layout: flat}]
    tests: {cases: [{x: {shape: [2, 9, 5, 100]}}, {x: {shape: [1, 20, 30, 128]}}]}
  Clamped:
    types: {T: [ufixed8, sfixed8, ufixed16, sfixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, g: {dtype: T, shape: [C]}}
    params: {most: {dtype: float32, default: 1.5}, least: {dtype: int32, default: -2}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: |
      d = x - mean(x, axis=(1, 2), keepdims=True)
      y = max(min(d * rsqrt(mean(d * d, axis=(1, 2), keepdims=True) + 0.001) * g, most), least)
    tests:
      cases:
        - {x: {shape: [1, 9, 5, 100]}}
        - {x: {shape: [2, 12, 5, 17]}, least: 0, most: 6.0}
        - {x: {shape: [1, 16, 8, 64]}, least: 0}
"""
BENCH = """\
opkg: 1
package: {name: t.norm, targets: [qnn-htp-qhpi]}
ops:
  Norm:
    types: {T: [ufixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, g: {dtype: T, shape: [C]}, b: {dtype: T, shape: [C]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: |
      m = mean(x, axis=(1, 2), keepdims=True)
      y = (x - m) * rsqrt(mean((x - m) ** 2, axis=(1, 2), keepdims=True) + 0.00001) * g + b
"""


def _verified(tmp_path: Path, machines: tuple[str, ...], cases: int) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:  # columns that are not exact enough, or factors that are too steep, are portable
        assert cell.paths.vector > 4 * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_instance_norm_is_that_of_the_reference(tmp_path: Path) -> None:
    _verified(tmp_path, ("host",), 4)


@pytest.mark.sweep
def test_instance_norm_on_all_machines(tmp_path: Path) -> None:
    _verified(tmp_path, ("host", "hexagon"), 40)


@pytest.mark.sweep
def test_packets_of_instance_norm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two passes, and the lines of 32 columns at a time between."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(BENCH)
    monkeypatch.chdir(tmp_path)
    assert run(["bench", "Norm", "--call", "--arch", "v73", "--shape", "1x56x56x64", "--format", "json"]) == 0
    bars = {"norm_u8": 18, "norm_u16": 11, "norm_u8_crouton": 18, "norm_u16_crouton": 11.8}
    for record in json.loads(capsys.readouterr().out):
        size = 56 * 56 * 64 * (2 if "u16" in record["kernel"] else 1)
        assert (record["parts"]["rows"] + record["stalls"]) * 128 / size <= bars[record["kernel"]], record


RELU = """\
  Relu:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, H, W, C]}}
    compute: y = @RESULT@
"""


@pytest.mark.parametrize(
    ("result", "strategy"),
    [
        ("max(x - mean(x, axis=(1, 2), keepdims=True), 0)", "columns"),
        ("sigmoid(x - mean(x, axis=(1, 2), keepdims=True))", "rows"),
        ("max(x - mean(x, axis=(1, 2), keepdims=True), x)", "rows"),
    ],
)
def test_what_follows_a_norm_clamps_it_or_is_of_rows(tmp_path: Path, result: str, strategy: str | None) -> None:
    package = generated(tmp_path, RELU.replace("@RESULT@", result))
    (op,) = package.ops
    for source in sources_of(op, op.kernels):
        for snippet in (part for group in parts(op, source, True) for part in group):
            chosen = choose(snippet)
            assert (chosen.strategy if chosen else None) == strategy
