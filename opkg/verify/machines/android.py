"""Builds the ARM half of a package for Android: with the NDK where $ANDROID_NDK_ROOT names one, else with clang and no SDK.

Without the NDK there are neither Android's headers nor its libraries. A package needs little of them: the headers are those
of the Hexagon build, what a C++ library would give is `opkg/sim/android/runtime.cpp`, and the C libraries that the linker wants
are stubs made from a table of names. A name that is not in the table ends the link.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from opkg.device import android
from opkg.device.android import LEVEL
from opkg.device.library import PREPARE
from opkg.verify.machines import toolchain as host
from opkg.verify.machines.hexagon import toolchain
from opkg.verify.machines.hexagon.loadable import tables

VARIABLES = ("ANDROID_NDK_ROOT", "ANDROID_NDK_HOME")
RUNTIME = host.INCLUDE.parent / "android" / "runtime.cpp"
INSTALL = "apt-get install clang-19 lld-19, or set ANDROID_NDK_ROOT to Google's NDK"
_COMPILER = f"toolchains/llvm/prebuilt/*/bin/aarch64-linux-android{LEVEL}-clang++"
_TARGET = (f"--target=aarch64-linux-android{LEVEL}", "-nostdlibinc", "-nostdinc++")
_WITHOUT = (  # of a run-time library
    "-fno-exceptions", "-fno-rtti", "-mno-outline-atomics", "-fno-stack-protector",
            "-fvisibility-global-new-delete=force-hidden")  # fmt: skip
_ALWAYS = ("libc.so", "libm.so")  # named by every library that the NDK links


def ndk() -> Path | None:
    """The NDK's folder that the environment names."""
    wanted = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")
    return Path(wanted) if wanted else None


def compiler() -> str:
    """The NDK's compiler where the environment names an NDK, else clang; empty without."""
    folder = ndk()
    if folder is not None:
        return next((str(path) for path in sorted(folder.glob(_COMPILER))), "")
    tool = toolchain.clang()
    return tool.path if tool is not None else ""


def how() -> str:
    """With what it is built, in words."""
    return "the NDK" if ndk() is not None else "clang, without Android's C library (docs/device.md)"


def lacking() -> dict[str, str]:
    """Program -> its path, empty when it is not here."""
    if (folder := ndk()) is not None:
        return {str(folder / _COMPILER): compiler()}
    linker = toolchain.lld()
    return {toolchain.CLANGS[0]: compiler(), toolchain.LINKERS[0]: linker.path if linker and not linker.words else ""}


def words(out: Path) -> tuple[str, ...]:
    """Make's words for a build under `out`. Raises ToolFailed when a stub does not link."""
    folder = out.resolve() / "stub"
    link = [f"-L{folder}", f"-l:{PREPARE}", "-Wl,-z,defs", "-Wl,-z,max-page-size=16384"]
    include = f"OPKG_SIM_INCLUDE={host.INCLUDE}"
    if ndk() is not None:
        stub(folder, PREPARE, tables().qhpi, (compiler(),))
        return include, f"CXX={compiler()}", f"LDFLAGS={' '.join([*link, '-static-libstdc++'])}", "x86"
    clang, linker = toolchain.clang(), toolchain.lld()
    assert clang is not None
    assert linker is not None
    linking = (*clang.command, _TARGET[0], f"--ld-path={linker.path}", "-nostdlib")
    for library, names in _libraries().items():
        stub(folder, library, names, linking)
    compiling = (*clang.command, *_TARGET, "-isystem", str(toolchain.FREESTANDING), *_WITHOUT)
    run(
        (
            *compiling,
            "-std=c++17",
            "-O2",
            "-fPIC",
            "-fvisibility=hidden",
            "-c",
            str(RUNTIME),
            "-o",
            str(folder / "runtime.o"),
        )
    )
    link = [str(folder / "runtime.o"), *link, *(f"-l:{name}" for name in _ALWAYS), *linking[len(clang.command) + 1 :]]
    link += ["-Wl,--as-needed", *(f"-l:{name}" for name in sorted(_libraries()) if name not in (*_ALWAYS, PREPARE))]
    return include, f"CXX={' '.join(compiling)} -Qunused-arguments", f"LDFLAGS={' '.join(link)}", "x86"


def _libraries() -> dict[str, list[str]]:
    """The libraries that a package may be linked against, with their names."""
    found: dict[str, list[str]] = {PREPARE: list(tables().qhpi)}
    for name, (library, level) in android.names().items():
        if level <= LEVEL:
            found.setdefault(library, []).append(name)
    return found


def stub(folder: Path, library: str, names: Iterable[str], linking: tuple[str, ...]) -> Path:
    """A library of a name, to be linked against and nothing else. `linking`: a compiler for its machine."""
    folder.mkdir(parents=True, exist_ok=True)
    source, made = folder / f"{Path(library).stem}.s", folder / library
    text = "".join(f".globl {each}\n{each}:\n" for each in sorted(names))
    if not made.is_file() or not source.is_file() or source.read_text("utf-8") != text:
        source.write_text(text, encoding="utf-8")
        run((*linking, "-shared", "-nostdlib", f"-Wl,-soname,{library}", "-o", str(made), str(source)))
    return made


def run(command: tuple[str, ...]) -> None:
    """Runs a compiler. Raises ToolFailed."""
    done = host.BUILDS.run(list(command), {**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise toolchain.ToolFailed(list(command), done.stderr)
