"""opkg bench: stalls of traces, kernels counted in qemu, files of the user's, the suite's verdicts, reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from kernels_kit import absent, need_arch

from opkg.cli.main import run
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Sequence as Loops
from opkg.report import bench_html, bench_json, bench_text
from opkg.spec.diagnostics import OpkgError
from opkg.spec.model import Op
from opkg.spec.reader import read, read_file
from opkg.verify.bench.measure import measure, objdump
from opkg.verify.bench.record import Options, Record, bench
from opkg.verify.bench.stalls import executed, functions, packets_of
from opkg.verify.bench.static import schedule
from opkg.verify.bench.subject import subjects
from opkg.verify.bench.suite import KNOWN, Suite, package, tabulated
from opkg.verify.machines.hexagon import toolchain

# Stalls ---------------------------------------------------------------------------------------------------------------

LISTING = """
00000100 <opkg_measured>:
     100: { \tv0 = vmem(r0++#0x1) }
     104: { \tv2.ub = vabsdiff(v0.ub,v9.ub) }
     108: { \tv3.b = vadd(v2.b,v1.b) }
     10c: { \tv4 = vror(v3,r2) }
     110: { \tr1 = add(r1,#0x1)
     114: \tr2 = add(r2,#0x1) }
     118: { \tv5 = vror(v4,r2) }
     11c: { \tv7:6.h += vmpa(v11:10.ub,r1.b) }
     120: { \tv7:6.h += vmpa(v11:10.ub,r3.b) }
     124: { \tv8.h = vasr(v6.h,r3)
     128: \tvmem(r5++#0x1) = v8.new } :endloop0
     12c: { \tv12.cur = vmem(r0++#0x1)
     130: \tv13 = vror(v12,r2) }
     134: { \tcall 0x200 }

00000200 <helper>:
     200: { \tjumpr r31 }

00000300 <other>:
     300: { \tjumpr r31 }
"""


def trace(*addresses: int) -> str:
    return "".join(f"Trace 0: 0x7f00 [00000000/{a:016x}/00000000/00000200] opkg_measured\n" for a in addresses)


@pytest.mark.parametrize(
    ("path", "stalls", "after_loads"),
    [
        ((0x100, 0x104), 1, 1),  # a multiply unit needs what was loaded just before
        ((0x100, 0x108, 0x104), 0, 0),  # one packet between
        ((0x104, 0x108), 0, 0),  # an addition does not wait
        ((0x108, 0x10C), 1, 0),  # a permute does
        ((0x10C, 0x110, 0x118), 1, 0),  # a packet without vectors is no gap
        ((0x11C, 0x120), 0, 0),  # accumulators do not wait
        ((0x120, 0x124), 1, 0),  # half of a pair
        ((0x124, 0x11C, 0x120, 0x124), 1, 0),  # in the order of execution, not of addresses
        ((0x108, 0x12C), 0, 0),  # loaded in the same packet
    ],
)
def test_stalls(path: tuple[int, ...], stalls: int, after_loads: int) -> None:
    found = executed(trace(*path), packets_of(LISTING, "v66"))
    assert (found.packets, found.stalls, found.after_loads) == (len(path), stalls, after_loads)


def test_functions_that_are_traced() -> None:
    assert functions(LISTING, "opkg_measured") == [(0x100, 0x134), (0x200, 0x200)]


# In qemu --------------------------------------------------------------------------------------------------------------


def op(name: str) -> Op:
    return next(op for op in package().ops if op.name == name)


@pytest.fixture(scope="module")
def arch() -> str:
    if not toolchain.runnable():
        absent(toolchain.missing())
    return toolchain.runnable()[0]


AGAINST = """\
#include <stddef.h>
#include <stdint.h>
void add_sat(const void* const* in, void* const* out, size_t n, const float* numbers) {
  const uint8_t *a = in[0], *b = in[1];
  uint8_t* y = out[0];
  for (size_t i = 0; i < n; ++i) {
    unsigned sum = a[i] + b[i] + (numbers[0] != 1.0f);
    y[i] = sum > LIMIT ? LIMIT : sum;
  }
}
"""


def test_a_kernel_and_a_function_against_it(arch: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.c"
    file.write_text(AGAINST.replace("LIMIT", "255"))
    ours, theirs = bench("kernel.suite", [op("AddSat")], Options((arch,), (8192,), file), tmp_path)
    assert (ours.kernel, ours.arch, ours.n, ours.strategy) == ("add_sat", arch, 8192, "integer")
    assert 2 <= ours.packets_per_128 <= 2.2
    assert ours.hvx_per_128 == pytest.approx(4, abs=0.1)
    assert ours.floor == 2
    assert ours.exact
    if objdump() is not None:
        assert ours.stalls_per_128 == 0
        assert theirs.stalls_per_128 == 0, "scalar code"
    assert theirs.strategy == "mine.c"
    assert theirs.exact
    assert theirs.floor is None
    assert theirs.packets_per_128 > 100


def test_functions_that_cannot_be_measured(arch: str, tmp_path: Path) -> None:
    def measured(text: str) -> Record:
        file = tmp_path / "mine.c"
        file.write_text(text)
        return bench("kernel.suite", [op("AddSat")], Options((arch,), (256,), file), tmp_path)[1]

    wrong = measured(AGAINST.replace("LIMIT", "254"))
    assert not wrong.exact
    assert 0 < wrong.differs < 1
    assert wrong.most == 1
    for text, id in (
        (AGAINST.replace("add_sat", "other"), "OPK610"),
        ("extern void add_sat(int);", "OPK610"),
        ("void add_sat(int nothing) { return 1 + ; }", "OPK610"),
        ("void add_sat(void) { *(volatile int*)0 = 1; }", "OPK611"),
    ):
        with pytest.raises(OpkgError) as failure:
            measured(text)
        assert failure.value.diagnostics[0].id == id


def test_trace_has_every_packet(arch: str, tmp_path: Path) -> None:
    """Stalls are of the packets that the counters count."""
    import struct
    import subprocess

    from opkg.verify.bench.program import MEASURED, write_program
    from opkg.verify.bench.subject import subjects
    from opkg.verify.machines.hexagon import runtime

    tool, qemu = objdump(), toolchain.qemu()
    if tool is None or qemu is None:
        pytest.skip("llvm-objdump is not installed")
    subject = next(subjects(op("Table8")))
    source = write_program(subject, tmp_path)
    objects = toolchain.compile([source], arch, ["-O3", f"-I{tmp_path / 'include'}"], tmp_path)
    program = tmp_path / "program"
    toolchain.link([*objects, *runtime.objects(arch, tmp_path)], program)
    counted = struct.unpack("<6I", toolchain.run(program, ["4000"]).stdout)
    listing = subprocess.run(
        [tool, "-d", f"--mcpu=hexagon{arch}", f"--mattr=+hvx{arch}", "--no-show-raw-insn", str(program)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    ranges = ",".join(f"{first:#x}..{last:#x}" for first, last in functions(listing, MEASURED))
    single = "-one-insn-per-tb" if qemu.major >= 9 else "-singlestep"
    log = tmp_path / "trace"
    command = [qemu.path, single, "-d", "exec,nochain", "-dfilter", ranges, "-D", str(log), str(program), "4000", "x"]
    subprocess.run(command, check=True)
    assert abs(executed(log.read_text(), packets_of(listing, arch)).packets - counted[1]) <= 2


# Reports --------------------------------------------------------------------------------------------------------------


def record(kernel: str, arch: str = "v66", cost: float = 2.0, stalls: float = 0.0) -> Record:
    return Record(kernel, arch, 8192, "integer", "", 1, cost, stalls, 0.0, 4.0, 4.0, 2.0, "loads", True, 0.0, 0)


def names() -> list[str]:
    return [name for known in KNOWN for name in known.kernels] + ["chain4", "sub_q", "relu_q"]


def made(cost: float) -> Suite:
    return tabulated([record(name, arch, cost) for name in dict.fromkeys(names()) for arch in ("v66", "v73")])


@pytest.mark.parametrize(
    "name", ["AddQ", "Table16", *(pytest.param(name, marks=pytest.mark.sweep) for name in ("AddSat", "MulQ", "Widen"))]
)
def test_a_schedule_costs_what_the_emulator_counts(arch: str, tmp_path: Path, name: str) -> None:
    """Of one more loop of 8192 elements, which has no start and no end of its own."""
    if objdump() is None:
        absent("no disassembler for Hexagon")
    (subject,) = subjects(op(name))
    assert isinstance(subject.lowered, Lowered)
    turns = subject.lowered.unroll
    short, long = measure(subject, arch, (8192, 16384), tmp_path, turns)
    counted = (long.packets + long.stalls - short.packets - short.stalls) * 128 / (8192 * subject.bytes)
    read = schedule(subject, arch, turns, runs=True)  # the same program
    assert read is not None
    assert read.cost == pytest.approx(counted, rel=0.03)
    assert read.floor <= read.packets


ROWS = """\
opkg: 1
package: {name: t.rows, targets: [qnn-htp-qhpi]}
ops:
  Rms:
    types: {T: [ufixed16, float32]}
    inputs: {x: {dtype: T, rank: 2..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1e-5)
  Softmax:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, rank: 2..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True)
"""
BY_HAND = {"rms_f32": 4.0, "softmax_f32": 40.0}  # packets and stalls per 128 bytes


@pytest.mark.parametrize("arch", [pytest.param("v66", marks=pytest.mark.sweep), "v73"])
def test_passes_over_a_row_cost_what_the_emulator_counts(arch: str, tmp_path: Path) -> None:
    """Of rows longer by 8192 elements, with several loops; floats, which run nowhere, are no dearer than by hand."""
    need_arch(arch)
    if objdump() is None:
        absent("no disassembler for Hexagon")
    rows, _ = read(ROWS.encode(), "rows.yaml")
    assert rows is not None
    for subject in [each for one in rows.ops for each in subjects(one)]:
        assert isinstance(subject.lowered, Loops)
        if subject.lowered.float_unit and arch == "v66":
            continue
        found = schedule(subject, arch, subject.lowered.unroll)
        assert found is not None, subject.name
        assert found.floor <= found.packets
        if subject.lowered.float_unit:
            assert found.cost <= BY_HAND[subject.name]
            continue
        short, long = measure(subject, arch, (8192, 16384), tmp_path)
        counted = (long.packets + long.stalls - short.packets - short.stalls) * 128 / (8192 * subject.bytes)
        assert found.cost == pytest.approx(counted, rel=0.03), subject.name


FLOATS = """\
opkg: 1
package: {name: t.floats, targets: [qnn-htp-qhpi]}
ops:
  Gate:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[..., C]"}, y: {dtype: T, shape: "[..., C]"}}
    outputs: {z: {dtype: T, shape: "[..., C]"}}
    compute: z = x * sigmoid(y) + x / (y * y + 1)
"""


def test_loops_of_floats_have_figures_and_a_floor(tmp_path: Path) -> None:
    if toolchain.missing() or objdump() is None:
        absent("no Hexagon tools")
    (tmp_path / "s.yaml").write_text(FLOATS)
    package, findings = read_file(tmp_path / "s.yaml", "s.yaml")
    assert package is not None, findings
    found = bench(package.name, package.ops, Options(("v66", "v73")), tmp_path)
    wanted = [("v66", False)] * 2 + [("v73", True)]  # v66 runs, of two lengths
    assert [(r.arch, r.static) for r in found] == wanted * 2
    for record in found:
        if record.static:
            assert record.floor is not None
            assert 30 < record.floor <= record.packets_per_128 <= record.cost < 250
        else:
            assert record.floor is None
            assert 400 < record.cost < 6000  # of floats in whole numbers
    text = bench_text.records(found)
    assert "  loop  " in text
    assert "static: read in the disassembly" in text
    assert [row["n"] for row in json.loads(bench_json.render(found[2:3]))] == [None]
    assert "v73, loops" in bench_html.render(found)


def test_verdicts_of_the_suite() -> None:
    good = made(1.0)
    assert [row for row in good.rows if row.misses and row.known.name != "widen u8 -> u16"] == []
    assert len(good.rows) == 2 * len(KNOWN)
    assert all(chain.ok and chain.share == 0.25 for chain in good.chains)
    bad = {row.known.name: row.misses for row in made(2.6).rows if row.arch == "v73"}
    assert bad["saturating add u8"] == ("careful 2.12", "1.15 x floor 2")
    assert bad["clip u8 to [lo, hi]"] == ("careful 2.19",), "careful code is not near the floor there"
    assert bad["any u8 -> u8 function"] == ()
    assert "Halide 1.96" in bad["widen u8 -> u16"]
    assert bad["add, then relu (two passes)"] == ("careful 3.27", "1.15 x floor 3")


def test_stalls_count_like_packets() -> None:
    fine = tabulated([record("add_sat", cost=2.1)])
    slow = tabulated([record("add_sat", cost=2.1, stalls=0.5)])
    assert not fine.rows[0].misses
    assert slow.rows[0].misses


def test_tails() -> None:
    """Rows that end within a step may take 12 packets a call, and 1.02 times the others."""
    whole, part = replace(record("add_sat"), total=136), replace(record("add_sat", cost=2.2), n=8229, total=141)
    rows = {row.n: row for row in tabulated([whole, part]).rows if row.known.kernels == ("add_sat",)}
    assert not rows[8229].misses
    part = replace(record("add_sat", cost=2.4), n=8229, total=154)
    suite = tabulated([whole, part])
    rows = {row.n: row for row in suite.rows if row.known.kernels == ("add_sat",)}
    assert (rows[8192].tail, rows[8229].tail) == (None, 18)
    assert "1.02 x careful 2.12 + 12 packets; 18 packets of a tail in it" in bench_text.suite(suite)


def test_kernels_without_figures_are_said() -> None:
    failed = replace(record("clip"), problem="the compiler fails")
    suite = tabulated([record("add_sat"), failed])
    rows = {row.known.name: row for row in suite.rows}
    assert rows["clip u8 to [lo, hi]"].problem == "clip: the compiler fails"
    assert rows["widen u8 -> u16"].misses == ("not measured",)
    text = bench_text.suite(suite)
    assert "clip: the compiler fails" in text
    assert "13 of 14" not in text
    assert "compiler fails" in bench_html.render(suite.records, suite)
    assert "the compiler fails" in bench_text.records([failed])


def test_json() -> None:
    found = json.loads(bench_json.render([record("add_sat"), replace(record("clip"), problem="why")]))
    assert {"kernel", "arch", "n", "packets_per_128", "stalls_per_128", "floor", "exact"} <= found[0].keys()
    assert (found[0]["packets_per_128"], found[0]["exact"], found[0]["problem"]) == (2.0, True, None)
    assert (found[1]["packets_per_128"], found[1]["exact"], found[1]["problem"]) == (None, None, "why")


def test_text_and_page() -> None:
    text = bench_text.records(
        [record("add_sat", cost=2.125), replace(record("mul_q"), exact=False, differs=0.01, most=1)]
    )
    assert text.splitlines()[1].split() == [
        "add_sat", "v66", "8192", "2.12", "0.00", "2.12", "2.00", "1.06", "4.00", "4.00", "integer", "x1", "yes",
    ]  # fmt: skip
    assert "1.00% differ by 1 step" in text
    page = bench_html.render(made(2.0).records, made(2.0))
    assert page.count('<div class="row">') == 2 * len(KNOWN)
    assert "http" not in page.replace("http-equiv", ""), "nothing is loaded from elsewhere"
    one = bench_html.render([record("a<b")])
    assert "a&lt;b" in one
    assert "Halide" not in one.partition("</style>")[2]


def test_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arch: str
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(
        "opkg: 1\npackage: {name: t.bench, targets: [qnn-htp-classic]}\nops:\n  Twice:\n    inputs: {x: {dtype: uint8}}\n"
        "    outputs: {y: {dtype: uint8, shape: x.shape}}\n    compute: y = x + x\n"
    )
    monkeypatch.chdir(tmp_path)
    assert run(["bench", "Twice", "--arch", arch, "--size", "1000", "--format", "json", "--html", "page.html"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["kernel"], found["n"], found["exact"]) == ("twice", 1000, True)
    assert "twice" in (tmp_path / "page.html").read_text()
    for arguments in (["Twise"], [], ["Twice", "--suite"], ["Twice", "--arch", "v55"], ["Twice", "--size", "0"]):
        assert run(["bench", *arguments]) == 2
    assert "Twice" in capsys.readouterr().err


def test_missing_tools(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_QEMU_HEXAGON", "/nowhere/qemu-hexagon")
    assert run(["bench", "--suite"]) == 3
    assert "OPK430" in capsys.readouterr().out
