"""Parts of tensors in blocks ("croutons"): computations that move whole blocks, and the shapes for which they do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from opkg.spec.compute.tree import Assigned, Compute, Const, Input, Move, Movement, Node, Param, Reduce, children
from opkg.spec.compute.walk import walk
from opkg.spec.compute.whole import REST, Leaf, Range, Size, Whole, leaves_of, value_of

RANK = 4  # of tensors in blocks
_MOST_PLACES = 512
Shape = tuple[int, ...]


def parts(compute: Compute) -> bool:
    """Whether all that moves elements are ranges of dimensions, one after another, and what is joined."""
    return all(
        node.op is Movement.CONCAT or (node.op is Movement.SLICE and all(_is_range(part) for part in node.parts))
        for node in _movements(compute)
    )


def pixels(compute: Compute) -> bool:
    """Whether all that is computed are pixels of one input elsewhere, with all their channels: ranges with any step, `tile` and
    `pad` of the others, and these in another order. Kernels in blocks move these one by one (opkg/seen_pixels.h)."""
    if len(compute.statements) != 1:
        return False
    node = compute.statements[0].expr
    while isinstance(node, Move):
        if not _keeps_channels(node):
            return False
        node = node.args[0]
    return isinstance(node, Input) and isinstance(compute.statements[0].expr, Move)


def _keeps_channels(node: Move) -> bool:
    if isinstance(node.axes, str) or any(isinstance(leaf, str) for part in node.parts for leaf in leaves_of(part)):
        return False
    match node.op:
        case Movement.SLICE:
            whole = all(part == REST or isinstance(part, Range) for part in node.parts)
            return whole and (REST in node.parts or len(node.parts) <= RANK) and _spread(node)[-1] == Range()
        case Movement.TRANSPOSE:
            return isinstance(node.axes, tuple) and len(node.axes) == RANK and node.axes[-1] % RANK == RANK - 1
        case Movement.TILE:
            return len(node.parts) == RANK and node.parts[-1] == 1
        case Movement.PAD:
            return len(node.parts) == RANK and node.parts[-1] == Range(0, 0) and isinstance(node.args[1], Const)
    return False


def few_places(shape: Shape) -> bool:
    """Whether kernels that move pixels have room for the places of a result: as SeenPixels of opkg/seen_pixels.h."""
    images, height, width, channels = shape
    return images + -(-height // 8) * 8 + -(-width // 8) * 8 + -(-channels // 32) <= _MOST_PLACES


def read_params(compute: Compute) -> frozenset[str]:
    """The params that say where parts begin and end."""
    found: set[str] = set()
    for node in _movements(compute):
        found |= {leaf for part in node.parts for leaf in leaves_of(part) if isinstance(leaf, str)}
        found |= {node.axes} if isinstance(node.axes, str) else set()
    return frozenset(found)


def aligned(
    compute: Compute,
    outputs: Collection[str],
    shapes: Mapping[str, Shape],
    params: Mapping[str, object],
    block: Shape,
) -> bool:
    """Whether kernels in blocks find what belongs together at one place: as parts_in_blocks() of opkg/seen_blocks.h.
    `shapes`: of inputs; `block`: the extents of a block."""
    walk = _Walk(shapes, params)
    try:
        for statement in compute.statements:
            walk.known[statement.name] = walk.of(statement.expr)
    except _Apart:
        return False
    found = [walk.known[name] for name in outputs]
    return all(value is not None and _is_aligned(value, block) for value in found)


class _Apart(Exception):
    """Values do not lie beside each other."""


@dataclass(frozen=True, slots=True)
class _Value:
    """Its shape, and where it begins in each input that it is made of; `joined`: what lies one after another along `axis`."""

    shape: Shape
    starts: frozenset[Shape]
    joined: tuple[_Value, ...] = ()
    axis: int = 0

    def cut(self, axis: int, start: int, stop: int) -> _Value:
        """Some places of a dimension."""
        if self.joined:
            raise _Apart
        shape = (*self.shape[:axis], stop - start, *self.shape[axis + 1 :])
        starts = frozenset((*each[:axis], each[axis] + start, *each[axis + 1 :]) for each in self.starts)
        return _Value(shape, starts)


def _movements(compute: Compute) -> Iterator[Move]:
    nodes = walk(statement.expr for statement in compute.statements)
    return (node for node in nodes if isinstance(node, Move))


def _is_range(part: object) -> bool:
    return part == REST or (isinstance(part, Range) and part.step in (None, 1))


def _is_aligned(value: _Value, block: Shape) -> bool:
    """Whether inputs, and what is written of the result, begin with blocks."""
    at = 0
    for part in value.joined or (value,):
        axis, end = value.axis, at + part.shape[value.axis]
        if part.joined or any(start[k] % block[k] for start in part.starts for k in range(RANK)):
            return False
        if at % block[axis] or (end != value.shape[axis] and end % block[axis]):
            return False
        at = end
    return True


class _Walk:
    """The values of a call. Raises _Apart."""

    def __init__(self, shapes: Mapping[str, Shape], params: Mapping[str, object]) -> None:
        self.shapes, self.params = shapes, params
        self.known: dict[str, _Value | None] = {}

    def of(self, node: Node) -> _Value | None:
        """A value; None: one number."""
        match node:
            case Input(name=name):
                if len(self.shapes[name]) != RANK:
                    raise _Apart
                return _Value(self.shapes[name], frozenset([(0,) * RANK]))
            case Assigned(name=name):
                return self.known[name]
            case Const() | Param():
                return None
            case Reduce():
                raise _Apart
        found = [value for child in children(node) if (value := self.of(child)) is not None]
        if not isinstance(node, Move):
            return self._together(found) if found else None
        if node.op is Movement.CONCAT:
            return self._concat(node, found)
        value = found[0]
        for axis, part in enumerate(_spread(node)):
            start, stop, _ = slice(self._end(part.start), self._end(part.stop)).indices(value.shape[axis])
            value = value if (start, stop) == (0, value.shape[axis]) else value.cut(axis, start, stop)
        return value

    def _end(self, end: Whole | None) -> int | None:
        return None if end is None else value_of(end, self._leaf)

    def _leaf(self, leaf: Leaf) -> int:
        return self.shapes[leaf.name][leaf.axis] if isinstance(leaf, Size) else int(str(self.params[leaf]))

    def _concat(self, node: Move, found: list[_Value]) -> _Value:
        assert node.axes is not None
        given = self.params[node.axes] if isinstance(node.axes, str) else node.axes[0]
        axis = int(str(given)) % RANK
        if any(value.joined for value in found):
            raise _Apart
        total = sum(value.shape[axis] for value in found)
        shape = (*found[0].shape[:axis], total, *found[0].shape[axis + 1 :])
        return _Value(shape, frozenset(), tuple(found), axis)

    def _together(self, found: list[_Value]) -> _Value:
        """What elements of several values make."""
        if len({value.shape for value in found}) > 1:
            raise _Apart
        joint = next((value for value in found if value.joined), None)
        if joint is None:
            return replace(found[0], starts=frozenset[Shape]().union(*(value.starts for value in found)))
        made, at = [], 0
        for number, part in enumerate(joint.joined):
            end = at + part.shape[joint.axis]
            pieces = [v.joined[number] if v.joined else v.cut(joint.axis, at, end) for v in found]
            made.append(self._together(pieces))
            at = end
        return replace(joint, joined=tuple(made))


def _spread(node: Move) -> list[Range]:
    """What stands in the brackets for each dimension."""
    given = [part for part in node.parts if isinstance(part, Range)]
    at = next((k for k, part in enumerate(node.parts) if part == REST), len(given))
    return [*given[:at], *[Range()] * (RANK - len(given)), *given[at:]]
