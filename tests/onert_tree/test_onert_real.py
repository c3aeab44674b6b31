"""A real source tree of onert, where OPKG_ONE_SRC names one: the places are found, and what goes in comes out again."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from onert_build import build, syntax
from onert_edits import edits
from onert_lib import done, project
from onert_mini import tree

from opkg.trees import anchors
from opkg.trees.checkout import Checkout
from opkg.trees.found import order
from opkg.trees.onert.eras import detect
from opkg.trees.onert.places import ROWS
from opkg.trees.placing import path_of

SOURCE = os.environ.get("OPKG_ONE_SRC", "")
pytestmark = pytest.mark.skipif(not SOURCE, reason="OPKG_ONE_SRC names no source tree of onert")
NAMES = ("Aaa", "BatchNorm", "CumSum", "Foo", "HardSwish", "MomentsOf", "ScaledAdd", "Tiny", "Zip")
KEPT = (".h", ".cc", ".lst", ".cpp", ".txt")
EXAMPLE = Path(__file__).parents[2] / "examples/onert"
OPS = ("ScaledAdd", "LogSumExp", "ChannelShuffle", "Moments", "HardSwish")
WHOLE = ("runtime", "infra", "externals", "nnpackage", "res", "tests", "compute", "compiler/arser", "nnas", "nnfw")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the runtime and its tests."""
    root = tmp_path_factory.mktemp("real") / "ONE"
    for part in (
        "runtime/onert",
        "runtime/tests/nnfw_api",
        "runtime/tests/nnapi/bridge",
        "tests/nnfw_api",
        "runtime/compute",
    ):
        if os.path.isdir(f"{SOURCE}/{part}"):
            shutil.copytree(f"{SOURCE}/{part}", root / part, ignore=_others)
    return root


def _others(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if os.path.isfile(f"{folder}/{name}") and not name.endswith(KEPT)]


def test_every_place(copy: Path) -> None:
    """Each entry of each operation goes in beside neighbours that are smaller and greater, and comes out again."""
    opened = Checkout(str(copy), "")
    era = detect(opened.as_it_is)
    seen = 0
    for name in NAMES:
        for edit in edits(name, era):
            row = ROWS[edit.place]
            text = opened.as_it_is(path_of(opened, row))
            if text is None:
                assert row.optional, row.name
                continue
            key = anchors.key_of(row, edit.text) or ""
            result = anchors.insert(text, row, key, edit.text)
            keys = list(anchors.keys(result, row))
            at = keys.index(key)
            if not row.tail and at:
                assert order(keys[at - 1]) < order(key), (row.name, keys[at - 1], key)
            assert anchors.remove(result, row, key) == text
            seen += 1
    assert seen >= len(NAMES) * 20


@pytest.mark.usefixtures("by_hand")
def test_in_and_out(copy: Path, tmp_path: Path) -> None:
    own = project(tmp_path / "project", "acme.nn", *NAMES)
    before = tree(copy)
    done(own, "apply", copy)
    done(own, "apply", copy, "--check")
    done(own, "audit", copy, "--require", "--op", ",".join(NAMES))
    done(own, "remove", copy)
    assert tree(copy) == before


def test_audit(copy: Path) -> None:
    found = json.loads(done(copy, "audit", copy, "--format", "json"))
    counts = {point["name"]: point["count"] for point in found["points"]}
    print(found["count"], len(found["complete"]), counts)
    assert found["count"] > 50
    assert all(counts[name] >= 20 for name in ("operation-validator", "static-shape", "dumper", "loader", "cpu"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """All that a build of the runtime reads, with the example's operations in it; and what they changed."""
    folder = tmp_path_factory.mktemp("whole")
    root, own = folder / "ONE", folder / "project"
    for part in WHOLE:
        if os.path.isdir(f"{SOURCE}/{part}"):
            shutil.copytree(f"{SOURCE}/{part}", root / part, symlinks=True)
        elif os.path.isfile(f"{SOURCE}/{part}"):
            shutil.copy2(f"{SOURCE}/{part}", root / part)
    for part in ("specs", "kernels"):
        shutil.copytree(EXAMPLE / part, own / part)
    done(own, "apply", root, "--copyright", "2026 Acme")
    record = json.loads((own / "intree.json").read_text())
    (laid,) = (package for packages in record["checkouts"].values() for package in packages.values())
    return root, sorted({*laid["files"], *(entry["path"] for entry in laid["entries"])})


def test_syntax_of_every_file(whole: tuple[Path, list[str]]) -> None:
    """Each generated and each edited file compiles against the tree's own headers, with warnings as errors."""
    root, paths = whole
    found = syntax(root, paths)
    assert not found.errors, "\n".join(f"{path}:\n{text}" for path, text in found.errors.items())
    assert len(found.checked) > len(found.missing)
    if found.missing:  # name their folders in OPKG_ONE_INCLUDE
        words = "; ".join(f"{path} needs {header}" for path, header in found.missing.items())
        pytest.skip(f"{len(found.checked) - len(found.missing)} of {len(found.checked)} files are sound; {words}")


def test_build_and_run(whole: tuple[Path, list[str]], tmp_path: Path) -> None:
    """The tree's CMake files build core, cpu backend and tests; those that came with the operations pass."""
    root, _ = whole
    built = build(root, tmp_path / "build", OPS)
    if built.reason:
        pytest.skip(built.reason)
    assert not built.errors, built.errors
    assert built.tests, "no program with tests was built"
    for name, code, text in built.tests:
        assert code == 0, f"{name}:\n{text[-8000:]}"
    if any(name == "test_onert_core" for name, _, _ in built.tests):
        text = "".join(text for name, _, text in built.tests if name == "test_onert_core")
        assert all(f"{op}.static_shape" in text for op in OPS), text[-2000:]
