"""Tensors of rank 0: HTP prepares them as inputs only; validators refuse the others, and take [1] for them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import qlib
from qlib import Call, P, Project, T

from opkg.cli.main import run
from opkg.spec.dtypes import DTYPES
from opkg.verify.judge.results import RawResult

FEW = ("float32", "sfixed8")
TYPES = (*FEW, "float16", "int32", "uint8", "ufixed8", "ufixed16", "sfixed16")
OPS = """\
  Highest:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, shape: [rows..., C], rank: 1..5}}
    outputs: {y: {dtype: T, shape: [rows...]}}
    compute: y = max(x, axis=-1, keepdims=False)
  Over:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, rank: 0..5}, low: {dtype: T, rank: 0..1}}
    outputs: {y: {dtype: T, shape: "broadcast(x, low)"}}
    compute: y = max(x, low)
  Bound:
    inputs:
      x: {dtype: float32, rank: 1..5}
      low: {dtype: float32, shape: []}
      high: {dtype: float32, shape: [], static: true}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = min(max(x, low), high)
  Shift:
    inputs: {x: {dtype: float32, shape: [rows..., C], rank: 1..5}}
    params: {by: {dtype: int32, shape: [rows...]}}
    outputs: {y: {dtype: float32, shape: x.shape}}
"""
# What the generated checks say of rank 0, without which the backend is asked.
CHECKS = (
    ("op_tensors.h", "rank() < low", "rank() < 0"),
    ("op_config.h", "is_scalar() && found.shape().rank == 0", "is_scalar() && false"),
)


@cache
def project(types: tuple[str, ...] = FEW) -> Project:
    return qlib.built(qlib.ops_package(OPS.replace("TYPES", ", ".join(types))))


@cache
def unchecked() -> Project:
    """The same package, whose validators let ranks be too low."""
    return qlib.unchecked(project(TYPES), CHECKS)


def tensor(dtype: str, shape: tuple[int, ...], first: int = 5, static: bool = False) -> T:
    count = int(np.prod(shape, dtype=int))
    return T(DTYPES[dtype], shape, (0.5, 0) if "fixed" in dtype else None, static, data=np.arange(first, first + count))


def right(dtype: str) -> list[tuple[Call, list[int]]]:
    """Calls with the numbers that come out: inputs of rank 0, and [1] where HTP prepares nothing else."""
    x, y, line = tensor(dtype, (3,)), tensor(dtype, (3,)), tensor(dtype, (2, 3))
    one = tensor(dtype, (1,))
    calls = [
        (Call("Over", (tensor(dtype, (), 6), x), (y,)), [6, 6, 7]),
        (Call("Over", (x, tensor(dtype, (), 6)), (y,)), [6, 6, 7]),
        (Call("Over", (x, tensor(dtype, (1,), 6, static=True)), (y,)), [6, 6, 7]),
        (Call("Over", (tensor(dtype, (), 6), tensor(dtype, (), 9)), (one,)), [9]),
        (Call("Highest", (x,), (one,)), [7]),
        (Call("Highest", (line,), (tensor(dtype, (2,)),)), [7, 10]),
    ]
    if dtype == "float32":
        high = tensor(dtype, (1,), 6, static=True)
        calls += [(Call("Bound", (x, tensor(dtype, low, 6), high), (y,)), [6, 6, 6]) for low in ((), (1,))]
    return calls


def wrong(dtype: str) -> list[tuple[str, Call]]:
    """Calls that HTP does not prepare, with what stands before the remedy."""
    x, none = tensor(dtype, (3,)), tensor(dtype, ())
    calls = [
        ("'low' has rank 0, allowed is 1 to 1", Call("Over", (x, tensor(dtype, (), 6, static=True)), (x,))),
        ("'y' has rank 0, allowed is 1 to 5", Call("Over", (none, none), (none,))),
        ("'y' has rank 0, allowed is 1 to 4", Call("Highest", (x,), (none,))),
    ]
    if dtype == "float32":
        by = P("by", DTYPES["int32"], (4,), ())
        given = tensor("int32", (), static=True)
        calls += [("param 'by' has rank 0", Call("Shift", (x,), (x,), (by,)))]
        calls += [("param 'by' has rank 0", Call("Shift", (x, given), (x,)))]
        calls += [
            ("'high' has rank 0, allowed is 1 to 1", Call("Bound", (x, none, tensor(dtype, (), static=True)), (x,)))
        ]
    return calls


def told(result: RawResult) -> str:
    assert (result.status, result.stage) == ("rejected", "validate"), (result.status, result.message)
    return qlib.reason(result)


@pytest.mark.parametrize(
    ("machine", "types"),
    [
        ("host", FEW),
        pytest.param("htp", FEW, marks=pytest.mark.htp),
        pytest.param("htp", TYPES, marks=(pytest.mark.htp, pytest.mark.sweep)),
    ],
)
def test_inputs_of_rank_0_and_one_element_for_the_others(machine: str, types: tuple[str, ...], tmp_path: Path) -> None:
    cases = [case for dtype in types for case in right(dtype)]
    results = qlib.run(project(types), [call for call, _ in cases], tmp_path, machine)
    for (call, numbers), result in zip(cases, results, strict=True):
        assert qlib.output(result, 0, call.outputs[0]).tolist() == numbers, call


def test_others_of_rank_0_are_refused(tmp_path: Path) -> None:
    cases = [case for dtype in FEW for case in wrong(dtype)]
    for (message, _), result in zip(cases, qlib.run(project(), [c for _, c in cases], tmp_path), strict=True):
        assert f"{message}; give it the shape [1]" in told(result)


@pytest.mark.htp
@pytest.mark.sweep
def test_what_is_refused_is_not_prepared(tmp_path: Path) -> None:
    calls = [call for dtype in TYPES for _, call in wrong(dtype)]
    for result in qlib.run(unchecked(), calls, tmp_path, "htp"):
        assert (result.status != "ok", result.stage in ("compose", "finalize")) == (True, True), result.message


@pytest.mark.parametrize("shape", [(7,), (1, 1)])
def test_what_has_no_dimensions_has_one_element(shape: tuple[int, ...], tmp_path: Path) -> None:
    x, high = tensor("float32", (3,)), tensor("float32", (1,), static=True)
    (result,) = qlib.run(project(), [Call("Bound", (x, tensor("float32", shape), high), (x,))], tmp_path)
    assert "'low' has " in told(result)


@pytest.mark.htp
def test_verify_runs_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    ops = OPS.replace("TYPES", "ufixed8").partition("  Over:")[0]
    ops += "    tests: {cases: [{name: number, x: {shape: [7]}}]}\n"
    Path("specs/s.yaml").write_text(qlib.HEAD.format(name="test.rank.zero") + ops)
    assert run(["generate"]) == 0
    assert run(["verify", "--on", "host,htp", "--case", "u8-number"]) == 0
    assert "1 op, 1 kernel, 2 cases, 0 failures" in capfd.readouterr().out
