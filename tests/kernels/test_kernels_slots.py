"""Several rows at a time (opkg/slots.h): their numbers against double, whole packages against their references, and cost."""

from __future__ import annotations

import json
import math
import re
import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, absent, snippets_of
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.kernels.strategies.rows.strategy import lower
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

HERE = Path(__file__).parent
SHAPES = "[1, 1000], [1, 17], [300, 16], [70, 1], "
SHAPES += (
    "[300, 3], [129, 17], [130, 64], [41, 100], [40, 128], [33, 197], [9, 1000], [2, 9000], [1, 3], [1, 100], [1, 300]"
)
CASES = "".join(f"\n        - {{x: {{shape: [{shape}]}}}}" for shape in re.findall(r"\[(.*?)\]", SHAPES))
SOFTMAX = """
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True)
"""
NORM = """
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 1.0e-5)
"""
WEIGHTS = "gamma: {dtype: T, shape: [C], static: true}, beta: {dtype: T, shape: [C], static: true}"


WITH_WEIGHTS = "".join(
    f"\n        - {{x: {{shape: [{rows}, {n}]}}, gamma: {{shape: [{n}]}}, beta: {{shape: [{n}]}}}}"
    for rows, n in ((300, 16), (45, 3), (129, 17), (41, 100), (33, 768))
)
BOTH, WIDE = ("ufixed8", "sfixed8"), ("ufixed16", "sfixed16")
VARIANCE_ROOT = "m = mean(x, axis=-1, keepdims=True); y = ({}) / sqrt(mean((x - m) ** 2, axis=-1, keepdims=True) + 0.1)"
RMS = "\n      y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-5)"
OPS = {
    "Softmax": (SOFTMAX, CASES),
    "Softmin": (SOFTMAX.replace("x - max(x, axis=-1, keepdims=True)", "min(x, axis=-1, keepdims=True) - x"), CASES),
    "Norm": (NORM, CASES),
    "Rms": (RMS + "\n", CASES),
    "WideRms": (RMS + "\n", CASES),
    "Weighted": (NORM.rstrip() + " * gamma + beta\n", WITH_WEIGHTS),
    "Halves": (SOFTMAX, CASES),  # results of 16 bits
    "WideWeighted": (RMS + " * gamma\n", re.sub(r", beta: {.*?}", "", WITH_WEIGHTS)),
    "WideNorm": (NORM, CASES),
    "WideLayerWeighted": (NORM.rstrip() + " * gamma + beta\n", WITH_WEIGHTS),
}
# Tensors of several widths: slots are of the smallest elements, larger ones have more vectors. The first two are QNN's.
MIXED = f"""\
  Mixed:
    types:
      T: [ufixed8, ufixed16, sfixed16]
      G: [ufixed8, sfixed8, ufixed16, sfixed16]
      B: [ufixed8, ufixed16, sfixed32]
      Y: [ufixed8, sfixed8, ufixed16]
    combinations:
      - {{T: ufixed8, G: ufixed8, B: sfixed32, Y: ufixed8}}
      - {{T: ufixed16, G: sfixed16, B: sfixed32, Y: ufixed16}}
      - {{T: ufixed8, G: ufixed16, B: ufixed8, Y: ufixed16}}
      - {{T: sfixed16, G: sfixed8, B: ufixed16, Y: sfixed8}}
    inputs:
      x: {{dtype: T, shape: [A, C]}}
      gamma: {{dtype: G, shape: [C], static: true}}
      beta: {{dtype: B, shape: [C], static: true}}
    outputs: {{y: {{dtype: Y, shape: [A, C]}}}}
    compute: |{NORM.rstrip()} * gamma + beta
    tests:
      cases:{WITH_WEIGHTS.replace("[33, 768]", "[9, 768]")}
        - {{x: {{shape: [37, 64]}}, gamma: {{shape: [64]}}, beta: {{shape: [64]}}}}
  Narrowed:
    types: {{T: [ufixed16, sfixed16], Y: [ufixed8, sfixed8]}}
    combinations: [{{T: ufixed16, Y: ufixed8}}, {{T: sfixed16, Y: sfixed8}}]
    inputs: {{x: {{dtype: T, shape: [A, C]}}}}
    outputs: {{y: {{dtype: Y, shape: [A, C]}}}}
    compute: |{NORM}
    tests:
      cases:{CASES}
"""

