"""Places of extremes: whole packages against their references, on the host and in qemu, and cost."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, absent, snippets_of
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.kernels.choose import candidates
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

HERE = Path(__file__).parent

# Rows that fill slots and that do not, of one and of several vectors; columns of vectors, of less than one, and of more
# elements than a byte numbers.
OPS = """\
  Last:
    types: {T: [ufixed8, ufixed16, int32, float16, float32]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: int32, shape: [A]}}
    kernels: [{multithreaded: true}]
    compute: y = argmax(x, axis=-1)
    tests:
      cases:
        - {x: {shape: [300, 2]}}
        - {x: {shape: [7, 1]}}
        - {x: {shape: [300, 3]}}
        - {x: {shape: [129, 17]}}
        - {x: {shape: [131, 100]}}
        - {x: {shape: [66, 129]}}
        - {x: {shape: [33, 1000]}}
  LastLeast:
    types: {T: [sfixed8, sfixed16, float32, int8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: int32, shape: "reduce(x, [-1], true)"}}
    compute: y = argmin(x, axis=-1, keepdims=True)
    tests:
      cases:
        - {x: {shape: [1000]}}
        - {x: {shape: [3, 5, 7, 21]}}
        - {x: {shape: [1, 2, 3, 130]}}
  Front:
    types: {T: [ufixed8, int32, float16]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: int32, shape: [A, C]}}
    kernels: [{multithreaded: true}]
    compute: y = argmax(x, axis=1)
    tests:
      cases:
        - {x: {shape: [2, 5, 300]}}
        - {x: {shape: [3, 21, 17]}}
        - {x: {shape: [2, 3, 3]}}
        - {x: {shape: [1, 300, 130]}}
        - {x: {shape: [2, 1, 9]}}
  FrontLeast:
    types: {T: [sfixed8, sfixed16, float16, int8]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: int32, shape: [1, B, C, D]}}
    compute: y = argmin(x, axis=0, keepdims=True)
    tests: {cases: [{x: {shape: [9, 4, 5, 17]}}, {x: {shape: [300, 1, 2, 65]}}]}
  Named:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, rank: 4}}
    params: {axis: {dtype: int32, default: -1, axis_of: x}}
    outputs: {y: {dtype: int32, shape: "reduce(x, [axis], true)"}}
    compute: y = argmax(x, axis=axis, keepdims=True)
    tests:
      cases:
        - {x: {shape: [2, 5, 6, 33]}, axis: 1}
        - {x: {shape: [2, 5, 6, 33]}, axis: 3}
        - {x: {shape: [2, 5, 6, 33]}, axis: -4}
  All:
    types: {T: [ufixed8, float16]}
    inputs: {x: {dtype: T, shape: [A, B]}}
    outputs: {y: {dtype: int32, shape: [1, 1]}}
    compute: y = argmax(x, keepdims=True)
    tests: {cases: [{x: {shape: [31, 5]}}, {x: {shape: [300, 301]}}]}
"""
SPEC = """\
opkg: 1
package: {name: t.places, targets: [qnn-htp-qhpi]}
ops:
  Rows:
    inputs: {x: {dtype: ufixed8, shape: [N, C]}}
    outputs: {y: {dtype: int32, shape: [N, 1]}}
    compute: y = argmax(x, axis=-1, keepdims=True)
  Columns:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}
    outputs: {y: {dtype: int32, shape: [N, 1, W, C]}}
    compute: y = argmax(x, axis=1, keepdims=True)
"""


def test_places_are_those_of_the_reference(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, OPS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=3, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


BESIDE = """\
  Scores:
    types: {T: [ufixed8, float16]}
    inputs: {x: {dtype: T, shape: [batch..., C]}}
    outputs: {y: {dtype: T, shape: "[batch..., 1]"}, z: {dtype: int32, shape: "[batch...]"}}
    compute: |
      y = max(x, axis=-1, keepdims=True)
      z = argmax(x, axis=-1)
    tests: {cases: [{x: {shape: [3, 5, 80]}}, {x: {shape: [70, 33]}}]}
  Both:
    types: {T: [ufixed16, int32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: int32, shape: [A, 1, C]}, z: {dtype: int32, shape: [A, 1, C]}}
    compute: |
      y = argmin(x, axis=1, keepdims=True)
      z = argmax(x, axis=1, keepdims=True)
    tests: {cases: [{x: {shape: [3, 21, 65]}}]}
"""


def test_places_beside_other_results(tmp_path: Path) -> None:
    package = generated(tmp_path, BESIDE)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=2, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


def test_places_of_many_lengths_and_elements(tmp_path: Path) -> None:
    """The first of equal elements, zeros of both signs, infinity and NaN; more elements than keys or lanes number."""
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}"]
    command += ["-isystem", str(SIM / "include"), str(HERE / "hvx_places.cpp"), "-o", str(tmp_path / "places")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "places")], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(("op", "shape", "bar"), [("Rows", "1024x32", 3500), ("Columns", "1x21x64x64", 2400)])
def test_packets_of_places(
    op: str, shape: str, bar: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Packets and stalls of a whole call; portable code takes more than a million."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    assert run(["bench", op, "--call", "--arch", "v73", "--shape", shape, "--format", "json"]) == 0
    record = next(r for r in json.loads(capsys.readouterr().out) if r["aligned"])
    assert record["later"] + record["stalls"] <= bar, record


@pytest.mark.parametrize(
    ("compute", "output", "why"),
    [
        ("argmax(x, axis=-1)", "int32", ""),
        ("argmin(x, axis=1)", "int32", ""),
        ("argmax(x + 1.5, axis=-1)", "int32", "the place in what is computed, not in an input"),
        ("argmax(x, axis=-1) + 1", "int32", "a place beside other results, or computed with"),
        ("argmax(x, axis=-1)", "int16", "places as int16, not int32"),
    ],
)
def test_which_places(compute: str, output: str, why: str) -> None:
    (snippet,) = snippets_of(
        f"  P:\n    inputs: {{x: {{dtype: ufixed8, shape: [A, B, C]}}}}\n"
        f'    outputs: {{y: {{dtype: {output}, shape: "reduce(x, [{-1 if "-1" in compute else 1}], false)"}}}}\n'
        f"    compute: y = {compute}\n"
    )
    (candidate,) = candidates(snippet)
    assert (candidate.strategy, candidate.why, candidate.lowered is None) == ("places", why, bool(why))
