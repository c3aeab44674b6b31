"""How the kernels of an op are tiled: derived from what the op computes, or as the spec says; and why not."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.coupling import Coupling, Uncut
from opkg.kernels.tileable import MOST_RANK as RANK
from opkg.kernels.tileable import find_coupling, folds, speaks_of_size
from opkg.spec.expr import Binary, Call, Expression, Name, Num
from opkg.spec.model import Kernel, Layout, Op
from opkg.spec.walk_expr import names_in
from opkg.targets.qnn_htp_qhpi.facts import BYTES

# Extents of a block of elements of 1, 2 and 4 bytes.
_BLOCKS = {1: (1, 8, 8, 32), 2: (1, 8, 4, 32), 4: (1, 8, 2, 32)}
_FLAT = (1, 1, 1, 128)  # a dimension that is cut last is cut at whole vectors


@dataclass(frozen=True, slots=True)
class Tile:
    """How tiles of kernels with one element type of the first output are cut; None of `multiples` is one of `whole`."""

    element: str  # QHPI element type of the first output
    multiples: tuple[int, ...]  # per dimension of rank 4; 0: chosen in each call, -1: never
    blocks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tiles:
    """What is known of an op's tiles. `tiles` lacks the element types that are not tiled, for the reason `why`."""

    coupling: Coupling
    tiles: tuple[Tile, ...]
    why: str = ""
    folds: bool = False  # the op may run in other dimensions: its kernels are known to take any
    splits: bool = False  # also in more dimensions than its tensors have


def tiled_type(op: Op, kernel: Kernel) -> str:
    """What tells the kernels of an op apart when tiles are chosen: the element type of the output."""
    return op.outputs[0].dtype.of(kernel.combination).qhpi


def tiles_of(op: Op, kernels: tuple[Kernel, ...]) -> Tiles:
    """The tiles of an op with these kernels. Pure."""
    try:
        coupling = find_coupling(op)
    except Uncut as reason:
        return Tiles(Coupling(), (), str(reason))
    groups: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        groups.setdefault(tiled_type(op, kernel), []).append(kernel)
    tiles, why = [], ""
    for element, group in groups.items():
        if op.compute is None and any(kernel.tiling is None for kernel in group):
            why = "its kernels are written by hand, and nothing says which dimensions they need whole"
            continue
        tiles.append(_tile(element, group))
    if all(place in coupling.whole for place in range(max(t.ranks.high for t in op.outputs))):
        return Tiles(coupling, (), coupling.reason(0))
    folded = folds(op) and bool(tiles)
    if tiles and not folded and not why and max(t.ranks.high for t in op.inputs) > RANK:
        why = "kernels written by hand get those of rank 5 as they are, and only those of rank 4 can be tiled"
    splits = folded and not coupling.coupled and not coupling.axes and not _needs_rank(op)
    return Tiles(coupling, tuple(tiles), why, folded, splits)


def _needs_rank(op: Op) -> bool:
    """Whether a kernel's wrapper computes something of the dimensions of a call by their names, or has tensor params."""
    wanted = [kernel.cost for kernel in op.kernels] + [param.default for param in op.params]
    trees = [e.tree for e in wanted if isinstance(e, Expression)]
    return any(p.shape is not None for p in op.params) or any(
        set(names_in(tree)[1]) & set(op.dims) or speaks_of_size(tree, of_all=False) for tree in trees
    )


def _tile(element: str, kernels: list[Kernel]) -> Tile:
    blocks = _FLAT
    if any(kernel.layout is Layout.CROUTON for kernel in kernels):
        blocks = _BLOCKS.get(BYTES.get(element, 0), _FLAT)
        if any(kernel.also_blocks for kernel in kernels):
            blocks = (*blocks[:3], _FLAT[3])
    written = next((kernel.tiling for kernel in kernels if kernel.tiling is not None), None)
    return Tile(
        element,
        written.multiples if written is not None else (0,) * RANK,
        blocks,
    )


def axis_default(op: Op, param: str) -> int | None:
    """The value of a param that numbers a dimension where a call leaves it out; None where only a call can tell."""
    spec = next(p for p in op.params if p.name == param)
    tree = getattr(spec.default, "tree", None)
    if spec.shape is not None or isinstance(spec.default, bool | float | tuple) or spec.default is None:
        return None
    if isinstance(spec.default, int):
        return spec.default
    match tree:
        case Num(value=int(value)):
            return value
        case Binary("-", Call("rank", (Name(name),)), Num(value=int(value))):
            of = next((t for t in op.inputs if t.name == name), None)
            return of.ranks.low - value if of is not None and of.ranks.low == of.ranks.high else None
    return None
