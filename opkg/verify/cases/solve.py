"""Repairs a draft towards the op's constraints: makes multiples, equals and bounds hold where one side is free."""

from __future__ import annotations

import math

from opkg.spec.dtypes import Kind
from opkg.spec.evaluate import Env, EvaluationError, Result, Unknown, evaluate
from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Tree
from opkg.spec.model import ParamSpec
from opkg.verify.cases.draft import Draft
from opkg.verify.cases.rng import Rng

MOST_PASSES = 3
MOST_DIM = 1 << 16
_MIRRORED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def repair(draft: Draft, rng: Rng) -> None:
    """Changes free dimensions and params so that more constraints hold. What it cannot mend, it leaves."""
    for _ in range(MOST_PASSES):
        changed = False
        for constraint in draft.op.constraints:
            for part in _conjuncts(constraint.require.tree, rng):
                changed = _mend(draft, part) or changed
        if not changed:
            return


def _conjuncts(tree: Tree, rng: Rng) -> list[Tree]:
    """What must hold for the tree to hold: all parts of an `and`, one of an `or`."""
    if isinstance(tree, Binary) and tree.op == "and":
        return _conjuncts(tree.left, rng) + _conjuncts(tree.right, rng)
    if isinstance(tree, Binary) and tree.op == "or":
        return _conjuncts(rng.choice((tree.left, tree.right)), rng)
    return [tree]


def value_of(tree: Tree, env: Env) -> Result | None:
    try:
        return evaluate(tree, env)
    except (Unknown, EvaluationError):
        return None


def _mend(draft: Draft, tree: Tree) -> bool:
    """Makes one comparison hold by setting one of its sides; whether anything changed."""
    if not isinstance(tree, Binary):
        return False
    env = draft.env()
    if value_of(tree, env) is not False:
        return False
    if tree.op in ("==", "<=") and isinstance(tree.left, Binary) and tree.left.op == "%":
        return _mend_multiple(draft, tree.left, env)
    if tree.op in _MIRRORED:
        return _mend_side(draft, tree.left, tree.op, tree.right, env) or _mend_side(
            draft, tree.right, _MIRRORED[tree.op], tree.left, env
        )
    return False


def _mend_multiple(draft: Draft, modulo: Binary, env: Env) -> bool:
    """`a % m == 0`: the next multiple of m, or a divisor of a where m is what is free."""
    value, divisor = value_of(modulo.left, env), value_of(modulo.right, env)
    if not isinstance(value, int) or not isinstance(divisor, int) or divisor == 0:
        return False
    if _assign(draft, modulo.left, -(-value // divisor) * divisor, env):
        return True
    smaller = math.gcd(value, divisor)
    return _assign(draft, modulo.right, smaller, env)


def _mend_side(draft: Draft, side: Tree, op: str, other: Tree, env: Env) -> bool:
    """`side op other` by giving `side` a value."""
    bound = value_of(other, env)
    if isinstance(bound, tuple):
        return op == "==" and _assign_shape(draft, side, bound)
    if not isinstance(bound, int | float):
        return False
    step = 1 if isinstance(bound, int) else abs(bound) * 0.25 + 1e-3
    wanted = {"==": bound, "<=": bound, ">=": bound, "<": bound - step, ">": bound + step}[op]
    return _assign(draft, side, wanted, env)


def _assign(draft: Draft, place: Tree, value: int | float, env: Env) -> bool:
    """Sets a dimension, a param, an element of one, a dimension or the rank of a `...`; False when not possible."""
    if isinstance(place, Name):
        return _assign_name(draft, place.id, value)
    if isinstance(place, Item):
        return _assign_item(draft, place, value, env)
    if isinstance(place, Binary) and place.op in ("*", "+", "-"):
        return _assign_part(draft, place, value, env)
    tensor = ""
    if isinstance(place, Call) and place.function == "rank" and isinstance(place.args[0], Name):
        tensor = place.args[0].id
    if isinstance(place, Member) and place.member == "rank":
        tensor = place.tensor
    run = draft.loose.get(tensor)
    if run is None or tensor in draft.locked or not 0 < value <= 8:
        return False
    length = int(value)
    draft.loose[tensor] = run[len(run) - length :] if length <= len(run) else [1] * (length - len(run)) + run
    return True


def _assign_part(draft: Draft, place: Binary, value: int | float, env: Env) -> bool:
    """`N * 4 = v`, `N + 1 = v`, `N - 1 = v` with a left side that can be set."""
    known = value_of(place.right, env)
    if not isinstance(known, int) or not isinstance(value, int):
        return False
    if place.op == "*":
        return known != 0 and value % known == 0 and _assign(draft, place.left, value // known, env)
    return _assign(draft, place.left, value - known if place.op == "+" else value + known, env)


def _assign_name(draft: Draft, name: str, value: int | float) -> bool:
    if name in draft.locked:
        return False
    if name in draft.dims:
        if not isinstance(value, int) or not 0 < value <= MOST_DIM:
            return False
        draft.dims[name] = value
        return True
    param = _given_param(draft, name)
    if param is None or param.shape is not None:
        return False
    draft.params[name] = _typed(param, value)
    return True


def _given_param(draft: Draft, name: str) -> ParamSpec | None:
    if name in draft.locked or name not in draft.params:
        return None
    return next((p for p in draft.op.params if p.name == name), None)


def _typed(param: ParamSpec, value: int | float) -> bool | int | float:
    if param.dtype.kind is Kind.BOOL:
        return bool(value)
    if param.dtype.kind is Kind.FLOAT:
        return float(value)
    low, high = param.dtype.limits
    return min(max(int(value), low), high)


def _assign_item(draft: Draft, place: Item, value: int | float, env: Env) -> bool:
    index = value_of(place.index, env) if not isinstance(place.index, Num) else place.index.value
    if not isinstance(index, int):
        return False
    if isinstance(place.base, Name):
        param = _given_param(draft, place.base.id)
        items = draft.params.get(place.base.id)
        if param is None or not isinstance(items, tuple) or not -len(items) <= index < len(items):
            return False
        changed = [*items]
        changed[index] = _typed(param, value)
        draft.params[param.name] = tuple(changed)
        return True
    if isinstance(place.base, Member) and place.base.member == "shape" and isinstance(value, int):
        run = draft.loose.get(place.base.tensor)
        free = place.base.tensor not in draft.locked
        if run is not None and free and -len(run) <= index < len(run) and 0 < value <= MOST_DIM:
            run[index] = value
            return True
    return False


def _assign_shape(draft: Draft, place: Tree, shape: tuple[int, ...]) -> bool:
    tensor = place.tensor if isinstance(place, Member) and place.member == "shape" else ""
    if tensor not in draft.loose or tensor in draft.locked:
        return False
    draft.loose[tensor] = [int(d) for d in shape]
    return True
