"""From a checked `compute:` tree to the graph of one combination of element types and one set of given inputs.

Every operation works in the type of its node: operands of another type are converted first (integers to float64 for a
real node; for a comparison, to real when one of its operands is). Integers are int64 and wrap; `//` and `%` round down.
"""

from __future__ import annotations

from functools import reduce

from opkg.kernels.graphs.composed import COMPOSED, composed
from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Const,
    Function,
    Input,
    Move,
    Movement,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    asks_presence,
)
from opkg.spec.compute.tree import Node as Tree
from opkg.spec.compute.types import Type, Types, cast_type, value_type
from opkg.spec.diagnostics import Span
from opkg.spec.model import Combination, Op

_BINARY: dict[BinaryOp, str] = {
    BinaryOp.ADD: "add", BinaryOp.SUB: "sub", BinaryOp.MUL: "mul", BinaryOp.DIV: "div",
    BinaryOp.FLOOR_DIV: "floor_div", BinaryOp.MOD: "mod", BinaryOp.POW: "pow", BinaryOp.AND: "and", BinaryOp.OR: "or",
    BinaryOp.BIT_AND: "bit_and", BinaryOp.BIT_OR: "bit_or", BinaryOp.BIT_XOR: "bit_xor",
    BinaryOp.SHIFT_LEFT: "shift_left", BinaryOp.SHIFT_RIGHT: "shift_right",
}  # fmt: skip
_COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_ROUNDINGS = frozenset((Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC))


class AbsentInput(Exception):
    """The computation reads an optional input that is not there."""

    def __init__(self, name: str, span: Span) -> None:
        super().__init__(f"'{name}' is absent and read")
        self.name = name
        self.span = span


def build(op: Op, combination: Combination, present: frozenset[str]) -> Graph:
    """The graph of `op.compute`, operation by operation as it is written; temporaries that nothing needs are left out.

    `present`: the optional inputs that are given (those that are not optional always are). `present(x)` and what hangs on
    it alone is decided here. Raises AbsentInput where an absent input would be read; the op must have a `compute:`.
    """
    assert op.compute is not None, f"{op.name} has no compute"
    return _Builder(op, combination, present).graph()


