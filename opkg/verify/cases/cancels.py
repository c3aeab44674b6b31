"""Whether results of a computation may be nothing but what is left of numbers that cancel: the rounding errors of these."""

from __future__ import annotations

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compute,
    Function,
    Node,
    Reduce,
    Reduction,
    children,
)

_SUMS = frozenset((BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MOD, Reduction.SUM, Reduction.MEAN, Reduction.CUMSUM))
# Results of these are not small because what they are taken of is.
_STEEP = frozenset((Function.EXP, Function.SIGMOID, Function.SOFTPLUS))


def cancels(compute: Compute, output: str) -> bool:
    """Whether an output is made of sums, but for those that exponentials and the like are taken of."""
    named = {statement.name: statement.expr for statement in compute.statements}

    def found(node: Node) -> bool:
        match node:
            case Assigned(name):
                return found(named[name])
            case Binary(op) | Reduce(op) if op in _SUMS:
                return True
            case Call(Function.GELU):  # 1 + erf
                return True
            case Call(function) if function in _STEEP:
                return False
        return any(map(found, children(node)))

    return found(named[output])
