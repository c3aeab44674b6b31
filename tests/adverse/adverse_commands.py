"""A small project that has something for every command, and the command lines themselves."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from opkg.project.generate import generate

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "intree"))
from intree_lib import checkout  # noqa: E402

SPEC = """\
opkg: 1
package:
  name: a.mini
  targets: [qnn-htp-qhpi, qnn-htp-classic, executorch-builder]
ops:
  Gated:
    summary: silu(a + b)
    types: {T: [float32, ufixed8]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: a.shape}
    outputs:
      y: {dtype: T, shape: a.shape}
    pattern: |
      t = a + b
      torch.nn.functional.silu(t)
    compute: |
      t = a + b
      y = t * sigmoid(t)
  Relu:
    summary: max(x, 0)
    inputs:
      x: {dtype: ufixed8, rank: 1..4}
    outputs:
      y: {dtype: ufixed8, shape: x.shape}
    compute: y = max(x, 0)
  Twist:
    summary: the negative
    types: {T: [float32]}
    inputs:
      x: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: references:twist
"""
REFERENCE = "def twist(x):\n    return -x\n"
KERNEL = """\
#include "a_mini/twist.h"

namespace a_mini {

opkg::Status twist_f32(const TwistArgsF32& args) {
  for (std::size_t i = 0; i < args.y.size(); ++i) args.y[i] = -args.x[i];
  return opkg::Status::ok;
}

}  // namespace a_mini
"""
# Those that take a second or less, then those that compile.
QUICK: tuple[tuple[str, ...], ...] = (
    ("new", "More", "--no-input"),
    ("new", "More", "--kind", "custom", "--no-input"),
    ("new", "More", "--dir", "sub/deep", "--no-input"),
    ("new", "More", "--package", "b.other", "--no-input"),
    ("validate",),
    ("validate", "--format", "sarif"),
    ("generate",),
    ("generate", "stale"),
    ("generate", "--diff", "stale"),
    ("generate", "--discard-edits", "stale"),
    ("check",),
    ("check", "--format", "github"),
    ("kernel", "show", "Gated"),
    ("rules", "check", "cpp/fuse.cpp", "--package", "nn.fused"),
    ("rules", "check", "specs"),
    ("rules", "format", "cpp/untidy.cpp"),
    ("rules", "format", "--diff", "specs"),
    ("rules", "explain", "cpp/fuse.cpp", "--package", "nn.fused"),
    ("rules", "apply", "graphs/add_relu.txt", "cpp/fuse.cpp", "--package", "nn.fused", "--output", "o.txt", "--html", "o.html"),
    ("rules", "test", "cpp/order.cpp", "--cases", "2"),
    ("rules", "offer", "specs"),
    ("rules", "migrate", "cpp/fuse.cpp", "--package", "a.moved", "--output", "moved.yaml"),
    ("executorch", "env"),
    ("executorch", "intree", "checkout"),
    ("explain", "OPK300"),
    ("explain",),
    ("schema",),
    ("targets",),
    ("doctor",),
)  # fmt: skip
SLOW: tuple[tuple[str, ...], ...] = (
    ("build",),
    ("verify", "--on", "host", "--cases", "1", "--junit", "build/v.xml", "--json", "build/v.json"),
    ("verify", "--on", "hexagon-v68", "--cases", "1", "--op", "Gated"),
    ("verify", "--on", "executorch", "--cases", "1", "--op", "Gated"),
    ("bench", "Relu", "--size", "256"),
    ("kernel", "tune", "Relu", "--arch", "v66"),
    ("executorch", "compare", "model.py"),
)


def make(root: Path) -> Path:
    """The project, generated, with another one in `stale/` whose spec has changed since."""
    for folder in (root / "stale", root):
        (folder / "specs").mkdir(parents=True)
        (folder / "specs" / "mini.yaml").write_text(SPEC)
        (folder / "references.py").write_text(REFERENCE)
        assert generate((str(folder / "specs"),)).ok
    stale = SPEC.replace("summary: the negative", "summary: minus x").replace("Relu:", "Elu:")
    (root / "stale" / "specs" / "mini.yaml").write_text(stale)
    (root / "kernels" / "twist.cpp").write_text(KERNEL)
    (root / "model.py").write_text("def model():\n    return None\n\n\ndef inputs():\n    return ()\n")
    for part in ("cpp", "graphs"):
        shutil.copytree(ROOT / "examples" / "rules" / part, root / part)
    checkout(root / "checkout")
    return root
