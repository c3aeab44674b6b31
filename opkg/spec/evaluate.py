"""Evaluates a typed expression in plain Python; the meaning that generated C++ must agree with.

Ints behave as int64 (a result beyond it is an EvaluationError, undefined in C++), `/` and `//` of ints floor, `%` takes
the sign of the divisor, floats are float64. `and`, `or` and `a if t else b` evaluate no more than they need. A tensor
named as an argument of a shape function stands for its shape; a variadic tensor for its first one. Indexes and axes
count from the end when negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from opkg.spec.dtypes import DTYPES, DType
from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Unary
from opkg.spec.model import Value
from opkg.spec.shapes import EvaluationError, Shape, broadcast, concat, product, reduce, text_of
from opkg.spec.values import stored

Result = bool | int | float | DType | tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A tensor of one call. `shape` None: an output whose shape is asked for. `scale`, `offset` as in QNN.

    Per-channel quantization: `axis`, with one of `scales` and `offsets` per channel; then `scale` is None.
    """

    shape: Shape | None
    dtype: DType
    scale: float | None = None
    offset: int | None = None
    axis: int | None = None
    scales: tuple[float, ...] = ()
    offsets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Env:
    """What the names of an op mean in one call. An absent tensor has an empty tuple; a name not bound is missing."""

    dims: dict[str, int] = field(default_factory=dict)
    rests: dict[str, Shape] = field(default_factory=dict)
    params: dict[str, Value] = field(default_factory=dict)
    given: frozenset[str] = frozenset()  # params that the call itself sets
    tensors: dict[str, tuple[TensorInfo, ...]] = field(default_factory=dict)
    types: dict[str, DType] = field(default_factory=dict)


class Unknown(Exception):
    """The expression needs something this call does not have: an absent tensor, a dimension that nothing bound."""

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' is not known in this call")
        self.name = name


def evaluate(tree: Tree, env: Env) -> Result:
    """The value of `tree`; EvaluationError or Unknown when there is none."""
    return _VISIT[type(tree)](tree, env)


def _number(value: int | float) -> int | float:
    if isinstance(value, int) and not -(1 << 63) <= value < (1 << 63):
        raise EvaluationError("a value does not fit in 64 bits")
    return value


def _literal(tree: Num | Truth, env: Env) -> Result:
    return tree.value


def _name(tree: Name, env: Env) -> Result:
    name = tree.id
    if name in env.dims:
        return env.dims[name]
    if name in env.params:
        return env.params[name]
    if name in env.types:
        return env.types[name]
    if name in env.tensors:
        return _shape_of(name, env)
    if name in DTYPES:
        return DTYPES[name]
    raise Unknown(name)


def _first(name: str, env: Env) -> TensorInfo:
    infos = env.tensors.get(name)
    if not infos:
        raise Unknown(name)
    return infos[0]


def _shape_of(name: str, env: Env) -> Shape:
    shape = _first(name, env).shape
    if shape is None:
        raise Unknown(name)
    return shape


def _member(tree: Member, env: Env) -> Result:
    info = _first(tree.tensor, env)
    member = tree.member
    if member == "dtype":
        return info.dtype
    if member in ("scale", "offset"):
        value = info.scale if member == "scale" else info.offset
        if value is None:
            raise Unknown(f"{tree.tensor}.{member}")
        return stored(value, DTYPES["float32"]) if member == "scale" else value
    shape = _shape_of(tree.tensor, env)
    if member == "shape":
        return shape
    return len(shape) if member == "rank" else _number(product(shape))


def _item(tree: Item, env: Env) -> Result:
    base: Any = evaluate(tree.base, env)
    index: Any = evaluate(tree.index, env)
    if not isinstance(base, tuple):
        base = (base,)
    if not -len(base) <= index < len(base):
        raise EvaluationError(f"index {index} of a list of {len(base)}")
    result: Result = base[index]
    return result


def _unary(tree: Unary, env: Env) -> Result:
    value: Any = evaluate(tree.operand, env)
    return not value if tree.op == "not" else _number(-value)


def _binary(tree: Binary, env: Env) -> Result:
    left: Any = evaluate(tree.left, env)
    if tree.op == "and":
        return evaluate(tree.right, env) if left else False
    if tree.op == "or":
        return True if left else evaluate(tree.right, env)
    right: Any = evaluate(tree.right, env)
    try:
        return _number(_OPERATORS[tree.op](left, right))
    except ZeroDivisionError:
        raise EvaluationError("division by zero") from None
    except OverflowError:
        raise EvaluationError("a value does not fit in a float64") from None


