"""All or nothing: whatever ends a run, and wherever, the tree is as before or as after."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opkg.project import transaction
from opkg.project.check import check
from opkg.project.generate import Options, generate
from opkg.project.recovery import pending, recover
from opkg.spec.diagnostics import OpkgError

if TYPE_CHECKING:
    from tests.project.conftest import Tree

BASE = "generated/acme_vision/toy"
Rebuild = Callable[[], dict[str, object]]
CALLS = ("rename", "replace", "link", "unlink", "mkdir", "rmdir", "fchmod", "write", "open")


@pytest.fixture
def changing(tree: Tree) -> Tree:
    """A generated project whose next run writes, updates, removes, keeps a copy and drops folders."""
    tree.spec("Relu", "Elu")
    tree.spec("Gone", path="specs/gone.yaml", package="acme.gone")
    tree.generate()
    os.chmod(f"{BASE}/relu.sh", 0o755)
    tree.write(f"{BASE}/relu.h", "edited\n")
    tree.spec("Relu", "Selu", summary="new")
    os.unlink("specs/gone.yaml")
    return tree


def snapshot(root: Path) -> dict[str, object]:
    """Content, mode and time of every file, and every folder."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        state = path.lstat()
        name = str(path.relative_to(root))
        found[name] = "folder" if path.is_dir() else (path.read_bytes(), state.st_mode, state.st_mtime_ns)
    return found


@contextmanager
def every_call(act: Callable[[int], None]) -> Iterator[list[int]]:
    """Calls `act(n)` before the n-th change of the file system."""
    count = [0]
    before = {name: getattr(os, name) for name in CALLS}

    def wrapped(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **words: Any) -> Any:
            if original is before["open"] and not args[1] & os.O_CREAT:
                return original(*args, **words)
            count[0] += 1
            act(count[0])
            return original(*args, **words)

        return call

    for name, original in before.items():
        setattr(os, name, wrapped(original))
    try:
        yield count
    finally:
        for name, original in before.items():
            setattr(os, name, original)


def kill_at(step: int, number: signal.Signals = signal.SIGKILL) -> Callable[[int], None]:
    """Ends this process before a step."""
    return lambda current: os.kill(os.getpid(), number) if current == step else None


