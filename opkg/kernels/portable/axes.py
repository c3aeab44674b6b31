"""Which dimensions a graph reduces, the same for all its reductions, and which tensors are without them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from opkg.kernels.graphs.graph import REDUCE, SCAN, Graph, Node
from opkg.spec.axis_params import counts_from_end, pinned
from opkg.spec.compute.extents import of_param, of_tensor
from opkg.spec.expr import Binary, Call, Name, Num, Tree, Unary
from opkg.spec.model import Op, ParamSpec

FROM_FRONT = "an axis counted from the front of a value whose rank varies: kernels see it padded"


class Refused(Exception):
    """Why no kernel can be generated. `node`: the operation that is in the way; `hint`: what could be done."""

    def __init__(self, message: str, node: Node | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.node = node
        self.hint = hint


class Frame(StrEnum):
    """Which dimensions a value has: ANY none at all, FULL those of the tensors that are reduced (reduced ones may be 1),
    DROPPED those without the reduced ones, MAYBE one or the other, by a param."""

    ANY = "any"
    FULL = "full"
    DROPPED = "dropped"
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True)
class Axes:
    """The reduced dimensions. `bits`: C++ of their set, bit k being k places before the last dimension. `frames`: of every
    node. `keep`: the bool param that says whether a MAYBE value keeps them."""

    bits: str
    frames: tuple[Frame, ...]
    keep: str


def axes_of(op: Op, graph: Graph) -> Axes:
    """What the reductions of a graph have in common; raises Refused when that is not enough."""
    ranks = ranks_of(op, graph)
    found: dict[str, int] = {}
    keeps: set[str] = set()
    for index in graph.reductions:
        node = graph[index]
        bits = bits_of(op, node, ranks[node.args[0]])
        if bits:
            found.setdefault(bits, index)
        if isinstance(node.keepdims, str):
            keeps.add(node.keepdims)
    if len(found) > 1:
        where = graph[max(found.values())]
        hint = "make them two ops, or reduce the same dimensions with keepdims=True"
        raise Refused("reductions over different dimensions in one op", where, hint)
    if len(keeps) > 1:
        raise Refused("reductions with different params for keepdims", graph[graph.reductions[-1]])
    for index in graph.reductions:
        if graph[index].op in SCAN and not _is_whole(op, graph, graph[index].args[0]):
            hint = "add what is broadcast in an op of its own"
            raise Refused("a running sum of what is broadcast", graph[index], hint)
    return Axes(next(iter(found), "0"), _frames(graph, ranks), next(iter(keeps), ""))


def _is_whole(op: Op, graph: Graph, index: int) -> bool:
    """Whether a value has all dimensions of the loop: its tensors, but for reductions of them, have one shape."""
    names: set[str] = set()
    todo = [index]
    while todo:
        node = graph[todo.pop()]
        if node.op in ("input", "param") and not node.uniform:
            names.add(node.name)
        todo += () if node.op in REDUCE else node.args
    shapes = [of_tensor(tensor, op).dims for tensor in op.inputs if tensor.name in names]
    return len(shapes) == len(names) and (len(shapes) == 1 or (None not in shapes and len(set(shapes)) == 1))


_Range = tuple[int, int]


def ranks_of(op: Op, graph: Graph) -> list[_Range]:
    """Least and greatest rank of every node."""
    tensors = {tensor.name: (tensor.ranks.low, tensor.ranks.high) for tensor in op.inputs}
    for param in op.params:
        extent = of_param(param, op)
        tensors[param.name] = (extent.low, extent.high)
    found: list[_Range] = []
    for node in graph.nodes:
        if node.op in ("input", "param"):
            found.append(tensors[node.name])
        elif node.op in REDUCE:
            found.append(_reduced(node, found[node.args[0]]))
        else:
            found.append(
                (max([found[a][0] for a in node.args], default=0), max([found[a][1] for a in node.args], default=0))
            )
    return found


def _reduced(node: Node, rank: _Range) -> _Range:
    if node.keepdims is True:
        return rank
    if node.keepdims is False and node.axes is None:
        return 0, 0
    if node.keepdims is False and isinstance(node.axes, tuple):
        return max(rank[0] - len(node.axes), 0), max(rank[1] - len(node.axes), 0)
    return 0, rank[1]


def bits_of(op: Op, node: Node, rank: _Range) -> str:
    """C++ of the set of dimensions that one reduction takes; empty when its operand has none."""
    low, high = rank
    if high == 0:
        return ""
    if node.axes is None:
        return _literal(range(low)) if low == high else "opkg::kAllAxes"
    if isinstance(node.axes, str):
        return _from_param(op, node, next(p for p in op.params if p.name == node.axes), rank)
    if low != high and any(axis >= 0 for axis in node.axes):
        hint = "count axes from the end (axis=-1), or give the tensor one rank"
        raise Refused(FROM_FRONT, node, hint)
    places = [-1 - axis if axis < 0 else low - 1 - axis for axis in node.axes]
    if min(places) < 0:
        raise Refused(
            "reductions of what has more dimensions than its inputs", node, "give what moves elements an op of its own"
        )
    return _literal(places)


def _literal(places: range | list[int]) -> str:
    return f"0x{sum(1 << place for place in places):x}"


def _from_param(op: Op, node: Node, param: ParamSpec, rank: _Range) -> str:
    fixed = _pinned(op, param)
    from_end = _from_end(op, fixed, rank) if fixed is not None and param.shape is None else None
    if from_end is not None:
        return _literal([from_end])
    function = "axis_bit" if param.shape is None else "axes_bits"
    value = f"op.{param.name}" if param.shape is not None else f"static_cast<int64_t>(op.{param.name})"
    if rank[0] == rank[1]:
        return f"opkg::{function}({value}, {rank[0]})"
    owners = [(t.ranks.low, t.ranks.high) for t in op.inputs if t.name == param.axis_of]
    if rank in owners and counts_from_end(op, param):
        return f"opkg::{function}({value}, op.{param.axis_of}.rank)"
    if fixed is not None and param.axis_of is not None and param.shape is None:
        return f"opkg::axis_bit(static_cast<int64_t>(op.{param.name}), op.{param.axis_of}.rank)"
    pin = f"constraints: [{param.name} == rank(x) - 1]"
    hint = f"give the tensor one rank, let a signed param number its dimensions (dtype: int32, axis_of: x), or pin it: {pin}"
    raise Refused(f"'{param.name}' numbers a dimension of a value whose rank varies: kernels see it padded", node, hint)


def _pinned(op: Op, param: ParamSpec) -> Tree | None:
    """What a constraint says that a param is equal to: a number, or one from the end of a rank."""
    tree = pinned(op, param)
    if tree is None or _number(tree) is not None:
        return tree
    return tree if isinstance(tree, Binary) and _rank_of(tree.left) else None


def _from_end(op: Op, tree: Tree, rank: _Range) -> int | None:
    """`rank(x) - 1` and -1 are the last dimension, place 0."""
    number = _number(tree)
    if number is not None:
        return -1 - number if number < 0 else rank[0] - 1 - number if rank[0] == rank[1] else None
    if isinstance(tree, Binary) and tree.op == "-":
        back, name = _number(tree.right), _rank_of(tree.left)
        of = next((t for t in op.inputs if t.name == name), None)
        if back is not None and back >= 1 and of is not None and (of.ranks.low, of.ranks.high) == rank:
            return back - 1
    return None


def _number(tree: Tree) -> int | None:
    if isinstance(tree, Num) and isinstance(tree.value, int):
        return tree.value
    if isinstance(tree, Unary) and tree.op == "-" and isinstance(tree.operand, Num):
        return -int(tree.operand.value)
    return None


def _rank_of(tree: Tree) -> str:
    """x of `rank(x)`; empty for anything else."""
    if isinstance(tree, Call) and tree.function == "rank" and isinstance(tree.args[0], Name):
        return tree.args[0].id
    return ""


class _Cell:
    """The frame of nodes that must have the same one; None: not known yet."""

    def __init__(self, frame: Frame | None) -> None:
        self.frame = frame
        self.same: _Cell | None = None

    def root(self) -> _Cell:
        cell = self
        while cell.same is not None:
            cell = cell.same
        return cell


def _frames(graph: Graph, ranks: list[_Range]) -> tuple[Frame, ...]:
    cells: list[_Cell] = []
    for index, node in enumerate(graph.nodes):
        if node.op in REDUCE or node.op in SCAN:
            _demand(cells[node.args[0]], _Cell(Frame.FULL), node)
        if ranks[index][1] == 0:
            cells.append(_Cell(Frame.ANY))
        elif node.op in REDUCE:
            cells.append(_Cell(_after(node, ranks[node.args[0]])))
        else:
            cell = _Cell(None)
            for arg in node.args:
                if cells[arg].root().frame is not Frame.ANY:
                    _demand(cells[arg], cell, node)
            cells.append(cell)
    return tuple([cell.root().frame or Frame.FULL for cell in cells])


def _demand(cell: _Cell, other: _Cell, node: Node) -> None:
    a, b = cell.root(), other.root()
    if a is b or Frame.ANY in (a.frame, b.frame):
        return
    if a.frame is not None and b.frame is not None and a.frame is not b.frame:
        hint = "keep the reduced dimensions: keepdims=True"
        raise Refused("values with and without the reduced dimensions meet", node, hint)
    a.frame = a.frame or b.frame
    b.same = a


def _after(node: Node, rank: _Range) -> Frame:
    """The frame of a reduction's value. Without the first dimensions it is aligned as it was."""
    if isinstance(node.keepdims, str):
        return Frame.MAYBE
    if node.keepdims:
        return Frame.FULL
    fixed = isinstance(node.axes, tuple) and rank[0] == rank[1]
    first = fixed and {axis % rank[0] for axis in node.axes or ()} == set(range(len(node.axes or ())))
    return Frame.FULL if first else Frame.DROPPED
