"""The verbs: what they print where, and their exit codes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]


def break_version(project: Path) -> None:
    spec = project / "specs" / "vision.yaml"
    spec.write_text(spec.read_text().replace("1.0.0", "one"))


def test_validate_clean(opkg: Opkg, project: Path) -> None:
    assert opkg("validate") == (0, "", "opkg: 1 spec with 1 op: nothing wrong\n")


def test_validate_text(opkg: Opkg, project: Path) -> None:
    break_version(project)
    done = opkg("validate")
    assert done.code == 1
    assert done.out == (
        "specs/vision.yaml:4:12: error: 'one' is no version [OPK130]\n"
        "      version: one\n"
        "               ^~~\n"
        "    hint: write MAJOR.MINOR.PATCH (opkg explain OPK130)\n"
        "1 error in 1 file\n"
    )


def test_validate_json(opkg: Opkg, project: Path) -> None:
    break_version(project)
    done = opkg("validate", "--format", "json")
    assert done.code == 1
    assert done.objects() == [
        {
            "path": "specs/vision.yaml", "line": 4, "column": 12, "end_line": 4, "end_column": 15, "severity": "error",
            "id": "OPK130", "message": "'one' is no version", "hint": "write MAJOR.MINOR.PATCH",
        }
    ]  # fmt: skip


def test_validate_github(opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_version(project)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.parent))
    assert opkg("validate", "--format", "github").out == (
        "::error file=proj/specs/vision.yaml,line=4,col=12,endColumn=14,title=opkg OPK130::'one' is no version%0A"
        "hint: write MAJOR.MINOR.PATCH\n"
    )


def test_validate_sarif(opkg: Opkg, project: Path) -> None:
    break_version(project)
    run = json.loads(opkg("validate", "--format", "sarif").out)["runs"][0]
    assert run["tool"]["driver"]["rules"][0]["id"] == "OPK130"
    assert run["results"][0]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "specs/vision.yaml"},
        "region": {"startLine": 4, "startColumn": 12, "endLine": 4, "endColumn": 15},
    }


def test_unknown_target(opkg: Opkg, project: Path) -> None:
    spec = project / "specs" / "vision.yaml"
    spec.write_text(spec.read_text().replace("[toy]", "[qnn-htp-qphi, toy]"))
    done = opkg("validate", "--format", "json")
    found = done.objects()[0]
    assert (found["id"], found["line"], found["column"], found["end_column"]) == ("OPK302", 5, 13, 25)
    assert found["hint"] == "did you mean 'qnn-htp-qhpi'?"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("toy-broken", "cannot be loaded: ModuleNotFoundError: No module named 'acme_opkg_missing'"),
        ("toy-incomplete", "has no name, summary, check, render"),
    ],
)
def test_broken_plugin(opkg: Opkg, project: Path, name: str, message: str) -> None:
    spec = project / "specs" / "vision.yaml"
    spec.write_text(spec.read_text().replace("[toy]", f"[{name}]"))
    found = opkg("validate", "--format", "json").objects()[0]
    assert (found["id"], found["message"]) == ("OPK303", f"target '{name}' of acme-opkg 1.2 {message}")


def test_targets(opkg: Opkg, project: Path) -> None:
    done = opkg("targets")
    assert done.code == 1  # two entries of the toy distribution are broken
    assert "toy                 acme-opkg 1.2  A target of a third party\n" in done.out
    assert done.out.startswith("qnn-htp-qhpi")
    assert "[OPK303]" in done.out


def test_generate_and_check(opkg: Opkg, project: Path) -> None:
    assert opkg("generate") == (0, "", "opkg: wrote 4; 0 files unchanged\n")
    assert opkg("generate") == (0, "", "opkg: 3 files of 1 spec: nothing to do\n")
    assert opkg("check") == (0, "", "opkg: 3 generated files of 1 spec: all current\n")
    assert opkg("-q", "check") == (0, "", "")


def test_generate_says_what_it_does(opkg: Opkg, project: Path) -> None:
    done = opkg("generate", "--dry-run")
    assert done.out.splitlines()[0] == "would write generated/acme_vision/toy/data/relu.json"
    assert not (project / "generated").exists()
    done = opkg("-v", "generate")
    assert "opkg: wrote generated/acme_vision/toy/relu.h\n" in done.err
    assert done.out == ""


def test_generate_diff(opkg: Opkg, project: Path) -> None:
    opkg("generate")
    spec = project / "specs" / "vision.yaml"
    spec.write_text(spec.read_text().replace("summary: s", "summary: new"))
    done = opkg("generate", "--diff")
    assert done.code == 0
    assert '-{"op": "Relu", "s": "s"}\n+{"op": "Relu", "s": "new"}\n' in done.out
    assert opkg("check").code == 1


def test_check_text(opkg: Opkg, project: Path) -> None:
    opkg("generate")
    data = project / "generated" / "acme_vision" / "toy" / "data" / "relu.json"
    data.write_text("mine\n")
    done = opkg("check")
    assert done.code == 1
    assert done.out == (
        "generated/acme_vision/toy/data/relu.json: error: generated file was edited [OPK312]\n"
        "    hint: move the edit to the spec or into a file of yours (kernels/); then run: opkg generate "
        "--discard-edits (opkg explain OPK312)\n"
        "--- a/generated/acme_vision/toy/data/relu.json\n"
        "+++ b/generated/acme_vision/toy/data/relu.json\n"
        "@@ -1 +1 @@\n"
        "-mine\n"
        '+{"op": "Relu", "s": "s"}\n'
        "1 error in 1 file\n"
    )


def test_check_names_a_cause_once(opkg: Opkg, project: Path) -> None:
    spec = project / "specs" / "vision.yaml"
    op = spec.read_text().partition("ops:\n")[2]
    spec.write_text(spec.read_text() + "".join(op.replace("Relu", f"Relu{n}") for n in range(4)))
    opkg("generate")
    edited = list((project / "generated").rglob("data/*.json"))
    for file in edited:
        file.write_text(file.read_text() + "more\nand more\n")
    done = opkg("check")
    assert done.code == 1
    assert done.out.count("[OPK312]") == 1
    assert done.out.count("(+0 -2)\n") == done.out.count("    generated/") == len(edited) == 5
    assert done.out.count("\n-and more\n") == 1
    assert "(not shown: the diffs of 4 more files;" in done.out
    assert len(opkg("check", "--format", "json").objects()) == len(edited)


def test_check_json_has_no_diff(opkg: Opkg, project: Path) -> None:
    found = opkg("check", "--format", "json").objects()
    assert {f["id"] for f in found} == {"OPK310", "OPK315", "OPK316"}
    assert all(f["hint"].startswith("run: opkg generate") for f in found)


def test_check_without_spec(opkg: Opkg, project: Path) -> None:
    os.unlink("specs/vision.yaml")
    done = opkg("check", "--format=json")
    assert done.code == 1
    assert [f["id"] for f in done.objects()] == ["OPK300"]


def test_run_elsewhere(opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert opkg("-C", str(project), "generate").code == 0
    monkeypatch.chdir("/")
    done = opkg("-C", str(project / "nowhere"), "generate")
    assert done.code == 2
    assert "No such file or directory" in done.err


@pytest.mark.parametrize(
    "words",
    [["bulid"], ["validate", "--format", "xml"], ["validate", "none"], ["verify", "--cases", "0"], ["new"], ["--no"]],
)
def test_misuse(opkg: Opkg, project: Path, words: list[str]) -> None:
    done = opkg(*words)
    assert done.code == 2
    assert done.out == ""
    assert "Error: " in done.err


def test_nearest_verb(opkg: Opkg) -> None:
    assert "no verb 'bulid'. Did you mean 'build'?" in opkg("bulid").err


def test_help_and_version(opkg: Opkg) -> None:
    from opkg import __version__

    assert opkg("--version") == (0, f"opkg {__version__}\n", "")
    for verb in ("new", "validate", "generate", "check", "build", "verify", "explain", "schema", "targets", "doctor"):
        assert f"\n  {verb} " in opkg("-h").out
        assert opkg(verb, "-h").out.startswith(f"Usage: opkg {verb} ")


def test_explain(opkg: Opkg) -> None:
    done = opkg("explain", "opk312")
    assert done.code == 0
    assert done.out.startswith("OPK312: generated file edited\n\nThe file differs from what opkg wrote")
    assert opkg("explain", "312") == done
    assert "OPK302  unknown target\n" in opkg("explain", "--list").out
    missing = opkg("explain", "OPK3122")
    assert missing.code == 2
    assert "Did you mean OPK3" in missing.err


def test_every_id_in_the_code_is_in_the_catalog() -> None:
    import re

    from opkg.spec.catalog import entries

    package = Path(__file__).parent.parent.parent / "opkg"
    used = set()
    for room in ("project", "cli"):
        for path in (package / room).glob("*.py"):
            used |= set(re.findall(r'"(OPK\d{3})"', path.read_text()))
    used |= set(re.findall(r'"(OPK\d{3})"', (package / "targets" / "registry.py").read_text()))
    assert used <= set(entries())


def test_schema(opkg: Opkg, project: Path) -> None:
    schema = json.loads(opkg("schema").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert opkg("schema", "--write").code == 0
    assert json.loads((project / ".opkg" / "opspec.schema.json").read_text()) == schema
    assert opkg("schema", "--write", "x/y.json").code == 0
    assert (project / "x" / "y.json").exists()


def test_doctor(opkg: Opkg) -> None:
    done = opkg("doctor", "--format", "json")
    tools = {tool["name"]: tool for tool in done.objects()}
    assert tools["make"]["found"] == (done.code == 0) or done.code == 3
    for tool in tools.values():
        assert tool["found"] or tool["install"]
    assert tools["Python"]["version"].startswith("3.")
    for name, major in (("clang++-22", "22"), ("aarch64 g++", "")):
        assert not tools[name]["found"] or tools[name]["version"].startswith(major or tuple("0123456789")), tools[name]


def test_doctor_names_every_machine_that_is_there() -> None:
    from opkg.cli.doctor import _verdict
    from opkg.cli.tools import Tool

    machines = ("htp", "executorch", "hexagon", "onert", "openvino", "onnxruntime")
    tools = [Tool(name, f"verify --on {name}", True) for name in machines]
    assert _verdict(False, tools).endswith("on: host, htp, executorch, hexagon, onert, openvino, onnxruntime")


def test_doctor_without_tools(opkg: Opkg, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("OPKG_QNN_HTP_LIB", str(tmp_path / "none.so"))
    done = opkg("doctor")
    assert done.code == 3
    assert "apt-get install g++" in done.out
    assert "apt-get install make" in done.out
    assert "for verify --on htp: pip install 'opkg[htp]'" in done.out
    assert "ops cannot be verified here" in done.out


def test_doctor_reads_the_backends_own_version(tmp_path: Path) -> None:
    from opkg.cli.tools import build_id

    library = tmp_path / "libQnnHtp.so"
    library.write_bytes(b"\x00" * 5000 + b"v2.51.0.251103142500_1234\x00")
    assert build_id(str(library)) == "2.51.0"
    library.write_bytes(b"")
    assert build_id(str(library)) == ""


def test_build_and_verify_show_spec_errors(opkg: Opkg, project: Path) -> None:
    break_version(project)
    for verb in ("build", "verify"):
        done = opkg(verb, "--format", "json")
        assert (done.code, [f["id"] for f in done.objects()]) == (1, ["OPK130"])


def test_verify_on_an_unknown_machine(opkg: Opkg, project: Path) -> None:
    opkg("generate")
    done = opkg("verify", "--on", "host,hpt", "--format", "json")
    assert done.code == 2
    assert [(f["id"], f["hint"]) for f in done.objects()] == [("OPK431", "did you mean 'htp'?")]


def test_verify_without_the_machine(opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opkg("generate")
    monkeypatch.setenv("OPKG_QNN_HTP_LIB", "/nowhere/libQnnHtp.so")
    done = opkg("verify", "--on", "htp", "--format", "json")
    assert done.code == 3
    assert [f["id"] for f in done.objects()] == ["OPK430"]


def test_new_asks_nothing_without_a_terminal(opkg: Opkg, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.prompt", lambda *_, **__: pytest.fail("asked"))
    done = opkg("new", "HardGate", "--package", "acme.gates", "--dir", "gates")
    assert done.code == 0, done
    assert (project / "gates" / "specs" / "gates.yaml").exists()
    assert "HardGate (elementwise) is in gates/specs/gates.yaml in the new project gates" in done.out
    assert "next: opkg -C gates " in done.err
    assert "next: opkg -C 'my gates' verify" in opkg("new", "Gate", "--package", "acme.g", "--dir", "my gates").err
    again = opkg("new", "HardGate", "--dir", "gates", "--no-input")
    assert again.code == 1
    assert "[OPK342]" in again.out


def test_verbosity_may_stand_behind_the_verb(opkg: Opkg, project: Path) -> None:
    opkg("generate")
    said = opkg("check")
    assert said.err
    assert opkg("check", "-q") == opkg("-q", "check") == said._replace(err="")
    assert opkg("fmt", "-v") == opkg("-v", "fmt")
    assert opkg("rules", "check", "--quiet") == opkg("--quiet", "rules", "check")


@pytest.mark.parametrize(
    "args", [("fmt",), ("validate", "--fix"), ("rename", "Relu", "Rely"), ("remove", "Relu6"), ("new", "Other")]
)
def test_a_read_only_spec_stays(opkg: Opkg, project: Path, args: tuple[str, ...]) -> None:
    spec = project / "specs" / "vision.yaml"
    text = spec.read_text()
    second = text.partition("ops:\n")[2].replace("Relu:", "Relu6:")
    text += second if "--fix" not in args else second.replace("float32", "flaot32") + "\n\n"
    spec.write_text(text + "\n\n")
    spec.chmod(0o444)
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".opkg" not in path.name}
    done = opkg(*args)
    assert done.code == 1
    assert done.out.startswith("specs/vision.yaml: error: cannot write: the file is read-only [OPK324]\n")
    assert "chmod u+w specs/vision.yaml" in done.out
    assert before == {path: path.read_bytes() for path in before}


def test_new_dry_run(opkg: Opkg, project: Path) -> None:
    before = sorted(project.rglob("*"))
    there = opkg("new", "Other", "--dry-run")
    assert (there.code, "would write specs/vision.yaml\n" in there.out) == (0, True)
    fresh = opkg("new", "Other", "--dir", "p", "--package", "acme.p", "--dry-run")
    assert (fresh.code, "would write p/specs/p.yaml\n" in fresh.out) == (0, True)
    assert "would write p/generated/acme_p/qhpi/src/other.cpp\n" in fresh.out
    assert sorted(path for path in project.rglob("*") if ".opkg" not in path.name) == before
    assert opkg("new", "Relu", "--dry-run").code == 1


def test_new_with_a_bad_name_names_no_file_that_is_gone(
    opkg: Opkg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = opkg("new", "acme-vision", "--no-input")
    assert (done.code, done.out.splitlines()[0]) == (1, "error: 'acme-vision' is no name [OPK150]")
    assert list(tmp_path.iterdir()) == []
