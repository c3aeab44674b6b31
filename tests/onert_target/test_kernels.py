"""The kernel files: compiled as C++14 without a warning, and run on the cases of `opkg verify`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from onert_kit import Kernels, package_of

from opkg.resources import plain
from opkg.targets.onert.kernel import kernel_header
from opkg.targets.onert.layout import Option
from opkg.targets.onert.types import usable
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.judge.verdict import judge

SPEC = Path(__file__).with_name("ops.yaml").read_text()
PACKAGE = package_of(SPEC)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Kernels:
    return Kernels(tmp_path_factory.mktemp("kernels"), PACKAGE.ops)


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_agrees_with_the_computation(kernels: Kernels, op) -> None:  # type: ignore[no-untyped-def]
    assert op.compute is not None
    cases, findings = generate(op, Computed(op, op.compute), Plan(12))
    assert not findings
    assert {case.combination for case in cases} == set(usable(op))
    for case in cases:
        outcome = judge(case, kernels.run(case))
        assert outcome.status == "passed", f"{case.id} {case.describe()}: {outcome.message} {outcome.outputs}"


def test_formatted(tmp_path: Path) -> None:
    """In the style of onert's tree."""
    tool = shutil.which("clang-format") or str(Path(sys.executable).parent / "clang-format")
    (tmp_path / ".clang-format").write_text(plain("onert/clang-format"))
    for op in PACKAGE.ops:
        (tmp_path / f"{op.name}Kernel.h").write_text(kernel_header(op, Option("2026 Acme")))
    files = sorted(tmp_path.glob("*.h"))
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
