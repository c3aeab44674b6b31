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
HARNESS = Path(__file__).resolve().parent / "harness"
NEEDED = ("onnx", "onnxruntime", "onnxruntime_qnn")
INSTALL = "pip install 'opkg[onnxruntime]'  (onnx, onnxruntime and onnxruntime-qnn)"
LEAST = (2, 3)
# Releases of the provider that newer ones of onnxruntime do not load, and the newest that does.
LIMITED: dict[tuple[int, ...], tuple[int, int]] = {(2, 3): (1, 24)}


@dataclass(frozen=True, slots=True)
class OnnxruntimeMachine:
    """Needs `onnx`, `onnxruntime` and `onnxruntime-qnn`, a C++ compiler and make. What runs a package's cases is a process of
    its own (harness/run_models.py), with the Python package that the target onnxruntime generates."""

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
        if _pair(found) < LEAST:
            return Availability(False, reason=f"onnxruntime-qnn {found} is too old", install=INSTALL)
        newest, runtime = LIMITED.get(_pair(found)), provider_version("onnxruntime")
        if newest is not None and _pair(runtime) > newest:
            why = f"onnxruntime {runtime} does not load onnxruntime-qnn {found}"
            return Availability(False, reason=why, install=f"pip install 'onnxruntime<{newest[0]}.{newest[1] + 1}'")
        return Availability(True, version=found)

    def runner(self, interface: str) -> str:
        return ""

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        return (sys.executable, "-P", "-m", "opkg_onnxruntime.run_models", "--cases", str(files.cases))

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None


def provider_version(package: str = "onnxruntime-qnn") -> str:
    """Of an installed package, the provider's; empty when nobody says."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _pair(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())
