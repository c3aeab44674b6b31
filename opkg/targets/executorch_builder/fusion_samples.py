"""Shapes of an op's inputs that its pattern is traced with to see what it looks like in a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opkg.spec.dtypes import DTYPES
from opkg.spec.evaluate import Env, EvaluationError, Shape, TensorInfo, Unknown, evaluate
from opkg.spec.expr import Name, Num, Rest, ShapeList, Tree
from opkg.spec.infer import check_call
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.pattern_choice import choices

Shapes = tuple[Shape, ...]

# Sizes of dimensions, by order of appearance; the second list where one rank is all there is.
_SIZES = ((4, 6, 8, 12, 16, 24, 32, 48), (10, 14, 18, 20, 28, 30, 36, 40))
_RANKS = range(9)

# How far values of whole numbers are from the default; no row is another one stretched and moved.
_STEPS = ((1, 2, 3), (2, 1, 3), (3, 1, 2), (1, 3, 4), (1, 4, 2))


def samples(op: Op) -> list[Shapes]:
    """Shapes of all inputs for the least and the highest rank, or of other sizes if there is one rank.

    Those that the spec allows; if none of these is (a constraint on sizes, say), those with the right ranks.
    """
    if op.pattern is not None and op.pattern.dims:  # what a size decides is seen in samples of different ones only
        several = [list(_by_rank(op, sizes)) for sizes in _SIZES]
        return [next((s for s in each if _allowed(op, s)), each[0]) for each in several if each]
    found = [shapes for sizes in _SIZES for shapes in _by_rank(op, sizes)]
    by_ranks: dict[tuple[int, ...], list[Shapes]] = {}
    for shapes in dict.fromkeys(found):
        by_ranks.setdefault(tuple(map(len, shapes)), []).append(shapes)
    chosen = [next(filter(lambda s: _allowed(op, s), each), each[0]) for each in by_ranks.values()]
    allowed = [shapes for shapes in chosen if _allowed(op, shapes)] or chosen
    allowed = list(dict.fromkeys([*allowed[:1], *allowed[-1:]]))
    return allowed if len(allowed) > 1 else list(dict.fromkeys([*allowed, *found]))[:2]


def tried(params: Sequence[ParamSpec]) -> list[dict[str, int | float]]:
    """Three more values of each param that is a number: what changes with it is it. No two params change alike."""
    numbers = [param for param in params if not choices(param)]
    rows: list[dict[str, int | float]] = [{}, {}, {}]
    for at, param in enumerate(numbers):
        values = _whole(param, at) if isinstance(param.default, int) else _floats(param, at)
        for row, value in zip(rows, values, strict=True):
            row[param.name] = value
    return rows if numbers else []


def _floats(param: ParamSpec, at: int) -> list[int | float]:
    """Of 1/256 each, in the range if that is of numbers; neither 0 nor 1, nor the default."""
    low, high = _ends(param)
    turns = range(3 * at + 1, 3 * at + 4)
    parts = [((turn * turn * 0.7548776662) % 1 * 180 + 38) // 1 / 256 for turn in turns]
    if low is not None and high is not None:
        found = [low + (high - low) * part for part in parts]
    else:
        found = [low + part if low is not None else high - part if high is not None else part for part in parts]
    return [value + 2**-9 * (value == param.default) for value in found]


def _whole(param: ParamSpec, at: int) -> list[int | float]:
    low, high = _ends(param)
    default = param.default
    assert isinstance(default, int)
    steps = _STEPS[at % len(_STEPS)]
    down = (param.axis_of is not None and default < 0) or (high is not None and default + max(steps) > high)
    found = [default - step if down else default + step for step in steps]
    return [int(max(each, low)) if low is not None else each for each in found]


def _ends(param: ParamSpec) -> tuple[float | None, float | None]:
    """The ends of a param's range that are numbers."""
    ends = param.range
    trees = (None, None) if ends is None else (ends.low, ends.high)
    found = [float(each.tree.value) if each is not None and isinstance(each.tree, Num) else None for each in trees]
    return found[0], found[1]


def _by_rank(op: Op, sizes: tuple[int, ...]) -> Iterator[Shapes]:
    for length in _RANKS:
        env = Env(params={p.name: p.default for p in op.params if isinstance(p.default, bool | int | float | tuple)})
        for at, name in enumerate(op.dims):
            env.dims[name] = sizes[(at + 3) % len(sizes)]
        shapes: list[Shape] = []
        for spec in op.inputs:
            try:
                shape = _shape(spec.shape.tree, env, sizes[: _length(spec, length)])
            except (EvaluationError, Unknown):
                break
            if len(shape) not in spec.ranks or not all(dim > 0 for dim in shape):
                break
            env.tensors[spec.name] = (TensorInfo(shape, DTYPES["float32"]),)
            shapes.append(shape)
        if len(shapes) == len(op.inputs):
            yield tuple(shapes)


def _length(spec: TensorSpec, length: int) -> int:
    """How many dimensions a run of them has, where it is not named and may differ from that of another input."""
    tree = spec.shape.tree
    if not isinstance(tree, ShapeList) or any(isinstance(item, Rest) and item.name for item in tree.items):
        return length
    fixed = sum(not isinstance(item, Rest) for item in tree.items)
    return min(max(length, spec.ranks.low - fixed), spec.ranks.high - fixed)


def _shape(tree: Tree, env: Env, rest: Shape) -> Shape:
    """A shape with `rest` for each run of dimensions."""
    if not isinstance(tree, ShapeList):
        found = evaluate(tree, env)
        return found if isinstance(found, tuple) else (1,)
    dims: list[int] = []
    for item in tree.items:
        if isinstance(item, Rest):
            if item.name is not None:
                env.rests[item.name] = rest
            dims += rest
        else:
            value = env.dims.get(item.id) if isinstance(item, Name) else None
            dims.append(int(str(evaluate(item, env))) if value is None else value)
    return tuple(dims)


def _allowed(op: Op, shapes: Shapes) -> bool:
    for combination in op.combinations:
        given = {s.name: TensorInfo(d, s.dtype.of(combination)) for s, d in zip(op.inputs, shapes, strict=True)}
        if check_call(op, combination, given, {}).ok:
            return True
    return False
