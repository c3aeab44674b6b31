"""Reductions over different dimensions, and movement in front of arithmetic: passes that run one after another."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kernels_product import failures, generated, package_of

from opkg.kernels.choose import choose
from opkg.kernels.emit.passes import kernel_parts
from opkg.kernels.portable.check import check
from opkg.spec.kept import keeps
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

# Global response norm as ConvNeXt V2 has it; means over the height and the width that meet; what loses dimensions.
GRN = """\
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, gamma: {dtype: T, shape: [C], optional: true}}
    outputs: {y: {dtype: T, shape: [N, H, W, C]}}
    compute: |
      gx = sqrt(sum(x * x, axis=(1, 2), keepdims=True))
      nx = gx / (mean(gx, axis=-1, keepdims=True) + 0.000001)
      y = gamma * (x * nx) + x if present(gamma) else x * nx + x
"""
PLAIN = GRN.replace(", optional: true", "").replace(" if present(gamma) else x * nx + x", "")
FEW = f"""\
  Grn:
    types: {{T: [ufixed8]}}
{PLAIN}    tests: {{cases: [{{x: {{shape: [2, 3, 5, 100]}}}}, {{x: {{shape: [1, 2, 3, 1500]}}}}]}}
  Lower:
    types: {{T: [ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [..., H, C]}}}}
    outputs: {{y: {{dtype: T, shape: [...], rank: 0..4}}}}
    compute: y = mean(max(x, axis=-2), axis=-1)
  Standard:
    types: {{T: [ufixed8]}}
    inputs: {{x: {{dtype: T, shape: [A, B, C]}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: y = (x - mean(x, axis=-2, keepdims=True)) * rsqrt(var(x, axis=-1, keepdims=True) + 0.1)
"""
# Extremes stay as they are stored, between passes, too: as float32, x - min(x) of one element was not 0.
FEW += """\
  Extremes:
    inputs: {x: {dtype: ufixed16, shape: [N, H, W, C]}}
    outputs: {y: {dtype: ufixed16, shape: [...]}}
    compute: |
      m = min(x, axis=(1, 3), keepdims=True)
      y = var((x - m) / (max(x, axis=(1, 3), keepdims=True) - m + 0.000001), axis=(0, 1, 2), keepdims=True)
    tests: {cases: [{x: {shape: [8, 1, 9, 1], scale: 0.402359, offset: -255}, y: {scale: 0.000001, offset: 0}}]}
"""
MOVED = """\
  Head:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, B, 25]}}
    outputs: {y: {dtype: T, shape: [A, B, 20]}}
    compute: |
      s = x[..., 5:]
      e = exp(s - max(s, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True)
  Embed:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}, i: {dtype: int32, shape: [B]}}
    outputs: {y: {dtype: T, shape: [B, C]}}
    compute: y = take(x, i, axis=0) * 8
"""
BESIDE = """\
  Share:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, B, 9]}}
    outputs: {y: {dtype: T, shape: [A, B, 9]}}
    compute: y = x / (sum(abs(x[..., :2]), axis=-1, keepdims=True) + max(abs(x[..., 3:]), axis=-1, keepdims=True) + 0.5)
  Filled:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: "[A, C + 3]"}}
    compute: y = max(pad(x, ((0, 0), (1, 2)), -1.5), -20.0) * 2
"""
MORE_BESIDE = """  Parts:
    types: {T: [ufixed8, ufixed16, float16, float32]}
    inputs: {x: {dtype: T, shape: [A, B, 9]}}
    outputs: {y: {dtype: T, shape: [A, B, 1]}}
    compute: y = sum(x[..., 1:], axis=-1, keepdims=True) / (sum(abs(x[..., :-3]), axis=-1, keepdims=True) + 1)
  Crossed:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, shape: [A, B, 9]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * sigmoid(mean(x[..., 1:], axis=-1, keepdims=True)) + max(x, axis=1, keepdims=True)
  Whole:
    types: {T: [int32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: "[A, C + 3]"}}
    compute: y = pad(x, ((0, 0), (1, 2)), -7) * 3
"""
MORE_MOVED = """\
  Tail:
    types: {T: [float32, ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: T, shape: [A, B]}}
    compute: y = sum(x[..., 1:], axis=-1)
  Around:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}, z: {dtype: T, shape: "[A, C + 3]"}}
    outputs: {y: {dtype: T, shape: "[A, C + 3]"}}
    compute: y = max(pad(x, ((0, 0), (1, 2))), 0.5) + z
  Again:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: "[A * 2, C * 3]"}}
    compute: y = tile(x, (2, 3)) * 2 + 1
