"""What a generated kernel on floats may give: its graph in intervals, every part off by as much as the strategies state.

The vector code computes in single precision (some kernels in half), numbers that a row or a call shares in double, those of
columns mostly in single precision, too. The portable code computes in double and rounds at the end. Both are within the
interval of an element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from opkg.kernels.graphs.graph import MOVES, REDUCE, Graph, Node
from opkg.kernels.in_single import is_long
from opkg.kernels.strategies.floating.errors import divides_exactly
from opkg.kernels.strategies.floating.ops import LOWERING
from opkg.kernels.strategies.floating.steps import ULPS
from opkg.spec.compute.tree import Move, Movement
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.verify.meaning import interval as iv
from opkg.verify.meaning.compute import CALLS
from opkg.verify.meaning.interval import Interval
from opkg.verify.meaning.moves import moved
from opkg.verify.meaning.numbers import Array

_EXACT_WHOLE = 2.0**53
_DOUBLE = 2.0**-44  # sums of doubles in another order, functions of another library
LANES, SUMMED = 32, 64  # partial sums of a vector, and numbers that each takes before they are joined in double
_RISING: dict[str, float] = {  # and the least operand
    "exp": -np.inf, "log": 0.0, "sqrt": 0.0, "rsqrt": 0.0, "erf": -np.inf, "tanh": -np.inf, "sigmoid": -np.inf,
    "atan": -np.inf, "asin": -1.0, "log1p": -1.0,
}  # fmt: skip
_SIGNED = frozenset(("log", "erf", "tanh", "atan", "asin", "log1p"))
_WAVES = frozenset(("sin", "cos"))
_PORTABLE = 1.0  # units in the last place of what is computed in double only
_EXACT: dict[str, Callable[..., Array]] = {
    "neg": np.negative, "floor": np.floor, "ceil": np.ceil, "round": np.rint, "trunc": np.trunc, "sign": np.sign,
}  # fmt: skip
_MONOTONE = {"add": np.add, "sub": np.subtract, "min": np.minimum, "max": np.maximum, "mul": np.multiply}
_FOLDS: dict[str, Callable[..., Array]] = {"reduce_max": np.max, "reduce_min": np.min}


class Unbounded(Exception):
    """Nothing is known of how exact a computation is."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a graph is evaluated with. `values`: inputs (real values) and params by name; `quantized`: the inputs whose values
    are products with a scale; `halves`: whether it is computed in half precision, `bytes`: whether halves are made of bytes
    (`opkg.kernels.strategies.floating.steps`). `cubics`: by how many ulp of half precision results are off
    (`opkg.kernels.strategies.cubics`); 0 of other kernels. `columns`: whether numbers that elements of a column share are made
    in single precision (`opkg.kernels.strategies.columns.float_numbers`), as numbers between passes are
    (`opkg.kernels.emit.passes`)."""

    values: Mapping[str, Array]
    quantized: frozenset[str] = frozenset()
    halves: bool = False
    bytes: bool = False
    exact: bool = False  # in double precision alone
    cubics: float = 0.0
    columns: bool = False


def of_graph(graph: Graph, given: Given) -> dict[str, Interval]:
    """The interval of every result that has one, not rounded to its element type. Raises Unbounded where none has."""
    with np.errstate(all="ignore"):
        nodes = _Bounds(graph, replace(given, exact=True) if given.cubics else given).all()
        results = {result.name: nodes[result.node] for result in graph.results}
        found = {name: each for name, each in results.items() if isinstance(each, Interval)}
        if not found:
            raise next(each for each in results.values() if isinstance(each, Unbounded))
        return {name: iv.widened_half(each, given.cubics) for name, each in found.items()} if given.cubics else found


def stored(a: Interval, dtype: DType) -> Interval:
    """What of it an output of a float type may hold."""
    with np.errstate(all="ignore"):
        slack = [np.where(np.isfinite(end), np.abs(end) * _DOUBLE, 0.0) for end in (a.low, a.high)]
        return iv.rounded(iv.moved(a, *slack), np.float16 if dtype.bits == 16 else np.float32)


class _Bounds:
    def __init__(self, graph: Graph, given: Given) -> None:
        self.graph, self.given = graph, given
        self.found: list[Interval | Unbounded] = []
        self.shared: list[bool] = []  # numbers that elements share
        self.double: list[bool] = []  # what is computed in double: most of these

    def all(self) -> list[Interval | Unbounded]:
        for at, node in enumerate(self.graph.nodes):
            leaf = node.op in ("input", "param") and not node.uniform
            alone = node.uniform or node.op == "const" or node.op in REDUCE
            self.shared.append(alone or (not leaf and all(self.shared[arg] for arg in node.args)))
            double = alone if self.given.columns else self.shared[at]
            self.double.append(self.given.exact or double)
            try:
                self.found.append(self._node(at, node))
            except Unbounded as why:  # what does not hang on it is bounded all the same
                self.found.append(why)
        return self.found

    def _found(self, arg: int) -> Interval:
        found = self.found[arg]
        if isinstance(found, Unbounded):
            raise found
        return found

    def _node(self, at: int, node: Node) -> Interval:
        if node.op == "const":
            return iv.point(np.asarray(node.value, np.float64))
        if node.op in ("input", "param"):
            return self._leaf(node)
        if node.op in REDUCE:
            return self._reduced(node)
        if node.op in MOVES:
            return self._moved(node)
        args = [self._operand(at, arg) for arg in node.args]
        if node.op == "cast":
            return _cast(args[0], DTYPES[node.dtype], self.graph[node.args[0]].type)
        if node.type is Type.BOOL:
            return _decision(node.op, args)
        if node.op == "select":
            return iv.either(*args)
        if node.type is Type.INTEGER:
            return _whole(node.op, args)
        return self._real(at, node, args)

    def _leaf(self, node: Node) -> Interval:
        value = np.asarray(self.given.values[node.name])
        if value.dtype.kind in "iu" and value.size and float(np.abs(value.astype(np.float64)).max()) >= _EXACT_WHOLE:
            raise Unbounded("whole numbers that doubles do not hold")
        found = iv.point(value.astype(np.float64))
        if node.name not in self.given.quantized:
            return found
        return iv.widened(found, ULPS) if self.given.bytes else iv.rounded(found)

    def _operand(self, at: int, arg: int) -> Interval:
        """An operand as a node takes it: rounded where it is no number of single precision."""
        found, node = self._found(arg), self.graph[at]
        if self.double[at] or self.graph[arg].type is Type.BOOL:
            return found
        real = node.type is Type.REAL or any(self.graph[each].type is Type.REAL for each in node.args)
        if self.double[arg] and self.given.halves:
            found = iv.rounded(found, np.float16)
        return iv.rounded(found) if real and (self.double[arg] or self.graph[arg].type is Type.INTEGER) else found

    def _real(self, at: int, node: Node, args: list[Interval]) -> Interval:
        op = node.op
        if op in _EXACT:  # whole numbers of more than 24 bits are rounded, too
            found = self._off(at, iv.monotone(_EXACT[op], args[0]), 0.5)
            return found if self.double[at] or self.graph[node.args[0]].op != "div" else iv.widened_far(found)
        if op == "abs":
            return iv.magnitude(args[0])
        if op in ("min", "max"):
            return iv.corners(_MONOTONE[op], *args)
        if op in ("floor_div", "mod"):
            whole = iv.monotone(np.floor, self._divided(at, args))
            if op == "floor_div":
                return self._off(at, whole, 0.5)
            rest = self._off(at, _remainder(args, whole), 0.5)
            exact = self.graph[node.args[0]].op in ("add", "sub", "mul")  # of the operand before it is rounded
            return iv.widened(rest, 0.5) if exact or is_long(self.graph[node.args[1]]) else rest
        if op == "div":
            return self._divided(at, args)
        if op in _RISING:
            value = iv.monotone(CALLS[op], args[0], _RISING[op])
            found = self._off(at, value, LOWERING[op].ulp if op in LOWERING else _PORTABLE)
            return found if op in _SIGNED else iv.without_negative(found, value)
        if op in _WAVES:
            return self._off(at, iv.steady(CALLS[op], args[0]), LOWERING[op].ulp)
        binary = {"mul": iv.product, "pow": iv.power}
        if op in binary:
            return self._off(at, binary[op](*args), LOWERING[op].ulp)
        if op in _MONOTONE:
            return self._off(at, iv.corners(_MONOTONE[op], *args), LOWERING[op].ulp)
        raise Unbounded(f"'{op}'")

    def _divided(self, at: int, args: list[Interval]) -> Interval:
        found, by = iv.quotient(*args), self.graph[at].args[1]
        row = self.shared[by] and not self.graph[by].uniform  # elements are multiplied by the inverse of a row's number
        if not divides_exactly(self.graph, at) or row:
            product = 0.5 if row and not self.double[by] else 0.0  # of the inverse, which is itself off
            return self._off(at, found, LOWERING["quotient"].ulp + product)
        found = self._off(at, found, LOWERING["div"].ulp)
        small = np.where(np.fmin(np.abs(found.low), np.abs(found.high)) < iv.SMALLEST, iv.UNIT, 0.0)
        inexact = np.where(found.low == found.high, 0.0, small)  # rounded twice
        return iv.moved(found, inexact, inexact) if bool(np.any(inexact)) else found

    def _off(self, at: int, found: Interval, ulps: float) -> Interval:
        """As exact as a part is; at most half a unit is what rounding to the nearest leaves."""
        if self.double[at]:
            return found
        if ulps > 0.5:
            return iv.widened(found, ulps)
        found = iv.rounded(found)
        return iv.rounded(found, np.float16) if self.given.halves else found

    def _moved(self, node: Node) -> Interval:
        """Elements are as exact elsewhere; the places of `take` are."""
        tree = Move(Movement(node.op.removeprefix("move_")), (), node.axes, node.parts)
        args = [self._found(arg) for arg in node.args]

        def each(part: Callable[[Interval], Array]) -> Array:
            arrays = [part(arg) for arg in args]
            if tree.op is Movement.TAKE:
                arrays[1] = args[1].low.astype(np.int64)
            try:
                return moved(tree, arrays, self.given.values)
            except ValueError as failure:
                raise Unbounded(str(failure)) from None

        def nan(arg: Interval) -> Array:
            return np.broadcast_to(arg.nan, arg.low.shape)

        return Interval(each(lambda arg: arg.low), each(lambda arg: arg.high), each(nan))

    def _reduced(self, node: Node) -> Interval:
        a, values = self._found(node.args[0]), self.given.values
        if node.type is not Type.REAL or node.op == "reduce_prod":
            raise Unbounded(f"'{node.op}' of {node.type} numbers")
        if a.low.size == 0:
            raise Unbounded("nothing is reduced")
        axes = node.axes
        if isinstance(axes, str):
            axes = tuple(int(axis) for axis in np.asarray(values[axes]).reshape(-1))
        keep = bool(values[node.keepdims]) if isinstance(node.keepdims, str) else node.keepdims

        def over(function: Callable[..., Array]) -> Callable[[Array], Array]:
            return lambda x: np.asarray(function(x, axis=axes, keepdims=keep))

        if node.op in _FOLDS:
            return iv.folded(over(_FOLDS[node.op]), a)
        return _summed(a, over(np.sum), node.op == "reduce_mean", over(np.max))


def _summed(a: Interval, total: Callable[[Array], Array], mean: bool, most: Callable[[Array], Array]) -> Interval:
    """Lanes of single precision take every 32nd element, at most 64, and are joined in double."""
    low, high = total(a.low), total(a.high)
    count = a.low.size // max(low.size, 1)
    roundings = min(SUMMED, -(-count // LANES) - 1)  # what is left over goes with the first ones
    size = total(np.fmax(np.abs(a.low), np.abs(a.high)))
    off = np.where(np.isfinite(size), size * (roundings * 2.0**-24 * (1 + 2.0**-16) + count * 2.0**-52), 0.0)
    nan = most(a.nan.astype(np.float64)) > 0
    open_ = np.isnan(low) != np.isnan(high)
    low, high = np.where(open_ & np.isnan(low), -np.inf, low), np.where(open_ & np.isnan(high), np.inf, high)
    above, below = (total(np.fmax(ends, 0)) > iv.LARGEST for ends in (a.high, -a.low))  # what parts may come to
    low, high = np.where(below, -np.inf, low), np.where(above, np.inf, high)
    nan = nan | np.isnan(low) | open_ | (above & below)
    parts = count if mean else 1
    return Interval((low - off) / parts, (high + off) / parts, np.asarray(nan))


def _remainder(args: list[Interval], whole: Interval) -> Interval:
    times = iv.rounded(iv.product(whole, args[1]))
    return iv.hull((iv.corners(np.subtract, args[0], times), iv.corners(np.mod, *args)))


def _decision(op: str, args: list[Interval]) -> Interval:
    if op == "not":
        return iv.inverse(args[0])
    if op in ("and", "or"):
        return iv.corners(np.minimum if op == "and" else np.maximum, *args)
    if op == "select":
        return iv.either(*args)
    if op in ("eq", "ne"):
        found = iv.equal(*args)
        return found if op == "eq" else iv.inverse(found)
    a, b = args if op in ("gt", "ge") else args[::-1]
    return iv.greater(a, b, op in ("ge", "le"))


def _whole(op: str, args: list[Interval]) -> Interval:
    """Whole numbers are exact; what wraps is not followed."""
    if op == "abs":
        found = iv.magnitude(args[0])
    elif op in _EXACT:
        found = iv.monotone(_EXACT[op], args[0])
    elif op in _MONOTONE:
        found = iv.corners(_MONOTONE[op], *args)
    else:
        raise Unbounded(f"'{op}' of whole numbers")
    if bool(np.any(np.abs(found.low) >= _EXACT_WHOLE)) or bool(np.any(np.abs(found.high) >= _EXACT_WHOLE)):
        raise Unbounded("whole numbers that doubles do not hold")
    return found


def _cast(a: Interval, row: DType, source: Type) -> Interval:
    if row.kind is Kind.FLOAT:
        return iv.rounded(iv.rounded(a), np.float16) if row.bits == 16 else iv.rounded(a)
    if row.kind is Kind.BOOL:
        return a if source is Type.BOOL else iv.inverse(iv.equal(a, iv.point(np.zeros(()))))
    if row.bits > 32 or source is not Type.REAL:
        if source is Type.BOOL:
            return a
        raise Unbounded(f"casts to {row}")
    low, high = row.limits
    cut = iv.monotone(
        lambda x: np.clip(np.trunc(np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf)), low, high), a
    )
    return iv.hull((cut, iv.point(np.where(a.nan, 0.0, cut.low)))) if bool(np.any(a.nan)) else cut
