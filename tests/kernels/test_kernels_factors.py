"""Products of elements: their vectors beside long double, whole packages against their references."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, snippets_of
from kernels_product import failures, generated

from opkg.kernels.choose import choose
from opkg.verify.api import VerifyOptions, verify

HERE = Path(__file__).parent

OPS = """\
  Last:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, rank: 3, shape: [A, B, C]}}
    outputs: {y: {dtype: T, shape: [A, B]}}
    constraints: [{require: C >= 2 and C <= 20, message: the reference overflows}]
    compute: y = prod(x[..., 1:], axis=-1)
    tests:
      cases:
        - {x: {shape: [3, 5, 17]}}
        - {x: {shape: [9, 11, 3]}}
  Down:
    types: {T: [ufixed16, float16]}
    inputs: {x: {dtype: T, rank: 3, shape: [A, B, C]}}
    outputs: {y: {dtype: T, shape: [A, 1, C]}}
    constraints: [{require: B <= 20, message: the reference overflows}]
    compute: y = prod(x, axis=1, keepdims=True)
    tests:
      cases:
        - {x: {shape: [3, 7, 131]}}
"""


@pytest.mark.parametrize("much", [[], pytest.param(["all"], marks=pytest.mark.sweep)], ids=["some", "all"])
def test_products_of_many_lengths(much: list[str], tmp_path: Path) -> None:
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}"]
    command += ["-isystem", str(SIM / "include"), str(HERE / "hvx_factors.cpp"), "-o", str(tmp_path / "factors")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "factors"), *much], capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_products_are_those_of_the_reference(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=2, check_current=False))
    assert failures(result) == ""
    assert all(cell.paths.portable == 0 for cell in result.cells)


@pytest.mark.parametrize(
    ("compute", "vectors"),
    [("prod(x, axis=1)", True), ("prod(x, axis=(1, 2))", True), ("prod(2 * x, axis=1)", False), ("prod(x) + 1", False)],
)
def test_which_products(compute: str, vectors: bool) -> None:
    """On any architecture."""
    (snippet,) = snippets_of(
        "  P:\n    inputs: {x: {dtype: float32, shape: [A, B, C]}}\n    outputs: {y: {dtype: float32, shape: [...]}}\n"
        f"    compute: y = {compute}\n"
    )
    found = choose(snippet)
    assert (found is not None) == vectors
    assert found is None or (found.lowered is not None and not found.lowered.float_unit)
