"""Which machines a run uses, and the cache of runners."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opkg.spec.diagnostics import MissingTool, OpkgError
from opkg.verify.machines import htp, runners, toolchain
from opkg.verify.machines.table import choose


def test_by_default_all_machines_are_listed() -> None:
    assert [s.machine.name for s in choose(())] == ["host", "htp"]


def test_an_unknown_machine_has_a_hint() -> None:
    with pytest.raises(OpkgError) as caught:
        choose(("hots",))
    finding = caught.value.diagnostics[0]
    assert (finding.id, finding.hint) == ("OPK431", "did you mean 'host'?")


def test_a_missing_machine_is_skipped_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_QNN_HTP_LIB", "/nowhere/libQnnHtp.so")
    state = next(s for s in choose(()) if s.machine.name == "htp")
    assert not state.availability.ok
    assert "/nowhere" in state.availability.reason
    with pytest.raises(MissingTool) as caught:
        choose(("htp",))
    assert "pip install" in caught.value.diagnostics[0].hint


def test_the_library_is_found_by_path_or_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "libQnnHtp.so").touch()
    (tmp_path / "build_and_package_info.py").write_text("qnn_version = '2.99.1'\n")
    for given in (tmp_path, tmp_path / "libQnnHtp.so"):
        monkeypatch.setenv("OPKG_QNN_HTP_LIB", str(given))
        assert htp.library() == tmp_path / "libQnnHtp.so"
    assert choose(("htp",))[0].label == "htp 2.99"


def test_no_machine_at_all_is_a_missing_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(MissingTool) as caught:
        choose(())
    assert len(caught.value.diagnostics) == 2


@pytest.fixture
def tiny_runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runner of one small source instead of the real one."""
    source = tmp_path / "runner"
    source.mkdir()
    (source / "unity").mkdir()
    (source / "unity" / "host.cpp").write_text('#include "../host_main.cpp"\n')
    (source / "unity" / "htp.cpp").write_text("int main() { return 1; }\n")
    (source / "host_main.cpp").write_text("int main() { return 0; }\n")
    monkeypatch.setattr(toolchain, "RUNNER", source)
    monkeypatch.setenv("OPKG_CACHE_DIR", str(tmp_path / "cache"))
    return source


def test_a_runner_is_compiled_once_and_again_when_its_sources_change(tiny_runner: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: runners.runner(runners.HOST, tmp_path), range(4)))
    assert len(found) == 1
    first = found.pop()
    made = first.stat().st_mtime_ns
    assert runners.runner(runners.HOST, tmp_path) == first
    assert first.stat().st_mtime_ns == made
    (tiny_runner / "host_main.cpp").write_text("int main() { return 2; }\n")
    assert runners.runner(runners.HOST, tmp_path) != first
    assert runners.runner(runners.HTP, tmp_path).name.startswith("opkg-htp-")


def test_a_runner_that_does_not_compile(tiny_runner: Path, tmp_path: Path) -> None:
    (tiny_runner / "host_main.cpp").write_text("int main() { return nonsense; }\n")
    with pytest.raises(OpkgError, match="nonsense") as caught:
        runners.runner(runners.HOST, tmp_path)
    assert caught.value.diagnostics[0].id == "OPK432"
    assert not list((tmp_path / "cache").glob("opkg-host-*"))


def test_the_cache_is_the_users_unless_told_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_CACHE_DIR", str(tmp_path / "mine"))
    assert runners.cache_folder(tmp_path) == tmp_path / "mine"
    monkeypatch.delenv("OPKG_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert runners.cache_folder(tmp_path) == tmp_path / "cache" / "opkg"


def test_a_cache_that_cannot_be_made_is_in_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPKG_CACHE_DIR")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert runners.cache_folder(tmp_path) == tmp_path / "build" / ".opkg-runner"
