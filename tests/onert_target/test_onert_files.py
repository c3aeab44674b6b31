"""The files and entries of the target onert: names, licence, style, findings."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from onert_kit import package_of

from opkg.resources import plain
from opkg.spec.model import OpPackage
from opkg.targets.foreign import Era
from opkg.targets.onert import TARGET
from opkg.targets.onert.edits import edits
from opkg.targets.onert.files import files
from opkg.targets.onert.layout import Option

PACKAGE = package_of(Path(__file__).with_name("ops.yaml").read_text())
CLASSIC = Era(operation_lst=False, nested_namespaces=False, layout=True, circle_custom=False, own_operands=True)
OLDEST = Era(operation_lst=False, nested_namespaces=False, layout=True, circle_custom=False, specific_loader=True)


@pytest.mark.parametrize("era", [Era(), CLASSIC], ids=["oplist", "classic"])
def test_formatted(tmp_path: Path, era: Era) -> None:
    """In the style of onert's tree."""
    tool = shutil.which("clang-format") or str(Path(sys.executable).parent / "clang-format")
    (tmp_path / ".clang-format").write_text(plain("portable_kernel/clang-format"))
    for op in PACKAGE.ops:
        for artifact in files(PACKAGE, op, era, Option("2026 Acme")):
            (tmp_path / artifact.path.replace("/", "-")).write_text(artifact.text)
        for edit in edits(PACKAGE, op, era):
            if edit.place.endswith(("_cc", "_definition", "_generate")):
                (tmp_path / f"{op.name}-{edit.place}.cc").write_text(edit.text)
    names = sorted(path for path in tmp_path.iterdir() if path.suffix in (".h", ".cc"))
    assert len(names) > 100
    done = subprocess.run([tool, "--dry-run", "-Werror", *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_licence() -> None:
    """At the head of every file, when somebody is named."""
    for op in PACKAGE.ops:
        for artifact in files(PACKAGE, op, Era(), Option("2026 Acme Inc. All Rights Reserved")):
            head = artifact.text.split("\n")[:5]
            assert head[0] == "/*"
            assert head[1] == " * Copyright (c) 2026 Acme Inc. All Rights Reserved"
            assert "Licensed under the Apache License, Version 2.0" in head[3]
        assert not any("Copyright" in artifact.text for artifact in files(PACKAGE, op, Era(), Option()))


def test_places_of_each_era() -> None:
    """The cpu backend's visits stand with the layer, or in KernelGenerator; custom names go to the loader that has them."""
    op = PACKAGE.ops[0]
    new = {edit.place: edit.text for edit in edits(PACKAGE, op, Era())}
    old = {edit.place: edit.text for edit in edits(PACKAGE, op, CLASSIC)}
    assert all(edit.key == op.name for edit in edits(PACKAGE, op, Era()))
    assert set(new) - set(old) == {"cpu_operation_lst"}
    assert set(old) - set(new) == {"cpu_kernel_generator_h", "cpu_kernel_generator_cc", "cpu_kernel_generator_include"}
    assert new["circle_custom_definition"].startswith("void CircleLoader::loadScaledAdd(")
    assert old["circle_custom_definition"].startswith(
        "template <typename LoaderDomain>\nvoid BaseLoader<LoaderDomain>::"
    )
    oldest = {edit.place: edit.text for edit in edits(PACKAGE, op, OLDEST)}
    assert "BaseLoader<LoaderDomain, SpecificLoader>::loadScaledAdd(" in oldest["circle_custom_definition"]


def test_rendered() -> None:
    """Files of a tree below tree/, the kernel once more beside it."""
    paths = {artifact.path for artifact in TARGET.render(PACKAGE)}
    base = "generated/acme_runtime/onert"
    for op in PACKAGE.ops:
        assert f"{base}/kernels/{op.name}Kernel.h" in paths
        assert f"{base}/tree/runtime/onert/core/include/ir/operation/{op.name}.h" in paths
        assert f"{base}/tree/runtime/onert/backend/cpu/ops/{op.name}Layer.cc" in paths


def _found(op: str) -> list[tuple[str, str]]:
    text = f"opkg: 1\npackage: {{name: t.kit, version: 1.0.0, targets: [onert]}}\nops:\n{op}"
    package: OpPackage = package_of(text)
    return [(str(finding.id), str(finding.severity)) for finding in TARGET.check(package)]


_OP = """
  Thing:
    summary: a thing
    types: {T: [%s]}
    inputs:
      x: {dtype: T, rank: 1..4%s}
    outputs:
      y: {dtype: T, shape: %s}
    %s
"""


@pytest.mark.parametrize(
    ("types", "more", "shape", "rest", "wanted"),
    [
        ("float32", "", "x.shape", "compute: y = exp(x)", [("OPK282", "info")]),
        ("float32", "", "x.shape", "compute: y = x - mean(x, axis=-1, keepdims=True)", []),
        ("float16", "", "x.shape", "compute: y = exp(x)", [("OPK281", "error")]),
        ("float16, float32", "", "x.shape", "compute: y = exp(x)", [("OPK281", "info"), ("OPK282", "info")]),
        ("float32", ", variadic: 1..3", "[4]", "reference: r:f", [("OPK280", "error")]),
        ("float32", "", "[4, ...]", "reference: r:f", [("OPK280", "error")]),
        ("float32", "", "x.shape", "reference: r:f", []),
    ],
)
def test_findings(types: str, more: str, shape: str, rest: str, wanted: list[tuple[str, str]]) -> None:
    assert _found(_OP % (types, more, shape, rest)) == wanted
