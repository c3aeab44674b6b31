"""Kernels that misbehave are caught: a case for each fault on each machine, and beside it one that is right and passes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from opkg.report import verify_html, verify_json, verify_junit, verify_text
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.judge.outcome import CaseOutcome, VerifyResult
from opkg.verify.machines.hexagon import toolchain as hexagon
from opkg.verify.machines.htp import HtpMachine
from opkg.verify.machines.sanitizers import Checker, checker

from . import faultlib

pytestmark = pytest.mark.xdist_group("faults")  # one project, whose builds are shared

PLAIN = tuple(name for name in faultlib.MODES if name not in ("LOOP", "FORK"))
STATES = ("STATE", "STATE_OK", "STATE_OK", "STATE", "STATE")  # the neighbours of the last ones have other data
Verify = Callable[..., VerifyResult]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def run(root: Path, runner_cache: Path) -> Iterator[Verify]:
    """Runs the cases of some modes; everything is built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPKG_CACHE_DIR", str(runner_cache))
        patch.delenv("CXX", raising=False)
        patch.setenv("CCACHE_DISABLE", "1")  # places in sources are as the build names them, compilers are its own

        def verified(modes: tuple[str, ...], *on: str, **options: object) -> VerifyResult:
            package = faultlib.project(root, modes)
            wanted = VerifyOptions(on=on, cases=1, timeout=10, check_current=False)
            return verify(root, [package], replace(wanted, **options))  # type: ignore[arg-type]

        yield verified


def outcomes(result: VerifyResult, modes: tuple[str, ...], column: str = "") -> dict[str, CaseOutcome]:
    """Outcomes by mode, of one column; of a mode that occurs twice the last."""
    assert not [d for d in result.diagnostics if d.is_error], result.diagnostics
    cell = next(c for c in result.cells if column in c.column.label)
    by_case = {o.case: o for o in cell.outcomes}
    return {name: by_case[f"any-{name.lower()}_{place}"] for place, name in enumerate(modes)}


def right_ones_pass(found: dict[str, CaseOutcome]) -> None:
    wrong = {name: found[name].reason() for name in faultlib.RIGHT if name in found and not found[name].ok}
    assert wrong == {}


@pytest.fixture(scope="module")
def host(run: Verify) -> dict[str, CaseOutcome]:
    return outcomes(run(PLAIN, "host"), PLAIN)


@pytest.mark.parametrize(
    ("mode", "status", "words"),
    [
        ("READ_PAST", "guard", "tensor x: read at byte offset 400, past its end (size 400)"),
        ("READ_BEFORE", "guard", "tensor x: read at byte offset -4, before its start"),
        ("READ_NEXT_LINE", "guard", "tensor x: read at byte offset 512, past its end"),
        ("WRITE_PAST", "guard", "tensor y: wrote at byte offset 400, past its end"),
        ("WRITE_BEFORE", "guard", "tensor y: write at byte offset -4, before its start"),
        ("WRITE_INPUT", "guard", "tensor x: the kernel wrote to its input"),
        ("RACE", "guard", "both write the byte at offset 0"),
        ("SECOND_CALL", "failed", "the kernel keeps something from call to call"),
    ],
)
def test_the_host_catches_without_a_sanitizer(host: dict[str, CaseOutcome], mode: str, status: str, words: str) -> None:
    assert (host[mode].status, words in host[mode].reason()) == (status, True), host[mode].reason()
    assert host[mode].kernels == ("fault",)


def test_right_kernels_pass_on_the_host(host: dict[str, CaseOutcome]) -> None:
    right_ones_pass(host)


def test_state_that_another_call_left_is_caught(run: Verify) -> None:
    """The first case finds nothing of before; the last ones find what a case of the same op left in their process."""
    found = run(STATES, "host")
    cell = found.cells[0]
    assert [o.case for o in cell.failures] == ["any-state_4"]
    assert [line.text for line in cell.failures[0].log] == ["Fault/any-state_3 was called in this process before"]


