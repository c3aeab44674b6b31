"""Measures in a backend what a QHPI kernel may keep from precomputation: handles, memory, block tables, its own data.

    python scripts/qhpi_handles.py                          # the installed onnxruntime-qnn
    python scripts/qhpi_handles.py FOLDER/libQnnHtp.so ...  # others, of unpacked wheels

Prints a row per version and kernel: what differed between precomputation and execution in any phase (two executions with other
buffers, one of another graph between them, save, load, three executions of what was loaded), 0 meaning that nothing did.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from opkg.verify.machines.htp import library, version

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent
INCLUDE = [f"-I{ROOT / 'opkg/sim/include'}", f"-I{ROOT / 'tests/sim_qhpi/fixtures'}", f"-I{HERE}"]
COUNTERS = (
    "precomputed", "executed", "no_memory_yet", "memory_moved", "block_moved", "data_moved", "data_unaligned",
    "tensor_unaligned", "shape_differs", "sliced",
)  # fmt: skip
RUNS = (
    ("Flat", (1, 16, 16, 64)), ("Ddr", (1, 16, 16, 64)), ("Blocks", (1, 9, 10, 40)), ("Threads", (1, 64, 64, 256)),
    ("Tiles", (1, 64, 64, 128)), ("BlockTiles", (1, 64, 64, 128)), ("Tiles", (1, 128, 256, 256)),
)  # fmt: skip
SHOWN = ("wrong bytes", "no memory", "memory moved", "block moved", "data moved", "shape", "slices", "data aligned")


def build(folder: Path) -> tuple[Path, Path]:
    """The driver and the package."""
    cxx = [os.environ.get("CXX", "g++"), "-std=c++17", "-O1", "-Wall", "-Wextra", *INCLUDE]
    program, package = folder / "qhpi_handles", folder / "libqhpi_handles.so"
    subprocess.run([*cxx, str(HERE / "qhpi_handles.cpp"), "-o", str(program), "-ldl"], check=True)
    subprocess.run([*cxx, "-fPIC", "-shared", str(HERE / "qhpi_handles_package.cpp"), "-o", str(package)], check=True)
    return program, package


def phases(program: Path, package: Path, backend: Path, op: str, dims: tuple[int, ...]) -> dict[str, dict[str, int]]:
    """Counters of each phase of one run; `wrong`: bytes of the result. Raises RuntimeError when the run fails."""
    command = [str(program), str(backend), str(package), op, *map(str, dims)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    if done.returncode != 0:
        said = [line for line in done.stdout.splitlines() if line.startswith("failed")]
        raise RuntimeError(f"{op}: {said[0] if said else f'status {done.returncode}'}")
    found = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == len(COUNTERS) + 2 and all(word.isdecimal() for word in words[1:]):
            found[words[0]] = dict(zip(("wrong", *COUNTERS), map(int, words[1:]), strict=True))
    return found


def row(found: dict[str, dict[str, int]]) -> list[str]:
    """What a line of the table says."""

    def total(name: str) -> int:
        return sum(counts[name] for counts in found.values())

    slices = [
        f"{name} {c['executed'] // 2}" for name, c in found.items() if name in ("execute", "loaded") and c["sliced"]
    ]
    aligned = f"{total('precomputed') - total('data_unaligned')} of {total('precomputed')}"
    names = ("wrong", "no_memory_yet", "memory_moved", "block_moved", "data_moved", "shape_differs")
    return [*(str(total(name)) for name in names), ", ".join(slices) or "1", aligned]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("backends", nargs="*", type=Path)
    backends = parser.parse_args().backends or [path for path in (library(),) if path is not None]
    if not backends:
        print("no libQnnHtp.so", file=sys.stderr)
        return 3
    print("| QNN | kernel | " + " | ".join(SHOWN) + " |\n" + "| --- " * (2 + len(SHOWN)) + "|")
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        program, package = build(Path(scratch))
        for backend in backends:
            for op, dims in RUNS:
                name = f"{op} {'x'.join(map(str, dims))}"
                try:
                    found = phases(program, package, backend, op, dims)
                    print(f"| {version(backend)} | {name} | " + " | ".join(row(found)) + " |", flush=True)
                except RuntimeError as why:
                    failed = True
                    print(f"| {version(backend)} | {name} | {why} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
