"""`opkg rules format`: what it writes, prints and leaves alone."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
UGLY = b'int x;\r\nDEF_PACKAGE_OPTIMIZATION(EARLY,Op("A","X"),  OK, /* why */ Op("B","X"))\r\nint y; // caf\xe9\n'
TIDY = (
    b'int x;\r\nDEF_PACKAGE_OPTIMIZATION(\r\n    EARLY,\r\n    Op("A", "X"),\r\n    OK,\r\n    /* why */ Op("B", "X"))\r\n'
    b"int y; // caf\xe9\n"
)
OPEN = 'DEF_PACKAGE_OPTIMIZATION(EARLY,Op("A","X",  OK)\n'
SPEC = """\
opkg: 1
package: {name: acme.vision, version: 1.0.0}
ops:
  Relu:
    inputs: {x: {dtype: float32, shape: [rest...]}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    reference: references:f
    rules:
      - {match: 'Op("A",  "X")', replace: 'Op("Relu",   "X")'}   # a note
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPKG_DEBUG", raising=False)
    return tmp_path


def test_a_file_is_formatted_once(opkg: Opkg, here: Path) -> None:
    """CRLF, comments, bytes that are no UTF-8, mode and link stay."""
    (here / "real.cpp").write_bytes(UGLY)
    (here / "real.cpp").chmod(0o640)
    (here / "a.cpp").symlink_to("real.cpp")
    assert opkg("rules", "format", "a.cpp") == (0, "", "opkg: 1 file formatted\n")
    assert (here / "real.cpp").read_bytes() == TIDY
    assert (here / "a.cpp").is_symlink()
    assert stat.S_IMODE((here / "real.cpp").stat().st_mode) == 0o640
    assert sorted(os.listdir(here)) == ["a.cpp", "real.cpp"]
    stamp = (here / "real.cpp").stat().st_mtime_ns
    assert opkg("rules", "format", "a.cpp") == (0, "", "opkg: 1 file as it should be\n")
    assert (here / "real.cpp").stat().st_mtime_ns == stamp


def test_check_and_diff_write_nothing(opkg: Opkg, here: Path) -> None:
    (here / "a.cpp").write_bytes(UGLY)
    (here / "b.cpp").write_bytes(TIDY)
    done = opkg("rules", "format", "--check", ".")
    assert (done.code, done.out) == (1, "would format a.cpp\n")
    assert done.err == "opkg: 1 file would be formatted, 1 file as it should be\n"
    done = opkg("rules", "format", "--diff", "a.cpp")
    assert done.code == 0
    assert done.out.splitlines()[:2] == ["--- a.cpp", "+++ a.cpp (formatted)"]
    assert '+    /* why */ Op("B", "X"))' in done.out.splitlines()
    assert (here / "a.cpp").read_bytes() == UGLY


def test_a_file_that_does_not_parse_is_not_touched(opkg: Opkg, here: Path) -> None:
    broken = UGLY + OPEN.encode()
    (here / "a.cpp").write_bytes(broken)
    (here / "b.cpp").write_bytes(UGLY)
    done = opkg("rules", "format", "a.cpp", "b.cpp", "--format", "json")
    assert done.code == 1
    assert [(f["path"], f["line"], f["column"], f["id"]) for f in done.objects()] == [("a.cpp", 4, 25, "OPK501")]
    assert (here / "a.cpp").read_bytes() == broken
    assert (here / "b.cpp").read_bytes() == TIDY, "others are formatted nevertheless"


def test_a_spec_is_formatted(opkg: Opkg, here: Path) -> None:
    (here / "v.yaml").write_text(SPEC)
    assert opkg("rules", "format", "v.yaml").code == 0
    text = (here / "v.yaml").read_text()
    assert """- {match: 'Op("A", "X")', replace: 'Op("Relu", "X")'}   # a note\n""" in text


def test_standard_input(opkg: Opkg, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'DEF_PACKAGE_OPTIMIZATION(LATE,Op("A"),OK,"*")\n')))
    done = opkg("rules", "format", "-", "--as", "cpp")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("DEF_PACKAGE_OPTIMIZATION(")
    assert 'Op("A")' in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-",), "'-' needs --as cpp or --as yaml."),
        (("a.txt",), "'a.txt': neither a spec (.yaml) nor C++ (.cpp, .h); say which with --as."),
        (("a.yaaml",), "Did you mean '.yaml'?"),
        (("--chek", "a.cpp"), "No such option"),
    ],
)
def test_misuse(opkg: Opkg, here: Path, words: tuple[str, ...], said: str) -> None:
    (here / "a.txt").write_text("")
    done = opkg("rules", "format", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_full_disk_leaves_the_file(opkg: Opkg, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.cpp").write_bytes(UGLY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fchmod", full)
    done = opkg("rules", "format", "a.cpp", "--format", "json")
    assert done.code == 1
    assert [(f["path"], f["id"]) for f in done.objects()] == [("a.cpp", "OPK324")]
    assert (here / "a.cpp").read_bytes() == UGLY
    assert os.listdir(here) == ["a.cpp"]


def test_odd_files(opkg: Opkg, here: Path) -> None:
    os.mkfifo(here / "fifo.cpp")
    (here / "binary.cpp").write_bytes(bytes(range(256)))
    done = opkg("rules", "format", "fifo.cpp", "binary.cpp", "missing.cpp", "--format", "json")
    assert done.code == 1
    assert [(f["path"], f["id"]) for f in done.objects()] == [("binary.cpp", "OPK301"), ("missing.cpp", "OPK301")]


def test_nothing_to_format(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "format")
    assert done.code == 1
    assert "OPK300" in done.out
