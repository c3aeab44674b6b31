"""What the target writes for custom kernels: laid out as the style beside it says, the same bytes every time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import onertprojects as projects
import pytest

FOLDER = Path("generated/acme_edge/onert/custom")


def test_formatted(tmp_path: Path) -> None:
    projects.both(tmp_path)
    files = sorted(p for p in (tmp_path / "generated").rglob("*") if p.suffix in (".cpp", ".h"))
    assert len(files) >= 12
    tool = shutil.which("clang-format", path=str(Path(sys.executable).parent)) or shutil.which("clang-format")
    if tool is None:
        pytest.skip("no clang-format")
    done = subprocess.run([tool, "--dry-run", "-Werror", *map(str, files)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


def test_a_user_in_c_can_include_the_header(tmp_path: Path) -> None:
    """With a kernel's type of the runtime's, as the header's comment says."""
    projects.both(tmp_path)
    (tmp_path / "user.c").write_text(
        """#include "acme_edge_onert.h"
typedef struct nnfw_custom_kernel_params nnfw_custom_kernel_params;
typedef void (*nnfw_custom_eval)(nnfw_custom_kernel_params *, char *, size_t);
typedef struct { nnfw_custom_eval eval_function; } custom_kernel_registration_info;
int nnfw_register_custom_op_info(void *, const char *, custom_kernel_registration_info *);
void register_all(void *session) {
  const acme_edge_onert_op *ops;
  size_t count = acme_edge_onert_ops(&ops);
  for (size_t i = 0; i < count; ++i) {
    custom_kernel_registration_info info = {(nnfw_custom_eval)ops[i].eval};
    nnfw_register_custom_op_info(session, ops[i].name, &info);
  }
}
"""
    )
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Wno-cast-function-type", "-Werror", "-fsyntax-only"]
    subprocess.run([*command, f"-I{tmp_path / FOLDER / 'include'}", str(tmp_path / "user.c")], check=True)


def test_rendered_twice_it_is_the_same(tmp_path: Path) -> None:
    first = projects.TARGET.render(projects.both(tmp_path / "one"))
    assert first == projects.TARGET.render(projects.both(tmp_path / "two"))


SPREAD = """\
  Spread:
    summary: largest along an axis that a param names
    types: {T: [float32]}
    inputs:
      x: {dtype: T, rank: 4}
    params:
      axis: {dtype: int32, default: -1, axis_of: x}
    outputs:
      y: {dtype: T, shape: "reduce(x, axis, true)"}
    reference: references:spread
"""


def test_a_scalar_axis_is_a_list_of_one(tmp_path: Path) -> None:
    """In the checks of a shape rule; with and without a bracket the spec says the same."""
    projects.write(tmp_path, SPREAD, "", {"kernels/spread.cpp": ""})
    source = tmp_path / FOLDER / "src" / "spread.cpp"
    assert "check_.reduce(x.shape(), opkg::Integers{axis}, true)" in source.read_text()
    command = [
        "g++",
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        "-Iinclude",
        "-Isrc",
        "-I..",
        "-I../../..",
    ]
    subprocess.run([*command, str(source)], cwd=tmp_path / FOLDER, check=True)
