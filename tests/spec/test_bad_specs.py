"""Bad specs: each file's findings, with message, line and column, stand at its end; UPDATE_GOLDENS=1 rewrites them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.spec.catalog import entries
from opkg.spec.reader import read, read_file
from opkg.spec.source import MAX_BYTES

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.yaml"))
MARK = "# Findings:\n"


def findings_of(path: Path) -> str:
    package, diagnostics = read_file(path, path.name)
    assert package is None
    return "".join(f"#   {d.span.line}:{d.span.column} {d.id} {d.message}\n" for d in diagnostics)


@pytest.mark.parametrize("path", BAD, ids=[path.stem for path in BAD])
def test_findings(path: Path) -> None:
    text = path.read_text("utf-8")
    found = findings_of(path)
    if os.environ.get("UPDATE_GOLDENS"):
        path.write_text(text.partition(MARK)[0] + MARK + found, "utf-8")
        return
    assert text.partition(MARK)[2] == found, "read the difference, then UPDATE_GOLDENS=1 pytest " + __file__


@pytest.mark.parametrize("path", BAD, ids=[path.stem for path in BAD])
def test_spans_are_inside_the_file(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    for d in read_file(path)[1]:
        assert 1 <= d.span.line <= len(lines)
        assert 1 <= d.span.column <= len(lines[d.span.line - 1]) + 1
        assert (d.span.end_line, d.span.end_column) > (d.span.line, d.span.column)
        assert d.message
        assert d.hint != d.message


# What a file of its own is needed for: bytes, id, line, column, end column, part of the message.
BYTES = [
    (b"a: \xff", "OPK101", 1, 4, 5, "byte 0xff"),
    ("opkg: 1\nä: ü".encode("latin-1"), "OPK101", 2, 1, 2, "byte 0xe4"),
    ("opkg: 1".encode("utf-16"), "OPK101", 1, 1, 2, "byte 0xff"),
    (b"#" * (MAX_BYTES + 1), "OPK102", 1, 1, 1, "4 MiB"),
    (b"a: 1\nb: \x07", "OPK103", 2, 4, 5, "U+0007"),
    ("a: '\u202e'".encode(), "OPK103", 1, 5, 6, "U+202E"),
    ("a: '\u2028'".encode(), "OPK103", 1, 5, 6, "U+2028"),
    (b"a: 1\xef\xbb\xbf", "OPK103", 1, 5, 6, "U+FEFF"),
    (b"a: b: c", "OPK104", 1, 5, 6, "mapping values"),
    (b"x: [N, H / b[0]]", "OPK104", 1, 13, 14, "expected ',' or ']'"),
    (b'a: "x', "OPK104", 1, 6, 7, "quoted scalar"),
    (b"a: > 0", "OPK104", 1, 6, 7, "block scalar"),
    (b"a: @x", "OPK104", 1, 4, 5, "cannot start any token"),
    (b"a: &x 1\nb: &x 2", "OPK104", 2, 4, 5, "duplicate anchor"),
    (b"a: !e!x 1", "OPK104", 1, 4, 5, "tag"),
    (b"a:\n\tb: 1", "OPK105", 2, 1, 2, "tab"),
    (b"a: 1\n---\nb: 2\n", "OPK106", 2, 1, 2, "one YAML document"),
    (b"", "OPK107", 1, 1, 1, "empty"),
    (b"# only\n", "OPK107", 1, 1, 1, "empty"),
    (b"[" * 100_000, "OPK108", 1, 32, 33, "32 levels"),
    (b"{a: " * 50_000, "OPK108", 1, 125, 126, "32 levels"),
    (b"- " * 50_000, "OPK108", 1, 63, 64, "32 levels"),
    (b"? " * 50_000, "OPK108", 1, 63, 64, "32 levels"),
    (b"a:\n" + b"".join(b" " * i + b"a:\n" for i in range(1, 500)), "OPK108", 32, 32, 33, "32 levels"),
    (b"- a\n" * 400_001, "OPK109", 1, 1, 2, "400000"),
    (b"a: !!python/object:os.system x", "OPK110", 1, 4, 5, "!!python/object:os.system"),
    (b"opkg: 1\nopkg: 1", "OPK111", 2, 1, 5, "'opkg' stands twice"),
    (b"? [a]\n: b", "OPK112", 1, 3, 6, "list"),
    (b"1: b", "OPK112", 1, 1, 2, "'1'"),
    (b"~: b", "OPK112", 1, 1, 2, "'~'"),
    (b"a: &a {}\nb: {<<: *a}", "OPK113", 2, 5, 7, "merge"),
    (b"a: [*batch, C]", "OPK114", 1, 5, 11, "'*batch'"),
    (b"a: &a [*a]", "OPK115", 1, 4, 5, "alias of itself"),
    (b"on: 1", "OPK124", 1, 1, 3, "'on'"),
    (b"opkg: 2", "OPK132", 1, 7, 8, "'2'"),
    (b'opkg: "1"', "OPK132", 1, 7, 10, "'1'"),
    (b"opkg: 1\nops: {}\npackage: [a]", "OPK122", 3, 10, 13, "mapping"),
    (b"[1]", "OPK122", 1, 1, 4, "mapping"),
    (b"opkg", "OPK122", 1, 1, 5, "mapping"),
]


@pytest.mark.parametrize(("data", "id_", "line", "column", "end", "part"), BYTES, ids=[r[0][:20] for r in BYTES])
def test_bytes(data: bytes, id_: str, line: int, column: int, end: int, part: str) -> None:
    package, diagnostics = read(data, "f")
    assert package is None
    (d,) = [d for d in diagnostics if d.id == id_]
    assert part in d.message
    assert tuple(d.span) == ("f", line, column, line, end)


def test_alias_bomb_ends_quickly() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    _, diagnostics = read("\n".join(lines).encode(), "f")
    assert [d.id for d in diagnostics] == ["OPK109"]
    assert "aliases expand" in diagnostics[0].message


def test_unreadable_file(tmp_path: Path) -> None:
    package, (finding,) = read_file(tmp_path / "none.yaml", "none.yaml")
    assert package is None
    assert (finding.id, finding.span.path) == ("OPK100", "none.yaml")
    assert read_file(tmp_path)[1][0].id == "OPK100"


def test_byte_order_mark_and_carriage_returns() -> None:
    text = "\ufeffopkg: 1\r\npackage: {name: a.b}\r\nops:\r\n  R:\r\n    inputs: {x: {dtyp: float32}}\r\n"
    ids = [(d.id, d.span.line, d.span.column) for d in read(text.encode(), "f")[1]]
    assert ids == [("OPK121", 4, 3), ("OPK120", 5, 18)]


def used_ids() -> set[str]:
    """All ids that the code of the spec room raises."""
    found: set[str] = set()
    for path in (HERE.parents[1] / "opkg" / "spec").rglob("*.py"):
        if not path.name.startswith("catalog_"):
            found.update(re.findall(r"\"(OPK1\d\d)\"", path.read_text("utf-8")))
    return found


def test_every_id_is_in_the_catalog_and_the_other_way_round() -> None:
    known = {id_ for id_ in entries() if id_.startswith("OPK1")}
    assert known == used_ids()
    for entry in entries().values():
        assert entry.title
        assert entry.explanation


def test_every_id_has_a_test_with_line_and_column() -> None:
    texts = "".join(path.read_text("utf-8").partition(MARK)[2] for path in BAD)
    tested = set(re.findall(r"OPK\d\d\d", texts)) | {row[1] for row in BYTES}
    tested |= set(re.findall(r"\"(OPK\d\d\d)\", \d", (HERE / "test_parse_expr.py").read_text("utf-8")))
    assert used_ids() - tested == {"OPK100"}  # test_unreadable_file


def test_order_does_not_hang_on_the_hash_seed() -> None:
    code = "import sys; from opkg.spec.reader import read_file\nfor p in sys.argv[1:]: print(*read_file(p), sep='\\n')"
    paths = [str(path) for path in (*BAD, *(HERE / "good").glob("*.yaml"))]
    outputs = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(HERE.parents[1])}
        run = subprocess.run(
            [sys.executable, "-c", code, *sorted(paths)], capture_output=True, env=environment, check=True
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1


def test_without_libyaml_the_findings_are_the_same() -> None:
    code = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from opkg.spec.source import FAST; assert not FAST\n"
        "from opkg.spec.reader import read_file\n"
        "for p in sys.argv[1:]:\n"
        "    for d in read_file(p)[1]: print(d.span.line, d.span.column, d.id, d.message)\n"
    )
    paths = [*BAD, *sorted((HERE / "good").glob("*.yaml"))]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    command = [sys.executable, "-c", code, *map(str, paths)]
    slow = subprocess.run(command, capture_output=True, env=environment, check=True, text=True).stdout
    lines = [f"{d.span.line} {d.span.column} {d.id} {d.message}" for path in paths for d in read_file(path)[1]]
    assert slow.splitlines() == lines
