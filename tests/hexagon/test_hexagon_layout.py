"""Blocks and moved zero points: numpy's cutting against the addresses that kernel.h computes."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.dtypes import DTYPES
from opkg.verify.machines.hexagon.layout import BLOCK, from_blocks, moved, padded_dims, shifted, to_blocks

SHAPES = st.tuples(*(st.integers(1, most) for most in (3, 20, 11, 70)))


def place(index: tuple[int, ...], padded: tuple[int, ...], size: int) -> int:
    """Where an element of a rank-4 tensor lies in its blocks: block by block in row-major order, 16-bit elements in pairs
    of columns."""
    high, wide, deep = BLOCK[size]
    b, h, w, d = index
    block = ((b * (padded[1] // high) + h // high) * (padded[2] // wide) + w // wide) * (padded[3] // deep) + d // deep
    h, w, d = h % high, w % wide, d % deep
    inside = ((h * 2 + w // 2) * deep + d) * 2 + w % 2 if size == 2 else (h * wide + w) * deep + d
    return block * high * wide * deep + inside


@settings(max_examples=40, deadline=None)
@given(SHAPES, st.sampled_from([1, 2, 4]), st.integers(0, 255), st.randoms(use_true_random=False))
def test_blocks(shape: tuple[int, ...], size: int, fill: int, random: Random) -> None:
    kind = np.dtype(f"u{size}")
    array = (np.arange(np.prod(shape), dtype="u8") * 2654435761 >> 7).astype(kind).reshape(shape)
    blocks = to_blocks(array, fill)
    padded = padded_dims(shape, size)
    assert blocks.size == np.prod(padded)
    assert blocks.nbytes % 2048 == 0
    for _ in range(20):
        index = tuple(random.randrange(n) for n in shape)
        assert blocks[place(index, padded, size)] == array[index]
    assert (from_blocks(blocks, shape) == array).all()
    outside = np.ones(blocks.size, bool)
    outside[[place(index, padded, size) for index in np.ndindex(*shape)]] = False
    assert (blocks[outside].view("u1") == fill).all()


def test_signed_numbers_become_unsigned_ones() -> None:
    for name, half in (("sfixed8", 128), ("int8", 128), ("sfixed16", 1 << 15), ("int16", 1 << 15)):
        dtype = DTYPES[name]
        stored = np.arange(dtype.limits[0], dtype.limits[1] + 1, 37).astype(dtype.numpy)
        turned = shifted(stored, dtype, "qhpi")
        assert (turned.view(f"u{dtype.bytes}") == stored.astype("i8") + half).all()
        assert (shifted(turned, dtype, "qhpi") == stored).all()
        assert (shifted(stored, dtype, "classic") == stored).all()
        assert (moved(dtype, "qhpi"), moved(dtype, "classic")) == (half, 0)
    for name in ("ufixed8", "float16", "int32", "bool8", "sfixed32"):
        assert moved(DTYPES[name], "qhpi") == 0
