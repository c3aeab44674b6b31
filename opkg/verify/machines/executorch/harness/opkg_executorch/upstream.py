"""A pytest plugin that runs the ExecuTorch wheel's own operator tests of the Qualcomm backend in this process.

    python -m pytest -p opkg_executorch.upstream --opkg-packages nn_math_executorch --opkg-report r.json test_qnn_delegate.py

With packages it calls their `register()` first. The report says for each test whose builders made the nodes that the
lowered programs consist of. Needs QNN_SDK_ROOT and LD_LIBRARY_PATH (`opkg.verify.machines.executorch.environment`).
"""

from __future__ import annotations

import importlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from opkg_executorch import upstream_runtime, upstream_stubs, upstream_tables, upstream_watch

SEED = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("opkg", "operator tests of the ExecuTorch wheel")
    group.addoption("--opkg-packages", default="", help="generated packages, separated by commas, to register first")
    group.addoption("--opkg-report", default="", help="write a JSON report to this file")
    group.addoption("--opkg-targets", default="", help="torch ops that the packages have to build (default: theirs)")


def pytest_configure(config: pytest.Config) -> None:
    upstream_stubs.install()
    upstream_tables.install()
    from executorch.backends.qualcomm.tests import test_qnn_delegate, utils

    folder = tempfile.mkdtemp(prefix="opkg-upstream-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    _set_up(test_qnn_delegate, folder)
    utils.TestQNN.verify_output = upstream_runtime.verify_output
    names = [name for name in config.getoption("--opkg-packages").split(",") if name]
    packages = [importlib.import_module(name) for name in names]
    for package in packages:
        package.register()
    config.pluginmanager.register(Recorder(config, packages), "opkg-recorder")


def _set_up(tests: ModuleType, folder: str) -> None:
    """What the wheel's conftest does for its tests, which are classes with settings as attributes."""
    held = sys.argv
    sys.argv = ["test_qnn_delegate.py", "--soc_model", os.environ.get("QNN_SOC_MODEL", "SM8650"), "--backend", "htp"]
    sys.argv += ["--build_folder", folder, "--executorch_root", folder, "--artifact_dir", folder, "--enable_x86_64"]
    try:
        tests.setup_environment()
    finally:
        sys.argv = held


class Recorder:
    """Watches the builders during each test and writes the report."""

    def __init__(self, config: pytest.Config, packages: list[ModuleType]) -> None:
        self.path = config.getoption("--opkg-report")
        wanted = config.getoption("--opkg-targets")
        every = [target for package in packages for target in package.TARGETS]
        self.targets = [target for target in wanted.split(",") if target] or every
        self.watch = upstream_watch.Watch([package.__name__ for package in packages])
        self.watch.install()
        self.tests: list[dict[str, Any]] = []
        self.current: dict[str, Any] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.watch.clear()
        _seed()
        start = time.monotonic()
        self.current = {"test": f"{item.parent.name if item.parent else ''}.{item.name}", "outcome": "", "message": ""}
        self.tests.append(self.current)
        self._write()
        result = yield
        ours, others, said = self.watch.counts()
        self.current |= {"seconds": round(time.monotonic() - start, 1), "ours": ours, "others": others}
        self.current["left"] = {name: count for name, count in others.items() if name in self.targets}
        self.current["reasons"] = said
        self._write()
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        known = self.current.get("outcome")
        if report.when == "call" or report.outcome != "passed":
            if known in ("", "passed"):
                self.current["outcome"] = report.outcome
            if report.outcome != "passed" and not self.current["message"]:
                self.current["message"] = _last_line(report)

    def _write(self) -> None:
        """Before and after each test: what a crash leaves behind tells where it was."""
        if self.path:
            fresh = Path(f"{self.path}.new")
            fresh.write_text(json.dumps({"tests": self.tests}, indent=1), encoding="utf-8")
            fresh.replace(self.path)


def _seed() -> None:
    """The same inputs and weights each time, whatever ran before."""
    random.seed(SEED)
    np.random.seed(SEED)
    torch.manual_seed(SEED)


def _last_line(report: pytest.TestReport) -> str:
    """What went wrong, in one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return " ".join(text.split())[:300]
