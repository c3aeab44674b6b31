"""Integer kernels against numpy, on the host and in qemu: exact for every number, whatever lanes were chosen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_integers import SIZES, IntegerOp, call_of, random_op, wanted
from kernels_kit import Kit, Unit

from opkg.kernels.strategies.integer import strategy as integer

U8, S8, U16, S16, U32, S32, B = "uint8", "int8", "uint16", "int16", "uint32", "int32", "bool8"


def _op(
    body: str, result: str, unsigned: bool = False, params: dict[str, str] | None = None, **inputs: str
) -> IntegerOp:
    return IntegerOp(body, inputs, {"y": result}, params or {}, unsigned)


_ANY = {"p": "dtype: int32", "r": "dtype: int32"}
OPS = [
    _op("y = a + b", U8, a=U8, b=U8),
    _op("y = a - b", U8, a=U8, b=U8),
    _op("y = abs(a - b)", U8, a=U8, b=U8),
    _op("y = clip(a, p, r)", U8, a=U8, params=_ANY),
    _op("y = max(a + b, 0)", S8, a=S8, b=S8),
    _op("y = max(a + b, 0)", S8, True, a=S8, b=S8),
    _op("y = a", U16, a=U8),
    _op("y = a", S16, True, a=S8),
    _op("y = a", S32, a=U8),
    _op("y = a", U8, a=S32),
    _op("y = a", S8, True, a=U16),
    _op("y = a * b", U8, a=U8, b=U8),
    _op("y = a * b + c", S32, a=U8, b=S8, c=S16),
    _op("y = a * b", S32, a=S16, b=S16),
    _op("y = a * b", U32, a=U16, b=U16),
    _op("y = (a * b) // 16 + c * 3", S16, True, a=S8, b=S8, c=S16),
    _op("y = (a + b) // 2", U8, a=U8, b=U8),
    _op("y = (a + b + 1) // 2", S8, True, a=S8, b=S8),
    _op("y = a % 16 + b // 4", U8, a=U8, b=U8),
    _op("y = a % 64", S8, a=S16),
    _op("y = a > b", B, a=U8, b=U8),
    _op("y = a >= p and not c or a == b", B, a=S8, b=S8, c=B, params={"p": "dtype: int32"}),
    _op("y = a < b", B, True, a=S16, b=S16),
    _op("y = a == b", B, a=S32, b=S32),
    _op("y = a > b", B, a=U32, b=U32),
    _op("y = (a if a > b else b - a) + p", S16, a=S16, b=S16, params={"p": "dtype: int32, range: -1000 .. 1000"}),
    _op("y = c if a > b else p", S8, True, a=S16, b=S16, c=S8, params={"p": "dtype: int8"}),
    _op("y = a + b", S32, a=S32, b=S32),
    _op("y = a - b", U32, a=U32, b=U32),
    _op("y = min(max(a, b), c)", U32, a=U32, b=U32, c=U32),
    _op("y = abs(a)", S32, a=S32),
    _op("y = abs(a)", S8, True, a=S8),
    _op("y = sign(a) * b", S16, a=S32, b=S16),
    _op("y = cast(a, int8) * cast(b, uint8)", S16, a=S32, b=S16),
    _op("y = cast(a > b, int32) + c", U8, a=U16, b=U16, c=U8),
    _op("y = a % 256 * 3", U16, a=S32),
    _op("y = -a", S8, True, a=S8),
    _op("y = a if f else b", U8, a=U8, b=U8, params={"f": "dtype: bool8"}),
    _op("y = a * p // 128", S16, a=S16, params={"p": "dtype: int32, range: 0 .. 255"}),
    _op("y = a and b or not c", B, a=B, b=B, c=B),
    _op("y = a != (b > c)", B, a=B, b=S32, c=S32),
    _op("y = max(a - b, 0) + min(a + b, 255)", U16, a=U8, b=U8),
    _op("y = 255 if a >= p else 0", U8, a=U8, params={"p": "dtype: int32"}),
    _op("y = a > p", B, a=U8, params={"p": "dtype: int32"}),
    _op("y = p > a", B, True, a=S8, params={"p": "dtype: int32"}),
    _op("y = a == p or b != r", B, True, a=S8, b=S16, params=_ANY),
    _op("y = a < p and f", B, a=S32, params={"p": "dtype: int64", "f": "dtype: bool8"}),
    _op("low = p - r\ny = min(max(a, low * low), p * r)", S16, a=S16, params=_ANY),
    _op("steps = a + b\nn = steps // 2 - c\ny = n", S8, True, a=S8, b=S8, c=S8),
    # Lanes of 64 bits, also where int64 wraps.
    _op("y = a * b + c", S32, a=S32, b=S32, c=S32),
    _op("y = a * b * c", S32, a=S32, b=S32, c=S32),
    _op("y = a + b - c * 5", S32, a=U32, b=S32, c=U32),
    _op("y = abs(a * b - c)", U32, a=S32, b=S32, c=U32),
    _op("y = (a * b) // 2 ** 40 + (a * c) // 4096", S32, a=S32, b=S32, c=U32),
    _op("y = (a * b) % 256", U8, a=S32, b=S32),
    _op("y = a * b > c * c or a * b == c", B, a=S32, b=S32, c=U32),
    _op(
        "y = min(a * b, c) + max(a * p, r)",
        S32,
        a=S32,
        b=S32,
        c=S32,
        params={"p": "dtype: int32", "r": "dtype: int64, range: -1099511627776 .. 1099511627776"},
    ),
    _op("y = a ** 5 % 128 + b", U8, a=S32, b=S8),
    _op("y = (a + b) * (b - c) if a > c else 3000000000 * a", S16, a=S32, b=S32, c=S32),
    # Bits and shifts.
    *[
        _op(f"y = {text}", dtype, dtype == S8, a=dtype, b=dtype)
        for dtype in (U8, S8, S16, S32)
        for text in ("a & b | a ^ 5", "~a & b")
    ],
    _op("y = ~a & 255", U8, a=U8),
    _op("y = (a >> 4) | (b << 4) & 240", U8, a=U8, b=U8),
    _op("y = a << 3 | b >> 70", U32, a=U32, b=U32),
    _op("y = (a * b >> 31) ^ (a << 33)", S32, a=S32, b=S32),
    _op("y = a >> p", S16, a=S16, params={"p": "dtype: int32"}),
    _op("y = a >> b", U16, a=U16, b=S8),
    _op("y = (a << p) + (b << (c & 15))", S32, a=S32, b=S16, c=U8, params={"p": "dtype: int32, range: 0 .. 7"}),
    # Division: digit by digit, and by constants as products.
    *[
        _op(f"y = a // b + a % {divisor}", S32, a=dtype, b=dtype)
        for dtype, divisor in ((U8, 7), (S8, 3), (S16, 1000), (S32, 641))
    ],
    _op("y = a % b", U16, a=U16, b=U16),
    _op("y = a // b", U32, a=U32, b=U32),
    _op("y = a % b", S8, True, a=S8, b=S8),
    _op("y = (a * 3) // 100 + b % -5 + a // p", S16, a=S16, b=S16, params={"p": "dtype: int16"}),
    IntegerOp("t = a + b\ny = t\nz = t > 100\nw = max(t, 7)", {"a": U8, "b": U8}, {"y": U8, "z": B, "w": S16}),
]


def _units(ops: Sequence[IntegerOp]) -> list:  # type: ignore[type-arg]
    units = []
    for number, op in enumerate(ops):
        snippet = op.snippet()
        lowered = integer.lower(snippet)
        assert not isinstance(lowered, str), f"{number} {op.body}: {lowered}"
        units.append(Unit(snippet, lowered))
    return units


def _check(
    kit: Kit, ops: Sequence[IntegerOp], sizes: Sequence[int], shifts: Sequence[int] = (0,), seed: int = 0
) -> None:
    calls = [
        call_of(number, op, kit.units[number].snippet, n, seed + 1000 * number + n, shift=shift)
        for number, op in enumerate(ops)
        for n in sizes
        for shift in shifts
    ]
    for call, got in zip(calls, kit.run(calls), strict=True):
        op = ops[call.unit]
        assert got is not None, f"{op.body}: refused"
        for name, numbers in wanted(op, kit.units[call.unit].snippet, call).items():
            wrong = np.flatnonzero(got[name] != numbers)
            assert not len(wrong), (
                f"{op}: {name}[{wrong[0]}] is {got[name][wrong[0]]}, not {numbers[wrong[0]]}; n {call.n} "
                f"{ {k: v[wrong[0]] for k, v in call.inputs.items()} } {call.params}"
            )


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Kit]:
    folder = tmp_path_factory.mktemp("integer")
    return {u: Kit(folder / str(u), _units([op for op in OPS if op.unsigned is u]), "", u) for u in (False, True)}


@pytest.mark.hexagon
@pytest.mark.parametrize("arch", [pytest.param("v66", marks=pytest.mark.sweep), "v73"])
@pytest.mark.parametrize("unsigned", [False, True])
def test_equal_numpy_in_qemu(arch: str, unsigned: bool, tmp_path: Path) -> None:
    ops = [op for op in OPS if op.unsigned is unsigned]
    _check(Kit(tmp_path, _units(ops), arch, unsigned), ops, (129, 4096 + 37), (0, 1))


@pytest.mark.parametrize("unsigned", [False, True])
def test_equal_numpy_on_the_host(host: dict[bool, Kit], unsigned: bool) -> None:
    _check(host[unsigned], [op for op in OPS if op.unsigned is unsigned], SIZES, (0, 1))


def _random_ops(unsigned: bool, count: int) -> list[IntegerOp]:
    """Random ops that have vector code."""
    rng = random.Random(f"integer {unsigned}")
    found: list[IntegerOp] = []
    refused = 0
    while len(found) < count:
        op = random_op(rng, unsigned)
        lowered = integer.lower(op.snippet())
        if isinstance(lowered, str):
            refused += 1
            assert "wrap" in lowered or "no lanes hold" in lowered, f"{op}: {lowered}"
        else:
            found.append(op)
    assert refused < count
    return found


@pytest.mark.parametrize("unsigned", [False, True])
def test_random_computations_equal_numpy(unsigned: bool, tmp_path: Path) -> None:
    ops = _random_ops(unsigned, 12)
    kit = Kit(tmp_path, _units(ops), "", unsigned)

    @settings(max_examples=15, deadline=None)
    @given(st.integers(0, 1 << 30), st.sampled_from([1, 31, 128, 300, 700]))
    def check(seed: int, n: int) -> None:
        _check(kit, ops, (n,), (0,), seed)

    check()


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (_op("y = a << b", S32, a=S16, b=U8), "more than 31"),
        (_op("y = a >> b", U32, a=U32, b=U8), "no constant"),
        (_op("y = a // b", U32, a=U32, b=S32), "no lanes hold"),
        (_op("y = (a * b) % c", S32, a=S32, b=S32, c=S32), "no lanes hold"),
        (_op("y = abs(a * b * c)", S32, a=S32, b=S32, c=S32), "may wrap"),
        (_op("y = a", "int64", a=S32), "64 bits"),
        (_op("y = cast(a * 0.5, int32)", S32, a=S32), "real numbers"),
        (_op("y = cast(a, int32)", S32, a="ufixed8"), "no integer"),
    ],
)
def test_why_not(op: IntegerOp, why: str) -> None:
    found = integer.lower(op.snippet())
    assert isinstance(found, str)
    assert why in found


@pytest.mark.parametrize(
    ("op", "ops"),
    [
        (OPS[0], ["Q6_Vub_vadd_VubVub_sat"]),
        (OPS[1], ["Q6_Vub_vsub_VubVub_sat"]),
        (OPS[2], ["Q6_Vub_vsub_VubVub_sat", "Q6_Vub_vsub_VubVub_sat", "Q6_V_vor_VV"]),
        (
            _op("y = a > p", B, a=U8, params={"p": "dtype: int32"}),
            ["Q6_Q_vcmp_gt_VubVub", "Q6_Q_or_QQ", "Q6_V_vmux_QVV"],
        ),
        (_op("y = max(a - b, 0)", U8, a=U8, b=U8), ["Q6_Vub_vsub_VubVub_sat"]),
        (_op("y = min(a + b, 255) + c", U8, a=U8, b=U8, c=U8), ["Q6_Vub_vadd_VubVub_sat"] * 2),
        (_op("y = abs(min(a, c) - b)", U8, a=U8, b=U8, c=U8), ["Q6_Vub_vmin_VubVub", "Q6_Vub_vabsdiff_VubVub"]),
        (OPS[3], ["Q6_Vub_vmax_VubVub", "Q6_Vub_vmin_VubVub"]),
        (OPS[4], ["Q6_Vb_vadd_VbVb_sat", "Q6_Vb_vmax_VbVb"]),
        (OPS[5], ["Q6_V_vxor_VV", "Q6_Vub_vadd_VubVb_sat", "Q6_Vub_vmax_VubVub"]),
        (OPS[6], ["Q6_Wuh_vunpack_Vub", "Q6_V_lo_W", "Q6_V_hi_W"]),
        (_op("y = max(min(a, p), r)", S8, True, a=S8, params=_ANY), ["Q6_Vub_vmin_VubVub", "Q6_Vub_vmax_VubVub"]),
    ],
)
def test_instructions(op: IntegerOp, ops: list[str]) -> None:
    lowered = integer.lower(op.snippet())
    assert not isinstance(lowered, str)
    assert [inst.op for inst in lowered.body if inst.op not in ("load", "store")] == ops


def test_params_outside_of_their_range_are_refused(tmp_path: Path) -> None:
    op = _op("y = a + p", S16, a=S16, params={"p": "dtype: int32, range: -10 .. 10"})
    kit = Kit(tmp_path, _units([op]))
    call = call_of(0, op, kit.units[0].snippet, 5, 1)
    assert kit.run([replace(call, params={"p": 10.0})])[0] is not None
    assert kit.run([replace(call, params={"p": 11.0})])[0] is None
