"""What generated code weighs: lines, seconds of the compiler, bytes of machine code; and what generating many packages takes.

    python benchmarks/bench_code.py [--project examples/math] [--package nn_math] [--skip packages,x86,hexagon]

Figures of the QHPI interface of a package (`reach` is what they are held against; those of examples/math):

    kernels    lines of the longest kernel file
    package    lines of the package's folder and of generated/opkg, all of them counted, and how many of these other interfaces
               of the project include, too
    x86        user + system seconds of `make x86 CXXFLAGS='-O2 -g'`, with our stand-in headers
    hexagon    bytes of code and constants (llvm-size's `text`) of the library of `make hexagon`, and of its largest functions
    packages   user + system seconds of `opkg generate` for 1000 packages of one op each, the least of several runs

CPU time: other work on the machine adds to it all the same, so compare runs made side by side.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import bench_project

ROOT = Path(__file__).resolve().parents[1]
REACH = {"kernels": 450, "package": 4000, "x86": 8.0, "hexagon": 150_000, "packages": 2.0}


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def say(name: str, value: float, unit: str, more: str = "") -> None:
    shown = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
    print(f"{name:9} {shown:>10} {unit:6} reach {REACH[name]:,}   {more}".rstrip(), flush=True)


def included(folder: Path, generated: Path) -> set[Path]:
    """The headers of generated/opkg that the sources of an interface include, and those that these include."""
    found: set[Path] = set()
    left = [path for path in folder.rglob("*") if path.suffix in (".cpp", ".h")]
    while left:
        names = re.findall(r'^#include "(opkg/.*)"', left.pop().read_text("utf-8"), re.MULTILINE)
        new = {path for name in names if (path := generated / name).is_file()} - found
        found |= new
        left += new
    return found


def count_lines(folder: Path, shared: Path) -> None:
    files = [path for base in (folder, shared) for path in base.rglob("*") if path.is_file()]
    longest = max(folder.glob("src/*_kernels.cpp"), key=lines_of)
    own = sum(lines_of(path) for path in folder.rglob("*") if path.is_file())
    total = sum(map(lines_of, files))
    say("kernels", lines_of(longest), "lines", longest.name)
    mine = included(folder, shared.parent)
    others = {path for other in shared.parent.glob("*/*") if other != folder for path in included(other, shared.parent)}
    both = sum(map(lines_of, mine & others))
    say(
        "package",
        total,
        "lines",
        f"{own:,} of its own, {total - own:,} shared ({both:,} others include, too), {len(files)} files",
    )


def make(folder: Path, out: Path, goal: str, *words: str) -> float:
    """CPU seconds of one `make`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    include = f"OPKG_SIM_INCLUDE={ROOT / 'opkg/sim/include'}"
    command = ["make", "-s", goal, f"OUT={out}", include, *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def text_of(library: Path) -> int:
    found = subprocess.run(["llvm-size-19", str(library)], check=True, capture_output=True, text=True)
    return int(found.stdout.splitlines()[1].split()[0])


def largest(library: Path, count: int = 3) -> str:
    """The functions that take the most, instances of a template together."""
    command = ["llvm-nm-19", "-S", "--size-sort", "-C", str(library)]
    sizes: dict[str, int] = {}
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split(" ", 3)
        if len(words) < 4 or not words[1] or words[2] not in "tTwW":
            continue
        name = words[3].replace("(anonymous namespace)::", "").split("<")[0].split("(")[0].rpartition(" ")[2]
        sizes[name] = sizes.get(name, 0) + int(words[1], 16)
    most = sorted(sizes, key=lambda name: -sizes[name])[:count]
    return ", ".join(f"{name} {sizes[name]:,}" for name in most)


def generate_many(ops: int, runs: int) -> None:
    with tempfile.TemporaryDirectory(prefix="opkg-bench-") as folder:
        root = Path(folder) / "project"
        bench_project.make(root, ops, False, "qnn-htp-qhpi")
        cpu, _, _ = bench_project.least(root, runs, "generate", again=True)
        files = sum(1 for path in (root / "generated").rglob("*") if path.is_file())
        say("packages", cpu, "s CPU", f"{ops} packages of one op, {files:,} files, the least of {runs} runs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--project", type=Path, default=ROOT / "examples/math")
    parser.add_argument("--package", default="nn_math", help="its C++ name")
    parser.add_argument("--skip", default="", help="packages, x86, hexagon")
    parser.add_argument("--runs", type=int, default=3, help="of 1000 packages")
    options = parser.parse_args()
    skipped = options.skip.split(",")
    folder = options.project / "generated" / options.package / "qhpi"
    if not folder.is_dir():
        sys.exit(f"{folder}: no such folder; opkg generate makes it")
    count_lines(folder, options.project / "generated/opkg")
    with tempfile.TemporaryDirectory(prefix="opkg-bench-") as out:
        if "x86" not in skipped:
            say("x86", make(folder, Path(out), "x86", "CXXFLAGS=-O2 -g"), "s CPU")
        if "hexagon" not in skipped:
            make(folder, Path(out), "hexagon")
            library = next((Path(out) / "hexagon").glob("*.so"))
            say("hexagon", text_of(library), "bytes", largest(library))
    if "packages" not in skipped:
        generate_many(1000, options.runs)


if __name__ == "__main__":
    main()
