"""Compares the outputs of a run on a device with the expected ones. Needs Python's standard library only.

usage: python3 compare.py FOLDER      (FOLDER/CASE/Result_0/OUTPUT.raw, as qnn-net-run writes them; FOLDER/CASE/output_0_0.raw of ExecuTorch)
"""

from __future__ import annotations

import json
import math
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CODES = {
    "float32": "f", "float16": "e", "uint8": "B", "int8": "b", "bool": "B", "uint16": "H", "int16": "h", "uint32": "I",
    "int32": "i", "uint64": "Q", "int64": "q",
}  # fmt: skip
LEAST = {"float32": 2.0**-126, "float16": 2.0**-14}  # the smallest normal numbers
DIGITS = {"float32": 23, "float16": 10}


def numbers(data: bytes, kind: str) -> list[float]:
    return list(struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data))


def spacing(value: float, kind: str) -> float:
    """The distance of a float to the next one of its type."""
    size = max(abs(value), LEAST[kind])
    return math.ldexp(1.0, math.frexp(size)[1] - 1 - DIGITS[kind])


def is_good(got: float, wanted: float, output: dict, low: float | None, high: float | None) -> bool:
    if math.isnan(wanted) and math.isnan(got) or got == wanted:
        return True
    if low is not None and high is not None and (low <= got <= high or math.isnan(low) or math.isnan(high)):
        return True
    allowed, off = output["allowed"], abs(got - wanted)
    if not math.isfinite(off):
        return False
    if output["type"] in LEAST and off <= allowed.get("ulp", 0) * spacing(wanted, output["type"]):
        return True
    if off <= allowed.get("lsb", 0):
        return True
    return off <= allowed.get("abs", 0) + allowed.get("rel", 0) * abs(wanted)


def found(folder: Path, output: dict) -> Path | None:
    """The file of an output: native outputs have a suffix in some releases, and ExecuTorch counts them."""
    for file in [output["file"]] if "file" in output else [f"{output['name']}.raw", f"{output['name']}_native.raw"]:
        for path in sorted(folder.glob(f"Result_*/{file}")) or [folder / file]:
            if path.is_file():
                return path
    return None


def compare(run: dict, out: Path) -> str:
    """What is wrong with the outputs of a run; empty when they are as expected."""
    for output in run["outputs"]:
        name, code = output["name"], CODES[output["type"]]
        path = found(out / run["name"], output)
        if path is None:
            return f"no output {name}"
        expected = HERE / "cases" / run["name"] / "expected"
        wanted, got = (expected / f"{name}.raw").read_bytes(), path.read_bytes()
        if len(wanted) != len(got):
            return f"{name} has {len(got)} bytes, expected {len(wanted)}"
        ends = [[None] * (len(wanted) // struct.calcsize(code))] * 2
        if output.get("bounded"):
            ends = [numbers((expected / f"{name}.{end}.raw").read_bytes(), "d") for end in ("low", "high")]
        rows = list(zip(numbers(got, code), numbers(wanted, code), *ends))
        bad = [place for place, row in enumerate(rows) if not is_good(row[0], row[1], output, *row[2:])]
        if bad:
            given, expectation = rows[bad[0]][:2]
            return f"{name}: {len(bad)} of {len(rows)} elements differ, [{bad[0]}] is {given:g}, expected {expectation:g}"
    return ""


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    runs = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))["runs"]
    failed = 0
    for run in runs:
        wrong = compare(run, Path(sys.argv[1]))
        failed += bool(wrong)
        print(f"{run['name']}: {wrong or 'as expected'}")
    print(f"{len(runs)} cases, {failed} failures")
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
