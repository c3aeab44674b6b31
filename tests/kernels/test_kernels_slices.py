"""Generated kernels that run in slices by themselves: slices without rows, of one, that end within rows, in every machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from kernels_kit import absent

from opkg.spec.reader import read_file
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

SPEC = Path(__file__).with_name("slices.yaml")


def _verified(root: Path, *machines: str) -> None:
    (root / "specs").mkdir()
    shutil.copy(SPEC, root / "specs")
    package, findings = read_file(root / "specs" / SPEC.name, f"specs/{SPEC.name}")
    assert package is not None, findings
    for artifact in TARGET.render(package):
        path = root / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    assert "run_kept<true>" in (root / "generated" / "t_cut" / "qhpi" / "src" / "plus.cpp").read_text("utf-8")
    result = verify(root, [package], VerifyOptions(on=machines, cases=2, check_current=False))
    assert result.ok, [*result.failures[:3], *result.diagnostics]
    assert result.cases > 200


@pytest.mark.sweep
def test_every_machine(tmp_path: Path) -> None:
    if toolchain.missing():
        absent(f"no {toolchain.missing()}")
    _verified(tmp_path, "host", "htp", "hexagon")
