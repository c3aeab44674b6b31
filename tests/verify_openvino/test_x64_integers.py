"""Emitters for whole numbers: rows of every length against the op's computation, to the last bit, saturated at the ends."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies
from test_x64_emitters import VECTORS, Page

from opkg.spec.model import Combination, Op, OpPackage
from opkg.spec.reader import read
from opkg.targets.openvino_extension import TARGET
from opkg.targets.openvino_extension.x64 import whole_codes
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.computed import Computed
from opkg.verify.meaning.numbers import Array

SPEC = """\
opkg: 1
package: {name: acme.whole, version: 1.0.0, targets: [openvino-extension]}
ops:
"""
ROWS = {
    "Add": ("a b", "", "y = a + b"),
    "Sub": ("a b", "", "y = a - b"),
    "Mul": ("a b", "", "y = a * b"),
    "Ends": ("a", "", "y = max(-a, abs(a))"),
    "Signs": ("a", "", "y = sign(a) * 3 - a"),
    "Chosen": (
        "a b",
        "limit: {dtype: int32, default: 7}",
        "y = where(a > b and not a == 0, min(a, limit), max(b, a & 15))",
    ),
    "Compared": (
        "a b",
        "",
        "y = cast(a <= b, int32) + cast(a != b, int32) * 2 + cast(a >= b, int32) * 4 + cast(a < b, int32) * 8",
    ),
    "Bits": ("a b", "", "y = (a ^ b) | (a >> 2) | ((a & 255) << (b & 7))"),
}
REFUSED = {"y = (a + b) * 2": {"i32"}, "y = a // (b | 1)": {"i32", "i8", "u8"}, "y = a << 3": {"i32"}}


def package_of(rows: dict[str, tuple[str, str, str]]) -> OpPackage:
    text = SPEC
    for name, (inputs, params, compute) in rows.items():
        given = ", ".join(f"{tensor}: {{dtype: T, rank: 1..4}}" for tensor in inputs.split())
        text += (
            f"  {name}:\n    types: {{T: [int32, int8, uint8]}}\n    inputs: {{{given}}}\n    params: {{{params}}}\n"
        )
        text += f"    outputs: {{y: {{dtype: T, shape: a.shape}}}}\n    compute: |\n      {compute}\n"
    package, findings = read(text.encode(), "whole.yaml")
    assert package is not None, [str(f) for f in findings]
    return package


def combinations(op: Op) -> dict[str, Combination]:
    return {c.suffix: c for c in op.combinations}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> tuple[OpPackage, ctypes.CDLL]:
    if not os.path.isfile("/usr/include/xbyak/xbyak.h"):
        assert not os.environ.get("CI"), "install libxbyak-dev (scripts/setup.sh test)"
        pytest.skip("there is no xbyak.h")
    root = tmp_path_factory.mktemp("whole")
    package = package_of(ROWS)
    text = '#include "opkg/x64_rows.h"\n'
    for artifact in TARGET.render(package):
        if "/x64/" in artifact.path:
            (root / artifact.path).parent.mkdir(parents=True, exist_ok=True)
            (root / artifact.path).write_text(artifact.text)
            if artifact.path.endswith("_emitter.h") and "acme_whole/openvino/x64/acme" in artifact.path:
                text += f'#include "acme_whole/{Path(artifact.path).name}"\n'
    for op in package.ops:
        codes = {c: code for c, code in whole_codes(op).items() if not isinstance(code, str)}
        assert {c.suffix for c in codes} == set(combinations(op)), op.name
        for combination, code in codes.items():
            for name, vector in VECTORS.items():
                emitter = f"acme_whole::{op.name}{combination.suffix.upper()}Emitter"
                kind, params = (
                    f"opkg::X64Rows<{emitter}, {vector}>",
                    f", {emitter}<{vector}>::Params{{}}" if code.params else "",
                )
                head = f"int {op.name}_{combination.suffix}_{name}(const void* const* in, void* const* out, size_t n)"
                text += f'extern "C" {head} {{\n  if (!{kind}::runs()) return 1;\n'
                text += f"  static {kind} rows(1{params});\n  rows.function()(in, out, n);\n  return 0;\n}}\n"
    (root / "rows.cpp").write_text(text)
    command = ["g++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    command += [f"-I{root}/generated/acme_whole/openvino/x64", str(root / "rows.cpp"), "-o", str(root / "rows.so")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return package, ctypes.CDLL(str(root / "rows.so"))


def expected(op: Op, combination: Combination, inputs: list[Array]) -> Array:
    """What the op's computation gives, saturated as a store does."""
    assert op.compute is not None
    dtype = op.outputs[0].dtype.of(combination)
    tensors = [
        CaseTensor(spec.name, spec, dtype, row.shape, None, row, False)
        for spec, row in zip(op.inputs, inputs, strict=True)
    ]
    outputs = [CaseTensor(spec.name, spec, dtype, inputs[0].shape, None, None, False) for spec in op.outputs]
    params = [CaseParam(p, p.default, None, True) for p in op.params if isinstance(p.default, bool | int | float)]
    case = Case(op, combination, "row", op.span, tuple(tensors), tuple(params), tuple(outputs))
    (found,) = Computed(op, op.compute)(case)
    return np.clip(found, *dtype.limits).astype(dtype.numpy)


