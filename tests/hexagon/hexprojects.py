"""Projects for the tests of the Hexagon machine, with the sources that `opkg generate` would write."""

from __future__ import annotations

import shutil
from pathlib import Path

from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.judge.outcome import VerifyResult

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"

SPEC = """\
opkg: 1
package: {name: acme.one, version: 1.0.0, targets: [qnn-htp-qhpi]}
ops:
  Double:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    reference: references:double
"""
REFERENCE = "def double(x):\n    return 2 * x\n"
KERNEL = """\
#include "acme_one/double.h"
@TOP@
namespace acme_one {
template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y.store(i, 2 * op.x.load(i));
  @EXTRA@
  return opkg::Status::ok;
}
opkg::Status double_f32(const DoubleArgsF32& op) { return compute(op); }
opkg::Status double_u8(const DoubleArgsU8& op) { return compute(op); }
}  // namespace acme_one
"""


def generated(root: Path, package: OpPackage) -> None:
    """Writes what `opkg generate` would write; files of the user's stay."""
    for artifact in TARGET.render(package):
        path = root / artifact.path
        if artifact.ownership == "yours" and path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")


def package_of(root: Path, spec: str) -> OpPackage:
    """The package of a spec of the project, with generated sources."""
    package, findings = read_file(root / spec, spec)
    assert package is not None, findings
    generated(root, package)
    return package


def doubled(root: Path, extra: str = "", top: str = "", kernel: str = KERNEL) -> OpPackage:
    """A project of one op with a kernel that is right but for what is put into it."""
    for folder in ("specs", "kernels"):
        (root / folder).mkdir(exist_ok=True)
    (root / "specs" / "one.yaml").write_text(SPEC)
    (root / "references.py").write_text(REFERENCE)
    (root / "kernels" / "double.cpp").write_text(kernel.replace("@EXTRA@", extra).replace("@TOP@", top))
    return package_of(root, "specs/one.yaml")


def copied(source: Path, root: Path) -> list[OpPackage]:
    """A copy of a project without what was built and generated."""
    shutil.copytree(source, root, ignore=shutil.ignore_patterns("build", "generated"), dirs_exist_ok=True)
    return [package_of(root, f"specs/{path.name}") for path in sorted((root / "specs").glob("*.yaml"))]


def run(root: Path, packages: list[OpPackage], *machines: str, **options: object) -> VerifyResult:
    """Verifies on machines."""
    chosen = {"on": machines, "cases": 8, "timeout": 3.0, "check_current": False, **options}
    return verify(root, packages, VerifyOptions(**chosen))  # type: ignore[arg-type]
