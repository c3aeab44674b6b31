"""Running sums: their vectors beside exact sums, whole packages against their references, and which computations have vectors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, snippets_of
from kernels_product import failures, generated

from opkg.kernels.choose import candidates
from opkg.verify.api import VerifyOptions, verify

HERE = Path(__file__).parent

OPS = """\
  Ends:
    types: {T: [ufixed8, float16]}
    inputs: {x: {dtype: T, rank: 4}}
    params:
      axis: {dtype: int32, axis_of: x}
      exclusive: {dtype: bool8}
      reverse: {dtype: bool8}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      up = cumsum(x, axis=axis)
      down = sum(x, axis=axis, keepdims=True) - up + x
      sums = down if reverse else up
      y = sums - x if exclusive else sums
    tests:
      cases:
        - {x: {shape: [2, 3, 5, 131]}, axis: 3, exclusive: true, reverse: true}
        - {x: {shape: [2, 3, 5, 131]}, axis: 1, exclusive: false, reverse: true}
        - {x: {shape: [1, 1, 9, 1000]}, axis: -1, exclusive: true, reverse: false}
        - {x: {shape: [2, 3, 47, 3]}, axis: 3, exclusive: false, reverse: true}
        - {x: {shape: [1, 1, 23, 17]}, axis: 3, exclusive: true, reverse: false}
"""


def _program(folder: Path) -> Path:
    (folder / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{folder}"]
    command += ["-isystem", str(SIM / "include"), str(HERE / "hvx_scans.cpp"), "-o", str(folder / "scans")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return folder / "scans"


@pytest.mark.parametrize("much", [[], pytest.param(["all"], marks=pytest.mark.sweep)], ids=["some", "all"])
def test_sums_of_many_lengths_and_steps(much: list[str], tmp_path: Path) -> None:
    """Each result is the nearest to the exact sum, ties to even; from both ends, with the element and without it."""
    ran = subprocess.run([str(_program(tmp_path)), *much], capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_sums_are_those_of_the_reference(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=3, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        if cell.column.label != "host" and "float" in str(cell.types):
            continue  # which qemu has no vectors of
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


@pytest.mark.parametrize(
    ("compute", "why"),
    [
        ("cumsum(x, axis=1)", ""),
        ("cumsum(x, axis=-1) - x", ""),
        ("sum(x, axis=-1, keepdims=True) - cumsum(x, axis=-1)", ""),
        ("cumsum(2 * x, axis=-1)", "a running sum of what is computed, or computed with"),
        ("cumsum(x, axis=-1) + cumsum(x, axis=-1)", "a running sum of what is computed, or computed with"),
    ],
)
def test_which_sums(compute: str, why: str) -> None:
    (snippet,) = snippets_of(
        "  P:\n    inputs: {x: {dtype: ufixed8, shape: [A, B, C]}}\n    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n"
        f"    compute: y = {compute}\n"
    )
    (candidate,) = candidates(snippet)
    assert (candidate.strategy, candidate.why, candidate.lowered is None) == ("scans", why, bool(why))


def test_no_sums_of_unsigned_words() -> None:
    (snippet,) = snippets_of(
        "  P:\n    inputs: {x: {dtype: uint32, shape: [A, B]}}\n    outputs: {y: {dtype: uint32, shape: x.shape}}\n"
        "    compute: y = cumsum(x, axis=-1)\n"
    )
    (candidate,) = candidates(snippet)
    assert (candidate.why, candidate.lowered) == ("running sums of uint32", None)


@pytest.mark.parametrize(("dtype", "arch"), [("ufixed8", 65), ("int32", 65), ("float16", 68), ("float32", 68)])
def test_sums_of_floats_need_floats(dtype: str, arch: int) -> None:
    """So that `opkg kernel show` says that v66 has whole numbers in their place."""
    (snippet,) = snippets_of(
        f"  P:\n    inputs: {{x: {{dtype: {dtype}, shape: [A, B]}}}}\n    outputs: {{y: {{dtype: {dtype}, shape: x.shape}}}}\n"
        "    compute: y = cumsum(x, axis=-1)\n"
    )
    (candidate,) = candidates(snippet)
    assert candidate.lowered is not None
    assert candidate.lowered.arch == arch
