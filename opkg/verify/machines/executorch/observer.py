"""Compiles the library that counts calls of kernels (opkg/sim/observer) on first use, into the cache of the runners."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from opkg.spec.diagnostics import MissingTool, OpkgError, Span, error
from opkg.verify.machines import toolchain
from opkg.verify.machines.runners import cache_folder

FLAGS = ("-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden")
SOURCE = toolchain.SIM / "observer" / "observer.cpp"


def library(root: Path) -> Path:
    """Path of the library. Raises MissingTool without a compiler, OpkgError (OPK432) when it does not compile."""
    compiler = toolchain.compiler()
    if compiler is None:
        raise MissingTool([error("OPK430", f"no {toolchain.missing()} found", Span(""), toolchain.INSTALL)])
    digest = hashlib.sha256(f"{compiler.path}\0{compiler.version}\0{FLAGS}".encode())
    for path in (SOURCE, toolchain.INCLUDE / "opkg" / "qhpi_abi.h"):
        digest.update(path.read_bytes())
    binary = cache_folder(root).absolute() / f"opkg-observer-{digest.hexdigest()[:16]}.so"
    if binary.is_file():
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    with toolchain.locked(binary.parent / ".observer.lock"):
        if not binary.is_file():
            _compile(compiler.path, binary)
    return binary


def _compile(compiler: str, binary: Path) -> None:
    fresh = binary.with_name(f"{binary.name}.{os.getpid()}")
    command = [compiler, *FLAGS, f"-I{toolchain.INCLUDE}", str(SOURCE), "-o", str(fresh), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        fresh.unlink(missing_ok=True)
        first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:300])
        raise OpkgError([error("OPK432", f"the observer does not compile: {first}", Span(""), " ".join(command))])
    fresh.replace(binary)
