"""What single precision holds of a graph's real values, and which decisions on them it gets right.

A comparison, sign, rounding to a whole number or cast of a value that is rounded on the way would be a matter of chance. A
value is exact, or a sum or product of exact ones, whose rounding error is one more number (`PARTS`), such a one and an exact
number (`MORE`: what is left has the right sign), a quotient of exact ones (`QUOTIENT`), or one and a whole number (`SHIFTED`).
"""

from __future__ import annotations

from enum import Enum, auto
from struct import pack, unpack

from opkg.kernels.graphs.decisions import ROUNDINGS, decides
from opkg.kernels.graphs.graph import COMPARE, Graph, Node
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

KEEP = ROUNDINGS | {"neg", "abs", "min", "max", "select", "sign"}  # held if the real operands are
_LEAST = 1e-20  # what a float has of a product beside such a number has the right sign
_MOST = 1 << 22  # whole numbers up to here, and sums of two, are exact


class Held(Enum):
    """How single precision holds a value. `WHOLE`: a sum of whole numbers, right between -2^22 and 2^22 and beyond these
    where it is; `FROM`, `UP_TO`: no more than 2^22 below or above 0."""

    NOT = auto()
    EXACT = auto()
    PARTS = auto()
    MORE = auto()
    QUOTIENT = auto()
    SHIFTED = auto()
    WHOLE = auto()
    FROM = auto()
    UP_TO = auto()


PAIRS = frozenset((Held.PARTS, Held.MORE))
ROUNDED = PAIRS | {Held.QUOTIENT, Held.SHIFTED}
_WHOLES = frozenset((Held.WHOLE, Held.FROM, Held.UP_TO))


def decides_in_single(snippet: Snippet, exactly: bool = False) -> bool:
    """Whether anything hangs on a comparison, sign, rounding to a whole number or cast of real values that single
    precision rounds. `exactly`: opkg/hvx_exactly.h decides on sums, products and quotients."""
    return any(not settled for settled in decisions(snippet, exactly).values())


def decisions(snippet: Snippet, exactly: bool) -> dict[int, bool]:
    """Every decision on real values, and whether it is right."""
    graph, found = snippet.graph, held(snippet)
    settled = {}
    for index, node in enumerate(graph.nodes):
        if decides(graph, node):
            right = _settled(graph, node, found)
            settled[index] = right or (exactly and at_exactly(graph, node, found))
    return settled


def held(snippet: Snippet) -> list[Held]:
    """How single precision holds each value."""
    found: list[Held] = []
    for node in snippet.graph.nodes:
        found.append(_held(snippet, node, found))
    return found


def _settled(graph: Graph, node: Node, found: list[Held]) -> bool:
    """Whether a decision is on exact numbers, or on the sign of an input."""
    signs = node.op == "sign" or any(_is_zero(graph[arg]) for arg in node.args)
    numbers = [arg for arg in node.args if graph[arg].type is not Type.BOOL]  # an integer becomes a float
    return all(found[arg] is Held.EXACT or (signs and graph[arg].op == "input") for arg in numbers)


def at_exactly(graph: Graph, node: Node, found: list[Held]) -> bool:
    """Whether a decision on rounded numbers is one of opkg/hvx_exactly.h."""
    kinds = [found[arg] for arg in node.args if graph[arg].type is not Type.BOOL]
    if node.op in COMPARE:
        right = len(kinds) == 2 and Held.EXACT in kinds and any(kind in PAIRS for kind in kinds)
        return right and not _may_vanish(graph, node, found)
    if node.op == "cast":
        row = DTYPES[node.dtype]
        return (
            row.kind is not Kind.BOOL and row.bits <= 16 and kinds[0] in (_WHOLES | ROUNDED) - {Held.SHIFTED}
        )  # wider ones are rounded
    if node.op in ("mod", "floor_div"):
        one = node.op == "mod" and graph[node.args[1]].value == 1
        long = kinds[0] is Held.EXACT and is_long(graph[node.args[1]])
        return long or kinds == [Held.EXACT, Held.EXACT] or (one and kinds[0] is Held.PARTS)
    return node.op in ROUNDINGS and kinds[0] in ROUNDED and (kinds[0] is not Held.SHIFTED or node.op != "trunc")


def is_long(node: Node) -> bool:
    """Whether a constant has more bits than a float, and those of three floats."""
    value = node.value
    if node.op != "const" or not isinstance(value, float) or not 1e-6 <= abs(value) <= 1e6:
        return False
    return bool(value != unpack("f", pack("f", value))[0])


