"""Emitters of x64 code by themselves: rows of every length against the op's computation, with AVX2 and AVX-512."""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op, OpPackage
from opkg.spec.reader import read
from opkg.targets.openvino_extension import TARGET
from opkg.targets.openvino_extension.x64 import NoEmitter, emitter_code
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.computed import Computed
from opkg.verify.meaning.numbers import Array

SPEC = """\
opkg: 1
package: {name: acme.rows, version: 1.0.0, targets: [openvino-extension]}
ops:
"""
ROWS = {
    "Gate": ("a b", "", "y = a * sigmoid(a) * b"),
    "GeluTanh": ("a", "", "y = 0.5 * a * (1 + tanh(0.7978845608 * (a + 0.044715 * a * a * a)))"),
    "Exps": ("a", "", "y = exp(a)"),
    "Tanhs": ("a", "", "y = tanh(a)"),
    "Erfs": ("a", "", "y = erf(a)"),
    "Logs": ("a", "", "y = log(a)"),
    "Gelu": ("a", "", "y = 0.5 * a * (1 + erf(a * 0.7071067811865476))"),
    "Softplus": ("a", "", "y = max(a, 0) + log(1 + exp(-abs(a)))"),
    "Signs": ("a b", "", "y = sign(a - b) * abs(b) + sign(a)"),
    "Scaled": (
        "a b",
        "alpha: {dtype: float32, default: 0.5}, n: {dtype: int32, default: 3}",
        "y = alpha * (a - b) + n",
    ),
    "Chosen": (
        "a b",
        "flip: {dtype: bool8, default: false}",
        "y = where((a > b and not a == 0) or flip, min(a, 6.0), max(-b, abs(a)))",
    ),
    "Rounded": ("a", "", "y = floor(a) + 2 * ceil(a / 3) - round(a * 0.5) + trunc(a)"),
    "Roots": ("a", "", "y = sqrt(abs(a)) + rsqrt(abs(a) + 1)"),
    "Diamond": ("x", "", "t = x + 1\n      y = clip(t, 0, 6) * t"),
    "Both": ("a b c", "", "y = a + b * c\n      z = a / (abs(c) + 1) - b"),
    "Divided": ("a", "half: {dtype: float32, default: 0.5}", "y = 1 / (half + a * a) - max(half, 0.25)"),
}
REFUSED = {
    "y = abs(a) ** 1.5": "pow has no code for vectors",
    "y = a - mean(a, axis=-1, keepdims=True)": "it reduces dimensions",
    "y = a * cast(a, int32)": "cast has no code for vectors",
}
ENDS = (np.inf, -np.inf, np.nan)
FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "Exps": np.exp,
    "Tanhs": np.tanh,
    "Erfs": np.vectorize(math.erf, otypes=[np.float64]),
    "Logs": np.log,
}
STEPS = {"Exps": 1, "Tanhs": 3.5, "Erfs": 1.25, "Logs": 1}  # units of the last place: what docs/openvino.md says
VECTORS = {"ymm": "Xbyak::Ymm", "zmm": "Xbyak::Zmm"}


def package_of(ops: dict[str, tuple[str, str, str]]) -> OpPackage:
    text = SPEC
    for name, (inputs, params, compute) in ops.items():
        given = ", ".join(f"{tensor}: {{dtype: float32, rank: 1..4}}" for tensor in inputs.split())
        first = inputs.split()[0]
        outputs = re.findall(r"^ *([yz]) =", compute, re.M)
        shaped = ", ".join(f"{tensor}: {{dtype: float32, shape: {first}.shape}}" for tensor in outputs)
        text += f"  {name}:\n    inputs: {{{given}}}\n    params: {{{params}}}\n    outputs: {{{shaped}}}\n"
        text += f"    compute: |\n      {compute}\n"
    package, findings = read(text.encode(), "rows.yaml")
    assert package is not None, [str(f) for f in findings]
    return package


@dataclass(frozen=True)
class Rows:
    package: OpPackage
    library: ctypes.CDLL

    def run(self, op: Op, vector: str, inputs: list[Array], count: int) -> list[Array] | None:
        """The outputs, from rows that end where memory does; None where the processor lacks the instructions."""
        pages = [Page(count, row) for row in inputs]
        results = [Page(count, np.full(count, 77, np.float32)) for _ in op.outputs]
        ins = (ctypes.c_void_p * len(pages))(*(page.address for page in pages))
        outs = (ctypes.c_void_p * len(results))(*(page.address for page in results))
        code = getattr(self.library, f"{op.name}_{vector}")(ins, outs, ctypes.c_size_t(count))
        found = None if code else [page.row().copy() for page in results]
        assert all(np.array_equal(page.row(), row, equal_nan=True) for page, row in zip(pages, inputs, strict=True))
        return found


