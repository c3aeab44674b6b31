"""tuning.json, and the number of steps per turn of a loop that `opkg kernel tune` finds best."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels_kit import absent

from opkg.cli.main import run
from opkg.kernels.block import Block
from opkg.kernels.lowered import Lowered
from opkg.kernels.tuning import MOST, Row, Tuning, TuningError, digest, parse
from opkg.verify.bench.measure import objdump
from opkg.verify.bench.suite import package
from opkg.verify.bench.tune import load, tune
from opkg.verify.machines.hexagon import toolchain

words = st.text(min_size=1, max_size=12)


@given(st.lists(st.builds(Row, words, words, words, st.integers(1, MOST)), max_size=8))
def test_round_trip(rows: list[Row]) -> None:
    tuning = Tuning().with_rows(rows)
    assert parse(tuning.text()) == tuning
    assert parse(tuning.text()).text() == tuning.text()
    assert Tuning().with_rows(reversed(tuning.rows)).text() == tuning.text(), "the order of finding does not matter"


def test_text() -> None:
    assert Tuning().with_rows([Row("b.p", "YRows", "2", 4), Row("a.p", "XRows", "1", 2)]).text() == (
        '{\n  "opkg": 1,\n  "kernels": [\n'
        '    {"package": "a.p", "kernel": "XRows", "digest": "1", "unroll": 2},\n'
        '    {"package": "b.p", "kernel": "YRows", "digest": "2", "unroll": 4}\n  ]\n}\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "[", "[]", "{}", '{"opkg": 2, "kernels": []}', '{"opkg": 1}', '{"opkg": 1, "kernels": {}}',
        '{"opkg": 1, "kernels": [1]}', '{"opkg": 1, "kernels": [{"package": "a", "kernel": "b", "unroll": 1}]}',
        '{"opkg": 1, "kernels": [{"package": "a", "kernel": "b", "digest": "c", "unroll": 0}]}',
        '{"opkg": 1, "kernels": [{"package": "a", "kernel": "b", "digest": "c", "unroll": true}]}',
        '{"opkg": 1, "kernels": [{"package": "a", "kernel": "b", "digest": "c", "unroll": 17}]}', "[" * 100_000,
    ],
)  # fmt: skip
def test_texts_that_are_no_tuning(text: str) -> None:
    with pytest.raises(TuningError):
        parse(text)


def kernel(name: str = "Q6_Vub_vadd_VubVub_sat") -> Lowered:
    b = Block()
    b.store("y", b.q6(name, b.load("a"), b.load("b")))
    return Lowered("integer", "sum", "exact", 128, (), (), (), tuple(b.insts))


def test_rows_hold_for_one_form_of_a_kernel() -> None:
    tuning = Tuning().with_rows([Row("p", "AddRows", digest(kernel()), 4)])
    assert tuning.unroll("p", "AddRows", kernel()) == 4
    assert tuning.unroll("p", "AddRows", replace(kernel(), unroll=2, title="total")) == 4, "not of what is tuned"
    assert tuning.unroll("p", "AddRows", kernel("Q6_Vub_vavg_VubVub")) is None
    other = kernel("Q6_Vub_vavg_VubVub")
    both = Tuning().with_rows([*tuning.rows, Row("p", "AddRows", digest(other), 2)])
    assert (both.unroll("p", "AddRows", kernel()), both.unroll("p", "AddRows", other)) == (4, 2)
    assert both.with_rows(tuning.rows).unroll("p", "AddRows", other) is None, "rows of before go with the new ones"
    assert tuning.unroll("q", "AddRows", kernel()) is None
    assert tuning.unroll("p", "SubRows", kernel()) is None


@pytest.fixture(scope="module")
def arch() -> str:
    if not toolchain.runnable():
        absent(toolchain.missing())
    return toolchain.runnable()[0]


def test_the_best_is_kept(arch: str, tmp_path: Path) -> None:
    ops = [op for op in package().ops if op.name in ("ReluS8", "MaxAll")]
    relu, most = tune(ops, (arch,), tmp_path)
    costs = dict(relu.costs)
    assert set(costs) == {1, 2, 4, 8}
    assert costs[relu.best] <= min(costs.values()) * 1.01
    rows = relu.rows("p")
    assert len(rows) == 2, "int8 has one form for each interface"
    assert {row.unroll for row in rows} == {relu.best}
    assert most.rows("p") == []
    assert most.problem


SPEC = (
    "opkg: 1\npackage: {name: t.tune, targets: [qnn-htp-classic]}\nops:\n  Low:\n    inputs: {x: {dtype: ufixed16}}\n"
    "    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n    compute: y = x\n"
)


def test_command_line(
    arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tuning.json"
    assert run(["kernel", "tune", "--arch", arch, "--dry-run"]) == 0
    assert "low: " in capsys.readouterr().out
    assert not file.exists()
    assert run(["kernel", "tune", "Low", "--arch", arch]) == 0
    text = file.read_text()
    assert [row.kernel for row in load(tmp_path).rows] == ["LowRows"]
    assert run(["kernel", "tune", "--arch", arch]) == 0
    assert file.read_text() == text
    capsys.readouterr()
    assert run(["kernel", "tune", "Lo", "--arch", arch]) == 2
    assert run(["generate"]) == 0
    code = tmp_path / "generated" / "t_tune" / "classic" / "src" / "low_kernels.cpp"
    best = load(tmp_path).rows[0].unroll
    assert f"each_step<kWalk, {best}>" in code.read_text()
    file.write_text(text.replace(f'"unroll": {best}', '"unroll": 3'))
    assert run(["generate"]) == 0
    assert "each_step<kWalk, 3>" in code.read_text()
    file.write_text("{")
    assert run(["kernel", "tune", "--arch", arch]) == 1
    assert "OPK612" in capsys.readouterr().out


FLOATS = (
    SPEC.replace("ufixed16", "float32")
    .replace("ufixed8", "float32")
    .replace("compute: y = x", "compute: y = x * sigmoid(x)")
)


def test_floats_are_tuned_by_the_schedule_of_their_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if toolchain.clang() is None or objdump() is None:
        absent("no clang or no disassembler for Hexagon")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(FLOATS)
    monkeypatch.chdir(tmp_path)
    assert run(["kernel", "tune", "--arch", "v73"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("low: "))
    costs = {int(turns): float(cost) for turns, cost in re.findall(r"(\d+): ([\d.]+)", line.partition("(")[2])}
    assert {1, 2, 4} <= set(costs)
    # A vector of silu is a sigmoid (32 packets), a product, a load and a store: no other loop of the file costs that.
    assert all(25 < cost < 60 for cost in costs.values())
    best = load(tmp_path).rows[0].unroll
    assert costs[best] <= 1.01 * min(costs.values())
