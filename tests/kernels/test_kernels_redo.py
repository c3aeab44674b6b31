"""Which rows the vector code of floats turns down: those with special numbers, and no other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from kernels_kit import Call, Kit, Unit, snippets_of

from opkg.kernels.strategies.floating.strategy import lower

SPEC = """
  Inverse:
    inputs:
      x: {dtype: float32, shape: [...]}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: y = 1 / x + log(x)
"""


def test_only_rows_with_special_numbers_are_redone(tmp_path: Path) -> None:
    snippet = snippets_of(SPEC)[0]
    lowered = lower(snippet)
    assert not isinstance(lowered, str), lowered
    kit = Kit(tmp_path, [Unit(snippet, lowered)])
    for n in (1, 31, 32, 33, 100):
        x = np.linspace(0.5, 3, n).astype(np.float32)
        (found,) = kit.run([Call(0, {"x": x})])
        assert found is not None, f"lanes of no element made a row of {n} fail"
        np.testing.assert_allclose(found["y"], 1 / x + np.log(x), rtol=2e-6, atol=1e-6)
    for special in (np.nan, np.inf, 0.0, -1.0):
        x = np.linspace(0.5, 3, 70).astype(np.float32)
        x[69] = special
        assert kit.run([Call(0, {"x": x})]) == [None], special
