"""Integer kernels against numpy, on the host and in qemu: exact for every number, whatever lanes were chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from kernels_integers import SIZES, IntegerOp, call_of, unit_of, wanted
from kernels_kit import Kit

from opkg.kernels.strategies import integer

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
    IntegerOp("t = a + b\ny = t\nz = t > 100\nw = max(t, 7)", {"a": U8, "b": U8}, {"y": U8, "z": B, "w": S16}),
]


def _units(ops: Sequence[IntegerOp]) -> list:  # type: ignore[type-arg]
    units = []
    for number, op in enumerate(ops):
        snippet = op.snippet()
        lowered = integer.lower(snippet)
        assert not isinstance(lowered, str), f"{number} {op.body}: {lowered}"
        units.append(unit_of(snippet, lowered))
    return units


def _check(kit: Kit, ops: Sequence[IntegerOp], sizes: Sequence[int], shifts: Sequence[int] = (0,)) -> None:
    calls = [
        call_of(number, op, kit.units[number].snippet, n, 1000 * number + n, shift=shift)
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


@pytest.mark.parametrize("unsigned", [False, True])
def test_equal_numpy_on_the_host(host: dict[bool, Kit], unsigned: bool) -> None:
    _check(host[unsigned], [op for op in OPS if op.unsigned is unsigned], SIZES, (0, 1))
