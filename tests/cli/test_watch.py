"""`opkg verify --generate` and `--watch`: the runs follow the files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.cli.watch import look

ROOT = Path(__file__).parents[2]
VERIFY = ("verify", "--on", "host", "--cases", "2")


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "Clamp", "--package", "acme.watched", "--dir", "p"]) == 0
    monkeypatch.chdir(tmp_path / "p")
    return tmp_path / "p" / "specs" / "watched.yaml"


def test_generate_first(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(spec.read_text().replace("max(x, 0)", "max(x, 1)"))
    assert run([*VERIFY]) == 1
    assert run([*VERIFY, "--generate"]) == 0
    assert run(["check"]) == 0
    spec.write_text(spec.read_text().replace("max(x, 1)", "max(y, 1"))
    capsys.readouterr()
    assert run([*VERIFY, "--generate"]) == 1
    assert "specs/watched.yaml:" in capsys.readouterr().out


def test_what_is_watched(spec: Path) -> None:
    root = spec.parents[1]
    before = look([])
    for path in ("build/verify.html", "generated/x.cpp", ".git/config.py", "notes.txt"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("")
    assert look([]) == before
    for path in ("kernels/x.cpp", "references.py", "tuning.json"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("")
        assert look([]) != before
        before = look([])


def test_runs_follow_the_files(spec: Path) -> None:
    """A good spec, a bad one, a good one again: three runs, and Ctrl-C ends it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\nfrom opkg.cli.main import main; main()"
    with (
        Path("out").open("wb") as out,
        subprocess.Popen([sys.executable, "-c", code, *VERIFY, "--watch"], stdout=out, stderr=out, env=env) as process,
    ):
        good = spec.read_text()
        _wait(process, "waiting for changes", 1)
        spec.write_text(good.replace("max(x, 0)", "max(x, 0"))
        _wait(process, "waiting for changes", 2)
        spec.write_text(good.replace("max(x, 0)", "max(x, 0.5)"))
        _wait(process, "waiting for changes", 3)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    said = Path("out").read_text()
    assert said.count("0 failures") == 2
    assert said.count("'(' was never closed [OPK140]") == 1


def _wait(process: subprocess.Popen[bytes], words: str, times: int) -> None:
    end = time.monotonic() + 120
    while Path("out").read_text().count(words) < times:
        assert process.poll() is None, Path("out").read_text()
        assert time.monotonic() < end, Path("out").read_text()
        time.sleep(0.05)
