"""Builds what a device loads: the Hexagon half of a package for an architecture, and the ARM half for Linux or Android.

The generated Makefile compiles both. On ARM, QHPI is in libQnnHtpPrepare.so, which a package has to name: it is linked
against a stub of that library, made from the table of names that QNN exports.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from opkg.device.library import PREPARE, Wanted, check
from opkg.spec.diagnostics import Diagnostic, MissingTool, Span, error
from opkg.spec.model import OpPackage
from opkg.verify.machines import android
from opkg.verify.machines import build as builder
from opkg.verify.machines import toolchain as host
from opkg.verify.machines.hexagon import toolchain
from opkg.verify.machines.hexagon.loadable import TABLES, tables
from opkg.verify.options import Built

LINUX, ANDROID = "aarch64-linux", "aarch64-android"
ARM = (LINUX, ANDROID)
OLD = ("v68", "v69", "v73")  # what clang 19 knows
NEW = ("v75", "v79", "v81")
KINDS = (*OLD, *NEW, *ARM)
_NEW_CLANGS, _NEW_LINKERS = ("clang++-22", "clang++-23"), ("ld.lld-22", "ld.lld-23")
_OLDEST_NEW = 22
_CROSS = ("aarch64-linux-gnu-g++", "aarch64-linux-gnu-g++-12", "aarch64-linux-gnu-g++-13", "aarch64-linux-gnu-g++-14")
INSTALL = {
    **dict.fromkeys(OLD, "apt-get install clang-19 lld-19"),
    **dict.fromkeys(NEW, "apt-get install clang-22 lld-22 (Debian 12: from its security suite)"),
    LINUX: "apt-get install g++-aarch64-linux-gnu",
    ANDROID: android.INSTALL,
}


def missing(kind: str) -> str:
    """What is not here to build for a kind, in words; empty when all is."""
    if os.environ.get("HEXAGON_SDK_ROOT") and kind not in ARM:
        return ""
    needed = {"make": shutil.which("make") or ""}
    if kind == LINUX:
        needed[_CROSS[0]] = cross()
    elif kind == ANDROID:
        needed |= android.lacking()
    else:
        compiler, linker = tools(kind)
        names = (_NEW_CLANGS[0], _NEW_LINKERS[0]) if kind in NEW else (toolchain.CLANGS[0], toolchain.LINKERS[0])
        needed |= {names[0]: compiler.path if compiler else "", names[1]: linker.path if linker else ""}
    return ", ".join(name for name, path in needed.items() if not path)


def need(kinds: Iterable[str]) -> None:
    """Raises MissingTool with all that is not here to build for some kinds."""
    found = [
        error("OPK430", f"to build for {kind} there is no {lacking}", Span(""), INSTALL[kind])
        for kind in kinds
        if (lacking := missing(kind))
    ]
    if found:
        raise MissingTool(found)


def classic(packages: Sequence[OpPackage], kinds: Sequence[str]) -> list[Diagnostic]:
    """What packages of the classic interface alone need for a DSP, for which nothing is built here (OPK430)."""
    dsps = [kind for kind in kinds if kind not in ARM]
    found = []
    for package in packages:
        interfaces = builder.interfaces(package)
        if "qhpi" in interfaces or "classic" not in interfaces:
            continue
        where = Span(package.path)
        message = (
            f"{package.name} has the classic interface only, which is built for {', '.join(kinds)} with Qualcomm's tools: "
            "QNN's headers register ops in static constructors, which need a C++ library and start-up code for the DSP"
        )
        arch = f" HEXAGON_ARCH={dsps[0]}" if dsps else ""
        make = f"make -C generated/{package.cpp_namespace}/classic hexagon{arch} HEXAGON_SDK_ROOT=... QNN_SDK_ROOT=..."
        found.append(error("OPK430", message, where, f"add the target qnn-htp-qhpi; or: {make}"))
    return found


def cross() -> str:
    """The C++ compiler for ARM: $OPKG_AARCH64_CXX, else Debian's; empty without."""
    wanted = os.environ.get("OPKG_AARCH64_CXX")
    return next((path for name in ((wanted,) if wanted else _CROSS) if (path := shutil.which(name))), "")


def program(kind: str) -> str:
    """The compiler for a kind; empty without."""
    if kind in ARM:
        return cross() if kind == LINUX else android.compiler()
    compiler = tools(kind)[0]
    return compiler.path if compiler is not None else ""


def tools(arch: str) -> tuple[toolchain.Tool | None, toolchain.Tool | None]:
    """clang and lld for an architecture: those of `--on hexagon`, for v75 and later newer ones."""
    if arch not in NEW:
        return toolchain.clang(), toolchain.lld()
    compiler = toolchain.find("OPKG_HEXAGON_CXX", _NEW_CLANGS)
    new = compiler if compiler is not None and compiler.major >= _OLDEST_NEW else None
    return new, toolchain.find("OPKG_HEXAGON_LD", _NEW_LINKERS)


def build(root: Path, package: OpPackage, kind: str) -> Built:
    """Builds the half of a package that a kind (of KINDS) names, and judges it as `opkg device check` does.

    Raises MissingTool.
    """
    root = root.resolve()
    need((kind,))
    findings = builder.prepared(root, package, "qhpi")
    if findings:
        return Built(package, "qhpi", None, tuple(findings))
    out = builder.build_folder(root, package, "qhpi", kind)
    library = out / package.library if kind in ARM else out / "hexagon" / package.library
    try:
        variables = _words(kind, out)
    except toolchain.ToolFailed as failure:
        finding = error("OPK402", str(failure)[:600], Span(""), f"run: {shlex.join(failure.command)}")
        return Built(package, "qhpi", None, (finding,))
    made = builder.run_make(root, package, "qhpi", out, library, variables)
    return made if made.library is None else _checked(made, root)


def _checked(made: Built, root: Path) -> Built:
    """The build with what a device would say of it."""
    assert made.library is not None
    shown = made.library.relative_to(root).as_posix()
    found = [*made.findings, *check(shown, made.library.read_bytes(), Wanted(), tables()).findings]
    broken = any(finding.is_error for finding in found)
    return Built(made.package, made.interface, None if broken else made.library, tuple(found))


def _hexagon(arch: str) -> tuple[str, ...]:
    """Make's words for the half with the kernels."""
    words = (f"HEXAGON_ARCH={arch}", f"HEXAGON_TABLES={TABLES}", f"PYTHON={sys.executable} -S -E")
    if os.environ.get("HEXAGON_SDK_ROOT"):
        return (*words, "hexagon")
    compiler, linker = tools(arch)
    assert compiler is not None
    assert linker is not None
    programs = (f"HEXAGON_CXX={' '.join(compiler.command)}", f"HEXAGON_LD={' '.join(linker.command)}")
    return (*words, *programs, f"HEXAGON_INCLUDE={toolchain.FREESTANDING}", "hexagon")


def _words(kind: str, out: Path) -> tuple[str, ...]:
    """Make's words for a kind. Raises ToolFailed when what it is linked against does not link."""
    if kind == ANDROID:
        return android.words(out)
    if kind != LINUX:
        return _hexagon(kind)
    folder = out / "stub"
    android.stub(folder, PREPARE, tables().qhpi, (cross(),))
    link = f"LDFLAGS=-L{folder} -l:{PREPARE} -Wl,-z,defs -static-libstdc++ -static-libgcc"
    return (f"OPKG_SIM_INCLUDE={host.INCLUDE}", f"CXX={cross()}", link, "x86")
