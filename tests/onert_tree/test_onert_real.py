"""A real source tree of onert, where OPKG_ONE_SRC names one: the places are found, and what goes in comes out again."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from onert_edits import edits
from onert_lib import done, project
from onert_mini import tree

from opkg.trees import anchors
from opkg.trees.checkout import Checkout
from opkg.trees.found import order
from opkg.trees.onert.eras import detect
from opkg.trees.onert.places import ROWS
from opkg.trees.onert.plan import path_of

SOURCE = os.environ.get("OPKG_ONE_SRC", "")
pytestmark = pytest.mark.skipif(not SOURCE, reason="OPKG_ONE_SRC names no source tree of onert")
NAMES = ("Aaa", "BatchNorm", "CumSum", "Foo", "HardSwish", "MomentsOf", "ScaledAdd", "Tiny", "Zip")
KEPT = (".h", ".cc", ".lst", ".cpp", ".txt")


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