def _divide(left: Any, right: Any) -> Any:
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _select(tree: Select, env: Env) -> Result:
    return evaluate(tree.then if evaluate(tree.test, env) else tree.other, env)


def _shape_list(tree: ShapeList, env: Env) -> Result:
    dims: list[int] = []
    for item in tree.items:
        if isinstance(item, Rest):
            if item.name is None or item.name not in env.rests:
                raise Unknown(item.name or "...")
            dims.extend(env.rests[item.name])
        else:
            value: Any = evaluate(item, env)
            dims.append(value)
    return tuple(dims)


def _rest(tree: Rest, env: Env) -> Result:
    raise Unknown(tree.name or "...")


def _call(tree: Call, env: Env) -> Result:
    return CALLS[tree.function](tree.args, env)


def _named(tree: Tree) -> str:
    assert isinstance(tree, Name)
    return tree.id


def _rank(args: tuple[Tree, ...], env: Env) -> Result:
    name = _named(args[0])
    if name in env.params:
        return 1
    return len(_shape_of(name, env))


def _size(args: tuple[Tree, ...], env: Env) -> Result:
    name = _named(args[0])
    if name in env.params:
        value = env.params[name]
        return len(value) if isinstance(value, tuple) else 1
    return _number(product(_shape_of(name, env)))


def _count(args: tuple[Tree, ...], env: Env) -> Result:
    return len(env.tensors.get(_named(args[0]), ()))


def _present(args: tuple[Tree, ...], env: Env) -> Result:
    name = _named(args[0])
    return name in env.given or bool(env.tensors.get(name))


def _broadcast(args: tuple[Tree, ...], env: Env) -> Result:
    return broadcast([_shape(arg, env) for arg in args])


def _shape(tree: Tree, env: Env) -> Shape:
    value = evaluate(tree, env)
    assert isinstance(value, tuple)
    return value


def _reduce(args: tuple[Tree, ...], env: Env) -> Result:
    axes: Any = evaluate(args[1], env)
    return reduce(_shape(args[0], env), axes if isinstance(axes, tuple) else (axes,), bool(evaluate(args[2], env)))


def _concat(args: tuple[Tree, ...], env: Env) -> Result:
    axis: Any = evaluate(args[0], env)
    name = _named(args[1])
    shapes = [info.shape for info in env.tensors.get(name, ()) if info.shape is not None]
    if not shapes or len(shapes) != len(env.tensors[name]):
        raise Unknown(name)
    return concat(axis, shapes)


def _product(args: tuple[Tree, ...], env: Env) -> Result:
    return _number(product(_shape(args[0], env)))


def _values(args: tuple[Tree, ...], env: Env) -> list[Any]:
    return [evaluate(arg, env) for arg in args]


def _ceil_div(args: tuple[Tree, ...], env: Env) -> Result:
    left, right = _values(args, env)
    if right == 0:
        raise EvaluationError("division by zero")
    return _number(-(-left // right))


def _round_up(args: tuple[Tree, ...], env: Env) -> Result:
    left, right = _values(args, env)
    if right == 0:
        raise EvaluationError("division by zero")
    return _number(-(-left // right) * right)


CALLS: dict[str, Callable[[tuple[Tree, ...], Env], Result]] = {
    "rank": _rank,
    "size": _size,
    "count": _count,
    "present": _present,
    "broadcast": _broadcast,
    "reduce": _reduce,
    "concat": _concat,
    "product": _product,
    "min": lambda args, env: min(_values(args, env)),
    "max": lambda args, env: max(_values(args, env)),
    "abs": lambda args, env: _number(abs(_values(args, env)[0])),
    "ceil_div": _ceil_div,
    "round_up": _round_up,
}

_VISIT: dict[type, Callable[[Any, Env], Result]] = {
    Num: _literal,
    Truth: _literal,
    Name: _name,
    Member: _member,
    Item: _item,
    Call: _call,
    Unary: _unary,
    Binary: _binary,
    Select: _select,
    Rest: _rest,
    ShapeList: _shape_list,
}

__all__ = ["Env", "EvaluationError", "Result", "Shape", "TensorInfo", "Unknown", "evaluate", "product", "text_of"]
