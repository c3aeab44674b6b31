"""Rows and columns of each kind on Hexagon: one package of ops that other tests run on the host, in one build for qemu."""

from __future__ import annotations

import re
from pathlib import Path

import test_kernels_columns
import test_kernels_columns_norm
import test_kernels_columns_softmax
import test_kernels_folds
import test_kernels_places
import test_kernels_rows_wide
import test_kernels_scans
import test_kernels_slots
from kernels_kit import need_arch
from kernels_product import failures, generated

from opkg.verify.api import VerifyOptions, verify

ARCH = "v73"


def _some(ops: str, *names: str) -> str:
    """These ops of a spec's `ops:`, with the first of their types."""
    found = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\s*\n)+)", ops, re.M))
    return "".join(f"  {name}:\n" + re.sub(r"T: \[(\w+).*?\]", r"T: [\1]", found[name], count=1) for name in names)


def _named(ops: str, old: str, new: str) -> str:
    return ops.replace(f"  {old}:\n", f"  {new}:\n", 1)


def test_kernels_on_hexagon(tmp_path: Path) -> None:
    need_arch(ARCH)
    columns, slots = test_kernels_columns, test_kernels_slots
    ops = _some(columns.OPS, "Mean", "Several")
    ops += _named(_some(columns.WIDE, "Variance"), "Variance", "WideVariance")
    ops += _some(test_kernels_columns_norm.OPS, "Instance")
    ops += _named(_some(test_kernels_columns_softmax.SOFTMAX, "Softmax"), "Softmax", "Down")
    ops += _some(test_kernels_folds.OPS, "Most")
    ops += _some(test_kernels_places.OPS, "Last", "Front")
    ops += _some(test_kernels_rows_wide.OPS, "Layer")
    ops += _some(test_kernels_scans.OPS, "Ends")
    ops += slots.op("Softmax", ("ufixed8",)) + slots.op("Weighted", ("ufixed8",))
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=(f"hexagon-{ARCH}",), cases=4, check_current=False))
    assert failures(result) == ""
    assert len(result.cells) == len(package.ops)
    for cell in result.cells:
        assert cell.paths.vector > cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_choices_of_floats_keep_nan(tmp_path: Path) -> None:
    """clang makes dfmax and dfmin, which give the other number, of choices between what is compared."""
    need_arch(ARCH)
    texts = (
        "where(x > z, x, z)", "where(x < 0, 0, x)", "where(x > z or x > 2, x, z)", "where(x > z, x * 2, z * 2)",
        "floor(where(x > z, x * z, z))",
    )  # fmt: skip
    ops = "".join(
        f"  Choice{number}:\n    inputs: {{x: {{dtype: float32, shape: [A, C]}}, z: {{dtype: float32, shape: [A, C]}}}}\n"
        f"    outputs: {{y: {{dtype: float32, shape: x.shape}}}}\n    compute: y = {text}\n"
        for number, text in enumerate(texts)
    )
    options = VerifyOptions(on=(f"hexagon-{ARCH}",), cases=12, seed=11, check_current=False)
    assert failures(verify(tmp_path, [generated(tmp_path, ops)], options)) == ""
