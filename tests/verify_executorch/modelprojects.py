"""Projects whose ops are put into models."""

from __future__ import annotations

import os
from pathlib import Path

from opkg.cli.main import run
from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file

SPEC = """\
opkg: 1
package:
  name: acme.models
  version: 1.0.0
  targets: [qnn-htp-qhpi, executorch-builder]
ops:
  Swish:
    summary: x * clip(x + 3, 0, 6) / 6, element by element
    types: {T: [float32, ufixed8, ufixed16, sfixed8]}
    inputs:
      x: {dtype: T, rank: 1..5}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x * clip(x + 3, 0, 6) / 6
  Centered:
    summary: the mean along one dimension, and what differs from it
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, rank: 4}
    params:
      axis: {dtype: int32, default: -1, range: "-rank(x) .. rank(x) - 1", axis_of: x}
    outputs:
      y: {dtype: T, shape: x.shape}
      m: {dtype: T, shape: "reduce(x, [axis], True)"}
    compute: |
      m = mean(x, axis=axis, keepdims=True)
      y = x - m
    tests:
      tolerance: {float32: 1e-5 abs + 1e-5 rel}
  Scaled:
    summary: x * gamma along the last dimension
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
      gamma: {dtype: T, shape: [C], static: true}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x * gamma
"""


def make(root: Path, spec: str) -> OpPackage:
    """Writes a project and generates its files."""
    (root / "specs").mkdir(parents=True)
    (root / "specs" / "models.yaml").write_text(spec, encoding="utf-8")
    here = os.getcwd()
    try:
        assert run(["-C", str(root), "generate"]) == 0
    finally:
        os.chdir(here)
    package, findings = read_file(root / "specs" / "models.yaml", "specs/models.yaml")
    assert package is not None, findings
    return package
