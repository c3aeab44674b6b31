"""What `kernel show` claims, the price that the backend gets and the code that is written come from one decision."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.kernels.choose import candidates, choose
from opkg.kernels.emit.file import cycles, kernel_file
from opkg.kernels.emit.parts import parts
from opkg.kernels.unvectored import unvectored
from opkg.spec.model import Op, OpPackage
from opkg.spec.reader import read_file
from opkg.targets.qnn_common.generated import priced, sources_of

SPEC = """\
opkg: 1
package: {{name: acme.pool, version: 1.0.0, targets: [qnn-htp-qhpi]}}
ops:
  Pool:
    types: {{T: [float32, ufixed8]}}
    inputs: {{x: {{dtype: T, shape: {shape}}}}}
{params}    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: y = x - max(x, axis={axes}, keepdims=True)
"""
REDUCED = """\
opkg: 1
package: {{name: acme.pool, version: 1.0.0, targets: [qnn-htp-qhpi]}}
ops:
  Pool:
    types: {{T: [ufixed8, sfixed16, ufixed16]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{y: {{dtype: T, shape: {shape}}}}}
    compute: y = {compute}
"""


PRODUCTS = """\
opkg: 1
package: {{name: acme.pool, version: 1.0.0, targets: [qnn-htp-qhpi]}}
ops:
  Pool:
    types: {{T: [sfixed8, ufixed8]}}
    inputs: {{x: {{dtype: T, shape: {shape}}}}}
{params}    outputs: {{y: {{dtype: T, shape: [...]}}}}
    compute: y = prod(x + 1.0, axis={axes}, keepdims=True)
"""


def package(tmp_path: Path, axes: str, shape: str = "[N, H, W, C]", params: str = "", spec: str = SPEC) -> OpPackage:
    path = tmp_path / "specs" / "pool.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(spec.format(axes=axes, shape=shape, params=params))
    found, findings = read_file(path, "specs/pool.yaml")
    assert found is not None, findings
    return found


def vectors(op: Op) -> set[bool]:
    """Whether the kernels of an op have vector code: as chosen, as priced, as written; all must agree."""
    answers: set[bool] = set()
    for source in sources_of(op, op.kernels):
        for unsigned in (False, True):
            chosen = [choose(snippet) for group in parts(op, source, unsigned) for snippet in group]
            text = kernel_file(op, "a.h", "a", [source], unsigned, {}).text
            answers |= {each is not None for each in chosen}
            answers |= {"bool vector(" in text or "using Found = " in text, cycles(op, source, unsigned) is not None}
    return answers


@pytest.mark.parametrize(
    ("axes", "shape", "able"),
    [
        ("(1, 2)", "[N, H, W, C]", True),
        ("1", "[N, H, W, C]", True),
        ("(1, 3)", "[N, H, W, C]", True),
        ("0", "[N, H]", True),
        ("(2, 3)", "[N, H, W, C]", True),
        ("-1", "[N, H, W, C]", True),
        ("None", "[N, H, W, C]", True),
        ("(1, 2)", "[N, H, W, 1]", True),  # what is not reduced behind them is one element
        ("(1, 2)", "[N, H, W, 17]", True),
    ],
)
def test_claim_price_and_code_agree(axes: str, shape: str, able: bool, tmp_path: Path) -> None:
    found = package(tmp_path, axes, shape)
    assert vectors(found.ops[0]) == {able}
    estimated = [str(kernel.cost) != str(found.ops[0].kernels[0].cost) for kernel in priced(found, True).ops[0].kernels]
    assert set(estimated) == {able}


@pytest.mark.parametrize(
    ("compute", "shape", "able"),
    [
        ("mean(x, axis=(1, 2))", "[N, C]", True),
        ("max(x, axis=(0, 2), keepdims=True) * 2", "[1, H, 1, C]", True),
        ("min(x, axis=-3)", "[N, W, C]", True),
        ("sum(x, axis=(0, 3)) + 1", "[H, W]", True),
        ("sum(x * x * x, axis=(1, 2))", "[N, C]", False),  # no such products down columns
        ("mean(x * exp(x), axis=(1, 2))", "[N, C]", True),
    ],
)
def test_reduced_results_come_from_columns(compute: str, shape: str, able: bool, tmp_path: Path) -> None:
    path = tmp_path / "pool.yaml"
    path.write_text(REDUCED.format(compute=compute, shape=shape))
    found, findings = read_file(path, "pool.yaml")
    assert found is not None, findings
    assert vectors(found.ops[0]) == {not compute.startswith("prod")}
    for source in sources_of(found.ops[0], found.ops[0].kernels):
        chosen = choose(next(parts(found.ops[0], source, True))[0])
        assert (chosen is not None and chosen.strategy == "columns") == able


def test_rows_in_pieces_are_said_once_per_op(tmp_path: Path) -> None:
    op = package(tmp_path, "(1, 2)", spec=PRODUCTS).ops[0]
    assert vectors(op) == {False}
    (finding,) = unvectored(op, sources_of(op, op.kernels))
    assert finding.id == "OPK602"
    assert "dimensions -3 and -2 are reduced, dimension -1 is not" in finding.message
    assert "T=sfixed8, T=ufixed8: " in finding.message
    assert "down columns: 'prod' of real numbers" in finding.message
    snippet = next(parts(op, sources_of(op, op.kernels)[0], True))[0]
    assert {c.strategy: c.why for c in candidates(snippet)}["columns"].startswith("'prod' of")
    last = package(tmp_path, "-1").ops[0]
    assert unvectored(last, sources_of(last, last.kernels)) == []


def test_a_param_that_chooses_the_dimension_is_a_condition(tmp_path: Path) -> None:
    params = "    params: {axis: {dtype: int32, default: -1, axis_of: x}}\n"
    package(tmp_path, "axis", params=params)
    command = [sys.executable, "-m", "opkg", "kernel", "show", "Pool", "--format", "json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    shown = [json.loads(line) for line in done.stdout.splitlines()]
    assert {each["condition"] for each in shown} == {"where the reduced dimension is the last one"}
    assert all(each["chosen"] for each in shown)


def test_integers_are_told_why_they_are_no_integers(tmp_path: Path) -> None:
    path = tmp_path / "bits.yaml"
    path.write_text("""\
opkg: 1
package: {name: t.bits}
ops:
  Bits:
    inputs: {a: {dtype: int32}}
    outputs: {y: {dtype: float32, shape: a.shape}}
    compute: y = a & 7
""")
    found, findings = read_file(path, "bits.yaml")
    assert found is not None, findings
    op = found.ops[0]
    (finding,) = unvectored(op, sources_of(op, op.kernels))
    assert "'y' is float32, no integer" in finding.message
