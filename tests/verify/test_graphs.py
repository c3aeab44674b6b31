"""`opkg graph`: what the real backend puts around an op that stands among convolutions."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.verify.graphs.context import NotUnderstood, conversions, records
from opkg.verify.machines import htp

SPEC = """\
opkg: 1
package: {name: graph.ops, targets: [qnn-htp-qhpi]}
ops:
  Flat:
    types: {T: [ufixed8, float16, float32]}
    inputs:
      x: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = max(x, 0)
    kernels: [{layout: flat}]
  Blocks:
    types: {T: [ufixed8, sfixed8, ufixed16, float16]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: a.shape}
    outputs:
      y: {dtype: T, shape: a.shape}
    compute: y = max(a, b)
    kernels: [{layout: crouton}]
  Pool:
    types: {T: [ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
    outputs:
      y: {dtype: T, shape: "[N, 1, 1, C]"}
    compute: y = max(x, axis=(1, 2), keepdims=True)
    kernels: [{layout: flat}]
"""


def section(names: list[str], calls: list[int], first: int = 0x1303EE71) -> bytes:
    """A binary with these names, and records that call them."""
    text = b"".join(name.encode() + b"\0" for name in names)
    text += b"\0" * (-len(text) % 4)
    words = 2 + len(text) // 4
    found = b"head" + struct.pack("<IIII", 0x6F4390BC, words, len(names), len(text) // 4) + text
    for number, call in enumerate(calls):
        found += struct.pack("<IIII", first ^ number, 0x10000000 | call, 0x14, number)
    return found


def test_records_are_counted_by_the_names_that_they_call() -> None:
    found = records(section(["Const", "ForceFormat_Flat_c2f@FB.CB", "a.b::relu_u8"], [0, 1, 2, 1, 0, 0]))
    assert found == {"Const": 3, "ForceFormat_Flat_c2f@FB.CB": 2, "a.b::relu_u8": 1}
    assert conversions(found) == 2


@pytest.mark.parametrize(
    ("binary", "reason"),
    [
        (b"", "no names"),
        (b"\0" * 4096, "no names"),
        (section(["a", "b"], [0, 1])[:10], "no names"),
        (section(["a", "b"], [0, 0]), "no record calls"),
        (section(["a", "b"], [0, 1], first=7), "no record calls"),
        (section(["a", "b"], [0, 1, 2]), "calls op 2 of 2"),
    ],
    ids=["empty", "zeros", "cut", "unused", "other-records", "beyond"],
)
def test_what_is_not_understood_is_not_counted(binary: bytes, reason: str) -> None:
    with pytest.raises(NotUnderstood, match=reason):
        records(binary)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if htp.library() is None:
        if os.environ.get("CI"):
            pytest.fail("CI must have libQnnHtp.so")
        pytest.skip(htp.INSTALL)
    root = tmp_path_factory.mktemp("graph")
    (root / "specs").mkdir()
    (root / "specs" / "graph.yaml").write_text(SPEC, "utf-8")
    assert run(["-C", str(root), "generate"]) == 0
    return root


def rows(project: Path, capsys: pytest.CaptureFixture[str], *args: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert run(["graph", args[0], str(project / "specs"), *args[1:], "--format", "json"]) == 0
    return list(json.loads(capsys.readouterr().out))


@pytest.mark.htp
def test_a_flat_kernel_adds_two_conversions_each_time(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(project, capsys, "Flat", "--pairs", "1,3")
    figures = [(r["types"], r["pairs"], r["conversions"], r["kernels"]) for r in found if not r["problem"]]
    assert figures == [
        ("T=ufixed8", 1, 2, {"flat_u8": 1}), ("T=ufixed8", 3, 6, {"flat_u8": 3}),
        ("T=float16", 1, 2, {"flat_f16": 1}), ("T=float16", 3, 6, {"flat_f16": 3}),
    ]  # fmt: skip
    assert [r["types"] for r in found if r["problem"]] == ["T=float32"]
    assert all(sum(r["added"].values()) == r["conversions"] for r in found)  # type: ignore[attr-defined]


@pytest.mark.htp
def test_a_kernel_in_blocks_adds_none(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(project, capsys, "Blocks", "--pairs", "1,3", "--shape", "1,14,9,40")
    assert len(found) == 8
    assert {r["conversions"] for r in found} == {0}
    assert [sum(r["kernels"].values()) for r in found] == [1, 3] * 4  # type: ignore[attr-defined]


@pytest.mark.htp
def test_an_op_with_an_output_of_another_shape_stands_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(project, capsys, "Pool")
    assert (row["pairs"], row["kernels"], row["conversions"]) == (1, {"pool_u8": 1}, 2)


@pytest.mark.htp
def test_too_many_conversions_fail(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    specs = str(project / "specs")
    assert run(["graph", "Flat", specs, "--pairs", "1", "--most", "1"]) == 1
    assert "T=ufixed8, 1 pairs: 2 conversions per op" in capsys.readouterr().err
    assert run(["graph", "Blocks", specs, "--pairs", "1", "--most", "0"]) == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--pairs", "0"], "no list of positive numbers"),
        (["--pairs", "1000"], "at most 100"),
        (["--shape", "8,8"], "four dimensions"),
        (["--shape", "1,65536,65536,1"], "at most 16777216 elements"),
    ],
)
def test_misuse(args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "Flat", *args]) == 2
    assert words in capsys.readouterr().err
