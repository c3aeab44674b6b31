"""Compiles what was put into a source tree of onert: file by file against the tree's own headers, and with its CMake files.

`OPKG_ONE_INCLUDE` has more folders with headers, `:` between them (flatbuffers, gtest, ruy); `OPKG_ONE_CMAKE` options of cmake.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter")  # unused parameters are the tree's own
_NO_FILE = re.compile(r"fatal error: (\S+): No such file or directory")
_NO_PACKAGE = re.compile(
    r'configuration file provided by "(\w+)"|Could NOT find (\w+)|(\w[\w ]*?) is required to enable|Cannot find (\w+)'
)
_TESTS = {"core": "test_onert_core", "api": "nnfw_api_gtest"}
TARGETS = ("onert_core", "onert_backend_cpu", *_TESTS.values())


@dataclass(frozen=True)
class Syntax:
    """What a compiler said of files. `missing`: file -> a header that it includes and neither tree nor machine has."""

    checked: tuple[str, ...]
    errors: dict[str, str]
    missing: dict[str, str]


@dataclass(frozen=True)
class Built:
    """A build. `reason`: why there is none, a dependency by its name; `errors`: what the compiler said; `tests`: what
    programs with tests printed, by their names."""

    reason: str = ""
    errors: str = ""
    tests: tuple[tuple[str, int, str], ...] = ()


def include_folders(root: Path) -> list[Path]:
    """Where files of a tree find headers: all its `include` folders, and those that CMake files name."""
    found = sorted(path for top in ("runtime", "compute") for path in root.glob(f"{top}/**/include") if path.is_dir())
    found += [root / "runtime/onert/core/src", root / "runtime/onert/backend/cpu"]
    for tests in ("runtime/tests/nnfw_api", "tests/nnfw_api"):
        found += [root / tests / part for part in ("lib", "src")]
    externals = [path for top in ("externals", "runtime/externals") for path in sorted(root.glob(f"{top}/*"))]
    found += [path / part for path in externals for part in ("include", "googletest/include", ".")]
    found += [Path(part) for part in os.environ.get("OPKG_ONE_INCLUDE", "").split(":") if part]
    return [path for path in found if path.is_dir()]


def syntax(root: Path, paths: Iterable[str]) -> Syntax:
    """Checks sources and headers of a tree, each by itself. Fragments of a file (`.lst`, an included `.cpp`) are not."""
    whole = [path for path in paths if path.endswith((".h", ".cc")) and not path.endswith("Operations.Include.h")]
    flags = [f"-I{folder}" for folder in include_folders(root)]
    command = ["g++", "-std=c++17", "-S", "-o", "/dev/null", *_WARNINGS, *flags, "-x", "c++"]

    def check(path: str) -> str:
        words = ["-include", root / path, "/dev/null"] if path.endswith(".h") else [root / path]
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""

    errors, missing = {}, {}
    with ThreadPoolExecutor(2) as pool:
        for path, text in zip(whole, pool.map(check, whole), strict=True):
            absent = _NO_FILE.search(text)
            if absent is not None and not _in_tree(root, absent[1]):
                missing[path] = absent[1]
            elif text:
                errors[path] = text[:4000]
    return Syntax(tuple(whole), errors, missing)


def _in_tree(root: Path, header: str) -> bool:
    """Whether a tree has a header somewhere, so that not finding it is our fault."""
    return next(root.glob(f"runtime/**/{header}"), None) is not None


def build(root: Path, folder: Path, ops: Sequence[str]) -> Built:
    """Builds the core, the cpu backend and their tests with the tree's CMake files, and runs the tests of operations."""
    source = next((root / top for top in ("runtime", "infra/nnfw") if (root / top / "CMakeLists.txt").is_file()), None)
    if source is None:
        return Built("the tree has no CMakeLists.txt in runtime or infra/nnfw")
    if shutil.which("cmake") is None:
        return Built("there is no cmake")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DENABLE_TEST=ON", *shlex.split(os.environ.get("OPKG_ONE_CMAKE", ""))]
    code, text = _run("cmake", "-S", source, "-B", folder, *options)
    if code:
        packages = dict.fromkeys(name for match in _NO_PACKAGE.finditer(text) for name in match.groups() if name)
        return Built(f"cmake: {', '.join(packages) or 'configuring fails'} is missing\n{text[-2000:]}")
    wanted = [target for target in TARGETS if _has_target(folder, target)]
    code, text = _run("cmake", "--build", folder, "-j", "2", "--target", *wanted)
    if code:
        return Built(errors=text[-8000:])
    libraries = {str(path.parent) for path in folder.rglob("*.so")}
    environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(sorted(libraries))}
    filters = {"core": ":".join(f"{op}.*" for op in ops), "api": ":".join(f"GenModelTest.*OneOp_{op}*" for op in ops)}
    ran = []
    for kind, name in _TESTS.items():
        program = next((path for path in folder.rglob(name) if path.is_file() and os.access(path, os.X_OK)), None)
        if program is not None:
            words = [str(program), f"--gtest_filter={filters[kind]}"]
            done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
            ran.append((name, done.returncode, done.stdout + done.stderr))
    return Built(tests=tuple(ran))


def _has_target(folder: Path, name: str) -> bool:
    code, text = _run("cmake", "--build", folder, "--target", "help")
    return code == 0 and re.search(rf"\b{name}\b", text) is not None


def _run(*words: str | Path) -> tuple[int, str]:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr
