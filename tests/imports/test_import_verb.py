"""The verb `opkg import`: what it writes, what it refuses to touch, how it says what is left to be done."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from opkg.cli.main import run

SCHEMA = "acme::scale(Tensor x, float by=2.0) -> Tensor"
XML = Path(__file__).parent / "xml" / "sound_kit.xml"


def test_the_result_validates_generates_and_builds_at_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "kit"
    assert run(["import", str(XML), "--package", "acme.sound", "--out", str(project)]) == 0
    assert capfd.readouterr().err.startswith(f"opkg: wrote {project}/specs/acme_sound.yaml (1 op, 7 TODO)")
    assert (project / "kernels" / "gated_pool.cpp").is_file()
    for verb in ("validate", "check", "build"):
        assert run(["-C", str(project), verb]) == 0, capfd.readouterr().out
    assert list((project / "build").rglob("*.so"))


def test_nothing_of_the_users_is_overwritten(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.chdir(tmp_path)
    assert run(["import", SCHEMA]) == 0
    spec = tmp_path / "specs" / "acme.yaml"
    kernel = tmp_path / "kernels" / "scale.cpp"
    spec.write_text(spec.read_text().replace("default: 2.0", "default: 3.0"))
    kernel.write_text(kernel.read_text() + "// mine\n")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capfd.readouterr()
    assert run(["import", SCHEMA]) == 1
    out = capfd.readouterr().out
    assert out.startswith("specs/acme.yaml: error: 'specs/acme.yaml' exists [OPK621]\n")
    assert run(["import", SCHEMA, "--dry-run", "--diff"]) == 0
    out = capfd.readouterr().out
    assert "\n-      by: {dtype: float32, default: 3.0}\n+      by: {dtype: float32, default: 2.0}\n" in out
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_second_package_goes_beside_the_first(tmp_path: Path) -> None:
    os.chdir(tmp_path)
    assert run(["import", SCHEMA]) == 0
    assert run(["import", SCHEMA.replace("acme", "other")]) == 0
    assert sorted(path.name for path in (tmp_path / "specs").iterdir()) == ["acme.yaml", "other.yaml"]
    assert run(["check"]) == 0


def test_what_is_left_to_be_done_as_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.chdir(tmp_path)
    path = tmp_path / "ops.txt"
    path.write_text(f"# ours\n{SCHEMA}\n  acme::norm(Tensor x, int? dim=None) -> Tensor  # the other\n")
    assert run(["import", str(path), "--format", "json"]) == 0
    found = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    rows = found if isinstance(found[0], dict) else found[0]
    (dim,) = [row for row in rows if row["message"] == "Norm.dim: default"]
    assert (dim["id"], dim["severity"], dim["line"], dim["column"]) == ("OPK628", "info", 3, 29)
    assert dim["hint"] == "it may be None there, which no param can be: mandatory here"


@pytest.mark.parametrize(
    ("words", "id", "message"),
    [
        (["nothing.json"], "OPK620", "'nothing.json' is nothing that ops are imported from"),
        (["gone.xml"], "OPK620", "cannot read the file: No such file or directory"),
        (["scale(Tensor x) -> Tensor"], "OPK622", "the sources name no package"),
        ([SCHEMA, "--package", "Acme"], "OPK622", "'Acme' is no package name"),
        (["acme::scale(Tensor x) -> Tensr"], "OPK630", "'Tensr' is no type of a schema"),
        ([SCHEMA, SCHEMA + " "], "OPK626", "op 'Scale' is declared twice"),
        (["acme::item(Tensor x) -> Scalar"], "OPK620", "none of the schemas can be carried"),
    ],
)
def test_findings_end_with_1(
    words: list[str], id: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    os.chdir(tmp_path)
    assert run(["import", *words]) == 1
    out = capfd.readouterr().out
    assert f"error: {message} [{id}]" in out
    assert list(tmp_path.iterdir()) == []


def test_forms_may_be_mixed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.chdir(tmp_path)
    assert run(["import", str(XML), SCHEMA, "::Celu", "--package", "acme.mixed", "--dry-run"]) == 0
    text = capfd.readouterr().out
    assert [line.strip() for line in text.splitlines() if line in ("  GatedPool:", "  Celu:", "  Scale:")] == [
        "GatedPool:",
        "Celu:",
        "Scale:",
    ]
    assert "targets: [qnn-htp-classic, qnn-htp-qhpi]" in text
