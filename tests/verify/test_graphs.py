"""`opkg graph`: what the real backend puts around an op that stands among convolutions."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.verify.machines import htp
from opkg.verify.machines.context import NotUnderstood, conversions, records

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
  Either:
    types: {T: [float32, ufixed8, sfixed8, ufixed16, float16]}
    inputs:
      a: {dtype: T, rank: 1..5}
      b: {dtype: T, rank: 1..5}
    outputs:
      y: {dtype: T, shape: "broadcast(a, b)"}
    compute: y = a + b
    kernels: [{layout: either}]
  Channels:
    types: {T: [ufixed8]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
      alpha: {dtype: T, shape: [C]}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x if x > 0 else alpha * x
    kernels: [{layout: either}]
  Norm:
    types: {T: [ufixed8, float16]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
      gamma: {dtype: T, shape: [C], static: true}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = (x - mean(x, axis=-1, keepdims=True)) * gamma
    kernels: [{layout: either}]
  Peak:
    types: {T: [ufixed8, ufixed16]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
    outputs:
      y: {dtype: T, shape: "[N, H, W, 1]"}
    compute: y = max(x, axis=-1, keepdims=True)
    kernels: [{layout: either}]
  Pool:
    types: {T: [ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
    outputs:
      y: {dtype: T, shape: "[N, 1, 1, C]"}
    compute: y = max(x, axis=(1, 2), keepdims=True)
    kernels: [{layout: flat}]
  Mean:
    types: {T: [ufixed8, ufixed16]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
    outputs:
      y: {dtype: T, shape: "[N, 1, 1, C]"}
    compute: y = mean(x, axis=(1, 2), keepdims=True)
    kernels: [{layout: either}]
  Turn:
    types: {T: [ufixed8, ufixed16]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = concat(max(x[..., 32:], 0), x[..., :32], axis=-1)
  Gate:
    types: {T: [ufixed8, ufixed16]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
      g: {dtype: T, shape: [N, H, W, 1]}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x * g
"""


