"""`opkg compat`: each kind of break is found at its line, and what breaks nothing is not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.device.contract import kernels_in

SPEC = """\
opkg: 1
package: {name: t.kept, targets: [qnn-htp-qhpi]}
ops:
  Scaled:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: x.shape, optional: true}
    params:
      by: {dtype: float32, default: 2.0, range: "0 .. 100"}
      mode: {dtype: uint32, enum: {up: 0, down: 1}, default: up}
    outputs:
      y: {dtype: T, shape: x.shape}
    kernels:
      - {when: {T: float32}}
      - {when: {T: ufixed8}}
  Other:
    inputs: {x: {dtype: ufixed8, rank: 1..4}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x + x
"""
Found = list[tuple[str, int, str]]
Compat = Callable[..., Found]


def git(*words: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], check=True, capture_output=True)


@pytest.fixture(name="project")
def fixture_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of a repository, with what it generates."""
    place = tmp_path / "inner" / "project"
    (place / "specs").mkdir(parents=True)
    (place / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    monkeypatch.chdir(place)
    assert run(["generate"]) == 0
    git("add", "-A", "-f")
    git("commit", "-q", "-m", "first")
    return place


@pytest.fixture(name="compat")
def fixture_compat(capsys: pytest.CaptureFixture[str]) -> Compat:
    def compared(*words: str) -> Found:
        capsys.readouterr()
        code = run(["compat", "--against", "HEAD", "--format", "json", *words])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert code == int(any(line["severity"] == "error" for line in lines))
        return [(line["id"], line["line"], line["message"]) for line in lines]

    return compared


def test_nothing_changed(project: Path, compat: Compat, capsys: pytest.CaptureFixture[str]) -> None:
    assert compat() == []
    assert run(["compat", "--against", "HEAD"]) == 0
    assert "1 package of HEAD: nothing is broken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("name: t.kept", "name: t.left", [("OPK484", 2, "the package t.kept is called t.left now")]),
        ("  Other:", "  Othre:", [("OPK484", 2, "the op Other is gone")]),
        ("      x: {dtype: T, rank: 1..4}", "      x: {dtype: T, rank: 2..4}",
         [("OPK485", 7, "Scaled: the input x had ranks 1 to 4, and has fewer now"),
          ("OPK485", 8, "Scaled: the input b had ranks 1 to 4, and has fewer now")]),
        (", optional: true", "", [("OPK485", 8, "Scaled: the input b was optional")]),
        ("default: 2.0", "default: 3.0", [("OPK486", 10, "Scaled: the default of by changed from 2.0 to 3.0")]),
        ("0 .. 100", "0 .. 50", [("OPK486", 10, "Scaled: the range of by was 0 to 100, and is smaller now")]),
        ("0 .. 100", "> 0.5", [("OPK486", 10, "Scaled: the range of by was 0 to 100, and is smaller now")]),
        ("default: 2.0, range", "range", [("OPK486", 10, "Scaled: the param by had a default")]),
        ("by: {", "times: {", [("OPK486", 4, "Scaled: the param by is gone")]),
        ("down: 1", "down: 2", [("OPK486", 11, "Scaled: the value down of mode was 1")]),
        ("      x: {dtype: T, rank: 1..4}\n", "      w: {dtype: T, rank: 1..4}\n      x: {dtype: T, shape: w.shape}\n",
         [("OPK485", 7, "Scaled: the input x stands elsewhere: w is in its place"),
          ("OPK485", 8, "Scaled: the input b stands elsewhere: x is in its place")]),
        ("    outputs:\n      y: {dtype: T, shape: x.shape}", "    outputs:\n      y: {dtype: T, shape: x.shape}\n"
         "      z: {dtype: T, shape: x.shape}",
         [("OPK485", 14, "Scaled: the output z is new: graphs made before do not have it")]),
    ],
)  # fmt: skip
def test_breaks(project: Path, compat: Compat, old: str, new: str, found: Found) -> None:
    spec = project / "specs" / "s.yaml"
    assert SPEC.count(old) == 1
    spec.write_text(SPEC.replace(old, new))
    mine = [each for each in compat() if each[0] != "OPK487"]  # kernels go with what has their names
    assert mine == found


