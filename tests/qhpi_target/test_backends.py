"""Packages and runner in other backends than the installed one: QNN 2.47 to 2.50, and a library that is none of them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import qlib
import test_positions
import test_run

from opkg.verify.machines.htp import LIBRARY, version

# Release of onnxruntime-qnn: the QNN it holds. What each lacks: docs/measured-qhpi.md, "Versions".
RELEASES = {"2.3.0": "2.47", "2.4.0": "2.48", "2.5.0": "2.49", "2.6.0": "2.50"}
WHEELS = qlib.ROOT / "build" / ".qnn"


def backend(release: str) -> Path:
    """The folder of a release's library, downloaded once (90 MB)."""
    folder = WHEELS / release / "onnxruntime_qnn"
    if (folder / LIBRARY).is_file():
        return folder
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"onnxruntime-qnn=={release}"]
    done = subprocess.run([*command, "-d", str(WHEELS)], capture_output=True, text=True, check=False)
    if done.returncode:
        qlib.missing(f"onnxruntime-qnn {release}: {done.stderr.strip()[-200:]}")
    wheel = next(WHEELS.glob(f"onnxruntime_qnn-{release}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder.parent)
    wheel.unlink()
    return folder


@pytest.mark.htp
@pytest.mark.sweep
@pytest.mark.parametrize("release", RELEASES)
def test_other_versions(release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Params, ranks, blocks, ragged ones too, in-place kernels, tiles, all with guards."""
    folder = backend(release)
    assert version(folder / LIBRARY) == RELEASES[release]
    monkeypatch.setenv("OPKG_QNN_HTP_LIB", str(folder))
    test_run.test_params_by_subset_and_order("htp", tmp_path / "params")
    test_run.test_two_outputs_blocks_and_in_place("htp", tmp_path / "blocks")
    test_run.test_tiles("htp", tmp_path / "tiles")
    test_positions.test_layer_norm_of_every_subset("htp", 17, tmp_path / "positions")


@pytest.mark.htp
def test_a_backend_without_qhpi_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "old.cpp"
    source.write_text('extern "C" unsigned long QnnInterface_getProviders(void*, unsigned*) { return 0; }\n')
    command = [qlib.tool("g++"), "-shared", "-fPIC", "-o", str(tmp_path / LIBRARY), str(source)]
    subprocess.run(command, check=True)
    monkeypatch.setenv("OPKG_QNN_HTP_LIB", str(tmp_path))
    call = qlib.Call("Negate", (test_run.t(test_run.real(2, 3)),), (test_run.out(2, 3),))
    result = qlib.run(test_run.project(), [call], tmp_path, "htp")[0]
    assert (result.status, result.stage) == ("error", "load")
    assert result.message == "the backend has no QHPI: packages need QNN 2.47 or later"
