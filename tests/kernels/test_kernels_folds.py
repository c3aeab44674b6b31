"""Reductions of short rows, many at a time: whole packages against their references, on the host and in qemu, and cost."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, absent, need_arch
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Rows that fill slots and that do not, of one and of several vectors, fewer and more of them than a vector has lanes.
OPS = """\
  Most:
    types: {T: [ufixed8, sfixed8, ufixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A, 1]}}
    kernels: [{multithreaded: true}]
    compute: y = max(x, axis=-1, keepdims=True)
    tests:
      cases:
        - {x: {shape: [300, 32]}}
        - {x: {shape: [7, 1]}}
        - {x: {shape: [300, 3]}}
        - {x: {shape: [129, 17]}}
        - {x: {shape: [130, 64]}}
        - {x: {shape: [130, 100]}}
        - {x: {shape: [128, 128]}}
        - {x: {shape: [131, 197]}}
        - {x: {shape: [33, 1000]}}
  Least:
    types: {T: [int32, int8]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: int32, shape: [A]}}
    compute: y = min(x, axis=-1)
    tests: {cases: [{x: {shape: [300, 32]}}, {x: {shape: [7, 1]}}, {x: {shape: [129, 17]}}, {x: {shape: [33, 100]}}]}
  Lowest:
    inputs: {x: {dtype: sfixed32, shape: [A, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A]}}
    compute: y = min(x, axis=-1)
    tests:
      cases:
        - {x: {shape: [129, 33], scale: 0.5}, y: {scale: 0.5}}
        - {x: {shape: [7, 40], scale: 0.5}, y: {scale: 0.001}}
        - {x: {shape: [33, 100], scale: 0.5, offset: -3}, y: {scale: 0.7, offset: 5}}
  Magnitudes:
    inputs: {x: {dtype: ufixed16, shape: [A, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A]}}
    compute: y = sum(abs(x), axis=-1)
    tests: {cases: [{x: {shape: [129, 33]}}, {x: {shape: [2, 40000]}}]}
  OfTables:
    inputs: {x: {dtype: ufixed8, shape: [A, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A]}}
    compute: y = sum(abs(x), axis=-1)
    tests: {cases: [{x: {shape: [9, 4133]}, y: {scale: 5.0e-8}}]}
  Mean:
    types: {T: [ufixed8, sfixed8, ufixed16, sfixed16, sfixed32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A]}}
    compute: y = mean(x, axis=-1)
    tests:
      cases:
        - {x: {shape: [300, 32]}}
        - {x: {shape: [7, 1]}}
        - {x: {shape: [300, 3]}}
        - {x: {shape: [129, 31]}}
        - {x: {shape: [131, 197]}}
        - {x: {shape: [2, 40000]}}
  Total:
    types: {T: [int32, uint8]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: int32, shape: [A]}}
    compute: y = sum(x, axis=(1, 2))
    tests: {cases: [{x: {shape: [300, 4, 8]}}, {x: {shape: [300, 3, 1]}}, {x: {shape: [129, 1, 17]}}]}
  Ends:
    inputs: {x: {dtype: int32, shape: [A, C]}}
    outputs: {y: {dtype: int32, shape: [A]}}
    compute: y = sum(x, axis=-1)
    tests: {cases: [{x: {shape: [3, 5], values: ENDS}}]}
  Product:
    inputs: {x: {dtype: int32, shape: [A, C]}}
    outputs: {y: {dtype: int32, shape: [A]}}
    compute: y = prod(x, axis=-1)
    tests: {cases: [{x: {shape: [300, 3]}}, {x: {shape: [7, 1]}}, {x: {shape: [129, 17]}}, {x: {shape: [33, 100]}}]}
  Squares:
    inputs: {x: {dtype: ufixed8, shape: [A, C]}}
    outputs: {y: {dtype: ufixed16, shape: [A]}}
    compute: y = mean(x * x, axis=-1)
  Sizes:
    types: {T: [ufixed8, sfixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A]}}
    compute: y = mean(abs(x), axis=-1)
    tests: {cases: [{x: {shape: [300, 32]}}, {x: {shape: [7, 1]}}, {x: {shape: [129, 17]}}, {x: {shape: [33, 1000]}}]}
""".replace("ENDS", str([2**31 - 1] * 5 + [-(2**31)] * 5 + [2**31 - 1, -(2**31), 65535, -65536, -(2**31)]))
SPEC = """\
opkg: 1
package: {name: t.most, targets: [qnn-htp-qhpi]}
ops:
  Most:
    inputs: {x: {dtype: ufixed8, shape: [N, C]}}
    outputs: {y: {dtype: ufixed8, shape: [N, 1]}}
    compute: y = max(x, axis=-1, keepdims=True)
  Total:
    inputs: {x: {dtype: float32, shape: [N, C]}}
    outputs: {y: {dtype: float32, shape: [N]}}
    compute: y = sum(x, axis=-1)
  Lowest:
    inputs: {x: {dtype: sfixed32, shape: [N, C]}}
    outputs: {y: {dtype: sfixed32, shape: [N]}}
    compute: y = min(x, axis=-1)
