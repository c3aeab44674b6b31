"""Numbers, values of rank 0, in models for ExecuTorch: QNN's graphs have [1], which builders and packages take."""

from __future__ import annotations

from pathlib import Path

import pytest
from modelprojects import make

from opkg.verify.api import verify
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.options import VerifyOptions

SPEC = """\
opkg: 1
package: {name: test.numbers, version: 1.0.0, targets: [qnn-htp-qhpi, executorch-builder]}
ops:
  Whole:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: [A, B]}, least: {dtype: T, shape: []}}
    outputs: {y: {dtype: T, shape: []}}
    compute: y = max(max(x, least), axis=[0, 1], keepdims=False)
"""


@pytest.mark.sweep
@pytest.mark.xdist_group("executorch")
def test_inputs_and_outputs_of_rank_0(environment: Environment, tmp_path: Path) -> None:
    result = verify(tmp_path, [make(tmp_path, SPEC)], VerifyOptions(on=("executorch",), cases=4))
    assert [(c.combination, c.failures, bool(c.kernels)) for c in result.cells] == [("f32", (), True), ("u8", (), True)]
    assert all(o.description.endswith("scalar") or " scalar (scale" in o.description for o in result.cells[0].outcomes)
