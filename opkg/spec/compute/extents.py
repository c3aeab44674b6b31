"""Symbolic shapes of a computation: what is known of a value's dimensions before any call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opkg.spec.expr import Call as ExprCall
from opkg.spec.expr import Member, Name, Num, Rest, ShapeList, Tree
from opkg.spec.model import Op, ParamSpec, TensorSpec

MOST_RANK = 8
# A dimension: a number; the name of one; "*name", a run of any number of them; "?..." one that is not known; COMPUTED and a
# text, one of those, of which opkg.spec.compute.lengths knows how it is calculated.
Dim = int | str
COMPUTED = "?="


class Mismatch(Exception):
    """Shapes that never fit."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Extent:
    """Dimensions, None when they are not known, and the least and greatest rank."""

    dims: tuple[Dim, ...] | None
    low: int
    high: int

    def __str__(self) -> str:
        if self.dims is None or any(is_rest(dim) and str(dim).endswith(".") for dim in self.dims):
            return f"rank {self.low}" if self.low == self.high else f"rank {self.low}..{self.high}"
        return "[" + ", ".join(_shown(dim) for dim in self.dims) + "]"


SCALAR = Extent((), 0, 0)


def _shown(dim: Dim) -> str:
    if isinstance(dim, int):
        return str(dim)
    if dim.startswith(COMPUTED):
        return dim.removeprefix(COMPUTED)
    if dim.startswith("?"):
        return "?"
    if dim.startswith("*"):
        return f"{dim[1:]}..."
    return dim


def of_tensor(tensor: TensorSpec, op: Op) -> Extent:
    """The extent of an input or output by its shape expression."""
    return Extent(_dims(tensor.shape.tree, tensor.name, op, 0), tensor.ranks.low, tensor.ranks.high)


def of_param(param: ParamSpec, op: Op) -> Extent:
    """The extent of a param; a scalar's is empty."""
    if param.shape is None:
        return SCALAR
    dims = _dims(param.shape.tree, param.name, op, 0)
    fixed = dims is not None and not any(is_rest(dim) for dim in dims)
    rank = len(dims or ())
    return Extent(dims, rank, rank) if fixed else Extent(dims, 0, MOST_RANK)


def is_rest(dim: Dim) -> bool:
    return isinstance(dim, str) and dim.startswith("*")


def _dims(tree: Tree, owner: str, op: Op, depth: int) -> tuple[Dim, ...] | None:
    if isinstance(tree, ShapeList):
        return tuple([_dim(item, f"{owner}.{place}") for place, item in enumerate(tree.items)])
    named = tree.id if isinstance(tree, Name) else tree.tensor if isinstance(tree, Member) else None
    if named is not None:
        found = [tensor for tensor in op.tensors if tensor.name == named]
        return _dims(found[0].shape.tree, named, op, depth + 1) if found and depth < 16 else None
    if isinstance(tree, ExprCall) and tree.function == "broadcast":
        result: tuple[Dim, ...] | None = ()
        for arg in tree.args:
            try:
                result = _broadcast(result, _dims(arg, owner, op, depth + 1))
            except Mismatch:
                return None
        return result
    return None


def _dim(tree: Tree, place: str) -> Dim:
    match tree:
        case Num(value=int(value)):
            return value
        case Name():
            return tree.id
        case Rest():
            return f"*{tree.name}" if tree.name is not None else f"*{place}."
    return f"?{place}"


def broadcast(left: Extent, right: Extent) -> Extent:
    """numpy's broadcast of two extents; Mismatch when no call can fulfil it."""
    dims = _broadcast(left.dims, right.dims)
    return Extent(dims, max(left.low, right.low), max(left.high, right.high))


