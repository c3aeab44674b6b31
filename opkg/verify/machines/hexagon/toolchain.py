"""clang, lld and qemu-hexagon: found, asked for their versions, and run to compile, link and execute Hexagon programs.

Programs are static and freestanding: `opkg/sim/freestanding` has the headers, `opkg/sim/hexagon` the start-up code and
the small C library that `runtime.objects` compiles. The flags are those of the generated Makefile's `make hexagon`.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines.hexagon import steady
from opkg.verify.machines.toolchain import BUILDS, SIM

FREESTANDING = SIM / "freestanding"
RUNTIME = SIM / "hexagon"
# Architecture: the oldest major version of qemu that runs it.
ARCHITECTURES = {"v66": 7, "v68": 10, "v73": 10}
CLANGS = ("clang++-19", "clang++-20", "clang++-21", "clang++")
LINKERS = ("ld.lld-19", "ld.lld-20", "ld.lld-21", "ld.lld")
EMULATORS = ("qemu-hexagon", "qemu-hexagon-static")
OLDEST_CLANG = 17  # the first whose headers have the intrinsics of v73
INSTALL = "apt-get install clang-19 lld-19 qemu-user  (pip install ziglang also brings a clang and an lld)"
NEWER_QEMU = (
    "apt-get install -t bookworm-backports qemu-user (Debian 12; first copy the distribution's entry in "
    "/etc/apt/sources.list.d to a file with `Suites: bookworm-backports`)"
)
# Variadic arguments on the stack, as on the DSP; those of hexagon-unknown-linux-musl travel in registers.
TARGET = "--target=hexagon-unknown-none-elf"
FLOAT_UNIT = 68  # the first architecture with HVX floating point
WRAPPED = ("malloc", "calloc", "realloc", "free", "memalign")  # which the DSP exports with `__wrap_` before them
_BASE = (TARGET, "-G0", "-fno-pic", "-nostdlibinc", f"-isystem{FREESTANDING}")
# clang's "Hexagon RDF optimizations" leave registers out of the lists of what blocks are entered with, and later passes drop
# what made these. "Hexagon Vector Combine" orders loads by where its own memory lies, so that names decide how fast loops are.
# The generated Makefile and templates/qnn/hexagon.cmake have both, too.
WITHOUT = ("-mllvm", "-rdf-opt=0", "-mllvm", "-hvc-va=0")
_HEADERS = ".std"  # FREESTANDING in the folder of a compile
_CXX = ("-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-nostdinc++")
_VERSION = re.compile(r"(?:version|LLD) (\d+)((?:\.\d+)*)")


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that was found: its path, major version and whole version. `words`: a command of zig."""

    path: str
    major: int
    version: str
    words: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """What a command line begins with."""
        return (self.path, *self.words)


class ToolFailed(Exception):
    """The compiler or the linker refused its input; `stderr` has what it said, `command` what was run."""

    def __init__(self, command: Sequence[str], stderr: str) -> None:
        super().__init__(f"{' '.join(command)}\n{stderr}")
        self.command = tuple(command)
        self.stderr = stderr


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program left: exit status (negative: the signal that ended it) and both outputs."""

    status: int
    stdout: bytes
    stderr: bytes


@functools.cache
def _ask(path: str, words: tuple[str, ...] = ()) -> Tool | None:
    """The version of a program; None when it does not start or says none."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [path, *words, "--version"], capture_output=True, text=True, timeout=20, check=False, env=environment,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout)
    return Tool(path, int(found[1]), found[1] + found[2], words) if found and done.returncode == 0 else None


def zig() -> str | None:
    """The program of PyPI's `ziglang`, which has clang and lld inside; the package is looked for, not imported."""
    try:
        found = importlib.util.find_spec("ziglang")
    except (ImportError, ValueError):
        return None
    paths = [Path(folder) / "zig" for folder in (found.submodule_search_locations if found else None) or ()]
    return next((str(path) for path in paths if path.is_file()), None)


def find(variable: str, names: Sequence[str], inside_zig: str = "") -> Tool | None:
    """The program that an environment variable names, and no other; else the first of `names` on the path, else zig's."""
    wanted = os.environ.get(variable)
    for name in (wanted,) if wanted else names:
        path = shutil.which(name)
        if path is not None:
            words = (inside_zig,) if inside_zig and Path(path).name == "zig" else ()
            if (tool := _ask(path, words)) is not None:
                return tool
    path = None if wanted or not inside_zig else zig()
    return _ask(path, (inside_zig,)) if path is not None else None


def clang() -> Tool | None:
    """A clang that compiles C++ for Hexagon: $OPKG_HEXAGON_CXX (a clang++ or a zig), else clang++-19 and newer, else
    clang++, else that of PyPI's `ziglang`."""
    tool = find("OPKG_HEXAGON_CXX", CLANGS, "clang")
    return tool if tool is not None and tool.major >= OLDEST_CLANG else None


def lld() -> Tool | None:
    """The linker: $OPKG_HEXAGON_LD (an ld.lld or a zig), else ld.lld-19 and newer, else ld.lld, else `ziglang`'s."""
    return find("OPKG_HEXAGON_LD", LINKERS, "ld.lld")


def qemu() -> Tool | None:
    """The emulator: $OPKG_QEMU_HEXAGON, else qemu-hexagon."""
    return find("OPKG_QEMU_HEXAGON", EMULATORS)


