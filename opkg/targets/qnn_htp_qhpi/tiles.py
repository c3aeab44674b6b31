"""How the kernels of an op are tiled: derived from what the op computes, or as the spec says; and why not."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.coupling import Coupling, Uncut, coupling_by_shapes, coupling_of
from opkg.spec.expr import Binary, Call, Expression, Item, Member, Name, Num, ShapeList, Tree
from opkg.spec.model import Kernel, Layout, Op
from opkg.spec.walk_expr import names_in, nodes
from opkg.targets.qnn_htp_qhpi.facts import BYTES

RANK = 4  # of the tensors that the backend tiles
LARGEST = 4 << 20  # bytes of each tensor of an op that is not tiled (docs/measured-qhpi.md)

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
    folds = op.compute is not None and not any(kernel.body for kernel in op.kernels) and bool(tiles)
    splits = folds and not coupling.coupled and not coupling.axes and not _needs_rank(op)
    return Tiles(coupling, tuple(tiles), why, folds, splits)


def _needs_rank(op: Op) -> bool:
    """Whether a kernel's wrapper computes something of the dimensions of a call by their names, or has tensor params."""
    wanted = [kernel.cost for kernel in op.kernels] + [param.default for param in op.params]
    trees = [e.tree for e in wanted if isinstance(e, Expression)]
    return any(p.shape is not None for p in op.params) or any(
        set(names_in(tree)[1]) & set(op.dims) or _speaks_of_size(tree, of_all=False) for tree in trees
    )


def find_coupling(op: Op) -> Coupling:
    """By the computation where there is one, else by shapes. Raises Uncut."""
    if op.outputs[0].variadic:
        raise Uncut("its first output stands for several tensors")
    if op.compute is None:
        return coupling_by_shapes(op)
    coupling = coupling_of(op)
    if coupling.aligned and any(t.optional and t.name in coupling.aligned for t in op.inputs):
        raise Uncut("an optional input lacks the reduced dimensions")
    if not any(kernel.body for kernel in op.kernels):
        return coupling
    return _constrained(op, coupling)


def _constrained(op: Op, coupling: Coupling) -> Coupling:
    """Kernels written by hand may rely on what constraints say of the sizes of a call, which tiles need not fulfil."""
    dims: set[str] = set()
    for constraint in op.constraints:
        if _speaks_of_size(constraint.require.tree):
            raise Uncut("a constraint speaks of its size, and kernels written by hand may rely on that")
        dims |= set(names_in(constraint.require.tree)[1]) & set(op.dims)
    if not dims:
        return coupling
    tree = op.outputs[0].shape.tree
    output = next((t for t in op.inputs if tree in (Name(t.name), Member(t.name, "shape"))), op.outputs[0])
    items = output.shape.tree.items if isinstance(output.shape.tree, ShapeList) else ()
    named = {place for place, item in enumerate(reversed(items)) if isinstance(item, Name) and item.id in dims}
    why = dict.fromkeys(named, "a constraint speaks of it, and kernels written by hand may rely on that")
    return Coupling(
        coupling.coupled | named, coupling.axes, coupling.rank, coupling.dropped, coupling.keep, coupling.aligned,
        why | coupling.why,
    )  # fmt: skip


def _speaks_of_size(tree: Tree, of_all: bool = True) -> bool:
    """Whether an expression has a dimension of a tensor, or, with `of_all`, its number of elements."""

    def says(node: Tree) -> bool:
        match node:
            case Item(Member(_, "shape"), _):
                return True
            case Call("size", _) | Member(_, "size"):
                return of_all
        return False

    return any(says(node) for node in nodes(tree))


def _tile(element: str, kernels: list[Kernel]) -> Tile:
    blocks = any(kernel.layout is Layout.CROUTON for kernel in kernels)
    written = next((kernel.tiling for kernel in kernels if kernel.tiling is not None), None)
    return Tile(
        element,
        written.multiples if written is not None else (0,) * RANK,
        _BLOCKS.get(BYTES.get(element, 0), _FLAT) if blocks else _FLAT,
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
