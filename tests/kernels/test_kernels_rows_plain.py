"""Reductions of plain integers in vectors: exact for every number, at the speed of hand-written code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernels_sequence_cases import STORED, lowered, snippet_of
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.strategies.rows.strategy import lower

TYPES = ("uint8", "int8", "uint16", "int16", "int32", "uint32")
FOLDS = {"max": np.max, "min": np.min, "sum": np.sum}


def pairs(unsigned: bool) -> list[tuple]:  # type: ignore[type-arg]
    """Every fold of every type: (type of x, type of y, fold, snippet)."""
    found = []
    for dtype in TYPES:
        for fold in FOLDS:
            out = "int32" if fold == "sum" else dtype
            text = f"{fold}(x, axis=-1, keepdims=True)"
            compute = f"y = cast({text}, int32)" if fold == "sum" else f"y = {text}"
            found.append((dtype, out, fold, snippet_of(compute, dtype, out, False, unsigned=unsigned)))
    return found


@pytest.mark.parametrize(("arch", "unsigned"), [("", False), ("", True), ("v66", False), ("v73", False)])
def test_exact(tmp_path: Path, arch: str, unsigned: bool) -> None:
    """`unsigned`: signed bytes and halfwords arrive moved by half of their range."""
    units = pairs(unsigned)
    kit = RowKit(tmp_path, [(snippet, lowered(snippet)) for *_, snippet in units], arch, unsigned)
    rng = np.random.default_rng(5)
    rows, wanted = [], []
    for number, (dtype, out, fold, snippet) in enumerate(units):
        limits, room = np.iinfo(STORED[dtype]), np.iinfo(STORED[out])
        for n in (1, 31, 127, 128, 129, 1000, 4133, 40000):
            numbers = (rng.integers(limits.min, limits.max + 1, n), np.full(n, limits.max), np.full(n, limits.min))
            values = numbers[int(rng.integers(3))]
            result = int(np.clip(FOLDS[fold](values.astype(np.int64)), room.min, room.max))
            operands = snippet.operand("x"), snippet.operand("y")
            stored = (values + operands[0].bias).astype(np.int64)
            rows.append(Row(number, {"x": stored}, shift=int(rng.choice([0, 4, 64]))))
            wanted.append(result + operands[1].bias)
    for row, got, want in zip(rows, kit.run_rows(rows), wanted, strict=True):
        assert got is not None
        assert int(got["y"][0]) == want, (units[row.unit][:3], row.n)


@pytest.mark.parametrize("arch", ["", "v66", "v73"])
def test_products(tmp_path: Path, arch: str) -> None:
    """They wrap in 64 bits, as the portable code's do, and are saturated then; one of them stands beside a sum."""
    texts = dict.fromkeys(("uint8", "int8", "uint16", "int16", "int32"), "cast(prod(x, axis=-1, keepdims=True), int32)")
    units = [(dtype, snippet_of(f"y = {text}", dtype, "int32", False)) for dtype, text in texts.items()]
    both = "y = prod(x, axis=-1, keepdims=True) - sum(x, axis=-1, keepdims=True)"
    units.append(("int32", snippet_of(both, "int32", "int32", False)))
    kit = RowKit(tmp_path, [(snippet, lowered(snippet)) for _, snippet in units], arch)
    rng = np.random.default_rng(6)
    rows, wanted = [], []
    for number, (dtype, _) in enumerate(units):
        limits, room = np.iinfo(STORED[dtype]), np.iinfo(np.int32)
        for n in (1, 2, 31, 33, 127, 128, 129, 1000, 4133):
            ones = np.where(rng.random(n) < min(1, 8 / n), rng.integers(max(limits.min, -9), 9, n) | 1, 1)
            odd = rng.integers(limits.min, limits.max + 1, n) | 1  # else the lower 64 bits are soon 0
            for values in (ones, np.where(rng.random(n) < 0.5, ones, odd), rng.integers(limits.min, limits.max + 1, n)):
                product = int(np.multiply.reduce(values.astype(np.int64)))
                result = product - int(values.sum()) if number == len(units) - 1 else product
                wrapped = (result + (1 << 63)) % (1 << 64) - (1 << 63)
                rows.append(Row(number, {"x": values}, shift=int(rng.choice([0, 4, 64]))))
                wanted.append(min(max(wrapped, room.min), room.max))
    assert sum(room.min < want < room.max for want in wanted) > len(wanted) / 4
    for row, got, want in zip(rows, kit.run_rows(rows), wanted, strict=True):
        assert got is not None
        assert int(got["y"][0]) == want, (units[row.unit][0], row.n)


def test_products_without_vectors() -> None:
    """Words without sign, bytes that arrive moved, products of anything but elements."""
    for dtype, unsigned, of in (
        ("uint32", False, "x"),
        ("int8", True, "x"),
        ("int32", False, "x + 1"),
        ("ufixed8", False, "x + 1"),
        ("int16", False, "abs(x)"),
    ):
        made = lower(snippet_of(f"y = prod({of}, axis=-1, keepdims=True)", dtype, dtype, False, unsigned=unsigned))
        assert isinstance(made, str)
        assert "'prod' of" in made


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_packets_of_the_maximum_of_everything(tmp_path: Path, arch: str) -> None:
    """At most what careful intrinsics take per 128 bytes of input: 1.48."""
    snippet = snippet_of("y = max(x, axis=-1, keepdims=True)", "uint8", "uint8", full=False)
    kit = RowKit(tmp_path, [(snippet, lowered(snippet))], arch)
    for n in (8192, 8192 + 37):
        x = np.random.default_rng(n).integers(0, 256, n)
        assert kit.count_row(Row(0, {"x": x})).packets * 128 / n <= 1.48