def missing() -> str:
    """What is not here of compiler, linker and emulator, in words; empty when all are."""
    tools = {"clang++-19 (for Hexagon)": clang(), "ld.lld-19": lld(), "qemu-hexagon": qemu()}
    return ", ".join(name for name, tool in tools.items() if tool is None)


def runnable() -> tuple[str, ...]:
    """The architectures that can be compiled for and run here, the oldest first; none when a tool is missing."""
    emulator = qemu()
    if emulator is None or missing():
        return ()
    return tuple(arch for arch, oldest in ARCHITECTURES.items() if emulator.major >= oldest)


def flags(arch: str) -> tuple[str, ...]:
    """The compiler's flags for an architecture ("v66"): code with 128-byte HVX, our headers, no C++ run time.

    OPKG_HVX_FLOAT is 0 where the architecture has HVX floating point, which no qemu has: generated kernels take their portable
    path. On v66 they compute floats in whole numbers.
    """
    portable = () if int(arch.removeprefix("v")) < FLOAT_UNIT else ("-DOPKG_HVX_FLOAT=0",)
    hvx = (f"-mcpu=hexagon{arch}", "-mhvx", "-mhvx-length=128B", *portable)
    return (*_BASE, *hvx, *WITHOUT)


def compile_command(source: Path, arch: str, extra: Sequence[str], out: Path) -> list[str]:
    """The command that compiles one C or C++ source to an object, the same one each time."""
    tool = clang()
    assert tool is not None
    language = ("-xc",) if source.suffix == ".c" else ("-xc++", *_CXX)
    # zig's clang does not find the headers of its own intrinsics
    own = [f"-isystem{Path(tool.path).parent / 'lib' / 'include'}"] if tool.words else []
    return [*steady.prefix(), *tool.command, *flags(arch), *own, *language, "-c", str(source), "-o", str(out), *extra]


def checked(command: Sequence[str], cwd: Path | None = None) -> str:
    """Runs a tool and returns what it wrote to stderr (warnings). Raises ToolFailed."""
    environment = {**os.environ, "LC_ALL": "C"}
    done = BUILDS.run(list(command), environment, cwd)
    if done.returncode != 0:
        raise ToolFailed(command, done.stderr)
    return done.stderr


def compile(sources: Sequence[Path], arch: str, extra: Sequence[str], folder: Path) -> list[Path]:
    """Compiles sources (`.c`, else C++17) side by side into `folder`; the objects, in the order of the sources.

    `extra`: further flags, such as -O2 and -I. Raises ToolFailed with the compiler's words. File names must differ. The
    compiler runs in `folder`, and files there are named from there, our own headers too if they are there (own_headers):
    its code depends on the length of names.
    """
    folder.mkdir(parents=True, exist_ok=True)
    objects = [Path(f"{source.stem}.o") for source in sources]
    named = [s.relative_to(folder) if s.is_relative_to(folder) else s.absolute() for s in sources]
    commands = [compile_command(s, arch, extra, o) for s, o in zip(named, objects, strict=True)]
    short = {f"-isystem{FREESTANDING}": f"-isystem{_HEADERS}"} if (folder / _HEADERS).is_dir() else {}
    jobs = [[short.get(word, word) for word in command] for command in commands]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(functools.partial(checked, cwd=folder), jobs))
    return [folder / path for path in objects]


def own_headers(folder: Path) -> None:
    """Puts our headers into a folder of compiles that are measured: the length of their paths tells in the code."""
    shutil.copytree(FREESTANDING, folder / _HEADERS, dirs_exist_ok=True)


def link(objects: Sequence[Path], out: Path, extra: Sequence[str] = ()) -> None:
    """Links objects, among them those of the run time (`runtime.objects`), to a static program. Raises ToolFailed."""
    tool = lld()
    assert tool is not None
    words = ["-m", "hexagonelf", "-static", "--gc-sections", *(f"--wrap={name}" for name in WRAPPED), *extra]
    checked([*tool.command, *words, *map(str, objects), "-o", str(out)])


def run(program: Path, args: Sequence[str] = (), stdin: bytes = b"", timeout: float = 60.0) -> Ran:
    """Runs a program in the emulator. Raises subprocess.TimeoutExpired."""
    tool = qemu()
    assert tool is not None
    done = subprocess.run(
        [*tool.command, str(program), *args], input=stdin, capture_output=True, timeout=timeout, check=False
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


def traced(
    program: Path, args: Sequence[str], ranges: Sequence[tuple[int, int]], stdin: bytes = b"", timeout: float = 60.0
) -> str:
    """What the emulator writes of the packets that a program executes in some ranges (first, last), one packet a line; empty
    where it writes nothing. Raises subprocess.TimeoutExpired."""
    tool = qemu()
    assert tool is not None
    file = program.with_suffix(".trace")
    single = "-one-insn-per-tb" if tool.major >= 9 else "-singlestep"
    chosen = ",".join(f"{first:#x}..{last:#x}" for first, last in ranges)
    words = [single, "-d", "exec,nochain", "-dfilter", chosen, "-D", str(file)]
    subprocess.run(
        [tool.path, *words, str(program), *args], input=stdin, capture_output=True, timeout=timeout, check=False
    )  # fmt: skip
    text = file.read_text("utf-8", "replace") if file.is_file() else ""
    file.unlink(missing_ok=True)
    return text
