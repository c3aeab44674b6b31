"""Elements that move in whole blocks, and those of quantized tensors that move between scales: against their references."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from kernels_kit import need_arch
from kernels_product import failures, generated, package_of

from opkg.kernels.blocks import why_flat
from opkg.spec.compute.parts import aligned
from opkg.verify.api import VerifyOptions, verify

_SPEC = """\
  Join:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}, z: {{dtype: T, shape: [N, H, W, D]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C + D]}}}}
    compute: y = concat(x, z, axis=-1)
    tests:
      cases:
        - {{x: {{shape: [1, 9, 17, 64]}}, z: {{shape: [1, 9, 17, 37]}}}}
        - {{x: {{shape: [2, 8, 5, 32]}}, z: {{shape: [2, 8, 5, 64]}}}}
        - {{x: {{shape: [1, 7, 9, 20]}}, z: {{shape: [1, 7, 9, 44]}}}}
  Rows:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}, z: {{dtype: T, shape: [N, K, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H + K, W, C]}}}}
    compute: y = max(concat(x, z, axis=1), 0)
    tests:
      cases:
        - {{x: {{shape: [1, 8, 9, 35]}}, z: {{shape: [1, 3, 9, 35]}}}}
        - {{x: {{shape: [2, 16, 3, 33]}}, z: {{shape: [2, 8, 3, 33]}}}}
  Glu:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H, W, C // 2]}}}}
    constraints: [C % 2 == 0]
    compute: y = x[..., :C // 2] * sigmoid(x[..., C // 2:])
    tests:
      cases:
        - {{x: {{shape: [1, 9, 11, 64]}}}}
        - {{x: {{shape: [2, 8, 8, 192]}}}}
        - {{x: {{shape: [1, 8, 8, 40]}}}}
  Half:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H // 2, W, C], quantization: same as x}}}}
    constraints: [H > 1]
    compute: y = x[:, :H // 2]
    tests: {{cases: [{{x: {{shape: [1, 16, 3, 33]}}}}, {{x: {{shape: [2, 10, 3, 32]}}}}]}}
  Cut:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, 24, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, 13, W, C - 32]}}, z: {{dtype: T, shape: [N, 13, W, C - 32]}}}}
    constraints: [C > 32]
    compute: y = x[:, 8:21, :, 32:]; z = -x[:, :13, :, 32:]
    tests:
      cases:
        - {{x: {{shape: [1, 24, 9, 40]}}}}
        - {{x: {{shape: [2, 24, 4, 100]}}}}
"""
# Parts without elements: of 1 channel, and of 31.
_EMPTY = """\
  Turn:
    types: {T: [ufixed8, float16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: x.shape}, z: {dtype: T, shape: x.shape}}
    compute: y = concat(x[..., 32:], x[..., :32], axis=-1); z = abs(y)
    tests:
      cases:
        - {x: {shape: [1, 2, 3, 1]}}
        - {x: {shape: [2, 3, 1, 31]}}
        - {x: {shape: [1, 9, 4, 64]}}
        - {x: {shape: [1, 1, 1, 33]}}
"""
# Pixels: of a vector one behind another, from two vectors, apart, backwards, from rows; around them what the input has not.
_PIXELS = """\
  Frame:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, H + 3, W + 2, C]}}}}
    compute: y = pad(x, ((0, 0), (1, 2), (1, 1), (0, 0)), -3)
    tests: {{cases: [{{x: {{shape: [1, 9, 14, 64]}}}}, {{x: {{shape: [2, 13, 6, 40]}}}}]}}
  Behind:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N + 1, H, W + 8, C], quantization: same as x}}}}
    compute: y = pad(x, ((1, 0), (0, 0), (8, 0), (0, 0)), 2)
    tests: {{cases: [{{x: {{shape: [1, 16, 8, 32]}}}}, {{x: {{shape: [1, 7, 21, 33]}}}}]}}
  Strided:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: "[N, ceil_div(H, 2), W, C]"}}}}
    compute: y = x[:, ::2, ::-1]
    tests: {{cases: [{{x: {{shape: [1, 17, 16, 32]}}}}, {{x: {{shape: [2, 16, 9, 65]}}}}]}}
  Turned:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: [2 * W, H, N, C]}}}}
    compute: y = tile(transpose(x, (2, 1, 0, 3)), (2, 1, 1, 1))
    tests: {{cases: [{{x: {{shape: [8, 9, 2, 32]}}}}, {{x: {{shape: [7, 16, 1, 100]}}}}]}}
