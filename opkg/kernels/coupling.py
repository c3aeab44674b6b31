"""Which dimensions of an op hang together: what a piece of its first output needs of the other tensors.

Dimensions are counted from the last one, which is place 0: kernels see ranks padded in front, and places stay what they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.compute.extents import Dim, is_rest, of_tensor
from opkg.spec.expr import Binary, Call, Name, Num, ShapeList, Tree, Truth, Unary
from opkg.spec.model import Op, TensorSpec

EVERY = frozenset(range(8))  # places


class Uncut(Exception):
    """No piece of the first output can be told from the rest. The text is the reason, the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Coupling:
    """How the tensors of an op hang together. A piece of output 0 is cut along places that are not `coupled`; of every
    input it needs the same range at those places (all, where the input has one element there) and all of the others.

    `axes`: the param that numbers further coupled dimensions of a value of rank `rank` in each call. `dropped`: output 0
    lacks the coupled dimensions that the inputs have, so that its places are fewer; `keep`: the bool param that says in
    each call that it has them all the same. `aligned`: inputs that lack them, too. `why`: of each coupled place.
    """

    coupled: frozenset[int] = frozenset()
    axes: str = ""
    rank: int = 0
    dropped: bool = False
    keep: str = ""
    aligned: frozenset[str] = frozenset()
    why: dict[int, str] = field(default_factory=dict, compare=False)

    @property
    def whole(self) -> frozenset[int]:
        """Places of output 0 that are never cut, as far as the spec tells."""
        return frozenset() if self.dropped and not self.keep else self.coupled

    def reason(self, place: int) -> str:
        """Why a place is coupled, as the end of a sentence."""
        return self.why.get(place, "it is coupled")


def coupling_by_shapes(op: Op) -> Coupling:
    """What the shapes in a spec leave free for kernels of which nothing else is known: places at which all tensors have
    the same dimension by name. Whether a kernel couples these all the same, only its author knows. Raises Uncut."""
    output = op.outputs[0]
    match output.shape.tree:
        case Call("broadcast", args):
            named = {_named(arg) for arg in args}
            stray = [t.name for t in op.inputs if t.name not in named]
            if stray:
                raise Uncut(f"the shape of '{output.name}' does not tell what it has to do with '{stray[0]}'")
            return Coupling()
        case Call("reduce", (shape, axes, keep)):
            return _reduced(op, _named(shape), axes, keep)
    coupled: dict[int, str] = {}
    dims = of_tensor(output, op).dims
    for tensor in (*op.inputs, *op.outputs[1:]):
        _compare(output, dims, tensor, of_tensor(tensor, op).dims, coupled)
    return Coupling(frozenset(coupled), why=coupled)


def _named(tree: Tree) -> str:
    return tree.id if isinstance(tree, Name) else str(getattr(tree, "tensor", ""))


def _reduced(op: Op, base: str, axes: Tree, keep: Tree) -> Coupling:
    """`reduce(x, [axis], keep)`, as far as the spec tells which dimension that is."""
    tensor = next((t for t in op.inputs if t.name == base), None)
    items = axes.items if isinstance(axes, ShapeList) else (axes,)
    if tensor is None or len(op.inputs) > 1 or len(op.outputs) > 1:
        raise Uncut("its output is reduced, and it has more tensors than that and the input")
    places = frozenset(place for item in items for place in (_place(op, tensor, item),) if place is not None)
    if len(places) != len(items):
        raise Uncut("the shape of its output does not tell which dimensions are reduced")
    kept = keep.id if isinstance(keep, Name) else ""
    dropped = keep != Truth(True)
    if dropped and not kept and keep != Truth(False):
        raise Uncut("the shape of its output does not tell whether the reduced dimensions stay")
    return Coupling(places, "", 0, dropped, kept, why=dict.fromkeys(places, "it is reduced"))


def _place(op: Op, tensor: TensorSpec, item: Tree) -> int | None:
    """The place that an axis of a shape rule means: a number, or a param that a constraint ties to `rank(x) - 1`."""
    match item:
        case Num(value=int(value)):
            fixed = tensor.ranks.low == tensor.ranks.high
            return tensor.ranks.low - 1 - value if fixed else None
        case Unary("-", Num(value=int(value))):
            return value - 1
        case Binary("-", Call("rank", (Name(name),)), Num(value=int(value))) if name == tensor.name:
            return value - 1
        case Name(name):
            for constraint in op.constraints:
                tree = constraint.require.tree
                if isinstance(tree, Binary) and tree.op == "==" and Name(name) in (tree.left, tree.right):
                    other = tree.right if tree.left == Name(name) else tree.left
                    return None if isinstance(other, Name) else _place(op, tensor, other)
    return None


def _compare(
    output: TensorSpec, dims: tuple[Dim, ...] | None, tensor: TensorSpec, others: tuple[Dim, ...] | None,
    coupled: dict[int, str],
) -> None:  # fmt: skip
    """Adds the places at which two tensors are not known to have one dimension."""
    if dims is None or others is None:
        coupled |= dict.fromkeys(EVERY, f"the shapes of '{output.name}' and '{tensor.name}' do not tell")
        return
    ours, theirs = list(dims), list(others)
    for place in sorted(EVERY):
        if not theirs or not ours:
            return
        a, b = ours.pop(), theirs.pop()
        if a == b and is_rest(a):
            return  # one run of dimensions in both
        if is_rest(a) or is_rest(b):
            which = f"the shapes of '{output.name}' and '{tensor.name}' do not tell"
            coupled |= {p: which for p in EVERY if p >= place and p not in coupled}
            return
        if a != b and b != 1 and place not in coupled:
            coupled[place] = f"'{output.name}' has {_shown(a)} there and '{tensor.name}' {_shown(b)}"


def _shown(dim: Dim) -> str:
    return "a computed dimension" if isinstance(dim, str) and dim.startswith("?") else str(dim)
