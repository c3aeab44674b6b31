"""Whole verifications on real machines: right kernels, wrong ones, and ones that crash, hang or overrun."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from opkg.spec.diagnostics import OpkgError
from opkg.verify.api import Progress, VerifyOptions, verify
from opkg.verify.judge.outcome import VerifyResult
from opkg.verify.machines import htp
from opkg.verify.machines.base import MOST_RANKS

from .projects import relu_kernel, relu_project

needs_htp = pytest.mark.skipif(htp.library() is None, reason="no libQnnHtp.so")
MACHINES = ["host", pytest.param("htp", marks=[pytest.mark.htp, needs_htp])]
OPTIONS = VerifyOptions(on=("host",), cases=8, timeout=2.0, check_current=False)


def _verify(root: Path, kernel: str, **options: object) -> VerifyResult:
    package = relu_project(root, kernel)
    return verify(root, [package], replace(OPTIONS, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("machine", MACHINES)
def test_a_right_kernel_passes(tmp_path: Path, machine: str) -> None:
    seen: list[Progress] = []
    package = relu_project(tmp_path, relu_kernel())
    result = verify(tmp_path, [package], replace(OPTIONS, on=(machine,)), seen.append)
    assert result.ok, (result.diagnostics, result.failures)
    assert [(c.op, c.combination) for c in result.cells] == [("Relu", "f32"), ("Relu", "u8")]
    assert result.cells[0].text() == "0"
    count = 18 if machine == "htp" else 16  # a large one of each type there
    assert result.cases == count
    assert (seen[-1].done, seen[-1].total) == (count, count)
    if machine == "host":
        assert result.cells[0].kernels


@pytest.mark.parametrize("machine", MACHINES)
def test_a_wrong_kernel_fails_with_the_worst_element(tmp_path: Path, machine: str) -> None:
    result = _verify(tmp_path, relu_kernel("x > 0 ? 2 * x : 0"), on=(machine,))
    assert not result.ok
    assert not result.diagnostics
    cell, outcome = result.failures[0]
    worst = outcome.outputs[0].worst_elements[0]
    assert outcome.status == "failed"
    assert worst.got == pytest.approx(2 * worst.expected)
    assert f"--op Relu --seed 0 --case {outcome.case}" in result.command(cell, outcome)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_crash_is_a_failure_of_its_case(tmp_path: Path, machine: str) -> None:
    crash = "if (op.y.size() == 1) *reinterpret_cast<volatile int*>(8) = 1;"
    result = _verify(tmp_path, relu_kernel(extra=crash), on=(machine,))
    crashed = [o for _, o in result.failures]
    assert crashed
    assert {o.status for o in crashed} == {"crash"}
    assert all(o.ok for cell in result.cells for o in cell.outcomes if o not in crashed)
    assert any(cell.text().startswith("crash ") for cell in result.cells)


def test_a_hang_is_a_failure_of_its_case(tmp_path: Path) -> None:
    hang = "if (op.y.size() == 1) for (volatile int i = 0;; i = i + 1) {}"
    result = _verify(tmp_path, relu_kernel(extra=hang), timeout=0.5)
    assert {o.status for _, o in result.failures} == {"timeout"}


def test_a_write_behind_the_end_is_a_failure(tmp_path: Path) -> None:
    result = _verify(tmp_path, relu_kernel(extra="op.y.data[op.y.size()] = 1;"))
    assert {o.status for _, o in result.failures} == {"guard"}
    assert "y" in result.failures[0][1].message


def test_a_kernel_that_returns_an_error(tmp_path: Path) -> None:
    result = _verify(tmp_path, relu_kernel(extra="return opkg::Status::error;"))
    assert {o.status for _, o in result.failures} == {"error"}
    assert result.failures[0][1].stage == "execute"
    assert result.failures[0][1].message.endswith(" returned 2 (error)")


def test_one_case_repeats_what_the_run_did(tmp_path: Path) -> None:
    kernel = relu_kernel("x > 0 ? 2 * x : 0")
    every = _verify(tmp_path, kernel)
    cell, outcome = every.failures[-1]
    again = _verify(tmp_path, kernel, case=outcome.case)
    assert again.cases == 1
    assert again.cells[0].outcomes[0] == replace(
        outcome, microseconds=again.cells[0].outcomes[0].microseconds, log=()
    )  # alone in its process
    assert again.cells[0].combination == cell.combination


def test_names_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(OpkgError) as caught:
        _verify(tmp_path, relu_kernel(), ops=("Rely",))
    assert caught.value.diagnostics[0].hint == "did you mean 'Relu'?"
    result = _verify(tmp_path, relu_kernel("nonsense"), case="u8-nothing")
    assert [d.id for d in result.diagnostics] == ["OPK422"]  # and nothing was compiled


def test_a_package_that_does_not_build_has_findings_and_no_cells(tmp_path: Path) -> None:
    result = _verify(tmp_path, relu_kernel("nonsense"))
    assert not result.cells
    assert not result.ok
    assert "OPK400" in {d.id for d in result.diagnostics}


def test_a_failing_reference_does_not_stop_the_others(tmp_path: Path) -> None:
    package = relu_project(tmp_path, relu_kernel())
    (tmp_path / "references.py").write_text(
        "import numpy as np\ndef relu(x):\n    if x.ndim == 1: raise ValueError(x.ndim)\n    return np.maximum(x, 0)\n"
    )
    result = verify(tmp_path, [package], OPTIONS)
    assert result.diagnostics[0].id == "OPK413"
    assert not result.ok


SCRIPT = """
import signal, sys, threading
from pathlib import Path
from opkg.spec.reader import read_file
from opkg.verify.api import Progress, VerifyOptions, verify
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have what they start in the background ignore it
root = Path(sys.argv[1])
package, _ = read_file(root / "specs" / "test.yaml", "specs/test.yaml")
def report(progress):
    if progress.phase == "run":
        print("running", flush=True)
        if SIGNAL:  # to this thread: the one that waits is not woken by it
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
verify(root, [package], VerifyOptions(on=("host",), cases=8, timeout=180, check_current=False), report)
"""


@pytest.mark.parametrize("inside", [False, True])
def test_an_interrupt_ends_the_runner_at_once(tmp_path: Path, inside: bool) -> None:
    """Also one that comes just before the main thread begins to wait, and so does not wake it."""
    hang = "if (op.y.size() == 1) for (volatile int i = 0;; i = i + 1) {}"
    relu_project(tmp_path, relu_kernel(extra=hang))
    words = [sys.executable, "-c", f"SIGNAL = {inside}\n{SCRIPT}", str(tmp_path)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    if not inside:
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)  # a third of what a case may take, as builds end first
    assert "KeyboardInterrupt" in errors
    library = str(tmp_path / "build")
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.is_file()]
    assert not [c for c in commands if library.encode() in c]


def test_an_interface_runs_only_the_ranks_it_can_carry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MOST_RANKS, "qhpi", 2)
    result = _verify(tmp_path, relu_kernel(), cases=16)
    assert result.ok
    assert 0 < result.cases < 32
    shapes = {stats.shape for cell in result.cells for stats in cell.outputs}
    assert {len(shape) for shape in shapes} == {1, 2}
