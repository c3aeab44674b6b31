"""`opkg list`, lists of names in options, and their completion."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
ROOT = Path(__file__).parents[2]


def test_as_the_page_shows(opkg: Opkg, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "commands.md").read_text()
    shown = page.partition("$ opkg list examples/math\n")[2].partition("\n\n")[0]
    assert opkg("list", "examples/math").out == "".join(line[4:] + "\n" for line in shown.split("\n"))


def test_json(opkg: Opkg, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (found,) = opkg("list", "examples/layout", "--op", "Split", "--format", "json").objects()
    assert found["inputs"] == ["x"]
    assert found["outputs"] == ["first", "second"]
    assert found["types"] == [{"T": "ufixed8"}, {"T": "float32"}]
    assert (found["computed"], found["bodies"]) == (False, ["kernels/split.cpp"])
    line = (ROOT / found["path"]).read_text().split("\n")[found["line"] - 1]
    assert line == "  Split:"


def test_a_spec_with_errors_is_shown_as_such(opkg: Opkg, project: Path) -> None:
    (project / "specs" / "other.yaml").write_text("opkg: 1\npackage: {name: acme.other}\nops:\n  Bad: {summary: s}\n")
    done = opkg("list")
    assert done.code == 1
    assert "acme.vision 1.0.0  specs/vision.yaml: toy\n  Relu  x -> y  f32  kernels/relu.cpp, reference\n" in done.out
    assert "specs/other.yaml:4:3: error: " in done.out


def test_names_that_there_are_not_are_misuse(opkg: Opkg, project: Path) -> None:
    for args in (("list", "--op", "Relu,Rel"), ("verify", "--op", "Rel"), ("rules", "offer", "--op", "Rel")):
        opkg("generate")
        done = opkg(*args)
        assert done.code == 2, args
        assert "'Rel'" in done.out + done.err
        assert "id you mean 'Relu'?" in done.out + done.err


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("opkg verify --op S", ["Softmax"]),
        ("opkg verify --op Add,S", ["Add,Softmax"]),
        ("opkg verify --on host,ht", ["host,htp"]),
        ("opkg generate --target qnn-htp-q", ["qnn-htp-qhpi"]),
        ("opkg rename Gr", ["Greater"]),
        ("opkg bench Gr", ["Greater"]),
        ("opkg export nn", ["nn.math"]),
        ("opkg build --device v73,v7", ["v73,v75", "v73,v79"]),
        ("opkg explain OPK42", [f"OPK{n}" for n in range(420, 427)]),
    ],
)
def test_completion(words: str, found: list[str]) -> None:
    count = str(len(words.split()) - 1)
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "_OPKG_COMPLETE": "bash_complete", "COMP_WORDS": words}
    done = subprocess.run(
        [sys.executable, "-c", "from opkg.cli.main import main; main()"], cwd=ROOT / "examples" / "math",
        env={**env, "COMP_CWORD": count}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert [line.removeprefix("plain,") for line in done.stdout.split()] == found, done.stderr
