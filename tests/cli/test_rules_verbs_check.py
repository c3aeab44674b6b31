"""`opkg rules check` and `opkg rules explain --construct`: files, folders, standard input, formats, exit codes."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
GOOD = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), IS_QUINT8("X"), Op("B", "X"))\n'
WRONG = 'DEF_PACKAGE_OPTIMIZATION(\n    EARLY,\n    Op("A", "X"),\n    OK,\n    Op("B", "Y"))\n'
SPEC = """\
opkg: 1
package: {name: acme.vision, version: 1.0.0}
ops:
  Relu:
    inputs: {x: {dtype: float32, shape: [rest...]}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    reference: references:f
    rules:
      - name: fuse
        match: |
          Op(FROM_DEFAULT_PACKAGE("Relu"),
             "X")
        replace: Op("Relu", "Z")
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_WORKSPACE", "OPKG_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_clean(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").write_text(GOOD + GOOD.replace('"A"', '"C"'))
    assert opkg("rules", "check", "a.cpp") == (0, "", "opkg: 2 rules in 1 file: nothing wrong\n")


def test_text(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").write_text(WRONG)
    done = opkg("rules", "check", "a.cpp")
    assert (done.code, done.err) == (1, "")
    assert done.out == (
        'a.cpp:5:13: error: the pattern has no tag "Y" [OPK525]\n'
        '        Op("B", "Y"))\n'
        "                ^~~\n"
        '    hint: the pattern has "X" (opkg explain OPK525)\n'
        "1 error in 1 file\n"
    )


def test_json_of_a_spec(opkg: Opkg, here: Path) -> None:
    (here / "v.yaml").write_text(SPEC)
    done = opkg("rules", "check", "v.yaml", "--format", "json")
    assert done.code == 1
    (found,) = (f for f in done.objects() if f["severity"] == "error")
    assert (found["path"], found["line"], found["column"], found["end_column"]) == ("v.yaml", 13, 29, 32)
    assert (found["id"], found["message"]) == ("OPK525", 'the pattern has no tag "Z"')
    assert set(found) >= {"path", "line", "column", "severity", "id", "message", "hint"}


def test_sarif_and_github(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").write_text(WRONG)
    run = json.loads(opkg("rules", "check", "a.cpp", "--format", "sarif").out)["runs"][0]
    assert run["results"][0]["ruleId"] == "OPK525"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    done = opkg("rules", "check", "a.cpp", "--format", "github")
    assert done.out.startswith("::error file=a.cpp,line=5,col=13,endColumn=15,title=opkg OPK525::")


def test_a_broken_spec(opkg: Opkg, here: Path) -> None:
    (here / "v.yaml").write_text("opkg: 1\npackage: {name: 7}\n")
    done = opkg("rules", "check", "v.yaml", "--format", "json")
    assert done.code == 1
    assert all(f["id"].startswith("OPK1") for f in done.objects())


def test_folders_are_searched_for_what_is_ours(opkg: Opkg, here: Path) -> None:
    (here / "src").mkdir()
    (here / "src" / "a.cpp").write_text(GOOD)
    (here / "src" / "plain.cpp").write_text("int main() {}\n")
    (here / "src" / "other.yaml").write_text("key: value\n")
    (here / "src" / ".git").mkdir()
    (here / "src" / ".git" / "b.cpp").write_text(WRONG)
    (here / "src" / "build").mkdir()
    (here / "src" / "build" / "c.cpp").write_text(WRONG)
    done = opkg("rules", "check", "src")
    assert (done.code, done.out, done.err) == (0, "", "opkg: 1 rule in 1 file: nothing wrong\n")
    assert opkg("rules", "check", "src", "src/a.cpp").err == "opkg: 1 rule in 1 file: nothing wrong\n"


def test_ops_of_a_searched_folder_are_known(opkg: Opkg, here: Path) -> None:
    """Of single files they are not: an op may be registered in one that was not given."""
    (here / "a.cpp").write_text('DEF_PACKAGE_OP(a_impl<Tensor>, "A");\n' + GOOD)
    words = ("--package", "acme", "--format", "json")
    assert opkg("rules", "check", "a.cpp", *words).objects() == []
    (found,) = opkg("rules", "check", ".", *words).objects()
    assert (found["id"], found["severity"], found["line"]) == ("OPK566", "warning", 2)
    (here / "b.cpp").write_text('DEF_PACKAGE_OP(b_impl<Tensor>, "B");\n')
    assert opkg("rules", "check", ".", *words).objects() == []


def test_standard_input(opkg: Opkg, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    done = opkg("rules", "check", "-", "--as", "cpp", "--format", "json")
    assert [(f["path"], f["line"], f["column"]) for f in done.objects()] == [("<stdin>", 5, 13)]


def test_the_sdk_decides(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").write_text(GOOD.replace("EARLY", "PRE_OPTIMIZATION"))
    assert opkg("rules", "check", "a.cpp", "--sdk", "2.43").code == 0
    assert opkg("rules", "check", "a.cpp", "--sdk", "2.25").code == 1
    done = opkg("rules", "check", "a.cpp", "--sdk", "new")
    assert done.code == 2
    assert "an SDK version is wanted" in done.err
    (here / "v.yaml").write_text(
        SPEC.replace('"Z"', '"X"').replace("name: fuse", "name: fuse\n        pass: PRE_OPTIMIZATION")
    )
    assert opkg("rules", "check", "v.yaml", "--sdk", "2.43").code == 0
    assert opkg("rules", "check", "v.yaml", "--sdk", "2.25").code == 1


def test_macros_of_the_user(opkg: Opkg, here: Path) -> None:
    """Only the preprocessor sees what they stand for."""
    headers = ("HTP/core/constraints.h", "HTP/core/optimize.h", "tags.h")
    source = "#define BOTH(NAME) Op(NAME, X_TAG)\n" + "".join(f'#include "{header}"\n' for header in headers)
    source += 'DEF_PACKAGE_OPTIMIZATION(EARLY, BOTH("A"), OK, Op("B", OTHER))\n'
    (here / "inc").mkdir()
    (here / "inc" / "tags.h").write_text('#define X_TAG "X"\n')
    (here / "a.cpp").write_text(source)
    assert opkg("rules", "check", "a.cpp").code == 1
    words = ("rules", "check", "a.cpp", "--preprocess", "-I", "inc")
    assert opkg(*words, "-D", 'OTHER="X"').code == 0
    done = opkg(*words, "-D", 'OTHER="Y"', "--format", "json")
    assert [(f["id"], f["path"], f["line"]) for f in done.objects() if f["severity"] == "error"] == [
        ("OPK525", "a.cpp", 5)
    ]
    assert opkg("rules", "check", "a.cpp", "--preprocess").code == 1  # tags.h is not found
    (here / "a.cpp").write_text(GOOD)
    assert "the preprocessor leaves no rule of this file" in opkg("rules", "check", "a.cpp", "--preprocess").out


def test_a_compiler_that_is_missing(opkg: Opkg, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.cpp").write_text(GOOD)
    monkeypatch.setenv("CXX", "no-such-compiler")
    done = opkg("rules", "check", "a.cpp", "--preprocess", "--format", "json")
    assert done.code == 3
    assert done.objects()[0]["id"] == "OPK515"


def test_odd_files(opkg: Opkg, here: Path) -> None:
    os.mkfifo(here / "fifo.cpp")
    (here / "binary.cpp").write_bytes(bytes(range(256)))
    (here / "huge.cpp").write_bytes(b" " * (17 << 20))
    (here / "latin.cpp").write_bytes(b"// caf\xe9 \xff\n" + WRONG.encode())
    names = ("fifo.cpp", "binary.cpp", "huge.cpp", "latin.cpp", "none.cpp", "none.yaml")
    done = opkg("rules", "check", *names, "--format", "json")
    assert done.code == 1
    assert [(f["path"], f["line"], f["id"]) for f in done.objects()] == [
        ("binary.cpp", 1, "OPK301"),
        ("huge.cpp", 1, "OPK301"),
        ("latin.cpp", 6, "OPK525"),
        ("none.cpp", 1, "OPK301"),
        ("none.yaml", 1, "OPK301"),
    ]


def test_a_folder_named_like_a_file(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").mkdir()
    (here / "a.cpp" / "b.cpp").write_text(GOOD)
    assert opkg("rules", "check", "a.cpp").code == 0


def test_the_group(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "chek")
    assert done.code == 2
    assert "no verb 'chek'. Did you mean 'check'?" in done.err
    done = opkg("rules", "-h")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.partition("Verbs:\n")[2].splitlines() if line.strip()] == [
        "check", "format", "explain", "apply", "test", "offer", "migrate",
    ]  # fmt: skip


def test_explain_construct(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "explain", "--construct", "DIM_OF")
    assert done.code == 0
    assert done.out.startswith("DIM_OF(x: operand, index: integer constant) -> size")
    assert "  trap: " in done.out
    done = opkg("rules", "explain", "--construct", "SELECT", "--format", "json")
    assert [row["context"] for row in done.objects()] == ["scalar", "operand", "replacement"]
    done = opkg("rules", "explain", "--construct", "DIMOF")
    assert done.code == 2
    assert "Did you mean 'DIM_OF'?" in done.err
    assert opkg("rules", "explain", "--construct", "OK", "a.cpp").code == 2


def test_explain_rules(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").write_text(GOOD + GOOD.replace('Op("B", "X")', '"X"'))
    done = opkg("rules", "explain", "a.cpp", "--package", "my")
    assert (done.code, done.err) == (0, "")
    first, second = done.out.split("\n\n")
    assert first == (
        "a_1  a.cpp:1\n"
        "  runs in pass EARLY (3050), before QUANT_FIXES (4000)\n"
        "  is tried on every my::A until no rule of the pass applies any more\n"
        "  matches\n"
        "    *: my::A\n"
        "    └─ X\n"
        "  when\n"
        "    X.dtype == QUInt8\n"
        "  builds\n"
        "    my::B\n"
        "    └─ X"
    )
    assert second.startswith("a_2  a.cpp:2\n")
    assert opkg("rules", "explain", "a.cpp", "--package", "my", "--rule", "a_1").out == first + "\n"


def test_explain_json(opkg: Opkg, here: Path) -> None:
    (here / "v.yaml").write_text(SPEC.replace('"Z"', '"X"'))
    (row,) = opkg("rules", "explain", "v.yaml", "--rule", "fuse", "--format", "json").objects()
    assert (row["rule"], row["root"], row["priority"], row["when"]) == ("Relu.fuse", "q::Relu", 3050, [])
    assert row["builds"] == ["acme.vision::Relu", "└─ X"]


def test_explain_as_sarif_and_github(opkg: Opkg, here: Path) -> None:
    (here / "good.cpp").write_text(GOOD)
    done = opkg("rules", "explain", "good.cpp", "--format", "sarif")
    assert done.code == 0
    (result,) = json.loads(done.out)["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("OPK518", "note")
    assert "runs in pass" in result["message"]["text"]
    assert "title=opkg OPK518::good_1" in opkg("rules", "explain", "good.cpp", "--format", "github").out
    assert opkg("rules", "explain", "--construct", "DIM_OF", "--format", "sarif").code == 2


def test_explain_says_what_is_wrong(opkg: Opkg, here: Path) -> None:
    """Rules that can work are explained nevertheless."""
    (here / "a.cpp").write_text(GOOD + WRONG)
    done = opkg("rules", "explain", "a.cpp")
    assert done.code == 1
    assert "a.cpp:6:13: error: " in done.out
    assert "\na_1  a.cpp:1\n" in done.out
    done = opkg("rules", "explain", "a.cpp", "--rule", "b_1")
    assert done.code == 2
    assert "no rule 'b_1'. Did you mean 'a_1'?" in done.err


def test_explain_passes_and_flags(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "explain", "--construct", "EARLY")
    assert done.out == "EARLY   pass\n  3050 (SDK 2.13, 2.25, 2.43)\n  meant for op packages\n"
    (row,) = opkg("rules", "explain", "--construct", "PRE_OPTIMIZATION", "--format", "json").objects()
    assert row == {"name": "PRE_OPTIMIZATION", "context": "pass", "numbers": {"2.43": 50}}
    assert opkg("rules", "explain", "--construct", "cse_after_if").out.startswith("cse_after_if   flag\n")
    done = opkg("rules", "explain", "--construct", "EARLI")
    assert done.code == 2
    assert "Did you mean 'EARLY'?" in done.err
