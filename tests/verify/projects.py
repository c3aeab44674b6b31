"""Small projects for the tests of verify: specs read from text, and whole trees with generated sources."""

from __future__ import annotations

from pathlib import Path

from opkg.spec.model import Op, OpPackage
from opkg.spec.reader import read_file
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.cases.case import Case
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References

HEAD = """\
opkg: 1
package:
  name: acme.test
  version: 1.0.0
  targets: [qnn-htp-qhpi]
ops:
"""

RELU = """\
  Relu:
    summary: max(x, 0), element by element
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: references:relu
"""

RELU_REFERENCE = """\
import numpy as np

def relu(x):
    return np.maximum(x, 0.0)
"""

RELU_KERNEL = """\
#include "acme_test/relu.h"
namespace acme_test {
template <typename Args>
opkg::Status relu(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float x = op.x.load(i);
    op.y.store(i, @VALUE@);
  }
  @EXTRA@
  return opkg::Status::ok;
}
opkg::Status relu_f32(const ReluArgsF32& op) { return relu(op); }
opkg::Status relu_u8(const ReluArgsU8& op) { return relu(op); }
}  // namespace acme_test
"""


def relu_kernel(value: str = "x > 0 ? x : 0", extra: str = "") -> str:
    """Relu's kernel file, right or with a fault."""
    return RELU_KERNEL.replace("@VALUE@", value).replace("@EXTRA@", extra)


def write_spec(root: Path, ops: str, reference: str = "") -> Path:
    """A project with a spec and references; returns the spec's path."""
    (root / "specs").mkdir(parents=True, exist_ok=True)
    path = root / "specs" / "test.yaml"
    path.write_text(HEAD + ops, encoding="utf-8")
    if reference:
        (root / "references.py").write_text(reference, encoding="utf-8")
    return path


def read(root: Path, ops: str, reference: str = "") -> OpPackage:
    """The package of a spec that must be right."""
    package, findings = read_file(write_spec(root, ops, reference), "specs/test.yaml")
    errors = [f for f in findings if f.is_error]
    assert package is not None, errors
    assert not errors
    return package


def op_of(root: Path, ops: str, reference: str = "", name: str = "") -> Op:
    """One op of such a package: the named one, else the first."""
    ops_ = read(root, ops, reference).ops
    return next(op for op in ops_ if name in ("", op.name))


def cases_of(root: Path, op: Op, cases: int = 24, seed: int = 0, only: str = "") -> list[Case]:
    """The cases of an op, of which generation must find nothing wrong."""
    loaded = References(root).load(op, root / "specs" / "test.yaml")
    found, findings = generate(op, loaded, Plan(cases, seed, only))
    assert not findings, findings
    return found


def generated(root: Path, package: OpPackage) -> None:
    """Writes what `opkg generate` would write; files of the user's stay."""
    for artifact in TARGET.render(package):
        path = root / artifact.path
        if artifact.ownership == "yours" and path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")


def relu_project(root: Path, kernel: str) -> OpPackage:
    """A whole project of one op with the given kernel file."""
    package = read(root, RELU, RELU_REFERENCE)
    (root / "kernels").mkdir(exist_ok=True)
    (root / "kernels" / "relu.cpp").write_text(kernel, encoding="utf-8")
    generated(root, package)
    return package
