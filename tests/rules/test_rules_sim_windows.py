"""The parts of an input that the parts of a convolution's or pool's output need."""

from __future__ import annotations

import pytest
from rules_sim_kit import body, run

WINDOWED = """
input x: Float32[1,41,41,16]
input w: Float32[3,5,16,16]
input k: Float32[1,5,3,1]
input s: Float32[1,2,3,1]
input d: Float32[1,2,1,1]
y: Float32[1,18,12,16] = p::Conv(x, w, k, s, d)
output y
"""


@pytest.mark.parametrize(
    ("dim", "slice", "start", "size"),
    [
        (1, 'TYPICAL_CONV_SLICE("X", "I", "S", DIM_HEIGHT("K"))', "[0,20,0,0]", "[1,19,41,16]"),
        (2, 'TYPICAL_CONV_SLICE("X", "I", "S", DIM_WIDTH("K"))', "[0,0,30,0]", "[1,41,6,16]"),
        (1, "conv_split_start_valid W S|conv_split_size_valid W S", "[0,20,0,0]", "[1,17,41,16]"),
        (1, "pool_split_start_valid K S|pool_split_size_valid K S", "[0,20,0,0]", "[1,19,41,16]"),
        (1, "conv_split_start_valid W S|conv_split_size_valid_dil W S D", "[0,20,0,0]", "[1,19,41,16]"),
    ],
)  # fmt: skip
def test_parts_under_windows(dim: int, slice: str, start: str, size: str) -> None:
    """The last part: 8 rows from 10 on, or 2 columns; strides 2 and 3, windows 3 (weights) or 5 x 3, dilation 2."""
    if "|" in slice:
        calls = []
        for each in slice.split("|"):
            name, *tags = each.split()
            calls.append(f'AUTOSPLIT_SHAPEFN_APPLY({name}, "I", "X", {", ".join(f"{tag!r}" for tag in tags)})')
        slice = f'AUTOSPLIT_SLICE("X", {", ".join(calls)})'.replace("'", '"')
    text = f'AUTOSPLIT({dim}, "I", 10, Op("Part", {slice}))'
    done = run(WINDOWED, f'EARLY, Op("Conv", "X", "W", "K", "S", "D"), OK, {text}')
    assert any(f"q::Slice_shape(x, {start}, {size})" in line for line in body(done.graph))


def test_a_part_that_is_not_there() -> None:
    split = 'AUTOSPLIT(1, "I", 10, Op("Part", TYPICAL_CONV_SLICE("X", "I", "S", 9)))'
    found = run(WINDOWED, f'EARLY, Op("Conv", "X", "W", "K", "S", "D"), OK, {split}').findings
    assert [f.message for f in found] == [
        "rule rules_1 fails at y: conv_valid_split_size: slice 20..43 of dimension 1 goes beyond its 41 elements"
    ]
