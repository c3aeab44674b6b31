"""Formulas of a `compute:` that float32 has a better function for: softplus without overflow, SiLU in one step, gates, odds,
logarithms, roots."""

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
    Const,
    Function,
    Input,
    Move,
    Node,
    Param,
    Reduce,
    Select,
    Unary,
    children,
)
from opkg.spec.model import Op
from opkg.targets.executorch_builder.torch_formulas import deviation, log_sum, seen
from opkg.targets.executorch_builder.torch_gates import formula
from opkg.targets.executorch_builder.torch_logs import logarithm, power
from opkg.targets.executorch_builder.torch_odds import odds_of
from opkg.targets.executorch_builder.torch_single import Wide


def formed(op: Op) -> Op:
    """The op with `log(1 + exp(z))` and `log1p(exp(z))` as softplus(z), `x * sigmoid(x)` as silu(x), and what `torch_gates` has.

    Names that nothing else takes may stand for parts; their statements go.
    """
    if op.compute is None:
        return op
    outputs = {tensor.name for tensor in op.outputs}
    uses = Counter(each for statement in op.compute.statements for each in _names(statement.expr))
    known: dict[str, Node] = {}
    gates: dict[str, Node] = {}
    statements: list[Assign] = []
    for statement in op.compute.statements:
        expression = _formed(statement.expr, known, gates)
        statements.append(replace(statement, expr=expression))
        match expression:
            case Call(Function.SIGMOID | Function.TANH, (Input() | Assigned(),)):
                gates[statement.name] = expression
            case Call(Function.CLIP, (_, Const(), Const())):
                gates[statement.name] = expression
        if uses[statement.name] == 1 and statement.name not in outputs:
            known[statement.name] = expression
    left = {each for statement in statements for each in _names(statement.expr)} | outputs
    while any(statement.name not in left for statement in statements):
        statements = [statement for statement in statements if statement.name in left]
        left = {each for statement in statements for each in _names(statement.expr)} | outputs
    return replace(op, compute=replace(op.compute, statements=tuple(statements)))


def has_softplus(op: Op, wide: Wide) -> bool:
    """Whether softplus is among the float64 steps, where it takes more than its formula."""
    assert op.compute is not None
    stack = [(each.expr, each.name in wide.names) for each in op.compute.statements]
    while stack:
        node, is_wide = stack.pop()
        is_wide = is_wide or id(node) in wide.nodes
        if is_wide and isinstance(node, Call) and node.function is Function.SOFTPLUS:
            return True
        stack += [(child, is_wide) for child in children(node)]
    return False


def _names(node: Node) -> list[str]:
    own = [node.name] if isinstance(node, Assigned) else []
    return own + [name for child in children(node) for name in _names(child)]


def _formed(node: Node, known: dict[str, Node], gates: dict[str, Node]) -> Node:
    """The same with what is below it, then itself."""
    match node:
        case Unary() | Cast() | Reduce():
            node = replace(node, operand=_formed(node.operand, known, gates))
        case Binary() | Compare():
            node = replace(node, left=_formed(node.left, known, gates), right=_formed(node.right, known, gates))
        case Select():
            node = replace(
                node,
                test=_formed(node.test, known, gates),
                then=_formed(node.then, known, gates),
                other=_formed(node.other, known, gates),
            )
        case Call() | Move():
            node = replace(node, args=tuple(_formed(arg, known, gates) for arg in node.args))
        case _:
            return node
    node = _opposite(_folded(node), gates)
    return (
        _softplus(node, known)
        or _silu(node)
        or _joined(node, known)
        or _norm(node, known)
        or odds_of(node, gates | known)
        or logarithm(node, known)
        or power(node)
        or formula(node)
        or node
    )


def _folded(node: Node) -> Node:
    """A sum or product of two numbers as one."""
    match node:
        case Binary(BinaryOp.ADD | BinaryOp.SUB | BinaryOp.MUL, Const(a), Const(b)) if isinstance(
            a, float
        ) or isinstance(b, float):
            value = a + b if node.op is BinaryOp.ADD else a - b if node.op is BinaryOp.SUB else a * b
            return Const(value, span=node.span)
        case _:
            return node


def _opposite(node: Node, gates: dict[str, Node]) -> Node:
    """1 - g and 1 - g * g without the name, where that is a sigmoid or tanh: others are left of it, in which nothing cancels."""
    match node:
        case Binary(BinaryOp.SUB, Const(1), Assigned() as gate):
            stood = seen(gate, gates)
            return replace(node, right=stood) if _is_of(stood, Function.SIGMOID, Function.TANH) else node
        case Binary(BinaryOp.SUB, Const(1), Binary(BinaryOp.MUL | BinaryOp.POW, Assigned() as gate, other) as square):
            stood = seen(gate, gates)
            if not _is_of(stood, Function.TANH) or (square.op is BinaryOp.MUL and other != gate):
                return node
            return replace(node, right=replace(square, left=stood, right=seen(other, gates)))
        case _:
            return node


def _is_of(node: Node, *functions: Function) -> bool:
    return isinstance(node, Call) and node.function in functions


def _softplus(node: Node, known: dict[str, Node]) -> Node | None:
    match node:
        case Call(Function.LOG, (inner,)):
            match seen(inner, known):
                case Binary(BinaryOp.ADD, Const(1), other) | Binary(BinaryOp.ADD, other, Const(1)):
                    grown = seen(other, known)
                case _:
                    return None
        case Call(Function.LOG1P, (inner,)):
            grown = seen(inner, known)
        case _:
            return None
    match grown:
        case Call(Function.EXP, args):
            return Call(Function.SOFTPLUS, args, span=node.span)
        case _:
            return None


def _joined(node: Node, known: dict[str, Node]) -> Node | None:
    """`x - mean(x)` and `log(sum(x))` without a name between."""
    match node:
        case Binary(BinaryOp.SUB, left, Assigned() as right):
            whole = replace(node, right=seen(right, known))
            return whole if deviation(whole) is not None and left == whole.left else None
        case Call(Function.LOG, (Assigned() as inner,)):
            logarithm = replace(node, args=(seen(inner, known),))
            return logarithm if log_sum(logarithm) is not None else None
        case _:
            return None


def _norm(node: Node, known: dict[str, Node]) -> Node | None:
    """x / sqrt(total) as a product with rsqrt: of a sum or a mean over dimensions, and of a number with it, are few values,
    and a product takes half of a quotient."""
    match node:
        case Binary(BinaryOp.DIV, left, right):
            root = seen(right, known)
        case _:
            return None
    match root:
        case Call(Function.SQRT, (total,)) if _is_total(total, known):
            inverse = replace(root, function=Function.RSQRT)
            return Binary(BinaryOp.MUL, left, inverse, span=node.span)
        case _:
            return None


def _is_total(node: Node, known: dict[str, Node]) -> bool:
    match seen(node, known):
        case Binary(BinaryOp.ADD, left, right) | Call(Function.MAX, (left, right)):
            parts = seen(left, known), seen(right, known)
            return any(isinstance(part, Reduce) for part in parts) and any(
                isinstance(part, Const | Param) for part in parts
            )
        case total:
            return isinstance(total, Reduce)


def _silu(node: Node) -> Node | None:
    """Of an input: of what is rounded, the product is proved to be better."""
    match node:
        case Binary(BinaryOp.MUL, left, Call(Function.SIGMOID, (operand,))) if left == operand:
            pass
        case Binary(BinaryOp.MUL, Call(Function.SIGMOID, (operand,)), right) if right == operand:
            pass
        case _:
            return None
    return Call(Function.SILU, (operand,), span=node.span) if isinstance(operand, Input) else None