def hold(rows: tuple[OpPackage, ctypes.CDLL], name: str, suffix: str, vector: str, inputs: list[Array]) -> None:
    package, library = rows
    op = next(op for op in package.ops if op.name == name)
    count = inputs[0].size
    pages = [Page(count, row) for row in inputs]
    result = Page(count, np.full(count, 77, inputs[0].dtype))
    ins, outs = (ctypes.c_void_p * len(pages))(*(p.address for p in pages)), (ctypes.c_void_p * 1)(result.address)
    if getattr(library, f"{name}_{suffix}_{vector}")(ins, outs, ctypes.c_size_t(count)):
        pytest.skip("this processor lacks the instructions")
    np.testing.assert_array_equal(
        result.row(), expected(op, combinations(op)[suffix], inputs), f"{name} {suffix} of {count}"
    )
    assert all(np.array_equal(page.row(), row) for page, row in zip(pages, inputs, strict=True))


def drawn(random: np.random.Generator, kind: str, count: int) -> Array:
    """Numbers of all sizes, the ends among them."""
    ends = np.iinfo(kind)
    row = random.integers(ends.min, ends.max + 1, count, dtype=np.int64) >> random.integers(0, 24, count)
    few = random.random(count) < 0.2
    row[few] = random.choice([ends.min, ends.min + 1, 0, 1, ends.max - 1, ends.max], int(few.sum()))
    return np.clip(row, ends.min, ends.max).astype(kind)


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("name", ROWS)
def test_rows_of_every_length(rows: tuple[OpPackage, ctypes.CDLL], name: str, vector: str) -> None:
    op = next(op for op in rows[0].ops if op.name == name)
    random = np.random.default_rng()
    for suffix, combination in combinations(op).items():
        kind = op.outputs[0].dtype.of(combination).numpy
        for count in (*range(1, 64), 64, 65, 1000):
            hold(rows, name, suffix, vector, [drawn(random, kind, count) for _ in op.inputs])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=strategies.data())
def test_any_numbers(rows: tuple[OpPackage, ctypes.CDLL], data: strategies.DataObject) -> None:
    op = data.draw(strategies.sampled_from(rows[0].ops))
    suffix, combination = data.draw(strategies.sampled_from(sorted(combinations(op).items())))
    ends = np.iinfo(op.outputs[0].dtype.of(combination).numpy)
    number = strategies.integers(int(ends.min), int(ends.max))
    count = data.draw(strategies.integers(1, 40))
    inputs = [
        np.array(data.draw(strategies.lists(number, min_size=count, max_size=count)), ends.dtype) for _ in op.inputs
    ]
    hold(rows, op.name, suffix, data.draw(strategies.sampled_from(sorted(VECTORS))), inputs)


def test_what_has_no_code() -> None:
    """A sum that is stored stops at the ends of 32 bits; one that is multiplied on would need more."""
    for compute, lacking in REFUSED.items():
        package = package_of({"One": ("a b" if "b" in compute else "a", "", compute)})
        (op,) = package.ops
        names = {op.outputs[0].dtype.of(c).name: c for c in op.combinations}
        have = {"i32": "int32", "i8": "int8", "u8": "uint8"}
        codes = whole_codes(op)
        assert {short for short, name in have.items() if isinstance(codes[names[name]], str)} == lacking, compute
        said = [finding.message for finding in TARGET.check(package) if finding.id == "OPK780"]
        assert len(said) == 1, said
        assert said[0].startswith("One gets no emitter of whole numbers: ")
