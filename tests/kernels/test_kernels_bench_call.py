"""opkg bench --call: whole calls of registered kernels, part by part; what cannot be measured; arguments."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from kernels_kit import absent

from opkg.cli.main import run
from opkg.report.bench_call import as_text
from opkg.verify.bench import call, stand_ins
from opkg.verify.bench.call_parts import Frame, counted, part_of, tails
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

SPEC = """\
opkg: 1
package: {name: t.bench, targets: [qnn-htp-qhpi]}
ops:
  Sum:
    types: {T: [ufixed8, float32]}
    inputs: {a: {dtype: T, rank: 1..4}, b: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: "broadcast(a, b)"}}
    compute: y = a + b
    kernels:
      - {when: {T: ufixed8}}
      - {when: {T: ufixed8}, layout: crouton, function: sum_blocks}
      - {when: {T: float32}}
  Mean:
    inputs: {x: {dtype: ufixed8, shape: "[*n, c]"}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x - mean(x, axis=-1, keepdims=True)
  Scaled:
    inputs: {x: {dtype: ufixed8, shape: "[*n, c]"}, s: {dtype: ufixed8, shape: [c], optional: true}}
    params: {gain: {dtype: float32, default: 1.0}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: |
      m = x - mean(x, axis=-1, keepdims=True)
      y = m * s if present(s) else m * gain
  Top:
    inputs: {x: {dtype: ufixed8, shape: "[*n, c]"}}
    outputs: {y: {dtype: ufixed8, shape: "[*n, 1]"}}
    compute: y = max(x, axis=-1, keepdims=True)
  Pool:
    inputs: {x: {dtype: ufixed8, shape: "[b, h, w, c]"}}
    outputs: {y: {dtype: ufixed8, shape: "[b, 1, 1, c]"}}
    compute: y = mean(x, axis=(1, 2), keepdims=True)
"""
SOURCE = """\
bool row(size_t n) const {
    if (n % kStep != 0) {
      last();
    }
    return true;
}
"""


@pytest.fixture(name="arch")
def fixture_arch() -> str:
    if toolchain.missing():
        absent(f"no {toolchain.missing()}")
    if objdump() is None:
        absent("no llvm-objdump")
    return toolchain.runnable()[-1]


@pytest.fixture(name="project")
def fixture_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_parts_by_inlined_functions(tmp_path: Path) -> None:
    """The innermost known function decides; what many call belongs to who called it; our own functions do not count."""
    source = tmp_path / "sum_kernels.cpp"
    source.write_text(SOURCE)
    assert tails(source) == [range(2, 4)]

    def frames(*names: str, line: int = 1) -> tuple[Frame, ...]:
        return tuple(Frame(name, f"/x/{source.name}", line) for name in names)

    stacks = {
        0: frames("main"),
        4: frames("opkg::Tensor<T> opkg::flat<T>(QHPI_Tensor const*)", "p::run_sum(QHPI_RuntimeHandle*)"),
        8: frames("p::SumRows::prepare(p::Args const&)", "p::sum(p::Args const&)"),
        12: (Frame("__hexagon_adddf3", "", 0),),
        16: frames("opkg::rowwise::FlatRows<p::SumRows>::run(unsigned)", "p::sum(p::Args const&)"),
        20: frames("bool p::SumRows::row<0u, true>(void const*)", line=1),
        24: frames("bool p::SumRows::row<0u, true>(void const*)", line=3),
        28: (Frame("long opkg::hvx::Units<opkg::hvx::SumOf>::rows(opkg::hvx::Slots const&) const", "", 0),),
    }
    assert part_of(stacks[24], tails(source), source.name) == "tail"
    trace = [0, 4, 4, 8, 12, 12, 16, 20, 12, 24, 16, 28, 0]
    parts = counted(trace, stacks, source, frozenset(("main",)))
    assert parts == {"wrapper": 2, "prepare": 3, "driver": 2, "rows": 3, "tail": 1}


def test_what_each_group_of_rows_takes_is_of_the_rows(tmp_path: Path) -> None:
    """Of the function that goes through them: what is executed more often than it is entered."""
    source = tmp_path / "norm_kernels.cpp"
    source.write_text("")
    groups = (
        "opkg::slots::Plan<p::NormRows>::groups<true>(p::NormRows const&)",
        "opkg::BySlots::Made<p::NormRows>::groups<true>()",
    )
    stacks = {at: tuple(Frame(name, "/x/slots.h", 1) for name in groups) for at in (0, 4, 8, 16)}
    stacks[12] = (Frame("bool p::NormRows::several<true>()", "", 0), *stacks[4])
    once = [0, 4, 8, 12, 8, 12, 8, 12, 16]
    for trace, entered in ((once, 1), (once * 2, 2)):
        parts = counted(trace, stacks, source, frozenset())
        assert parts == {"wrapper": 0, "prepare": 0, "driver": 3 * entered, "rows": 6 * entered, "tail": 0}


def test_optional_inputs_are_there(arch: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "Scaled", "--call", "--arch", arch, "--shape", "1x4x4x128", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {(record["problem"], record["later"] > 100) for record in found} == {(None, True)}
    assert max(record["overhead"] for record in found) <= 60  # precomputation makes numbers, and knows the rows


def test_calls_of_all_kernels(arch: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parts add up to the counter of the whole call; rows grow with the tensor, the rest does not; a second run is the same."""
    arguments = [
        "bench",
        "Sum",
        "--call",
        "--arch",
        arch,
        "--shape",
        "1x8x8x32",
        "--shape",
        "17x100",
        "--format",
        "json",
    ]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    found = {(r["kernel"], tuple(r["shape"]), r["aligned"]): r for r in json.loads(text)}
    flat, ragged = found["sum_u8", (1, 8, 8, 32), True], found["sum_u8", (17, 100), True]
    for record in found.values():
        if record["problem"] is None:
            assert abs(sum(record["parts"].values()) - record["later"]) <= 4, record
            assert record["overhead"] == record["later"] - record["parts"]["rows"] - record["parts"]["tail"]
            assert record["first"] >= record["later"] > record["parts"]["rows"] > 0
            assert min(record["parts"]["wrapper"], record["parts"]["driver"]) > 0
            assert record["parts"]["prepare"] == 0  # precomputation makes numbers
    shown = ["kernel", "show", "Sum", "--when", "T=ufixed8", "--arch", arch, "--format", "json"]
    assert run([*shown, "--shape", "a=1,8,8,32", "--shape", "b=1,8,8,32"]) == 0
    least = json.loads(capsys.readouterr().out.splitlines()[0])["call"]
    assert 16 * 3 <= least <= flat["parts"]["rows"] <= 1.1 * least + 24  # entering and leaving the loop
    assert max(flat["overhead"], ragged["overhead"]) <= 60
    assert flat["parts"]["tail"] <= 2 < ragged["parts"]["tail"]
    assert found["sum_u8", (1, 8, 8, 32), False]["parts"]["rows"] > flat["parts"]["rows"]
    blocks = found["sum_blocks", (1, 8, 8, 32), True]
    assert (blocks["layout"], blocks["problem"]) == ("crouton", None)
    assert ("sum_blocks", (1, 8, 8, 32), False) not in found  # blocks are aligned always
    floats = {key: record["static"] for key, record in found.items() if key[0] == "sum_f32"}
    assert list(floats.values()) == [True] * 4  # no emulator has HVX floating point
    assert not any(record["static"] for key, record in found.items() if key not in floats)
    assert (run(arguments), capsys.readouterr().out) == (0, text)  # from the cache


def test_stand_ins_take_the_packets_of_what_they_stand_for(
    arch: str, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As no emulator runs floats, integer kernels say so: with stand-ins for their additions they compute nothing, in as many
    packets and stalls."""
    arguments = [
        "bench",
        "Pool",
        "--call",
        "--arch",
        arch,
        "--shape",
        "1x9x17x17",
        "--shape",
        "2x7x7x160",
        "--format",
        "json",
    ]
    assert run(arguments) == 0
    counted_in_qemu = json.loads(capsys.readouterr().out)

    def additions(disassembly: str) -> dict[int, str]:
        return {
            at: text
            for at, text in every(disassembly).items()
            if re.match(r"v\d+\.\w+ = vadd\(v\d+\.\w+,v\d+\.\w+\)$", text)
        }

    every = stand_ins.instructions
    monkeypatch.setattr(stand_ins, "float_instructions", additions)
    monkeypatch.setattr(call, "_has_floats", lambda *_: True)
    monkeypatch.setattr(call, "_VERSION", call._VERSION + 1000)  # not from the cache
    assert run(arguments) == 0
    stood_in = json.loads(capsys.readouterr().out)
    assert [(record["problem"], record["static"]) for record in stood_in] == [(None, True)] * len(counted_in_qemu)
    for one, other in zip(counted_in_qemu, stood_in, strict=True):
        assert other["later"] == pytest.approx(one["later"], rel=0.03), (one, other)
        assert other["stalls"] == pytest.approx(one["stalls"], rel=0.03, abs=1), (one, other)


def test_what_has_no_stand_in_is_told() -> None:
    assert stand_ins.stand_in("v7.sf = vadd(v1.sf,v8.sf)") == "v7.w = vmax(v1.w,v8.w)"
    assert stand_ins.stand_in("v3.hf = vcvt(v5.sf,v4.sf)") == "v3.h = vshuffo(v5.h,v4.h)"
    assert stand_ins.stand_in("q1 = vcmp.gt(v5.sf,v4.sf)") == "q1 = vcmp.gt(v5.w,v4.w)"
    with pytest.raises(stand_ins.UnknownError, match="vdmpy"):
        stand_ins.stand_in("v1.sf += vdmpy(v2.hf,v3.hf,r0)")


def test_rows_that_are_too_long_for_blocks(arch: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The backend gives a kernel in blocks no tensors that it would refuse (rows_pay of opkg/layouts.h)."""
    shapes = [
        "--shape",
        "1x1x4x1024",
        "--shape",
        "1x1x4x1025",
    ]  # four pixels of both tensors fit in 8192 bytes, or do not
    assert run(["bench", "Mean", "--call", "--arch", arch, *shapes, "--format", "json"]) == 0
    found = {(r["layout"], r["shape"][-1]): r["problem"] for r in json.loads(capsys.readouterr().out) if r["aligned"]}
    assert [found["flat", 1024], found["flat", 1025], found["crouton", 1024]] == [None] * 3
    assert "the backend keeps these tensors flat" in found["crouton", 1025]


def least_of(op: str, arch: str, shape: str, capsys: pytest.CaptureFixture[str]) -> int:
    """What `kernel show` says that the loops of a call take at least."""
    assert (
        run(["kernel", "show", op, "--arch", arch, "--format", "json", "--shape", f"x={shape.replace('x', ',')}"]) == 0
    )
    return int(json.loads(capsys.readouterr().out.splitlines()[0])["call"])


def test_rows_that_are_reduced_and_the_table(arch: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    least = least_of("Mean", arch, "5x64", capsys)
    assert run(["bench", "Mean", "--call", "--arch", arch, "--shape", "5x64"]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = ["kernel", "arch", "shape", "layout", "first", "later", "overhead", "wrapper", "prepare", "driver", "rows"]
    assert lines[0].split()[: len(head)] == head
    blocks, words = lines[1].split(), lines[2].split()
    assert (blocks[:4], words[:4]) == (["mean_crouton", arch, "5x64", "crouton"], ["mean", arch, "5x64", "flat"])
    assert min(map(int, words[4:8])) > 0
    assert 0 < least <= int(words[10].replace(",", ""))


@pytest.mark.parametrize(("op", "shape"), [("Top", "256x32"), ("Pool", "1x28x28x16")])
def test_what_is_told_is_a_floor(
    op: str, shape: str, arch: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also of rows and columns of which a vector holds several."""
    least = least_of(op, arch, shape, capsys)
    assert run(["bench", op, "--call", "--arch", arch, "--shape", shape, "--format", "json"]) == 0
    rows = [record["parts"]["rows"] for record in json.loads(capsys.readouterr().out)]
    assert 0 < least <= min(rows)


def test_calls_without_parts_are_said_to_be_long() -> None:
    short = call.CallRecord("wave_u16", "v66", (1, 16, 16, 64), "flat", True, first=20_000, later=20_000, bytes=32768)
    assert "portable" not in as_text([short])
    assert "mostly of portable code" in as_text([short, replace(short, first=17_828_063, later=17_828_063)])


def test_a_shape_of_another_rank(arch: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets dimensions of 1 in front, and the line says so; one that does not fit has no figures."""
    shapes = ["--shape", "4x4x32", "--shape", "2x1x4x4x32"]
    assert run(["bench", "Pool", "--call", "--arch", arch, *shapes, "--format", "json"]) == 0
    found = {tuple(r["shape"]): (r["problem"], bool(r["later"])) for r in json.loads(capsys.readouterr().out)}
    assert found == {(1, 4, 4, 32): (None, True), (2, 1, 4, 4, 32): ("'x' has at most 4 dimensions", False)}


def test_arguments(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["Sum", "--shape", "1x8"], ["Sum", "--call", "--shape", "1x0"], ["Sum", "--call", "--shape", "a"],
        ["Sum", "--call", "--size", "8"], ["--suite", "--call"], ["--call"], ["Sum", "--call", "--shape", "1x1x1x1x1x1"],
    ):  # fmt: skip
        assert run(["bench", *arguments]) == 2, arguments
    (project / "specs" / "s.yaml").write_text(SPEC.replace("qnn-htp-qhpi", "qnn-htp-classic"))
    assert run(["bench", "Sum", "--call"]) == 2
    assert "qnn-htp-qhpi" in capsys.readouterr().err


def test_there_is_no_figure_where_stand_ins_turn_vectors_down(
    arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers between passes are made by instructions on floats: of what stands in for these the next pass finds no range."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(
        "opkg: 1\npackage: {name: t.gated, targets: [qnn-htp-qhpi]}\nops:\n"
        "  Gated:\n    inputs: {x: {dtype: ufixed8, rank: 4}, z: {dtype: ufixed8, shape: x.shape}}\n"
        "    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n    compute: |\n"
        "      g = x * (z * sigmoid(z))\n"
        "      y = g * rsqrt(mean(g * g, axis=-1, keepdims=True) + 0.00001)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert run(["bench", "Gated", "--call", "--arch", arch, "--shape", "1x7x7x64", "--format", "json"]) == 0
    for record in json.loads(capsys.readouterr().out):
        assert "portable code took" in record["problem"]
        assert record["packets_per_128"] is None