class _Builder:
    def __init__(self, op: Op, combination: Combination, present: frozenset[str]) -> None:
        assert op.compute is not None
        self.compute = op.compute
        self.combination = combination
        self.outputs = [tensor.name for tensor in op.outputs]
        self.types = Types(op.compute, op, combination)
        self.inputs = {t.name: value_type(t.dtype.of(combination)) for t in op.inputs}
        self.params = {p.name: p for p in op.params}
        self.given = {t.name for t in op.inputs if not t.optional or t.name in present}
        self.given |= {p.name for p in op.params}
        self.assigned: dict[str, int] = {}
        self.nodes = Nodes(share=False)

    def graph(self) -> Graph:
        for statement in self.compute.statements:
            at = self.of(statement.expr)
            self.nodes.name(at, statement.name)
            self.assigned[statement.name] = at
        return self.nodes.graph([Result(name, self.assigned[name]) for name in self.outputs])

    def of(self, tree: Tree) -> int:
        """The node of a tree."""
        match tree:
            case Const() | Input() | Param() | Assigned() | Present():
                return self._leaf(tree)
            case Unary(op=UnaryOp.INVERT):
                return self._op("bit_xor", Type.INTEGER, self.of(tree.operand), self._const(-1))
            case Unary():
                return self._op("not" if tree.op is UnaryOp.NOT else "neg", self.types[tree], self.of(tree.operand))
            case Binary():
                return self._binary(tree)
            case Compare():
                return self._op(_COMPARE[tree.op], Type.BOOL, self.of(tree.left), self.of(tree.right))
            case Select():
                return self._select(tree)
            case Call():
                return self._call(tree)
            case Cast():
                at = self.of(tree.operand)
                return self._add(Node("cast", (at,), self.types[tree], dtype=cast_type(tree, self.combination).name))
            case Move():
                args = tuple([at for arg in tree.args for at in self._side_by_side(tree, self.of(arg))])
                return self.nodes.add(Node(f"move_{tree.op}", args, self.types[tree], axes=tree.axes, parts=tree.parts))
            case Reduce():
                at, type_ = self.of(tree.operand), self.types[tree]
                op = "scan_sum" if tree.op is Reduction.CUMSUM else f"reduce_{tree.op}"
                return self._add(Node(op, (at,), type_, axes=tree.axes, keepdims=tree.keepdims))

    def _leaf(self, tree: Const | Input | Param | Assigned | Present) -> int:
        match tree:
            case Const():
                return self._const(tree.value)
            case Input():
                if tree.name not in self.given:
                    raise AbsentInput(tree.name, tree.span)
                return self.nodes.add(Node("input", (), self.inputs[tree.name], tree.name))
            case Param():
                param = self.params[tree.name]
                type_ = value_type(param.dtype)
                return self.nodes.add(Node("param", (), type_, tree.name, uniform=param.shape is None))
            case Assigned():
                return self.assigned[tree.name]
            case Present():
                return self._const(tree.name in self.given)

    def _const(self, value: bool | int | float) -> int:
        type_ = Type.BOOL if isinstance(value, bool) else Type.INTEGER if isinstance(value, int) else Type.REAL
        return self.nodes.add(Node("const", (), type_, value=value, uniform=True))

    def _op(self, op: str, type_: Type, *args: int) -> int:
        return self._add(Node(op, args, type_))

    def _add(self, node: Node) -> int:
        uniform = self.nodes.uniform(node.args) and node.axes is None
        return self.nodes.add(
            Node(node.op, node.args, node.type, dtype=node.dtype, axes=node.axes, keepdims=node.keepdims,
                 uniform=uniform)
        )  # fmt: skip

    def _binary(self, tree: Binary) -> int:
        left = self.of(tree.left)
        if tree.op in (BinaryOp.AND, BinaryOp.OR):
            known = self._known(left) if asks_presence(tree.left) else None
            if known is (tree.op is BinaryOp.OR):  # decides alone: what is on the right may be absent
                return left
            right = self.of(tree.right)
            if known is not None:
                return right
            if asks_presence(tree.right) and self._known(right) is not None and self.nodes.list[left].uniform:
                return right if self._known(right) is (tree.op is BinaryOp.OR) else left
            return self._op(_BINARY[tree.op], Type.BOOL, left, right)
        return self._op(_BINARY[tree.op], self.types[tree], left, self.of(tree.right))

    def _select(self, tree: Select) -> int:
        test = self.of(tree.test)
        known = self._known(test) if asks_presence(tree.test) else None
        if known is not None:
            return self.of(tree.then if known else tree.other)
        return self._op("select", self.types[tree], test, self.of(tree.then), self.of(tree.other))

    def _known(self, at: int) -> bool | None:
        """The value of a bool that hangs on presence and constants alone."""
        node = self.nodes.list[at]
        match node.op:
            case "const":
                return bool(node.value)
            case "not":
                known = self._known(node.args[0])
                return None if known is None else not known
            case "eq" | "ne":
                left, right = map(self._known, node.args)
                return None if left is None or right is None else (left is right) is (node.op == "eq")
            case "and" | "or":
                known_args = [self._known(arg) for arg in node.args]
                return None if None in known_args else (all if node.op == "and" else any)(map(bool, known_args))
        return None

    def _call(self, tree: Call) -> int:
        args = [self.of(arg) for arg in tree.args]
        match tree.function:
            case Function.MIN | Function.MAX:
                op = tree.function.value
                return reduce(lambda left, right: self._op(op, self._joined(left, right), left, right), args)
            case Function.CLIP:
                x, low, high = args
                raised = self._op("max", self._joined(x, low), x, low)
                return self._op("min", self._joined(raised, high), raised, high)
            case function if function in _ROUNDINGS and self.nodes.list[args[0]].type is Type.INTEGER:
                return args[0]
            case function if function in COMPOSED:
                return composed(function, self._real, self._const, args[0])
        return self._op(tree.function.value, self.types[tree], *args)

    def _side_by_side(self, tree: Move, at: int) -> tuple[int, ...]:
        """An operand of a movement; of `concat` along the same dimension, what that joins."""
        node = self.nodes.list[at]
        joins = tree.op is Movement.CONCAT and node.op == "move_concat"
        return node.args if joins and (node.axes, node.type) == (tree.axes, self.types[tree]) else (at,)

    def _real(self, op: str, *args: int) -> int:
        return self._op(op, Type.REAL, *args)

    def _joined(self, left: int, right: int) -> Type:
        both = (self.nodes.list[left].type, self.nodes.list[right].type)
        return Type.REAL if Type.REAL in both else Type.INTEGER
