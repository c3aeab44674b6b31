"""The functions of hvx_float.h as a shared library of the host, called with numpy arrays."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from kernels_headers import copied

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "opkg" / "sim" / "include"
Array = npt.NDArray[np.generic]

ONE = (
    "sign", "abs", "neg", "trunc", "floor", "ceil", "round", "sqrt", "rsqrt", "exp", "log", "sigmoid", "tanh", "erf",
    "log1p", "sin", "cos", "atan",
)  # fmt: skip
TWO = ("add", "sub", "mul", "div", "quotient", "min", "max", "pow")
HALVES = ("add", "sub", "mul", "min", "max", "neg", "abs")
COMPARE = ("gt", "ge", "eq")

MODELS = (68, 79)  # architectures whose qfloat the host has
WORDS = 66  # floats in whole numbers

TOP = """\
#include "opkg/hvx_float.h"
using namespace opkg::hvx;
template <typename F>
void each(const HVX_Vector* a, const HVX_Vector* b, const HVX_Vector* c, HVX_Vector* y, int n, F f) {
  for (int i = 0; i < n; i++) y[i] = f(a[i], b[i], c[i]);
}
#define FUNCTION(NAME, ...)                                                                                         \\
  extern "C" void run_##NAME(const HVX_Vector* pa, const HVX_Vector* pb, const HVX_Vector* pc, HVX_Vector* y, int n) {    \\
    each(pa, pb, pc, y, n, [](HVX_Vector a, HVX_Vector b, HVX_Vector c) -> HVX_Vector {                             \\
      (void)b, (void)c;                                                                                             \\
      return __VA_ARGS__;                                                                                           \\
    });                                                                                                             \\
  }
"""


def source() -> str:
    """C functions of one, two or three vectors each, named like the functions without suffix."""
    lines = [TOP]
    lines += [f"FUNCTION({name}, {name}_sf(a))" for name in ONE]
    lines += [f"FUNCTION({name}, {name}_sf(a, b))" for name in TWO]
    lines += [f"FUNCTION({name}, Q6_V_vmux_QVV({name}_sf(a, b), splat_w(1), Q6_V_vzero()))" for name in COMPARE]
    lines += ["FUNCTION(mul_add, mul_add_sf(a, b, c))", "FUNCTION(mul_sub, mul_sub_sf(a, b, c))"]
    lines += ["FUNCTION(sf_from_int, sf_from_w(a))", "FUNCTION(int_from_sf, w_from_sf(a))"]
    lines += ["FUNCTION(even, Q6_V_lo_W(sf_from_hf(a)))", "FUNCTION(odd, Q6_V_hi_W(sf_from_hf(a)))"]
    lines += ["FUNCTION(halves, hf_from_sf(a, b))"]
    lines += ["FUNCTION(sf_from_stored, sf_from_stored(a, b))", "FUNCTION(stored_from_sf, stored_from_sf(a, b))"]
    for name in HALVES:
        lines.append(f"FUNCTION({name}_hf, {name}_hf({'a' if name in ('neg', 'abs') else 'a, b'}))")
    lines += [f"FUNCTION({n}_hf, Q6_V_vmux_QVV({n}_hf(a, b), splat_w(0x10001u), Q6_V_vzero()))" for n in COMPARE]
    return "\n".join(lines) + "\n"


def tool(name: str) -> str:
    """Path of a program; skips without it on a developer's machine, fails in CI."""
    path = shutil.which(name)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return str(path)


def folder_with_header(folder: Path) -> Path:
    """A folder in which `#include "opkg/hvx_float.h"` is found, as in a package."""
    return copied(folder, "hvx_float.h", "hvx_math.h", "hvx_pow.h", "hvx_angles.h", "hvx_exactly.h", "hvx_remainder.h")


class Host:
    """A library of functions on vectors; `call` applies one to arrays of 32-bit elements of any length."""

    def __init__(self, folder: Path, model: int = 68, text: str = "") -> None:
        self.model = model
        path, library = folder_with_header(folder) / "floats.cpp", folder / "floats.so"
        path.write_text(text or source())
        flags = ["-std=c++17", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
        flags.append("-DOPKG_HVX_FLOAT_UNIT=0" if model < 68 else f"-DOPKG_HVX_QFLOAT={model}")
        command = [tool("g++"), *flags, f"-I{folder}", f"-I{INCLUDE}", str(path), "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr[:4000]
        self._library = ctypes.CDLL(str(library))

    def call(self, name: str, *arrays: Array, result: type[np.generic] = np.float32) -> Array:
        count = len(arrays[0])
        vectors = -(-count // 32)
        buffers = [_aligned(vectors) for _ in range(4)]
        for buffer, array in zip(buffers, arrays, strict=False):
            buffer[:count] = array.view(np.uint32)
        pointers = [b.ctypes.data_as(ctypes.c_void_p) for b in buffers]
        getattr(self._library, f"run_{name}")(*pointers, ctypes.c_int(vectors))
        return buffers[3][:count].view(result).copy()


def _aligned(vectors: int) -> npt.NDArray[np.uint32]:
    raw = np.zeros(vectors * 128 + 128, np.uint8)
    start = -raw.ctypes.data % 128
    return raw[start : start + vectors * 128].view(np.uint32)