# A tensor and what is added to it, whose products are summed up.
SUM_NORM = NORM.replace("      d = x - mean(x,", "      s = x + r\n      d = s - mean(s,")
SUM_CASES = "".join(
    f"\n        - {{x: {{shape: [{rows}, {n}]}}, r: {{shape: [{rows}, {n}]}}, gamma: {{shape: [{n}]}}, beta: {{shape: [{n}]}}}}"
    for rows, n in ((300, 16), (45, 3), (129, 17), (41, 100), (9, 768), (1, 1000))
)
SUMS = f"""\
  SumNorm:
    types:
      T: [ufixed8, sfixed8, ufixed16, sfixed16]
      G: [ufixed8, sfixed8, ufixed16]
      B: [ufixed8, sfixed32, ufixed16]
    combinations:
      - {{T: ufixed8, G: ufixed8, B: ufixed8}}
      - {{T: sfixed8, G: sfixed8, B: sfixed32}}
      - {{T: ufixed16, G: ufixed16, B: sfixed32}}
      - {{T: sfixed16, G: ufixed8, B: ufixed16}}
    inputs:
      x: {{dtype: T, shape: [A, C]}}
      r: {{dtype: T, shape: [A, C]}}
      gamma: {{dtype: G, shape: [C], static: true}}
      beta: {{dtype: B, shape: [C], static: true}}
    outputs: {{y: {{dtype: T, shape: [A, C]}}}}
    compute: |{SUM_NORM.rstrip()} * gamma + beta
    tests:
      cases:{SUM_CASES}
  SumRms:
    types: {{T: [ufixed8, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [A, C]}}, r: {{dtype: T, shape: [A, C]}}, gamma: {{dtype: T, shape: [C], static: true}}}}
    outputs: {{y: {{dtype: T, shape: [A, C]}}, s: {{dtype: T, shape: [A, C]}}}}
    compute: |
      s = x * 0.5 - r
      y = s * rsqrt(mean(s * s, axis=-1, keepdims=True) + 1.0e-5) * gamma
    tests:
      cases:{re.sub(r", beta: {.*?}", "", SUM_CASES)}
"""


def types(name: str, several: bool = True) -> tuple[str, ...]:
    """Element types of an op: of bytes both, or one of them."""
    if name == "Halves":
        return BOTH[:1]
    found = WIDE if name.startswith("Wide") else BOTH
    return found if several else found[len(name) % 2 :][:1]


def op(name: str, types: tuple[str, ...]) -> str:
    compute, cases = OPS[name]
    weights = WEIGHTS if "beta" in compute else WEIGHTS.partition(", beta")[0]
    more = f", {weights}" if name.endswith("Weighted") else ""
    return f"""\
  {name}:
    types: {{T: [{", ".join(types)}]}}
    inputs: {{x: {{dtype: T, shape: [A, C]}}{more}}}
    outputs: {{y: {{dtype: {"ufixed16" if name == "Halves" else "T"}, shape: [A, C]}}}}
    compute: |{compute}
    tests:
      tolerance: {{{", ".join(f"{dtype}: 1 lsb" for dtype in (WIDE[:1] if name == "Halves" else types))}}}
      cases:{cases}
"""


@pytest.mark.parametrize("program", ["hvx_numbers", "hvx_route", "hvx_two_floats"])
def test_numbers_and_places_of_rows(program: str, tmp_path: Path) -> None:
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}"]
    command += ["-isystem", str(SIM / "include"), str(HERE / f"{program}.cpp"), "-o", str(tmp_path / "numbers")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "numbers")], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout


def check(tmp_path: Path, ops: str, machines: tuple[str, ...], cases: int) -> None:
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""


def test_several_rows_are_those_of_the_reference(tmp_path: Path) -> None:
    ops = "".join(op(name, types(name, several=name == "Weighted")) for name in OPS)
    check(tmp_path, ops + MIXED + SUMS, ("host",), 2)


@pytest.mark.sweep
def test_several_rows_on_all_machines(tmp_path: Path) -> None:
    check(tmp_path, "".join(op(name, types(name)) for name in OPS) + MIXED + SUMS, ("host", "hexagon"), 24)


def of(compute: str, dtype: str = "ufixed8", inputs: str = "") -> str:
    return (
        f"  Made: {{inputs: {{x: {{dtype: {dtype}, shape: [A, C]}}{inputs}}}, outputs: {{y: {{dtype: {dtype}, shape: [A, C]}}}}, "
        f"compute: {compute!r}}}"
    )