def _may_vanish(graph: Graph, node: Node, found: list[Held]) -> bool:
    """Whether a product and one number more is compared with what may be as small as the part of the product that a float
    does not hold: anything but constants."""
    others = [graph[arg] for arg in node.args if found[arg] is Held.EXACT]
    if all(other.op == "const" and (_is_zero(other) or abs(float(other.value or 0)) > _LEAST) for other in others):
        return False
    todo = [arg for arg in node.args if found[arg] is Held.MORE]
    while todo:
        inner = graph[todo.pop()]
        if inner.op == "mul":
            return True
        todo += [arg for arg in inner.args if found[arg] in PAIRS]
    return False


def _is_zero(node: Node) -> bool:
    return node.op == "const" and node.value == 0


def _held(snippet: Snippet, node: Node, found: list[Held]) -> Held:
    graph, op = snippet.graph, node.op
    if op in ("input", "param", "const"):
        return Held.EXACT if _exact(snippet, node) else Held.NOT
    if node.type is not Type.REAL:
        return Held.NOT
    args = [found[arg] for arg in node.args if graph[arg].type is not Type.BOOL]
    if op in KEEP and all(arg is Held.EXACT for arg in args):
        return Held.EXACT
    if (op in ROUNDINGS and args[0] in ROUNDED) or op == "floor_div":
        return Held.WHOLE
    if node.uniform:
        return Held.NOT
    if op in ("neg", "abs") and args[0] in PAIRS:
        return args[0]
    if op in ("min", "max"):
        return _limited(graph, node, args)
    if op in ("add", "sub") and all(_is_whole(graph, arg) for arg in node.args):
        return Held.WHOLE
    exact = all(arg is Held.EXACT for arg in args)
    if op in ("add", "sub", "mul") and exact:
        return Held.PARTS
    if op in ("add", "sub") and set(args) == {Held.EXACT, Held.PARTS}:
        return Held.MORE
    if op in ("add", "sub") and shift_of(graph, node, found) is not None:
        return Held.SHIFTED
    return Held.QUOTIENT if op == "div" and exact else Held.NOT


def shift_of(graph: Graph, node: Node, found: list[Held]) -> tuple[int, int] | None:
    """A quotient, and a number that is added to or taken from it and is whole: of float params `prepare` finds out."""
    pairs = [node.args, node.args[::-1]] if node.op == "add" else [node.args]
    for quotient, number in pairs:
        other = graph[number]
        whole = _is_whole(graph, number) if other.op == "const" else other.op == "param" and other.uniform
        element = other.op == "input" and other.type is Type.INTEGER and found[number] is Held.EXACT
        if found[quotient] is Held.QUOTIENT and (whole or element):
            return quotient, number
    return None


def float_shifts(graph: Graph, found: list[Held]) -> list[str]:
    """The float params that must be whole numbers."""
    shifted = [node for at, node in enumerate(graph.nodes) if found[at] is Held.SHIFTED]
    numbers = [graph[shift[1]] for node in shifted if (shift := shift_of(graph, node, found))]
    return sorted({node.name for node in numbers if node.op == "param" and node.type is Type.REAL})


def _limited(graph: Graph, node: Node, args: list[Held]) -> Held:
    """A sum of whole numbers within limits."""
    if not (_is_whole(graph, node.args[1]) and graph[node.args[1]].uniform):
        return Held.NOT
    if args[0] is Held.WHOLE:
        return Held.FROM if node.op == "max" else Held.UP_TO
    if (args[0], node.op) in ((Held.FROM, "min"), (Held.UP_TO, "max")):
        return Held.EXACT
    return args[0] if args[0] in (Held.FROM, Held.UP_TO) else Held.NOT


def _is_whole(graph: Graph, index: int) -> bool:
    """A whole number that is right up to 2^22: `prepare` looks at params."""
    node = graph[index]
    if node.op == "const":
        return node.value is not None and float(node.value) == int(node.value) and abs(int(node.value)) <= _MOST
    return node.op in ROUNDINGS or (node.op == "param" and node.uniform and node.type is Type.INTEGER)


def whole_params(graph: Graph) -> list[str]:
    """The int params that real values are made with: they must be 2^22 at most."""
    users = graph.users()
    whole = [
        at for at, node in enumerate(graph.nodes) if node.op == "param" and node.uniform and node.type is Type.INTEGER
    ]
    return sorted({graph[at].name for at in whole if any(graph[user].type is Type.REAL for user in users[at])})


def _exact(snippet: Snippet, node: Node) -> bool:
    """Whether a leaf is a number of float32."""
    value = node.value
    if node.op == "const":
        if not isinstance(value, int | float):
            return True
        return abs(value) < 1e38 and value == unpack("f", pack("f", value))[0]
    if node.op == "param" and node.uniform:
        return True
    operand = snippet.operand(node.name)
    return operand.is_float or (node.type is Type.INTEGER and operand.storage.bits <= 16)
