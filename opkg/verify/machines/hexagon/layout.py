"""How tensors lie in memory when a kernel sees them: padded ranks, moved zero points, crouton blocks.

The same as in the generated wrappers (docs/design/decisions.md, "Padded ranks"; docs/measured-qhpi.md for what arrives).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Expression, Rest, ShapeList
from opkg.spec.model import Kernel, Layout, TensorSpec
from opkg.verify.cases.case import CaseTensor
from opkg.verify.meaning.numbers import Array

FLAT = 4  # ranks below are padded to it
BLOCK = {1: (8, 8, 32), 2: (8, 4, 32), 4: (8, 2, 32)}  # height, width, depth of a crouton by bytes of an element


def fixed_rank(tensor: TensorSpec) -> int:
    """The rank when the spec leaves only one, else 0: such a tensor is handed over in its own rank."""
    return single_rank(tensor.shape) or (tensor.ranks.low if tensor.ranks.low == tensor.ranks.high else 0)


def single_rank(shape: Expression) -> int:
    """The rank that a shape expression fixes, or 0."""
    tree = shape.tree
    if isinstance(tree, ShapeList) and not any(isinstance(item, Rest) for item in tree.items):
        return len(tree.items)
    return 0


def in_blocks(kernel: Kernel, tensor: TensorSpec) -> bool:
    """Whether a tensor reaches the kernel in blocks: those of rank 4 that are no constants."""
    return kernel.layout is Layout.CROUTON and not tensor.static and 4 in tensor.ranks


def view_shape(tensor: CaseTensor) -> tuple[int, ...]:
    """The dimensions as the kernel's view has them."""
    shape = (1,) * (FLAT - len(tensor.shape)) + tensor.shape
    rank = fixed_rank(tensor.spec)
    return shape[len(shape) - rank :] if 0 < rank < len(shape) else shape


def moved(dtype: DType, interface: str) -> int:
    """What is added to a stored number: half the range of signed 8- and 16-bit types under QHPI."""
    signed = dtype.kind in (Kind.SFIXED, Kind.INT) and dtype.bits in (8, 16)
    return 1 << (dtype.bits - 1) if signed and interface == "qhpi" else 0


def shifted(stored: Array, dtype: DType, interface: str) -> Array:
    """Stored numbers as the interface hands them over, or back: half the range more or less is the sign bit turned."""
    half = moved(dtype, interface)
    if not half:
        return stored
    unsigned = np.dtype(f"uint{dtype.bits}")
    return np.asarray((stored.view(unsigned) ^ unsigned.type(half)).view(stored.dtype))


def padded_dims(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """The extents of a rank-4 tensor rounded up to whole blocks of elements of `size` bytes."""
    return tuple(-(-n // unit) * unit for n, unit in zip(shape, (1, *BLOCK[size]), strict=True))


def to_blocks(array: Array, fill: int) -> Array:
    """A rank-4 array as blocks in the order of the block table; the padding holds the byte `fill`."""
    size = array.dtype.itemsize
    padded = padded_dims(array.shape, size)
    whole = np.full(padded, np.frombuffer(bytes([fill]) * size, array.dtype)[0], array.dtype)
    whole[tuple(slice(n) for n in array.shape)] = array
    return np.ascontiguousarray(_split(whole, size).transpose(_ORDER[size])).reshape(-1)


def from_blocks(data: Array, shape: Sequence[int]) -> Array:
    """The rank-4 array that blocks hold."""
    size = data.dtype.itemsize
    padded = padded_dims(shape, size)
    order = _ORDER[size]
    split = _split(np.empty(padded, np.uint8), size).shape
    whole = data.reshape([split[axis] for axis in order]).transpose(np.argsort(order)).reshape(padded)
    return np.ascontiguousarray(whole[tuple(slice(n) for n in shape)])


# Axes: batch, row of blocks, row, column of blocks, (pair of columns, column | column), slab of blocks, depth.
_ORDER = {1: (0, 1, 3, 5, 2, 4, 6), 2: (0, 1, 3, 6, 2, 4, 7, 5), 4: (0, 1, 3, 5, 2, 4, 6)}


def _split(whole: Array, size: int) -> Array:
    b, h, w, d = whole.shape
    high, wide, deep = BLOCK[size]
    columns = (w // wide, 2, 2) if size == 2 else (w // wide, wide)
    return whole.reshape(b, h // high, high, *columns, d // deep, deep)
