"""Generated packages compile without a warning, in both compilers, for every SDK profile, on host and device."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import targetlib
from targetlib import PROJECTS, ROOT, interface, need

from opkg.spec.model import OpPackage

Projects = Callable[..., tuple[Path, OpPackage]]


COMPILERS = ("g++", "clang++-19")


# Every project with one of the compilers; `sweep` has all pairs.
@pytest.mark.parametrize(
    ("name", "compiler"),
    [
        pytest.param(name, compiler, marks=() if number % 2 == which or name == "odd" else pytest.mark.sweep)
        for number, name in enumerate(PROJECTS)
        for which, compiler in enumerate(COMPILERS)
    ],
)
def test_compiles_without_warnings(project: Projects, name: str, compiler: str) -> None:
    said = targetlib.compile_all(*project(name), compiler, "-O0 -Werror")
    assert said == ""


@pytest.mark.parametrize("strict", [213, 225, 243])
def test_one_package_compiles_with_the_spellings_of_every_sdk(project: Projects, strict: int) -> None:
    root, made = project("odd")
    assert targetlib.compile_all(root, made, "g++", f"-O0 -Werror -DOPKG_SIM_SDK={strict}") == ""
    registers = "opkg_sim::registered.ops = true;"
    text = targetlib.preprocessed(root, made, "interface.cpp", f"-DOPKG_SIM_SDK={strict}")
    assert text.count(registers) == 1
    assert ("op_pkg_init" in text) == (strict >= 217)


def test_what_is_generated_is_the_same_for_every_sdk(project: Projects) -> None:
    def texts(sdk: str) -> dict[str, str]:
        base = interface(*project("odd", sdk))
        files = [path for path in base.rglob("*") if path.is_file()]
        return {str(path.relative_to(base)): path.read_text().partition("\n")[2] for path in files}

    assert texts("2.13") == texts("2.25") == texts("2.43") == texts("")


def test_device_builds_drop_the_rules(project: Projects) -> None:
    root, made = project("odd")
    assert targetlib.compile_all(root, made, "clang++-19", "-O0 -Werror -DPREPARE_DISABLED") == ""
    assert "DIM_DEPTH" in targetlib.preprocessed(root, made, "turn.cpp")
    assert "DIM_DEPTH" not in targetlib.preprocessed(root, made, "turn.cpp", "-DPREPARE_DISABLED")
    makefile = (interface(root, made) / "Makefile").read_text()
    assert "HEXAGON_FLAGS += -DPREPARE_DISABLED" in makefile
    assert "-DTHIS_PKG_NAME=odd.ops" in makefile


def test_rules_survive_the_preprocessor_as_the_sdk_reads_them(project: Projects, tmp_path: Path) -> None:
    """The SDK's own parser works on the text after -E, of macros that leave their arguments (facts/rules.md, 3)."""
    header = tmp_path / "HTP" / "core" / "optimize.h"
    header.parent.mkdir(parents=True)
    header.write_text(
        "#define DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(...) __def_opt__(__VA_ARGS__)<<<__FILE__, __LINE__>>>\n"
        "#define DEF_PACKAGE_OPTIMIZATION(p, ...) __def_opt__(p, none, __VA_ARGS__)<<<__FILE__, __LINE__>>>\n"
    )
    text = targetlib.preprocessed(*project("odd"), "turn.cpp", f"-I{tmp_path}")
    rules = [" ".join(part.partition("<<<")[0].split()) for part in text.split("__def_opt__")[1:]]
    assert rules == [
        '(EARLY + 1, none, Op("Turn", "x", "axis", "weights", "places"), '
        'AND(EQ(RANK_OF("x"), 4), GT(DIM_DEPTH("x"), 1)), Op("Turn", "x", "axis", "weights", "places"))',
        '(EARLY, relaxed_precision_flag, Op("A", "x"), OK, "x")',
        '(LATE, none, Op("B", "x"), OK, "x")',
    ]


@pytest.mark.parametrize("name", PROJECTS)
def test_formatted(project: Projects, name: str) -> None:
    folder = interface(*project(name))
    tool = Path(sys.executable).parent / "clang-format"
    sources = [str(path) for path in sorted(folder.rglob("*.[ch]*")) if path.suffix in (".cpp", ".h")]
    command = [str(tool) if tool.is_file() else need("clang-format"), "--dry-run", "-Werror", *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


RENDER = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import targetlib as t
texts = [(a.path, a.text) for name in t.PROJECTS for a in t.TARGET.render(t.package(name))]
print(hashlib.sha256(repr(texts).encode()).hexdigest())
"""


def test_same_bytes_for_any_hash_seed() -> None:
    digests = set()
    for seed in ("0", "1", "4242"):
        command = [sys.executable, "-c", RENDER, str(targetlib.HERE)]
        env = {"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
        digests.add(subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout)
    assert len(digests) == 1
