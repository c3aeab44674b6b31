"""Which files are specs, and which folder is their project's root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opkg.project.discover import Project, discover
from opkg.spec.diagnostics import OpkgError


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(*paths: str, text: str = "opkg: 1\n") -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)


def found(*paths: str) -> list[tuple[str, tuple[str, ...]]]:
    """(prefix, specs) of each project."""
    return [(project.prefix, project.specs) for project in discover(paths)]


def test_default_is_specs_then_here(here: Path) -> None:
    put("a.yaml")
    assert found() == [("", ("a.yaml",))]
    put("specs/b.yaml", "specs/deep/c.yml", "specs/.hidden.yaml", "specs/notes.txt")
    assert found() == [("", ("specs/b.yaml", "specs/deep/c.yml"))]


def test_folders_that_are_left_out(here: Path) -> None:
    put("x/a.yaml")
    for name in (".venv", ".git", "generated", "build", "node_modules", "venv", "__pycache__", "dist"):
        put(f"{name}/b.yaml", f"x/{name}/c.yaml")
    assert found(".") == [("x/", ("a.yaml",))]
    put("specs/build/d.yaml")  # inside specs/ a name says nothing
    assert found() == [("", ("specs/build/d.yaml",))]
    assert found("build") == [("build/", ("b.yaml",))]  # named: taken


def test_other_yaml_is_no_spec_outside_of_specs(here: Path) -> None:
    put("mkdocs.yml", "environment.yaml", text="name: x\n")
    put("a.yaml", text="# first\n\nopkg: 1\n")
    assert found() == [("", ("a.yaml",))]
    assert found("mkdocs.yml") == [("", ("mkdocs.yml",))]  # named: read, and its faults told
    put("specs/b.yaml", text="name: x\n")
    assert found() == [("", ("specs/b.yaml",))]
    os.unlink("a.yaml")
    put("other/c.yaml", text="name: x\n")
    with pytest.raises(OpkgError) as caught:
        found("other")
    assert "(1 skipped)" in caught.value.diagnostics[0].hint


def test_several_projects(here: Path) -> None:
    put("one/specs/a.yaml", "two/specs/b.yaml", "three/c.yaml")
    assert found(".") == [
        ("one/", ("specs/a.yaml",)),
        ("three/", ("c.yaml",)),
        ("two/", ("specs/b.yaml",)),
    ]
    assert found("two", "one/specs/a.yaml") == [("one/", ("specs/a.yaml",)), ("two/", ("specs/b.yaml",))]


def test_paths_as_people_see_them(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("proj/specs/a.yaml")
    (here / "away").mkdir()
    assert found("proj/specs") == [("proj/", ("specs/a.yaml",))]
    monkeypatch.chdir("proj/specs")
    assert found() == [("../", ("specs/a.yaml",))]
    monkeypatch.chdir("../../away")
    assert found("../proj") == [("../proj/", ("specs/a.yaml",))]
    assert found(str(here / "proj")) == [(f"{here}/proj/", ("specs/a.yaml",))]


def test_root_is_above_the_nearest_specs(here: Path) -> None:
    put("specs/x/specs/deep/a.yaml")
    assert found("specs") == [("specs/x/", ("specs/deep/a.yaml",))]


def test_root_stays_in_the_repository(here: Path) -> None:
    """A checkout that lies somewhere below a folder called specs."""
    put("specs/repo/.git/HEAD", "specs/repo/a.yaml")
    assert found("specs/repo") == [("specs/repo/", ("a.yaml",))]
    put("specs/repo/specs/b.yaml")
    assert found("specs/repo/specs") == [("specs/repo/", ("specs/b.yaml",))]


def test_links_to_folders_are_not_followed(here: Path) -> None:
    put("specs/a.yaml")
    (here / "specs" / "loop").symlink_to(here / "specs")
    assert found() == [("", ("specs/a.yaml",))]


def test_project_without_specs_is_seen(here: Path) -> None:
    """Its last spec was deleted: its generated files are orphans."""
    put("one/specs/a.yaml", "two/generated/manifest.json")
    assert found(".") == [("one/", ("specs/a.yaml",)), ("two/", ())]


def test_path_that_is_not_there(here: Path) -> None:
    with pytest.raises(OpkgError) as caught:
        found("nowhere")
    assert [d.id for d in caught.value.diagnostics] == ["OPK301"]


@pytest.mark.parametrize(
    ("scope", "covered", "other"),
    [
        (("",), "specs/a.yaml", None),
        (("specs/x/",), "specs/x/a.yaml", "specs/a.yaml"),
        (("a.yaml",), "a.yaml", "aa.yaml"),
    ],
)
def test_scope(scope: tuple[str, ...], covered: str, other: str | None) -> None:
    project = Project("/p", "", (), scope)
    assert project.covers(covered)
    assert other is None or not project.covers(other)