def run_in_child(act: Callable[[int], None]) -> int:
    """Generates in a child process; its wait status."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            with every_call(act):
                code = 0 if generate((), Options(discard_edits=True)).ok else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1]


def number_of_calls(tree: Tree) -> int:
    """How many changes of the file system a whole run needs (it is not really done)."""
    with every_call(lambda number: None) as count:
        child = os.fork()
        if child == 0:
            generate((), Options(discard_edits=True))
            os._exit(min(count[0], 255))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def rebuild(changing: Tree) -> Callable[[], dict[str, object]]:
    """Puts the project back to where `changing` left it, and returns its snapshot."""
    copy = changing.root.parent / "copy"
    shutil.copytree(changing.root, copy)

    def again() -> dict[str, object]:
        for name in os.listdir(changing.root):
            shutil.rmtree(changing.root / name)
        shutil.copytree(copy, changing.root, dirs_exist_ok=True)
        return snapshot(changing.root)

    return again


def test_killed_at_every_step(changing: Tree, rebuild: Rebuild) -> None:
    """SIGKILL before each change of the file system; the next run finds the tree as before or as after."""
    steps = number_of_calls(changing)
    assert steps > 60
    outcomes = []
    for step in range(1, steps + 1):
        before = rebuild()
        status = run_in_child(kill_at(step))
        assert os.WTERMSIG(status) == signal.SIGKILL, step
        recover(str(changing.root), "")  # what every verb does first
        after = snapshot(changing.root)
        if after == before:
            outcomes.append("before")
        else:
            assert check().ok, step
            assert f"{BASE}/relu.h.edited-1" in after
            outcomes.append("after")
    assert outcomes == sorted(outcomes, reverse=True)  # from one step on the change stands
    assert outcomes[0] == "before"


def test_killed_while_undoing(changing: Tree, rebuild: Rebuild) -> None:
    """SIGKILL in the middle of a commit, then again at every step of the recovery."""
    middle = number_of_calls(changing) - 25
    step = 0
    while True:
        step += 1
        before = rebuild()
        run_in_child(kill_at(middle))
        assert pending(str(changing.root))
        child = os.fork()
        if child == 0:
            with every_call(kill_at(step)):
                transaction.undo(str(changing.root))
            os._exit(0)
        finished = os.waitpid(child, 0)[1] == 0
        recover(str(changing.root), "")
        assert snapshot(changing.root) == before, step
        if finished:
            break
    assert step > 5


@pytest.mark.parametrize("kind", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left on device"), MemoryError])
def test_failure_at_every_step(changing: Tree, rebuild: Rebuild, kind: Any) -> None:
    """Ctrl-C, a full disk or no memory at each change: the tree is as it was when the call returns."""
    for step in range(1, number_of_calls(changing) + 1, 3):
        before = rebuild()

        def fail(number: int, step: int = step) -> None:
            if number == step:
                raise kind

        with every_call(fail):
            try:
                result = generate((), Options(discard_edits=True))
            except (KeyboardInterrupt, MemoryError):
                result = None
        if result is not None and result.ok:
            assert check().ok  # the change was complete: only clearing up failed
            continue
        if result is not None:
            assert [f.id for f in result.findings] == ["OPK324"]
            assert "No space left on device" in result.findings[0].message
        after = snapshot(changing.root)
        if after != before:
            assert check().ok


def test_disk_full_message(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.spec("Relu")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    result = tree.generate()
    monkeypatch.undo()
    assert [(f.id, f.span.path, f.message, f.hint) for f in result.findings] == [
        ("OPK324", f"{BASE}/data/relu.json", "cannot write: No space left on device",
         "nothing was written; free some space")
    ]  # fmt: skip
    assert sorted(os.listdir(tree.root)) == ["specs"]


def test_read_only_project(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """(Simulated: the tests may run as root, whom permissions do not stop.)"""
    tree.spec("Relu")
    real = os.mkdir

    def mkdir(path: str, mode: int = 0o777) -> None:
        if str(path).startswith(str(tree.root)):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        real(path, mode)

    monkeypatch.setattr(os, "mkdir", mkdir)
    result = tree.generate()
    assert [(f.id, f.message) for f in result.findings] == [("OPK324", "cannot write: Permission denied")]
    assert result.findings[0].hint == "nothing was written; make the folder writable"


def test_sigterm_undoes(changing: Tree) -> None:
    before = snapshot(changing.root)
    status = run_in_child(kill_at(40, signal.SIGTERM))
    assert os.waitstatus_to_exitcode(status) == 99  # Terminated left generate()
    assert snapshot(changing.root) == before


def test_file_saved_meanwhile(changing: Tree) -> None:
    """An editor saves a file after it was compared: nothing is written, and the new text stays."""
    saved = []

    def save(number: int) -> None:
        if number == 20 and not saved:
            saved.append(1)
            Path(f"{BASE}/relu.sh").write_text("saved just now\n")

    with every_call(save):
        result = generate((), Options(discard_edits=True))
    assert [(f.id, f.span.path) for f in result.findings] == [("OPK326", f"{BASE}/relu.sh")]
    assert changing.read(f"{BASE}/relu.sh") == "saved just now\n"
    assert changing.read(f"{BASE}/relu.h") == "edited\n"


def test_kernel_file_made_meanwhile(tree: Tree) -> None:
    tree.spec("Relu")
    done = []

    def save(number: int) -> None:
        if number == 12 and not done:
            done.append(1)
            tree.write("kernels/relu.cpp", "typed just now\n")

    with every_call(save):
        result = tree.generate()
    assert not result.ok
    assert tree.read("kernels/relu.cpp") == "typed just now\n"


def test_edit_between_kill_and_recovery_is_kept(changing: Tree) -> None:
    """A killed run had put a new file in place; the user edits it before the next run undoes that."""
    target = f"{BASE}/relu.sh"

    def kill(number: int) -> None:
        if "new" in Path(target).read_text():
            os.kill(os.getpid(), signal.SIGKILL)

    before = Path(target).read_bytes()
    run_in_child(kill)
    assert "new" in changing.read(target)
    changing.write(target, "typed after the crash\n")
    check()
    assert Path(target).read_bytes() == before
    assert changing.read(f"{target}.edited-1") == "typed after the crash\n"


def test_other_file_system(changing: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """kernels/ may be a mount of its own: what cannot be renamed is copied."""
    real_replace, real_link = os.replace, os.link

    def replace(source: str, place: str) -> None:
        if (transaction.FOLDER in str(source)) != (transaction.FOLDER in str(place)):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real_replace(source, place)

    def link(source: str, place: str, **_: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(
        os, "rename", lambda a, b: replace(a, b) if transaction.FOLDER not in str(b) else real_replace(a, b)
    )
    assert generate((), Options(discard_edits=True)).ok
    monkeypatch.setattr(os, "replace", real_replace)
    monkeypatch.setattr(os, "link", real_link)
    assert check().ok


def test_damaged_journal_is_a_finding(tree: Tree) -> None:
    tree.spec("Relu")
    tree.generate()
    tree.write(f"{transaction.FOLDER}/journal", "not json")
    with pytest.raises(OpkgError) as caught:
        tree.check()
    assert [(d.id, d.span.path) for d in caught.value.diagnostics] == [("OPK327", transaction.FOLDER)]


def test_journal_of_a_stranger_cannot_reach_outside(tree: Tree, tmp_path: Path) -> None:
    """The folder may come with a checkout; following it must not move files over others of the user's."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    tree.spec("Relu")
    tree.write(f"{transaction.FOLDER}/old/0", "evil")
    tree.write(f"{transaction.FOLDER}/journal", '{"steps": [["../victim", "", true]], "made": []}')
    with pytest.raises(OpkgError):
        tree.check()
    assert victim.read_text() == "precious"


