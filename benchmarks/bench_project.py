"""CPU seconds and peak memory of `opkg generate` and `opkg check` for projects of 1, 100 and 1000 ops.

    python benchmarks/bench_project.py [--ops 1,100,1000] [--target qnn-htp-qhpi] [--runs 5]

Two shapes of a project: one spec with all ops, and one spec (and so one package) per op. Each line is a whole process,
user + system time, the least of several runs; peak memory is the process's own (ru_maxrss).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

PACKAGE = """\
opkg: 1
package:
  name: bench.{package}
  version: 1.0.0
  summary: A package for measuring
  targets: [{target}]
ops:
"""
OP = """\
  {name}:
    summary: the larger of the input and a bound
    types: {{T: [ufixed8, float32]}}
    inputs:
      x: {{dtype: T, shape: [rest...], rank: 1..4, description: anything}}
    params:
      bound: {{dtype: float32, default: 0.0, description: the least result}}
    outputs:
      y: {{dtype: T, shape: x.shape}}
    reference: references:largest
    tests:
      tolerance: {{ufixed8: 1 lsb, float32: 1e-6 abs}}
"""
LIMITS = {("check", 1): 0.08, ("check", 100): 0.2, ("check", 1000): 0.6, ("generate", 1): 0.15, ("generate", 1000): 3.0}


def make(root: Path, ops: int, one_file: bool, target: str) -> None:
    """Writes the specs of a project with `ops` ops."""
    specs = root / "specs"
    specs.mkdir(parents=True)
    if one_file:
        body = "".join(OP.format(name=f"Largest{n}") for n in range(ops))
        (specs / "bench.yaml").write_text(PACKAGE.format(package="all", target=target) + body)
        return
    for n in range(ops):
        head = PACKAGE.format(package=f"p{n}", target=target)
        (specs / f"p{n}.yaml").write_text(head + OP.format(name=f"Largest{n}"))


def measure(root: Path, *words: str) -> tuple[float, float, float]:
    """CPU seconds, wall seconds and peak MB of one run of opkg; it must succeed."""
    begun = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.chdir(root)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed opkg is compiled; so is this one after a run
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        os.execv(sys.executable, [sys.executable, "-c", "from opkg.cli.main import main; main()", *words])
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise SystemExit(f"opkg {' '.join(words)} failed in {root}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - begun, usage.ru_maxrss / 1024


def least(root: Path, runs: int, *words: str, again: bool = False) -> tuple[float, float, float]:
    """The least CPU time of several runs; `again`: from nothing each time.

    What was generated is moved away, not deleted: after a deletion ext4 is slow to make new files for some seconds.
    """
    found = []
    for number in range(runs):
        for name in ("generated", "kernels") if again else ():
            if (root / name).exists():
                (root / name).rename(root.parent / f"{root.name}-{name}-{number}")
        found.append(measure(root, *words))
    return min(found)


def line(verb: str, what: str, ops: int, files: int, result: tuple[float, float, float]) -> bool:
    """Prints one row; whether it is within its limit."""
    cpu, wall, memory = result
    limit = LIMITS.get((verb, ops))
    good = (limit is None or cpu <= limit) and memory < 200
    shown = f"<= {limit:.2f}" if limit else ""
    times = f"{cpu:7.3f} s CPU {shown:8} {wall:7.3f} s wall"
    print(f"{verb:9} {what:34} {files:6} files {times} {memory:6.0f} MB {'' if good else 'OVER'}".rstrip(), flush=True)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", default="1,100,1000")
    parser.add_argument("--target", default="qnn-htp-qhpi")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    good = True
    for ops in (int(word) for word in options.ops.split(",")):
        for one_file in (True, False) if ops > 1 else (True,):
            with tempfile.TemporaryDirectory(prefix="opkg-bench-") as folder:
                root = Path(folder) / "project"
                make(root, ops, one_file, options.target)
                what = f"{ops} op{'s' if ops > 1 else ''}, {1 if one_file else ops} spec{'' if one_file else 's'}"
                runs = options.runs if ops < 1000 else max(1, options.runs // 2)
                first = least(root, runs, "generate", again=True)
                files = sum(1 for p in root.rglob("*") if p.is_file()) - (1 if one_file else ops)
                good &= line("generate", what, ops, files, first)
                good &= line("check", what + ", no change", ops, files, least(root, options.runs, "check"))
                line("generate", what + ", no change", 0, files, least(root, options.runs, "generate"))
                line("check", what + ", --full", 0, files, least(root, 1, "check", "--full"))
    sys.exit(not good)


if __name__ == "__main__":
    main()
