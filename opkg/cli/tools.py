"""Which compilers, simulators and backends this machine has: the table that `opkg doctor` prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple


class Tool(NamedTuple):
    """One line. `needed_for`: "host" is what `opkg verify` cannot do without."""

    name: str
    needed_for: str
    found: bool
    version: str = ""
    path: str = ""
    install: str = ""


class _Program(NamedTuple):
    """A program to look for: any of its names, how to ask for its version, and what installs it."""

    names: tuple[str, ...]
    needed_for: str
    install: str
    asking: tuple[str, ...] = ("--version",)


_PROGRAMS = (
    _Program(("make", "gmake"), "host", "apt-get install make"),
    _Program(("nm",), "better messages", "apt-get install binutils"),
    _Program(("cmake",), "the generated CMakeLists.txt", "apt-get install cmake"),
)
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def survey() -> list[Tool]:
    """All tools; programs are asked for their versions at the same time."""
    jobs: list[Callable[[], list[Tool]]] = [
        _compilers,
        *(_asker(p) for p in _PROGRAMS),
        _hexagon,
        _device,
        _sdk,
        _backend,
        lambda: _package("onnx", "ONNX files in opkg rules apply, opkg fuse"),
        lambda: _package("openvino", "OpenVINO files in opkg fuse"),
        _executorch,
        _onert,
        _openvino,
        _onnxruntime,
    ]
    with ThreadPoolExecutor(len(jobs)) as pool:
        return [tool for tools in pool.map(lambda job: job(), jobs) for tool in tools]


def missing_for_host(tools: list[Tool]) -> bool:
    """Whether something is missing without which nothing can be verified."""
    return any(tool.needed_for == "host" and not tool.found for tool in tools)


def _asker(program: _Program) -> Callable[[], list[Tool]]:
    return lambda: [_look(program)]


def _look(program: _Program) -> Tool:
    for name in program.names:
        path = shutil.which(name)
        if path is not None:
            version = _version(path, program.asking)
            return Tool(program.names[0], program.needed_for, True, version, path)
    return Tool(program.names[0], program.needed_for, False, install=program.install)


def _version(path: str, asking: tuple[str, ...]) -> str:
    """The first number with dots in what the program says of itself."""
    try:
        done = subprocess.run(
            [path, *asking], capture_output=True, text=True, errors="replace", timeout=20, check=False,
            stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = _VERSION.search(done.stdout or done.stderr)
    return found[0] if found else ""


def _compilers() -> list[Tool]:
    """$CXX, g++ and clang++; one of them is enough."""
    wanted = os.environ.get("CXX")
    names = (wanted, "g++", "clang++") if wanted else ("g++", "clang++")
    tools = []
    for name in names:
        path = shutil.which(name)
        if path is not None:
            label = f"$CXX ({name})" if name == wanted else name
            tools.append(Tool(label, "host", True, _version(path, ("--version",)), path))
    if wanted and shutil.which(wanted) is None:
        install = "set CXX to a C++ compiler, or unset it"
        return [Tool(f"$CXX ({wanted})", "host", False, install=install), *tools]
    return tools or [Tool("g++ or clang++", "host", False, install="apt-get install g++")]


def _hexagon() -> list[Tool]:
    """Compiler, linker and emulator of `--on hexagon`, and the architectures that they run."""
    from opkg.verify.machines.hexagon import steady, toolchain

    use = "verify --on hexagon"
    parts = {"clang++-19": toolchain.clang(), "ld.lld-19": toolchain.lld(), "qemu-hexagon": toolchain.qemu()}
    packages = {"clang++-19": "clang-19", "ld.lld-19": "lld-19", "qemu-hexagon": "qemu-user"}
    tools = []
    for name, tool in parts.items():
        if tool is None:
            tools.append(Tool(name, use, False, install=f"apt-get install {packages[name]}"))
        else:
            tools.append(Tool(name, use, True, tool.version, tool.path))
    if all(parts.values()):
        runs = toolchain.runnable()
        old = [arch for arch in toolchain.ARCHITECTURES if arch not in runs]
        if runs:
            tools.append(Tool("Hexagon kernels", use, True, ", ".join(runs)))
        if old:
            tools.append(Tool(f"Hexagon {', '.join(old)}", "optional", False, install=toolchain.NEWER_QEMU))
        if (unsteady := steady.warning()) is not None:
            tools.append(Tool("setarch -R", "the same code from run to run", False, install=unsteady.hint))
    return tools


def _device() -> list[Tool]:
    """Compilers of `build --device` that are no one else's."""
    from opkg.verify.machines import android, device

    names = (("clang++-22", device.NEW[0]), ("aarch64 g++", device.LINUX), ("aarch64 Android", device.ANDROID))
    found = []
    for name, kind in names:
        lacking = device.missing(kind)
        path = "" if lacking else device.program(kind)
        how = "" if lacking else android.how() if kind == device.ANDROID else _version(path, ("--version",))
        use = f"build --device {', '.join(device.NEW) if kind in device.NEW else kind}"
        found.append(Tool(name, "optional", not lacking, how, path, f"{use}: {device.INSTALL[kind]}"))
    return found


