"""Where rounded numbers cancel, calls whose results could be off by more than a step go to the portable code, others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.kernels.strategies.floating import strategy
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.judge.outcome import VerifyResult

from .projects import generated, read

OPS = """\
  Gate:
    types: {T: [ufixed16, sfixed16]}
    inputs: {a: {dtype: T, rank: 1..4}, b: {dtype: T, shape: a.shape}}
    outputs: {y: {dtype: T, shape: a.shape}}
    compute: y = 0.5 * a * (1 + erf(a * 0.7071067811865476)) * sqrt(abs(b))
    tests:
      cases:
        - name: fine
          when: {T: ufixed16}
          a: {shape: [3, 100], scale: 0.000122, offset: -65535}
          b: {shape: [3, 100], scale: 1.5e-8, offset: -65535}
          y: {scale: 8.0e-13, offset: -65535}
"""
MORE = """\
  Elu:
    types: {T: [ufixed16, sfixed16]}
    inputs: {x: {dtype: T, rank: 1..4}, b: {dtype: T, shape: x.shape}}
    params: {alpha: {dtype: float32, default: 1.0}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = where(x > 0, x, alpha * (exp(x) - 1)) * b
  Mixed:
    types: {T: [ufixed16]}
    inputs: {x: {dtype: T, rank: 1..4}, b: {dtype: T, shape: x.shape}}
    params: {p: {dtype: float32, default: 3.0}}
    outputs: {y: {dtype: T, shape: x.shape}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    compute: |
      y = log(1 + exp(x)) - b
      z = (x - b) / (abs(x) + abs(b) + 1) - tanh(b)
      w = abs(x) ** p - sqrt(x * x + b * b)
"""
OPTIONS = VerifyOptions(on=("host",), cases=40, check_current=False)


def _verified(root: Path, ops: str) -> VerifyResult:
    package = read(root, ops)
    generated(root, package)
    return verify(root, [package], OPTIONS)


def test_results_are_within_a_step_at_any_scale(tmp_path: Path) -> None:
    result = _verified(tmp_path, OPS + MORE)
    assert result.ok, (result.diagnostics, result.failures)
    assert len(result.cells) == 5
    for cell in result.cells:
        assert cell.paths.portable, cell  # some scales are out of reach
        assert cell.op == "Mixed" or cell.paths.vector > cell.paths.portable, cell


def test_without_the_guard_they_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "guard", lambda snippet: ())
    result = _verified(tmp_path, OPS.replace("Gate", "Unguarded"))  # lowered kernels are cached by name
    assert "u16-fine" in [outcome.case for _, outcome in result.failures]


BEYOND = """\
  Soft:
    types: {T: [ufixed16]}
    inputs: {x: {dtype: T, rank: 1..4}, b: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = log(1 + exp(x)) - b
    tests:
      cases:
        - name: far
          x: {shape: [3, 1000], scale: 0.008, offset: -100}
          b: {shape: [3, 1000], scale: 0.001, offset: 0}
          y: {scale: 0.009, offset: -1000}
"""


def test_what_no_float_holds_on_the_way_is_portable(tmp_path: Path) -> None:
    """exp(x) of elements from 89 on is infinite in single precision; its logarithm is not."""
    result = _verified(tmp_path, BEYOND)
    assert result.ok, (result.diagnostics, result.failures)
    far = [outcome for cell in result.cells for outcome in cell.outcomes if outcome.case == "u16-far"]
    assert [outcome.paths.vector for outcome in far if outcome.paths is not None] == [0]
    assert all(cell.paths.vector for cell in result.cells)
