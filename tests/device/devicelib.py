"""Device libraries for tests: the examples' packages, built by their generated Makefiles, each once per session and flags."""

from __future__ import annotations

import functools
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from hexprojects import EXAMPLES

from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file
from opkg.targets.qnn_htp_qhpi.blocks import beside, with_blocks, with_twins
from opkg.targets.qnn_htp_qhpi.plan import make_plan
from opkg.verify.machines.hexagon import toolchain


@dataclass(frozen=True)
class Example:
    """A package of an example with its generated QHPI folder."""

    package: OpPackage
    folder: Path

    @property
    def kernels(self) -> dict[str, tuple[str, ...]]:
        """Names of the records of each op, and of those that stand in the place of ops where tensors are flat."""
        found = {}
        for op in with_blocks(self.package).ops:
            plan, name = make_plan(with_twins(op)), f"{self.package.name}::{op.name}"
            found[name] = tuple(record.name for record in plan.records)
            if plan.flat:
                found[f"{name}.flat"] = tuple(record.name for record in plan.flat)
            if records := beside(self.package, plan):
                found[f"{name}.blocks"] = tuple(record.name for record in records)
        return found


@functools.cache
def examples() -> dict[str, Example]:
    """Every package of the examples that has a QHPI side, by its C++ namespace."""
    found = {}
    for spec in sorted(EXAMPLES.glob("*/specs/*.yaml")):
        root = spec.parents[1]
        package, _ = read_file(spec, spec.relative_to(root).as_posix())
        assert package is not None
        folder = root / "generated" / package.cpp_namespace / "qhpi"
        if folder.is_dir():
            found[package.cpp_namespace] = Example(package, folder)
    return found


@functools.cache
def _out() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="opkg-device-")


def make(folder: Path, out: Path, arch: str, *settings: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """`make hexagon` as somebody runs it who has no opkg installed, but its folder of headers."""
    command = [
        "make", "-s", "-j2", "-C", str(folder), "hexagon", f"OUT={out}", f"HEXAGON_ARCH={arch}",
        f"HEXAGON_INCLUDE={toolchain.FREESTANDING}", f"PYTHON={sys.executable} -S -E", *settings,
    ]  # fmt: skip
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "HEXAGON_SDK_ROOT", "PYTHONPATH")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@functools.cache
def library(name: str, arch: str, flags: str = "-O0") -> Path:
    """The finished library of an example's package."""
    example = examples()[name]
    out = Path(_out().name) / name / f"{arch}{flags.replace(' ', '')}"
    done = make(example.folder, out, arch, f"CXXFLAGS={flags} -Werror")
    assert done.stderr == "", done.stderr
    return out / "hexagon" / example.package.library


def segments(content: bytes) -> list[tuple[int, ...]]:
    """The program headers: type, offset, address, physical address, size in the file, in memory, flags, alignment."""
    start, count = struct.unpack_from("<I", content, 28)[0], struct.unpack_from("<H", content, 44)[0]
    return [struct.unpack_from("<8I", content, start + 32 * i) for i in range(count)]


def record(content: bytes) -> tuple[bytes, int, int, bytes]:
    """The last section header and what it points to: magic, checksum, the checksum that is right, the 8 bytes behind."""
    table, count = struct.unpack_from("<I", content, 32)[0], struct.unpack_from("<H", content, 48)[0]
    header = struct.unpack_from("<10I", content, table + 40 * (count - 1))
    assert header[1] == 0x80000000 + int.from_bytes(b"SWIV", "big")
    assert (header[0], header[2], header[3], header[5], header[8]) == (0, 0, 0, 16, 0)
    assert header[4] + 16 == len(content)
    loaded = [content[s[1] : s[1] + s[4]] + bytes(s[5] - s[4]) for s in segments(content) if s[0] == 1]
    magic, crc = struct.unpack_from("<4sI", content, header[4])
    return magic, crc, zlib.crc32(b"".join(loaded)), content[header[4] + 8 :]
