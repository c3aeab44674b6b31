"""Compiles the program of a kernel, counts it in qemu-hexagon, and keeps what was found in the cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.verify.bench.program import MEASURED, write_program
from opkg.verify.bench.stalls import executed, functions, packets_of
from opkg.verify.bench.subject import Subject
from opkg.verify.machines.hexagon import runtime, steady, toolchain
from opkg.verify.machines.runners import cache_folder

FLAGS = ("-O3", "-ffunction-sections")
OBJDUMPS = ("llvm-objdump-19", "llvm-objdump-20", "llvm-objdump-21", "llvm-objdump")
TIMEOUT = 60.0
_REPORT = struct.Struct("<6I")
_VERSION = 4  # of what the cache holds


@dataclass(frozen=True, slots=True)
class Measured:
    """One call on n elements. `status`: 0 measured, 1 prepare() refused the numbers, 2 the row was turned down.

    `packets`, `instructions`, `vectors` (HVX instructions): of the call without an empty one. `stalls`: packets that
    waited, `after_loads` of them for a load alone; -1 without llvm-objdump. `differs`: elements that are not those of the
    portable code, `most`: by how many steps at most.
    """

    arch: str
    n: int
    status: int
    packets: int
    instructions: int
    vectors: int
    differs: int
    most: int
    stalls: int
    after_loads: int


def objdump() -> str | None:
    """A disassembler for Hexagon; stalls are not known without."""
    return next((path for name in OBJDUMPS if (path := shutil.which(name))), None)


def measure(
    subject: Subject,
    arch: str,
    sizes: Sequence[int],
    root: Path,
    unroll: int | None = None,
    against: Against | None = None,
) -> list[Measured]:
    """Counts a kernel, or the function that is to be compared with it, for every size.

    Raises MissingTool (OPK430), OpkgError (OPK610) when a file of the user's does not compile or link, ToolFailed when the
    kernel does not.
    """
    runtime.require()
    folder = cache_folder(root) / "opkg-bench"
    folder.mkdir(parents=True, exist_ok=True)
    with scratch_folder() as scratch:
        source = write_program(subject, Path(scratch), unroll, against.function if against is not None else "")
        kept = folder / f"{_key(Path(scratch), arch, sizes, against)}.json"
        if kept.is_file():
            return [Measured(**row) for row in json.loads(kept.read_text("utf-8"))]
        program = _build(source, arch, root, against)
        found = [_run(program, arch, n) for n in sizes]
        keep(kept, json.dumps([asdict(row) for row in found]))
    return found


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """Where programs are compiled that are measured, with our headers beside them: neither in the project nor of a checkout,
    for clang makes other code of files whose paths are longer (24 or 27 packets for the loop of `add_q`)."""
    return tempfile.TemporaryDirectory(prefix="opkg-bench-")


def keep(path: Path, text: str) -> None:
    """Writes a file of the cache in one step: other runs may read it."""
    fd, fresh = tempfile.mkstemp(dir=path.parent, prefix=".found-")
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(fresh, path)


@dataclass(frozen=True, slots=True)
class Against:
    """A C or C++ file of the user's with a function that computes what the kernel does.

    extern "C" void FUNCTION(const void* const* in, void* const* out, size_t n, const float* numbers);

    `in`, `out`: the rows of the op's inputs and outputs in the spec's order, aligned to 128 bytes; an input that repeats
    is a pattern of 128 bytes of elements and more. `numbers`: scale and zero point of every input and output, then the scalar
    params.
    """

    file: Path
    function: str


def _key(folder: Path, arch: str, sizes: Sequence[int], against: Against | None) -> str:
    """Changes with everything that the result depends on."""
    digest = hashlib.sha256(f"{_VERSION}\0{arch}\0{tuple(sizes)}\0{FLAGS}\0{toolchain.flags(arch)}".encode())
    tools = (bool(steady.prefix()), toolchain.clang(), toolchain.lld(), toolchain.qemu(), objdump())
    digest.update("\0".join(map(str, tools)).encode())
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    if against is not None:
        digest.update(against.file.name.encode() + b"\0" + against.file.read_bytes())
    return digest.hexdigest()[:24]


def _build(source: Path, arch: str, root: Path, against: Against | None) -> Path:
    folder = source.parent
    program = folder / "program"
    try:
        objects = toolchain.compile([source], arch, [*FLAGS, "-Iinclude"], folder)
        if against is not None:
            where = f"-I{against.file.resolve().parent}"
            objects += toolchain.compile([against.file.resolve()], arch, [*FLAGS, where], folder / "against")
        toolchain.link([*objects, *runtime.objects(arch, root)], program)
    except toolchain.ToolFailed as failed:
        if against is None:
            raise
        hint = f'define extern "C" void {against.function}(const void* const* in, void* const* out, size_t n, const float*)'
        message = f"{against.file}: cannot be measured: {first_error(failed)}"
        raise OpkgError([error("OPK610", message, Span(str(against.file)), hint)]) from None
    return program


def first_error(failed: toolchain.ToolFailed) -> str:
    """The line of a compiler's or linker's output that says what is wrong."""
    lines = failed.stderr.strip().splitlines()
    line = next((line for line in lines if "error" in line), lines[0] if lines else "")
    return re.sub(r"\S*/(?=[\w.-]+:\d)", "", line.strip())[:300]  # without the folder, which is gone


def _run(program: Path, arch: str, n: int) -> Measured:
    ran = toolchain.run(program, [str(n)], timeout=TIMEOUT)
    if ran.status != 0 or len(ran.stdout) != _REPORT.size:
        message = (
            f"the measured program ended with status {ran.status} on {arch}: {ran.stderr.decode(errors='replace')}"
        )
        raise OpkgError(
            [error("OPK611", message.strip(), Span(""), "the kernel reads or writes outside of its tensors")]
        )
    status, packets, instructions, vectors, differs, most = _REPORT.unpack(ran.stdout)
    stalls, after_loads = _stalls(program, arch, n) if status == 0 else (-1, -1)
    return Measured(arch, n, status, packets, instructions, vectors, differs, most, stalls, after_loads)


def disassembly(file: Path, arch: str) -> str | None:
    """The code of a program or an object; None without a disassembler. It knows IEEE instructions by an option only."""
    tool = objdump()
    if tool is None:
        return None
    features = f"--mattr=+hvx{arch},+hvx-ieee-fp"
    command = [tool, "-d", f"--mcpu=hexagon{arch}", features, "--no-show-raw-insn", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _stalls(program: Path, arch: str, n: int) -> tuple[int, int]:
    """Packets that waited, by a trace of the call alone."""
    text = disassembly(program, arch)
    if text is None:
        return -1, -1
    trace = toolchain.traced(program, [str(n), "x"], functions(text, MEASURED), timeout=TIMEOUT)
    if not trace:
        return -1, -1
    found = executed(trace, packets_of(text, arch))
    return found.stalls, found.after_loads
