"""opkg/scalar.h does what numpy does: casts, rounding to half, integers that wrap, quotients, steps of quantized tensors."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from opkg.resources import plain
from opkg.spec.dtypes import DTYPES
from opkg.targets.qnn_common.shared import signed_header
from opkg.verify.meaning.compute import cast
from opkg.verify.meaning.numbers import Array

PROGRAM = r"""
#include <unistd.h>

#include <vector>

#include "opkg/scalar.h"

template <typename T>
static std::vector<T> take() {
  uint32_t n = 0;
  if (read(0, &n, 4) != 4) _exit(1);
  std::vector<T> v(n);
  char* bytes = reinterpret_cast<char*>(v.data());
  for (size_t at = 0; at < n * sizeof(T);) at += static_cast<size_t>(read(0, bytes + at, n * sizeof(T) - at));
  return v;
}
template <typename T>
static void put(T value) {
  if (write(1, &value, sizeof value) != sizeof value) _exit(1);
}

int main() {
  const auto reals = take<double>();
  const auto wholes = take<int64_t>();
  for (double x : reals) {
    put(opkg::saturate<int8_t>(x));
    put(opkg::saturate<uint16_t>(x));
    put(opkg::saturate<int32_t>(x));
    put(opkg::saturate<int64_t>(x));
    put(opkg::round_to_half(x));
    put(opkg::sign(x));
    opkg::Steps steps;
    steps.scale = 0.37;
    steps.zero = 11;
    put(static_cast<int64_t>(steps.nearest<uint8_t>(x)));
  }
  for (double x : reals) {
    for (double y : reals) {
      put(opkg::minimum(x, y));
      put(opkg::maximum(x, y));
      put(opkg::quotient(x, y));
      put(opkg::modulo(x, y));
    }
  }
  for (int64_t x : wholes) {
    put(opkg::saturate<int8_t>(x));
    put(opkg::saturate<uint32_t>(x));
    put(opkg::saturate<int64_t>(x));
    put(opkg::wrap_abs(x));
    put(opkg::wrap_pow(x, 3));
    put(opkg::sign(x));
    for (int64_t y : wholes) {
      put(opkg::wrap_add(x, y));
      put(opkg::wrap_sub(x, y));
      put(opkg::wrap_mul(x, y));
      put(opkg::quotient(x, y));
      put(opkg::modulo(x, y));
    }
  }
  return 0;
}
"""
LARGE = (2**63 - 1, -(2**63), 2**62, 2**32, -(2**31), 2**31 - 1)


def numbers() -> tuple[Array, Array]:
    """Reals and integers: random ones of all sizes, and the ends of types."""
    rng = np.random.default_rng(4)
    reals = rng.normal(size=60) * 10.0 ** rng.integers(-9, 12, 60)
    special = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        0.5,
        1.5,
        -2.5,
        127.5,
        -128.9,
        65519.99,
        65520.0,
        2.0**63,
        6e-8,
        3e-8,
    ]
    halves = [1 + 2**-11, 1 + 3 * 2**-11, 2**-14 - 2**-26, 2**-24 * 1.5, 2048 + 1.0, 4098.0]
    wholes = [*LARGE, *range(-3, 4), *map(int, rng.integers(-(2**62), 2**62, 10)), 7, -16, 255, -129]
    return np.array([*reals, *special, *halves]), np.array(wholes, np.int64)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("scalar")
    (folder / "opkg").mkdir()
    (folder / "opkg" / "scalar.h").write_text(plain("qnn/scalar.h"))
    (folder / "opkg" / "kernel.h").write_text(plain("qnn/kernel.h"))
    (folder / "opkg" / "signed.h").write_text(signed_header("a test", unsigned=False))
    source = folder / "scalar.cpp"
    source.write_text(PROGRAM)
    command = [
        "g++",
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsanitize=undefined",
        "-fno-sanitize-recover",
    ]
    command += [f"-I{folder}", str(source), "-o", str(folder / "scalar")]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:3000]
    reals, wholes = numbers()
    data = b"".join([np.uint32(len(a)).tobytes() + a.tobytes() for a in (reals, wholes)])
    ran = subprocess.run([str(folder / "scalar")], input=data, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()[:2000]
    return ran.stdout


def same(got: Array, wanted: Array, what: str) -> None:
    """Equal, zeros and NaN as they are."""
    assert np.array_equal(got, wanted, equal_nan=got.dtype.kind == "f"), what


@np.errstate(all="ignore")
def test_everything_is_as_in_numpy(answers: bytes) -> None:
    reals, wholes = numbers()
    n, m = len(reals), len(wholes)
    ends = [n * 7 * 8, n * 7 * 8 + n * n * 4 * 8]
    one = np.frombuffer(answers[: ends[0]], np.int64).reshape(n, 7)
    floats = one.view(np.float64)
    for column, name in enumerate(("int8", "uint16", "int32", "int64")):
        same(one[:, column], cast(reals, DTYPES[name]), name)
    same(floats[:, 4], reals.astype(np.float16).astype(np.float64), "half")
    same(floats[:, 5], np.sign(reals), "sign")
    steps = np.nan_to_num(np.rint(reals / 0.37) + 11, nan=11.0, posinf=1e9, neginf=-1e9)
    same(one[:, 6], np.clip(steps, 0, 255).astype(np.int64), "steps")
    pairs = np.frombuffer(answers[ends[0] : ends[1]], np.float64).reshape(n, n, 4)
    x, y = reals[:, None], reals[None, :]
    for column, function in enumerate((np.minimum, np.maximum, np.floor_divide, np.mod)):
        same(pairs[..., column], function(x, y), function.__name__)
    rest = np.frombuffer(answers[ends[1] :], np.int64).reshape(m, 6 + 5 * m)
    for column, name in enumerate(("int8", "uint32", "int64")):
        same(rest[:, column], cast(wholes, DTYPES[name]), name)
    same(rest[:, 3], np.abs(wholes), "abs")
    same(rest[:, 4], np.power(wholes, 3), "power")
    same(rest[:, 5], np.sign(wholes), "sign")
    table = rest[:, 6:].reshape(m, m, 5)
    a, b = wholes[:, None], wholes[None, :]
    for column, function in enumerate((np.add, np.subtract, np.multiply, np.floor_divide, np.mod)):
        same(table[..., column], function(a, b), function.__name__)