"""
MANY = f"""\
  Grn:
    types: {{T: [float32, float16, ufixed8, sfixed8, ufixed16]}}
{GRN}  Cross:
    types: {{T: [float32, ufixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}, h: {{dtype: T, shape: [N, 1, W, C]}}}}
    compute: |
      h = mean(x, axis=1, keepdims=True)
      y = x * sigmoid(h) * sigmoid(mean(x, axis=2, keepdims=True))
  Mixed:
    types: {{T: [float32, ufixed8]}}
    inputs: {{x: {{dtype: T, shape: [N, H, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, 1, C]}}}}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = mean(e / sum(e, axis=-1, keepdims=True), axis=1, keepdims=True)
  Spread:
    types: {{T: [float32, ufixed8]}}
    inputs: {{x: {{dtype: T, shape: [N, H, C]}}}}
    outputs: {{y: {{dtype: T, shape: [N, 1, C]}}, z: {{dtype: T, shape: [N, H, C]}}}}
    compute: |
      y = mean(x, axis=1, keepdims=True)
      z = x - max(y, axis=-1, keepdims=True)
"""


def _verified(tmp_path: Path, ops: str, machines: tuple[str, ...], cases: int) -> None:
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""
    assert all(cell.outcomes for cell in result.cells)


def test_passes_compute_what_the_reference_does(tmp_path: Path) -> None:
    ops = FEW + MOVED + BESIDE
    _verified(tmp_path, ops, ("host",) if toolchain.missing() else (f"hexagon-{toolchain.runnable()[-1]}",), 2)


@pytest.mark.sweep
def test_passes_on_all_machines(tmp_path: Path) -> None:
    moved = MOVED + MORE_MOVED + BESIDE + MORE_BESIDE
    _verified(tmp_path, FEW + moved + MANY.replace("  Grn:", "  More:"), ("host", "hexagon"), 20)


def test_every_pass_of_a_response_norm_has_vector_code() -> None:
    package = package_of(FEW)
    op = package.ops[0]
    for source in sources_of(op, op.kernels):
        for snippets in kernel_parts(op, source, True):
            assert [[o.name for o in snippet.outputs] for snippet in snippets] == [["sum"], ["nx"], ["y"]]
            assert all(choose(snippet) is not None for snippet in snippets)
    assert not any(keeps(op, kernel) for op in package.ops for kernel in op.kernels)


@pytest.mark.parametrize(
    ("types", "compute", "message"),
    [
        ("float32", "y = mean(cumsum(x, axis=2), axis=1, keepdims=True) + x", "one another"),
        ("int32", "y = sum(max(x, axis=1, keepdims=True), axis=2, keepdims=True) + x", "of integers"),
        ("int32", "y = x - max(x[:, :, :2], axis=2, keepdims=True)", "parts of tensors beside others of integers"),
        ("ufixed8", "y = x * floor(mean(x[..., :2], axis=2, keepdims=True))", "a decision on reductions"),
        (
            "ufixed8",
            "y = floor(mean(max(x, axis=1, keepdims=True), axis=2, keepdims=True)) + x",
            "a decision on reductions over different dimensions",
        ),
    ],
)
def test_what_cannot_be_done_in_passes(types: str, compute: str, message: str) -> None:
    tensors = (
        f"inputs: {{x: {{dtype: {types}, shape: [B, C, D]}}}}\n    outputs: {{y: {{dtype: {types}, shape: x.shape}}}}"
    )
    (found,) = check(package_of(f"  A:\n    {tensors}\n    compute: {compute}\n").ops[0])
    assert message in found.message


def test_kernels_compile_where_there_is_no_vector_unit(tmp_path: Path) -> None:
    """As `make x86` of a package does with an SDK's headers: portable code alone."""
    generated(tmp_path, MOVED)
    root = tmp_path / "generated"
    (header,) = root.rglob("t_made/head.h")
    (source,) = root.rglob("head_kernels.cpp")
    command = [
        "g++",
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        f"-I{header.parents[1]}",
        f"-I{root}",
    ]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_passes_say_where_rounded_numbers_cancel(tmp_path: Path) -> None:
    """Numbers between passes are float32: the comment over what reads them says so, of quantized tensors."""
    ops = """\
  Parts:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [...]}}
    compute: y = var(x - mean(x, axis=(1, 3), keepdims=True), axis=(0, 1, 2), keepdims=True)
"""
    generated(tmp_path, ops, types="all")
    (source,) = tmp_path.rglob("parts_kernels.cpp")
    comments, said = source.read_text().split("\n/// parts_")[1:], "/// Numbers of passes before are float32"
    assert {text.partition(":")[0]: said in text.partition("\nstruct")[0] for text in comments} == {
        "u8_mean": False, "u8_y": True, "f32_mean": False, "f32_y": False,
    }  # fmt: skip
