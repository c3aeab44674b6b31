"""The generated files: formatted, the same bytes everywhere, free of warnings in two compilers, built by make and CMake."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import qlib
from kernels import KERNELS

from opkg.targets.qnn_common.names import comment, local, string, unique
from opkg.targets.qnn_htp_qhpi.plan import make_plan
from opkg.targets.qnn_htp_qhpi.signatures import shared_signatures

EXAMPLES = ("math", "activations", "layout", "rewrites")


def example(name: str) -> qlib.OpPackage:
    return qlib.spec_of(qlib.ROOT / "examples" / name / "specs" / f"{name}.yaml")


def kernels_of(name: str) -> dict[str, str]:
    root = qlib.ROOT / "examples" / name
    return {p.relative_to(root).as_posix(): p.read_text("utf-8") for p in sorted(root.glob("kernels/*"))}


def struct() -> qlib.OpPackage:
    return qlib.spec_of(qlib.HERE / "specs" / "struct.yaml")


def packages() -> dict[str, tuple[qlib.OpPackage, dict[str, str]]]:
    found = {name: (example(name), kernels_of(name)) for name in EXAMPLES}
    found["struct"] = struct(), KERNELS
    found["agree"] = qlib.spec_of(qlib.HERE / "specs" / "agree.yaml"), {}
    found["rules"] = qlib.spec_of(qlib.HERE / "specs" / "rules.yaml"), {}
    return found


@pytest.mark.parametrize("cxx", ["g++", "clang++-19"])
@pytest.mark.parametrize("name", [*EXAMPLES, "struct", "agree", "rules"])
def test_no_warnings(name: str, cxx: str) -> None:
    """-Wall -Wextra -Werror, kernels included."""
    package, kernels = packages()[name]
    assert qlib.library(qlib.built(package, kernels, cxx=qlib.tool(cxx) and cxx)).is_file()


@pytest.mark.parametrize("name", [*EXAMPLES, "struct", "agree", "rules"])
def test_formatted(name: str, tmp_path: Path) -> None:
    """As the .clang-format beside them says."""
    package, kernels = packages()[name]
    project = qlib.write(tmp_path, package, kernels)
    files = [str(p) for p in sorted((project.root / "generated").rglob("*")) if p.suffix in (".cpp", ".h")]
    done = subprocess.run(
        [qlib.tool("clang-format"), "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]


def test_shared_headers_are_formatted() -> None:
    """All of them: the packages above need some."""
    style = f"--style=file:{qlib.ROOT / 'examples' / 'math' / 'generated' / 'opkg' / '.clang-format'}"
    headers = [str(path) for path in sorted((qlib.ROOT / "templates" / "qnn").glob("*.h"))]
    assert len(headers) > 80
    command = [qlib.tool("clang-format"), style, "--dry-run", "-Werror", *headers]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


def test_same_bytes_for_any_hash_seed() -> None:
    """Two processes with different seeds render the same."""
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); import qlib\n"
        "from opkg.targets.qnn_htp_qhpi import TARGET\n"
        "digest = hashlib.sha256()\n"
        "for name in ('struct', 'agree', 'rules'):\n"
        "    for a in TARGET.render(qlib.spec_of(qlib.HERE / 'specs' / f'{name}.yaml')):\n"
        "        digest.update(f'{a.path}{a.text}'.encode())\n"
        "print(digest.hexdigest())"
    )
    command = [sys.executable, "-c", code, str(qlib.HERE)]
    seen = {
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "77")
    }
    assert len(seen) == 1


def test_paths_and_artifacts() -> None:
    artifacts = qlib.TARGET.render(struct())
    paths = [a.path for a in artifacts]
    assert len(set(paths)) == len(paths)
    base = "generated/many_parts_pkg_x/qhpi"
    for wanted in (
        "Makefile",
        "CMakeLists.txt",
        ".clang-format",
        "src/scale.cpp",
        "src/interface.cpp",
    ):
        assert f"{base}/{wanted}" in paths
    assert {"generated/opkg/hexagon.cmake", "generated/opkg/kernel.h"} <= set(paths)
    assert paths.count("kernels/all.cpp") == 1  # two ops with one file
    assert all(a.text.endswith("\n") and "\r" not in a.text for a in artifacts)
    assert not [a.path for a in artifacts if str(qlib.ROOT) in a.text]


def test_records() -> None:
    """Arrangements, rank classes, predicates, as the plan has them."""
    plans = {op.name: make_plan(op) for op in struct().ops}
    scale = [r for r in plans["Scale"].records if r.kernel.function == "scale_f32"]
    scale = [r for r in scale if not r.name.endswith("__ints")]  # twins, of calls with all params
    assert len(scale) == 2 * len({r.slots for r in scale})  # each for rank 4 and 5
    names = [r.name for plan in plans.values() for r in plan.records]
    assert len(set(names)) == len(names)
    affine = plans["Affine"].records
    assert [r.slots for r in affine] == [(1, 2), (-1, 2), (1, -1), (-1, -1)]
    assert affine[1].inputs.signatures[1].initializer == (
        "QHPI_ELEMENT_TYPE_ANY, QHPI_LAYOUT_SHAPE_ONLY, QHPI_STORAGE_DIRECT, QHPI_MEM_LOC_DDR_OR_TCM"
    )
    top = {(r.inputs.signatures[0].layout[-1], r.output_ranks): r.checks_outputs for r in plans["Top"].records}
    assert top == {("4", (4,)): False, ("5", (5,)): True, ("5", (4,)): True}
    assert not any(r.checks_outputs for r in plans["Sum"].records)
    assert [r.outputs.signatures[0].name for r in plans["Blocks"].records] == [
        "kQUInt8Crouton8", "kQUInt16Crouton16Tcm", "kInt32Flat4",
    ]  # fmt: skip


def test_arrays_of_signatures_say_what_they_hold() -> None:
    plans = {op.name: make_plan(op) for op in struct().ops}
    assert [r.inputs.name for r in plans["Affine"].records] == [
        "kThreeFloat32Flat4", "kFloat32Flat4AbsentFloat32Flat4", "kTwoFloat32Flat4", "kOneFloat32Flat4",
    ]  # fmt: skip
    held: dict[str, object] = {}  # of all ops: they share them
    for plan in plans.values():
        for group in plan.lists:
            assert held.setdefault(group.name, group.signatures) == group.signatures
            for signature in group.signatures:
                assert held.setdefault(signature.name, signature) == signature


def test_lists_of_signatures_lie_in_one_array() -> None:
    """Each where the records of all ops find it, in others where that can be; once if two ops have it."""
    package = struct()
    found = shared_signatures(make_plan(op).lists for op in package.ops)
    for group, begin in found.lists:
        assert found.laid[begin : begin + len(group.signatures)] == group.signatures
    names = [group.name for group, _ in found.lists]
    assert len(set(names)) == len(names)
    assert len(found.laid) < sum(len(group.signatures) for group, _ in found.lists)
    assert set(found.laid) == set(found.each)


def test_names_and_strings() -> None:
    assert [local(n) for n in ("in", "out", "check_", "check", "int64_t")] == [
        "in_",
        "out_",
        "check__",
        "check",
        "int64_t_",
    ]
    assert unique(["a", "b", "a", "a2", "a"]) == ["a", "b", "a2", "a22", "a3"]
    assert string('a "b" \\ ??/ ??? \n\x01 100% ü') == '"a \\"b\\" \\\\ ?\\?/ ?\\?\\? \\n\\001 100% ü"'
    assert comment("two\nlines \\ ") == "two lines"


def test_incremental_make(tmp_path: Path) -> None:
    """A touched source is compiled again, a touched header's users, nothing else."""
    qlib.tool("g++")
    package, kernels = packages()["layout"]
    project = qlib.write(tmp_path, package, kernels)
    assert "split.cpp" in qlib.make(project, "x86", "CXXFLAGS=-O0").stdout
    assert "up to date" in qlib.make(project).stdout or "Nothing to be done" in qlib.make(project).stdout
    later = time.time() + 5
    os.utime(tmp_path / "kernels" / "split.cpp", (later, later))
    again = qlib.make(project, "x86", "CXXFLAGS=-O0").stdout
    assert again.count(" -c ") == 1
    assert " -shared " in again
    header = project.folder / "include" / package.cpp_namespace / "split.h"
    os.utime(header, (later + 5, later + 5))
    assert qlib.make(project, "x86", "CXXFLAGS=-O0").stdout.count(" -c ") == 2  # its wrappers and its kernel
    qlib.make(project, "clean")
    assert not qlib.library(project).exists()


def test_a_path_with_spaces(tmp_path: Path) -> None:
    qlib.tool("g++")
    package, kernels = packages()["layout"]
    project = qlib.write(tmp_path / "my ops & more", package, kernels)
    include = tmp_path / "sim include"
    shutil.copytree(qlib.INCLUDE, include)
    qlib.make(project, "x86", "CXXFLAGS=-O0", f"OPKG_SIM_INCLUDE={include}")
    assert qlib.library(project).is_file()


def test_cmake(tmp_path: Path) -> None:
    package, kernels = packages()["activations"]
    project = qlib.write(tmp_path / "my ops", package, kernels)
    build = tmp_path / "build"
    cmake(project.folder, build, f"-DOPKG_SIM_INCLUDE={qlib.INCLUDE}")
    assert (build / package.library).is_file()


def cmake(source: Path, build: Path, *settings: str) -> None:
    """Configures and builds, quietly."""
    for command in (
        [
            qlib.tool("cmake"),
            "-S",
            str(source),
            "-B",
            str(build),
            "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -Werror",
            "-DCMAKE_BUILD_TYPE=Debug",
            *settings,
        ],
        [qlib.tool("cmake"), "--build", str(build), "-j2"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