@pytest.fixture(scope="module")
def sanitized(run: Verify) -> VerifyResult:
    for kind in ("memory", "threads"):
        found = checker(kind)
        if not isinstance(found, Checker) or not found.built_in:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(f"the compiler has no sanitizer for {kind}")
    return run(PLAIN, "host", sanitize=True)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("LEAK", "leak of "),
        ("USE_AFTER_FREE", "heap-use-after-free: read of 4 bytes"),
        ("HEAP_PAST", "heap-buffer-overflow: read of 4 bytes"),
        ("OVERFLOW", "signed integer overflow"),
        ("MISALIGNED", "misaligned address"),
        ("VECTOR_MISALIGNED", "requires 128 byte alignment"),
    ],
)
def test_sanitizers_name_fault_kernel_and_line(sanitized: VerifyResult, mode: str, words: str) -> None:
    found = outcomes(sanitized, PLAIN, "memory")[mode]
    assert (found.status, words in found.message) == ("sanitizer", True), found.reason()
    line = faultlib.line_of("WORD" if mode == "VECTOR_MISALIGNED" else mode)
    if mode != "LEAK":  # whose memory comes from a function of the file
        assert f"kernels/fault.cpp:{line} in " in found.message
    assert "kernels/fault.cpp:" in found.message
    assert found.kernels == ("fault",)


def test_a_stray_access_has_its_line_under_a_sanitizer(sanitized: VerifyResult) -> None:
    found = outcomes(sanitized, PLAIN, "memory")["READ_PAST"]
    assert found.status == "guard"
    assert found.message.endswith(f", at kernels/fault.cpp:{faultlib.line_of('READ_PAST')} in fault")


def test_a_race_is_caught_on_real_threads(sanitized: VerifyResult) -> None:
    found = outcomes(sanitized, PLAIN, "threads")["RACE"]
    assert (found.status, "data race at kernels/fault.cpp:" in found.message) == ("sanitizer", True), found.reason()


def test_right_kernels_pass_under_sanitizers(sanitized: VerifyResult) -> None:
    right_ones_pass(outcomes(sanitized, PLAIN, "memory"))
    right_ones_pass(outcomes(sanitized, PLAIN, "threads"))


def test_findings_are_in_every_report(sanitized: VerifyResult) -> None:
    words = "heap-use-after-free: read of 4 bytes at kernels/fault.cpp:"
    case = f"any-use_after_free_{PLAIN.index('USE_AFTER_FREE')}"
    assert words in json.dumps(json.loads(verify_json.render(sanitized)))
    assert words in verify_html.render(sanitized)
    suites = ElementTree.fromstring(verify_junit.render(sanitized))
    assert any(words in error.get("message", "") for error in suites.iter("error"))
    assert any(words in finding.message for finding in verify_json.diagnostics(sanitized))
    cell = next(c for c in sanitized.cells if "memory" in c.column.label)
    outcome = next(o for o in cell.failures if o.case == case)
    text = verify_text.failure(sanitized, cell, outcome)
    assert f"FAIL Fault {case} on host memory" in text
    assert words in text
    assert f"--on host --sanitize --op Fault --seed 0 --case {case}" in text


