"""Runs rows of HVX floating-point results on the host's headers: `python scripts/hvx_float_oracle.py FILE.tsv.gz`.

A row (tab separated): intrinsic, three operands (- where absent), result, in hex: words of the registers at one index,
`low:high` for the two registers of a pair. One program calls every intrinsic of the file; each row runs beside others and
alone, in all lanes. Prints for each intrinsic how many rows differ and exits with 1 if any does, if an intrinsic is not
known or if there is no row.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from opkg.kernels.hvx.names import Intrinsic, every

INCLUDE = Path(__file__).resolve().parents[1] / "opkg" / "sim" / "include"
LANES = 32
TYPES = {"V": "HVX_Vector", "W": "HVX_VectorPair", "Q": "HVX_VectorPred"}
Registers = npt.NDArray[np.uint32]
Rows = dict[str, list[tuple[str, ...]]]

_PROGRAM = """\
#include <cstdio>
#include <vector>
#include "hvx_hexagon_protos.h"
// Steps of `in` registers from standard input, `out` registers each to standard output: all lanes together, then what
// each gives alone (0xbad where that is not the same in all lanes).
template <typename F>
static void each(unsigned steps, unsigned in, unsigned out, F f) {
  std::vector<HVX_Vector> a(in), one(in), y(out), lane(out), alone(out);
  for (unsigned i = 0; i < steps; i++) {
    if (fread(a.data(), 128, in, stdin) != in) return;
    f(a.data(), y.data());
    for (int k = 0; k < 32; k++) {
      for (unsigned n = 0; n < in; n++) one[n] = HVX_Vector{} + a[n][k];
      f(one.data(), lane.data());
      for (unsigned n = 0; n < out; n++) {
        const HVX_Vector first = HVX_Vector{} + lane[n][0];
        alone[n][k] = memcmp(&first, &lane[n], 128) ? 0xbad : lane[n][0];
      }
    }
    fwrite(y.data(), 128, out, stdout);
    fwrite(alone.data(), 128, out, stdout);
  }
}
template <typename T>
static T load(const HVX_Vector* v) {
  T t;
  memcpy(&t, v, sizeof t);
  return t;
}
int main() {
@CALLS@
}
"""


class Misuse(Exception):
    """What is wrong with the file or the machine."""


def read(path: Path) -> Rows:
    """Operands and result (the last) of all rows, by intrinsic."""
    found: Rows = defaultdict(list)
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise Misuse(f"{path}: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith(("#", "name\t")):
            continue
        name, *cells = line.split("\t")
        if len(cells) != 4:
            raise Misuse(f"{path}:{number}: five columns are expected")
        found[name].append(tuple(cell for cell in cells if cell != "-"))
    return found


def registers(kind: str) -> int:
    return 2 if kind == "W" else 1


def columns(intrinsic: Intrinsic, rows: list[tuple[str, ...]]) -> Registers:
    """The rows as words: operands, then the result, low before high register."""
    kinds = intrinsic.operands + intrinsic.result
    try:
        table = [[int(part, 16) for cell in row for part in cell.split(":")] for row in rows]
        fits = all([len(cell.split(":")) for cell in row] == [registers(kind) for kind in kinds] for row in rows)
        if not fits:
            raise ValueError(f"its operands and result are {kinds}")
        return np.array(table, np.uint32)
    except (ValueError, OverflowError) as error:
        raise Misuse(f"a row of {intrinsic.name} is not one: {error}") from error


def vectors(column: Registers) -> Registers:
    """The column in whole vectors: [steps, LANES]."""
    return np.concatenate([column, np.zeros(-len(column) % LANES, np.uint32)]).reshape(-1, LANES)


def call(intrinsic: Intrinsic, steps: int) -> str:
    """C++ that runs one intrinsic on all of its steps."""
    loads, at = [], 0
    for kind in intrinsic.operands:
        loads.append(f"load<{TYPES[kind]}>(a + {at})")
        at += registers(kind)
    result = f"const {TYPES[intrinsic.result]} r = {intrinsic.name}({', '.join(loads)});"
    body = f"[](const HVX_Vector* a, HVX_Vector* y) {{ {result} memcpy(y, &r, sizeof r); }}"
    return f"  each({steps}, {at}, {registers(intrinsic.result)}, {body});"


def run(calls: list[str], data: bytes, flags: list[str]) -> bytes:
    """Standard output of the program."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Misuse("there is no C++ compiler")
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "rows.cpp", Path(folder) / "rows"
        source.write_text(_PROGRAM.replace("@CALLS@", "\n".join(calls)), "utf-8")
        command = [
            compiler,
            "-std=c++17",
            "-O2",
            "-w",
            "-Wno-psabi",
            *flags,
            f"-I{INCLUDE}",
            str(source),
            "-o",
            str(program),
        ]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise Misuse(f"the headers do not compile:\n{made.stderr[:4000]}")
        return subprocess.run([str(program)], input=data, capture_output=True, check=True).stdout


def different(rows: Rows, flags: list[str]) -> dict[str, npt.NDArray[np.intp]]:
    """Indices of the rows whose results differ in one of the lanes, by intrinsic."""
    known = every()
    tables = {name: columns(known[name], rows[name]) for name in rows}
    calls, data, lengths = [], b"", {}
    for name, table in tables.items():
        count = sum(map(registers, known[name].operands))
        given = np.stack([vectors(table[:, i]) for i in range(count)], axis=1)
        calls.append(call(known[name], len(given)))
        data += given.tobytes()
        lengths[name] = len(given)
    out, at, found = np.frombuffer(run(calls, data, flags), np.uint32), 0, {}
    for name, table in tables.items():
        width = registers(known[name].result)
        size = lengths[name] * 2 * width * LANES
        got = out[at : at + size].reshape(lengths[name], 2, width, LANES).transpose(1, 0, 3, 2).reshape(2, -1, width)
        at += size
        found[name] = np.flatnonzero((got[:, : len(table)] != table[:, -width:]).any(axis=(0, 2)))
    return found


def report(rows: Rows, found: dict[str, npt.NDArray[np.intp]], shown: int) -> None:
    for name, wrong in found.items():
        print(f"{name}: {len(wrong)} of {len(rows[name])} rows differ")
        for row in wrong[:shown]:
            print("   ", *rows[name][row])
    total = sum(map(len, found.values())), sum(map(len, rows.values()))
    print(f"{len(found)} intrinsics: {total[0]} of {total[1]} rows differ")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("file", type=Path, help="rows, tab separated, gzip or not")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print up to N wrong rows of an intrinsic")
    parser.add_argument("--flag", action="append", default=[], help="for the compiler, as --flag=-mavx2")
    parser.add_argument("--qfloat", type=int, default=68, metavar="ARCH", help="model of qfloat (68 or 79; default 68)")
    options = parser.parse_args()
    try:
        rows = read(options.file)
        unknown = sorted(set(rows) - set(every()))
        if unknown:
            raise Misuse(f"not an HVX intrinsic: {', '.join(unknown)}")
        if not rows:
            raise Misuse(f"{options.file}: there is no row")
        found = different(rows, [f"-DOPKG_HVX_QFLOAT={options.qfloat}", *options.flag])
    except Misuse as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    report(rows, found, options.show)
    return 1 if any(map(len, found.values())) else 0


if __name__ == "__main__":
    sys.exit(main())
