"""Nothing that stands in a file makes the reader raise: random bytes, and good specs with changes."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.reader import read
from opkg.spec.records import OP

HERE = Path(__file__).parent
SEEDS = [path.read_bytes() for folder in ("good", "bad") for path in sorted((HERE / folder).glob("*.yaml"))]
LINES = sorted({line for seed in SEEDS for line in seed.splitlines(keepends=True)})
TOKENS = [
    *(b"[", b"]", b"{", b"}", b":", b",", b"- ", b"*", b"&", b"!", b"|", b">", b"'", b'"', b"#", b"\t", b"\n", b".."),
    *(b"...", b"~", b"x", b"T", b"0", b"-1", b"1e9999", b"rank(x)", b"\xc3\xa4", b"\xff", b"%", b"@", b"  "),
]


def check(data: bytes) -> None:
    package, diagnostics = read(data, "f")
    assert (package is None) == any(d.is_error for d in diagnostics)
    for d in diagnostics:
        assert d.id.startswith(("OPK1", "OPK285", "OPK286", "OPK49"))
        assert d.span.line >= 1
        assert d.span.column >= 1


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    check(data)


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_changed_specs(data: st.DataObject) -> None:
    """Cut, repeat and insert at random places of a spec that means something."""
    text = data.draw(st.sampled_from(SEEDS))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 12)))
        new = data.draw(st.sampled_from(TOKENS) | st.sampled_from(LINES) | st.just(b""))
        text = text[:at] + new + text[end:]
    check(text)


HEAD = b"opkg: 1\npackage: {name: a.b}\nops:\n  Op:\n"


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_shuffled_lines(lines: list[bytes]) -> None:
    check(HEAD + b"".join(lines))


def trees(depth: int = 3) -> st.SearchStrategy[object]:
    leaf = st.sampled_from(["x", "T", "float32", 1, -1, 0.5, True, None, "", "[N]", "x.shape", "rank(x)", "1..3", []])
    keys = st.sampled_from([*OP.by_name, "x", "y", "T", "dtype", "shape", "rank", "default", "when"])
    if depth == 0:
        return leaf
    return st.one_of(leaf, st.lists(trees(depth - 1), max_size=3), st.dictionaries(keys, trees(depth - 1), max_size=4))


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(list(OP.by_name)), trees(), max_size=8))
def test_right_keys_with_wrong_values(op: dict[str, object]) -> None:
    check(json.dumps({"opkg": 1, "package": {"name": "a.b"}, "ops": {"Op": op}}).encode())
