"""What compiles a tree in the deep tests finds what is wrong in one: tried on a small tree that compiles."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from onert_build import build, syntax
from onert_lib import done
from onert_mini import tree
from onert_small import small

from opkg.targets.onert.files import CORE, CPU

EXAMPLE = Path(__file__).parents[2] / "examples/onert"
SOURCES = (f"{CORE}/src/ir/OperationValidator.cc", f"{CPU}/ops/KeptLayer.cc", f"{CORE}/src/loader/BaseLoader.h")


def test_syntax(tmp_path: Path) -> None:
    """Sound files have no errors; an error, a warning, and a header that nobody has are told apart."""
    root = small(tmp_path)
    found = syntax(root, (*SOURCES, f"{CPU}/Operation.lst"))
    assert (found.checked, found.errors, found.missing) == (SOURCES, {}, {})
    validator, layer, loader = (root / path for path in SOURCES)
    validator.write_text(validator.read_text().replace("&node)", "&node", 1))
    layer.write_text(layer.read_text() + "static int unused() { return 0; }\n")
    loader.write_text("#pragma once\n#include <flatbuffers/none.h>\n")
    found = syntax(root, SOURCES)
    assert list(found.errors) == list(SOURCES[:2])
    assert "error: expected" in found.errors[SOURCES[0]]
    assert "unused()" in found.errors[SOURCES[1]]
    assert found.missing == {SOURCES[2]: "flatbuffers/none.h"}
    layer.write_text('#include "ir/operation/Kept.h"\n#include "KeptLayer.h"\n#include "Kept.h"\n')
    assert "Kept.h: No such file" in syntax(root, SOURCES[1:2]).errors[SOURCES[1]]  # the tree has one elsewhere


CMAKE = """\
cmake_minimum_required(VERSION 3.16)
project(tiny CXX)
add_library(onert_core SHARED core.cpp)
add_executable(test_onert_core tests.cpp)
target_link_libraries(test_onert_core onert_core)
"""
TESTS = """\
#include <cstdio>
#include <cstring>
int answer();
int main(int, char **words) { std::printf("%s %d\\n", words[1], answer()); return answer() == 42 ? 0 : 1; }
"""


def test_build(tmp_path: Path) -> None:
    """Targets that there are get built, and tests run; what fails is said, and so is a package that is missing."""
    root, folder = tmp_path / "ONE", tmp_path / "build"
    assert build(root, folder, ["A"]).reason == "the tree has no CMakeLists.txt in runtime or infra/nnfw"
    (root / "runtime").mkdir(parents=True)
    makefile, core = root / "runtime/CMakeLists.txt", root / "runtime/core.cpp"
    makefile.write_text(CMAKE)
    core.write_text("int answer() { return 42; }\n")
    (root / "runtime/tests.cpp").write_text(TESTS)
    built = build(root, folder, ["A", "B"])
    assert (built.reason, built.errors) == ("", "")
    assert built.tests == (("test_onert_core", 0, "--gtest_filter=A.*:B.* 42\n"),)
    core.write_text("int answer() { return 41; }\n")
    assert [code for _, code, _ in build(root, folder, ["A"]).tests] == [1]
    core.write_text("int answer() { return 41 }\n")
    assert "core.cpp:1" in build(root, folder, ["A"]).errors
    makefile.write_text(f"{CMAKE}find_package(Ruy REQUIRED)\n")
    assert build(root, folder, ["A"]).reason.startswith("cmake: Ruy is missing\n")


@pytest.mark.sweep
def test_operations_in_a_small_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example's operations go in, everything compiles, their tests pass; then everything comes out again."""
    monkeypatch.setenv("OPKG_ONE_CMAKE", "-DCMAKE_BUILD_TYPE=Debug")
    root, own = small(tmp_path / "ONE"), tmp_path / "project"
    for part in ("specs", "kernels"):
        shutil.copytree(EXAMPLE / part, own / part)
    before = tree(root)
    done(own, "apply", root, "--copyright", "2026 Acme")
    after = tree(root)
    found = syntax(root, [path for path in after if after[path] != before.get(path)])
    assert len(found.checked) > 40
    assert (found.errors, found.missing) == ({}, {})
    built = build(root, tmp_path / "build", ["unused"])
    assert (built.reason, built.errors) == ("", "")
    shown = "".join(text for _, _, text in built.tests)
    assert [code for _, code, _ in built.tests] == [0, 0], shown
    for op in ("ScaledAdd", "LogSumExp", "ChannelShuffle", "Moments", "HardSwish"):
        assert all(f"ok {op}.{name}\n" in shown for name in ("static_shape", "dynamic_shape", "neg_type", "neg_rank"))
        assert f"ok GenModelTest.OneOp_{op}\n" in shown
    assert "ok UntrainableOperation.testAllOps\n" in shown
    done(own, "remove", root)
    assert tree(root) == before
