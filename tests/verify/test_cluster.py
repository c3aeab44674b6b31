"""`opkg verify --on-cluster`: packages run on Dask workers, and the results are those of one machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opkg.cli.main import run

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
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    place = projects.parent / "dask"
    place.mkdir()
    started = [
        subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