SLOW = """
import sys, time
from opkg.project import lock
with lock.locked(sys.argv[1], "", exclusive=True):
    print("locked", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@contextmanager
def holder(root: Path, seconds: float) -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-c", SLOW, str(root), str(seconds)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"locked\n"
        yield
        child.kill()


def test_second_run_waits(tree: Tree) -> None:
    tree.spec("Relu")
    with holder(tree.root, 0.3):
        begun = time.monotonic()
        assert tree.generate().ok
        assert time.monotonic() - begun > 0.2


def test_second_run_gives_up(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opkg.project.lock.WAIT", 0.1)
    tree.spec("Relu")
    with holder(tree.root, 30), pytest.raises(OpkgError) as caught:
        tree.generate()
    assert [(d.id, d.message) for d in caught.value.diagnostics] == [
        ("OPK325", "another opkg has been working here for 0.1 s")
    ]


def test_two_runs_at_once(tree: Tree) -> None:
    tree.spec("Relu", "Elu")
    command = [sys.executable, "-c", "from opkg.project.generate import generate; assert generate().ok"]
    children = [subprocess.Popen(command) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    assert tree.check().ok


def test_link_out_of_the_project(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tree.root / "generated").mkdir()
    (tree.root / "generated/acme_vision").symlink_to(tmp_path / "outside")
    tree.spec("Relu")
    result = tree.generate()
    assert {f.id for f in result.findings} == {"OPK322"}
    assert "is a link out of the project" in result.findings[0].message
    assert list((tmp_path / "outside").iterdir()) == []


def test_orphans_behind_a_link_stay(tree: Tree, tmp_path: Path) -> None:
    """The manifest names a file that now lies outside, behind a link: it is not deleted there."""
    tree.spec("Relu", "Elu")
    tree.generate()
    os.rename("generated/acme_vision", tmp_path / "outside")
    (tree.root / "generated/acme_vision").symlink_to(tmp_path / "outside")
    tree.spec("Relu")
    assert not tree.generate().ok
    assert (tmp_path / "outside/toy/elu.h").exists()


def test_link_within_the_project_is_followed(tree: Tree) -> None:
    (tree.root / "real").mkdir()
    (tree.root / "kernels").symlink_to("real")
    tree.spec("Relu")
    assert tree.generate().ok
    assert (tree.root / "real/relu.cpp").exists()


def test_file_that_is_a_link(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "victim.h").write_text("precious")
    (tree.root / BASE).mkdir(parents=True)
    (tree.root / BASE / "relu.h").symlink_to(tmp_path / "victim.h")
    tree.spec("Relu")
    result = tree.generate(discard_edits=True)
    assert [(f.id, f.span.path) for f in result.findings] == [("OPK322", f"{BASE}/relu.h")]
    assert (tmp_path / "victim.h").read_text() == "precious"


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_something_else_in_the_way(tree: Tree, kind: str) -> None:
    (tree.root / BASE).mkdir(parents=True)
    place = tree.root / BASE / "relu.h"
    place.mkdir() if kind == "folder" else os.mkfifo(place)
    tree.spec("Relu")
    result = tree.generate(discard_edits=True)
    assert [(f.id, f.span.path) for f in result.findings] == [("OPK323", f"{BASE}/relu.h")]


def test_file_where_a_folder_goes(tree: Tree) -> None:
    tree.write("generated/acme_vision", "a file\n")
    tree.spec("Relu")
    result = tree.generate()
    assert {f.message for f in result.findings} == {"cannot be written: generated/acme_vision is not a folder"}
    assert tree.read("generated/acme_vision") == "a file\n"


def test_nothing_is_left_behind(changing: Tree) -> None:
    assert changing.generate(discard_edits=True).ok
    assert [p for p in os.listdir(changing.root) if p.startswith(".")] == []
    assert "generated/acme_gone" not in changing.folders()


def _only_a_spec(tree: Tree) -> dict[str, object]:
    """Nothing but a spec, as before the first run."""
    for name in ("generated", "kernels", transaction.FOLDER):
        shutil.rmtree(tree.root / name, ignore_errors=True)
    tree.spec("Relu")
    return snapshot(tree.root / "generated")


def test_killed_while_folders_are_new(tree: Tree) -> None:
    """All folders are new: they are moved whole, and a killed run leaves none of them, or all."""
    _only_a_spec(tree)
    steps = number_of_calls(tree)
    outcomes = []
    for step in range(1, steps + 1, 3):
        before = _only_a_spec(tree)
        assert os.WTERMSIG(run_in_child(kill_at(step))) == signal.SIGKILL, step
        recover(str(tree.root), "")
        if snapshot(tree.root / "generated") == before:
            assert sorted(os.listdir(tree.root)) == ["specs"], step
            outcomes.append("before")
        else:
            assert check().ok, step
            outcomes.append("after")
    assert outcomes == sorted(outcomes, reverse=True)
    assert set(outcomes) == {"before", "after"}


def test_new_folders_on_another_file_system(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be moved there is made there; a name that somebody else took meanwhile stays theirs."""
    rename = os.rename

    def renamed(source: str, place: str) -> None:
        if f"{transaction.FOLDER}/tree" in str(source):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        rename(source, place)

    _only_a_spec(tree)
    monkeypatch.setattr(os, "rename", renamed)
    assert tree.generate().ok
    assert check().ok
    _only_a_spec(tree)

    def taken(source: str, place: str) -> None:
        if place.endswith("/kernels"):
            tree.write("kernels/mine.txt", "typed just now\n")
        rename(source, place)

    monkeypatch.setattr(os, "rename", taken)
    assert [f.id for f in tree.generate().findings if f.is_error] == ["OPK324"]
    assert tree.read("kernels/mine.txt") == "typed just now\n"
    assert sorted(os.listdir(tree.root)) == ["kernels", "specs"]
