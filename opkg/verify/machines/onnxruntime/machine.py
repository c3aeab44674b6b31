"""The onnxruntime machine: an ONNX model around each call, run by ONNX Runtime's QNN provider on the HTP's simulation."""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles

NAME = TARGET = "onnxruntime"
INSIDE = Path(__file__).resolve().parent / "inside"
NEEDED = ("onnx", "onnxruntime", "onnxruntime_qnn")
INSTALL = "pip install 'opkg[onnxruntime]'  (onnx, onnxruntime and onnxruntime-qnn)"
LEAST = (2, 4)  # 2.3.0 works with onnxruntime up to 1.24 only


@dataclass(frozen=True, slots=True)
class OnnxruntimeMachine:
    """Needs `onnx`, `onnxruntime` and `onnxruntime-qnn`, a C++ compiler and make. What runs a package's cases is a process of
    its own (inside/run_models.py), with the Python package that the target onnxruntime generates."""

    name: str = NAME
    title: str = NAME
    arch: str = ""
    checks: str = ""
    model: str = ""
    interfaces: tuple[str, ...] = ("qhpi",)
    asked: bool = True
    also: str = TARGET
    make_target: str = "x86"

    def available(self, root: Path = Path()) -> Availability:
        if platform.machine() not in ("x86_64", "AMD64"):
            return Availability(False, reason=f"the provider's HTP is for x86-64, this machine is {platform.machine()}")
        missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            return Availability(False, reason=f"no Python package {missing[0]}", install=INSTALL)
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        found = provider_version()
        if tuple(int(part) for part in found.split(".")[:2] if part.isdigit()) < LEAST:
            return Availability(False, reason=f"onnxruntime-qnn {found} is too old", install=INSTALL)
        return Availability(True, version=found)

    def runner(self, interface: str) -> str:
        return ""

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        return (sys.executable, "-P", "-m", "opkg_onnxruntime.run_models", "--cases", str(files.cases))

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None


def provider_version() -> str:
    """Of onnxruntime-qnn; empty when nobody says."""
    try:
        return version("onnxruntime-qnn")
    except PackageNotFoundError:
        return ""
