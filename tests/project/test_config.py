"""Settings of a project: read with their places, in effect where an option is not given, and refused as specs are."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.cli.main import run
from opkg.project.config import Config, config_of
from opkg.spec.diagnostics import OpkgError


def settings(root: Path, text: str, name: str = "opkg.toml") -> Config:
    (root / name).write_text(text)
    return config_of(str(root), "p/")


def faults(root: Path, text: str, name: str = "opkg.toml") -> list[str]:
    with pytest.raises(OpkgError) as raised:
        settings(root, text, name)
    return [
        f"{d.span.path}:{d.span.line}:{d.span.column} {d.message} [{d.id}] {d.hint}" for d in raised.value.diagnostics
    ]


def test_all_of_them(tmp_path: Path) -> None:
    text = 'machines = ["host", "htp"]\ncases = 3\nseed = 5\ntimeout = 1\nlarge = 0\ntargets = "onert"\n'
    assert settings(tmp_path, text) == Config(("host", "htp"), 3, 5, 1.0, 0, ("onert",))


def test_where_they_stand(tmp_path: Path) -> None:
    assert config_of(str(tmp_path)) == Config()
    assert settings(tmp_path, '[project]\nname = "x"\n', "pyproject.toml") == Config()
    assert settings(tmp_path, "[tool.opkg]\ncases = 2\n", "pyproject.toml") == Config(cases=2)
    assert settings(tmp_path, "cases = 4\n") == Config(cases=4)  # opkg.toml goes before
    (tmp_path / "opkg.toml").unlink()
    assert settings(tmp_path, "[tool.other]\ncases = \n", "pyproject.toml") == Config()  # others' fault


def test_every_fault_at_its_place(tmp_path: Path) -> None:
    assert faults(tmp_path, 'cases = 0\n\n  machine = ["host"]\nseed = true\ntargets = []\n') == [
        "p/opkg.toml:1:1 'cases' cannot be 0 [OPK662] a number from 1 to 100000",
        "p/opkg.toml:3:3 there is no setting 'machine' [OPK661] did you mean 'machines'?",
        "p/opkg.toml:4:1 'seed' cannot be True [OPK662] a number from 0",
        "p/opkg.toml:5:1 'targets' cannot be [] [OPK662] a list of targets: ['qnn-htp-qhpi']",
    ]
    text = '[tool.x]\ncases = 1\n[ tool . "opkg" ]\ntimeout = nan\ncases = 1.5\n'
    (tmp_path / "opkg.toml").unlink()
    assert [fault.partition(" ")[0] for fault in faults(tmp_path, text, "pyproject.toml")] == [
        "p/pyproject.toml:4:1",
        "p/pyproject.toml:5:1",
    ]


def test_no_toml(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "cases = 1\nseed = \n")
    assert fault.startswith("p/opkg.toml:2:8 no TOML: invalid value [OPK660]")
    (tmp_path / "opkg.toml").write_bytes(b"\xff")
    with pytest.raises(OpkgError) as raised:
        config_of(str(tmp_path))
    assert raised.value.diagnostics[0].id == "OPK660"


@given(st.text(max_size=60))
def test_whatever_it_holds(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    (folder / "opkg.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(OpkgError):  # whatever else is raised is a fault
        config_of(str(folder))


def test_in_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "Clamp", "--package", "acme.set", "--dir", "p"]) == 0
    spec = tmp_path / "p" / "specs" / "set.yaml"
    spec.write_text(spec.read_text().replace("[qnn-htp-qhpi]", "[qnn-htp-qhpi, qnn-htp-classic]"))
    (tmp_path / "p" / "opkg.toml").write_text('machines = ["host"]\ncases = 2\nseed = 9\ntargets = ["qnn-htp-qhpi"]\n')
    assert run(["-C", "p", "generate"]) == 0
    assert run(["check", "."]) == 0
    assert not (tmp_path / "p" / "generated" / "acme_set" / "classic").exists()
    assert run(["verify", ".", "--json", "out.json"]) == 0
    done = json.loads((tmp_path / "p" / "out.json").read_text())
    assert done["seed"] == 9
    assert {column["machine"] for column in done["columns"]} == {"host"}
    assert run(["verify", ".", "--seed", "3", "--cases", "1", "--json", "out.json"]) == 0
    assert json.loads((tmp_path / "p" / "out.json").read_text())["seed"] == 3
    (tmp_path / "p" / "opkg.toml").write_text('machines = ["hots"]\n')
    capsys.readouterr()
    assert run(["verify", "."]) == 2
    assert capsys.readouterr().out.startswith(
        "opkg.toml:1:1: error: unknown machine 'hots' [OPK431]\n    machines = [\"hots\"]\n    ^~~~~~~~\n"
        "    hint: did you mean 'host'?"
    )
