"""How far results in single precision may be off: a bound that holds for all operands, where there is one.

Relative errors are carried from part to part in units of 2^-23 of the value. A sum of rounded numbers of different sign, or a
decision on a rounded number, has no such bound; what each element may be off then is said by `opkg.verify.meaning.bounds`.
"""

from __future__ import annotations

import math

from opkg.kernels.graphs.graph import REDUCE, Graph, Node
from opkg.kernels.graphs.signs import Signs
from opkg.kernels.in_single import is_long
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.exactly import decided
from opkg.kernels.strategies.floating.ops import LOWERING
from opkg.kernels.strategies.floating.uniform import nearest_float
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

STEEP = frozenset(("floor", "ceil", "round", "trunc", "sign", "gt", "lt", "ge", "le", "eq", "ne", "cast"))
_STEPS = frozenset(("floor", "ceil", "round", "trunc", "floor_div", "mod"))
_AMPLIFIED = 104.0  # beyond an argument of this size exp() has no normal result
WORD_SUM = 0.51  # of a sum of 33 bits, the last of which may be cut off before it is rounded
_HALF_SUM = 31.5  # 63 roundings of partial sums, half a unit each
_CANCEL, _NEAR_ONE = "rounded numbers cancel", "a logarithm of a rounded number is near 0"
_POWER, _DECIDES = "a power has rounded operands", "a decision hangs on rounded numbers"
_WAVE = "a wave of a rounded number is near 0"
_LOOSE = {"log": _NEAR_ONE, "log1p": _NEAR_ONE, "pow": _POWER, "sin": _WAVE, "cos": _WAVE}


class Loose(Exception):
    """There is no bound for all operands, and why."""


def may_jump(graph: Graph, index: int) -> bool:
    """Whether a step hangs on a value: then a quotient must be exact where it is whole."""
    users = graph.users()
    todo, seen = [index], set()
    while todo:
        at = todo.pop()
        seen.add(at)
        if graph[at].op in STEEP:
            return True
        todo += [user for user in users[at] if user not in seen]
    return False


def is_power_of_two(node: Node) -> bool:
    return isinstance(node.value, float | int) and abs(math.frexp(node.value)[0]) == 0.5


def divides_exactly(graph: Graph, index: int) -> bool:
    """Whether a quotient of elements is rounded to the nearest number."""
    return is_power_of_two(graph[graph[index].args[1]]) or may_jump(graph, index)


def statement(snippet: Snippet, steady: bool = False) -> str:
    """What a kernel that computes in single precision promises. `steady`: quantized results are within a step, for reasons
    of its own (opkg/spans.h among them)."""
    errors = _Errors(snippet)
    outputs = snippet.outputs
    try:
        worst = max(errors.ulps(result.node) for result in snippet.graph.results)
    except Loose as why:
        parts = f"each part within {errors.largest:g} ulp of single precision, results less exact where {why}"
        if any(o.quantized for o in outputs):
            return f"{parts}; then {'within 1 step of the correctly rounded result' if steady else 'rounded to the nearest step'}"
        return f"{parts}; then rounded to half precision" if any(o.storage.bits == 16 for o in outputs) else parts
    worst = math.ceil(worst * 10) / 10
    parts = f"{worst:g} ulp of single precision" if worst else "exact in single precision"
    if errors.parts > 1:
        parts += " (normal numbers on the way)"
    if any(o.quantized for o in outputs):
        near = steady or worst * 2.0 ** (max(o.storage.bits for o in outputs if o.quantized) - 23) < 0.5
        return f"{parts}, then {'within 1 step of the correctly rounded result' if near else 'rounded to the nearest step'}"
    if any(o.is_float and o.storage.bits == 16 for o in outputs):
        return f"{parts}, then rounded to half precision"
    return parts


