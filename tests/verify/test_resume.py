"""A verification that is interrupted goes on where it was, unless something it depends on is different."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opkg.verify.judge.results import RawResult
from opkg.verify.machines import execute
from opkg.verify.machines.resume import Kept, digest

from .projects import relu_kernel, relu_project

CASES = 24
SLOW = "for (volatile long i = 0; i < 12000000; i = i + 1) {}"
SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where what starts us ignores it
from opkg.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def verified(root: Path, *words: str, until: int = 0) -> tuple[int, str, str]:
    """A run of the command; with `until`, interrupted when the runner has written so many records."""
    command = [sys.executable, "-c", SCRIPT, "verify", ".", "--on", "host", "--cases", str(CASES), *words]
    variables = {**os.environ, "NO_COLOR": "1"}
    with subprocess.Popen(
        command, cwd=root, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        stop = time.monotonic() + 120
        while until and process.poll() is None:
            written = sum(path.read_bytes().count(b"\n") for path in root.glob("build/**/verify/host/results.*.jsonl"))
            if written >= until:
                process.send_signal(signal.SIGINT)
                break
            assert time.monotonic() < stop
            time.sleep(0.02)
        out, said = process.communicate(timeout=120)
    return process.returncode, out, said


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("resume")
    relu_project(root, relu_kernel(extra=SLOW))
    shutil.rmtree(root / "generated")  # made by the command, which remembers it
    subprocess.run([sys.executable, "-m", "opkg", "generate"], cwd=root, check=True, capture_output=True)
    return root


def before(said: str) -> int:
    """How many cases a run did not run again."""
    found = re.search(r"(\d+) cases? ran before the run was interrupted", said)
    return int(found[1]) if found is not None else 0


def test_an_interrupted_run_goes_on(project: Path) -> None:
    code, _, said = verified(project, until=12)
    assert code != 0
    assert "the same command goes on where this run ends" in said
    code, out, said = verified(project)
    assert code == 0, out + said
    assert 11 <= before(said) < 2 * CASES
    assert f"{2 * CASES} cases" in out
    code, _, said = verified(project, "--op", "Relu")  # which came to its end: the next one begins anew
    assert (code, before(said)) == (0, 0)


def test_what_is_different_is_run_again(project: Path) -> None:
    verified(project, until=12)
    assert before(verified(project, "--fresh")[2]) == 0
    verified(project, until=12)
    kernel = project / "kernels" / "relu.cpp"
    kernel.write_text(relu_kernel("x > 0 ? 2 * x : 0"))
    code, _, said = verified(project)
    assert (code, before(said)) == (1, 0)


def test_what_results_depend_on(tmp_path: Path) -> None:
    library = tmp_path / "library.so"
    library.write_bytes(b"one")
    first = digest([library], ["run"], {"OPKG_X": "1", "HOME": "/a"})
    assert first == digest([library], ["run"], {"OPKG_X": "1", "HOME": "/b"})
    assert first != digest([library], ["run"], {"OPKG_X": "2"})
    assert first != digest([library], ["run", "--more"], {"OPKG_X": "1"})
    library.write_bytes(b"two")
    assert first != digest([library], ["run"], {"OPKG_X": "1"})


def test_records_up_to_the_first_that_lacks(tmp_path: Path) -> None:
    Kept(tmp_path, "results", "a")
    line = '{{"case": {}, "status": "ok"}}\n'
    (tmp_path / "results.0.jsonl").write_text("".join(line.format(case) for case in (0, 1, 2)))
    (tmp_path / "results.1.jsonl").write_text("".join(line.format(case) for case in (4, 5)) + '{"case": 6, "st')
    kept = Kept(tmp_path, "results", "a")
    assert (sorted(kept.found), kept.first) == ([0, 1], 2)  # the last record of a process may be cut off
    kept.whole()
    assert sorted(Kept(tmp_path, "results", "a").found) == [0, 1, 2]
    other = Kept(tmp_path, "results", "b")
    assert (other.found, other.first) == ({}, 0)
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_run_that_was_whole_starts_nothing(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "results", "a")
    kept.found.update({0: RawResult(0, "ok"), 1: RawResult(1, "rejected")})
    job = execute.Job((str(tmp_path / "nowhere"),), tmp_path, "results", 2, 1.0, kept=kept)
    assert [result.status for result in execute.run(job)] == ["ok", "rejected"]
