"""`opkg verify --on-cluster`: packages run on Dask workers, and the results are those of one machine."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opkg.cli.main import run
from opkg.verify.machines.executorch import environment

pytest.importorskip("distributed") if not os.environ.get("CI") else None
ROOT = Path(__file__).resolve().parents[2]
VERIFY = ("verify", ".", "--on", "host", "--cases", "3", "--seed", "5")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three packages in two projects; one op of them computes something else than its reference says."""
    folder = tmp_path_factory.mktemp("many")
    assert run(["new", "First", "--package", "acme.one", "--dir", str(folder / "a")]) == 0
    assert run(["new", "Second", "--kind", "custom", "--package", "acme.two", "--dir", str(folder / "b")]) == 0
    one, two = (folder / "a" / "specs" / "one.yaml"), folder / "b" / "references.py"
    third = one.read_text().replace("acme.one", "acme.three").replace("First", "Third").replace("max(x, 0)", "x * x")
    (folder / "a" / "specs" / "three.yaml").write_text(third)
    two.write_text(two.read_text().replace("return ", "return 1.5 * "))
    assert run(["generate", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def scheduler(projects: Path) -> Iterator[str]:
    """A scheduler and two worker processes, as a user starts them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    dask = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-dashboard",
    ]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--nthreads",
        "1",
        "--no-dashboard",
        "--no-nanny",
    ]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    place = projects.parent / "dask"
    place.mkdir()
    started = [
        subprocess.Popen(command, cwd=place, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command in (dask, worker, worker)
    ]
    try:
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(30)


def cells(path: Path) -> list[dict[str, Any]]:
    """What a run found, without how long it took."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items() if k not in ("microseconds", "seconds")}
        return [plain(each) for each in value] if isinstance(value, list) else value

    found: list[dict[str, Any]] = plain(json.loads(path.read_text()))["cells"]
    return found


@pytest.mark.sweep
def test_results_as_from_one_machine(
    projects: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(projects)
    assert run([*VERIFY, "--json", "here.json"]) == 1
    here = capsys.readouterr().out
    assert run([*VERIFY, "--on-cluster", scheduler, "--json", "there.json"]) == 1
    there = capsys.readouterr().out
    assert cells(Path("here.json")) == cells(Path("there.json"))
    assert {cell["package"] for cell in cells(Path("there.json"))} == {"acme.one", "acme.two", "acme.three"}
    assert here.splitlines()[:8] == there.splitlines()[:8]
    assert run([*VERIFY, "--on-cluster", scheduler, "--op", "Third", "--json", "third.json"]) == 0
    assert {cell["op"] for cell in cells(Path("third.json"))} == {"Third"}


@pytest.mark.sweep
def test_what_a_worker_finds_is_said(
    projects: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(projects)
    assert run([*VERIFY, "--on-cluster", scheduler, "--op", "Thrd"]) == 2
    assert "did you mean 'Third'?" in capsys.readouterr().out
    kernel = projects / "a" / "generated" / "acme_one" / "qhpi" / "src" / "first.cpp"
    text = kernel.read_text()
    kernel.unlink()
    assert run([*VERIFY, "--on-cluster", scheduler]) == 1
    assert "[OPK310]" in capsys.readouterr().out
    kernel.write_text(text)


def both(capsys: pytest.CaptureFixture[str], address: str, *words: str) -> list[str]:
    """What a command prints here and with --on-cluster."""
    printed = []
    for more in ((), ("--on-cluster", address)):
        code = run([*words, *more])
        printed.append(f"{code}\n{capsys.readouterr().out}")
    return printed


def test_rules_are_tested_as_on_one_machine(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.cpp").write_text(
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("q::Add", "A", "B"), OK, Op("q::Add", "B", "A"))\n'
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("q::Sub", "A", "B"), OK, Op("q::Sub", "B", "A"))\n'
    )
    here, there = both(capsys, scheduler, "rules", "test", "rules.cpp", "--cases", "6", "--seed", "3")
    assert here == there
    assert here.startswith("1\n")  # the second one is wrong
    assert "rules_2" in here


@pytest.mark.hexagon
@pytest.mark.sweep
def test_benchmarks_as_on_one_machine(
    projects: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(projects / "a")
    words = ("bench", "First", ".", "--package", "acme.one", "--arch", "v66,v68", "--format", "json")
    here, there = both(capsys, scheduler, *words)
    assert here == there
    assert here.startswith("0\n")
    assert {"v66", "v68"} == {record["arch"] for record in json.loads(here.partition("\n")[2])}
    here, there = both(capsys, scheduler, *words, "--call", "--shape", "1x4x4x32", "--shape", "1x1x1x100")
    assert here == there
    assert [1, 1, 1, 100] in [record["shape"] for record in json.loads(here.partition("\n")[2])]


@pytest.mark.sweep
@pytest.mark.xdist_group("executorch")
def test_upstreams_tests_as_on_one_machine(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = environment.find(ROOT)
    assert isinstance(found, environment.Environment), found
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", str(found.python))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    shutil.copy(ROOT / "tests" / "upstream" / "specs" / "wrong.yaml", tmp_path / "specs")
    assert run(["generate"]) == 0
    capsys.readouterr()
    words = ("FloatingPoint and (backend_elu or backend_tanh or backend_clamp)", "--fresh", "--format", "json")
    printed = []
    for text in both(capsys, scheduler, "executorch", "judge", "-k", *words):
        code, *lines = text.splitlines()
        records = [json.loads(line) for line in lines]
        printed.append((code, [{k: v for k, v in record.items() if k != "seconds"} for record in records]))
    assert printed[0] == printed[1]
    assert printed[0][0] == "1"
    assert [record["ours"] for record in printed[0][1] if "test" in record] == ["left over", "failed", "not used"]


def test_no_scheduler(projects: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from opkg.spec.diagnostics import MissingTool
    from opkg.verify.run import cluster

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
        begun = time.monotonic()
        with pytest.raises(MissingTool) as raised:
            cluster.verify_on(address, [], patience=1.0)
    assert time.monotonic() - begun < 30
    assert [d.id for d in raised.value.diagnostics] == ["OPK665"]
    monkeypatch.chdir(projects)
    assert run([*VERIFY, "--on-cluster", "nonsense://x"]) == 3
    assert "no scheduler answers at nonsense://x" in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run([*VERIFY, "--on-cluster", address]) == 3
    assert "pip install 'opkg[dask]'" in capsys.readouterr().out
