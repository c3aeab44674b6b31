"""Whether large tensors of an op can be computed in tiles, and along which dimensions."""

from __future__ import annotations

from opkg.kernels.coupling import Coupling, Uncut, coupling_by_shapes
from opkg.spec.compute.extents import is_rest, of_tensor
from opkg.spec.dtypes import DType
from opkg.spec.expr import Call, Item, Member, Name, ShapeList, Tree
from opkg.spec.model import Combination, Op
from opkg.spec.walk_expr import names_in, nodes

LARGEST = 4 << 20  # bytes of each tensor of an op that is not tiled (docs/measured-qhpi.md)


# By bytes of a signed element: from how many images on a graph's tensor has a limit, and how many bytes (docs/measured-qhpi.md).
SIGNED_IMAGES = {1: (129, 4 << 20), 2: (2, 1 << 20)}
MOST_RANK = 4  # of tensors that are cut into tiles as they are


def folds(op: Op) -> bool:
    """Whether an op may run in other dimensions than its tensors have: its kernels are known to take any."""
    return op.compute is not None and not any(kernel.body for kernel in op.kernels)


def cut_places(op: Op, combination: Combination, axes: tuple[int, ...] | None) -> frozenset[int] | None:
    """The places (from the last dimension, 0) along which inputs are cut into tiles; None when none is. `axes`: what the
    param says that numbers coupled dimensions, where there is one."""
    kernels = [kernel for kernel in op.kernels if kernel.combination == combination]
    if op.compute is None and any(kernel.tiling is None for kernel in kernels):
        return None
    try:
        coupling = find_coupling(op)
    except Uncut:
        return None
    coupled = set(coupling.coupled)
    if coupling.axes:
        coupled |= {-1 - axis if axis < 0 else coupling.rank - 1 - axis for axis in axes or range(coupling.rank)}
    for kernel in kernels:
        if kernel.tiling is not None and not coupling.dropped:
            coupled |= {3 - dim for dim, multiple in enumerate(kernel.tiling.multiples) if multiple < 0}
    most = max(tensor.ranks.high for tensor in op.inputs)
    return frozenset(range(min(most, 4))) - coupled or None


def converted(dtype: DType) -> bool:
    """Whether the backend makes unsigned elements of those of a graph's tensors."""
    return dtype.signed and dtype.qhpi in ("QUInt8", "QUInt16")


def converted_whole(dtype: DType) -> bool:
    """Whether the backend makes unsigned elements of a graph's tensors without cutting them (docs/measured-qhpi.md)."""
    return dtype.signed and dtype.qhpi == "QUInt16"


def alternates(op: Op, pinned: int) -> bool:
    """Whether neighbouring places from `pinned` on may differ in the tensors that are broadcast there."""
    output = of_tensor(op.outputs[0], op).dims
    if len(op.inputs) < 2:
        return False
    changes: set[int] = set()  # places before which others may be broadcast
    for tensor in op.inputs:
        dims = of_tensor(tensor, op).dims
        if dims is None or output is None:
            return True
        if dims == output:
            continue
        if any(map(is_rest, dims)):
            return True
        alike = dims == output[len(output) - len(dims) :]
        changes |= {len(dims)} if alike else set(range(1, len(dims) + 1))
    return pinned + 1 + len([place for place in changes if place > pinned]) > MOST_RANK


def groups(shapes: list[tuple[int, ...]], pinned: int) -> int:
    """In how many dimensions tensors of these shapes can be laid out: neighbouring places from `pinned` on are joined
    where the same tensors have more than one element."""
    found = pinned
    last: tuple[bool, ...] = ()
    for place in range(pinned, max(map(len, shapes))):
        wide = tuple(place < len(shape) and shape[-1 - place] > 1 for shape in shapes)
        if any(wide) and wide != last:
            found, last = found + 1, wide
    return found


def find_coupling(op: Op) -> Coupling:
    """By the computation where there is one, else by shapes. Raises Uncut."""
    if op.outputs[0].variadic:
        raise Uncut("its first output stands for several tensors")
    if op.compute is None:
        return coupling_by_shapes(op)
    from opkg.kernels.coupling_compute import coupling_of  # packages without computations do not load graphs

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
        if speaks_of_size(constraint.require.tree):
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


def speaks_of_size(tree: Tree, of_all: bool = True) -> bool:
    """Whether an expression has a dimension of a tensor, or, with `of_all`, its number of elements."""

    def says(node: Tree) -> bool:
        match node:
            case Item(Member(_, "shape"), _):
                return True
            case Call("size", _) | Member(_, "size"):
                return of_all
        return False

    return any(says(node) for node in nodes(tree))
