"""Reductions of the last dimension of tensors in blocks: pixels become rows in slots, and go back (opkg/staged_pixels.h)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Slots of 4 to 128 bytes, rows with vectors of their own; pieces of some rows of an image, of some pixels, with a last one
# that is shorter; images; one pixel, one column.
_SHAPES = "[3, 5, 6, 1], [2, 17, 9, 3], [1, 23, 70, 12], [2, 17, 1, 33], [1, 6, 5, 129], [1, 3, 5, 1000]"
_MORE = "[2, 9, 17, 17], [1, 5, 2, 2], [1, 8, 8, 32], [2, 7, 7, 100], [1, 1, 1, 1000], [1, 4, 9, 127], [2, 3, 11, 256]"
_OP = """\
  {name}:
    types: {{T: [ufixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}{inputs}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, {deep}]}}}}
    compute: {compute}
    kernels: [{{layout: either}}]
    tests:
      cases:
"""
_RMS = "y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.01)"
_GAMMA = ", gamma: {dtype: T, shape: [C], static: true}"
_OTHER = ", b: {dtype: T, shape: [N, H, W, C]}"
_SUM = "sum({} * {}, axis=-1, keepdims=True)"
_SOFTMAX = "e = exp(x - max(x, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)"
_OPS = {
    "Softmax": ("", "C", f"'{_SOFTMAX}'"),  # in units: pixels stay as they lie in blocks
    "Rms": (_GAMMA, "C", f"{_RMS} * gamma"),
    "Scaled": (", s: {dtype: T, shape: [N, H, W, 1]}", "C", f"{_RMS} * s"),  # row by row: a number for each
    "Mean": ("", "1", "y = mean(x, axis=-1, keepdims=True)"),  # many rows at a time: rows follow each other
    "Cosine": (
        _OTHER,
        "1",
        f"y = {_SUM.format('x', 'b')} * rsqrt({_SUM.format('x', 'x')} * {_SUM.format('b', 'b')} + 0.001)",
    ),
}


def _ops(shapes: str, names: tuple[str, ...]) -> str:
    found = []
    for name in names:
        inputs, deep, compute = _OPS[name]
        found.append(_OP.format(name=name, inputs=inputs, deep=deep, compute=compute))
        for shape in shapes.split("], ["):
            n, h, w, c = shape.strip("[]").split(", ")
            more = {
                "Rms": f", gamma: {{shape: [{c}]}}",
                "Scaled": f", s: {{shape: [{n}, {h}, {w}, 1]}}",
                "Cosine": f", b: {{shape: [{n}, {h}, {w}, {c}]}}",
            }.get(name, "")
            found.append(f"        - {{x: {{shape: [{n}, {h}, {w}, {c}]}}{more}}}\n")
    return "".join(found)


def _verified(tmp_path: Path, text: str, machines: tuple[str, ...], cases: int) -> None:
    package = generated(tmp_path, text)
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert any(kernel.endswith("_crouton") for kernel in cell.kernels), (cell.op, cell.kernels)


def test_pixels_in_blocks_are_rows(tmp_path: Path) -> None:
    _verified(tmp_path, _ops(_SHAPES, ("Softmax", "Rms", "Mean", "Cosine")).replace("ufixed8, ", ""), ("host",), 1)


@pytest.mark.sweep
def test_pixels_of_all_kinds_are_rows(tmp_path: Path) -> None:
    machines = ("host", *(f"hexagon-{arch}" for arch in ("v66", "v73") if not toolchain.missing()))
    _verified(tmp_path, _ops(f"{_SHAPES}, {_MORE}", tuple(_OPS)), machines, 3)


def test_packets_of_rows_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Moving pixels takes less than gathering flat rows of 100 elements."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    head = "opkg: 1\npackage: {name: t.rows, targets: [qnn-htp-qhpi]}\nops:\n"
    (tmp_path / "specs" / "s.yaml").write_text(head + _ops(_SHAPES, ("Rms", "Cosine", "Softmax")))
    monkeypatch.chdir(tmp_path)
    bars = {"rms_u8_crouton": 115, "rms_u16_crouton": 117, "cosine_u8_crouton": 95, "cosine_u16_crouton": 95}
    records = []
    for op in ("Rms", "Cosine"):
        assert run(["bench", op, "--call", "--arch", "v73", "--shape", "1x7x7x100", "--format", "json"]) == 0
        records += [found for found in json.loads(capsys.readouterr().out) if found["kernel"] in bars]
    assert len(records) == 4
    for record in records:
        size = 4900 * (2 if "u16" in record["kernel"] else 1)
        assert (record["later"] + record["stalls"]) * 128 / size <= bars[record["kernel"]], record
    shapes = {"1x8x8x64": 100, "1x8x8x128": 70, "1x8x8x1000": 45}  # pixels that stay as they lie
    assert run(["bench", "Softmax", "--call", "--arch", "v73", *_words(shapes), "--format", "json"]) == 0
    found = [record for record in json.loads(capsys.readouterr().out) if record["kernel"] == "softmax_u8_crouton"]
    for record, (shape, bar) in zip(found, shapes.items(), strict=True):
        results = math.prod(map(int, shape.split("x")))
        assert (record["later"] + record["stalls"]) * 128 / results <= bar, record


def _words(shapes: Iterable[str]) -> list[str]:
    return [word for shape in shapes for word in ("--shape", shape)]