"""
_IN_BLOCKS = {"Join", "Rows", "Glu", "Half", "Cut"}


def _verified(folder: Path, machine: str, types: str, cases: int) -> None:
    package = generated(folder, _SPEC.format(types=types))
    result = verify(folder, [package], VerifyOptions(on=(machine,), cases=cases, check_current=False))
    assert failures(result) == ""
    taken = {cell.op for cell in result.cells if any(kernel.endswith("_crouton") for kernel in cell.kernels)}
    assert taken == _IN_BLOCKS


def test_whole_blocks_move_as_the_reference_says(machine: str, tmp_path: Path) -> None:
    _verified(tmp_path, machine, "ufixed8, ufixed16", 3)


def _pixels(folder: Path, machine: str, types: str, cases: int) -> None:
    package = generated(folder, _PIXELS.format(types=types))
    result = verify(folder, [package], VerifyOptions(on=(machine,), cases=cases, check_current=False))
    assert failures(result) == ""
    taken = {cell.op for cell in result.cells if any(kernel.endswith("_crouton") for kernel in cell.kernels)}
    assert taken == {"Frame", "Behind", "Strided", "Turned"}


def test_pixels_move_in_blocks(machine: str, tmp_path: Path) -> None:
    _pixels(tmp_path, machine, "ufixed8, ufixed16", 3)


@pytest.mark.sweep
def test_pixels_of_other_types(machine: str, tmp_path: Path) -> None:
    _pixels(tmp_path, machine, "sfixed8, sfixed16, float16, int8", 12)


def test_parts_may_be_empty(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, _EMPTY, types="all")
    assert failures(verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=2, check_current=False))) == ""


@pytest.mark.sweep
def test_whole_blocks_of_other_types(machine: str, tmp_path: Path) -> None:
    _verified(tmp_path, machine, "sfixed8, sfixed16, float16", 8)


@pytest.mark.parametrize(
    ("compute", "why"),
    [
        ("y = x[:, ::2]", ""),
        ("y = transpose(x, (0, 2, 1, 3))", ""),
        ("y = pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))", ""),
        ("y = x[:, ::2] * 2", "within blocks"),
        ("y = x[..., ::2]", "within blocks"),
        ("y = transpose(x, (0, 1, 3, 2))", "within blocks"),
        ("y = pad(x, ((0, 0), (1, 1), (1, 1), (0, 1)))", "within blocks"),
        ("y = x[:, 1:] * x[:, :-1]", ""),
        ("y = concat(x[..., 32:], x[..., :32], axis=-1)", ""),
    ],
)
def test_what_moves_within_blocks_is_flat(compute: str, why: str) -> None:
    text = (
        "  Op:\n    inputs: {x: {dtype: ufixed8, shape: [n, h, w, c]}}\n"
        f"    outputs: {{y: {{dtype: ufixed8, shape: [...]}}}}\n    compute: {compute}\n"
    )
    op = package_of(text).ops[0]
    found = why_flat(op, op.kernels[0])
    assert why in found if why else not found


def test_parts_lie_beside_each_other_where_they_begin_with_blocks() -> None:
    text = (
        "  Op:\n    inputs: {x: {dtype: ufixed8, shape: [n, h, w, c]}, z: {dtype: ufixed8, shape: [n, h, w, c]}}\n"
        "    params: {half: {dtype: int32}}\n    outputs: {y: {dtype: ufixed8, shape: [...]}}\n"
        "    compute: y = concat(x[..., :half] * 2, z[..., half:], axis=-1)\n"
    )
    compute = package_of(text).ops[0].compute
    assert compute is not None
    rng = random.Random(7)
    for _ in range(60):
        half, channels = rng.choice((8, 32, 64, 96)), rng.choice((33, 96, 128, 100))
        shape = (1, 9, 5, channels)
        if half < channels:
            found = aligned(compute, {"y"}, {"x": shape, "z": shape}, {"half": half}, (1, 8, 8, 32))
            assert found == (half % 32 == 0)


def test_rows_that_have_no_room_in_blocks_are_not_called_there(tmp_path: Path) -> None:
    """A graph keeps them flat (rows_pay() of opkg/layouts.h): two pixels of three tensors are more than 8192 bytes."""
    need_arch("v66")
    text = (
        "  Op:\n    inputs: {x: {dtype: ufixed16, shape: [n, h, w, c]}, z: {dtype: ufixed16, shape: x.shape}}\n"
        "    outputs: {y: {dtype: ufixed16, shape: x.shape}}\n"
        "    compute: y = x / sqrt(sum(x * x, axis=-1, keepdims=True) + 1) + z\n"
        "    tests:\n      cases:\n"
        "        - {x: {shape: [1, 4, 5, 682]}, z: {shape: [1, 4, 5, 682]}}\n"
        "        - {x: {shape: [1, 4, 5, 683]}, z: {shape: [1, 4, 5, 683]}}\n"
    )
    package = generated(tmp_path, text)
    result = verify(tmp_path, [package], VerifyOptions(on=("hexagon-v66",), cases=1, check_current=False, large=0))
    assert not failures(result)
    called = {case.case.rpartition("case_")[2]: case.kernels for case in result.cells[0].outcomes}
    assert called["0"] == ("op_crouton", "op")
    assert called["1"] == ("op",)
