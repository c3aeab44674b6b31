"""Chooses values of params: enum values in turn, ends of ranges, axes, values around the default."""

from __future__ import annotations

import math
from collections.abc import Mapping

from opkg.spec.dtypes import Kind
from opkg.spec.evaluate import Env, EvaluationError, Unknown, evaluate, product
from opkg.spec.expr import Expression, Name, ShapeList
from opkg.spec.model import Op, ParamSpec, Value
from opkg.spec.values import stored
from opkg.spec.walk_expr import names_in
from opkg.verify.cases import sizes
from opkg.verify.cases.draft import Draft, try_evaluate
from opkg.verify.cases.rng import Rng

Scalar = bool | int | float


class NotYet(Exception):
    """The param's range or shape needs something that has no value so far."""


def choices(param: ParamSpec) -> tuple[Scalar, ...]:
    """All values of an enum or bool; none for other params and tensors."""
    if param.shape is not None:
        return ()
    if param.enum:
        return tuple(number for _, number in param.enum)
    return (False, True) if param.dtype.kind is Kind.BOOL else ()


def assigned(op: Op, turn: int) -> dict[str, Scalar]:
    """The enums and bools of case `turn`: each value as often as the others, all pairs of two params' values, and, over
    as many rounds of the size styles as there are values, each value with each style."""
    rest = turn % len(sizes.STYLES) + turn // len(sizes.STYLES)
    found: dict[str, Scalar] = {}
    for param in op.params:
        values = choices(param)
        if values:
            rest, place = divmod(rest, len(values))
            found[param.name] = values[place]
    return found


def choose_params(draft: Draft, rng: Rng, wanted: Mapping[str, Scalar] | None = None) -> bool:
    """Gives every param of the call a value, that of `wanted` where it has one; False when one depends on what never gets
    a value."""
    waiting = [p for p in draft.op.params if p.name in draft.call.params and p.name not in draft.params]
    for param in waiting:
        _shorten(param, draft, rng)
    while waiting:
        env = draft.env()
        left = []
        for param in waiting:
            try:
                value = _value(param, env, rng)
                draft.params[param.name] = (wanted or {}).get(param.name, value)
            except NotYet:
                left.append(param)
        if len(left) == len(waiting):
            return False
        waiting = left
    return True


def _shorten(param: ParamSpec, draft: Draft, rng: Rng) -> None:
    """A list of dimensions whose length nothing else says is no longer than there are dimensions."""
    tree = param.shape.tree if param.shape is not None and param.axis_of is not None else None
    item = tree.items[0] if isinstance(tree, ShapeList) and len(tree.items) == 1 else None
    if not isinstance(item, Name) or item.id in draft.locked or item.id not in draft.dims:
        return
    if any(item.id in names_in(tensor.shape.tree)[1] for tensor in draft.op.inputs):
        return
    infos = draft.env().tensors.get(param.axis_of or "")
    rank = len(infos[0].shape) if infos and infos[0].shape is not None else 0
    if draft.dims[item.id] > rank > 0:
        draft.dims[item.id] = rng.between(1, rank)


def _value(param: ParamSpec, env: Env, rng: Rng) -> Value:
    if param.shape is None:
        return _scalar(param, env, rng)
    shape = try_evaluate(param.shape, env)
    if not isinstance(shape, tuple):
        raise NotYet
    count = product(shape)
    default = _default(param, env)
    if isinstance(default, tuple) and len(default) == count and rng.chance(0.3):
        return default
    items = tuple([_scalar(param, env, rng) for _ in range(count)])
    return _distinct(items, _rank(param, env), rng) if param.axis_of is not None else items


def _rank(param: ParamSpec, env: Env) -> int:
    """Of the tensor whose dimensions a param numbers."""
    infos = env.tensors.get(param.axis_of or "")
    if not infos or infos[0].shape is None:
        raise NotYet
    return len(infos[0].shape)


def _distinct(items: tuple[Scalar, ...], rank: int, rng: Rng) -> tuple[Scalar, ...]:
    """A list of dimensions has each once: one that is there already gives way to one that is not, as long as there are some."""
    found: list[Scalar] = []
    for item in items:
        taken = {int(each) % rank for each in found}
        free = [axis for axis in range(rank) if axis not in taken]
        if int(item) % rank in taken and free:
            item = rng.choice(free) - (rank if item < 0 else 0)
        found.append(item)
    return tuple(found)


def _default(param: ParamSpec, env: Env) -> object:
    if isinstance(param.default, Expression):
        return try_evaluate(param.default, env)
    return param.default


def _end(expression: Expression | None, env: Env) -> float | None:
    if expression is None:
        return None
    try:
        value = evaluate(expression.tree, env)
    except Unknown:
        raise NotYet from None
    except EvaluationError:
        return None
    return value if isinstance(value, int | float) else None


def _scalar(param: ParamSpec, env: Env, rng: Rng) -> Scalar:
    if param.enum:
        return rng.choice([number for _, number in param.enum])
    if param.dtype.kind is Kind.BOOL:
        return rng.chance(0.5)
    low = _end(param.range.low, env) if param.range else None
    high = _end(param.range.high, env) if param.range else None
    if param.axis_of is not None:
        rank = _rank(param, env)
        least = -rank if param.dtype.signed else 0
        low = least if low is None else max(low, least)
        high = rank - 1 if high is None else min(high, rank - 1)
    default = _default(param, env)
    default = None if isinstance(default, tuple) else default
    if isinstance(default, int | float) and rng.chance(0.2):
        return default
    if param.dtype.kind is Kind.FLOAT:
        return _real(param, low, high, default, rng)
    return _whole(param, low, high, default, rng)


def _whole(param: ParamSpec, low: float | None, high: float | None, default: object, rng: Rng) -> int:
    bottom, top = param.dtype.limits
    opened = param.range
    first = bottom if low is None else math.floor(low) + 1 if opened and opened.low_open else math.ceil(low)
    last = top if high is None else math.ceil(high) - 1 if opened and opened.high_open else math.floor(high)
    first, last = max(first, bottom), min(last, top)
    if last <= first:
        return first
    if last - first <= 64:
        return rng.choice((first, last)) if rng.chance(0.3) else rng.between(first, last)
    middle = int(default) if isinstance(default, int | float) else 0
    middle = min(max(middle, first), last)
    if (low is not None or high is not None) and rng.chance(0.15):
        return first if low is not None else last
    return min(max(middle + rng.choice((0, 1, -1, 2, 3, -3, 5, 8)), first), last)


def _real(param: ParamSpec, low: float | None, high: float | None, default: object, rng: Rng) -> float:
    value = _draw(param, low, high, default, rng)
    return stored(value, param.dtype)


def _draw(param: ParamSpec, low: float | None, high: float | None, default: object, rng: Rng) -> float:
    if low is not None and high is not None:
        if param.range and not param.range.low_open and rng.chance(0.1):
            return low
        if param.range and not param.range.high_open and rng.chance(0.1):
            return high
        return rng.real(low, high) if high > low else low
    middle = abs(float(default)) if isinstance(default, int | float) and default else 1.0
    size = rng.choice((1.0, 0.5, 2.0, rng.log(0.1, 10.0))) * middle
    if low is not None:
        return low + size
    if high is not None:
        return high - size
    return size if rng.chance(0.7) else rng.choice((-size, 0.0))