@pytest.mark.parametrize(
    ("compute", "several"),
    [
        ("y = x - mean(x, axis=-1, keepdims=True)", True),
        ("y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.1)", True),
        # What cancels in a sum is not right in 31 bits.
        ("y = x * rsqrt(mean(x * x - x, axis=-1, keepdims=True) + 1)", False),
        ("y = x / max(x, axis=-1, keepdims=True)", True),
        # Of 16 bits, rows are those about their mean.
        (VARIANCE_ROOT.format("x - m"), True),
        (VARIANCE_ROOT.format("x"), False),
    ],
)
def test_which_rows(compute: str, several: bool) -> None:
    (snippet,) = snippets_of(of(compute, "ufixed16" if compute.startswith("m =") else "ufixed8"))
    made = lower(snippet)
    assert not isinstance(made, str), made
    assert (made.slots is not None) is several


@pytest.mark.parametrize(
    ("name", "bars"),
    [
        ("Softmax", {"256x16": 140, "128x64": 76, "128x128": 64, "64x1000": 40}),
        ("Norm", {"64x3": 600, "128x64": 58, "64x768": 22}),
        ("Weighted", {"2x17": 1800, "64x100": 80, "128x64": 60, "64x768": 27, "1x768": 68}),
        ("Halves", {"256x16": 186, "64x1000": 76}),
        ("WideRms", {"64x100": 116, "128x17": 348}),
        ("WideNorm", {"256x64": 136, "128x17": 362, "64x768": 42}),
        ("WideLayerWeighted", {"256x64": 197, "64x768": 60}),
        ("Narrowed", {"256x64": 93, "64x768": 46}),
        ("SumRms", {"256x64": 270, "64x768": 74}),
    ],
)
def test_packets_of_several_rows(
    name: str, bars: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a whole call, per 128 results; 60 besides the rows, however many there are."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    ops = op(name, types(name)[:1]) if name in OPS else SUMS if name.startswith("Sum") else MIXED
    text = f"opkg: 1\npackage: {{name: t.s, targets: [qnn-htp-qhpi]}}\nops:\n{ops}"
    (tmp_path / "specs" / "s.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    shapes = [word for shape in bars for word in ("--shape", shape)]
    assert run(["bench", name, "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
    records = [record for record in json.loads(capsys.readouterr().out) if record["aligned"]]
    assert len(records) % len(bars) == 0  # some ops have several kernels
    for record, (shape, bar) in zip(records, [*bars.items()] * (len(records) // len(bars)), strict=True):
        results = math.prod(int(extent) for extent in shape.split("x"))
        assert (record["later"] + record["stalls"]) * 128 / results <= bar, record
        assert record["overhead"] <= 60, record


def test_one_row_without_doubles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """v66 takes one row as it takes several: 154 packets and stalls per 128 results with numbers in double."""
    if toolchain.missing() or "v66" not in toolchain.runnable():
        absent("no Hexagon toolchain for v66")
    (tmp_path / "specs").mkdir()
    ops = op("Norm", BOTH[:1])
    text = f"opkg: 1\npackage: {{name: t.s, targets: [qnn-htp-qhpi]}}\nops:\n{ops}"
    (tmp_path / "specs" / "s.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    shapes = ("--shape", "1x1000", "--shape", "1x17")
    assert run(["bench", "Norm", "--call", "--arch", "v66", *shapes, "--format", "json"]) == 0
    records = [record for record in json.loads(capsys.readouterr().out) if record["aligned"]]
    long, short = (record["later"] + record["stalls"] for record in records)
    assert long * 128 / 1000 <= 64, records
    assert short <= 420, records  # read and written where it lies, without a slot


def test_one_row_with_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Packets and stalls of a call on v66."""
    if toolchain.missing() or "v66" not in toolchain.runnable():
        absent("no Hexagon toolchain for v66")
    (tmp_path / "specs").mkdir()
    text = f"opkg: 1\npackage: {{name: t.s, targets: [qnn-htp-qhpi]}}\nops:\n{op('Weighted', types('Weighted')[:1])}"
    (tmp_path / "specs" / "s.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    shapes = ("--shape", "1x768", "--shape", "1x1000")
    assert run(["bench", "Weighted", "--call", "--arch", "v66", *shapes, "--format", "json"]) == 0
    records = [record for record in json.loads(capsys.readouterr().out) if record["aligned"]]
    for record, bar in zip(records, (270, 333), strict=True):
        assert record["later"] + record["stalls"] <= bar, record
