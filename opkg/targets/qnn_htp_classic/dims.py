"""Output dimensions that a kernel can compute: every HTP tensor has rank 4, lower ranks are padded with 1s in front."""

from __future__ import annotations

from opkg.spec.axis_params import fixed_rank
from opkg.spec.expr import Call, Member, Name, Rest, ShapeList, Tree
from opkg.spec.model import Op, TensorSpec
from opkg.spec.walk_expr import names_in
from opkg.targets.qnn_common.kernel_frame import KernelFrame
from opkg.targets.qnn_common.printer import Unprintable, show
from opkg.targets.qnn_htp_classic.classes import HIGHEST_RANK
from opkg.targets.qnn_htp_classic.unpack import Unpacker, computed


def set_dims(unpack: Unpacker) -> list[str]:
    """Statements that set the dimensions of outputs; one that cannot be computed keeps those of the graph."""
    out = []
    for tensor in unpack.op.outputs:
        if tensor.variadic is None and not unpack.may_be_absent(tensor):
            out += _statement(unpack, tensor)
    return out


def _statement(unpack: Unpacker, tensor: TensorSpec) -> list[str]:
    tree = tensor.shape.tree
    given = {t.name for t in unpack.op.inputs if t.variadic is None and not t.optional}
    known = given | {p.name for p in unpack.op.params} | set(unpack.op.dims) | set(unpack.op.rests)
    if not set(names_in(tree)[1]) <= known:
        return []
    before = set(unpack.used)
    try:
        value = _dims(unpack, tree, given)
    except Unprintable:
        unpack.used = before
        return []
    source = _tensor_named(tree)
    if source:
        return [f"{unpack.tensor(tensor.name)}.set_dims({unpack.tensor(source)});"]
    return [f"opkg::set_dims({unpack.tensor(tensor.name)}, {value});"]


def _tensor_named(tree: Tree) -> str:
    """The tensor whose shape the tree is, when it is that alone."""
    if isinstance(tree, Member) and tree.member == "shape":
        return tree.tensor
    return tree.id if isinstance(tree, Name) else ""


def _dims(unpack: Unpacker, tree: Tree, given: set[str]) -> str:
    """A C++ expression of type opkg::Dims. Raises Unprintable."""
    source = _tensor_named(tree)
    if source in given:
        return f"opkg::dims_of({unpack.tensor(source)})"
    match tree:
        case ShapeList(items) if any(isinstance(item, Rest) for item in items):
            return _with_rest(unpack, items)
        case ShapeList(items) if len(items) <= HIGHEST_RANK:
            frame = KernelFrame(unpack.op, padded=True)
            ones = ["1"] * (HIGHEST_RANK - len(items))
            return f"opkg::dims({', '.join([*ones, *(show(item, frame).text for item in items)])})"
        case Call("broadcast", args):
            text = _dims(unpack, args[0], given)
            for other in args[1:]:
                text = f"opkg::broadcast_dims({text}, {_dims(unpack, other, given)})"
            return text
        case Call("reduce", (shape, axes, keep)):
            return _reduced(unpack, shape, axes, keep, given)
    raise Unprintable("not computed in a kernel")


def _with_rest(unpack: Unpacker, items: tuple[Tree, ...]) -> str:
    """`[batch..., A, B]`: the padded dimensions of an input that starts with the same run, then the others."""
    first, after = items[0], items[1:]
    if not isinstance(first, Rest) or first.name is None or any(isinstance(item, Rest) for item in after):
        raise Unprintable("a run of dimensions is known only at the front")
    source, dropped = _starts_with(unpack.op, first.name)
    room = HIGHEST_RANK - len(after)
    shift = dropped - len(after)  # the run moves by as many places to the right
    if room < 0:
        raise Unprintable("more dimensions than an HTP tensor has")
    front = ["1" if i < shift else f"{unpack.tensor(source)}.dim({i - shift})" for i in range(room)]
    frame = KernelFrame(unpack.op, padded=True)
    return f"opkg::dims({', '.join([*front, *(show(item, frame).text for item in after)])})"


def _starts_with(op: Op, run: str) -> tuple[str, int]:
    """An input whose shape is the run and then some dimensions, and their number."""
    for tensor in op.inputs:
        tree = tensor.shape.tree
        if tensor.optional or tensor.variadic or not isinstance(tree, ShapeList):
            continue
        if tree.items and tree.items[0] == Rest(run):
            return tensor.name, len(tree.items) - 1
    raise Unprintable(f"no input starts with *{run}")


def _reduced(unpack: Unpacker, shape: Tree, axes: Tree, keep: Tree, given: set[str]) -> str:
    """Axes count in the rank that the view of the tensor has: its own when the spec fixes it, else 4."""
    source = next((t for t in unpack.op.inputs if t.name == _tensor_named(shape)), None)
    if source is None or source.name not in given:
        raise Unprintable("only the shape of a tensor is reduced")
    frame = KernelFrame(unpack.op, padded=True)
    rank = fixed_rank(source)
    listed = axes.items if isinstance(axes, ShapeList) else (axes,)
    texts = []
    for axis in listed:
        param = next((p for p in unpack.op.params if isinstance(axis, Name) and p.name == axis.id), None)
        if param is not None and (param.shape is not None or not (rank or computed(unpack.op, param))):
            raise Unprintable("which dimension is meant is not known")
        text = show(axis, frame).text
        if param is None and not rank and not text.startswith("-"):
            raise Unprintable("which dimension is meant is not known")
        texts.append(text)
    values = f"opkg::dims_of({unpack.tensor(source.name)}), {{{', '.join(texts)}}}"
    return f"opkg::reduced_dims({values}, {show(keep, frame).text}, {rank or HIGHEST_RANK})"