def cancels(snippet: Snippet, result: int) -> bool:
    """Whether a result hangs on rounded numbers whose error may grow beyond any proportion to it."""
    errors, graph = _Errors(snippet), snippet.graph
    todo, seen = [result], set[int]()
    while todo:
        at = todo.pop()
        if at in seen or graph[at].uniform:
            continue
        seen.add(at)
        if graph[at].op in ("add", "sub", *_LOOSE) and errors.is_loose(at):
            return True
        todo += graph[at].args
    return False


def is_word_sum(graph: Graph, node: Node) -> bool:
    """Whether a sum or difference of integers is made of their words, and then rounded."""
    integers = [graph[arg].op == "input" and graph[arg].type is Type.INTEGER for arg in node.args]
    return node.type is Type.REAL and node.op in ("add", "sub") and all(integers)


class _Errors:
    """`largest`: of the parts of the kernel that were asked for; `parts`: how many of them round."""

    def __init__(self, snippet: Snippet) -> None:
        self.snippet, self.graph = snippet, snippet.graph
        self.signs = Signs(self.graph.nodes, frozenset())
        self.found: dict[int, float] = {}
        self.decided = decided(snippet)
        self.double = self._double()
        owns = [self._own(at) for at in range(len(self.graph)) if not self.double[at]]
        self.largest = max(owns, default=0.0)
        self.parts = sum(own > 0 for own in owns)

    def _double(self) -> list[bool]:
        """Which nodes are numbers that all elements of a row share."""
        found: list[bool] = []
        for node in self.graph.nodes:
            leaf = node.op in ("input", "param") and not node.uniform
            found.append(not leaf and (node.op in REDUCE or all(found[arg] for arg in node.args)))
        return found

    def ulps(self, at: int) -> float:
        """The error of a result in units in the last place."""
        node = self.graph[at]
        if node.type is not Type.REAL:
            self._exact([at])
            return 0.5 if node.type is Type.INTEGER and self._becomes_real(at) else 0.0
        if node.op in ("min", "max", "neg", "abs", "select") and not self.double[at]:
            self._carried(at)
            found = [self.ulps(arg) for arg in node.args if self.graph[arg].type is Type.REAL]
            return max(found) if found else 0.5 * self._is_wide(at)
        stored = 0.5 if self._is_rounded(at) else 0.0
        return self._own(at) + stored + 2 * self._carried(at)

    def _becomes_real(self, at: int) -> bool:
        """Whether an integer of more bits than single precision has is stored in steps."""
        return self._is_wide(at) and any(
            self.snippet.operand(r.name).quantized for r in self.graph.results if r.node == at
        )

    def _is_wide(self, at: int) -> bool:
        return any(self.snippet.operand(name).storage.bits > 16 for name in self.graph.operands_of(at))

    def relative(self, at: int) -> float:
        """The relative error of a value. Raises Loose."""
        if at not in self.found:
            self.found[at] = self._carried(at) + self._own(at)
        return self.found[at]

    def is_loose(self, at: int) -> bool:
        """Whether a value has no relative error that holds for all operands."""
        try:
            self.relative(at)
        except Loose:
            return True
        return False

    def _own(self, at: int) -> float:
        """What an operation adds itself, in units in the last place."""
        node = self.graph[at]
        if node.op == "input":
            operand = self.snippet.operand(node.name)
            return (1.0 if operand.storage.bits == 32 else 0.5) if operand.quantized else 0.0
        if self.double[at] or node.type is not Type.REAL:
            return 0.0
        if node.op == "mod" and is_long(self.graph[node.args[1]]):
            return 1.0
        if node.op == "div":
            by = node.args[1]
            row = self.double[by] and not self.graph[by].uniform
            return LOWERING["div" if divides_exactly(self.graph, at) and not row else "quotient"].ulp
        if is_word_sum(self.graph, node):
            return WORD_SUM
        return LOWERING[node.op].ulp if node.op in LOWERING else 0.0

    def _operand(self, at: int, arg: int) -> float:
        """An operand's error: numbers that elements share are rounded to single precision, as are integers."""
        node, error = self.graph[arg], self.relative(arg)
        if self.double[at] or node.type is Type.BOOL:
            return error
        if node.op == "const":
            value = float(node.value or 0)
            return 0.0 if value != value or nearest_float(value) == value else 0.5
        return error + 0.5 if self._is_rounded(arg) or node.type is Type.INTEGER else error

    def _is_rounded(self, at: int) -> bool:
        """Whether a number of double precision is no float already: params, constants and extremes are."""
        while self.graph[at].op in ("reduce_max", "reduce_min"):
            (at,) = self.graph[at].args
        return self.double[at] and self.graph[at].op not in ("const", "param")

    def _exact(self, args: list[int], why: str = _DECIDES) -> None:
        """Raises Loose unless all of what they are computed from is exact."""
        for arg in args:
            if self.graph[arg].type is Type.REAL:
                if self.relative(arg):
                    raise Loose(why)
            elif self.graph[arg].op not in ("input", "param", "const") and arg not in self.decided:
                self._exact(list(self.graph[arg].args))
                self._compares(arg)

    def _compares(self, at: int) -> None:
        if any(self._operand(at, arg) for arg in self.graph[at].args if self.graph[arg].type is Type.REAL):
            raise Loose(_DECIDES)

    def _carried(self, at: int) -> float:
        """What comes from the operands."""
        node, args = self.graph[at], list(self.graph[at].args)
        if not args or at in self.decided or is_word_sum(self.graph, node):
            return 0.0
        if node.op == "select":
            self._exact(args[:1])
            args = args[1:]
        if node.op == "cast":
            if DTYPES[node.dtype].kind is Kind.FLOAT and DTYPES[node.dtype].bits == 32:
                return self._operand(at, args[0])
            raise Loose(_DECIDES)
        if node.type is not Type.REAL:
            self._exact(args)
            return 0.0
        errors = [self._operand(at, arg) for arg in args]
        most = max(errors)
        if node.op in ("reduce_sum", "reduce_mean"):
            if not self._positive(args[0]):
                raise Loose("terms of a sum cancel")
            return most + _HALF_SUM
        if self._is_distance(node):
            return 0.0
        if node.op in ("add", "sub") and most and not self._joins(node):
            raise Loose(_CANCEL)
        if node.op in _STEPS or node.op in _LOOSE or node.op == "reduce_prod":
            if most:
                raise Loose(_LOOSE.get(node.op, _DECIDES))
            return 0.0
        if node.op in ("exp", "sigmoid"):
            return _AMPLIFIED * most
        if node.op in ("mul", "div"):
            return sum(errors)
        return most / 2 if node.op in ("sqrt", "rsqrt") else 0.0 if node.op == "sign" else most

    def _is_distance(self, node: Node) -> bool:
        """Whether it is the difference of a quantized input and its extreme: whole steps, which are exact."""
        if node.op != "sub":
            return False
        for element, extreme in (node.args, node.args[::-1]):
            of, found = self.graph[element], self.graph[extreme]
            if of.op == "input" and self.snippet.operand(of.name).quantized and found.args == (element,):
                return found.op in ("reduce_max", "reduce_min")
        return False

    def _joins(self, node: Node) -> bool:
        """Whether a sum or difference has terms of the same sign."""
        first, second = (self._sign(arg) for arg in node.args)
        return first != 0 and first == (second if node.op == "add" else -second)

    def _sign(self, at: int) -> int:
        node = self.graph[at]
        if node.op == "const":
            return 1 if float(node.value or 0) >= 0 else -1
        if node.op == "neg":
            return -self._sign(node.args[0])
        return int(self._positive(at))

    def _positive(self, at: int) -> bool:
        node = self.graph[at]
        if node.op == "mul" and node.args[0] == node.args[1]:
            return True
        if node.op in ("add", "mul", "div", "reduce_sum", "reduce_mean", "sqrt", "select"):
            args = node.args[1:] if node.op == "select" else node.args
            if all(self._sign(arg) > 0 for arg in args):
                return True
        return node.op in ("sqrt", "rsqrt") or self.signs.positive(at)