def _sdk() -> list[Tool]:
    """A Hexagon SDK is used where HEXAGON_SDK_ROOT names one; nothing needs it."""
    root = os.environ.get("HEXAGON_SDK_ROOT", "")
    there = bool(root) and os.path.isdir(os.path.join(root, "tools"))
    install = "optional: set HEXAGON_SDK_ROOT to build with Qualcomm's SDK instead of clang"
    if root and not there:
        install = f"HEXAGON_SDK_ROOT={root} has no folder tools/"
    found = _VERSION.search(os.path.basename(os.path.normpath(root))) if there else None
    return [Tool("Hexagon SDK", "optional", there, found[0] if found else "", root if there else "", install)]


def _backend() -> list[Tool]:
    """libQnnHtp.so, found without importing anything of it."""
    from opkg.verify.machines.htp import INSTALL, LIBRARY, library, version

    path = library()
    if path is None:
        return [Tool(LIBRARY, "verify --on htp", False, install=INSTALL)]
    known = version(path) or build_id(str(path))
    return [Tool(LIBRARY, "verify --on htp", True, f"QNN {known}" if known else "", str(path))]


def build_id(path: str) -> str:
    """QNN's version as the library itself has it ("v2.51.0.25..."); empty when there is none."""
    import mmap

    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = re.search(rb"v(2\.\d{1,3}\.\d{1,3})\.\d{6,}", data)
            return found[1].decode() if found else ""
    except (OSError, ValueError):
        return ""


def _package(name: str, use: str) -> list[Tool]:
    """A package of Python's that is also the name of an extra; it is looked for, not imported."""
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    found = find_spec(name)
    if found is None or found.origin is None:
        return [Tool(name, use, False, install=f"pip install 'opkg[{name}]'")]
    try:
        number = version(name)
    except PackageNotFoundError:
        number = ""
    return [Tool(name, use, True, number, os.path.dirname(found.origin))]


def _executorch() -> list[Tool]:
    """The interpreter with ExecuTorch, and the libraries of QNN that it can use."""
    from pathlib import Path

    from opkg.verify.machines.executorch.environment import Missing, find

    use = "verify --on executorch"
    found = find(Path())
    if isinstance(found, Missing):
        return [Tool("ExecuTorch", use, False, install=f"{found.reason}: {found.install}".rstrip(": "))]
    version = f"{found.executorch}, torch {found.torch}" + (f", QNN {found.qnn}" if found.qnn else "")
    return [Tool("ExecuTorch", use, True, version, str(found.python))]


def _openvino() -> list[Tool]:
    """OpenVINO's wheel, found without importing it."""
    from opkg.verify.machines.openvino import library as openvino

    use = "verify --on openvino"
    path = openvino.folder()
    if path is None:
        return [Tool("OpenVINO", use, False, install=openvino.INSTALL)]
    return [Tool("OpenVINO", use, True, openvino.version(), str(path))]


def _onert() -> list[Tool]:
    """onert's library, found without importing anything of it, and what writes models for it."""
    from opkg.verify.machines.onert import library as onert

    use = "verify --on onert"
    path = onert.library()
    if path is None:
        named = onert.wanted()
        return [Tool("onert", use, False, install=f"{onert.VARIABLE}={named} is no file" if named else onert.INSTALL)]
    tools = [Tool("onert", use, True, onert.version(), str(path))]
    if onert.lacks_writer():
        tools.append(Tool("flatbuffers", use, False, install=onert.WRITER))
    return tools


def _onnxruntime() -> list[Tool]:
    """ONNX Runtime and Qualcomm's provider for it, and what its release can do."""
    from importlib.metadata import PackageNotFoundError, version

    from opkg.targets.onnxruntime.releases import features
    from opkg.verify.machines.onnxruntime.machine import INSTALL

    use = "verify --on onnxruntime"
    try:
        runtime, provider = version("onnxruntime"), version("onnxruntime-qnn")
    except PackageNotFoundError:
        return [Tool("onnxruntime", use, False, install=INSTALL)]
    return [Tool("onnxruntime", use, True, f"{runtime}, onnxruntime-qnn {provider} ({features(provider)})")]
