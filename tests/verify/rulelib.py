"""Rules of C++ text and ops of a small package, for the tests of equivalence."""

from __future__ import annotations

from pathlib import Path

from opkg.rules.check import Context, check
from opkg.rules.core import TypedRule
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file
from opkg.verify.rules.equivalence import equivalent
from opkg.verify.rules.outcome import RuleOptions, RuleVerdict
from opkg.verify.rules.world import World

SPEC = """\
opkg: 1
package:
  name: acme.fuse
  version: 1.0.0
  targets: [qnn-htp-qhpi]
ops:
  AddRelu:
    summary: max(a + b, 0)
    types: {T: [float32, ufixed8]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: a.shape}
    outputs:
      y: {dtype: T, shape: a.shape}
    reference: references:add_relu
  Scale:
    summary: x * factor + shift
    types: {T: [float32, float16]}
    inputs:
      x: {dtype: T}
    params:
      factor: {dtype: float32}
      shift: {dtype: float32, default: 0.0}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: references:scale
    tests: {tolerance: {float16: 2 ulp, float32: 4 ulp}}
  Halves:
    summary: both halves of the last dimension
    types: {T: [float32]}
    inputs:
      x: {dtype: T, shape: [B, H, W, C]}
    outputs:
      low: {dtype: T, shape: [B, H, W, C / 2]}
      high: {dtype: T, shape: [B, H, W, C / 2]}
    constraints:
      - {require: C % 2 == 0, message: an even number of channels}
    reference: references:halves
  Weigh:
    summary: products with a matrix
    types: {T: [float32]}
    inputs:
      x: {dtype: T, shape: [M, K]}
      w: {dtype: T, shape: [K, N]}
    outputs:
      y: {dtype: T, shape: [M, N]}
    reference: references:weigh
  Mystery:
    summary: nobody knows
    types: {T: [float32]}
    inputs:
      x: {dtype: T}
    outputs:
      y: {dtype: T, shape: x.shape}
"""

REFERENCES = """\
import numpy as np

def add_relu(a, b):
    return np.maximum(a + b, 0)

def scale(x, factor, shift):
    return x * factor + shift

def halves(x):
    return np.split(x, 2, -1)

def weigh(x, w):
    return x @ w
"""


def package(root: Path, spec: str = SPEC, references: str = REFERENCES) -> OpPackage:
    """The package's spec and references under a folder."""
    (root / "specs").mkdir(exist_ok=True)
    (root / "specs" / "fuse.yaml").write_text(spec)
    (root / "specs" / "references.py").write_text(references)
    read, findings = read_file(root / "specs" / "fuse.yaml", "specs/fuse.yaml")
    assert read is not None, [str(f) for f in findings]
    return read


def rule(text: str, name: str = "acme.fuse") -> TypedRule:
    """The one rule whose match, constraint and replacement are given; `q(..)` stands for FROM_DEFAULT_PACKAGE(..)."""
    source = f"DEF_PACKAGE_OPTIMIZATION(EARLY, {text.replace('q(', 'FROM_DEFAULT_PACKAGE(')})\n"
    document, findings = parse_cpp(source, "rules.cpp", name)
    assert not [f for f in findings if f.is_error], findings
    checked = check(document, Context(name, "2.43"))
    assert not [f for f in checked.findings if f.is_error], checked.findings
    (found,) = checked.rules
    return found


def verdict(text: str, root: Path | None = None, options: RuleOptions | None = None) -> RuleVerdict:
    """What becomes of a rule; with `root`, the package's ops are known."""
    world = World([package(root)] if root is not None else [], root)
    return equivalent(rule(text), world, options or RuleOptions())
