"""Meanings of core ops that repeat, pad or pick elements, and of those that turn blocks into channels or batches (NHWC)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from opkg.rules.core import HtpType
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.meaning import Call, Meaning, Shape, Typing, Unfit, Want, bounded, const
from opkg.verify.rules.meanings_elementwise import one, scalar
from opkg.verify.rules.meanings_layout import INT, Draw, axis_of, whole, zero

# ---- repeat, pad, gather


def _tile(call: Call) -> Array:
    x, times = call.args[0].array, call.numbers(1)
    if len(times) != x.ndim:
        raise Unfit(f"Tile with {len(times)} numbers for rank {x.ndim}")
    bounded(d * max(t, 0) for d, t in zip(x.shape, times, strict=True))
    return np.tile(x, [max(t, 0) for t in times])


def _times(rng: Rng, shape: Shape) -> Want:
    return whole([rng.choice((1, 1, 2, 3)) for _ in shape])


_PAD = {0: "constant", 1: "symmetric", 2: "reflect", 3: "edge"}


def _pad(call: Call) -> Array:
    """Operands: tensor, scheme, amounts [rank,2], value."""
    x, amounts = call.args[0].array, np.array(call.numbers(2)).reshape(-1, 2)
    mode = _PAD.get(int(call.number(1, 0)))
    if len(amounts) != x.ndim or mode is None or (amounts < 0).any():
        raise Unfit(f"Pad by {amounts.tolist()} of a tensor of rank {x.ndim}")
    room = amounts.max(axis=1, initial=0)
    if mode in ("symmetric", "reflect") and any(
        r > d - (mode == "reflect") for r, d in zip(room, x.shape, strict=True)
    ):
        raise Unfit("Pad mirrors more than there is")
    bounded(d + int(a) + int(b) for d, (a, b) in zip(x.shape, amounts, strict=True))
    more = {"constant_values": call.number(3, 0.0)} if mode == "constant" else {}
    return np.asarray(np.pad(x, amounts.tolist(), mode, **more))  # type: ignore[call-overload]


def _amounts(rng: Rng, shape: Shape) -> Want:
    rows: list[int] = []
    for place in range(len(shape)):
        inner = 0 < place < len(shape) - 1
        rows += [rng.below(3) if inner else 0, rng.below(3) if inner else 0]
    return whole(rows, len(shape), 2)


def _pad_value(rng: Rng, shape: Shape) -> Want:
    return scalar(rng.choice((0.0, 0.0, 1.0)), HtpType.Float32)


def _gather(call: Call) -> Array:
    x, index = call.args[0].array, call.args[1].array.astype(np.int64)
    axis = axis_of(call.number(2, 0), x.ndim)
    if index.size and (index.min() < 0 or index.max() >= x.shape[axis]):
        raise Unfit("Gather from outside")
    return np.take(x, index, axis)


def _gather_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    shape = known[0] if known[0] is not None else draw()
    axis = rng.below(len(shape)) if len(known) > 2 else 0
    index = [rng.below(shape[axis]) for _ in range(rng.between(1, 5))]
    return [Want(shape), const(np.array(index, np.int64), INT), scalar(axis, INT)][: len(known)]


# ---- blocks (NHWC)


def _block(call: Call, index: int) -> tuple[int, int]:
    found = call.numbers(index, (2, 2))
    if len(found) == 1:
        found = found * 2
    if call.args[0].array.ndim != 4 or len(found) != 2 or min(found) < 1:
        raise Unfit(f"blocks of {list(found)} in a tensor of rank {call.args[0].array.ndim}")
    return found[0], found[1]


def _space_to_depth(call: Call) -> Array:
    x, (bh, bw) = call.args[0].array, _block(call, 1)
    n, h, w, c = x.shape
    if h % bh or w % bw:
        raise Unfit(f"blocks of {bh}x{bw} do not fill {h}x{w}")
    cut = x.reshape(n, h // bh, bh, w // bw, bw, c)
    return cut.transpose(0, 1, 3, 2, 4, 5).reshape(n, h // bh, w // bw, bh * bw * c)


def _depth_to_space(call: Call) -> Array:
    """Operands: tensor, block, mode (0: blocks before channels, 1: channels before blocks)."""
    x, (bh, bw) = call.args[0].array, _block(call, 1)
    n, h, w, c = x.shape
    if c % (bh * bw):
        raise Unfit(f"{c} channels are no blocks of {bh}x{bw}")
    d = c // (bh * bw)
    if int(call.number(2, 0)) == 1:
        cut = x.reshape(n, h, w, d, bh, bw).transpose(0, 1, 4, 2, 5, 3)
    else:
        cut = x.reshape(n, h, w, bh, bw, d).transpose(0, 1, 3, 2, 4, 5)
    return cut.reshape(n, h * bh, w * bw, d)


def _space_to_batch(call: Call) -> Array:
    x, (bh, bw) = call.args[0].array, _block(call, 1)
    (t, b), (left, r) = np.array(call.numbers(2, (0, 0, 0, 0))).reshape(2, 2).tolist()
    if min(t, b, left, r) < 0:
        raise Unfit(f"padding {[t, b, left, r]}")
    bounded((x.shape[0], x.shape[1] + t + b, x.shape[2] + left + r, x.shape[3]))
    x = np.pad(x, [(0, 0), (t, b), (left, r), (0, 0)])
    n, h, w, c = x.shape
    if h % bh or w % bw:
        raise Unfit(f"blocks of {bh}x{bw} do not fill {h}x{w}")
    cut = x.reshape(n, h // bh, bh, w // bw, bw, c).transpose(2, 4, 0, 1, 3, 5)
    return cut.reshape(n * bh * bw, h // bh, w // bw, c)


def _batch_to_space(call: Call) -> Array:
    x, (bh, bw) = call.args[0].array, _block(call, 1)
    (t, b), (left, r) = np.array(call.numbers(2, (0, 0, 0, 0))).reshape(2, 2).tolist()
    n, h, w, c = x.shape
    if n % (bh * bw) or t + b >= h * bh or left + r >= w * bw:
        raise Unfit(f"{n} batches are no blocks of {bh}x{bw}, or all is cropped")
    cut = x.reshape(bh, bw, n // (bh * bw), h, w, c).transpose(2, 3, 0, 4, 1, 5)
    whole_image = cut.reshape(n // (bh * bw), h * bh, w * bw, c)
    return whole_image[:, t : h * bh - b, left : w * bw - r, :]


def _blocks(factor: str) -> Callable[[Rng, Sequence[Shape | None], Draw], list[Want]]:
    def propose(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
        n, h, w, c = (*(1, 1, 1), *draw())[-4:]
        shape = {"space": (n, 2 * h, 2 * w, c), "depth": (n, h, w, 4 * c), "batch": (4 * n, h, w, c)}[factor]
        first = known[0] if known[0] is not None else shape
        last = whole([0] * 4, 2, 2) if factor == "batch" or (len(known) > 2 and factor == "space") else scalar(0, INT)
        return [Want(first), whole([2, 2]), last][: len(known)]

    return propose


def meanings() -> dict[str, Meaning]:
    """The ops by QNN name without prefix."""
    kept = Typing.KEPT
    blocks = {
        "SpaceToDepth": (_space_to_depth, "space"),
        "DepthToSpace": (_depth_to_space, "depth"),
        "SpaceToBatch": (_space_to_batch, "space"),
        "BatchToSpace": (_batch_to_space, "batch"),
    }
    return {
        "Tile": Meaning(_tile, one(_times), 2, 2, 1, kept),
        "Pad": Meaning(_pad, one(zero, _amounts, _pad_value), 3, 4, 1, kept),
        "Gather": Meaning(_gather, _gather_operands, 2, 3, 1, kept),
        **{name: Meaning(f, _blocks(factor), 2, 3, 1, kept) for name, (f, factor) in blocks.items()},
    }
