"""What the Hexagon compiler says points to the line of the user's, as on the host: of a kernel file, or of the spec."""

from __future__ import annotations

from pathlib import Path

import hexlib
import pytest
from hexprojects import doubled, package_of

from opkg.spec.diagnostics import Diagnostic, Severity
from opkg.spec.model import OpPackage
from opkg.verify.machines.hexagon.build import build

pytestmark = pytest.mark.hexagon
ARCH = "v66"
SPEC = """\
opkg: 1
package: {name: acme.one, version: 1.0.0, targets: [qnn-htp-qhpi]}
ops:
  Scaled:
    inputs:
      x: {dtype: float32, rank: 1..4}
    params:
      alpha: {dtype: float32, default: 0.5}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: |
      kept = max(x, 0)
      y = kept * alpha
"""
KERNELS = "generated/acme_one/qhpi/src/scaled_kernels.cpp"


def scaled(root: Path) -> OpPackage:
    (root / "spec.yaml").write_text(SPEC)
    return package_of(root, "spec.yaml")


def line_of(root: Path, path: str, text: str) -> int:
    """The line of a file that has a text."""
    return 1 + next(at for at, line in enumerate((root / path).read_text().splitlines()) if text in line)


def said(root: Path, package: OpPackage, severity: Severity) -> list[Diagnostic]:
    hexlib.need(ARCH)
    built = build(root, package, "qhpi", ARCH)
    assert (built.library is None) == (severity is Severity.ERROR)
    found = [finding for finding in built.findings if finding.id != "OPK437"]
    assert found
    assert {finding.severity for finding in found} == {severity}
    return found


def into_kernel(root: Path, function: str, text: str) -> None:
    """Puts a text at the start of a generated function."""
    file = root / KERNELS
    head, name, rest = file.read_text().partition(f" {function}(")
    args, brace, body = rest.partition("{")
    assert brace
    file.write_text(f"{head}{name}{args}{brace} {text}{body}")


def test_broken_generated_code_stands_at_the_spec(tmp_path: Path) -> None:
    package = scaled(tmp_path)
    into_kernel(tmp_path, package.ops[0].kernels[0].function, "const float alpha = op.alpha_;")
    found = said(tmp_path, package, Severity.ERROR)
    assert {(finding.id, finding.span.path) for finding in found} == {("OPK466", "spec.yaml")}
    assert line_of(tmp_path, "spec.yaml", "alpha:") in {finding.span.line for finding in found}
    assert all(finding.hint.startswith(f"{KERNELS}:") for finding in found)  # the compiler's words, and its own place


def test_a_warning_in_generated_code_stands_at_the_spec(tmp_path: Path) -> None:
    package = scaled(tmp_path)
    into_kernel(tmp_path, "element", "int kept = 0;")
    (found,) = said(tmp_path, package, Severity.WARNING)
    assert (found.id, found.span.path) == ("OPK405", "spec.yaml")
    assert found.span.line == line_of(tmp_path, "spec.yaml", "kept = max")
    assert found.hint.startswith(f"{KERNELS}:")
    assert "unused variable 'kept'" in found.hint


def test_what_a_line_of_a_kernel_asks_of_a_header_stands_there(tmp_path: Path) -> None:
    package = doubled(tmp_path, "opkg::to_index<Args>(op);", top='#include "scaled_index.h"')
    header = tmp_path / "generated" / "acme_one" / "qhpi" / "include" / "scaled_index.h"
    header.write_text(
        "namespace opkg {\ntemplate <typename T>\nint to_index(const T& value) {\n  return value.none;\n}\n}\n"
    )
    found = said(tmp_path, package, Severity.ERROR)
    assert {(finding.id, finding.span.path) for finding in found} == {("OPK400", "kernels/double.cpp")}
    lines = {line_of(tmp_path, "kernels/double.cpp", text) for text in ("to_index", "double_f32(", "double_u8(")}
    assert {finding.span.line for finding in found} <= lines
    assert all("no member named 'none'" in finding.hint for finding in found)