def section(
    names: list[str],
    calls: list[int],
    first: int = 0x1303EE71,
    sliced: tuple[int, ...] = (),
    marked: tuple[int, ...] = (),
) -> bytes:
    """A binary with these names, and records that call them; those of `sliced` in four slices, `marked` ones with bit 31."""
    text = b"".join(name.encode() + b"\0" for name in names)
    text += b"\0" * (-len(text) % 4)
    words = 2 + len(text) // 4
    found = b"head" + struct.pack("<IIII", 0x6F4390BC, words, len(names), len(text) // 4) + text
    for number, call in enumerate(calls):
        slices = struct.pack("<I", 0x01000004) if number in sliced else b""
        bits = (0x40000000 if slices else 0) | (0x80000000 if number in marked else 0)
        found += struct.pack("<I", first ^ number | bits) + slices
        found += struct.pack("<III", 0x10000000 | call, 0x14, number)
    return found


def test_records_are_counted_by_the_names_that_they_call() -> None:
    found = records(section(["Const", "ForceFormat_Flat_c2f@FB.CB", "a.b::relu_u8"], [0, 1, 2, 1, 0, 0]))
    assert found == {"Const": 3, "ForceFormat_Flat_c2f@FB.CB": 2, "a.b::relu_u8": 1}
    assert conversions(found) == 2


def test_records_of_kernels_in_slices_are_counted() -> None:
    names, calls = ["Const", "ForceFormat_Flat_c2f@FB.CB", "a.b::relu_u8"], [0, 1, 2, 1, 0, 2]
    found = records(section(names, calls, sliced=(2, 5)))
    assert found == {"Const": 2, "ForceFormat_Flat_c2f@FB.CB": 2, "a.b::relu_u8": 2}


def test_marked_records_of_large_graphs_are_counted() -> None:
    names, calls = ["Const", "ForceFormat_Flat_c2f@FB.CB", "a.b::relu_u8"], [0, 1, 2, 1, 0, 2]
    found = records(section(names, calls, sliced=(2, 5), marked=(1, 5)))
    assert found == {"Const": 2, "ForceFormat_Flat_c2f@FB.CB": 2, "a.b::relu_u8": 2}


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
@pytest.mark.parametrize(("op", "graphs"), [("Either", 4), ("Channels", 1)])
def test_kernels_for_both_layouts_add_none_among_convolutions(
    project: Path, capsys: pytest.CaptureFixture[str], op: str, graphs: int
) -> None:
    found = [row for row in rows(project, capsys, op, "--pairs", "1,3,8") if not row["problem"]]
    assert [(r["pairs"], r["conversions"]) for r in found] == [(1, 0), (3, 0), (8, 0)] * graphs
    for row in found:
        assert [(n.endswith("_crouton"), k) for n, k in row["kernels"].items()] == [(True, row["pairs"])]  # type: ignore[attr-defined]


@pytest.mark.htp
@pytest.mark.parametrize("shape", ["1,1,1,1280", "1,56,56,1", "3,28,28,3"])
def test_among_convolutions_ops_stay_in_blocks_that_are_mostly_padding(
    project: Path, capsys: pytest.CaptureFixture[str], shape: str
) -> None:
    found = [row for row in rows(project, capsys, "Either", "--pairs", "1,3", "--shape", shape) if not row["problem"]]
    kernels = [f"either_{t}_crouton__blocks" for t in ("u8", "u8", "u16", "f16")]
    assert [(r["conversions"], r["kernels"]) for r in found] == [(0, {k: n}) for k in kernels for n in (1, 3)]


@pytest.mark.htp
def test_constants_beside_such_tensors_do_not_matter(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(project, capsys, "Channels", "--pairs", "2", "--shape", "1,1,1,1000")
    assert [(r["conversions"], r["kernels"]) for r in found] == [(0, {"channels_u8_crouton__blocks": 2})]


@pytest.mark.htp
def test_a_gate_of_pixels_is_brought_into_blocks_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What passes it stays in blocks; the gate is an input of the graph."""
    found = rows(project, capsys, "Gate", "--pairs", "1,3")
    kernels = [f"gate_{t}_crouton" for t in ("u8", "u16")]
    assert [(r["conversions"], r["kernels"]) for r in found] == [(1, {k: n}) for k in kernels for n in (1, 3)]
    assert "kernels are in blocks" in str(found[0]["why"])


@pytest.mark.htp
@pytest.mark.parametrize("shape", ["1,7,7,100", "1,28,28,3"])
def test_rows_of_channels_stay_in_blocks(project: Path, capsys: pytest.CaptureFixture[str], shape: str) -> None:
    for op, types in (("Norm", ("u8", "f16")), ("Peak", ("u8", "u16"))):
        found = rows(project, capsys, op, "--pairs", "1,3", "--shape", shape)
        assert {row["conversions"] for row in found} == {0}
        assert {name.removesuffix("__blocks") for row in found for name in row["kernels"]} == {  # type: ignore[attr-defined]
            f"{op.lower()}_{t}_crouton" for t in types
        }


@pytest.mark.htp
@pytest.mark.parametrize(("shape", "beside"), [("1,14,14,40", ""), ("1,2,2,100", "__blocks")])
def test_columns_of_pixels_stay_in_blocks(
    project: Path, capsys: pytest.CaptureFixture[str], shape: str, beside: str
) -> None:
    """The result is a pixel of blocks, mostly padding."""
    found = rows(project, capsys, "Mean", "--shape", shape)
    kernels = [f"mean_{t}_crouton{beside}" for t in ("u8", "u16")]
    assert [(r["conversions"], r["kernels"]) for r in found] == [(0, {k: 1}) for k in kernels]


@pytest.mark.htp
def test_whole_blocks_move_in_blocks(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(project, capsys, "Turn", "--pairs", "1,3", "--shape", "1,9,9,64")
    kernels = [f"turn_{t}_crouton" for t in ("u8", "u16")]
    assert [(r["conversions"], r["kernels"]) for r in found] == [(0, {k: n}) for k in kernels for n in (1, 3)]
    found = rows(project, capsys, "Turn", "--pairs", "1", "--shape", "1,9,9,40")  # the other part would begin at 8
    assert [(r["conversions"], r["kernels"]) for r in found] == [(2, {"turn_u8": 1}), (2, {"turn_u16": 1})]
    assert all("no whole blocks" in str(row["why"]) for row in found)


@pytest.mark.htp
def test_rows_that_are_too_long_are_flat(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = [
        r for r in rows(project, capsys, "Norm", "--pairs", "1", "--shape", "1,7,7,1500") if "u" in str(r["types"])
    ]
    assert (row["conversions"], row["kernels"]) == (2, {"norm_u8": 1})
    assert "blocks do not pay" in str(row["why"])


@pytest.mark.htp
def test_both_layouts_compute_the_same(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ranks 1 to 5, ragged shapes, broadcasting, tensors that are cut into tiles, on both machines."""
    report = tmp_path / "verify.json"
    args = [
        "--on",
        "host,htp",
        "--op",
        "Either",
        "--op",
        "Channels",
        "--op",
        "Norm",
        "--op",
        "Peak",
        "--op",
        "Mean",
        "--op",
        "Gate",
        "--cases",
        "8",
        "--large",
        "5M",
        "--json",
        str(report),
    ]
    assert run(["-C", str(project), "verify", *args]) == 0, capsys.readouterr().out
    cells = json.loads(report.read_text("utf-8"))["cells"]
    blocks = {"either_u8_crouton", "either_u16_crouton", "either_f16_crouton"}
    flat = {"either_u8__r4", "either_u16__r4", "either_f16__r4", "either_u8__r5", "either_f32__r4", "channels_u8"}
    blocks |= {
        "gate_u16_crouton",
        "norm_f16_crouton",
        "peak_u16_crouton",
        "mean_u16_crouton",
    }  # where it is the first record of its package, and others are flat
    flat |= {"norm_f16", "peak_u16", "norm_u8"}
    for machine, channels in (("host", "channels_u8_crouton"), ("htp", "channels_u8__flat")):  # as the graph input lies
        ran = {name.rpartition("::")[2] for c in cells if c["column"].startswith(machine) for name in c["kernels"]}
        assert {*blocks, *flat, channels} <= ran


def test_both_layouts_are_one_function(project: Path) -> None:
    text = next(project.glob("generated/*/qhpi/src/either_kernels.cpp")).read_text("utf-8")
    assert text.count("struct EitherU8Rows {") == 1
    assert "struct EitherU8Crouton" not in text
    assert text.count("either_u8(") == 1  # what a prepared graph keeps


def test_what_stays_flat_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = SPEC.replace("layout: flat", "layout: either")
    spec = spec.replace("[N, 1, 1, C]", "[1, 1, W, C]").replace("axis=(1, 2)", "axis=(0, 1)")
    (tmp_path / "graph.yaml").write_text(spec, "utf-8")
    assert run(["validate", str(tmp_path / "graph.yaml")]) == 0
    said = capsys.readouterr().out
    assert "pool_u8 stays flat: it reduces other dimensions than the last one [OPK278]" in said
    assert "flat_f32 stays flat: elements of more than 2 bytes are flat in HTP's own ops, too [OPK278]" in said
    assert "flat_u8 stays flat" not in said


@pytest.mark.htp
def test_an_op_with_an_output_of_another_shape_stands_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(project, capsys, "Pool")
    assert row["why"] == "layout: flat"
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
