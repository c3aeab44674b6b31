"""Roundings to whole numbers of a linear function of one 16-bit input, or of a product of two bytes, exactly: floor, ceil,
round, trunc, `//` and `%`.

floor(x * factor + k), k a multiple of a half, becomes a value in 16-bit lanes of its own (whole_lanes.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Protocol

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.portable.deciding import significant
from opkg.kernels.strategies.fixed.numbers import Atom, Form, Linear, Unfit
from opkg.spec.compute.types import Type

_BITS = 53  # of a factor: what a double holds
_BITS_BESIDE_PARAMS = 29  # which have 24
_FAR = 32767  # what 16-bit lanes hold


class Forms(Protocol):
    """What makes forms. `bytes_`: the inputs of 8 bits."""

    graph: Graph
    bytes_: frozenset[str]

    def of_atom(self, atom: Atom) -> Form: ...
    def scale(self, a: Form, factor: float) -> Form: ...
    def sub(self, a: Form, b: Form) -> Form: ...
    def product(self, a: Form, b: Form) -> Form: ...


Maker = Callable[[Forms, Node, list[Form]], Form]


def linear(graph: Graph, index: int) -> Linear:
    """A node as a linear function of one input. Raises Unfit."""
    node = graph[index]
    if node.op == "input":
        return Linear(node.name, factor=Fraction(1))
    if node.op == "neg":
        return linear(graph, node.args[0]).scaled(Fraction(-1))
    if node.op in ("add", "sub", "mul", "div"):
        first, second = (graph[arg] for arg in node.args)
        if second.op == "const":
            return _with_number(node.op, linear(graph, node.args[0]), _number(second))
        if node.op == "mul" and (product := _product(graph, node)) is not None:
            return product
        if first.op == "const" and node.op != "div":
            other = linear(graph, node.args[1])
            return _with_number("add" if node.op == "sub" else node.op, _negative(node.op, other), _number(first))
        return _with_param(graph, node)
    raise Unfit(f"a rounding of a '{node.op}'")


def _product(graph: Graph, node: Node) -> Linear | None:
    """A product of two inputs, or of their negatives."""
    sign, names = 1, []
    for factor in (graph[arg] for arg in node.args):
        if factor.op == "neg":
            sign, factor = -sign, graph[factor.args[0]]
        names += [factor.name] if factor.op == "input" else []
    return Linear(names[0], names[1], Fraction(sign)) if len(names) == 2 else None


def _negative(op: str, other: Linear) -> Linear:
    return other.scaled(Fraction(-1)) if op == "sub" else other


def _with_number(op: str, found: Linear, number: Fraction) -> Linear:
    if op in ("add", "sub"):
        return found.plus(number if op == "add" else -number)
    if not number:
        raise Unfit("a rounding of something times or by 0")
    return found.scaled(number if op == "mul" else 1 / number)


def _with_param(graph: Graph, node: Node) -> Linear:
    """A product with a param, or a quotient by one."""
    for mine, other in ((0, 1), (1, 0)):
        param = graph[node.args[other]]
        if node.op in ("add", "sub") and param.op == "param" and param.uniform and (node.op == "add" or other == 1):
            found = linear(graph, node.args[mine])
            if not found.more:
                return replace(found, more=param.name, sign=1 if node.op == "add" else -1)
        if node.op not in ("mul", "div") or (node.op == "div" and other == 0):
            continue
        if param.op == "param" and param.uniform and param.type is Type.REAL:
            found = linear(graph, node.args[mine])
            if not (found.times or found.under or found.constant or found.more):
                return replace(found, times=param.name) if node.op == "mul" else replace(found, under=param.name)
    raise Unfit("a rounding of something else than a linear function of one input")


def _number(node: Node) -> Fraction:
    value = node.value
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < inf:
        raise Unfit("a rounding of what is not finite")
    return Fraction(value)


# Forms ------------------------------------------------------------------------------------------------------------------


def _whole(forms: Forms, of: Linear, even: bool = False, part: str = "") -> Form:
    """floor(of), or with `even` what is whole already and odd is one less; `part`: of the input, above or below 0."""
    if not of.other and of.name in forms.bytes_:
        raise Unfit("a rounding of a byte, which is a table")
    if of.other and (part or not {of.name, of.other} <= forms.bytes_):
        raise Unfit("a rounding of a product of 16 bits, or towards 0")
    if (of.constant * 2).denominator != 1:
        raise Unfit("a rounding of a sum with something else than halves")
    bits = _BITS_BESIDE_PARAMS if of.times or of.under else _BITS
    numbers = (of.factor.numerator, of.factor.denominator)
    if any(significant(number) > bits or int(float(number)) != number for number in numbers) or abs(of.constant) > _FAR:
        raise Unfit("a rounding with a factor of many digits")
    return forms.of_atom(Atom("whole", of.name, part, (), (of, even)))


def _floor(forms: Forms, node: Node, _: list[Form]) -> Form:
    return _whole(forms, linear(forms.graph, node.args[0]))


def _ceil(forms: Forms, node: Node, _: list[Form]) -> Form:
    return forms.scale(_whole(forms, linear(forms.graph, node.args[0]).scaled(Fraction(-1))), -1.0)


def _round(forms: Forms, node: Node, _: list[Form]) -> Form:
    return _whole(forms, linear(forms.graph, node.args[0]).plus(Fraction(1, 2)), even=True)


def _trunc(forms: Forms, node: Node, _: list[Form]) -> Form:
    """The floor of what is above 0, less that of what is below, negated."""
    of = linear(forms.graph, node.args[0])
    if of.constant or of.times or of.under or of.more:
        raise Unfit("'trunc' of something else than a multiple of an input")
    sign = -1.0 if of.factor < 0 else 1.0
    size = of.scaled(Fraction(int(sign)))
    above = _whole(forms, size, part="positive")
    below = _whole(forms, size.scaled(Fraction(-1)), part="negative")
    return forms.scale(forms.sub(above, below), sign)


def _modulo(forms: Forms, node: Node, args: list[Form]) -> Form:
    """a - floor(a / b) * b."""
    return forms.sub(args[0], forms.product(args[1], _quotient(forms, node, args)))


def _quotient(forms: Forms, node: Node, _: list[Form]) -> Form:
    divisor = forms.graph[node.args[1]]
    if divisor.op == "const":
        return _whole(forms, _with_number("div", linear(forms.graph, node.args[0]), _number(divisor)))
    return _whole(forms, _with_param(forms.graph, replace(node, op="div")))


WHOLES: dict[str, Maker] = {
    "floor": _floor,
    "ceil": _ceil,
    "round": _round,
    "trunc": _trunc,
    "floor_div": _quotient,
    "mod": _modulo,
}
