"""Fixtures: the runners, built once, and `machine`, which runs every test on the host and in the real backend."""

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import simlib


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Lets one pytest-xdist worker build while the others wait."""
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def build_dir() -> Path:
    """A directory that outlives the session, so that only what changed is compiled; one per checkout and compiler."""
    key = hashlib.sha1(f"{simlib.ROOT} {simlib.CXX} {os.getuid()}".encode()).hexdigest()[:12]
    directory = Path(tempfile.gettempdir()) / f"opkg-tests-{key}"
    directory.mkdir(exist_ok=True)
    return directory


class Machine:
    """Somewhere to run cases: `machine("toy_basic", cases)`."""

    def __init__(self, kind: str, build_dir: Path, work_dir: Path) -> None:
        self.kind = kind
        self.build_dir = build_dir
        self.work_dir = work_dir
        with _locked(build_dir):
            self.runner = simlib.build_runner(kind, build_dir)

    def package(self, name: str, *flags: str) -> Path:
        with _locked(self.build_dir):
            return simlib.build_package(name, self.build_dir, *flags)

    def __call__(self, name, cases, *options, flags=(), env=None) -> dict[int, simlib.Result]:
        cases = cases if isinstance(cases, list) else [cases]
        return simlib.run(self.runner, self.package(name, *flags), cases, self.work_dir, *options, env=env)

    def one(self, name, case, *options, flags=(), env=None) -> simlib.Result:
        return self(name, [case], *options, flags=flags, env=env)[0]


def _need_backend() -> None:
    if simlib.htp_backend() is not None:
        return
    reason = "libQnnHtp.so is missing: pip install onnxruntime-qnn"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def host(build_dir: Path, tmp_path: Path) -> Machine:
    return Machine("host", build_dir, tmp_path)


@pytest.fixture
def htp(build_dir: Path, tmp_path: Path) -> Machine:
    _need_backend()
    return Machine("htp", build_dir, tmp_path)


@pytest.fixture(params=["host", pytest.param("htp", marks=pytest.mark.htp)])
def machine(request: pytest.FixtureRequest, build_dir: Path, tmp_path: Path) -> Machine:
    if request.param == "htp":
        _need_backend()
    return Machine(request.param, build_dir, tmp_path)
