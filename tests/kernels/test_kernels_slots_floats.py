"""Several rows of floats at a time (opkg/hvx_slot_floats.h): within the intervals of their graph, as rows by themselves are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernels_kit import absent, snippets_of
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.kernels.strategies.rows.strategy import lower
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Of float32, too: two passes.
WIDE = ("Rms", "Unit", "Ranged", "Variance", "Cosine", "Both", "Normal", "Alike", "Clipped", "LogSum")
SHAPES = ((7, 3), (64, 17), (33, 32), (1, 64), (70, 64), (9, 100), (5, 197), (7, 256))
LONG = ((999, 16), (64, 3), (999, 128), (7, 1000), (3, 2048), (3, 2049), (2, 4096), (2, 4097))
OPS = {
    "Softmax": "e = exp(x - max(x, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)",
    "Rms": "y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-6) * g",
    "Unit": "y = x * rsqrt(sum(x * x, axis=-1, keepdims=True) + 1.0e-12)",
    "Layer": "d = x - mean(x, axis=-1, keepdims=True); y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + eps) * g + b",
    "Ranged": "low = min(x, axis=-1, keepdims=True); y = (x - low) / (max(x, axis=-1, keepdims=True) - low + 0.01)",
    "Deviation": "y = x / (sqrt(var(x, axis=-1, keepdims=True)) + 1.0)",
    "Variance": "y = var(x, axis=-1)",
    "Cosine": "y = sum(x * z, axis=-1) * rsqrt(sum(x * x, axis=-1) * sum(z * z, axis=-1) + 1.0e-6)",
    "Both": "y = max(x, axis=-1) - mean(x, axis=-1)",
    "Normal": "y = x / max(sqrt(sum(x * x, axis=-1, keepdims=True)), 1.0e-6)",
    "Alike": "y = sum(x * z, axis=-1) * rsqrt(max(sum(x * x, axis=-1) * sum(z * z, axis=-1), 1.0e-12))",
    "Log": "s = x - max(x, axis=-1, keepdims=True); y = s - log(sum(exp(s), axis=-1, keepdims=True))",
    "LogSum": "m = max(x, axis=-1, keepdims=True); y = m + log(sum(exp(x - m), axis=-1, keepdims=True))",
    "Clipped": "m = mean(x, axis=-1, keepdims=True); y = x * clip(abs(m), 0.1, 2) + min(m, max(x, axis=-1, keepdims=True))",
}
# Rows of nothing but minus infinity (which this is as a half), of infinities beside numbers, of subnormal numbers, of the
# largest ones, of zeros; NaN is in random cases.
INF = "3.0e+38"
ROWS = f"""[[-{INF}, -{INF}, -{INF}, -{INF}, -{INF}], [1, 2, -{INF}, 3, -{INF}], [{INF}, -{INF}, 2, 3, 4], [{INF}, 1, 2, 3, 4],
          [6.0e-8, 1.2e-7, 0, -6.0e-8, 6.0e-5], [65504, 65504, 65504, -65504, 1], [0, 0, 0, 0, 0], [1, 2, 3, 4, 5],
          [-{INF}, -{INF}, -{INF}, 7, -{INF}]]"""
# The same of float32: products of two are beyond floats, or vanish, or sums do. Infinities are in random cases.
WIDE_ROWS = """[[3.0e+38, 3.0e+38, 3.0e+38, -3.0e+38, 1], [1.0e-40, 2.0e-45, 0, -1.0e-40, 1.0e-39], [0, 0, 0, 0, 0],
          [1.0e-20, 2.0e-20, -1.0e-20, 0, 3.0e-20], [1.0e+18, -2.0e+18, 3, 4, 1.0e+17], [1, 2, 3, 4, 5],
          [1.0e+8, 1.0, -1.0e+8, 1.0e-8, 0], [1.0e-16, 2.0e-16, 3.0e-16, 1.0e-17, 0], [-7, -7, -7, -7, -7]]"""


def op(name: str, shapes: tuple[tuple[int, int], ...], types: str) -> str:
    compute = OPS[name]
    others = [other for other in ("z", "g", "b") if f" {other}" in compute]
    inputs = "".join(f", {other}: {{dtype: T, shape: [{'A, C' if other == 'z' else 'C'}]}}" for other in others)
    cases = "".join(f"\n        - {{x: {{shape: [{a}, {c}]}}}}" for a, c in shapes)
    lines = "".join(f"\n      {line.strip()}" for line in compute.split(";"))
    full = "[A]" if name in ("Variance", "Cosine", "Both", "Alike") else "[A, 1]" if name == "LogSum" else "[A, C]"
    params = "\n    params: {eps: {dtype: float32, default: 1.0e-5}}" if " eps" in compute else ""
    return f"""\
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [A, C]}}{inputs}}}{params}
    outputs: {{y: {{dtype: T, shape: {full}}}}}
    compute: |{lines}
    tests:
      cases:{cases}
        - {{x: {{values: {WIDE_ROWS if types == "float32" else ROWS}}}}}
