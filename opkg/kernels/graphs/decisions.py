"""What jumps where a real number passes some value: comparisons, signs, roundings to whole numbers, casts, `//` and `%`.

They are decided as for the exact numbers, those of written constants, too: trunc(0.3 * 10) is 2, as 0.3 is less than three
tenths, though the product of the doubles is 3.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction

from opkg.kernels.graphs.graph import COMPARE, Graph, Node
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

ROUNDINGS = frozenset(("floor", "ceil", "round", "trunc"))
DECIDE = ROUNDINGS | COMPARE | {"sign", "floor_div", "mod", "cast"}
_MOST_BITS = 4096  # of fractions; numbers of more are doubles
_RATIONAL: dict[str, Callable[..., Fraction]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "neg": operator.neg,
    "abs": abs, "min": min, "max": max,
}  # fmt: skip


def decides(graph: Graph, node: Node) -> bool:
    """Whether a node jumps where a real operand passes some value."""
    if node.op == "cast" and DTYPES[node.dtype].kind is Kind.FLOAT:
        return False
    return node.op in DECIDE and any(graph[arg].type is Type.REAL for arg in node.args)


def decided_on(graph: Graph) -> frozenset[int]:
    """The real numbers that decisions hang on exactly, not by way of a function or of a sum over dimensions."""
    found: set[int] = set()
    for at in range(len(graph.nodes) - 1, -1, -1):
        node = graph[at]
        exact = (
            node.op in _RATIONAL or node.op == "select" or (node.op == "pow" and graph[node.args[1]].value in (2, 3, 4))
        )
        if decides(graph, node) or (at in found and exact):
            found.update(arg for arg in node.args if graph[arg].type is Type.REAL)
    return frozenset(found)


def exactly(node: Node, args: Sequence[Fraction]) -> Fraction | None:
    """The real number that an operation makes of exact ones; None where it is something else or too long."""
    function = _RATIONAL.get(node.op)
    if function is None or node.type is not Type.REAL or (node.op == "div" and not args[1]):
        return None
    found = function(*args)
    return found if max(abs(found.numerator), found.denominator).bit_length() <= _MOST_BITS else None


def is_double(number: Fraction) -> bool:
    """Whether a double holds a number."""
    try:
        return Fraction(float(number)) == number
    except OverflowError:
        return False
