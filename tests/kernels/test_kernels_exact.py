"""opkg/exact.h decides as for real numbers, also where the operands are a hair away from where a decision changes."""

from __future__ import annotations

import math
import random
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from opkg.resources import plain
from opkg.targets.qnn_common.shared import signed_header

# C++ of what is decided on, and the same in fractions.
QUESTIONS: list[tuple[str, Callable[[Fraction, Fraction, Fraction, Fraction], int | Fraction]]] = [
    ("compare(a + b, c)", lambda a, b, c, d: _sign(a + b - c)),
    ("sign(a * b - c * d)", lambda a, b, c, d: _sign(a * b - c * d)),
    ("sign((a - b) * c - d)", lambda a, b, c, d: _sign((a - b) * c - d)),
    ("compare(a / b + c, d)", lambda a, b, c, d: _sign(a / b + c - d)),
    ("sign(a * b * c - d)", lambda a, b, c, d: _sign(a * b * c - d)),
    ("floor(a * b)", lambda a, b, c, d: math.floor(a * b)),
    ("ceil(a / b)", lambda a, b, c, d: math.ceil(a / b)),
    ("trunc(a / b)", lambda a, b, c, d: math.trunc(a / b)),
    ("floor(a / b)", lambda a, b, c, d: math.floor(a / b)),
    ("round(a / b)", lambda a, b, c, d: round(a / b)),
    ("round(a * b + 0.5)", lambda a, b, c, d: round(a * b + Fraction(1, 2))),
    ("floor(a + b - c)", lambda a, b, c, d: math.floor(a + b - c)),
    ("compare(lesser(a * b, c), greater(d, 0.5))", lambda a, b, c, d: _sign(min(a * b, c) - max(d, Fraction(1, 2)))),
    ("sign(magnitude(a - b * c) - d)", lambda a, b, c, d: _sign(abs(a - b * c) - d)),
    ("quotient(a * b, c)", lambda a, b, c, d: a * b // c),
    ("sign(modulo(a * b, c) - d)", lambda a, b, c, d: _sign(a * b % c - d)),
    ("floor(a / b) - trunc(c / d)", lambda a, b, c, d: math.floor(a / b) - math.trunc(c / d)),
]

PROGRAM = r"""
#include <unistd.h>

#include "opkg/exact.h"

int main() {
  double x[4];
  while (read(0, x, sizeof x) == sizeof x) {
    const double found[] = {
@CALLS@
    };
    if (write(1, found, sizeof found) != sizeof found) return 1;
  }
  return 0;
}
"""


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def _numbers(seed: int, count: int) -> np.ndarray:
    """Products of whole numbers and float32 scales, half of them so that sums, products or quotients nearly meet."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        scales = [float(np.float32(math.exp(rng.uniform(-9, 9)))) for _ in range(4)]
        if rng.random() < 0.4:
            scales = [float(np.float32(rng.randint(1, 512) / 255)) for _ in range(4)]
        if rng.random() < 0.3:
            scales[1] = float(np.ldexp(scales[0], rng.randint(-40, 40)))
        row = [float(rng.choice((rng.randint(-255, 255), rng.randint(-65535, 65535))) or 1) * s for s in scales]
        nearly = rng.choice((0.0, 1.0, 1.0 + 2.0**-52, 1.0 - 2.0**-53, 1.0 + 2.0**-40))
        match rng.randint(0, 5):
            case 0:
                row[2] = (row[0] + row[1]) * nearly or 1.0
            case 1:
                row[3] = row[0] * row[1] / row[2] * nearly or 1.0
            case 2:
                row[0] = row[1] * rng.randint(-100000, 100000) * nearly or 1.0
            case 3:
                row[0] = rng.randint(-1000, 1000) / row[1] * nearly or 1.0
            case 4:
                row[3] = row[0] / row[1] + row[2] or 1.0
        rows.append(row)
    return np.asarray(rows)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exact")
    (folder / "opkg").mkdir()
    for name in ("scalar.h", "exact.h", "kernel.h"):
        (folder / "opkg" / name).write_text(plain(f"qnn/{name}"))
    (folder / "opkg/signed.h").write_text(signed_header("a test", unsigned=False))
    lambda_ = "[]([[maybe_unused]] auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c, [[maybe_unused]] auto d)"
    calls = [f"opkg::decide({lambda_} {{ return {text}; }}, x[0], x[1], x[2], x[3])," for text, _ in QUESTIONS]
    source = folder / "exact.cpp"
    source.write_text(PROGRAM.replace("@CALLS@", "\n".join(calls)))
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{folder}"]
    subprocess.run(["g++", *flags, "-o", str(folder / "exact"), str(source)], check=True)
    return folder / "exact"


def test_decisions_are_those_of_fractions(program: Path) -> None:
    rows = _numbers(7, 4000)
    done = subprocess.run([str(program)], input=rows.tobytes(), capture_output=True, check=True)
    found = np.frombuffer(done.stdout).reshape(len(rows), len(QUESTIONS))
    turned = 0
    for row, outcomes in zip(rows, found, strict=True):
        numbers = [Fraction(x) for x in row]
        for (text, exact), outcome in zip(QUESTIONS, outcomes, strict=True):
            assert float(exact(*numbers)) == outcome, (text, row.tolist())
        plain = np.sign(row[0] + row[1] - row[2]), np.floor(row[0] * row[1]), np.trunc(row[0] / row[1])
        turned += sum(outcomes[place] != value for place, value in zip((0, 5, 7), plain, strict=True))
    assert turned > 50  # doubles decide that many otherwise: the data is hard enough


def test_infinities_and_nan_are_as_in_double_arithmetic(program: Path) -> None:
    rows = np.asarray(
        [[np.inf, 1.0, 2.0, 3.0], [np.nan, 1.0, 2.0, 3.0], [np.inf, 2.0, np.inf, 1.0], [0.0, 0.0, 1.0, 0.5]]
    )
    done = subprocess.run([str(program)], input=rows.tobytes(), capture_output=True, check=True)
    found = np.frombuffer(done.stdout).reshape(len(rows), len(QUESTIONS))
    assert found[0, 0] == 1
    assert np.isnan(found[1, 0])
    assert found[2, 0] == 0  # infinity is infinity
    assert found[0, 5] == np.inf
    assert np.isnan(found[3, 6])


def test_written_constants_are_not_fused(tmp_path: Path, program: Path) -> None:
    """clang computes fused multiplications and sums of constants as it compiles, for every machine."""
    clang = next((found for name in ("clang++", "clang++-19") if (found := shutil.which(name))), None)
    if clang is None:
        pytest.skip("no clang++")
    call = "opkg::decide([](auto a) { return floor(a * 0.3333333333333333); }, x[0]),"
    source = tmp_path / "constant.cpp"
    source.write_text(PROGRAM.replace("@CALLS@", call))
    made = tmp_path / "constant"
    subprocess.run([clang, "-std=c++17", "-O2", f"-I{program.parent}", "-o", str(made), str(source)], check=True)
    rows = np.repeat([[3.0], [4.0], [6.0], [12.0]], 4, axis=1)
    done = subprocess.run([str(made)], input=rows.tobytes(), capture_output=True, check=True)
    assert np.frombuffer(done.stdout).tolist() == [0.0, 1.0, 1.0, 3.0]
