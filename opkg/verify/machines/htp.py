"""The htp machine: Qualcomm's own HTP backend library (x86 simulation) through the QNN C API."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.runners import HTP

LIBRARY = "libQnnHtp.so"
INSTALL = "pip install 'opkg[htp]'  (PyPI's onnxruntime-qnn, which holds libQnnHtp.so), or set OPKG_QNN_HTP_LIB"


def library() -> Path | None:
    """libQnnHtp.so: $OPKG_QNN_HTP_LIB, else that of the installed onnxruntime-qnn (which is not imported)."""
    wanted = os.environ.get("OPKG_QNN_HTP_LIB")
    if wanted:
        path = Path(wanted)
        path = path / LIBRARY if path.is_dir() else path
        return path if path.is_file() else None
    try:
        found = importlib.util.find_spec("onnxruntime_qnn")
    except (ImportError, ValueError):
        return None
    for folder in (found.submodule_search_locations if found else None) or ():
        path = Path(folder) / LIBRARY
        if path.is_file():
            return path
    return None


def version(path: Path) -> str:
    """QNN's version as "2.51", when the library's wheel tells; else empty."""
    notes = path.parent / "build_and_package_info.py"
    try:
        text = notes.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return ""
    match = re.search(r"qnn_version\s*=\s*['\"](\d+\.\d+)", text)
    return match[1] if match else ""


@dataclass(frozen=True, slots=True)
class HtpMachine:
    """Runs the QHPI interface; needs the backend's library, a C++ compiler and make."""

    name: str = "htp"
    title: str = "htp"
    arch: str = ""
    checks: str = ""
    model: str = ""
    interfaces: tuple[str, ...] = ("qhpi",)
    asked: bool = False
    also: str = ""
    make_target: str = "x86"

    def available(self, root: Path = Path()) -> Availability:
        if platform.machine() not in ("x86_64", "AMD64"):
            return Availability(False, reason=f"{LIBRARY} is for x86-64, this machine is {platform.machine()}")
        path = library()
        if path is None:
            wanted = os.environ.get("OPKG_QNN_HTP_LIB")
            reason = f"OPKG_QNN_HTP_LIB={wanted} is no file" if wanted else f"no {LIBRARY} found"
            return Availability(False, reason=reason, install=INSTALL)
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        return Availability(True, version=version(path))

    def runner(self, interface: str) -> str:
        return HTP

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        return (str(runner), "--backend", str(library()), "--target", "CPU", *files.arguments())

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None
