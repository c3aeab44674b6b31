"""What `opkg build --device` does not build, and how that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.cli.tools import survey

SPEC = """\
opkg: 1
package: {name: test.classic, version: 1.0.0, targets: [qnn-htp-classic]}
ops:
  Twice:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = 2 * x
"""


def test_a_classic_package_is_told_what_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/classic.yaml").write_text(SPEC)
    assert run(["generate"]) == 0
    capfd.readouterr()
    assert run(["build", "--device", "v68"]) == 1
    said = capfd.readouterr().out
    assert "test.classic has the classic interface only" in said
    assert "a C++ library and start-up code for the DSP [OPK430]" in said
    (make,) = [line.split("or: ")[1].split(" (opkg")[0] for line in said.splitlines() if "or: make" in line]
    folder = make.split()[2]
    assert "hexagon:" in Path(folder, "Makefile").read_text()
    assert (
        make == "make -C generated/test_classic/classic hexagon HEXAGON_ARCH=v68 HEXAGON_SDK_ROOT=... QNN_SDK_ROOT=..."
    )


def test_android_is_told_apart_from_a_mistyped_kind(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "--device", "aarch64-android"]) == 2
    assert "nothing is built for Android yet" in capfd.readouterr().err
    assert run(["build", "--device", "aarch64-linx"]) == 2
    assert "Did you mean aarch64-linux?" in capfd.readouterr().err
    (tool,) = [tool for tool in survey() if tool.name == "aarch64 Android"]
    assert not tool.found
    assert "toolchain" in tool.install