class Page:
    """A row at the end of a page, with one behind it that nobody may touch."""

    def __init__(self, count: int, values: Array) -> None:
        size = mmap.PAGESIZE
        self._map = mmap.mmap(-1, 2 * size)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(base + size), ctypes.c_size_t(size), 0) == 0
        self.address = base + size - values.itemsize * count
        self._view = np.ctypeslib.as_array((ctypes.c_uint8 * (values.itemsize * count)).from_address(self.address))
        self._view = self._view.view(values.dtype)
        self._view[:] = values

    def row(self) -> Array:
        return self._view


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    if not os.path.isfile("/usr/include/xbyak/xbyak.h"):
        assert not os.environ.get("CI"), "install libxbyak-dev (scripts/setup.sh test)"
        pytest.skip("there is no xbyak.h")
    root = tmp_path_factory.mktemp("rows")
    package = package_of(ROWS)
    for artifact in TARGET.render(package):
        if "/x64/" in artifact.path:
            (root / artifact.path).parent.mkdir(parents=True, exist_ok=True)
            (root / artifact.path).write_text(artifact.text)
    text = '#include "opkg/x64_rows.h"\n'
    for op in package.ops:
        text += f'#include "acme_rows/{re.sub("(?<!^)(?=[A-Z])", "_", op.name).lower()}_emitter.h"\n'
    text += "template <typename Rows, typename... P>\nint call(const void* const* in, void* const* out, size_t count, size_t "
    text += "outputs, P... params) {\n  if (!Rows::runs()) return 1;\n  static Rows rows(outputs, params...);\n"
    text += "  rows.function()(in, out, count);\n  return 0;\n}\n"
    for op in package.ops:
        for name, vector in VECTORS.items():
            kind = f"opkg::X64Rows<acme_rows::{op.name}Emitter, {vector}>"
            params = f", acme_rows::{op.name}Emitter<{vector}>::Params{{}}" if emitter_code(op).params else ""
            text += f'extern "C" int {op.name}_{name}(const void* const* in, void* const* out, size_t count) {{\n'
            text += f"  return call<{kind}>(in, out, count, {len(op.outputs)}{params});\n}}\n"
    (root / "rows.cpp").write_text(text)
    include = root / "generated/acme_rows/openvino/x64"
    command = ["g++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", f"-I{include}"]
    done = subprocess.run(
        [*command, root / "rows.cpp", "-o", root / "rows.so"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:4000]
    return Rows(package, ctypes.CDLL(str(root / "rows.so")))


def expected(op: Op, inputs: list[Array]) -> tuple[Array, ...]:
    """What the op's computation gives in double precision, rounded once."""
    assert op.compute is not None
    dtype = DTYPES["float32"]
    tensors = [
        CaseTensor(spec.name, spec, dtype, row.shape, None, row, False)
        for spec, row in zip(op.inputs, inputs, strict=True)
    ]
    shape = inputs[0].shape
    outputs = [CaseTensor(spec.name, spec, dtype, shape, None, None, False) for spec in op.outputs]
    params = [CaseParam(p, p.default, None, True) for p in op.params if isinstance(p.default, bool | int | float)]
    case = Case(op, op.combinations[0], "row", op.span, tuple(tensors), tuple(params), tuple(outputs))
    with np.errstate(all="ignore"):
        return tuple(array.astype(np.float32) for array in Computed(op, op.compute).in_doubles(case))


def values(op: Op, count: int) -> list[Array]:
    rng = np.random.default_rng(count)
    scale = (0.1, 1, 8, 60)[count % 4]
    return [(rng.standard_normal(count) * scale).astype(np.float32) for _ in op.inputs]


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("name", ROWS)
def test_rows_of_every_length(rows: Rows, name: str, vector: str) -> None:
    op = next(op for op in rows.package.ops if op.name == name)
    for count in (*range(1, 64), 64, 65, 127, 1000):
        inputs = values(op, count)
        found = rows.run(op, vector, inputs, count)
        if found is None:
            pytest.skip(f"this processor has no {'AVX-512' if vector == 'zmm' else 'AVX2'}")
        for got, want in zip(found, expected(op, inputs), strict=True):
            top = max(1.0, *(float(np.abs(row).max()) for row in inputs))  # what sums of these may lose
            np.testing.assert_allclose(got, want, rtol=2e-6, atol=3e-7 * top, err_msg=f"{name} of {count}")


@pytest.mark.parametrize("vector", VECTORS)
def test_ends_of_functions(rows: Rows, vector: str) -> None:
    """Infinities, NaN, what overflows, what is below the smallest normal number, and both sides of where forms change."""
    row = np.array(
        [
            0,
            -0.0,
            1e-30,
            -1e-8,
            0.6249,
            0.6251,
            -0.625,
            9,
            -9,
            88.7,
            88.8,
            -87.3,
            -87.5,
            -103,
            -104.5,
            200,
            -200,
            0.8999,
            -0.9001,
            3.9,
            1e-45,
            -1e-45,
            1.1754942e-38,
            0.70710677,
            1,
            1.4142135,
            3e38,
            *ENDS,
        ],
        np.float32,
    )
    with np.errstate(all="ignore"):
        wide = row.astype(np.float64)
        want = {name: function(wide).astype(np.float32) for name, function in FUNCTIONS.items()}
    for name, results in want.items():
        op = next(op for op in rows.package.ops if op.name == name)
        found = rows.run(op, vector, [row], row.size)
        if found is None:
            pytest.skip("this processor lacks the instructions")
        np.testing.assert_allclose(found[0], results, rtol=2e-6, atol=3e-45, err_msg=name)


def steps(got: Array, wide: Array) -> float:
    """The largest distance from the exact results, in units of their last place; what is no number must be none."""
    with np.errstate(all="ignore"):
        want = wide.astype(np.float32)
        odd = ~np.isfinite(want)
        np.testing.assert_array_equal(got[odd], want[odd])
        unit = np.spacing(np.abs(want[~odd])).astype(np.float64)
        return float(np.max(np.abs(got[~odd].astype(np.float64) - wide[~odd]) / unit, initial=0.0))


def hold_steps(rows: Rows, name: str, vector: str, row: Array) -> None:
    op = next(op for op in rows.package.ops if op.name == name)
    got = np.empty_like(row)
    ins, outs = (ctypes.c_void_p * 1)(row.ctypes.data), (ctypes.c_void_p * 1)(got.ctypes.data)
    if getattr(rows.library, f"{name}_{vector}")(ins, outs, ctypes.c_size_t(row.size)):
        pytest.skip("this processor lacks the instructions")
    with np.errstate(all="ignore"):
        off = steps(got, FUNCTIONS[op.name](row.astype(np.float64)))
    assert off <= STEPS[name], f"{name}: {off} steps"


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("name", STEPS)
def test_accuracy(rows: Rows, name: str, vector: str) -> None:
    """Numbers of every size and sign, below the smallest normal one too: every 65,537th pattern of bits, from a drawn one on."""
    first = np.random.default_rng().integers(65537)
    hold_steps(rows, name, vector, np.arange(first, 1 << 32, 65537, dtype=np.uint32).view(np.float32))


@pytest.mark.sweep
@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("name", STEPS)
def test_accuracy_of_many(rows: Rows, name: str, vector: str) -> None:
    for first in range(257):
        hold_steps(rows, name, vector, np.arange(first, 1 << 32, 257 * 257, dtype=np.uint32).view(np.float32))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    values=strategies.lists(strategies.floats(width=32), min_size=1, max_size=63),
    vector=strategies.sampled_from(sorted(VECTORS)),
)
def test_accuracy_of_any(rows: Rows, values: list[float], vector: str) -> None:
    for name in STEPS:
        hold_steps(rows, name, vector, np.array(values, np.float32))


def test_registers_and_refusals() -> None:
    """The seed's diamond takes three registers, with its input's; what has no code is said."""
    diamond = next(op for op in package_of(ROWS).ops if op.name == "Diamond")
    assert emitter_code(diamond).aux + 1 <= 3
    for compute, why in REFUSED.items():
        (op,) = package_of({"One": ("a", "", compute)}).ops
        with pytest.raises(NoEmitter, match=re.escape(why)):
            emitter_code(op)


def test_formatted(tmp_path: Path) -> None:
    tool = shutil.which("clang-format") or str(Path(sys.executable).parent / "clang-format")
    for artifact in TARGET.render(package_of(ROWS)):
        if "/x64/" in artifact.path:
            (tmp_path / artifact.path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / artifact.path).write_text(artifact.text)
    names = sorted(tmp_path.rglob("*.h"))
    assert len(names) == len(ROWS) + 3
    done = subprocess.run([tool, "--dry-run", "-Werror", *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
