"""Parts that lie alike in all operands (halves of rotary embeddings, pairs): runs of all that lies between, of which a sieve
keeps the parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Rows of some bytes to some vectors, powers of two and others; one row of many heads, a plane, and several of them.
ROWS = (2, 6, 10, 34, 64, 80, 96, 126, 128, 130, 160, 200, 252)
OTHERS = [(1, 33, 1, 64), (1, 2, 1, 96), (1, 1, 70, 160), (1, 5, 16, 32), (3, 1, 2, 100), (1, 2, 90, 128)]
SHAPES = [(2, 3, 7, n) for n in ROWS] + OTHERS

PAIRS = [(3, 8, 5), (2, 7, 32), (1, 3, 17), (5, 4, 64), (4, 33, 100), (2, 2, 700), (1, 2, 3000), (9, 1, 3)]
COMPLEX = (1, 3, 17, 100, 1000, 9000)


def _cases(name: str, *others: str) -> str:
    """A case for each shape; `others` are inputs with a shape of `L`, `D`."""
    lines = []
    for shape in SHAPES:
        rest = "".join(f", {other}: {{shape: [{shape[2]}, {shape[3]}]}}" for other in others)
        lines.append(f"        - {{{name}: {{shape: {list(shape)}}}{rest}}}\n")
    return "    tests:\n      cases:\n" + "".join(lines)


SPEC = (
    """\
  Rotate:
    types: {T: [ufixed8, sfixed16, float16]}
    inputs: {x: {dtype: T, shape: "[A, B, L, D]"}, cos: {dtype: T, shape: "[L, D]"}, sin: {dtype: T, shape: "[L, D]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [D % 2 == 0]
    compute: "y = x * cos + concat(-x[..., D // 2 :], x[..., : D // 2], axis=-1) * sin"
"""
    + _cases("x", "cos", "sin")
    + """\
  Uneven:
    types: {T: [ufixed8, int32]}
    inputs: {x: {dtype: T, shape: "[A, B, L, D]"}, z: {dtype: T, shape: "[A, B, L, D]"}, g: {dtype: T, shape: "[D]"}}
    outputs: {y: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    constraints: [D % 2 == 0]
    compute: |
      y = concat(x[..., : D // 2] + z[..., D // 2 :], x[..., D // 2 :] + g[D // 2 :], axis=-1)
      w = concat(max(x[..., 1:], z[..., 1:]) - g[1:], x[..., :1] + z[..., -1:], axis=-1)
"""
    + _cases("x")
    + """\
  Pairs:
    types: {T: [ufixed8, sfixed16, float16]}
    inputs: {x: {dtype: T, shape: "[L, H, D, 2]"}, cos: {dtype: T, shape: "[L, 1, D]"}, sin: {dtype: T, shape: "[L, 1, D]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      r = x[..., 0:1]
      i = x[..., 1:2]
      c = reshape(cos, (cos.shape[0], 1, cos.shape[2], 1))
      s = reshape(sin, (sin.shape[0], 1, sin.shape[2], 1))
      y = concat(r * c - i * s, r * s + i * c, axis=-1)
    tests:
      cases:
"""
    + "".join(f"        - {{x: {{shape: [{a}, {b}, {c}, 2]}}, cos: {{shape: [{a}, 1, {c}]}}}}\n" for a, b, c in PAIRS)
    + """\
  Complex:
    types: {T: [ufixed8, int32, float32]}
    inputs: {a: {dtype: T, shape: "[N, 2]"}, b: {dtype: T, shape: "[N, 2]"}, w: {dtype: T, shape: "[1, 2]"}}
    outputs: {y: {dtype: T, shape: a.shape}}
    compute: |
      real = a[:, :1] * b[:, :1] - a[:, 1:] * b[:, 1:] + w[:, 1:]
      y = concat(real, a[:, :1] * b[:, 1:] + a[:, 1:] * b[:, :1] + w[:, :1], axis=-1)
    tests:
      cases:
"""
    + "".join(f"        - {{a: {{shape: [{n}, 2]}}}}\n" for n in COMPLEX)
)


def test_results_are_what_they_should_be(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, SPEC)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=2, check_current=False))
    assert failures(result) == ""
    assert {cell.op for cell in result.cells} == {"Rotate", "Uneven", "Pairs", "Complex"}
    for cell in result.cells:
        emulated = machine == "host" or "float" not in str(cell.types)  # qemu has no floats in vectors
        assert not emulated or cell.paths.vector > 3 * cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_nothing_is_read_or_written_beside_the_tensors(tmp_path: Path) -> None:
    package = generated(tmp_path, SPEC)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=1, check_current=False, sanitize=True))
    assert failures(result) == ""


def test_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Heads of 64 took 107 packets and stalls per 128 bytes (bytes), 88 (16 bits) and 83 (float16): all parts were copied."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(
        "opkg: 1\npackage: {name: t.runs, targets: [qnn-htp-qhpi]}\nops:\n" + SPEC
    )
    monkeypatch.chdir(tmp_path)
    assert run(["bench", "Rotate", "--call", "--arch", "v73", "--shape", "1x8x64x64", "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    bars = {"u8": 37, "s16": 42, "f16": 33}
    found = {}
    for record in records:
        kind = record["kernel"].rpartition("_")[2]
        size = 8 * 64 * 64 * (1 if kind == "u8" else 2)
        found[kind] = max(found.get(kind, 0), (record["later"] + record["stalls"]) * 128 / size)
    assert found.keys() == bars.keys()
    assert all(found[kind] <= bars[kind] for kind in bars), found