"""


def test_rows_are_those_of_the_reference(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=4, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


def test_packets_of_short_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a whole call, per 128 rows: aligned, and anywhere."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    every = {
        "Most": {"1024x32": 58, "3136x32": 50, "128x17": 400, "999x17": 215, "999x3": 80, "64x200": 1500},
        "Total": {"999x3": 330, "999x17": 1400},
        "Lowest": {"512x40": 1300, "15x7": 1600},
    }
    anywhere = {"1024x32": 70, "3136x32": 62}  # where they take more than aligned ones
    for op, bars in every.items():
        shapes = [word for shape in bars for word in ("--shape", shape)]
        assert run(["bench", op, "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
        records = iter(json.loads(capsys.readouterr().out))
        for shape, aligned in bars.items():
            for bar in (aligned, anywhere.get(shape, aligned)):
                record = next(records)
                assert (record["later"] + record["stalls"]) * 128 / int(shape.split("x")[0]) <= bar, record


FLOATS = """\
  Most:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A]}}
    kernels: [{multithreaded: true}]
    compute: y = max(x, axis=-1)
    tests: {cases: [{x: {shape: [300, 3]}}, {x: {shape: [7, 1]}}, {x: {shape: [129, 17]}}, {x: {shape: [33, 100]}}]}
  Least:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: T, shape: [A, 1, 1]}}
    compute: y = min(x, axis=(1, 2), keepdims=True)
    tests: {cases: [{x: {shape: [65, 4, 8]}}, {x: {shape: [31, 3, 1]}}, {x: {shape: [9, 10, 100]}}]}
  Total:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A]}}
    kernels: [{multithreaded: true}]
    compute: y = sum(x, axis=-1)
    tests: {cases: [{x: {shape: [300, 3]}}, {x: {shape: [7, 1]}}, {x: {shape: [129, 17]}}, {x: {shape: [33, 2049]}}]}
  Mean:
    inputs: {x: {dtype: T, shape: [A, B, C, 16]}}
    types: {T: [float16, float32]}
    outputs: {y: {dtype: T, shape: [A, B, 1, 1]}}
    compute: y = mean(x, axis=(2, 3), keepdims=True)
    tests: {cases: [{x: {shape: [5, 13, 1, 16]}}, {x: {shape: [1, 66, 2, 16]}}, {x: {shape: [2, 9, 7, 16]}}]}
  Widened:
    inputs: {x: {dtype: float16, shape: [A, C]}}
    outputs: {y: {dtype: float32, shape: [A, 1]}}
    compute: y = mean(x, axis=-1, keepdims=True)
    tests: {cases: [{x: {shape: [65, 17]}}]}
"""


def test_extremes_of_floats_of_all_kinds(tmp_path: Path) -> None:
    """NaN where one is, infinities, zeros and subnormal numbers of either sign."""
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    program = tmp_path / "folds"
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}"]
    command += [
        "-isystem",
        str(SIM / "include"),
        str(Path(__file__).parent / "hvx_fold_floats.cpp"),
        "-o",
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout


def test_rows_of_floats_are_those_of_the_reference(tmp_path: Path) -> None:
    package = generated(tmp_path, FLOATS)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=2, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        if cell.op in ("Total", "Mean", "Widened"):  # sums that are not finite are portable
            assert cell.paths.vector > cell.paths.portable, (cell.op, str(cell.types), cell.paths)
        else:
            assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


def test_sums_of_floats_in_whole_numbers(tmp_path: Path) -> None:
    """v66: rows that are short enough, and so many that they are folded, too."""
    need_arch("v66")
    spec = """\
  Mean:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A]}}
    compute: y = mean(x, axis=-1)
    tests: {cases: [{x: {shape: [131, 3]}}, {x: {shape: [2, 3]}}, {x: {shape: [33, 8]}}, {x: {shape: [16, 17]}}]}
"""
    result = verify(
        tmp_path, [generated(tmp_path, spec)], VerifyOptions(on=("hexagon-v66",), cases=1, check_current=False)
    )
    assert failures(result) == ""
    for cell in result.cells:
        # Sums that are not finite are portable.
        assert cell.paths.vector > cell.paths.portable, (cell.op, str(cell.types), cell.paths)