@pytest.mark.sweep
def test_valgrind_serves_where_there_is_no_sanitizer(run: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    modes = ("FINE", "LEAK", "LEAK_OK", "HEAP_PAST", "RACE", "RACE_OK")
    monkeypatch.setenv("OPKG_SANITIZER", "valgrind")
    checker.cache_clear()
    try:
        if not isinstance(checker("memory"), Checker):
            (pytest.fail if os.environ.get("CI") else pytest.skip)("no valgrind")
        result = run(modes, "host", sanitize=True)
    finally:
        monkeypatch.delenv("OPKG_SANITIZER")
        checker.cache_clear()
    memory, threads = outcomes(result, modes, "memory valgrind"), outcomes(result, modes, "threads helgrind")
    assert "leak of 400 bytes at kernels/fault.cpp:" in memory["LEAK"].message
    assert "invalid read of size 4 at kernels/fault.cpp:" in memory["HEAP_PAST"].message
    assert "data race during write of size 4 at kernels/fault.cpp:" in threads["RACE"].message
    right_ones_pass(memory)
    right_ones_pass(threads)


def test_neither_sanitizer_nor_valgrind_is_a_missing_tool(tmp_path: Path) -> None:
    compiler = tmp_path / "cc-without"
    compiler.write_text(
        '#!/bin/sh\nfor a; do case "$a" in -fsanitize*) exit 1;; esac; done\nexec g++ "$@"\n', encoding="utf-8"
    )
    compiler.chmod(0o755)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("make", "g++"):
        (tools / name).symlink_to(f"/usr/bin/{name}")
    faultlib.project(tmp_path, ("FINE",))
    environment = {**os.environ, "CXX": str(compiler), "PATH": str(tools), "OPKG_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "opkg", "verify", "--sanitize", "specs/test.yaml"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "cannot link -fsanitize=address, and there is no valgrind" in done.stdout


@pytest.mark.hexagon
@pytest.mark.parametrize("sanitize", [False, True])
def test_hexagon_catches_the_same(run: Verify, sanitize: bool) -> None:
    if hexagon.missing() or "v68" not in hexagon.runnable():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {hexagon.missing() or 'qemu for v68'}")
    found = outcomes(run(PLAIN, "hexagon-v68", sanitize=sanitize), PLAIN)
    for mode in ("READ_PAST", "READ_NEXT_LINE"):
        assert found[mode].status == "guard", mode
        assert "x: access at byte offset 400, past its end" in found[mode].message
    assert "x: access at byte offset -4, before its start" in found["READ_BEFORE"].message
    assert "y: written 1 bytes behind its end" in found["WRITE_PAST"].message
    assert "y: access at byte offset -4, before its start" in found["WRITE_BEFORE"].message
    assert "x: the kernel wrote into an input" in found["WRITE_INPUT"].message
    assert "keeps something" in found["SECOND_CALL"].message
    assert not found["VECTOR_MISALIGNED"].ok  # hardware and emulator ignore the low bits of the address
    right_ones_pass(found)
    assert found["MISALIGNED"].ok == (not sanitize)  # the emulator carries it out, a device does not
    if sanitize:
        place = f"at kernels/fault.cpp:{faultlib.line_of('MISALIGNED')}"
        assert f"no multiple of 8 {place}" in found["MISALIGNED"].message


@pytest.mark.hexagon
def test_what_generated_kernels_assume_is_checked_on_hexagon(runner_cache: Path, tmp_path: Path) -> None:
    """Turns of what repeats say how their places are aligned: clang checks that by another function than loads and stores."""
    if hexagon.missing() or "v68" not in hexagon.runnable():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {hexagon.missing() or 'qemu for v68'}")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/test.yaml").write_text(
        "opkg: 1\npackage: {name: t.turns, targets: [qnn-htp-qhpi]}\nops:\n  Shift:\n"
        '    inputs: {x: {dtype: ufixed8, shape: "[n, c]"}, b: {dtype: ufixed8, shape: "[c]"}}\n'
        "    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n    compute: y = x + b\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "OPKG_CACHE_DIR": str(runner_cache)}
    words = ("-C", str(tmp_path), "generate"), ("-C", str(tmp_path), "verify", "--on", "hexagon-v68", "--sanitize")
    for command in words:
        done = subprocess.run([sys.executable, "-m", "opkg", *command], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.htp
def test_the_backend_catches_stray_accesses_and_state(run: Verify) -> None:
    """The kernels get copies of the backend's tensors between pages that cannot be touched."""
    if not HtpMachine().available().ok:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HtpMachine().available().reason)
    found = outcomes(run(PLAIN, "htp"), PLAIN)
    assert "input 0: read at byte offset 400, past its end (size 400) (third call" in found["READ_PAST"].message
    assert "input 0: read at byte offset -4, before its start" in found["READ_BEFORE"].message
    assert "input 0: read at byte offset 512, past its end" in found["READ_NEXT_LINE"].message
    assert "output 0: wrote at byte offset 400, past its end" in found["WRITE_PAST"].message
    assert "output 0: write at byte offset -4, before its start" in found["WRITE_BEFORE"].message
    assert "input 0: the kernel wrote to its input" in found["WRITE_INPUT"].message
    assert "keeps something" in found["SECOND_CALL"].message
    right_ones_pass(found)
    assert {kernel for o in found.values() for kernel in o.kernels} == {"fault"}


def test_a_machine_whose_cases_hang_stops(run: Verify) -> None:
    modes = ("FINE", *["LOOP"] * 3, *["FINE"] * 60)
    begun = time.monotonic()
    result = run(modes, "host", timeout=0.5)
    assert time.monotonic() - begun < 60
    [cell] = result.cells
    assert [o.status for o in cell.outcomes[:4]] == ["passed", "timeout", "timeout", "timeout"]
    stopped = next(d for d in result.diagnostics if d.id == "OPK438")
    total = len(modes) + 1
    left = total - len(cell.outcomes)
    assert f"3 cases in a row did not end in time; {left} of {total} cases were not run" in stopped.message
    assert left >= 5
    assert not result.ok


def test_fail_fast_ends_with_the_first_failure(run: Verify) -> None:
    begun = time.monotonic()
    result = run(("FINE", "WRITE_PAST", *["LOOP"] * 5), "host", fail_fast=True, timeout=60)
    assert time.monotonic() - begun < 60
    [cell] = result.cells
    assert [o.case for o in cell.outcomes] == ["any-fine_0", "any-write_past_1"]
    stopped = next(d for d in result.diagnostics if d.id == "OPK438")
    assert "a case failed; 6 of 8 cases were not run" in stopped.message
    assert not stopped.is_error  # the failure is


def _running(name: str) -> list[int]:
    """Processes whose command line has a word in it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if name.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def _compilers(root: Path) -> list[int]:
    """Compilers proper that work in a folder or below: `make` gives them no path of it."""
    found = []
    for number in _running("cc1plus"):
        try:
            place = Path(os.readlink(f"/proc/{number}/cwd"))
        except OSError:
            continue
        found += [number] if place.is_relative_to(root) else []
    return found


def _gone(name: str) -> bool:
    return _until(lambda: not _running(name), 100)


def test_nothing_that_a_kernel_starts_outlives_the_run(run: Verify, root: Path) -> None:
    found = run(("FORK", "FINE"), "host")
    assert found.cells[0].ok
    assert _running(str(root / "build")) == []


def _start(root: Path, modes: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """`verify` on the host in a process of its own, with time enough for a case that hangs."""
    faultlib.project(root, modes)
    script = (
        "from pathlib import Path; import sys; sys.path.insert(0, sys.argv[2]); from verify import faultlib\n"
        "from opkg.project.interrupt import interruptible; from opkg.verify.api import VerifyOptions, verify\n"
        f"root = Path(sys.argv[1]); package = faultlib.project(root, {modes!r})\n"
        "with interruptible(): verify(root, [package], VerifyOptions(('host',), cases=1, timeout=300, check_current=False))\n"
    )
    command = [sys.executable, "-c", script, str(root), str(Path(__file__).parents[1])]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=heard)


def _until(wanted: Callable[[], bool], times: int = 300) -> bool:
    for _ in range(times):
        if wanted():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_opkg_is_ended(run: Verify, root: Path, number: signal.Signals) -> None:
    """Also what left the runner's session, also when opkg cannot do anything any more."""
    run(("FINE",), "host")
    records = root / "build" / "acme_test" / "qhpi-x86" / "verify" / "host" / "results.0.jsonl"
    records.unlink()
    library = str(root / "build")
    process = _start(root, ("FORK", "LOOP"))
    assert _until(lambda: records.is_file() and b"any_fork_0" in records.read_bytes().replace(b"-", b"_"))
    assert _until(lambda: len(_running(library)) >= 2), "the runner hangs in the second case by now"
    process.send_signal(number)
    assert process.wait(30) != 0
    assert _gone(library)


def test_compilers_end_with_opkg(run: Verify, root: Path) -> None:
    run(("FINE",), "host")
    for made in (root / "build" / "acme_test" / "qhpi-x86").rglob("*.o"):
        made.unlink()
    process = _start(root, ("FINE",))
    assert _until(lambda: bool(_compilers(root)))
    begun = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) != 0
    assert _until(lambda: not _compilers(root) and not _running(str(root / "generated")), 100)
    assert time.monotonic() - begun < 10
