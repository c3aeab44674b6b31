"""opkg bench --call: what rows cost that are not one aligned piece: blocks, tensors at any address, numbers per channel."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from kernels_kit import absent

from opkg.cli.main import run
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

SPEC = """\
opkg: 1
package: {name: t.walks, targets: [qnn-htp-qhpi]}
ops:
  Add:
    inputs: {a: {dtype: ufixed8, rank: 1..4}, b: {dtype: ufixed8, shape: a.shape}}
    outputs: {y: {dtype: ufixed8, shape: a.shape}}
    compute: y = a + b
    kernels:
      - {layout: flat}
      - {layout: crouton, function: add_blocks}
  Silu:
    inputs: {x: {dtype: ufixed8, rank: 1..4}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x * sigmoid(x)
    kernels:
      - {layout: flat}
      - {layout: crouton, function: silu_blocks}
  Shift:
    inputs: {x: {dtype: ufixed8, shape: "[rows..., C]", rank: 1..4}, s: {dtype: ufixed8, shape: "[C]"}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x + s
  Differ:
    inputs: {a: {dtype: ufixed8, rank: 1..4}, b: {dtype: ufixed8, shape: a.shape}}
    outputs: {y: {dtype: bool8, shape: a.shape}}
    compute: y = a != b
  Among:
    inputs: {a: {dtype: ufixed8, rank: 1..4}, b: {dtype: ufixed8, shape: a.shape}, c: {dtype: ufixed8, shape: a.shape}}
    outputs: {y: {dtype: bool8, shape: a.shape}}
    compute: y = a > b and b > c
  MulAdd:
    inputs: {a: {dtype: int32, rank: 1..4}, b: {dtype: int32, shape: a.shape}, c: {dtype: int32, shape: a.shape}}
    outputs: {y: {dtype: int32, shape: a.shape}}
    compute: y = a * b + c
  Rotate:
    inputs:
      x: {dtype: ufixed8, shape: "[N, L, D]"}
      cos: {dtype: ufixed8, shape: "[L, D]"}
      sin: {dtype: ufixed8, shape: "[L, D]"}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    constraints: [D % 2 == 0]
    compute: "y = x * cos + concat(-x[..., D // 2 :], x[..., : D // 2], axis=-1) * sin"
  Turned:
    inputs: {x: {dtype: ufixed8, shape: "[N, H, W, C]"}}
    outputs: {y: {dtype: ufixed8, shape: "[N, H, C, W]"}}
    compute: y = transpose(x, (0, 1, 3, 2)) * 2
  Gate:
    inputs: {x: {dtype: ufixed8, shape: "[N, H, W, C]"}, g: {dtype: ufixed8, shape: "[N, H, W, 1]"}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x * g
  Norm:
    inputs:
      x: {dtype: ufixed8, shape: "[rows..., C]", rank: 2..4}
      w: {dtype: ufixed8, shape: "[C]"}
      b: {dtype: ufixed8, shape: "[C]"}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 1e-5) * w + b
"""


def _rows(op: str, shapes: str, capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, str, bool], float]:
    """Packets and stalls of rows and tail per 128 bytes, by kernel, shape, and whether tensors are aligned."""
    arguments = [part for shape in shapes.split() for part in ("--shape", shape)]
    assert run(["bench", op, "--call", "--arch", toolchain.runnable()[-1], *arguments, "--format", "json"]) == 0
    found = {}
    for record in json.loads(capsys.readouterr().out):
        shape = "x".join(map(str, record["shape"]))
        work = record["parts"]["rows"] + record["parts"]["tail"] + record["stalls"]
        found[record["kernel"], shape, record["aligned"]] = work * 128 / math.prod(record["shape"])
    return found


@pytest.fixture(name="project", autouse=True)
def fixture_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if toolchain.missing():
        absent(f"no {toolchain.missing()}")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("op", "name", "most"), [("Differ", "differ", 6), ("Among", "among", 9), ("MulAdd", "mul_add", 4)]
)
def test_aligned_rows_are_no_slower(op: str, name: str, most: float, capsys: pytest.CaptureFixture[str]) -> None:
    """A loop that the compiler puts into other functions takes three times the packets; nothing is tuned here."""
    shape = "1x16x1000"
    found = _rows(op, shape, capsys)
    width = 4 if op == "MulAdd" else 1
    assert found[name, shape, True] / width <= min(most, found[name, shape, False] / width)


def test_lookups_do_not_wait_for_loads(capsys: pytest.CaptureFixture[str]) -> None:
    """Eight lookups a step, whose input is loaded two steps before: 8.4 packets and stalls are asked for in blocks."""
    shape = "1x56x56x64"
    silu = _rows("Silu", shape, capsys)
    assert silu["silu_blocks", shape, True] <= 8.2
    assert silu["silu", shape, True] <= 8.1


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Careful code takes 3.3 in blocks and 3.6 at any address; numbers per channel are to take 3.6 (multiples of 32) and 6.
    Clang's pipeliner depends on where its memory lies: one source becomes turns of 27 or of 28 packets for 8 steps in blocks."""
    shape = "1x56x56x64"
    add = _rows("Add", shape, capsys)
    assert add["add", shape, True] <= 3.52
    assert add["add_blocks", shape, True] <= 3.52
    assert add["add", shape, False] <= 3.9
    most = {"1x56x56x32": 3.6, "1x56x56x96": 3.6, "1x28x28x256": 3.6, "1x14x14x1280": 3.62}
    most |= {"1x28x28x3": 9, "1x112x112x3": 6, "1x56x56x17": 6, "1x56x56x100": 6, "1x28x28x200": 6, "1x14x14x1000": 6}
    shift = _rows("Shift", " ".join(most), capsys)
    for where, bar in most.items():
        assert shift["shift", where, True] <= bar, where
        assert shift["shift", where, False] <= max(bar, 6), where


def test_what_blocks_have_beside_pixels_is_not_computed(capsys: pytest.CaptureFixture[str]) -> None:
    """Images of 7 columns lie in blocks of 8, five rows too. Whatever is in the eighth: it was left to the portable code."""
    shapes = "1x7x7x96 1x1x5x768"
    norm = _rows("Norm", shapes, capsys)
    for shape, most in zip(shapes.split(), (280, 105), strict=True):
        assert norm["norm_crouton", shape, True] <= most, shape


@pytest.mark.parametrize(("op", "shape", "most"), [("Rotate", "9x7x34", 1750), ("Turned", "4x7x7x3", 1950)])
def test_rows_of_several_planes_are_brought_together(
    op: str, shape: str, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plane by plane their copies took 11,336 and 73,800 packets of a call."""
    assert run(["bench", op, "--call", "--arch", toolchain.runnable()[-1], "--shape", shape, "--format", "json"]) == 0
    assert max(record["overhead"] for record in json.loads(capsys.readouterr().out)) <= most


def test_what_repeats_in_whole_vectors_is_put_into_memory_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    arch = toolchain.runnable()[-1]
    assert run(["bench", "Shift", "--call", "--arch", arch, "--shape", "1x8x8x32", "--format", "json"]) == 0
    assert max(record["overhead"] for record in json.loads(capsys.readouterr().out)) <= 60


def test_one_number_for_each_pixel_is_spread_by_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    """One call of memset() for each pixel took 53 packets of it."""
    arch, shape = toolchain.runnable()[-1], "1x28x28x64"
    assert run(["bench", "Gate", "--call", "--arch", arch, "--shape", shape, "--format", "json"]) == 0
    flat = [record for record in json.loads(capsys.readouterr().out) if record["kernel"] == "gate"]
    assert flat
    assert max(record["overhead"] for record in flat) <= 28 * 28 * 7
