"""Packages of every shape that records take, built and run on the host simulation and inside the real backend."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import qlib
from kernels import KERNELS
from qlib import Call, P, Project, T

from opkg.spec.dtypes import DTYPES

F32, U8, S8, U16, I32 = (DTYPES[n] for n in ("float32", "ufixed8", "sfixed8", "ufixed16", "int32"))
U32, BOOL = DTYPES["uint32"], DTYPES["bool8"]
MACHINES = ["host", pytest.param("htp", marks=pytest.mark.htp)]


@cache
def project() -> Project:
    return qlib.built(qlib.spec_of(qlib.HERE / "specs" / "struct.yaml"), KERNELS)


def real(*shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape)) % 23 - 11).astype(np.float32).reshape(shape)


def t(data: np.ndarray, dtype=F32, quant=None, **kind: bool) -> T:
    return T(dtype, data.shape, quant, data=data, **kind)


def out(*shape: int, dtype=F32, quant=None) -> T:
    return T(dtype, shape, quant)


def same(calls: list[tuple[Call, list[np.ndarray] | str]], tmp: Path, machine: str, **options) -> None:
    """Every call gives these outputs, or is refused with this text."""
    results = qlib.run(project(), [call for call, _ in calls], tmp, machine, **options)
    for number, ((call, wanted), result) in enumerate(zip(calls, results, strict=True)):
        if isinstance(wanted, str):
            assert result.status == "rejected", (number, result.status, result.message)
            if machine == "host":
                assert wanted in qlib.reason(result)
            continue
        for at, (array, tensor) in enumerate(zip(wanted, call.outputs, strict=True)):
            np.testing.assert_allclose(
                qlib.output(result, at, tensor), array, rtol=1e-5, atol=1e-5, err_msg=str(number)
            )


@pytest.mark.parametrize("machine", MACHINES)
def test_params_by_subset_and_order(machine: str, tmp_path: Path) -> None:
    x = real(2, 3)
    factor, bias, flip = P("factor", F32, 3.0), P("bias", I32, 5), P("flip", BOOL, True)

    def call(*params: P, shape: tuple[int, ...] = (2, 3)) -> Call:
        data = x.reshape(shape)
        return Call("Scale", (t(data),), (out(*shape),), params)

    third = np.float32(0.1)
    same(
        [
            (call(factor, bias, flip), [-(x * 3 + 5)]),
            (call(bias, factor, flip), [-(x * 3 + 5)]),
            (call(factor, bias), [x * 3 + 5]),
            (call(bias, flip), [-(x * third + 5)]),
            (call(factor), [x * 3 - 2]),
            (call(bias), [x * third + 5]),
            (call(), [x * third - 2]),
            (call(factor, bias, shape=(1, 2, 1, 3, 1)), [(x * 3 + 5).reshape(1, 2, 1, 3, 1)]),
            # A float32 and a bool arrive alike: positions cannot tell which of the two is meant, the spec's order wins.
            (call(bias, factor), "params (bias,factor) can not be told apart"),
            (call(flip), "params (flip) can not be told apart"),
            (call(flip, bias, factor), "params (flip,bias,factor) can not be told apart"),
            (call(P("factor", F32, float("nan"))), "not finite"),
            (call(P("factor", F32, 3e38)), "param 'factor' must be <= 100"),
            (call(P("factor", F32, -1e-45)), [np.full((2, 3), -2.0)]),
            (call(P("bias", I32, -(2**31))), [x * third - 2.0**31]),
            (call(P("bias", U32, 1)), "param 'bias' has element type uint32, expected int32"),
            (call(factor, factor), "param 'factor' is given twice"),
            (call(P("gain", F32, 1.0)), "unknown param 'gain'"),
        ],
        tmp_path,
        machine,
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_signed_and_unsigned_share_a_kernel(machine: str, tmp_path: Path) -> None:
    real_ = np.array([-8.0, -2.0, 0.0, 4.0, 7.5], np.float32)
    one = P("factor", F32, 1.0), P("bias", I32, 2)
    signed = np.array(real_ / 0.5, np.int8)
    unsigned = np.array(real_ / 0.5 + 100, np.uint8)
    same(
        [
            (
                Call("Scale", (t(signed, S8, (0.5, 0)),), (out(5, dtype=S8, quant=(0.5, 3)),), one),
                [np.array((real_ + 2) / 0.5 - 3, np.int8)],
            ),
            (
                Call("Scale", (t(unsigned, U8, (0.5, -100)),), (out(5, dtype=U8, quant=(0.25, -90)),), one),
                [np.array((real_ + 2) / 0.25 + 90, np.uint8)],
            ),
        ],
        tmp_path,
        machine,
    )
    records = [r.name for op in map(_plan, project().package.ops) for r in op.records if "scale" in r.name]
    assert not [name for name in records if "s8" in name]


def _plan(op):  # type: ignore[no-untyped-def]
    from opkg.targets.qnn_htp_qhpi.plan import make_plan

    return make_plan(op)


@pytest.mark.parametrize(
    ("machine", "slices"), [("host", "1"), ("host", "3"), pytest.param("htp", "1", marks=pytest.mark.htp)]
)
def test_optional_inputs_and_slices(machine: str, slices: str, tmp_path: Path) -> None:
    x, g, b = real(3, 5), np.arange(5, dtype=np.float32), np.arange(5, dtype=np.float32) * 10
    null = T(F32, (), null=True)

    def call(*more: T) -> Call:
        return Call("Affine", (t(x), *more), (out(3, 5),))

    same(
        [
            (call(), [x]),
            (call(t(g)), [x * g]),
            (call(t(g), t(b)), [x * g + b]),
            (call(null, t(b)), [x + b]),
            (call(t(g, static=True), t(b, static=True)), [x * g + b]),
            (call(t(g), null), "the last input is null; leave absent inputs at the end out"),
            (call(t(g), t(b), t(b)), "4 inputs given, expected 1 to 3"),
            (Call("Affine", (null,), (out(3, 5),)), "the last input is null"),
        ],
        tmp_path,
        machine,
        env={"OPKG_SIM_SLICES": slices},
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_output_rank_that_hangs_on_a_param(machine: str, tmp_path: Path) -> None:
    """libQnnHtp chooses by inputs alone, and crashed here before records that differ in outputs had predicates."""
    x5, x4, x2 = real(2, 1, 3, 2, 4), real(2, 3, 2, 4), real(3, 4)
    keep, drop = P("keep", BOOL, True), P("keep", BOOL, False)

    def call(x: np.ndarray, shape: tuple[int, ...], *params: P) -> Call:
        return Call("Top", (t(x),), (out(*shape),), params)

    same(
        [
            (call(x5, (2, 1, 3, 2), drop), [-x5.max(-1)]),
            (call(x5, (2, 1, 3, 2, 1), keep), [x5.max(-1, keepdims=True)]),
            (call(x5, (2, 1, 3, 2, 1)), [x5.max(-1, keepdims=True)]),
            (call(x4, (2, 3, 2), drop), [-x4.max(-1)]),
            (call(x4, (2, 3, 2, 1), keep), [x4.max(-1, keepdims=True)]),
            (call(x2, (3,), drop), [-x2.max(-1)]),
            (call(x2, (3,), keep), "'y' has shape [3], expected [3, 1]"),
        ],
        tmp_path,
        machine,
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_two_outputs_blocks_and_in_place(machine: str, tmp_path: Path) -> None:
    x = real(2, 1, 2, 3, 4)
    q = (np.arange(2 * 9 * 10 * 40) % 251).reshape(2, 9, 10, 40)
    q16 = q.astype(np.uint16) * 100
    quant = (0.5, -3)
    same(
        [
            (Call("Halves", (t(x),), (out(2, 1, 2, 3, 2), out(2, 1, 2, 3, 2))), [x[..., ::2], x[..., 1::2]]),
            (Call("Blocks", (t(q, U8, quant),), (out(*q.shape, dtype=U8, quant=quant),)), [q + 1]),
            (Call("Blocks", (t(q16, U16, quant),), (out(*q.shape, dtype=U16, quant=quant),)), [q16 + 1]),
            (Call("Blocks", (t(q, I32),), (out(*q.shape, dtype=I32),)), [q + 1]),
            (Call("Negate", (t(x[0, 0]),), (out(2, 3, 4),)), [-x[0, 0]]),
            (
                Call("Halves", (t(q16, U16, quant),), (out(2, 9, 10, 20, dtype=U16, quant=quant),) * 2),
                [q16[..., ::2], q16[..., 1::2]],
            ),
            (
                Call("Halves", (t(q16, U16, quant),), (out(2, 9, 10, 20, dtype=U16, quant=(0.25, -3)),) * 2),
                "'even' has scale 0.25 and offset -3, must be 0.5 and -3 as its source",
            ),
        ],
        tmp_path,
        machine,
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_tiles(machine: str, tmp_path: Path) -> None:
    big = real(1, 64, 64, 128)
    row, plane, column = real(128), real(64, 128), real(1, 64, 1, 128)
    five = real(1, 2, 8, 8, 32)
    whole = (np.arange(64 * 64 * 128) % 200).reshape(1, 64, 64, 128)
    quant = (1.0, 0)
    same(
        [
            (Call("Sum", (t(big), t(row)), (out(*big.shape),)), [big + row]),
            (Call("Sum", (t(row), t(big)), (out(*big.shape),)), [big + row]),
            (Call("Sum", (t(big), t(plane)), (out(*big.shape),)), [big + plane]),
            (Call("Sum", (t(column), t(big, static=True)), (out(*big.shape),)), [big + column]),
            (Call("Sum", (t(big), t(real(1))), (out(*big.shape),)), [big + real(1)]),
            (Call("Sum", (t(column), t(real(64, 1))), (out(1, 64, 64, 128),)), [column + real(64, 1)]),
            (Call("Sum", (t(five), t(real(8, 32))), (out(*five.shape),)), [five + real(8, 32)]),
            (Call("Sum", (t(five), t(real(1, 2, 1, 1, 1))), (out(*five.shape),)), [five + real(1, 2, 1, 1, 1)]),
            (
                Call(
                    "Sum", (t(whole, U8, quant), t(row * 0 + 5, U8, quant)), (out(*big.shape, dtype=U8, quant=quant),)
                ),
                [whole + 5],
            ),
            (Call("Sum", (t(big), t(real(127))), (out(*big.shape),)), "do not broadcast"),
        ],
        tmp_path,
        machine,
    )


def test_tiles_are_cut(tmp_path: Path) -> None:
    """The host follows the callbacks: f32 is split on height and depth, u8 never on width, int32 not at all."""
    big, quant = np.zeros((1, 64, 64, 128)), (1.0, 0)
    calls = [
        Call("Sum", (t(big), t(real(128))), (out(*big.shape),)),
        Call("Sum", (t(big, U8, quant), t(big[0, 0, 0], U8, quant)), (out(*big.shape, dtype=U8, quant=quant),)),
        Call("Sum", (t(big[:, :16, :16], I32), t(big[0, 0, 0], I32)), (out(1, 16, 16, 128, dtype=I32),)),
        Call("Sum", (t(real(1, 2, 8, 8, 32)), t(real(32))), (out(1, 2, 8, 8, 32),)),
    ]
    results = qlib.run(project(), calls, tmp_path, trace=True)
    cut = [[line for line in r.trace if line.startswith("build_tile")] for r in results]
    assert [r.status for r in results] == ["ok"] * 4
    assert len(cut[0]) > 8
    assert len(cut[1]) > 2
    assert not cut[3]


@pytest.mark.parametrize("machine", MACHINES)
def test_variadic_enum_tensor_params_and_names(machine: str, tmp_path: Path) -> None:
    a, b, c = real(2, 3), real(2, 2), real(2, 4)
    x = np.ones((1, 3, 5, 2), np.float32)
    on = P("on", BOOL, (True, False, True), (3,))
    taps = P("taps", F32, (1.0, 0.0, 0.0, 2.0), (2, 2))
    check = real(2, 4, 3)

    def join(*xs: np.ndarray, mode: int | None = None) -> Call:
        params = () if mode is None else (P("mode", U32, mode),)
        width = sum(x.shape[-1] for x in xs)
        return Call("Join", tuple(map(t, xs)), (out(2, width),), params)

    plain = 0.5 + 2.0 + 6.0 + 0.004
    same(
        [
            (join(a), [a]),
            (join(a, b, c), [np.concatenate([a, b, c], -1)]),
            (join(a, b, mode=4), [np.concatenate([a, b], -1) * 2]),
            (join(a, b, mode=3), "param 'mode' is 3, which is none of plain (1), doubled (4)"),
            (Call("Join", (t(a),), (out(2, 3),), (P("mode", F32, 1.0),)), "has element type float32, expected uint32"),
            (Call("Join", (t(a, I32),), (out(2, 3),)), "(inputs, then outputs): int32 float32"),
            (join(a, b, c, a), "4 inputs given, expected 1 to 3"),
            (join(a, real(3, 2)), "dimension 0 of 'xs' is 3, expected 2"),
            (Call("Taps", (t(x),), (out(1, 3, 5, 2),), (on,)), [x * (403 + plain + 4000)]),
            (
                Call("Taps", (t(x),), (out(1, 3, 5, 2),), (P("pads", I32, (7, -1), (2,)), taps, on)),
                [x * (699 + 9 + 4000)],
            ),
            (Call("Taps", (t(x),), (out(1, 3, 5, 2),), (P("pads", I32, (7, 1), (1, 2)), on)), "its shape must be [2]"),
            (Call("Collide", (t(check),), (out(2, 4, 3),)), [check * 0.5 + 1]),
            (
                Call("Collide", (t(check), t(check)), (out(2, 4, 3),), (P("in_", F32, 0.5), P("row_", I32, 1))),
                [check * 1.5 + 1],
            ),
            # Two float32: one input and in_ (preferred), or two inputs?
            (Call("Collide", (t(check), t(check)), (out(2, 4, 3),)), "params () can not be told apart"),
            (
                Call("Collide", (t(check),), (out(2, 4, 3),), (P("in_", F32, 2.0), P("row_", I32, 7))),
                [check * 2 + 7],
            ),
            (
                Call("Collide", (t(check),), (out(2, 4, 3),), (P("row_", I32, 201),)),
                "param 'row_' must be <= x_count * 100",
            ),
        ],
        tmp_path,
        machine,
    )


def test_reasons_survive_the_log(tmp_path: Path) -> None:
    """Per cent signs and letters beyond ASCII of a message reach the log as they are."""
    ops = """
  Odd:
    inputs:
      x: {dtype: float32, shape: [N]}
    outputs:
      y: {dtype: float32, shape: x.shape}
    constraints:
      - {require: N > 100, message: "100%s of 'N' %n must be über 100 ? ?/ * / //"}
"""
    odd = qlib.built(qlib.ops_package(ops, "odd.pkg"))
    result = qlib.run(odd, [Call("Odd", (t(real(3)),), (out(3),))], tmp_path)[0]
    assert result.status == "rejected"
    assert "odd.pkg: Odd 'n0': 100%s of 'N' %n must be über 100 ? ?/ * / //" in qlib.reason(result)
