"""Elementwise kernels in blocks: only the lines that hold elements are computed, and numbers per channel stay where they are."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated
from kernels_rows_kit import HALF, PLAIN, THREE, Case, Program

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# One row, few columns, both; the last rows of larger images; several images; one block and many.
SHAPES = (
    (1, 1, 1, 1000), (1, 1, 1, 3), (1, 1, 197, 64), (3, 2, 3, 96), (2, 9, 17, 33), (2, 17, 5, 65), (1, 4, 4, 256), (5, 8, 8, 1),
    (1, 7, 8, 31),
)  # fmt: skip
SPEC = """\
opkg: 1
package: {name: t.walks, targets: [qnn-htp-qhpi]}
ops:
  Add:
    inputs: {a: {dtype: ufixed8, rank: 4}, b: {dtype: ufixed8, shape: a.shape}}
    outputs: {y: {dtype: ufixed8, shape: a.shape}}
    compute: y = a + b
    kernels: [{layout: crouton}]
  Silu:
    inputs: {x: {dtype: ufixed8, rank: 4}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x * sigmoid(x)
    kernels: [{layout: crouton}]
  Scale:
    inputs: {x: {dtype: ufixed8, shape: "[N, H, W, C]"}, s: {dtype: ufixed8, shape: "[C]"}, b: {dtype: sfixed16, shape: "[C]"}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x * s + b
    kernels: [{layout: crouton}]
"""


CHANNELS = """\
  Scale:
    inputs: {x: {dtype: ufixed8, shape: "[N, H, W, C]"}, s: {dtype: ufixed8, shape: "[C]"}, b: {dtype: sfixed16, shape: "[C]"}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x * s + b
    kernels: [{layout: crouton}]
    tests:
      cases:
        - {x: {shape: [2, 9, 7, 100]}}
        - {x: {shape: [1, 8, 8, 32]}}
        - {x: {shape: [1, 1, 1, 3]}}
        - {x: {shape: [1, 1, 1, 1000]}}
        - {x: {shape: [2, 4, 9, 256]}}
  Product:
    types: {T: [sfixed8, ufixed16]}
    inputs: {x: {dtype: T, rank: 4}, s: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: "broadcast(x, s)"}}
    compute: y = x * s
    kernels: [{layout: crouton}]
    tests:
      cases:
        - {x: {shape: [2, 9, 7, 100]}, s: {shape: [1, 1, 1, 100]}}
        - {x: {shape: [1, 17, 5, 33]}, s: {shape: [33]}}
        - {x: {shape: [3, 2, 2, 64]}, s: {shape: [1, 1, 1, 1]}}
        - {x: {shape: [1, 8, 8, 31]}, s: {shape: [1, 1, 1, 31]}}
        - {x: {shape: [2, 3, 3, 65]}, s: {shape: [1, 1, 1, 65]}}
        - {x: {shape: [1, 1, 17, 300]}, s: {shape: [300]}}
"""


def _ops() -> str:
    """A sum of bytes, and a curve of halves: v66 has vector code of both."""
    cases = "".join(f"\n        - {{a: {{shape: {list(shape)}}}}}" for shape in SHAPES)
    return "".join(
        f"  {name}:\n    inputs: {{a: {{dtype: {dtype}, rank: 4}}}}\n    outputs: {{y: {{dtype: {dtype}, shape: a.shape}}}}\n"
        f"    compute: y = {compute}\n    kernels: [{{layout: crouton}}]\n    tests:\n      cases:{cases}\n"
        for name, dtype, compute in (("Twice", "sfixed8", "a + a * 0.5"), ("Curve", "float16", "a * sigmoid(a)"))
    )


def test_prepared_graphs_compute_what_they_should(machine: str, tmp_path: Path) -> None:
    package = generated(tmp_path, _ops() + CHANNELS)
    result = verify(tmp_path, [package], VerifyOptions(on=(machine,), cases=1, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        if cell.op in ("Twice", "Curve"):
            assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


@pytest.mark.parametrize("arch", ["", "v66"])
def test_other_calls_do_so_too(arch: str, tmp_path: Path) -> None:
    program = Program(tmp_path, arch)
    program.check(
        [
            Case(kernel, (shape,) * (len(kernel.inputs) + 1), crouton=(True,) * 4, slices=slices, vectors=vectors)
            for kernel in (PLAIN, THREE, HALF)
            for shape in SHAPES
            for slices, vectors in ((1, True), (3, True), (2, False))
        ]
    )


def _calls(op: str, shapes: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, int]]:
    """The figures of calls on v73 by their shape."""
    words = [word for shape in shapes for word in ("--shape", shape)]
    assert run(["bench", op, "--call", "--arch", "v73", *words, "--format", "json"]) == 0
    return {"x".join(map(str, record["shape"])): record for record in json.loads(capsys.readouterr().out)}


def test_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All lines of 1x1x197x768 took 27.5 (sum) and 66 (curve) packets and stalls per 128 bytes, of 1x1x1x1000 229 and 538.
    Numbers per channel took 648 and more packets a call besides the rows."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    bars = {"1x1x197x768": (4.7, 9.0), "1x1x1x1000": (28.5, 43), "1x8x8x32": (7.4, 11), "1x9x17x17": (18.5, 28)}
    for place, op in enumerate(("Add", "Silu")):
        for shape, found in _calls(op, tuple(bars), capsys).items():
            size = math.prod(map(int, shape.split("x")))
            assert (found["later"] + found["stalls"]) * 128 / size <= bars[shape][place], found
            assert found["overhead"] <= 60, found
    scale = _calls("Scale", ("1x8x8x32", "1x56x56x64", "1x1x1x1000"), capsys)
    small, large = scale["1x8x8x32"], scale["1x56x56x64"]
    assert scale["1x1x1x1000"]["later"] <= 1300, "a step of each 32 channels; all lines took 4,500"
    assert small["overhead"] <= 60
    assert small["first"] == small["later"], "it is all made before the first call"
    assert large["later"] + large["stalls"] <= 3.1 * 56 * 56 * 64 / 128
