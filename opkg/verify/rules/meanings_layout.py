"""Meanings of core ops that rearrange elements: reshaping, transposing, joining, cutting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from opkg.rules.core import HtpType
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.meaning import Arg, Call, Meaning, Shape, Typing, Unfit, Want, const
from opkg.verify.rules.meanings_elementwise import one, scalar

Draw = Callable[[], Shape]
INT = HtpType.Int32


def whole(values: Sequence[int], *shape: int) -> Want:
    """A constant of integers, of rank 4 as HTP has them; `shape`: its last dimensions."""
    last = shape or (len(values),)
    return const(np.array(values, np.int64).reshape((1,) * (4 - len(last)) + last), INT)


def axis_of(value: float, rank: int) -> int:
    """An axis as an index from 0; raises Unfit for one that is not there."""
    axis = int(value)
    if not -rank <= axis < rank:
        raise Unfit(f"axis {axis} of a tensor of rank {rank}")
    return axis % rank


def is_index(arg: Arg) -> bool:
    """Whether an operand is a constant of one integer, as an axis is."""
    return arg.const and arg.output.dtype is INT and not isinstance(arg.value, tuple) and arg.value.size == 1


# ---- reshape, transpose


def _reshape(call: Call) -> Array:
    x = call.args[0].array
    target = call.shape if len(call.args) < 2 else call.numbers(1)
    if target is None:
        raise Unfit("a Reshape without a shape")
    wanted = [call.shape[i] if d == 0 and call.shape and i < len(call.shape) else d for i, d in enumerate(target)]
    if wanted.count(-1) == 1:
        rest = -math.prod(wanted)
        wanted = [x.size // rest if d == -1 and rest else d for d in wanted]
    if math.prod(wanted) != x.size or any(d < 0 for d in wanted):
        raise Unfit(f"Reshape of {list(x.shape)} to {wanted}")
    return x.reshape(wanted)


def _regrouped(rng: Rng, shape: Shape) -> Shape:
    """Another shape of rank 4 with as many elements."""
    size, found = math.prod(shape), []
    for _ in range(3):
        divisors = [d for d in range(1, min(size, 64) + 1) if size % d == 0]
        found.append(rng.choice(divisors))
        size //= found[-1]
    return tuple(rng.shuffled([*found, size]))


def _reshape_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    shape = known[0] if known[0] is not None else draw()
    return [Want(shape), whole(_regrouped(rng, shape))][: len(known)]


def _transpose(call: Call) -> Array:
    x = call.args[0].array
    order = call.numbers(1, range(x.ndim)[::-1])
    if sorted(order) != list(range(x.ndim)):
        raise Unfit(f"{list(order)} is no order of {x.ndim} dimensions")
    return x.transpose(order)


def _order(rng: Rng, shape: Shape) -> Want:
    common = [o for o in ((0, 3, 1, 2), (0, 2, 3, 1), (0, 2, 1, 3)) if len(o) == len(shape)]
    return whole(rng.choice(common) if common and rng.chance(0.6) else rng.shuffled(list(range(len(shape)))))


def _expand(call: Call) -> Array:
    x = call.args[0].array
    return np.expand_dims(x, axis_of(call.number(1, 0), x.ndim + 1))


def _squeeze(call: Call) -> Array:
    x = call.args[0].array
    if len(call.args) > 1:
        axes = tuple(axis_of(a, x.ndim) for a in call.numbers(1))
        if any(x.shape[a] != 1 for a in axes):
            raise Unfit(f"Squeeze of dimensions {list(axes)} of {list(x.shape)}")
        return x.squeeze(axes)
    if call.shape is None or math.prod(call.shape) != x.size:
        raise Unfit(f"Squeeze of {list(x.shape)} to {call.shape}")
    return x.reshape(call.shape)


def _squeezed(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    shape = known[0] if known[0] is not None else (1, *draw()[1:])
    ones = [i for i, d in enumerate(shape) if d == 1]
    return [Want(shape), whole(ones[:1] or [0])][: len(known)]


# ---- join, cut


def _joined(call: Call) -> tuple[list[Array], float]:
    """The tensors and the axis, which stands last, or first in the core's own form."""
    args = list(call.args)
    axis = 0.0
    if args and is_index(args[-1]):
        axis = float(args.pop().array.reshape(-1)[0])
    elif args and is_index(args[0]):
        axis = float(args.pop(0).array.reshape(-1)[0])
    else:
        raise Unfit(f"{call.op} without a constant axis")
    return [arg.array for arg in args], axis


def _concat(call: Call) -> Array:
    arrays, value = _joined(call)
    if not arrays:
        raise Unfit("Concat of nothing")
    axis = axis_of(value, arrays[0].ndim)
    rests = {(a.ndim, a.shape[:axis], a.shape[axis + 1 :]) for a in arrays}
    if len(rests) != 1:
        raise Unfit(f"Concat of {', '.join(str(list(a.shape)) for a in arrays)} along dimension {axis}")
    return np.concatenate(arrays, axis)


def _concat_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    given = next((s for s in known[:-1] if s is not None), None)
    first = given if given is not None else draw()
    axis = rng.choice((len(first) - 1, len(first) - 1, rng.below(len(first))))
    found = []
    for shape in known[:-1]:
        if shape is None:
            extent = first[axis] if rng.chance(0.6) else rng.between(1, 9)
            shape = (*first[:axis], extent, *first[axis + 1 :])
        found.append(Want(shape))
    return [*found, scalar(axis, INT)]


