"""What gradients ask of the text of a computation: a choice gives none to the branch that is not chosen, whatever its slope is
there, and what cancels in them is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from opkg.spec.compute.tree import (
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Compute,
    Const,
    Function,
    Move,
    Node,
    Reduce,
    Reduction,
    Select,
    Unary,
    asks_presence,
    children,
)
from opkg.spec.compute.walk import walk
from opkg.spec.model import Op
from opkg.targets.executorch_builder.torch_formulas import Names, has_tensors, peak

# Slopes that are infinite somewhere, or beyond float32.
_STEEP = frozenset((Function.EXP, Function.LOG, Function.LOG1P, Function.SQRT, Function.RSQRT, Function.ASIN))
_QUOTIENTS = (BinaryOp.DIV, BinaryOp.MOD, BinaryOp.FLOOR_DIV)


def is_steep(node: Node) -> bool:
    """Whether a branch of a choice is made element by element with a slope that may be infinite, or no number."""
    nodes = list(walk([node]))
    return not any(isinstance(each, Reduce | Move) for each in nodes) and any(map(_is_steep, nodes))


def _is_steep(node: Node) -> bool:
    match node:
        case Call(function, (operand,)):
            return function in _STEEP and has_tensors(operand)
        case Binary(op, _, right) if op in _QUOTIENTS:
            return has_tensors(right)
        case Binary(BinaryOp.MUL, left, right):  # of three tensors or more
            return has_tensors(left) and has_tensors(right) and (_grows(left) or _grows(right))
        case Binary(BinaryOp.POW, left, right):
            return not isinstance(right, Const) or not 1 <= right.value <= (1 if _grows(left) else 2)
        case _:
            return False


def _grows(node: Node) -> bool:
    """Whether a value may be beyond float32 where no input is near that: a product of tensors, or a power, is in it."""
    return any(
        isinstance(each, Binary)
        and (
            each.op is BinaryOp.POW or (each.op is BinaryOp.MUL and has_tensors(each.left) and has_tensors(each.right))
        )
        for each in walk([node])
    )


def with_branches(op: Op) -> Op:
    """The op with what steep branches of choices take by a name that nothing else takes, and by names of that, as a part of
    them."""
    if op.compute is None:
        return op
    uses = Counter(n.name for n in walk(s.expr for s in op.compute.statements) if isinstance(n, Assigned))
    outputs = {tensor.name for tensor in op.outputs}
    kept = outputs | {name for name, count in uses.items() if count > 1}
    known: dict[str, Node] = {}
    statements: list[Assign] = []
    for statement in op.compute.statements:
        statements.append(replace(statement, expr=_joined(statement.expr, known, False)))
        if statement.name not in kept and not asks_presence(statement.expr):
            whole = _joined(statement.expr, known, True)
            if is_steep(whole) or _grows(whole):
                known[statement.name] = whole
    taken, left = outputs, list[Assign]()
    for statement in reversed(statements):
        if statement.name in taken or statement.name not in known:
            left.insert(0, statement)
            taken |= {n.name for n in walk([statement.expr]) if isinstance(n, Assigned)}
    return replace(op, compute=replace(op.compute, statements=tuple(left)))


def _branch(node: Node, known: Names, in_branch: bool) -> Node:
    """A branch of a choice."""
    whole = _joined(node, known, True)
    return whole if in_branch or is_steep(whole) else _joined(node, known, False)


def _joined(node: Node, known: Names, in_branch: bool) -> Node:
    """A node with names in steep branches as what they stand for; `in_branch`: the node is in one."""
    match node:
        case Assigned() if in_branch and node.name in known:
            return known[node.name]
        case Select() if not asks_presence(node.test):
            then, other = (_branch(each, known, in_branch) for each in (node.then, node.other))
            return replace(node, test=_joined(node.test, known, False), then=then, other=other)
        case Select():
            then, other = (_joined(each, known, in_branch) for each in (node.then, node.other))
            return replace(node, then=then, other=other)
        case Unary() | Cast():
            return replace(node, operand=_joined(node.operand, known, in_branch))
        case Binary() | Compare():
            left, right = (_joined(each, known, in_branch) for each in (node.left, node.right))
            return replace(node, left=left, right=right)
        case Call():
            return replace(node, args=tuple(_joined(each, known, in_branch) for each in node.args))
        case _:
            return node


def shifts(compute: Compute) -> frozenset[int]:
    """Reductions, by identity, on whose value no result hangs: the maximum that softmax and its logarithm take from x."""
    found = _Shifts(compute)
    return frozenset(each for node in walk(s.expr for s in compute.statements) for each in found.of(node))


class _Shifts:
    """Follows names, and counts how often each was met: something else may take them."""

    def __init__(self, compute: Compute) -> None:
        self._names = {statement.name: statement.expr for statement in compute.statements}
        self._uses = Counter(n.name for n in walk(s.expr for s in compute.statements) if isinstance(n, Assigned))
        self._met: Counter[str] = Counter()

    def of(self, node: Node) -> list[int]:
        """The maxima of `exp(d) / sum(exp(d))` and of `d - log(sum(exp(d)))`, with `d = x - max(x)`."""
        self._met = Counter()
        match node:
            case Binary(BinaryOp.DIV, left, right):
                total = self._sum(right)
                exponentials = self._alike([left, total.operand]) if total is not None else []
                shifted = [arg for each in exponentials for arg in self._exponent(each)]
                if len(exponentials) == 1 and len(shifted) == 1:
                    shifted = [self._seen(shifted[0])]
                else:
                    shifted = self._alike(shifted)
            case Binary(BinaryOp.SUB, left, right):
                logarithm = self._seen(right)
                is_log = isinstance(logarithm, Call) and logarithm.function is Function.LOG
                total = self._sum(children(logarithm)[0]) if is_log else None
                inner = self._exponent(self._seen(total.operand)) if total is not None else []
                shifted = self._alike([left, *inner]) if inner else []
            case _:
                return []
        found = [self._maximum(each, total) for each in shifted] if total is not None else []
        alone = all(self._uses[name] == count for name, count in self._met.items())
        return [each for each in found if each is not None] if alone else []

    def _seen(self, node: Node) -> Node:
        """What a name stands for; it was met once more."""
        while isinstance(node, Assigned):
            self._met[node.name] += 1
            node = self._names[node.name]
        return node

    def _alike(self, nodes: list[Node]) -> list[Node]:
        """What nodes stand for that are one name, or the same text; nothing of others."""
        if not nodes or any(node != nodes[0] for node in nodes):
            return []
        if not isinstance(nodes[0], Assigned):
            return nodes
        self._met[nodes[0].name] += len(nodes) - 1
        return [self._seen(nodes[0])]

    def _sum(self, node: Node) -> Reduce | None:
        found = self._seen(node)
        is_sum = isinstance(found, Reduce) and found.op is Reduction.SUM and found.keepdims is True
        return found if isinstance(found, Reduce) and is_sum else None

    def _exponent(self, node: Node) -> list[Node]:
        return list(node.args) if isinstance(node, Call) and node.function is Function.EXP else []

    def _maximum(self, node: Node, total: Reduce) -> int | None:
        """The maximum in `x - max(x)`, over the dimensions of the sum."""
        if not peak(node, self._names)[0] or not isinstance(node, Binary):
            return None
        found = self._seen(node.right)
        return id(found) if isinstance(found, Reduce) and found.axes == total.axes else None
