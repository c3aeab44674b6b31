"""The ARM half of a package in Qualcomm's own backend for ARM, emulated: it registers, and what does not is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.verify.machines import arm


def test_it_registers(bundle: Path, qnn_for_arm: Path, capfd: pytest.CaptureFixture[str]) -> None:
    library = bundle / "arm" / "libtest_bundle.so"
    assert run(["device", "check", "--load", "--runtime", str(qnn_for_arm), str(library)]) == 0
    assert "  registered in libQnnHtp.so for ARM (emulated)" in capfd.readouterr().out
    told = arm.register(library, "otherInterfaceProvider", qnn_for_arm, Path())
    assert (told.stage, told.code) == ("register", 4006)


@pytest.mark.sweep
def test_a_package_that_does_not_name_the_library_with_qhpi(
    bundle: Path, qnn_for_arm: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """On ARM, QHPI is in libQnnHtpPrepare.so, which the backend loads for itself alone."""
    whole = (bundle / "arm" / "libtest_bundle.so").read_bytes()
    name, other = b"\0libQnnHtpPrepare.so\0", b"\0libm.so.6"
    assert whole.count(name) == 1
    library = tmp_path / "libtest_bundle.so"
    library.write_bytes(whole.replace(name, other.ljust(len(name), b"\0")))
    told = arm.register(library, "test_bundleInterfaceProvider", qnn_for_arm, Path())
    assert not told.ok
    assert "undefined symbol: qhpi_register_ops_v1" in " ".join((told.message, *told.log))
    assert run(["device", "check", str(library)]) == 1
    assert "[OPK480]" in capfd.readouterr().out  # the check says so without an emulator


def test_what_is_missing_is_said(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(arm.VARIABLE, raising=False)
    library = str(bundle / "arm" / "libtest_bundle.so")
    assert run(["device", "check", "--load", library]) == 0
    assert "not registered: there is no QNN for ARM: --runtime" in capfd.readouterr().out
    monkeypatch.setenv(arm.VARIABLE, str(tmp_path))
    assert run(["device", "check", "--load", library]) == 0
    assert "not registered: there is no libQnnHtp.so, libQnnHtpPrepare.so in" in capfd.readouterr().out