def _pack(call: Call) -> Array:
    arrays, value = _joined(call)
    if len({a.shape for a in arrays}) != 1:
        raise Unfit("Pack of different shapes")
    return np.stack(arrays, axis_of(value, arrays[0].ndim + 1))


def _pack_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    given = next((s for s in known[:-1] if s is not None), None)
    shape = given if given is not None else draw()[-3:]
    return [*(Want(s if s is not None else shape) for s in known[:-1]), scalar(rng.below(len(shape) + 1), INT)]


def _split(call: Call) -> tuple[Array, ...]:
    x = call.args[0].array
    places, axis = list(call.numbers(2)), axis_of(call.number(1, 0), x.ndim)
    if not places or places != sorted(set(places)) or not 0 < places[0] <= places[-1] < x.shape[axis]:
        raise Unfit(f"Split at {places} of {x.shape[axis]}")
    return tuple(np.split(x, places, axis))


def _split_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    shape = known[0] if known[0] is not None else draw()
    wide = [i for i, d in enumerate(shape) if d > 1] or [0]
    axis = rng.choice(wide)
    half = shape[axis] // 2 if shape[axis] % 2 == 0 and rng.chance(0.6) else rng.between(1, max(shape[axis] - 1, 1))
    return [Want(shape), scalar(axis, INT), whole([half])]


def _slice_shape(call: Call) -> Array:
    x, start, size = call.args[0].array, call.numbers(1), call.numbers(2)
    if len(start) != x.ndim or len(size) != x.ndim:
        raise Unfit(f"a slice from {list(start)} of {list(size)} in a tensor of rank {x.ndim}")
    if any(b < 0 or n < 0 or b + n > d for b, n, d in zip(start, size, x.shape, strict=True)):
        raise Unfit(f"a slice from {list(start)} of {list(size)} leaves {list(x.shape)}")
    return x[tuple(slice(b, b + n) for b, n in zip(start, size, strict=True))]


def _slice_operands(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    shape = known[0] if known[0] is not None else draw()
    start = [rng.below(d) if rng.chance(0.5) else 0 for d in shape]
    size = [rng.between(1, d - b) if rng.chance(0.5) else d - b for b, d in zip(start, shape, strict=True)]
    return [Want(shape), Want(tuple(start), np.array(start), INT), Want(tuple(size), np.array(size), INT)]


def _bit(mask: float, index: int) -> bool:
    return bool(int(mask) >> index & 1)


def _strided(call: Call) -> Array:
    x, ranges = call.args[0].array, np.array(call.numbers(1)).reshape(-1, 3)
    if len(ranges) != x.ndim:
        raise Unfit(f"StridedSlice with {len(ranges)} ranges for rank {x.ndim}")
    parts: list[slice] = []
    for i, (begin, end, step) in enumerate(ranges.tolist()):
        if step == 0:
            raise Unfit("StridedSlice of step 0")
        low = None if _bit(call.number(2, 0), i) else begin
        high = None if _bit(call.number(3, 0), i) else end
        extent = x.shape[i]
        past = step > 0 and ((low or 0) < 0 or (high or 0) > extent)
        if past:
            raise Unfit(f"StridedSlice from {begin} to {end} of {extent}")
        parts.append(slice(low, None if step < 0 and high is not None and high < 0 else high, step))
    found = x[tuple(parts)]
    shrink = tuple(i for i in range(x.ndim) if _bit(call.number(4, 0), i))
    return found.squeeze(shrink) if shrink and len(shrink) < x.ndim else found


def _ranges(rng: Rng, shape: Shape) -> Want:
    rows: list[int] = []
    for extent in shape:
        begin = rng.below(extent) if rng.chance(0.4) else 0
        end = rng.between(begin + 1, extent) if rng.chance(0.4) else extent
        rows += [begin, end, 1 if rng.chance(0.8) else 2]
    return whole(rows, len(shape), 3)


def zero(rng: Rng, shape: Shape) -> Want:
    return scalar(0, INT)


# ---- table


def _by_bounds(rng: Rng, shape: Shape) -> Shape:
    return tuple(d for d in shape if d != 1) or (1,)


def meanings() -> dict[str, Meaning]:
    """The ops by QNN name without prefix."""
    kept = Typing.KEPT
    return {
        "Reshape": Meaning(_reshape, _reshape_operands, 1, 2, 1, kept, free_shape=_regrouped),
        "Transpose": Meaning(_transpose, one(_order), 1, 2, 1, kept),
        "ExpandDims": Meaning(_expand, one(zero), 2, 2, 1, kept),
        "Squeeze": Meaning(_squeeze, _squeezed, 1, 2, 1, kept, free_shape=_by_bounds),
        "Concat": Meaning(_concat, _concat_operands, 2, -1, -1),
        "Pack": Meaning(_pack, _pack_operands, 2, -1, -1),
        "Split": Meaning(_split, _split_operands, 3, 3, 1, kept, outputs=lambda count: 2),
        "Slice_shape": Meaning(_slice_shape, _slice_operands, 3, 3, 1, kept),
        "StridedSlice": Meaning(_strided, one(_ranges, zero, zero, zero, zero), 2, 6, 1, kept),
    }