"""


def _check(tmp_path: Path, shapes: tuple[tuple[int, int], ...], types: str, cases: int) -> None:
    ops = "".join(op(name, shapes, types) for name in (WIDE if types == "float32" else OPS))
    package = generated(tmp_path, ops, types="all")
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=cases, check_current=False))
    assert failures(result) == ""


@pytest.mark.parametrize("types", ["float16", "float32"])
def test_results_are_those_of_the_reference(tmp_path: Path, types: str) -> None:
    _check(tmp_path, SHAPES, types, 1)


def test_numbers_of_rows_beside_elements(tmp_path: Path) -> None:
    """Outputs with an element for each row and whole ones, in any order; these were written to each other's places."""
    ops = """\
  Mixed:
    types: {T: [float16, float32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs:
      total: {dtype: T, shape: [A, B]}
      above: {dtype: T, shape: x.shape}
      most: {dtype: T, shape: [A, B, 1]}
      below: {dtype: T, shape: x.shape}
    compute: |
      total = sum(x, axis=-1)
      most = max(x, axis=-1, keepdims=True)
      below = x - most
      above = x - min(x, axis=-1, keepdims=True)
"""
    package = generated(tmp_path, ops, types="all")
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=8, check_current=False))
    assert failures(result) == ""


@pytest.mark.parametrize("types", ["float16", "float32"])
def test_results_of_longer_rows_and_of_many(tmp_path: Path, types: str) -> None:
    _check(tmp_path, LONG, types, 24)


@pytest.mark.parametrize(
    ("compute", "types"),
    [
        (OPS["Softmax"], ["float16"]),
        (OPS["Layer"].replace(" * g + b", "").replace("eps", "1.0e-5"), ["float16"]),
        (OPS["Variance"], ["float16", "float32"]),
        (OPS["Both"], ["float16", "float32"]),
        ("y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-6)", ["float16", "float32"]),
        (OPS["Normal"], ["float16", "float32"]),
        ("y = sum(x, axis=-1)", []),  # folded: lanes are results
        ("y = max(x, axis=-1) + log(sum(exp(x - max(x, axis=-1, keepdims=True)), axis=-1))", ["float16", "float32"]),
        (OPS["Log"], ["float16"]),
        ("y = exp(mean(x, axis=-1))", []),  # no two floats of it
    ],
)
def test_which_rows(compute: str, types: list[str]) -> None:
    full = "[A, C]" if any(f"y = {of}" in compute for of in ("e ", "x ", "d ", "s ")) else "[A]"
    lines = "".join(f"\n      {line.strip()}" for line in compute.split(";"))
    found = []
    for dtype in ("float16", "float32"):
        (snippet,) = snippets_of(f"""
  Made:
    inputs: {{x: {{dtype: {dtype}, shape: [A, C]}}}}
    outputs: {{y: {{dtype: {dtype}, shape: {full}}}}}
    compute: |{lines}
""")
        made = lower(snippet)
        assert not isinstance(made, str), made
        if made.slots is not None:
            found.append(dtype)
    assert found == types


BARS = [
    ("Softmax", "float16", {"64x64": 112, "64x17": 245}),  # 520 and 1,990 where rows went one by one
    ("Rms", "float32", {"64x64": 28, "64x17": 94}),  # 348 and 1,311
    ("Normal", "float32", {"128x64": 26}),  # 285
    ("Log", "float16", {"128x64": 158, "1x64": 690}),  # 654 one by one; 1,952 where one row was taken as several are
    ("Cosine", "float16", {"1x64": 734}),  # one row: 875 where it was taken as several are
]


@pytest.mark.parametrize(("name", "dtype", "bars"), BARS)
def test_packets(
    name: str,
    dtype: str,
    bars: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of a whole call, per 128 bytes of an input."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    text = f"opkg: 1\npackage: {{name: t.s, targets: [qnn-htp-qhpi]}}\nops:\n{op(name, (), dtype)}"
    (tmp_path / "specs" / "s.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    shapes = [word for shape in bars for word in ("--shape", shape)]
    assert run(["bench", name, "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
    found = [
        record
        for record in json.loads(capsys.readouterr().out)
        if record["aligned"] and "crouton" not in record["kernel"]
    ]
    size = 4 if dtype == "float32" else 2
    for record, (shape, bar) in zip(found, bars.items(), strict=True):
        rows, length = map(int, shape.split("x"))
        assert (record["later"] + record["stalls"]) * 128 / (rows * length * size) <= bar, (shape, record)
