"""Bytes that become halves: steps times a factor in two parts, rounded once."""

from __future__ import annotations

import numpy as np
import pytest
from kernels_kit import Call, Kit, Unit, absent, snippets_of

from opkg.kernels.choose import choose
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.steps import ULPS
from opkg.verify.bench.measure import objdump
from opkg.verify.bench.static import schedule
from opkg.verify.bench.subject import subjects
from opkg.verify.machines.hexagon import toolchain

SPEC = """
  Op:
    inputs: {{x: {{dtype: {dtype}}}}}
    outputs: {{y: {{dtype: {output}, shape: x.shape}}}}
    compute: y = {text}
"""
TYPES = {"ufixed8": np.uint8, "sfixed8": np.int8}


def made(dtype: str, text: str = "x", output: str = "float16") -> tuple[Snippet, Lowered]:
    (snippet,) = snippets_of(SPEC.format(dtype=dtype, text=text, output=output))
    chosen = choose(snippet)
    assert chosen is not None
    assert isinstance(chosen.lowered, Lowered)
    return snippet, chosen.lowered


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    units = [made(dtype) for dtype in TYPES]
    assert all(lowered.title == "Bytes as halves, 64 at a time" for _, lowered in units)
    return Kit(tmp_path_factory.mktemp("steps"), [Unit(*unit) for unit in units])


def _scales() -> list[float]:
    rng = np.random.default_rng(12)
    drawn = np.exp2(rng.uniform(-14, 8, 300)).astype(np.float32)
    edges = [2.0**-14, 255.99998, 1.0, 1 / 255, 1 / 127, 0.1, 1 + 2.0**-11, 1 + 2.0**-12 + 2.0**-23]
    return [float(np.float32(scale)) for scale in (*edges, *drawn)]


def test_every_byte_is_rounded_once(kit: Kit) -> None:
    rng = np.random.default_rng(13)
    calls = []
    for unit, dtype in enumerate(TYPES.values()):
        stored = np.arange(np.iinfo(dtype).min, np.iinfo(dtype).max + 1).astype(dtype)
        for place, scale in enumerate(_scales()):
            zero = int(rng.choice([stored[0], stored[-1], *stored]))
            n = int(rng.integers(1, 257)) if place % 4 == 0 else 256
            call = Call(unit, {"x": rng.permutation(stored)[:n]}, scales={"x": (scale, zero)}, shift=place % 7)
            calls.append(call)
    other = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        assert got is not None
        scale, zero = call.scales["x"]
        exact = (call.inputs["x"].astype(np.float64) - zero) * scale
        off = np.abs(exact) * ULPS * 2.0**-23
        assert (got["y"] >= (exact - off).astype(np.float16)).all(), scale
        assert (got["y"] <= (exact + off).astype(np.float16)).all(), scale
        other += int((got["y"] != exact.astype(np.float16)).sum())
        assert not np.signbit(got["y"][exact == 0]).any()
    assert other <= 60  # of 150,000: beside the middle of two halves


@pytest.mark.parametrize("scale", [0.0, 2.0**-15, 256.0, 1e9, float("inf"), float("nan")])
def test_factors_beyond_halves_are_for_the_portable_code(kit: Kit, scale: float) -> None:
    call = Call(0, {"x": np.arange(64, dtype=np.uint8)}, scales={"x": (scale, 3)})
    assert kit.run([call]) == [None]
    assert kit.run([Call(0, call.inputs, scales={"x": (1.0, 300)})]) == [None]


def test_lookups_are_for_what_is_more_than_a_product() -> None:
    assert made("ufixed8", "sigmoid(x)")[1].strategy == "table8"
    assert made("ufixed8", output="float32")[1].strategy == "floating"


def test_a_vector_of_halves_takes_three_packets() -> None:
    if toolchain.missing() or objdump() is None:
        absent("no compiler or disassembler for Hexagon")
    from opkg.spec.reader import read

    head = "opkg: 1\npackage: {name: t.steps, targets: [qnn-htp-qhpi]}\nops:"
    package, _ = read((head + SPEC.format(dtype="ufixed8", text="x", output="float16")).encode(), "s.yaml")
    assert package is not None
    (subject,) = subjects(package.ops[0])
    found = schedule(subject, "v73", 4)
    assert found is not None
    assert found.cost <= 3.0
