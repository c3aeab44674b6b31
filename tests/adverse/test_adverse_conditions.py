"""Commands where the disk is read-only or full, no home folder, links everywhere: findings, never a traceback."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click
import pytest
from adverse_commands import ALL, OPTIONS, QUICK, SLOW, derived, make, verbs
from adverse_conditions import CONDITIONS, INSTEAD, PARTS, CannotMount, Condition, instead, under
from adverse_harness import Ran, opkg

from opkg.cli.main import CONTEXT, cli

sweep = pytest.mark.sweep
SAMPLE = [("new", "More", "--no-input"), ("new", "More", "--dir", "sub/deep", "--no-input"), ("generate", "stale")]
COMPILING = [("build",), ("verify", "--on", "host", "--op", "Relu", "--cases", "1")]
LINKS = [
    ("specs", "a link out"),
    ("specs/mini.yaml", "a pipe"),
    ("generated", "a link to nothing"),
    ("references.py", "a folder"),
    (".opkg-transaction", "a closed folder"),
    ("generated/manifest.json", "a link to itself"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("adverse") / "project")


def runs(condition: Condition, commands: object, project: Path, folder: Path) -> list[Ran]:
    """Each command under the condition; a skip where it cannot be had."""
    found = []
    try:
        for words in commands:  # type: ignore[attr-defined]
            with under(condition, project, folder / "here") as place:
                found.append(opkg(words, place.project, place.prepare))
    except CannotMount as failure:
        pytest.skip(f"nothing can be mounted here: {failure}")
    return found


def faults(found: list[Ran]) -> str:
    return "\n".join(str(ran) for ran in found if ran.fault)


def test_the_series_has_every_command_with_every_option() -> None:
    """What adverse_commands.py does not name is derived from opkg's own commands, and understood by them."""
    commands = dict(verbs())
    assert {("kernel", "show"), ("rules", "apply"), ("executorch", "judge"), ("new",)} <= set(commands)
    for path, command in commands.items():
        words = {word for line in ALL if line[: len(path)] == path for word in line}
        missing = [p.opts for p in command.params if isinstance(p, click.Option) and not words.intersection(p.opts)]
        assert words, path
        assert not missing, path
    lines = derived([])  # as if all of them were new
    assert len(lines) > 100
    for line in lines:
        path = max((path for path in commands if line[: len(path)] == path), key=len)
        words, command = line[len(path) :], commands[path]
        with suppress(click.BadParameter):  # a value may be refused, but all options and arguments are known
            command.make_context(path[-1], list(words), parent=click.Context(cli, **CONTEXT))  # -h is kept by commands
        needed = [p for p in command.params if isinstance(p, click.Argument) and p.required]
        assert len(words) >= len(needed), line


@pytest.mark.parametrize("name", CONDITIONS)
def test_commands_under_conditions(project: Path, tmp_path: Path, name: str) -> None:
    assert not faults(runs(CONDITIONS[name], SAMPLE, project, tmp_path))


@pytest.mark.parametrize(("name", "commands"), [("read-only", COMPILING), ("full disk", COMPILING[:1])])
def test_compiling_commands_under_conditions(
    project: Path, tmp_path: Path, name: str, commands: list[tuple[str, ...]]
) -> None:
    found = runs(CONDITIONS[name], commands, project, tmp_path)
    assert not faults(found)
    assert {ran.code for ran in found} == {1}, [str(ran) for ran in found]


@pytest.mark.parametrize(("part", "what"), LINKS)
def test_commands_with_something_else_in_place(project: Path, tmp_path: Path, part: str, what: str) -> None:
    commands = [("new", "More", "--kind", "custom", "--no-input"), ("generate",), ("check",)]
    assert not faults(runs(instead(part, what), commands, project, tmp_path))


def test_a_reference_that_is_no_text_is_a_finding(project: Path, tmp_path: Path) -> None:
    (ran,) = runs(instead("references.py", "noise"), [("executorch", "intree", "checkout")], project, tmp_path)
    assert ran.code == 1, str(ran)
    assert ran.out.startswith("references.py: error: cannot be read: byte 1 is no UTF-8 [OPK301]")


@sweep
@pytest.mark.parametrize("words", ALL, ids=" ".join)
@pytest.mark.parametrize("name", CONDITIONS)
def test_every_command_under_every_condition(project: Path, tmp_path: Path, name: str, words: tuple[str, ...]) -> None:
    assert not faults(runs(CONDITIONS[name], [words], project, tmp_path))


@sweep
@pytest.mark.parametrize("what", INSTEAD)
@pytest.mark.parametrize("part", PARTS)
def test_every_command_with_anything_in_place_of_anything(project: Path, tmp_path: Path, part: str, what: str) -> None:
    assert not faults(runs(instead(part, what), (*QUICK, *OPTIONS, SLOW[0]), project, tmp_path))


def test_a_read_only_folder_is_read_only_to_root_too(project: Path, tmp_path: Path) -> None:
    """The conditions are what they say."""
    with under(CONDITIONS["read-only"], project, tmp_path / "here") as place:
        ran = opkg(("new", "More"), place.project, place.prepare)
        assert (ran.code, "OPK324" in ran.out) == (1, True), str(ran)
        assert not (place.project / "specs" / ".opkg-transaction").exists()
        assert "More" not in (place.project / "specs" / "mini.yaml").read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts")
def test_a_full_disk_keeps_what_was_there(project: Path, tmp_path: Path) -> None:
    before = {p.relative_to(project): p.read_bytes() for p in project.rglob("*") if p.is_file()}
    for name in ("full disk", "60 kB left", "400 kB left"):
        try:
            with under(CONDITIONS[name], project, tmp_path / "here") as place:
                ran = opkg(("generate", "stale"), place.project, place.prepare)
                after = {p.relative_to(place.project): p.read_bytes() for p in place.project.rglob("*") if p.is_file()}
                assert ran.code == 0 or after == before, str(ran)
        except CannotMount as failure:
            pytest.skip(f"nothing can be mounted here: {failure}")
