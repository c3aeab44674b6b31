"""`backward:` of an op: the gradient of a reference alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.spec.reader import read_file

SPEC = """\
opkg: 1
package: {name: test.backward}
ops:
  Cube:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}}
"""


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("    backward: f:g\n", "'backward:' without 'reference:'"),
        ("    compute: y = x\n    backward: f:g\n", "'backward:' beside 'compute:', which has a gradient"),
        ("    pattern: torch.relu(x)\n    backward: f:g\n", "'backward:' beside 'pattern:', which has a gradient"),
        ("    reference: f:h\n    backward: f:g\n", ""),
    ],
)
def test_backward(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "op.yaml"
    path.write_text(SPEC + lines)
    package, findings = read_file(path)
    found = [(f.id, f.message, f.span.line, f.span.column) for f in findings if f.id == "OPK490"]
    if message:
        assert found == [("OPK490", message, 6 + lines.count("\n"), 15)]
    else:
        assert found == []
        assert package is not None
        assert package.ops[0].backward is not None
        assert package.ops[0].backward.function == "g"
