"""Reductions over the height, the width or both of tensors in blocks: against their references, and what they cost."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Blocks that end behind the image, within a vector and before it; depths of one, some and many channels; images; more
# elements than 16 bits hold the sums of.
_SHAPES = """
      cases:
        - {x: {shape: [2, 7, 7, 100]}}
        - {x: {shape: [1, 17, 9, 33]}}
        - {x: {shape: [3, 8, 12, 65]}}
        - {x: {shape: [1, 5, 6, 129]}}
        - {x: {shape: [1, 5, 3, 199]}}
        - {x: {shape: [2, 9, 5, 220]}}
        - {x: {shape: [1, 16, 16, 1]}}
        - {x: {shape: [2, 4, 5, 1000]}}
"""
_OP = """\
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{{outputs}}}
    compute: {compute}
    tests:{shapes}"""
_CASES = {
    "Mean": ("ufixed8, ufixed16", "[N, 1, 1, C]", "y = mean(x, axis=(1, 2), keepdims=True)"),
    "Flat": ("sfixed8", "[N, C]", "y = mean(x, axis=(1, 2))"),
    "High": ("sfixed8", "[N, 1, W, C]", "y = sum(x, axis=1, keepdims=True)"),
    "Wide": ("ufixed16", "[N, H, 1, C]", "y = max(x, axis=2, keepdims=True)"),
    "Lines": ("ufixed8", "[N, H, C]", "y = min(x, axis=2)"),
    "Variance": (
        "ufixed8",
        "[N, 1, 1, C]",
        "y = mean((x - mean(x, axis=(1, 2), keepdims=True)) ** 2, axis=(1, 2), keepdims=True)",
    ),
}
# Halves: few and many elements of a column, squares about the mean, lines of results, flat ones, several.
_HALVES = {
    "Mean": ("float16", "[N, 1, 1, C]", "y = mean(x, axis=(1, 2), keepdims=True)"),
    "Variance": ("float16", "[N, C]", "y = var(x, axis=(1, 2))"),
    "High": ("float16", "[N, 1, W, C]", "y = var(x, axis=1, keepdims=True); z = max(x, axis=1, keepdims=True)"),
    "Wide": ("float16", "[N, H, 1, C]", "y = min(x, axis=2, keepdims=True)"),
    "Lines": ("float16", "[N, H, C]", "y = sum(x, axis=2); z = sqrt(mean(x, axis=2) + 9)"),
}
_MANY = """
      cases:
        - {x: {shape: [2, 7, 7, 100]}}
        - {x: {shape: [1, 25, 33, 33]}}
        - {x: {shape: [3, 8, 12, 17]}}
        - {x: {shape: [1, 50, 47, 65]}}
        - {x: {shape: [1, 5, 3, 1]}}
"""
POOL = """\
opkg: 1
package: {name: t.pool, targets: [qnn-htp-qhpi]}
ops:
  Pool:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, 1, 1, C]}}
    compute: y = mean(x, axis=(1, 2), keepdims=True)
"""


def _ops(cases: dict[str, tuple[str, str, str]], shapes: str) -> str:
    found = []
    for name, (types, shape, compute) in cases.items():
        outputs = ", ".join(f"{part.split(' = ')[0]}: {{dtype: T, shape: {shape}}}" for part in compute.split("; "))
        found.append(_OP.format(name=name, types=types, outputs=outputs, compute=compute, shapes=shapes))
    return "".join(found)


def test_columns_in_blocks_are_those_of_the_reference(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, _ops(_CASES, _SHAPES))
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=2, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert any(kernel.endswith("_crouton") for kernel in cell.kernels), (cell.op, cell.kernels)
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


def test_columns_of_halves_in_blocks(tmp_path: Path) -> None:
    """Vectors take all but what is not finite."""
    package = generated(tmp_path, _ops(_HALVES, _MANY))
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=6, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert any(kernel.endswith("_crouton") for kernel in cell.kernels), (cell.op, cell.kernels)
        assert cell.paths.vector > 5 * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_packets_of_columns_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four units of 32 results are finished together, so that small images take little more than their elements; nothing waits
    for loads. Flat images of rows less than a vector wide follow one another in one loop."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(POOL)
    monkeypatch.chdir(tmp_path)
    bars = {
        ("1x7x7x1280", "crouton"): 1.85,
        ("1x56x56x32", "crouton"): 1.65,
        ("1x28x28x100", "crouton"): 1.8,
        ("3x7x7x100", "flat"): 2.4,
    }
    shapes = [part for shape, _ in bars for part in ("--shape", shape)]
    assert run(["bench", "Pool", "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
    found = {}
    for record in json.loads(capsys.readouterr().out):
        size = math.prod(record["shape"])
        key = "x".join(map(str, record["shape"])), record["layout"]
        found[key] = round((record["parts"]["rows"] + record["stalls"]) * 128 / size, 2)
    assert all(found[key] <= bar for key, bar in bars.items()), found
