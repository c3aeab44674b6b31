"""Wall and CPU seconds of `opkg verify` for one op, on each machine: from nothing, with the runner cached, all cached.

    python benchmarks/bench_verify.py [--runs 3]

"from nothing": runner and package are compiled. "runner cached": a machine's second project; the package is compiled.
"again": nothing to compile. Each line is a whole process with its compilers, the least of several runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 3.0
OPKG = [sys.executable, "-m", "opkg", "-q"]


def run(project: Path, cache: Path, *words: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command and everything it started; it must succeed."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["OPKG_CACHE_DIR"] = str(cache)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run([*OPKG, *words], cwd=project, env=environment, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(base: Path, machine: str, runs: int) -> None:
    """Prints the three lines of one machine."""
    project, cache = base / "project", base / "cache"
    words = ("verify", "--on", machine)
    states = {
        "from nothing": (project / "build", cache),
        "runner cached": (project / "build",),
        "again": (),
    }
    for name, removed in states.items():
        found = []
        for _ in range(runs):
            for folder in removed:
                shutil.rmtree(folder, ignore_errors=True)
            found.append(run(project, cache, *words))
        wall, cpu = min(found)
        over = "" if wall <= LIMIT else f"over {LIMIT:.0f} s"
        print(f"{machine:5} {name:14} {wall:6.2f} s wall {cpu:6.2f} s CPU  {over}".rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="opkg-bench-") as folder:
        base = Path(folder)
        new = ("new", "Swish", "--kind", "elementwise", "--package", "bench.one", "--dir", "project", "--no-input")
        run(base, base / "cache", *new)
        for machine in ("host", "htp"):
            measure(base, machine, options.runs)


if __name__ == "__main__":
    main()
