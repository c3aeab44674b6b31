"""`opkg new` with hostile answers, with others at the same time, and killed: nothing is executed, lost or left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opkg.cli.main import run
from opkg.project import scaffold
from opkg.project.check import check
from opkg.project.discover import Project
from opkg.project.scaffold import new_op
from opkg.spec.diagnostics import OpkgError
from opkg.spec.names import op_name_fault, package_faults

COMMAND = [sys.executable, "-P", "-m", "opkg"]
STEPS = (
    (1, 20, 46, 106, 400),
    pytest.param((*range(1, 160), 400), marks=pytest.mark.sweep),
)  # a run changes the disk some 140 times
EXECUTES = "{{ cycler.__init__.__globals__.os.popen('touch /tmp/%s; touch %s') }}"
HOSTILE = (
    "{{ 7*7 }}", "{% raw %}", "{# x #}", "../esc", "..", ".", "/abs", "a/../../b", "a.b/c", "~root", "$(touch x)", "`id`",
    "a;b", "a b", "a\nb", "a\n", "\n", "a\tb", "a\\b", "a\"b", "a'b", "a:b", "a,b", "-x", "--dir", "a..b", ".a", "a.",
    "a__b", "class", "std", "a.class", "Con", "ünï", "名前", "\U0001f600", "\udcff", "a\u202eb", "%s", "{name}", "${x}", "a&b",
    "a|b", "a>b", "a*b", "a?b", "[a]", "#a", "@a", "!a", "a" * 65, "a." * 40 + "a", "", " ", "0a", "_a",
)  # fmt: skip


def opkg(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, errors="surrogateescape"
    )


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"" for p in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("option", ["--package", "name"])
def test_a_template_in_an_answer_is_not_rendered(tmp_path: Path, option: str) -> None:
    mark = tmp_path / "mark"
    answer = EXECUTES % ("opkg-" + tmp_path.name, mark)
    words = ("Op", "--package", answer) if option == "--package" else (answer, "--package", "a.b")
    done = opkg("new", *words, "--dir", "p", "--no-input", cwd=tmp_path)
    assert done.returncode == 1
    assert "OPK150" in done.stdout
    assert snapshot(tmp_path) == {}


@pytest.mark.parametrize("where", ["--dir", "current folder"])
def test_a_folder_named_like_a_template_is_only_a_folder(tmp_path: Path, where: str) -> None:
    """Its name is the user's to choose; it is used as it stands."""
    name = "{{ cycler.__init__.__globals__.os.popen('touch mark') }}{% x"
    if where == "--dir":
        done = opkg("new", "Op", "--dir", name, "--no-input", cwd=tmp_path)
        root = tmp_path / name
    else:
        (tmp_path / name).mkdir()
        done = opkg("new", "Op", "--package", "a.b", "--no-input", cwd=tmp_path / name)
        root = tmp_path / name / "b"
    assert done.returncode == 0, done.stdout + done.stderr
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert not list(tmp_path.rglob("mark"))
    assert opkg("check", cwd=root).returncode == 0


@pytest.mark.parametrize("answer", HOSTILE)
def test_hostile_answers_are_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    if package_faults(answer):
        with pytest.raises(OpkgError):
            new_op("Op", "custom", answer, None)
    if op_name_fault(answer):
        with pytest.raises(OpkgError):
            new_op(answer, "custom", None, "p")
    assert package_faults(answer) or op_name_fault(answer)
    assert snapshot(tmp_path) == {"work": b""}


