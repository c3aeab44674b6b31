"""Small projects with the target onert: their specs, kernels by hand with one fault each, and how they are verified."""

from __future__ import annotations

from pathlib import Path

from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file
from opkg.targets.onert import TARGET
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.judge.outcome import VerifyResult

HEAD = """\
opkg: 1
package: {name: acme.edge, version: 1.0.0, targets: [onert]}
ops:
"""

# Every type that a param can have, given and by default; each changes the output.
EVERY_PARAM = """\
  Mixed:
    summary: a sum with every param in it
    types: {T: [float32]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
    params:
      real: {dtype: float32, default: 0.1, range: -2 .. 2}
      small: {dtype: int8, default: -7}
      byte: {dtype: uint8, default: 200}
      brief: {dtype: int16, default: -300}
      half: {dtype: uint16, default: 60000}
      whole: {dtype: int32, default: -5, range: -100 .. 100}
      big: {dtype: uint32, default: 4000000000}
      flag: {dtype: bool8, default: true}
      mode: {dtype: uint32, default: 1, enum: {plain: 0, doubled: 1}}
      last: {dtype: int32, default: rank(x) - 1, range: 0 .. 3}
      weights: {dtype: float32, shape: [C]}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: references:mixed
"""
EVERY_REFERENCE = """\
import numpy as np

def mixed(x, real, small, byte, brief, half, whole, big, flag, mode, last, weights):
    base = real + small + byte + brief + half + whole + big % 1000 + 0.5 * bool(flag) + 3 * mode + 7 * last
    return np.asarray(x * weights + base)
"""
EVERY_KERNEL = """\
#include "acme_edge/mixed.h"
namespace acme_edge {
opkg::Status mixed_f32(const MixedArgsF32& op) {
  double base = double{op.real} + op.small + op.byte + op.brief + op.half + op.whole + op.big % 1000;
  base += 0.5 * op.flag + 3 * static_cast<int>(op.mode) + 7 * op.last;
  const size_t channels = op.weights.size();
  for (size_t i = 0; i < op.x.size(); ++i) {
    op.y.store(i, static_cast<float>(double{op.x.load(i)} * op.weights[i % channels] + base));
  }
  return opkg::Status::ok;
}
}  // namespace acme_edge
"""

PAIR = """\
  Pair:
    summary: sum and larger of two tensors
    types: {T: [float32, int32, ufixed8, bool8]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: a.shape, rank: 1..4, optional: true}
    outputs:
      left: {dtype: T, shape: a.shape}
      right: {dtype: T, shape: a.shape}
    reference: references:pair
"""
PAIR_REFERENCE = """\
import numpy as np

def pair(a, b):
    return a.copy(), np.asarray(a if b is None else b).copy()
"""
AFFINE = """\
  Affine:
    summary: x times a scale, plus a shift, both of which may be left out
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
      scale: {dtype: T, shape: [C], optional: true, static: true}
      shift: {dtype: T, shape: [C], optional: true}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: |
      scaled = x * scale if present(scale) else x
      y = scaled + shift if present(shift) else scaled
"""

# What $ONERT_FAULT names goes wrong.
PAIR_KERNEL = """\
#include "acme_edge/pair.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace acme_edge {
namespace {
bool fault(const char* name) {
  const char* wanted = std::getenv("ONERT_FAULT");
  return wanted != nullptr && std::strcmp(wanted, name) == 0;
}

template <typename Args>
opkg::Status pair(const Args& op) {
  if (fault("crash") && op.a.size() % 2 == 0) *static_cast<volatile int*>(nullptr) = 1;
  for (volatile bool go = true; go && fault("hang") && op.a.size() == 1;) {}
  if (fault("unsupported")) return opkg::Status::unsupported;
  if (fault("error")) {
    usleep(30000);  // the run is to be looked at before its end
    return opkg::Status::error;
  }
  if (fault("unwritten") && op.a.size() > 2) return opkg::Status::ok;
  using Element = typename decltype(op.left)::Element;
  for (size_t i = 0; i < op.a.size(); ++i) {
    if constexpr (std::is_same_v<Element, int32_t>) {  // load() and store() go through float, which has 24 bits
      op.left[i] = op.a[i];
      op.right[i] = op.b ? op.b[i] : op.a[i];
    } else {
      op.left.store(i, op.a.load(i));
      op.right.store(i, op.b ? op.b.load(i) : op.a.load(i));
    }
  }
  if (fault("behind")) op.left[op.a.size()] = Element{1};
  if (fault("before")) op.right[static_cast<size_t>(-1)] = Element{1};
  if (fault("far")) op.left[0] = op.a[op.a.size()];
  if (fault("input")) const_cast<Element&>(op.a[op.a.size() - 1]) = static_cast<Element>(!op.a[op.a.size() - 1]);
  static int calls = 0;
  if (fault("state") && ++calls % 3 == 0) op.left[0] = static_cast<Element>(!op.left[0]);
  if (fault("numbers") && op.a.size() > 1) op.right[1] = static_cast<Element>(!op.right[1]);
  return opkg::Status::ok;
}
}  // namespace
opkg::Status pair_f32(const PairArgsF32& op) { return pair(op); }
opkg::Status pair_i32(const PairArgsI32& op) { return pair(op); }
opkg::Status pair_u8(const PairArgsU8& op) { return pair(op); }
opkg::Status pair_b8(const PairArgsB8& op) { return pair(op); }
}  // namespace acme_edge
"""


def write(root: Path, ops: str, reference: str = "", kernels: dict[str, str] | None = None) -> OpPackage:
    """A project with its generated files."""
    for name, text in {"specs/edge.yaml": HEAD + ops, "references.py": reference, **(kernels or {})}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return generated(root, root / "specs" / "edge.yaml")


def generated(root: Path, spec: Path) -> OpPackage:
    """The package of a spec, with what `opkg generate` would write."""
    package, findings = read_file(spec, spec.relative_to(root).as_posix())
    assert package is not None, findings
    assert not any(f.is_error for f in findings), findings
    for artifact in TARGET.render(package):
        path = root / artifact.path
        if artifact.ownership != "yours" or not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(artifact.text, encoding="utf-8")
    return package


def both(root: Path) -> OpPackage:
    """The project of all three ops, one of which is computed."""
    kernels = {"kernels/pair.cpp": PAIR_KERNEL, "kernels/mixed.cpp": EVERY_KERNEL}
    return write(
        root, EVERY_PARAM + PAIR + AFFINE, EVERY_REFERENCE + PAIR_REFERENCE.replace("import numpy as np\n", ""), kernels
    )


def run(root: Path, package: OpPackage, **options: object) -> VerifyResult:
    """Verifies a project on onert."""
    chosen = {"cases": 6, "timeout": 20.0, **options}
    return verify(root, [package], VerifyOptions(on=("onert",), check_current=False, **chosen))  # type: ignore[arg-type]
