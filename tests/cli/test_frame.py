"""The frame around all verbs: streams, signals, unexpected failures, what is imported."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
COMMAND = [sys.executable, "-m", "opkg"]


def spawn(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload,no-any-return]


def test_unexpected_exception(opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("very\nwrong")

    monkeypatch.setattr("opkg.project.read.read", broken)
    done = opkg("validate")
    assert done.code == 70
    assert done.out == ""
    assert done.err == (
        "opkg: internal error: ZeroDivisionError: very\n"
        "opkg: this is a fault of opkg: report it with the spec, the command line and what OPKG_DEBUG=1 prints\n"
    )
    monkeypatch.setenv("OPKG_DEBUG", "1")
    assert "Traceback (most recent call last)" in opkg("validate").err


def test_keyboard_interrupt(opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("opkg.project.read.read", interrupted)
    done = opkg("validate")
    assert done.code == 130
    assert "Traceback" not in done.err


def test_broken_pipe(project: Path) -> None:
    """`opkg explain | head -1` ends without a word on stderr."""
    child = subprocess.Popen([*COMMAND, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() in (1, 141)


@pytest.mark.parametrize("verb", [("schema",), ("validate",), ("--help",)])
@pytest.mark.parametrize("stdout", ["full", "closed"])
def test_output_that_cannot_be_written(project: Path, verb: tuple[str, ...], stdout: str) -> None:
    """Said once on stderr; streams that are closed are no fault of the run."""
    if stdout == "full":
        with open("/dev/full", "w") as full:
            done = subprocess.run([*COMMAND, *verb], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, "opkg: cannot write the output: No space left on device\n")
    else:
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" <&- >&-', "sh", *COMMAND, *verb], stderr=subprocess.PIPE, text=True
        )
        assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_refusal_of_the_operating_system_is_a_finding(
    opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(project / "specs"))

    monkeypatch.setattr("opkg.project.read.read", refused)
    done = opkg("validate")
    assert done.code == 1
    assert done.out.startswith("specs: error: the operating system refused: Permission denied [OPK328]")
    monkeypatch.setenv("OPKG_DEBUG", "1")
    assert "Traceback (most recent call last)" in opkg("validate").err


def test_sigterm_while_generating(project: Path) -> None:
    """The tree is as it was, and the exit code says which signal it was."""
    code = (
        "import os, sys, time\n"
        "from opkg.project.transaction import Transaction\n"
        "apply = Transaction.apply\n"
        "def slow(self):\n    apply(self); print('applied', flush=True); time.sleep(30)\n"
        "Transaction.apply = slow\n"
        "from opkg.cli.main import main\nmain(['generate'])\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"applied\n"
        assert (project / "generated").exists()
        begun = time.monotonic()
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate()
    assert (child.returncode, err) == (143, b"opkg: terminated\n")
    assert time.monotonic() - begun < 10
    assert sorted(os.listdir(project)) == ["specs"]


def test_output_that_the_terminal_cannot_show(project: Path) -> None:
    spec = project / "specs" / "vision.yaml"
    spec.write_text(spec.read_text().replace("1.0.0", "größe"))
    done = spawn("validate", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert "'gr\\xf6\\xdfe' is no version" in done.stdout


@pytest.mark.parametrize(("colour", "variable"), [(True, {}), (False, {"NO_COLOR": "1"}), (False, {"TERM": "dumb"})])
def test_colours_on_a_terminal_only(project: Path, colour: bool, variable: dict[str, str]) -> None:
    (project / "specs" / "vision.yaml").write_text("opkg: 2\n")
    environment = {**os.environ, "TERM": "xterm", **variable}
    assert "\x1b[" not in spawn("validate", env=environment).stdout
    master, slave = pty.openpty()
    child = subprocess.Popen([*COMMAND, "validate"], stdout=slave, stderr=slave, stdin=slave, env=environment)
    child.wait()
    os.close(slave)
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert "error" in shown
    assert ("\x1b[" in shown) == colour


def test_check_imports_no_more_than_it_needs(project: Path) -> None:
    """The quick way stands on these not being imported; each would cost more than the whole check."""
    spec = project / "specs" / "vision.yaml"
    spec.write_text(spec.read_text().replace("[toy]", "[executorch-builder]"))
    code = (
        "import sys\nfrom opkg.cli.main import run\n"
        "code = run(sys.argv[1:])\n"
        "heavy = set('yaml jinja2 numpy opkg.spec.model importlib.metadata shutil'.split())\n"
        "print(code, sorted(set(sys.modules) & heavy))"
    )
    spec.write_text(spec.read_text().replace("[executorch-builder]", "[qnn-htp-qhpi]"))
    assert spawn("generate").returncode == 0
    done = subprocess.run([sys.executable, "-c", code, "check"], capture_output=True, text=True, check=False)
    assert done.stdout == "0 []\n", done


def test_completion_script() -> None:
    done = spawn(env={**os.environ, "_OPKG_COMPLETE": "bash_source"})
    assert "complete -o nosort -F" in done.stdout
    words = spawn(env={**os.environ, "_OPKG_COMPLETE": "bash_complete", "COMP_WORDS": "opkg ver", "COMP_CWORD": "1"})
    assert words.stdout == "plain,verify\n"