def ops_of(spec: Path) -> list[str]:
    return sorted(line.strip(" :") for line in spec.read_text().splitlines() if line.startswith("  Op"))


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("apart", [0, 0.15])
def test_parallel_runs_lose_no_op(tmp_path: Path, there: bool, apart: float) -> None:
    """Also where each of them finds no project yet, and would make one. `apart`: seconds between their starts, such that one
    plans its project while the folder of another is moved in place."""
    count = 4
    if there:
        assert opkg("new", "Op0", "--package", "a.par", "--dir", "p", "--no-input", cwd=tmp_path).returncode == 0
    runs = []
    for n in range(1, count):
        words = ["new", f"Op{n}", "--package", "a.par", "--kind", "custom" if n % 2 else "elementwise", "--dir", "p"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
        runs.append(subprocess.Popen([*COMMAND, *words], cwd=tmp_path, text=True, **pipes))
        time.sleep(apart)
    said = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * (count - 1), said
    assert ops_of(tmp_path / "p" / "specs" / "par.yaml") == [f"Op{n}" for n in range(0 if there else 1, count)]
    assert {p.name for p in (tmp_path / "p" / "kernels").glob("*.cpp")} == {"op1.cpp", "op3.cpp"}
    references = (tmp_path / "p" / "references.py").read_text()
    assert all(f"def op{n}(" in references for n in (1, 3))
    assert [p.name for p in tmp_path.iterdir()] == ["p"]
    assert opkg("check", cwd=tmp_path / "p").returncode == 0


def killed_new(folder: Path, where: str, step: int, number: int) -> int:
    """`opkg new` in a process that gets a signal before its `step`-th change of the disk; its wait status."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    try:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        left = [step]
        for name in ("open", "mkdir", "rename", "replace", "link", "unlink"):
            setattr(os, name, counted(getattr(os, name), name == "open", left, number))
        os._exit(run(["new", "Op", "--package", "a.b", "--dir", where]))
    finally:
        os._exit(99)


def counted(original: Callable[..., Any], opens: bool, left: list[int], number: int) -> Callable[..., Any]:
    def call(*args: Any, **words: Any) -> Any:
        if not opens or args[1] & os.O_CREAT:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), number)
        return original(*args, **words)

    return call


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("where", ["p", "."])
def test_a_run_that_is_told_to_end_leaves_nothing(tmp_path: Path, where: str, steps: tuple[int, ...]) -> None:
    """SIGTERM before a change of the disk; once all is in place, and there is only to be cleared up, it stays."""
    for step in steps:
        base = tmp_path / f"{step}"
        base.mkdir()
        status = killed_new(base, where, step, signal.SIGTERM)
        code = os.waitstatus_to_exitcode(status)
        assert code in (0, 143), step
        assert (code == 143 and snapshot(base) == {}) or check((str(base / where),)).ok, step
    assert code == 0, "it never got through"


def test_a_project_that_appears_meanwhile_gets_the_op(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new_op("First", "elementwise", "a.b", "p")
    looks: list[str] = []
    look = scaffold.specs_in

    def too_early(base: str) -> list[tuple[Project, str]]:
        looks.append(base)
        return look(base) if len(looks) > 1 else []

    monkeypatch.setattr(scaffold, "specs_in", too_early)
    new_op("Second", "elementwise", "a.b", "p")
    text = (tmp_path / "p" / "specs" / "b.yaml").read_text()
    assert "  First:" in text
    assert "  Second:" in text


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("where", ["p", "."])
def test_a_killed_run_leaves_what_the_next_one_clears_away(
    tmp_path: Path, where: str, steps: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL: there is a whole project or none; of what was prepared, nothing is left after the next run."""
    for step in steps:
        base = tmp_path / f"{step}"
        base.mkdir()
        status = os.waitstatus_to_exitcode(killed_new(base, where, step, signal.SIGKILL))
        assert status in (0, -signal.SIGKILL)
        if where == "p":
            assert {p.name for p in base.iterdir() if not p.name.startswith(".opkg-new-")} <= {"p"}
            assert not (base / "p").exists() or check((str(base / "p"),)).ok
        for hidden in base.glob(".opkg-new-*"):
            os.utime(hidden, (time.time() - 60,) * 2)
        monkeypatch.chdir(base)
        with contextlib.suppress(OpkgError):  # the op is there: it had been moved before the end came
            new_op("Op", "elementwise", "a.b", where)
        root = base / where
        assert check((str(root),)).ok
        assert sorted(p.name for p in base.iterdir()) == (["p"] if where == "p" else sorted(os.listdir(root)))
        assert not list(base.glob(".opkg-*"))


def test_a_generated_file_that_was_edited_stops_it_before_the_spec_is_changed(tmp_path: Path) -> None:
    assert opkg("new", "First", "--package", "a.b", "--dir", "p", "--no-input", cwd=tmp_path).returncode == 0
    edited = next((tmp_path / "p" / "generated").rglob("Makefile"))
    edited.write_text("# mine\n")
    before = snapshot(tmp_path)
    done = opkg("new", "Second", "--kind", "custom", "--no-input", cwd=tmp_path / "p")
    assert done.returncode == 1
    assert "OPK320" in done.stdout
    assert snapshot(tmp_path) == before


def test_line_ends_of_the_spec_are_kept(tmp_path: Path) -> None:
    assert opkg("new", "First", "--package", "a.b", "--dir", "p", "--no-input", cwd=tmp_path).returncode == 0
    spec = tmp_path / "p" / "specs" / "b.yaml"
    spec.write_bytes(spec.read_bytes().replace(b"\n", b"\r\n"))
    assert opkg("new", "Second", "--no-input", cwd=tmp_path / "p").returncode == 0
    data = spec.read_bytes()
    assert b"Second:" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_reference_of_that_name_is_not_replaced(tmp_path: Path) -> None:
    assert opkg("new", "First", "--kind", "custom", "--dir", "p", "--no-input", cwd=tmp_path).returncode == 0
    references = tmp_path / "p" / "references.py"
    references.write_text(references.read_text() + "\n\ndef second(x):\n    return x\n")
    before = snapshot(tmp_path)
    done = opkg("new", "Second", "--kind", "custom", "--no-input", cwd=tmp_path / "p")
    assert done.returncode == 1
    assert "references.py:" in done.stdout
    assert "OPK343" in done.stdout
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("kind", ["empty", "repository", "link", "dangling", "link to a file", "deep"])
def test_places_for_a_project(tmp_path: Path, kind: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    where, root, works = ".", work, True
    if kind == "repository":
        (work / ".git").mkdir()
    elif kind == "link":
        (tmp_path / "real").mkdir()
        (work / "link").symlink_to(tmp_path / "real")
        where, root = "link", tmp_path / "real"
    elif kind == "dangling":
        (work / "link").symlink_to(tmp_path / "gone")
        where, works = "link", False
    elif kind == "link to a file":
        (tmp_path / "file").write_text("mine")
        (work / "link").symlink_to(tmp_path / "file")
        where, works = "link", False
    elif kind == "deep":
        where, root = "a/b/../b/c/", work / "a" / "b" / "c"
    before = snapshot(tmp_path)
    done = opkg("new", "Op", "--dir", where, "--no-input", cwd=work)
    assert "internal error" not in done.stderr
    assert done.returncode == (0 if works else 2 if kind == "link to a file" else 1), done.stdout + done.stderr
    if not works:
        assert snapshot(tmp_path) == before
        return
    assert opkg("check", cwd=root).returncode == 0
    assert opkg("new", "More", "--dir", where, "--no-input", cwd=work).returncode == 0
