"""The struct of a kernel in passes: the arguments of its op, and the numbers between its passes (opkg/between.h)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from opkg.kernels.portable.moves import Moves
from opkg.kernels.snippet import Number, Snippet
from opkg.spec.compute.extents import Dim, Extent, is_rest
from opkg.spec.compute.tree import NOWHERE
from opkg.spec.expr import Call, Expression, Name, Num, Rest, ShapeList, Tree, Type
from opkg.spec.model import Ranks, TensorSpec
from opkg.spec.model_types import TypeRef

HEADER = "opkg/between.h"


@dataclass(frozen=True, slots=True)
class Between:
    """Its name, the struct of the op's arguments, members, and statements of its constructor."""

    name: str
    base: str
    members: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MovingCode:
    """A pass that moves elements: its statements, in the place of a rows struct."""

    moves: tuple[str, ...]
    between: Between | None
    views: None = None


def moving_code(snippet: Snippet) -> MovingCode:
    """The code of a pass that moves: all there is to do where a result has its input's scale and zero point."""
    numbers = snippet.passing.numbers if snippet.passing is not None else ()
    done = [
        f"if (op.{n.source}.scale == op.{n.result}.scale && op.{n.source}.zero == op.{n.result}.zero) return opkg::Status::ok;"
        for n in numbers
        if n.result
    ]
    return MovingCode((*Moves(snippet).lines()[:-1], *done), between_of(snippet))


def between_of(snippet: Snippet) -> Between | None:
    """The struct of a snippet that is one of several passes."""
    if snippet.passing is None:
        return None
    members = [f"opkg::Tensor<{number.element}> {number.name};" for number in snippet.passing.numbers]
    lines = [_made(number) for number in snippet.passing.numbers]
    return Between(snippet.args, snippet.passing.base, tuple(members), tuple(lines))


def _made(number: Number) -> str:
    if number.result:
        return f"opkg_room.share({number.name}, op.{number.result}, op.{number.source});"
    of = f", op.{number.source}" if number.source else ""
    return f"opkg_room.{'alias' if number.alias else 'take'}({number.name}, {number.shape}{of});"


def free_name(wanted: str, taken: Collection[str]) -> str:
    """This name, or this name with a number, that no other one is like: structs are named after tensors in camel case."""
    plain = {name.replace("_", "").lower() for name in taken}
    names = (wanted, *(f"{wanted}{n}" for n in range(2, len(plain) + 3)))
    return next(name for name in names if name.replace("_", "").lower() not in plain)


def tensor_of(name: str, dtype: TypeRef, extent: Extent) -> TensorSpec:
    """A tensor between passes, as one that a spec has."""
    tree: Tree = Name("") if extent.dims is None else ShapeList(tuple(map(_dim, extent.dims)))
    ranks = Ranks(extent.low, extent.high)
    return TensorSpec(name, dtype, Expression("", tree, Type.SHAPE, NOWHERE), ranks)


def _dim(dim: Dim) -> Tree:
    if isinstance(dim, int):
        return Num(dim)
    if is_rest(dim):
        return Rest(None if dim.endswith(".") else dim[1:])
    return Call(dim, ()) if dim.startswith("?") else Name(dim)
