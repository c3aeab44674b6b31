"""Which ops follow the backend's change of layout: those that look at one place at a time, also when they broadcast."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.spec.reader import read_file
from opkg.targets.executorch_builder.torch_ops import is_elementwise

SPEC = """
opkg: 1
package: {{name: a.b, targets: [executorch-builder]}}
ops:
  Op:
    inputs:
      x: {{dtype: float32, {x}}}
      s: {{dtype: float32, {s}}}
    outputs:
      y: {{dtype: float32, shape: "{y}"}}
    compute: y = {compute}
"""


@pytest.mark.parametrize(
    ("x", "s", "y", "compute", "wanted"),
    [
        ("rank: 4", "rank: 4", "broadcast(x, s)", "x * s", True),
        ("rank: 4", "rank: 4", "broadcast(s, x)", "x * s", True),
        ("rank: 1..4", "shape: x.shape", "x.shape", "x * s", True),
        ("rank: 1..4", "rank: 1..4", "broadcast(x, s)", "x * s", False),  # [C] stays the last dimension
        ("rank: 4", "rank: 3", "broadcast(x, s)", "x * s", False),
        ("shape: [N, C, H, W]", "shape: [N, C, 1, 1]", "x.shape", "x * s", False),  # dimensions have their place
        ("rank: 4", "rank: 4", "broadcast(x, s)", "x * s - mean(x, axis=-1, keepdims=True)", False),
    ],
)
def test_ops_that_are_indifferent_to_the_layout(
    tmp_path: Path, x: str, s: str, y: str, compute: str, wanted: bool
) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC.format(x=x, s=s, y=y, compute=compute))
    package, findings = read_file(path)
    assert package is not None, findings
    assert is_elementwise(package.ops[0]) is wanted