def test_what_breaks_nothing(project: Path, compat: Compat) -> None:
    text = SPEC.replace("    params:\n", "      c: {dtype: T, shape: x.shape, optional: true}\n    params:\n")
    text = text.replace("up: 0, down: 1", "up: 0, down: 1, both: 2").replace("0 .. 100", "> -1")
    text = text.replace("      by:", "      more: {dtype: int32, default: 1}\n      by:")
    text += SPEC[SPEC.index("  Other:") :].replace("Other", "Third")
    (project / "specs" / "s.yaml").write_text(text)
    assert [each for each in compat() if each[0] != "OPK487"] == []


def test_kernels(project: Path, compat: Compat) -> None:
    """A type that goes takes its kernel along; so does another function name, at the op that has it."""
    spec = project / "specs" / "s.yaml"
    spec.write_text(SPEC.replace("[float32, ufixed8]", "[float32]").replace("      - {when: {T: ufixed8}}\n", ""))
    assert run(["generate"]) == 0
    found = compat()
    assert ("OPK485", 7, "Scaled: the input x does not take ufixed8 any more") in found
    assert ("OPK487", 4, "Scaled has no kernel scaled_u8 any more") in found
    spec.write_text(SPEC.replace("{when: {T: float32}}", "{when: {T: float32}, function: other_name}"))
    assert run(["generate"]) == 0
    gone = compat()
    assert {each[0] for each in gone} == {"OPK487"}
    assert all("scaled_f32" in message for _, _, message in gone)


def test_records_of_sources() -> None:
    """In a table, or one by one as they once were; rules and orders of params are none."""
    text = """\
      {"a rule", rule_a_rule},
    {"scaled_f32__r4", 0, kTwoFloat32Flat4, kOneFloat32Flat4},
    {"scaled_u8", 1, kTwoQUInt8Flat4, kOneQUInt8Flat4},
    kernel("scaled_u16", keep_scaled_u16, kTwoQUInt16Flat4, kOneQUInt16Flat4, 2, opkg::cost_fast),
  info.name = "test.pkg::Scaled";
"""
    assert kernels_in([text, "no op"]) == {"Scaled": ("scaled_f32__r4", "scaled_u8", "scaled_u16")}


def test_kernels_before_generate(project: Path, compat: Compat) -> None:
    """What is in generated/ is that of another spec until it is renewed."""
    spec = project / "specs" / "s.yaml"
    spec.write_text(SPEC.replace("{when: {T: float32}}", "{when: {T: float32}, function: other_name}"))
    early = compat()
    assert early
    assert {each[0] for each in early} == {"OPK487"}
    assert run(["generate"]) == 0
    assert compat() == early


def test_a_package_that_is_gone_or_moved(project: Path, compat: Compat) -> None:
    spec = project / "specs" / "s.yaml"
    spec.rename(project / "specs" / "moved.yaml")
    assert compat() == []
    (project / "specs" / "moved.yaml").write_text(SPEC.replace("t.kept", "t.fresh").replace("  Other:", "  New:"))
    assert ("OPK484", 1, "the package t.kept is gone") in compat()


def test_what_cannot_be_compared(project: Path, compat: Compat, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compat", "--against", "nowhere"]) == 1
    assert "git knows no revision 'nowhere' [OPK488]" in capsys.readouterr().out + capsys.readouterr().err
    assert run(["compat", "--against", "--help-me"]) == 2
    assert run(["compat"]) == 2
    git("rm", "-r", "-q", "--cached", "generated")
    git("commit", "-q", "-m", "without")
    assert [(id, message.split(":")[0]) for id, _, message in compat()] == [
        ("OPK488", "HEAD has no generated sources of t.kept")
    ]
    (project / "specs" / "s.yaml").write_text("opkg: 1\npackage: {}\n")
    git("commit", "-q", "-a", "-m", "broken")
    (project / "specs" / "s.yaml").write_text(SPEC)
    assert [(id, message) for id, _, message in compat()] == [("OPK488", "the spec of HEAD cannot be read")]
