"""Sums of functions of 16-bit elements down columns and along rows: packages against their references, and what they cost."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path

import pytest
from kernels_kit import SIM, TEMPLATES, absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

HERE = Path(__file__).parent
_DOWN = ["[2, 3, 7, 256]", "[1, 9, 31, 17]", "[2, 5, 3, 1]", "[1, 3, 3, 3]", "[1, 7, 7, 100]"]
_ALONG = ["[1, 2, 3, 1000]", "[2, 3, 5, 17]", "[1, 1, 2, 3]", "[1, 7, 7, 100]", "[1, 3, 40, 64]", "[1, 3, 40, 1]"]


def _op(name: str, value: str, down: bool, output: str = "T", types: str = "ufixed16, sfixed16") -> str:
    axes, shape = ("axis=(1, 2)", "[N, C]") if down else ("axis=-1", "[N, H, W]")
    cases = ", ".join(f"{{x: {{shape: {dims}}}}}" for dims in (_DOWN if down else _ALONG))
    return f"""\
  {name}{"Down" if down else "Along"}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    params: {{alpha: {{dtype: float32, default: 0.25, range: -2 .. 2}}}}
    outputs: {{y: {{dtype: {output}, shape: {shape}}}}}
    compute: y = {value.replace("@", axes)}
    tests: {{cases: [{cases}]}}
"""


# Lines on either side of zero are exact; what is made of two sums is made of mantissas, of other types in double.
CORNERS = "".join(
    _op("Size", "mean(abs(x), @)", down)
    + _op("Above", "sum(max(0, x), @)", down, types="ufixed16")
    + _op("Below", "1 - mean(min(x * -2, 0), @)", down, "ufixed8", "sfixed16")
    + _op("Leaky", "mean(max(x, 0.1 * x), @)", down, types="ufixed16")
    + _op("Prelu", "mean(x if 0 < x else x * alpha, @)", down, types="sfixed16")
    + _op("Both", "sqrt(mean(abs(x), @)) + mean(max(x, 0), @) - max(x, @)", down, types="ufixed16")
    + _op("Whole", "sum(abs(x), @)", down, "int32", "int16")
    for down in (True, False)
)
SMOOTH = "".join(
    _op("Silu", "mean(silu(x), @)", down)
    + _op("Gelu", "1 - sum(gelu(x), @) * alpha", down, "ufixed8", "ufixed16")
    + _op("Sine", "mean(sin(x) * x + x * 2, @)", down, types="sfixed16")
    for down in (True, False)
)
COST = f"""\
opkg: 1
package: {{name: t.cost, targets: [qnn-htp-qhpi]}}
ops:
{_op("Size", "mean(abs(x), @)", True, types="ufixed16")}{_op("Above", "mean(max(x, 0), @)", True, types="ufixed16")}"""


@pytest.mark.parametrize("ops", [CORNERS, SMOOTH], ids=["corners", "smooth"])
def test_sums_of_functions(ops: str, tmp_path: Path) -> None:
    """Lines on either side of zero are never portable; of smooth functions those calls are whose results are too fine."""
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=4, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.vector > (cell.paths.portable if ops == SMOOTH else 0), (cell.op, str(cell.types), cell.paths)
        assert ops == SMOOTH or cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)


@pytest.mark.parametrize("arch", [pytest.param("v66", marks=pytest.mark.sweep), "v73"])
def test_sums_of_functions_on_hexagon(arch: str, tmp_path: Path) -> None:
    if toolchain.missing() or arch not in toolchain.runnable():
        absent(f"no Hexagon toolchain for {arch}")
    down = arch == "v66"
    ops = _op("Size", "mean(abs(x), @)", not down, types="sfixed16") + _op(
        "Silu", "mean(silu(x), @)", down, types="ufixed16"
    )
    for case in (*_DOWN, *_ALONG):
        ops = ops.replace(f"{{x: {{shape: {case}}}}}, ", "")  # the last ones are left
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=(f"hexagon-{arch}",), cases=1, check_current=False))
    assert failures(result) == ""
    assert all(cell.paths.vector > 0 for cell in result.cells)


def test_smooth_functions_are_within_their_bounds(tmp_path: Path) -> None:
    """Of all 65,536 elements; functions that change too fast for 128 pieces are turned down."""
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{tmp_path}"]
    command += ["-isystem", str(SIM / "include"), str(HERE / "hvx_smooth.cpp"), "-o", str(tmp_path / "smooth")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "smooth")], capture_output=True, text=True, check=True, timeout=60)
    lines = [line.split() for line in ran.stdout.splitlines()]
    assert [name for name, *rest in lines if rest == ["refused"]] == ["far", "steep"]
    for name, *numbers in lines[:-2]:
        worst, bound, steps = map(float, numbers)
        assert worst <= bound, name
        assert steps < (0.8 if name in ("silu_wide", "exp") else 0.1), name


@pytest.mark.parametrize(("op", "shape", "bar"), [("SizeDown", "1x14x14x256", 2.0), ("AboveDown", "1x56x56x16", 1.6)])
def test_packets_of_functions(
    op: str, shape: str, bar: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if toolchain.missing() or "v73" not in toolchain.runnable():
        absent("no Hexagon toolchain for v73")
    if objdump() is None:
        absent("no llvm-objdump")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(COST)
    monkeypatch.chdir(tmp_path)
    assert run(["bench", op, "--call", "--arch", "v73", "--shape", shape, "--format", "json"]) == 0
    size = math.prod(map(int, shape.split("x"))) * 2
    for record in (found for found in json.loads(capsys.readouterr().out) if found["layout"] == "flat"):
        assert round((record["parts"]["rows"] + record["stalls"]) * 128 / size, 2) <= bar, record
