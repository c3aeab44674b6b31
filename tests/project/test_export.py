"""`opkg export`: a folder with everything of one package and nothing else, which builds where it stands alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opkg.cli.main import run
from opkg.verify.machines.hexagon import toolchain

if TYPE_CHECKING:
    from tests.project.conftest import Tree

ROOT = Path(__file__).parents[2]
LAYOUT = ROOT / "examples" / "layout"


@pytest.fixture
def two(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Tree:
    monkeypatch.setenv("TOY_SHARED", "one")
    tree.spec("Relu", path="specs/a.yaml", package="acme.a", targets="[toy, toy-two]")
    tree.spec("Wide", path="specs/b.yaml", package="acme.b")
    assert tree.generate().ok
    return tree


def inside(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_package_what_it_shares_and_the_kernels_as_they_are(two: Tree, tmp_path: Path) -> None:
    two.write("kernels/relu.cpp", '#include "deep/helper.h"\n#include "../outside.h"\n#include "acme_a/relu.h"\n')
    two.write("kernels/deep/helper.h", '#include "more.h"\n#include "none.h"\n#include "../../../above.h"\n')
    two.write("kernels/deep/more.h", "// more\n")
    two.write("outside.h", "// of the project\n")
    (two.root.parent / "above.h").write_text("// of nobody\n")
    assert run(["export", "acme.a", "-o", str(tmp_path / "out")]) == 0
    found = inside(tmp_path / "out")
    assert found.pop("opkg-export.json")
    before = two.files()
    assert found == {path: before[path] for path in found}
    assert sorted(path for path in found if not path.startswith("generated/acme_a/")) == [
        "generated/opkg/toy.h", "kernels/deep/helper.h", "kernels/deep/more.h", "kernels/relu.cpp", "outside.h",
    ]  # fmt: skip
    assert {path for path in before if path.startswith("generated/acme_a/")} <= set(found)


def test_one_target_of_it(two: Tree, tmp_path: Path) -> None:
    assert run(["export", "acme.a", "-o", str(tmp_path / "out"), "--target", "toy-two"]) == 0
    assert sorted(inside(tmp_path / "out")) == [
        "generated/acme_a/two/all.txt", "generated/opkg/toy.h", "opkg-export.json",
    ]  # fmt: skip


def test_again_it_writes_what_changed_and_removes_what_went(two: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    out = two.root / "build/export/acme_b"
    assert run(["export", "acme.b"]) == 0
    (out / "mine.txt").write_text("mine")
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert run(["export", "acme.b"]) == 0
    assert ": nothing to do" in capsys.readouterr().err
    assert times == {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    two.spec("Relu", path="specs/b.yaml", package="acme.b")
    assert two.generate().ok
    assert run(["export", "acme.b"]) == 0
    found = inside(out)
    assert found["mine.txt"] == b"mine"
    assert "generated/acme_b/toy/relu.h" in found
    assert not [path for path in found if "wide" in path]


def test_what_somebody_put_or_changed_there_is_never_lost(two: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    out = two.root / "out"
    (out / "generated/opkg").mkdir(parents=True)
    (out / "generated/opkg/toy.h").write_text("mine")
    assert run(["export", "acme.b", "-o", "out"]) == 1
    assert "out/generated/opkg/toy.h: error: an export would write or remove" in capsys.readouterr().out
    assert inside(out) == {"generated/opkg/toy.h": b"mine"}
    (out / "generated/opkg/toy.h").unlink()
    assert run(["export", "acme.b", "-o", "out"]) == 0
    changed = out / "generated/acme_b/toy/wide.h"
    changed.write_text("mine")
    two.spec("Relu", path="specs/b.yaml", package="acme.b")
    assert two.generate().ok
    before = inside(out)
    assert run(["export", "acme.b", "-o", "out"]) == 1
    assert "[OPK329]" in capsys.readouterr().out
    assert inside(out) == before


@pytest.mark.parametrize("record", ["", "[]", '{"files": {"../../victim": "0"}}', '{"files": {"a": 1}}', "\0"])
def test_a_damaged_record_is_a_finding(two: Tree, record: str, capsys: pytest.CaptureFixture[str]) -> None:
    two.write("out/opkg-export.json", record)
    assert run(["export", "acme.b", "-o", "out"]) == 1
    assert "out/opkg-export.json: error: is no record of an export" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["acme.c"], 2, "no package 'acme.c'. Did you mean 'acme.b'?"),
        (["acme.a", "--target", "toy-tow"], 2, "acme.a has no target 'toy-tow'. Did you mean 'toy-two'?"),
        (["acme.a", "-o", ""], 2, "is empty"),
        (["acme.a", "-o", "generated/out"], 1, "generated/out: error: generated/ holds what specs ask for"),
        (["acme.a", "-o", "specs/a.yaml"], 1, "specs/a.yaml"),
    ],
)
def test_misuse(two: Tree, words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = two.files()
    assert run(["export", *words]) == code
    output = capsys.readouterr()
    assert said in output.out + output.err
    assert two.files() == before


def test_what_is_not_current_is_not_handed_over(two: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    two.write("generated/opkg/toy.h", two.read("generated/opkg/toy.h") + "// edited\n")
    assert run(["export", "acme.a", "-o", "out"]) == 1
    assert "generated/opkg/toy.h: error: generated file was edited" in capsys.readouterr().out
    assert not (two.root / "out").exists()
    two.write("specs/b.yaml", "opkg: 1\n")
    assert run(["export", "acme.b", "-o", "out"]) == 1
    assert "specs/b.yaml" in capsys.readouterr().out


def absent(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"no {what}")
    pytest.skip(f"no {what}")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example's package, moved away from the project that it was exported from."""
    folder = tmp_path_factory.mktemp("alone")
    project = folder / "project"
    shutil.copytree(LAYOUT, project, ignore=shutil.ignore_patterns("build"))
    assert run(["export", "nn.layout", str(project / "specs"), "-o", str(folder / "out")]) == 0
    shutil.rmtree(project)
    return folder / "out"


