"""Tables of 256 entries against the portable code and numpy, for every input number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernels_integers import SIZES, IntegerOp, unit_of
from kernels_kit import Call, Kit, Refused, snippets_of

from opkg.kernels.strategies import table8

U8, U16 = "ufixed8", "ufixed16"


def _op(body: str, params: dict[str, str] | None = None, x: str = U8, **outputs: str) -> IntegerOp:
    return IntegerOp(body, {"x": x}, outputs, params or {})


def _real(op: IntegerOp, stored: np.ndarray, scale: float, zero: int) -> np.ndarray:
    return (stored.astype(np.float64) - zero) * np.float64(np.float32(scale))


OPS = [
    _op("y = x * (1 / (1 + exp(-x)))", y=U8),
    _op("y = exp(min(x, 3.0))", y=U16),
    _op("y = sqrt(abs(x)) + p", {"p": "dtype: float32"}, y="float32"),
    _op("y = tanh(x)", x="sfixed8", y="sfixed8"),
    _op("y = floor(x)\nz = x > 1.5\nw = x * x", y="sfixed16", z="bool8", w=U8),
    _op("y = x * 3 - 100", x="int8", y="int16"),
    _op("y = x * x * 1000 + x", x="uint8", y="int32"),
    _op("y = 1.0 / x", y="float16"),
]
REFERENCES = [
    {"y": lambda x, p: x / (1 + np.exp(-x))},
    {"y": lambda x, p: np.exp(np.minimum(x, 3.0))},
    {"y": lambda x, p: np.sqrt(np.abs(x)) + p},
    {"y": lambda x, p: np.tanh(x)},
    {"y": lambda x, p: np.floor(x), "z": lambda x, p: x > 1.5, "w": lambda x, p: x * x},
    {"y": lambda x, p: x * 3 - 100},
    {"y": lambda x, p: x * x * 1000 + x},
    {"y": lambda x, p: 1.0 / x},
]
QUANT = {"x": (0.037, 120), "y": (0.021, 17), "z": (1.0, 0), "w": (0.05, 0)}


def _quant(op: IntegerOp, name: str) -> tuple[float, int]:
    dtype = {**op.inputs, **op.outputs}[name]
    if "fixed" not in dtype:
        return 1.0, 0
    scale, zero = QUANT[name]
    return float(np.float32(scale)), zero - 100 if dtype.startswith("s") else zero


def _expected(op: IntegerOp, name: str, real: np.ndarray) -> np.ndarray:
    """Stored numbers of real values: rounded half to even, saturated."""
    dtype = op.outputs[name]
    if dtype.startswith("float"):
        return real.astype(dtype)
    if dtype == "bool8":
        return real.astype(np.uint8)
    scale, zero = _quant(op, name)
    kind = np.dtype(
        {"ufixed8": "uint8", "sfixed8": "int8", "ufixed16": "uint16", "sfixed16": "int16"}.get(dtype, dtype)
    )
    ends = np.iinfo(kind)
    return np.clip(np.rint(real / scale) + zero, ends.min, ends.max).astype(kind)


def _units() -> list:  # type: ignore[type-arg]
    units = []
    for op in OPS:
        snippet = op.snippet()
        lowered = table8.lower(snippet)
        assert not isinstance(lowered, str), f"{op.body}: {lowered}"
        units.append(unit_of(snippet, lowered))
    return units


def _check(kit: Kit, sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(8)
    calls = []
    for number in range(len(OPS)):
        kind = np.int8 if kit.units[number].snippet.inputs[0].storage.signed else np.uint8
        every = np.arange(256, dtype=np.uint8).view(kind)
        scales = {name: _quant(OPS[number], name) for name in (*OPS[number].inputs, *OPS[number].outputs)}
        params = {scalar.name: 0.75 for scalar in kit.units[number].snippet.params}
        for n in (256, *sizes):
            x = every if n == 256 else rng.integers(0, 256, n).astype(np.uint8).view(kind)
            calls += [Call(number, {"x": x}, n, scales, params, shift=shift) for shift in (0, 3 * 4)]
    for call, got in zip(calls, kit.run(calls), strict=True):
        op = OPS[call.unit]
        assert got is not None
        x = call.inputs["x"]
        with np.errstate(all="ignore"):
            real = _real(op, x, *_quant(op, "x")) if "fixed" in op.inputs["x"] else x.astype(np.int64)
            for name, function in REFERENCES[call.unit].items():
                wanted = _expected(op, name, function(real, 0.75))
                assert np.array_equal(got[name], wanted, equal_nan=wanted.dtype.kind == "f"), (op, name, call.n)


def test_every_number_on_the_host(tmp_path: Path) -> None:
    _check(Kit(tmp_path, _units()), SIZES)


@pytest.mark.hexagon
@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_every_number_in_qemu(arch: str, tmp_path: Path) -> None:
    """Also what a lookup costs: 8 packets a vector of bytes, and of halfwords half a packet more for their order."""
    kit = Kit(tmp_path, _units(), arch)
    _check(kit, (129, 1000))
    try:
        assert kit.count(0).packets < 8.25
        assert kit.count(1).packets < 9.2
    except Refused:
        pytest.fail("prepare refuses")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (IntegerOp("y = a * b", {"a": U8, "b": U8}, {"y": U8}), "2 inputs"),
        (_op("y = x * 2", x=U16, y=U8), "16 bits"),
        (_op("y = x * x", x="uint8", y="int64"), "64 bits"),
        (_op("y = 2.0 + p", {"p": "dtype: float32"}, y=U8), "0 inputs"),
    ],
)
def test_why_not(text: IntegerOp, why: str) -> None:
    found = table8.lower(snippets_of(text.text)[0])
    assert isinstance(found, str)
    assert why in found
