"""Projects of the classic target: the examples and odd.yaml, read, generated and built."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage, Text
from opkg.spec.reader import read, read_file
from opkg.targets.qnn_htp_classic import TARGET

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
INCLUDE = ROOT / "opkg" / "sim" / "include"
EXAMPLES = ("activations", "layout", "math")
PROJECTS = (*EXAMPLES, "odd")


def need(tool: str) -> str:
    """Path of a tool; without it the test is skipped on a developer's machine and fails in CI."""
    path = shutil.which(tool)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"{tool} is not installed")
        pytest.skip(f"{tool} is not installed")
    return path


def package(name: str, sdk: str = "") -> OpPackage:
    """The package of an example or of odd.yaml, for the classic target only."""
    path = (ROOT / "examples" / name if name in EXAMPLES else HERE) / "specs" / f"{name}.yaml"
    found, findings = read_file(path, f"specs/{name}.yaml")
    assert found is not None, findings
    target = Text(TARGET.name, found.spans[""])
    return replace(found, targets=(target,), sdk=sdk)


def project(name: str, root: Path, sdk: str = "") -> OpPackage:
    """Writes a whole project; kernel bodies are the user's own."""
    made = package(name, sdk)
    assert TARGET.check(made) == []
    source = ROOT / "examples" / name if name in EXAMPLES else HERE
    for folder in ("specs", "kernels"):  # packages whose kernels are all generated have no folder for them
        if (source / folder).is_dir():
            shutil.copytree(source / folder, root / folder, dirs_exist_ok=True)
    if (source / "references.py").is_file():
        shutil.copy(source / "references.py", root)
    for artifact in TARGET.render(made):
        path = root / artifact.path
        if artifact.ownership == "yours":
            assert path.is_file(), f"{artifact.path} is not among the kernels"
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    return made


def interface(root: Path, made: OpPackage) -> Path:
    """The generated folder."""
    return root / "generated" / made.cpp_namespace / "classic"


def compile_all(root: Path, made: OpPackage, compiler: str, flags: str) -> str:
    """Builds with make into a folder of its own; what the compiler said."""
    out = root / "build" / compiler
    command = ["make", "-s", "-k", "-j2", "-C", str(interface(root, made)), f"CXX={need(compiler)}", f"OUT={out}"]
    command += [f"OPKG_SIM_INCLUDE={INCLUDE}", f"CXXFLAGS={flags}", "x86"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (out / made.library).is_file()
    return done.stdout + done.stderr


def preprocessed(root: Path, made: OpPackage, source: str, *flags: str) -> str:
    """A source file after -E."""
    folder = interface(root, made)
    command = [
        need("g++"),
        "-E",
        "-P",
        "-std=c++17",
        *flags,
        f"-I{folder}/include",
        f"-I{folder}/src",
        f"-I{root}/generated",
    ]
    command += [f"-DTHIS_PKG_NAME={made.name}", f"-isystem{INCLUDE}", str(folder / "src" / source)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


HEAD = "opkg: 1\npackage: {name: t.t, version: 1.0.0, targets: [qnn-htp-classic]@SDK@}\nops:\n  Op1:\n"


def findings(body: str, sdk: str = "") -> tuple[list[Diagnostic], tuple[int, int]]:
    """What the target says of one op, and the place of the mark § in its text (line, column)."""
    text = HEAD.replace("@SDK@", f", sdk: {sdk}" if sdk else "") + body
    mark = (0, 0)
    if "§" in text:
        before = text[: text.index("§")]
        mark = before.count("\n") + 1, len(before) - before.rfind("\n")
    made, found = read(text.replace("§", "").encode(), "specs/t.yaml")
    assert made is not None, found
    return TARGET.check(made), mark
