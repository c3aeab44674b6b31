"""The sanitizers of the compiler, and valgrind where it has none: which are here, and how they are built in and run."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain

MEMORY, THREADS = "memory", "threads"
CHOICE = "OPKG_SANITIZER"  # "valgrind": not the compiler's

# A left shift of a negative number means the same to every compiler; C++20 says so.
_UNDEFINED = "-fsanitize=undefined,float-cast-overflow -fno-sanitize=shift-base,vptr"
_FLAGS = {"address": f"-fsanitize=address {_UNDEFINED}", "thread": "-fsanitize=thread"}
_LINK = {"address": ("-fsanitize=address", "-fsanitize=undefined"), "thread": ("-fsanitize=thread",)}
_TOOLS = {MEMORY: ("address", "memcheck"), THREADS: ("thread", "helgrind")}
_TITLES = {"address": "ASan+UBSan", "thread": "TSan", "memcheck": "valgrind", "helgrind": "helgrind"}
# How many times longer a case may take.
_SLOWER = {"address": 4.0, "thread": 10.0, "memcheck": 20.0, "helgrind": 40.0}


@dataclass(frozen=True, slots=True)
class Checker:
    """One of "address", "thread" (built in) or valgrind's "memcheck", "helgrind". `start`: what the command begins with."""

    name: str
    start: tuple[str, ...] = ()

    @property
    def built_in(self) -> bool:
        return self.name in _FLAGS

    @property
    def title(self) -> str:
        return _TITLES[self.name]

    @property
    def slower(self) -> float:
        return _SLOWER[self.name]

    def make(self) -> tuple[str, ...]:
        """Variables of the generated Makefile."""
        flags = _FLAGS.get(self.name, "")
        link = " ".join(_LINK.get(self.name, ()))
        return (f"CXXFLAGS=-O1 -g -fno-omit-frame-pointer {flags}".rstrip(), f"LDFLAGS={link}")

    def prefix(self, reports: Path) -> tuple[str, ...]:
        """What the command of a runner begins with."""
        if self.built_in:
            return self.start
        leaks = ("--leak-check=full", "--show-leak-kinds=definite") if self.name == "memcheck" else ()
        return (*self.start, f"--tool={self.name}", "-q", *leaks, "--fullpath-after=", f"--log-file={reports}.%p")

    def variables(self, reports: Path) -> Mapping[str, str]:
        """The environment of a runner."""
        common = f"log_path={reports}:exitcode=77"
        if self.name == "address":
            return {
                "ASAN_OPTIONS": f"{common}:detect_leaks=1:allow_user_segv_handler=1:detect_stack_use_after_return=1",
                "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=0",  # writes to stderr, which the runner takes
            }
        together = {"OPKG_SIM_SLICES": "4"}  # in all calls: what is looked for are races
        if self.name == "thread":
            return {"TSAN_OPTIONS": f"{common}:die_after_fork=0:halt_on_error=0", **together}
        return together if self.name == "helgrind" else {}


def link_flags(runner: str) -> tuple[str, ...]:
    """What a runner is linked with: `opkg-host-qhpi-address` has AddressSanitizer in it. It is not itself looked at."""
    return next((flags for name, flags in _LINK.items() if runner.endswith(f"-{name}")), ())


def slower(checks: str) -> float:
    """How many times longer a case may take when it is looked at for faults of a kind."""
    found = checker(checks) if checks in _TOOLS else None
    return found.slower if isinstance(found, Checker) else 1.0


@functools.cache
def checker(checks: str) -> Checker | str:
    """What looks for faults of a kind here, or why nothing can."""
    built_in, tool = _TOOLS[checks]
    wanted = os.environ.get(CHOICE, "")
    if wanted != "valgrind":
        # Older ThreadSanitizers do not start where addresses are too random.
        for start in ((), ("setarch", "-R")) if built_in == "thread" else ((),):
            if (not start or shutil.which(start[0])) and _works(built_in, start):
                return Checker(built_in, start)
    valgrind = shutil.which("valgrind")
    if valgrind is not None:
        return Checker(tool, (valgrind,))
    compiler = toolchain.compiler()
    name = compiler.path if compiler is not None else "no compiler"
    lacking = (
        "$OPKG_SANITIZER asks for valgrind" if wanted == "valgrind" else f"{name} cannot link {_LINK[built_in][0]}"
    )
    return f"{lacking}, and there is no valgrind"


def _works(name: str, start: tuple[str, ...]) -> bool:
    """Whether a program with the sanitizer can be built and runs."""
    compiler = toolchain.compiler()
    if compiler is None:
        return False
    with tempfile.TemporaryDirectory(prefix="opkg-sanitizer-") as folder:
        source, program = Path(folder) / "probe.cpp", Path(folder) / "probe"
        source.write_text("int main() { return 0; }\n", encoding="utf-8")
        made = _run([compiler.path, *_FLAGS[name].split(), str(source), "-o", str(program)])
        return made and _run([*start, str(program)])


def _run(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
