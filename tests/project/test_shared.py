"""Files that several packages need: written once, removed with the last that needs them, never changed under another."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from opkg.project import manifest, provenance

if TYPE_CHECKING:
    from tests.project.conftest import Tree

ALL, WIDE = "generated/opkg/toy.h", "generated/opkg/deep/wide.h"


@pytest.fixture(autouse=True)
def text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_SHARED", "one")


def two(tree: Tree) -> None:
    """Two packages, of which the second alone needs the wide header."""
    tree.spec("Relu", path="specs/a.yaml", package="acme.a")
    tree.spec("Wide", path="specs/b.yaml", package="acme.b")


def shared(tree: Tree) -> list[str]:
    return sorted(path for path in tree.files() if path.startswith("generated/opkg/"))


def ids(tree: Tree, *paths: str, **options: object) -> list[str]:
    return [f.id for f in tree.check(*paths, **options).findings]


def test_one_file_for_all_packages_and_targets(tree: Tree) -> None:
    two(tree)
    tree.spec("Relu", path="specs/c.yaml", package="acme.c", targets="[toy, toy-two]")
    assert tree.generate().ok
    assert shared(tree) == [WIDE, ALL]
    first = tree.read(ALL).splitlines()[0]
    assert "from what opkg brings along." in first
    assert tree.check().ok
    assert not tree.generate().actions


def test_it_goes_with_the_last_that_needs_it(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    two(tree)
    tree.generate()
    (tree.root / "specs/b.yaml").unlink()
    assert ids(tree)
    tree.generate()
    assert shared(tree) == [ALL]
    tree.spec("Relu", path="specs/a.yaml", package="acme.a", targets="[toy-two]")
    tree.generate()
    assert shared(tree) == [ALL]
    monkeypatch.delenv("TOY_SHARED")
    tree.spec("Neg", path="specs/a.yaml", package="acme.a", targets="[toy-two]")
    assert tree.generate().ok
    assert shared(tree) == []
    assert tree.check().ok


def test_runs_for_one_spec_keep_what_the_other_needs(tree: Tree) -> None:
    two(tree)
    assert tree.generate("specs/b.yaml").ok
    assert shared(tree) == [WIDE, ALL]
    assert tree.generate("specs/a.yaml").ok
    assert shared(tree) == [WIDE, ALL]
    assert tree.check().ok
    (tree.root / WIDE).unlink()
    assert tree.check("specs/a.yaml").ok
    assert ids(tree, "specs/b.yaml") == ["OPK310"]
    assert tree.generate("specs/a.yaml").ok
    assert shared(tree) == [ALL]  # b is not asked about
    assert tree.generate("specs/b.yaml").ok
    assert shared(tree) == [WIDE, ALL]


def test_a_run_for_a_part_does_not_change_files_under_the_rest(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an update of opkg: the finding names the other spec, and nothing is written."""
    two(tree)
    tree.generate()
    before = tree.files()
    monkeypatch.setenv("TOY_SHARED", "two")
    tree.spec("Relu", "Neg", path="specs/a.yaml", package="acme.a")
    result = tree.generate("specs/a.yaml")
    assert [(f.id, f.span.path) for f in result.findings] == [("OPK319", ALL)]
    assert "shared with specs/b.yaml" in result.findings[0].message
    assert result.findings[0].hint.endswith("opkg generate")
    assert tree.files() == before
    assert tree.generate().ok
    assert "// two" in tree.read(ALL)
    assert "// two" in tree.read(WIDE)
    assert tree.check().ok


def test_nor_does_a_run_for_one_target(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.spec("Relu", targets="[toy, toy-two]")
    tree.generate()
    monkeypatch.setenv("TOY_SHARED", "two")
    tree.spec("Relu", targets="[toy, toy-two]", summary="another")
    result = tree.generate(targets=("toy-two",))
    assert [f.id for f in result.findings] == ["OPK319"]
    assert tree.generate().ok


def test_edits_tell_and_are_never_lost(tree: Tree) -> None:
    two(tree)
    tree.generate()
    tree.write(ALL, tree.read(ALL) + "// mine\n")
    assert ids(tree) == ["OPK312"]
    assert ids(tree, "specs/a.yaml") == ["OPK312"]
    assert [f.id for f in tree.generate().findings] == ["OPK320"]
    assert tree.generate(discard_edits=True).ok
    assert "// mine" in tree.read(f"{ALL}.edited-1")
    assert "// mine" not in tree.read(ALL)
    tree.write(WIDE, tree.read(WIDE) + "// mine\n")
    (tree.root / "specs/b.yaml").unlink()
    assert [f.id for f in tree.generate().findings] == ["OPK320"]
    assert "// mine" in tree.read(WIDE)


def test_two_texts_for_one_file_are_a_finding(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_SHARED", "toy-two:mine")
    tree.spec("Relu", targets="[toy, toy-two]")
    result = tree.generate()
    assert [f.id for f in result.findings] == ["OPK304"]
    assert "whose text differs" in result.findings[0].message
    assert not shared(tree)


def test_no_package_may_write_there_itself(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_PATH", "generated/opkg/mine.h")
    tree.spec("Relu")
    assert [f.id for f in tree.generate().findings] == ["OPK305"]


def test_without_a_manifest_a_run_for_one_spec_removes_nothing(tree: Tree) -> None:
    two(tree)
    tree.generate()
    (tree.root / manifest.PATH).unlink()
    assert tree.generate("specs/a.yaml").ok
    assert shared(tree) == [WIDE, ALL]
    assert tree.generate().ok
    assert tree.check().ok
    (tree.root / manifest.PATH).unlink()
    (tree.root / "specs/b.yaml").unlink()
    assert tree.generate().ok
    assert shared(tree) == [ALL]


def test_what_a_merge_brings_back_of_before_goes_unless_it_was_edited(tree: Tree) -> None:
    """Headers that packages had of their own: git keeps those that a branch of that time changed."""
    two(tree)
    tree.generate()
    text = provenance.stamp("// one\n", "//", "specs/a.yaml", "0.1.0").decode()
    old = "generated/acme_a/toy/include/opkg/toy.h"
    tree.write(old, text)
    assert ids(tree) == ["OPK313"]
    assert tree.generate().ok
    assert old not in tree.files()
    tree.write(old, text + "// mine\n")
    assert [f.id for f in tree.generate().findings] == ["OPK318"]
    assert "// mine" in tree.read(old)
    (tree.root / old).unlink()
    tree.write("generated/acme_a/toy/include/opkg/other.h", text)
    assert ids(tree) == ["OPK318"]


def test_a_project_of_before_is_taken_over(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every package had headers of its own then: they go away, and the manifest is read as it was."""
    monkeypatch.delenv("TOY_SHARED")
    monkeypatch.setenv("TOY_PATH", "generated/acme_vision/toy/include/opkg/toy.h")
    tree.spec("Relu")
    tree.generate()
    rest = tree.read(manifest.PATH).partition('",\n')[2]
    rest = rest.replace('"format": 2,\n"shared": {\n},\n', '"format": 1,\n').replace('"shared": [], ', "")
    assert "shared" not in rest
    tree.write(manifest.PATH, f'{{\n"checksum": "sha256:{sha256(rest.encode()).hexdigest()}",\n{rest}')
    assert tree.check().ok
    monkeypatch.setenv("TOY_SHARED", "one")
    monkeypatch.delenv("TOY_PATH")
    tree.spec("Relu", summary="another")
    assert tree.generate().ok
    assert shared(tree) == [ALL]
    assert not (tree.root / "generated/acme_vision/toy/include").exists()
    assert tree.check().ok
