"""Elementwise kernels of images of few rows or columns in blocks: only the lines that hold elements are computed."""

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
"""


def _ops() -> str:
    """A sum of bytes, and a curve of halves: v66 has vector code of both."""
    cases = "".join(f"\n        - {{a: {{shape: {list(shape)}}}}}" for shape in SHAPES)
    return "".join(
        f"  {name}:\n    inputs: {{a: {{dtype: {dtype}, rank: 4}}}}\n    outputs: {{y: {{dtype: {dtype}, shape: a.shape}}}}\n"
        f"    compute: y = {compute}\n    kernels: [{{layout: crouton}}]\n    tests:\n      cases:{cases}\n"
        for name, dtype, compute in (("Twice", "sfixed8", "a + a * 0.5"), ("Curve", "float16", "a * sigmoid(a)"))
    )


def test_prepared_graphs_compute_the_lines_that_hold_elements(tmp_path: Path) -> None:
    package = generated(tmp_path, _ops(), "qnn-htp-qhpi")
    machines = ("host",) if toolchain.missing() else ("host", f"hexagon-{toolchain.runnable()[-1]}")
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=1, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
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


def test_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All lines of 1x1x197x768 took 27.5 (sum) and 66 (curve) packets and stalls per 128 bytes, of 1x1x1x1000 229 and 538."""
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    bars = {"1x1x197x768": (4.7, 9.0), "1x1x1x1000": (28.5, 43), "1x8x8x32": (7.3, 11), "1x9x17x17": (18, 28)}
    for place, op in enumerate(("Add", "Silu")):
        shapes = [word for shape in bars for word in ("--shape", shape)]
        assert run(["bench", op, "--call", "--arch", "v73", *shapes, "--format", "json"]) == 0
        for record in json.loads(capsys.readouterr().out):
            most = bars["x".join(map(str, record["shape"]))][place]
            assert (record["later"] + record["stalls"]) * 128 / math.prod(record["shape"]) <= most, record
