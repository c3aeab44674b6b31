"""The runner's process: crashes, hangs and nonsense become results, one per case."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from opkg.verify.judge.results import RawResult
from opkg.verify.machines.execute import MOST_RESTARTS, Job, run

FAKE = Path(__file__).with_name("fake_runner.py")


def _run(folder: Path, mode: str, cases: int = 5, timeout: float = 20.0) -> list[RawResult]:
    command = (sys.executable, str(FAKE), mode, "--count", str(cases))
    return run(Job(command, folder, "results", cases, timeout))


def test_results_come_in_order_with_their_bytes(tmp_path: Path) -> None:
    found = _run(tmp_path, "ok")
    assert [(r.case, r.status, r.microseconds) for r in found] == [(i, "ok", 5) for i in range(5)]
    assert found[3].outputs[0].data == b"\1\2\3\4"


@pytest.mark.parametrize(("mode", "status"), [("segv", "crash"), ("reported", "crash"), ("quit", "error")])
def test_a_dead_runner_costs_one_case(tmp_path: Path, mode: str, status: str) -> None:
    found = _run(tmp_path, mode)
    assert [r.case for r in found] == list(range(5))
    assert [r.status for r in found][:3] == ["ok", "ok", status]
    if mode == "quit":
        assert "left no result" in found[2].message
    else:
        assert [r.status for r in found][3:] == ["ok", "ok"]
        assert found[2].code == 11


def test_a_hanging_runner_is_ended(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = _run(tmp_path, "hang", timeout=0.5)
    assert [r.status for r in found] == ["ok", "ok", "timeout", "ok", "ok"]
    assert time.monotonic() - begun < 10


def test_a_runner_that_always_dies_is_not_started_for_ever(tmp_path: Path) -> None:
    found = _run(tmp_path, "always", cases=MOST_RESTARTS + 5)
    assert len(found) == MOST_RESTARTS + 5
    assert found[0].status == "crash"
    assert "SIGABRT" in found[0].message
    assert "not run" in found[-1].message


def test_a_package_that_does_not_load_fails_every_case(tmp_path: Path) -> None:
    found = _run(tmp_path, "load")
    assert [(r.case, r.status, r.stage, r.code) for r in found] == [(i, "error", "register", 4005) for i in range(5)]
    assert found[0].log[0].text == "x"


def test_a_runner_that_refuses_its_options(tmp_path: Path) -> None:
    found = _run(tmp_path, "usage")
    assert {r.status for r in found} == {"error"}
    assert "bad file" in found[0].message


def test_nonsense_is_an_error_and_not_an_exception(tmp_path: Path) -> None:
    found = _run(tmp_path, "garbage")
    assert {r.status for r in found} == {"error"}
    assert found[0].outputs[0].data == b""


def test_progress_is_reported(tmp_path: Path) -> None:
    seen: list[int] = []
    command = (sys.executable, str(FAKE), "hang", "--count", "4")
    run(Job(command, tmp_path, "results", 4, 0.5), seen.append)
    assert seen
    assert max(seen) <= 4
