"""Sources that are compiled as one on the host: which, how many together, and that their headers stand beside each other."""

import subprocess
from pathlib import Path

import pytest
import qlib

from opkg.targets.qnn_common.files import TO_ROOT, build_files

ROOT = Path(__file__).parents[2]
HEADERS = ROOT / "templates" / "qnn"
OP = """\
  {name}:
    types: {{T: [float32]}}
    inputs: {{x: {{dtype: T, shape: [n...], rank: 1..4}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: y = {compute}
"""


def units_of(text: str) -> dict[str, list[str]]:
    """The units of a Makefile with their sources."""
    lines = text.splitlines()
    names = next((line.partition(" := ")[2].split() for line in lines if line.startswith("UNITS := ")), [])
    return {name: line.split()[2:] for name in names for line in lines if line.startswith(f"{name} := ")}


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (8, [8]), (9, [4, 5]), (25, [6, 6, 6, 7])])
def test_units_are_of_one_length(count: int, sizes: list[int]) -> None:
    package = qlib.ops_package(OP.format(name="Twice", compute="x + x"))
    sources = [f"src/op{number}_kernels.cpp" for number in range(count)]
    made = build_files(package, "base", "qhpi", ["src/a.cpp"], sources)
    units = units_of(made[0].text)
    assert list(units) == ["kernels", "kernels2", "kernels3", "kernels4"][: len(sizes)]
    assert [source for unit in units.values() for source in unit] == sources
    assert [len(found) for found in units.values()] == sizes


def test_two_units_of_two_ops(tmp_path: Path) -> None:
    """Each is one call of the compiler; a source on its own is not compiled. Kernels of an op have others' names beside them."""
    ops = OP.format(name="Twice", compute="x + x") + OP.format(name="Double", compute="x + x")
    project = qlib.write(tmp_path, qlib.ops_package(ops))
    units = units_of((project.folder / "Makefile").read_text())
    assert units == {
        "wrappers": ["src/interface.cpp", "src/twice.cpp", "src/double.cpp"],
        "kernels": ["src/twice_kernels.cpp", "src/double_kernels.cpp"],
    }
    said = qlib.make(project, "x86", qlib.WARNINGS).stdout
    assert said.count(" -c ") == 2
    assert TO_ROOT in said
    out = tmp_path / "build"
    assert sorted(path.name for path in out.rglob("*.cpp")) == ["kernels.cpp", "wrappers.cpp"]
    (project.folder / "src" / "double_kernels.cpp").touch()
    assert qlib.make(project, "x86", qlib.WARNINGS).stdout.count(" -c ") == 1


@pytest.mark.parametrize("turned", [False, True])
def test_headers_of_kernels_stand_beside_each_other(tmp_path: Path, turned: bool) -> None:
    """What one header of kernels declares changes nothing in another, whichever comes first."""
    headers = sorted((path.name for path in HEADERS.glob("*.h")), reverse=turned)
    assert len(headers) > 80
    (tmp_path / "opkg").symlink_to(HEADERS)
    program = tmp_path / "all.cpp"
    program.write_text("".join(f'#include "opkg/{name}"\n' for name in headers))
    command = [qlib.tool("g++"), "-std=c++17", "-Wall", "-Wextra", "-Wno-psabi", "-Werror", "-fsyntax-only"]
    done = subprocess.run(
        [*command, f"-I{tmp_path}", "-isystem", qlib.INCLUDE, program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
