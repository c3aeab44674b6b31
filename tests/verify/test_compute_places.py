"""argmax, argmin and cumsum: what they give, what is refused, and that their generated kernels give the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opkg.spec.reader import read as read_spec
from opkg.verify.api import VerifyOptions, verify

from .projects import generated, read
from .test_compute_meaning import value

PLACES = """\
  Most:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [A, B, C]}
    outputs:
      y: {dtype: int32, shape: [A, C]}
    compute: y = argmax(x, axis=-2)
  Least:
    types: {T: [float16, sfixed8]}
    inputs:
      x: {dtype: T, rank: 4}
    params:
      axis: {dtype: int32, default: -1, range: -4 .. 3, axis_of: x}
    outputs:
      y: {dtype: int32, shape: "reduce(x.shape, axis, true)"}
    compute: y = argmin(x, axis=axis, keepdims=True)
  Sums:
    types: {T: [ufixed16, int32]}
    inputs:
      x: {dtype: T, shape: [A, B, C]}
    params:
      exclusive: {dtype: bool8, default: false}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: |
      sums = cumsum(x, axis=1)
      y = sums - x if exclusive else sums
  Shares:
    types: {T: [float32]}
    inputs:
      x: {dtype: T, rank: 1..5}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = cumsum(e / sum(e, axis=-1, keepdims=True), axis=-1)
"""


def test_ties_infinities_and_nan() -> None:
    rows = [[1.0, 3.0, 3.0], [-np.inf, -np.inf, -np.inf], [2.0, np.nan, np.inf], [np.inf, -np.inf, np.inf]]
    assert value("argmax(x, axis=-1)", x=rows).tolist() == [1, 0, 1, 0]
    assert value("argmin(x, axis=-1)", x=rows).tolist() == [0, 0, 1, 1]
    assert value("argmax(x, axis=0, keepdims=True)", x=rows).shape == (1, 3)
    assert value("argmax(x)", x=[[1.0, 2.0], [5.0, 5.0]]) == 2
    assert value("cumsum(i, axis=0)", i=[[1, 2], [3, 4]]).tolist() == [[1, 2], [4, 6]]
    sums = value("cumsum(x, axis=-1)", x=[1.0, -np.inf, 2.0, np.inf])
    assert sums[:3].tolist() == [1.0, -np.inf, -np.inf]
    assert np.isnan(sums[3])


@pytest.mark.parametrize(
    ("text", "id", "words"),
    [
        ("argmax(x, axis=(0, 1))", "OPK147", "one dimension, not several"),
        ("argmin(x, axis=axes)", "OPK147", "one dimension, not several"),
        ("cumsum(x)", "OPK147", "cumsum goes along one dimension"),
        ("cumsum(x, axis=-1, keepdims=True)", "OPK143", "no argument 'keepdims'"),
        ("argmax(x, axis=9)", "OPK147", "at most 8 dimensions"),
        ("argmax(x > 0, axis=-1)", "OPK144", "a number must stand here"),
    ],
)
def test_what_is_refused(text: str, id: str, words: str) -> None:
    spec = f"""\
opkg: 1
package: {{name: acme.test}}
ops:
  Op:
    inputs:
      x: {{dtype: float32, rank: 2..4}}
    params:
      axes: {{dtype: uint32, shape: [K], default: [0, 1]}}
    outputs:
      y: {{dtype: int32, rank: 1..4, shape: x.shape}}
    compute: y = {text}
"""
    findings = [f for f in read_spec(spec.encode(), "f.yaml")[1] if f.is_error]
    assert id in {f.id for f in findings}, findings
    assert any(words in f.message for f in findings), findings


def test_a_real_value_is_no_place() -> None:
    """argmax gives integers: they need no cast for an int32 output, and stand beside others."""
    assert value("argmax(x, axis=-1) * 2 + i", x=[1.0, 4.0], i=[1]).tolist() == [3]


def test_kernels(tmp_path: Path) -> None:
    package = read(tmp_path, PLACES)
    generated(tmp_path, package)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=4, check_current=False))
    assert result.ok, (result.diagnostics, result.failures)
    assert len(result.cells) == 7
