"""Several rows at a time that have one result each, of several sums and extremes (opkg/hvx_slot_results.h)."""

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

COSINE = "y = sum(x * z, axis=-1) * rsqrt(sum(x * x, axis=-1) * sum(z * z, axis=-1) + 1.0e-6)"
LSE = "m = max(x, axis=-1); y = m + log(sum(exp(x - max(x, axis=-1, keepdims=True)), axis=-1))"
OPS = {
    "Variance": "y = var(x, axis=-1)",
    "Distance": "y = sqrt(sum((x - z) ** 2, axis=-1))",
    "Cosine": COSINE,
    "Gate": "y = sigmoid(max(x, axis=-1) + mean(x, axis=-1))",
    "Peak": "y = max(max(x, axis=-1), max(z, axis=-1)) - mean(x, axis=-1)",
    "LogSumExp": LSE,
}
SHAPES = ((300, 16), (45, 3), (129, 17), (41, 100), (33, 197), (9, 768), (1, 1000), (70, 1))


def op(name: str, types: str) -> str:
    compute = OPS[name]
    two = "z * z" in compute or "- z" in compute or "max(z" in compute
    cases = "".join(
        f"\n        - {{x: {{shape: [{a}, {c}]}}{f', z: {{shape: [{a}, {c}]}}' if two else ''}}}" for a, c in SHAPES
    )
    return f"""\
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [A, C]}}{", z: {dtype: T, shape: [A, C]}" if two else ""}}}
    outputs: {{y: {{dtype: T, shape: [A]}}}}
    compute: {compute}
    tests:
      cases:{cases}
"""


BOTH = """\
  Both:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {m: {dtype: T, shape: [A, B, 1]}, v: {dtype: T, shape: [A, B]}}
    compute: |
      m = mean(x, axis=-1, keepdims=True)
      v = var(x, axis=-1)
"""

# Results that take all 32 bits, beyond what numbers hold, and small ones.
WORDS = """\
  Least:
    inputs: {x: {dtype: sfixed32, shape: [A, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A]}}
    compute: y = min(x, axis=-1)
    tests: {cases: [{x: {shape: [40, 33], scale: 0.5}, y: {scale: 0.5}}, {x: {shape: [2, 40], scale: 0.5}, y: {scale: 0.001}}]}
  Total:
    inputs: {x: {dtype: ufixed8, shape: [A, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A]}}
    compute: y = sum(x, axis=-1)
    tests:
      cases:
        - {x: {shape: [49, 63], scale: 0.15, offset: -191}, y: {scale: 3.0e-7}}
        - {x: {shape: [45, 9], scale: 0.5}, y: {scale: 0.25}}
  Span:
    inputs: {x: {dtype: sfixed16, shape: [A, C]}}
    outputs: {y: {dtype: sfixed32, shape: [A]}}
    compute: y = max(x, axis=-1) - mean(x, axis=-1)
    tests: {cases: [{x: {shape: [33, 40]}}]}
"""

# What nothing divides is as large as elements go. The last op is named as what calls of the one before are asked for.
NOTHING = """\
  Rows:
    types: {T: [ufixed8, sfixed16]}
    inputs: {x: {dtype: T, shape: [A, C]}, z: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A]}}
    compute: y = (max(abs(x), axis=-1) + 1) / mean(z, axis=-1)
    tests: {cases: [{x: {values: [[1, 2], [3, 5], [0, 0]]}, z: {values: [[0, 0], [1, 1], [2, 0]]}}]}
  Elements:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}, z: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [A, C]}}
    compute: y = x + (max(abs(z), axis=-1, keepdims=True) + 1) / mean(z, axis=-1, keepdims=True)
    tests: {cases: [{x: {values: [[1, 2], [3, 5], [0, 0]]}, z: {values: [[0, 0], [1, 1], [2, 0]]}}]}
  ElementsBytes:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: T, shape: [C]}}
    compute: y = (1 + max(abs(x), axis=0)) / mean(x, axis=0)
    tests: {cases: [{x: {values: [[0, 1, 2], [0, 3, 5]]}}]}
"""


def _check(tmp_path: Path, ops: str, machines: tuple[str, ...], cases: int) -> None:
    result = verify(tmp_path, [generated(tmp_path, ops)], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""


def test_results_of_rows_are_those_of_the_reference(tmp_path: Path) -> None:
    types = dict(zip(OPS, ("ufixed16", "sfixed8", "ufixed8", "sfixed16", "ufixed8", "ufixed8"), strict=True))
    _check(tmp_path, "".join(op(name, types[name]) for name in OPS) + BOTH + NOTHING, ("host",), 2)


@pytest.mark.sweep
def test_results_of_rows_on_all_machines(tmp_path: Path) -> None:
    types = "ufixed8, sfixed8, ufixed16, sfixed16"
    _check(tmp_path, "".join(op(name, types) for name in OPS) + BOTH + NOTHING, ("host", "hexagon"), 24)


@pytest.mark.parametrize(
    ("compute", "several"),
    [
        *((compute, True) for compute in OPS.values() if "z" not in compute),
        ("y = sum(x, axis=-1)", False),  # folded: lanes are results
        ("y = mean(x, axis=-1) - sigmoid(max(x, axis=-1))", False),  # what is left of a sigmoid is not right in 16 bits
    ],
)
def test_which_rows(compute: str, several: bool) -> None:
    (snippet,) = snippets_of(
        "  Made: {inputs: {x: {dtype: ufixed8, shape: [A, C]}}, outputs: {y: {dtype: ufixed8, shape: [A]}}, "
        f"compute: {compute!r}}}"
    )
    made = lower(snippet)
    assert not isinstance(made, str), made
    assert (made.slots is not None) is several


@pytest.mark.parametrize(
    ("name", "bars"),
    [
        ("Variance", {"256x16": 130, "128x64": 40, "64x1000": 6, "1x1000": 29}),
        ("Cosine", {"256x16": 180, "128x64": 60, "64x1000": 10}),
        ("LogSumExp", {"128x64": 90, "64x1000": 52}),
    ],
)
def test_packets_of_rows_with_one_result(
    name: str, bars: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a whole call, per 128 bytes that are read of an input: 1,200 and more where rows went one by one."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    text = f"opkg: 1\npackage: {{name: t.s, targets: [qnn-htp-qhpi]}}\nops:\n{op(name, 'ufixed8')}"
    (tmp_path / "specs" / "s.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    shapes = [word for shape in bars for word in ("--shape", shape)]
    assert run(["bench", name, "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
    records = [record for record in json.loads(capsys.readouterr().out) if record["aligned"]]
    for record, (shape, bar) in zip(records, bars.items(), strict=True):
        rows, length = map(int, shape.split("x"))
        assert (record["later"] + record["stalls"]) * 128 / (rows * length) <= bar, record
        assert record["overhead"] <= 66, record


def test_results_of_32_bits(machine: str, tmp_path: Path) -> None:
    """Those that numbers of rows do not hold as exactly are made row by row."""
    package = generated(tmp_path, WORDS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=4, check_current=False))
    assert failures(result) == ""
    assert all(cell.paths.portable == 0 < cell.paths.vector for cell in result.cells)