def _broadcast(left: tuple[Dim, ...] | None, right: tuple[Dim, ...] | None) -> tuple[Dim, ...] | None:
    if left is None or right is None:
        return None
    if left == right:
        return left
    done: list[Dim] = []
    rest_left, rest_right = list(left), list(right)
    while rest_left and rest_right:
        joined = _joined(rest_left.pop(), rest_right.pop())
        if joined is None:
            return None
        done.append(joined)
    return (*rest_left, *rest_right, *reversed(done))


def _joined(a: Dim, b: Dim) -> Dim | None:
    """One dimension of a broadcast; None when not even the number of dimensions is known."""
    if a == b:
        return a
    if is_rest(a) or is_rest(b):
        return None
    if a == 1 or b == 1:
        return b if a == 1 else a
    if isinstance(a, int) and isinstance(b, int):
        raise Mismatch(f"dimensions {a} and {b}")
    if isinstance(a, int) or isinstance(b, int):
        return a if isinstance(a, int) else b  # the other is 1 or the same in every call that works
    return f"?{a}|{b}"


def either(left: Extent, right: Extent) -> Extent:
    """The extent of a value that is one or the other."""
    dims = left.dims if left.dims == right.dims else None
    return Extent(dims, min(left.low, right.low), max(left.high, right.high))


def reduced(extent: Extent, axes: tuple[int, ...] | None, keep: bool) -> Extent:
    """The extent after a reduction; Mismatch when an axis is out of range for every rank, or stands twice."""
    dims = extent.dims
    if axes is None:
        if not keep:
            return SCALAR
        fixed = dims is not None and not any(map(is_rest, dims))
        return Extent(tuple([1] * len(dims)) if dims is not None and fixed else None, extent.low, extent.high)
    for axis in axes:
        if not -extent.high <= axis < extent.high:
            rank = str(extent.low) if extent.low == extent.high else f"{extent.low} to {extent.high}"
            raise Mismatch(f"there is no axis {axis} in a value of rank {rank}")
    if extent.low == extent.high and len({axis % extent.low for axis in axes}) < len(axes):
        raise Mismatch("two of the axes are the same dimension")
    gone = None if dims is None else _places(dims, axes)
    low, high = (extent.low, extent.high) if keep else (max(extent.low - len(axes), 0), extent.high - len(axes))
    if dims is None or gone is None:
        return Extent(None, low, max(high, 0))
    left: list[Dim] = [1 if place in gone else dim for place, dim in enumerate(dims) if keep or place not in gone]
    return Extent(tuple(left), low, max(high, 0))


def _places(dims: tuple[Dim, ...], axes: tuple[int, ...]) -> set[int] | None:
    """Which items the axes number; None when a run of dimensions lies between."""
    rest = next((place for place, dim in enumerate(dims) if is_rest(dim)), None)
    places = set()
    for axis in axes:
        place = axis if axis >= 0 else len(dims) + axis
        if rest is not None and (place >= rest if axis >= 0 else place <= rest):
            return None
        if not 0 <= place < len(dims):
            return None
        places.add(place)
    return places


def disagree(
    value: Extent, output: Extent, free: frozenset[str], differ: Callable[[Dim, Dim], bool] = lambda a, b: False
) -> bool:
    """Whether a value can be told not to have an output's shape. `free`: names of dimensions that constraints may tie;
    `differ`: whether dimensions of which one is computed are told to differ."""
    if value == SCALAR:
        return False
    if value.low > output.high or value.high < output.low:
        return True
    if value.dims is None or output.dims is None:
        return False
    rests = any(map(is_rest, (*value.dims, *output.dims)))
    if not rests and len(value.dims) != len(output.dims):
        return True
    for a, b in zip(reversed(value.dims), reversed(output.dims), strict=False):
        if is_rest(a) or is_rest(b):
            return False
        if a != b and (differ(a, b) or not (_open(a, free) or _open(b, free))):
            return True
    return False


def _open(dim: Dim, free: frozenset[str]) -> bool:
    return isinstance(dim, str) and (dim.startswith("?") or dim in free)
