"""Ops with a quantized output and an integer beside it, in models for ExecuTorch: each comes out in its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from modelprojects import make

from opkg.verify.api import verify
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.options import VerifyOptions

SPEC = """\
opkg: 1
package: {name: test.mixed, version: 1.0.0, targets: [qnn-htp-qhpi, executorch-builder]}
ops:
  Largest:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, rank: 2..4}}
    outputs:
      value: {dtype: T, shape: "reduce(x.shape, -1, false)"}
      place: {dtype: int32, shape: value.shape}
      low: {dtype: T, shape: value.shape}
    compute: |
      value = max(x, axis=-1)
      place = argmax(x, axis=-1)
      low = min(x, axis=-1)
"""


@pytest.mark.sweep
@pytest.mark.xdist_group("executorch")
def test_outputs_come_in_their_order(environment: Environment, tmp_path: Path) -> None:
    """The wheel gives them in the order in which they are declared, dequantized ones last, those of its own topk, too."""
    result = verify(tmp_path, [make(tmp_path, SPEC)], VerifyOptions(on=("executorch",), cases=4))
    assert [(c.combination, c.failures, bool(c.kernels)) for c in result.cells] == [("u8", (), True)]
