"""A project and its bundle for SM8550, made once; QNN's libraries for ARM, fetched once."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import fake_device
import pytest
from bundle_spec import SPEC

from opkg.cli.main import run
from opkg.verify.machines import arm, device, htp
from opkg.verify.machines.runners import cache_folder

QNN_ARM = "2.7.0"  # of onnxruntime-qnn


def needed(*kinds: str) -> None:
    lacking = [device.missing(kind) for kind in kinds if device.missing(kind)]
    lacking += [] if htp.library() is not None else ["libQnnHtp.so"]
    if lacking:
        if os.environ.get("CI"):
            pytest.fail(f"missing: {lacking}")
        pytest.skip(f"missing: {lacking}")


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needed("v73", device.LINUX)
    root = tmp_path_factory.mktemp("bundle") / "project"
    (root / "specs").mkdir(parents=True)
    (root / "specs" / "bundle.yaml").write_text(SPEC)
    assert run(["-C", str(root), "generate"]) == 0
    return root


@pytest.fixture(scope="session")
def bundle(project: Path) -> Path:
    here = Path.cwd()
    try:
        assert run(["-C", str(project), "bundle", "--soc", "SM8550", "--cases", "2"]) == 0
    finally:
        os.chdir(here)
    return project / "build" / "bundle" / "SM8550"


@pytest.fixture
def phone(bundle: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a run of the bundle: programs that stand for a device and its tools, first on the path."""
    found = fake_device.stand_in(tmp_path)
    text = fake_device.NET_RUN.format(python=sys.executable, expected=str(bundle / "cases"))
    return {**found, "QNN_NET_RUN": str(fake_device.program(tmp_path / "tools" / "qnn-net-run", text))}


@pytest.fixture(scope="session")
def qnn_for_arm() -> Path:
    """A folder with libQnnHtp.so and libQnnHtpPrepare.so for aarch64, out of PyPI's wheel; kept in opkg's cache."""
    folder = cache_folder(Path()).absolute() / f"qnn-arm-{QNN_ARM}"
    if not arm.missing(folder):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [f"onnxruntime-qnn=={QNN_ARM}", "--platform", "manylinux_2_34_aarch64", "--only-binary", ":all:"]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--disable-pip-version-check", "-d", str(folder)]
    done = subprocess.run([*pip, *wanted, "--python-version", "3.11"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if os.environ.get("CI"):
            pytest.fail(f"no wheel for ARM: {done.stderr}")
        pytest.skip("no wheel for ARM")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        for name in (arm.BACKEND, arm.PREPARE):
            (folder / name).write_bytes(content.read(f"onnxruntime_qnn/{name}"))
    wheel.unlink()
    lacking = arm.missing(folder)
    if lacking:
        if os.environ.get("CI"):
            pytest.fail(f"missing: {lacking}")
        pytest.skip(f"missing: {lacking}")
    return folder