def build(*command: str) -> str:
    """Without anything of opkg's in the environment."""
    kept = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "HEXAGON_SDK_ROOT", "PYTHONPATH", "CXX")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=kept)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_alone_it_builds_for_this_machine(alone: Path) -> None:
    if not shutil.which("cmake") or not shutil.which("g++"):
        absent("cmake or g++")
    folder = alone / "generated/nn_layout/qhpi"
    build("make", "-s", "-j2", "-C", str(folder), "CXXFLAGS=-O0", "x86")
    assert (alone / "build/nn_layout/qhpi/libnn_layout.so").is_file()
    build("cmake", "-S", str(folder), "-B", str(alone / "cmake"))
    build("cmake", "--build", str(alone / "cmake"), "-j2")
    assert (alone / "cmake/libnn_layout.so").is_file()


def test_alone_it_builds_for_hexagon(alone: Path) -> None:
    if toolchain.clang() is None or toolchain.lld() is None or not shutil.which("cmake"):
        absent("clang for Hexagon, lld or cmake")
    headers, python = toolchain.FREESTANDING, f"PYTHON={sys.executable} -S -E"
    folder = alone / "generated/nn_layout/qhpi"
    said = build(
        "make", "-s", "-j2", "-C", str(folder), "CXXFLAGS=-O0", f"HEXAGON_INCLUDE={headers}", python, "hexagon"
    )
    assert "all known on v68" in said
    assert (alone / "build/nn_layout/qhpi/hexagon/libnn_layout.so").is_file()
    configure = [
        "cmake",
        "-S",
        str(folder),
        "-B",
        str(alone / "dsp"),
        "-DCMAKE_TOOLCHAIN_FILE=../../opkg/hexagon.cmake",
    ]
    build(*configure, f"-DHEXAGON_INCLUDE={headers}", "-DHEXAGON_ARCH=v73")
    assert "all known on v73" in build("cmake", "--build", str(alone / "dsp"), "-j2")
