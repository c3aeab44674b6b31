"""Small calls of an op for its generated tests: shapes and params that the spec allows, the same on every machine."""

from __future__ import annotations

import random
from dataclasses import dataclass

from opkg.spec.evaluate import TensorInfo
from opkg.spec.expr import Num, Rest, ShapeList
from opkg.spec.infer import check_call
from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec, Value
from opkg.targets.onert.shape_trees import tensor_of

_TRIES = 400
_DIMS = (2, 3, 4, 6, 8, 1)
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One call: shapes of inputs and outputs by name, all params."""

    combination: Combination
    shapes: dict[str, Shape]
    params: dict[str, Value]

    def size(self, name: str) -> int:
        """Elements of a tensor."""
        count = 1
        for dim in self.shapes[name]:
            count *= dim
        return count


def samples(op: Op, combination: Combination, count: int = 2) -> list[Sample]:
    """Some calls with the same params and other shapes, the smaller ones first; fewer where no more are found."""
    found: list[Sample] = []
    for number in range(_TRIES):
        sample = _try(op, combination, random.Random(number), found[0].params if found else None)
        fresh = sample is not None and sample.shapes not in [other.shapes for other in found]
        if sample is not None and fresh and (not found or _kept(op, sample) == _kept(op, found[0])):
            found.append(sample)
        if len(found) == count:
            break
    return sorted(found, key=lambda s: sum(s.size(t.name) for t in op.tensors))


def _kept(op: Op, sample: Sample) -> list[Shape | int]:
    """What a change of input shapes leaves: ranks, and the shapes of constants."""
    return [sample.shapes[t.name] if t.static else len(sample.shapes[t.name]) for t in op.inputs]


def _try(op: Op, combination: Combination, rng: random.Random, given: dict[str, Value] | None) -> Sample | None:
    dims = {name: rng.choice(_DIMS) for name in op.dims}
    runs = {name: tuple(rng.choice(_DIMS[:3]) for _ in range(rng.randint(0, 2))) for name in op.rests}
    shapes: dict[str, Shape] = {}
    for tensor in op.inputs:
        shapes[tensor.name] = _shape(op, tensor, dims, runs, shapes, rng)
    params = (
        dict(given) if given is not None else {p.name: v for p in op.params if (v := _param(p, dims, rng)) is not None}
    )
    infos = {t.name: TensorInfo(shapes[t.name], t.dtype.of(combination), 0.125, 0) for t in op.inputs}
    call = check_call(op, combination, infos, params)
    if call.violations or any(not isinstance(shape, tuple) for shape in call.outputs.values()):
        return None
    for name, shape in call.outputs.items():
        assert isinstance(shape, tuple)
        shapes[name] = tuple(int(dim) for dim in shape if isinstance(dim, int))
    return Sample(combination, shapes, dict(call.params))


def _shape(
    op: Op,
    tensor: TensorSpec,
    dims: dict[str, int],
    runs: dict[str, Shape],
    shapes: dict[str, Shape],
    rng: random.Random,
) -> Shape:
    tree = tensor.shape.tree
    source = tensor_of(tree, op)
    if source in shapes:
        return shapes[source]
    if isinstance(tree, ShapeList) and not (len(tree.items) == 1 and tree.items[0] == Rest(None)):
        found: list[int] = []
        for item in tree.items:
            if isinstance(item, Rest):
                found += runs.get(item.name or "", ())
            elif isinstance(item, Num):
                found.append(int(item.value))
            else:
                found.append(dims.get(getattr(item, "id", ""), 2))
        return tuple(found)
    earlier = next(iter(shapes.values()), None)
    if earlier is not None and len(earlier) in tensor.ranks:
        return earlier
    rank = min(max(2, tensor.ranks.low), tensor.ranks.high)
    return tuple(rng.choice(_DIMS[:4]) for _ in range(rank))


def _param(param: ParamSpec, dims: dict[str, int], rng: random.Random) -> Value | None:
    """A value; None leaves the default."""
    if param.default is not None:
        return None
    if param.enum:
        return param.enum[0][1]
    low = param.range.low if param.range is not None else None
    first = int(low.tree.value) if low is not None and isinstance(low.tree, Num) else 0
    value: int | float | bool = first + rng.randint(0, 3)
    if param.dtype.name == "bool8":
        value = True
    elif not param.dtype.integral:
        value = float(value) + 0.5
    if param.shape is None:
        return value
    tree = param.shape.tree
    item = tree.items[0] if isinstance(tree, ShapeList) else Num(1)
    count = int(item.value) if isinstance(item, Num) else dims.get(getattr(item, "id", ""), 1)
    return tuple([value] * count)
