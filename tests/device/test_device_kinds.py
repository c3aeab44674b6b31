"""What `opkg build --device` does not build, and how that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run

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


def test_a_mistyped_kind(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "--device", "aarch64-linx"]) == 2
    assert "Did you mean aarch64-linux?" in capfd.readouterr().err
    assert run(["build", "--device", "aarch64-andriod"]) == 2
    assert "Did you mean aarch64-android?" in capfd.readouterr().err
