"""Reductions of plain integers in vectors: exact for every number, at the speed of hand-written code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernels_sequence_cases import STORED, lowered, snippet_of
from kernels_sequence_kit import Row, RowKit

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


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_packets_of_the_maximum_of_everything(tmp_path: Path, arch: str) -> None:
    """At most what careful intrinsics take per 128 bytes of input: 1.48."""
    snippet = snippet_of("y = max(x, axis=-1, keepdims=True)", "uint8", "uint8", full=False)
    kit = RowKit(tmp_path, [(snippet, lowered(snippet))], arch)
    for n in (8192, 8192 + 37):
        x = np.random.default_rng(n).integers(0, 256, n)
        assert kit.count_row(Row(0, {"x": x})).packets * 128 / n <= 1.48
