"""Tensors that do not fit the TCM: what is cut into tiles, where, and that the numbers at the cuts are right."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import qlib
from qlib import Call, P, Project, T

from opkg.spec.dtypes import DTYPES
from opkg.verify.judge.results import RawResult

F32, S8, S16, U8, U32, BOOL = (DTYPES[n] for n in ("float32", "sfixed8", "sfixed16", "ufixed8", "uint32", "bool8"))
QUANT = {F32: None, S8: (0.5, 0), S16: (0.5, 0)}
MACHINES = ["host", pytest.param("htp", marks=pytest.mark.htp)]


@cache
def project() -> Project:
    return qlib.built(qlib.spec_of(qlib.HERE / "specs" / "large.yaml"))


def real(*shape: int) -> np.ndarray:
    """Numbers that no shift by a tile repeats: 8191 is prime."""
    return (np.arange(np.prod(shape)) % 8191 - 4000).astype(np.float32).reshape(shape)


def t(data: np.ndarray) -> T:
    return T(F32, data.shape, data=data)


def of(op: str, wanted: np.ndarray, *inputs: np.ndarray, params: tuple[P, ...] = (), times: int = 1) -> tuple:
    outputs = tuple(T(F32, wanted.shape) for _ in range(times))
    return Call(op, tuple(map(t, inputs)), outputs, params), [wanted * (n + 1) for n in range(times)]


def axis(number: int) -> P:
    return P("axis", U32, number)


def broadcast() -> list[tuple]:
    big = real(3, 33, 129, 100)
    smaller = [(100,), (129, 1), (33, 1, 1), (3, 1, 1, 1), (3, 1, 129, 1), (1, 33, 1, 100), (1,), (33, 129, 100)]
    five = real(2, 3, 33, 51, 129)
    return [of("Sum", big + real(*shape), big, real(*shape)) for shape in smaller] + [
        of("Sum", real(3, 1, 129, 1) + real(1, 33, 1, 100), real(3, 1, 129, 1), real(1, 33, 1, 100)),
        of("Sum", five + real(129), real(129), five),
        of("Sum", five + real(3, 33, 51, 1), five, real(3, 33, 51, 1)),
        of("Sum", five + five, five, five),
        of("Sum", real(400, 2, 13, 129) * 2, real(400, 2, 13, 129), real(400, 2, 13, 129)),
    ]


def rows() -> list[tuple]:
    x, long = real(1, 17, 65, 1000), real(1200017)
    five = real(2, 3, 17, 11, 1000)

    def centred(data: np.ndarray) -> np.ndarray:
        return data - data.max(-1, keepdims=True)

    return [
        of("Centre", centred(x), x, times=2),
        of("Centre", centred(five), five, times=2),
        of("Sum", long * 2, long, long),
        of("Sum", long + 7, long, np.full(1, 7, np.float32)),
        of("Dropped", x.max(-1), x),
        of("Dropped", five.max(-1), five),
        of("Five", five + real(1000), five, real(1000)),
        of("Five", five, five),
    ]


def reduced() -> list[tuple]:
    x, pooled = real(5, 65, 33, 129), real(2, 101, 90, 64)
    keep, drop = P("keep", BOOL, True), P("keep", BOOL, False)
    found = [of("Pool", pooled.max((1, 2), keepdims=True), pooled)]
    for number in range(4):
        found.append(of("Along", x.max(number, keepdims=True), x, params=(axis(number), keep)))
        found.append(of("Along", x.max(number), x, params=(axis(number), drop)))
    found.append(of("Along", x.max(1, keepdims=True), x, params=(keep,)))
    for axes in ((0,), (3,), (1, 3), (1, 2, 3)):
        chosen = P("axes", U32, axes, (len(axes),))
        found.append(of("Over", x.max(axes, keepdims=True), x, params=(chosen,)))
    return found


@pytest.mark.parametrize(
    ("series", "machine"),
    [
        *(pytest.param(series, "htp", marks=pytest.mark.htp) for series in (broadcast, rows, reduced)),
        *(pytest.param(series, "host", marks=pytest.mark.sweep) for series in (broadcast, rows)),
        (reduced, "host"),
    ],
)
def test_float_tensors_of_more_than_4_mib(series, machine: str, tmp_path: Path) -> None:
    calls = series()
    assert all(any(x.data.nbytes > 4 << 20 for x in (*c.inputs, *map(t, w))) for c, w in calls)
    results = qlib.run(project(), [call for call, _ in calls], tmp_path, machine)
    for number, ((call, wanted), result) in enumerate(zip(calls, results, strict=True)):
        for at, (array, tensor) in enumerate(zip(wanted, call.outputs, strict=True)):
            np.testing.assert_array_equal(qlib.output(result, at, tensor), array, err_msg=f"{call.op} {number}")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "shape", [(5, 17, 63, 1000), (2, 3, 17, 65, 1000), (1, 4, 10, 120, 1000), (2, 2, 1, 1, 4194432)]
)
def test_signed_tensors(shape: tuple[int, ...], machine: str, tmp_path: Path) -> None:
    """They arrive as unsigned ones, and are converted behind a reshape, not before it."""
    x = (np.arange(np.prod(shape)) % 251 - 125).astype(np.int8).reshape(shape)
    quant = (0.5, 3)
    call = Call(
        "Sum", (T(S8, shape, quant, data=x), T(S8, (1,), quant, data=x[:1].reshape(-1)[:1])), (T(S8, shape, quant),)
    )
    (result,) = qlib.run(project(), [call], tmp_path, machine)
    expected = np.clip(x.astype(np.int64) + 3 + int(x.reshape(-1)[0]), -128, 127)
    np.testing.assert_array_equal(qlib.output(result, 0, call.outputs[0]), expected)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("shape", [(1, 100, 210, 256), (3, 131, 117, 100), (1, 17, 300, 1000)])
def test_blocks(shape: tuple[int, ...], machine: str, tmp_path: Path) -> None:
    x = (np.arange(np.prod(shape)) % 251).astype(np.uint8).reshape(shape)
    call = Call("Blocks", (T(U8, shape, (0.5, -100), data=x),), (T(U8, shape, (0.5, -100)),))
    (result,) = qlib.run(project(), [call], tmp_path, machine)
    np.testing.assert_array_equal(qlib.output(result, 0, call.outputs[0]), np.maximum(x, 100))


def refused(result: RawResult) -> None:
    """By the validator: the backend would end with 1002 when the graph is finalized (test_pieces.py)."""
    assert (result.status, result.stage) == ("rejected", "validate")
    assert "cannot be cut into tiles, and HTP takes at most 4194304 in one piece" in qlib.reason(result)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_not_tiled_has_a_limit(machine: str, tmp_path: Path) -> None:
    """The size that `opkg validate` names (OPK277) works, and one row more does not."""
    fits, more = real(1, 128, 128, 64), real(1, 129, 128, 64)
    calls = [Call("Greatest", (t(x),), (T(F32, (1,)),)) for x in (fits, more)]
    largest, beyond = qlib.run(project(), calls, tmp_path, machine)
    assert qlib.output(largest, 0, calls[0].outputs[0]) == fits.max()
    refused(beyond)


MIB = 1 << 20
# op, element type, shapes of the inputs of the size that `opkg validate` names (OPK277), and of the next one.
LIMITS = {
    "row": ("Centre", F32, [(2, MIB)], [(2, MIB + 128)]),
    "signed row": ("Sum", S8, [(3, 4 * MIB), (1,)], [(3, 4 * MIB + 128), (1,)]),
    "signed halves": ("Sum", S16, [(2 * MIB,), (2 * MIB,)], [(2 * MIB + 4096,), (1,)]),
    "alternating": ("Sum", F32, [(1, 3, 1, 4, 1), (64, 1, 64, 1, 256)], [(1, 3, 1, 4, 1), (64, 1, 65, 1, 256)]),
}


@pytest.mark.htp
@pytest.mark.parametrize("name", LIMITS)
def test_limits_of_what_is_tiled(name: str, tmp_path: Path) -> None:
    op, dtype, *sizes = LIMITS[name]
    calls = []
    for shapes in sizes:
        inputs = tuple(T(dtype, s, QUANT[dtype], data=np.ones(s, dtype.numpy)) for s in shapes)
        shape = np.broadcast_shapes(*shapes)
        calls.append(Call(op, inputs, (T(dtype, shape, QUANT[dtype]),) * (2 if op == "Centre" else 1)))
    fits, beyond = qlib.run(project(), calls, tmp_path, "htp")
    value = 0 if op == "Centre" else 2
    assert (qlib.output(fits, 0, calls[0].outputs[0]) == value).all()
    refused(beyond)


# Shapes of which the backend has no slices when it makes inputs of rank 5 unsigned itself (docs/measured-qhpi.md), the
# broadcast ones in dimensions that cannot be joined to four.
SIGNED = [
    ((1, 1, 16, 9, 48), (48,)),
    ((1, 1, 13, 8, 33), (1, 1, 13, 8, 33)),
    ((2, 3, 1013, 8, 4), (1, 3, 1, 8, 1)),
    ((9, 8, 17, 24, 4), (1, 8, 1, 24, 1)),
    ((1, 1, 2, 3, 5000), (1,)),
    ((17, 1, 128, 1, 3), (17, 1, 1, 1, 3)),
]


@pytest.mark.parametrize("machine", MACHINES)
def test_signed_inputs_of_rank_5(machine: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    calls, wanted = [], []
    for shapes in SIGNED:
        a, b = (rng.integers(-9000, 9000, shape).astype(np.int16) for shape in shapes)
        inputs = (T(S16, a.shape, QUANT[S16], data=a), T(S16, b.shape, QUANT[S16], data=b))
        calls.append(Call("Sum", inputs, (T(S16, a.shape, QUANT[S16]),)))
        wanted.append(a + b)
        calls.append(Call("Greatest", inputs[:1], (T(S16, (1,), QUANT[S16]),)))
        wanted.append(a.max())
    for call, result, right in zip(calls, qlib.run(project(), calls, tmp_path, machine), wanted, strict=True):
        np.testing.assert_array_equal(qlib.output(result, 0, call.outputs[0]), right)


def test_small_tensors_are_not_cut(tmp_path: Path) -> None:
    x = real(1, 16, 64, 32)
    (result,) = qlib.run(project(), [of("Sum", x + x, x, x)[0]], tmp_path, trace=True)
    required = [line for line in result.trace if line.startswith("shape_required")]
    assert required == ["shape_required n0 [4294967295,4294967295,4294967295,4294967295]"]
    assert not any(line.startswith("build_tile n0") for line in result.trace)
