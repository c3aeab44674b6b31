"""What the headers accept and reject, for both compilers and every SDK profile; how long a package compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import classiclib
import numpy as np
import pytest

PROGRAMS = Path(__file__).resolve().parent / "programs"

OP_FILE = """
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/unique_types.h"
"""
KERNEL = "static GraphStatus f(Tensor& y, const Tensor& x) { return y.set_dims(x) ? Success : ErrorFatal; }\n"

REJECTED = {
    "optimize before constraints": ('#include "HTP/core/optimize.h"\n' + OP_FILE, "before HTP/core/optimize.h"),
    "interface and ops in one file": (
        OP_FILE + "BEGIN_PKG_OPS_OPTS_LIST()\nEND_PKG_OPS_OPTS_LIST()\nBEGIN_PKG_OP_DEFINITION(PKG_x);",
        "opkg_this_unit",
    ),
    "unique types in an op file": (OP_FILE + "DEFINE_UNIQ_TY()\nBEGIN_PKG_OP_DEFINITION(PKG_x);", "UniqTy"),
    "registration outside of an op file": (OP_FILE + KERNEL + 'DEF_PACKAGE_OP(f, "X")', "opkg_this_unit"),
    "number as cost": (
        OP_FILE + "BEGIN_PKG_OP_DEFINITION(P)\n" + KERNEL + 'DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, "X", 100)',
        "KernelEntry",
    ),
    "text as cost": (
        OP_FILE + "BEGIN_PKG_OP_DEFINITION(P)\n" + KERNEL + 'DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, "X", "FAST")',
        "KernelEntry",
    ),
    "flag without its class": (
        OP_FILE
        + "BEGIN_PKG_OP_DEFINITION(P)\n"
        + KERNEL
        + 'DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, "X", FAST, RESOURCE_HVX)',
        "RESOURCE_HVX",
    ),
    "op name that is no literal": (
        OP_FILE + 'BEGIN_PKG_OP_DEFINITION(P)\nstatic const char* name = "X";\n' + KERNEL + "DEF_PACKAGE_OP(f, name)",
        "name",
    ),
    "input before output": (
        OP_FILE
        + "BEGIN_PKG_OP_DEFINITION(P)\nstatic int f(const Tensor&, Tensor&) { return 0; }\n"
        + 'DEF_PACKAGE_OP(f, "X")',
        "outputs come first",
    ),
    "parameter that is no tensor": (
        OP_FILE
        + "BEGIN_PKG_OP_DEFINITION(P)\nstatic int f(Tensor&, const int&) { return 0; }\n"
        + 'DEF_PACKAGE_OP(f, "X")',
        "parameters are tensors",
    ),
    "five coordinates": (OP_FILE + "float f(const Tensor& x) { return x(0, 0, 0, 0, 0); }", "four dimensions"),
    "block of a flat tensor": (
        OP_FILE + "void* f(QuantUint8Tensor& x) { return x.block_ptr(0, 0, 0, 0); }",
        "only a crouton tensor has blocks",
    ),
    "half a param": (
        OP_FILE + 'BEGIN_PKG_OP_DEFINITION(P)\nDEF_PACKAGE_PARAM_ORDER("X", "a", true)',
        "(name, mandatory, default)",
    ),
}


def compile_text(text: str, folder: Path, *flags: str, compiler: str = "g++") -> str:
    """The compiler's messages; empty when it is content."""
    path = folder / "text.cpp"
    path.write_text(text)
    command = [classiclib.need(compiler), *classiclib.FLAGS, *flags, "-fsyntax-only", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("name", REJECTED)
def test_rejected(name: str, tmp_path: Path) -> None:
    text, message = REJECTED[name]
    assert message in compile_text(text, tmp_path, "-DTHIS_PKG_NAME=P")


def test_package_name_is_needed(tmp_path: Path) -> None:
    assert "-DTHIS_PKG_NAME=MyPackage" in compile_text(OP_FILE, tmp_path)


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
@pytest.mark.parametrize("flags", [[], ["-DOPKG_SIM_SDK=225"], ["-DOPKG_SIM_SDK=243"], ["-DPREPARE_DISABLED"]])
def test_surface(flags: list[str], compiler: str, tmp_path: Path) -> None:
    text = (PROGRAMS / "surface.cpp").read_text()
    assert compile_text(text, tmp_path, "-DTHIS_PKG_NAME=Surface", *flags, compiler=compiler) == ""


@pytest.mark.parametrize(("sdk", "method"), [(225, "get_interface_scale"), (243, "interface_scale")])
def test_sdk_profile_names(sdk: int, method: str, tmp_path: Path) -> None:
    other = "interface_scale" if method.startswith("get_") else "get_interface_scale"
    for name, accepted in ((method, True), (other, False)):
        text = OP_FILE + f"float f(const Tensor& x) {{ return x.{name}(); }}"
        messages = compile_text(text, tmp_path, "-DTHIS_PKG_NAME=P", f"-DOPKG_SIM_SDK={sdk}")
        assert (messages == "") == accepted, messages


def test_warning_free_with_clang(tmp_path: Path) -> None:
    for name in ("activations", "vectors", "legacy", "faulty", "sliding"):
        classiclib.build(name, tmp_path, compiler="clang++-19")


def test_float16_and_float_intrinsics(tmp_path: Path) -> None:
    program = tmp_path / "numbers"
    command = [classiclib.need("g++"), *classiclib.FLAGS, str(PROGRAMS / "numbers.cpp"), "-o", str(program)]
    subprocess.run(command, check=True)
    raw = subprocess.run([str(program)], capture_output=True, check=True).stdout
    ours = np.frombuffer(raw, np.float32, 65536)
    with np.errstate(over="ignore", invalid="ignore"):
        np.testing.assert_array_equal(ours, np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32))
        pairs = np.frombuffer(raw, np.uint32, 2 * 65536, 4 * 65536).reshape(-1, 2)
        wanted = pairs[:, 0].copy().view(np.float32).astype(np.float16)
        got = pairs[:, 1].astype(np.uint16).view(np.float16)
    np.testing.assert_array_equal(got, wanted)
    at = 4 * 65536 + 8 * 65536
    for dtype, relative in ((np.float32, 1e-6), (np.float16, 1e-3)):
        count = 128 // np.dtype(dtype).itemsize
        a, b, add, sub, mul, high, low, mux, last = np.frombuffer(raw, dtype, 9 * count, at).reshape(9, count)
        at += 9 * 128
        for result, expected in ((add, a + b), (sub, a - b), (mul, a * b)):  # qfloat: units of the larger operand
            size = np.maximum(np.abs(expected), np.maximum(np.abs(a), np.abs(b)) if result is not mul else 0)
            assert (np.abs(result - expected) <= relative * size).all()
        np.testing.assert_array_equal(high, np.maximum(a, b))
        np.testing.assert_array_equal(low, np.minimum(a, b))
        np.testing.assert_array_equal(mux, high)
        np.testing.assert_allclose(last, np.trunc(a) if dtype is np.float32 else a * b, rtol=relative)
