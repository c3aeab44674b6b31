"""Floats in whole numbers (hvx_float_words.h) where HVX has no floating point: bit for bit what IEEE says, on host and v66."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernels_floating_host import COMPARE, TOP, Host
from kernels_floating_samples import EDGES, REFERENCE, pairs, patterns
from kernels_kit import Call, Kit, Unit, need_arch, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.floating.strategy import lower

TWO = ("add", "sub", "mul", "min", "max")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    lines = [f"FUNCTION({name}{kind}, {name}{kind}(a, b))" for kind in ("_sf", "_hf") for name in TWO]
    lines += [
        f"FUNCTION({name}{kind}, Q6_V_vmux_QVV({name}{kind}(a, b), splat_w({one}), Q6_V_vzero()))"
        for kind, one in (("_sf", "1"), ("_hf", "0x10001u"))
        for name in COMPARE
    ]
    lines += ["FUNCTION(even, Q6_V_lo_W(sf_from_hf(a)))", "FUNCTION(odd, Q6_V_hi_W(sf_from_hf(a)))"]
    lines += ["FUNCTION(halves, hf_from_sf(a, b))"]
    text = TOP.replace("hvx_float.h", "hvx_lanes.h") + "\n".join(lines) + "\n"
    return Host(tmp_path_factory.mktemp("words"), 66, text)


def exactly(got: np.ndarray, wanted: np.ndarray) -> bool:
    """The same bits; any NaN where NaN is wanted."""
    same = got.view(np.uint8).reshape(len(got), -1) == wanted.view(np.uint8).reshape(len(got), -1)
    return bool((same.all(axis=1) | (np.isnan(got) & np.isnan(wanted))).all())


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_sums_and_products_have_the_bits_of_ieee(host: Host, name: str) -> None:
    rng = np.random.default_rng(3)
    a, b = pairs(name, rng, 100000)
    x = patterns(rng, 100000)
    near = np.float32(2.0) ** rng.integers(-30, 4, len(x)) * (1 + rng.random(len(x))) * rng.choice([-1, 1], len(x))
    with np.errstate(all="ignore"):  # sums of any two sizes, products around the least numbers
        other = (x * near if name != "mul" else np.float32(2.0**-126) / x * near).astype(np.float32)
        a, b = np.concatenate([a, x]), np.concatenate([b, other])
        assert exactly(host.call(f"{name}_sf", a, b), REFERENCE[name](a, b).astype(np.float32))


def test_order(host: Host) -> None:
    a, b = pairs("min", np.random.default_rng(4), 50000)
    checks = {"gt": a > b, "ge": a >= b, "eq": a == b}
    for name, wanted in checks.items():
        assert (host.call(f"{name}_sf", a, b, result=np.int32) == wanted).all(), name
    with np.errstate(all="ignore"):
        for name in ("min", "max"):
            found, wanted = host.call(f"{name}_sf", a, b), REFERENCE[name](a, b)
            assert ((found == wanted) | (np.isnan(found) & np.isnan(wanted))).all(), name


def test_halves(host: Host) -> None:
    """All of them become floats; floats become the nearest ones; sums, products and order are those of halves."""
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    pairs_of = every.view(np.float32)
    wide = every.astype(np.float32)
    assert exactly(host.call("even", pairs_of), wide[::2].copy())
    assert exactly(host.call("odd", pairs_of), wide[1::2].copy())
    rng = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        middle = (wide[:-1] + wide[1:]) / 2
        x = np.concatenate([EDGES, wide, middle, np.nextafter(middle, np.float32(0)), patterns(rng, 50000)])
        x = np.append(x, x[: len(x) % 2])
        found = host.call("halves", x[1::2].copy(), x[::2].copy()).view(np.float16)
        assert exactly(found, x.astype(np.float16))
        a, b = rng.permutation(every), every
        results = {"add": a + b, "sub": a - b, "mul": a * b}
        for name, wanted in results.items():
            found = host.call(f"{name}_hf", a.view(np.float32), b.view(np.float32)).view(np.float16)
            assert exactly(found, wanted), name
        for name, right in {"gt": a > b, "ge": a >= b, "eq": a == b}.items():
            bits = host.call(f"{name}_hf", a.view(np.float32), b.view(np.float32), result=np.uint32).view(np.uint16)
            assert (bits == right).all(), name
        for name, wanted in {"min": np.minimum(a, b), "max": np.maximum(a, b)}.items():
            found = host.call(f"{name}_hf", a.view(np.float32), b.view(np.float32)).view(np.float16)
            assert ((found == wanted) | (np.isnan(found) & np.isnan(wanted))).all(), name


def test_kernels_on_v66(tmp_path: Path) -> None:
    """Sums, products, choices of both types, in the emulator: bit for bit."""
    need_arch("v66")
    text = """  K:
    types: {T: [float32, float16]}
    inputs: {a: {dtype: T}, b: {dtype: T, shape: a.shape}}
    outputs: {y: {dtype: T, shape: a.shape}}
    compute: y = max(a, 0) - a * b if a > b else abs(b)
"""
    snippets = snippets_of(text)
    made = [lower(snippet) for snippet in snippets]
    kit = Kit(tmp_path, [Unit(s, m) for s, m in zip(snippets, made, strict=True) if isinstance(m, Lowered)], arch="v66")
    rng = np.random.default_rng(6)
    for at, dtype in enumerate((np.float32, np.float16)):
        a, b = pairs("add", rng, 3000)
        with np.errstate(all="ignore"):
            a, b = a.astype(dtype), b.astype(dtype)
            x, z = a.astype(np.float32), b.astype(np.float32)
            wanted = np.where(a > b, np.maximum(x, 0) - x * z, np.abs(z)).astype(dtype)
        for n in (1, 3, 17, 100, 1000, len(a)):
            (got,) = kit.run([Call(at, {"a": a[:n], "b": b[:n]})])
            assert got is not None
            found = got["y"]
            assert ((found == wanted[:n]) | (np.isnan(found) & np.isnan(wanted[:n]))).all(), (dtype, n)
