"""Nodes of a graph as C++ expressions on doubles, 64-bit integers and bools (opkg/scalar.h), with locals where they help."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from opkg.kernels.graphs.decisions import ROUNDINGS
from opkg.kernels.graphs.graph import COMPARE, Graph, Node
from opkg.kernels.portable.deciding import Deciding, choices
from opkg.kernels.portable.ranges import fits, ranges
from opkg.kernels.portable.uses import needed, uses
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

CPP = {Type.REAL: "double", Type.INTEGER: "int64_t", Type.BOOL: "bool"}
# How tight an expression binds, weakest first.
SELECT, _OR, _AND, _BIT, _EQUAL, _LESS, _SUM, _PRODUCT, _UNARY, ATOM = range(10)

_INFIX = {
    "add": ("+", _SUM), "sub": ("-", _SUM), "mul": ("*", _PRODUCT), "div": ("/", _PRODUCT), "and": ("&&", _AND),
    "or": ("||", _OR), "eq": ("==", _EQUAL), "ne": ("!=", _EQUAL), "lt": ("<", _LESS), "le": ("<=", _LESS),
    "gt": (">", _LESS), "ge": (">=", _LESS),
}  # fmt: skip
_REAL_CALLS = {
    "abs": "std::fabs", "floor": "std::floor", "ceil": "std::ceil", "round": "std::nearbyint", "trunc": "std::trunc",
    "sign": "opkg::sign", "exp": "std::exp", "log": "std::log", "sqrt": "std::sqrt", "erf": "std::erf",
    "sin": "std::sin", "cos": "std::cos", "asin": "std::asin", "atan": "std::atan", "log1p": "std::log1p",
    "tanh": "std::tanh", "sigmoid": "opkg::sigmoid", "min": "opkg::minimum", "max": "opkg::maximum",
    "pow": "std::pow", "floor_div": "opkg::quotient", "mod": "opkg::modulo",
}  # fmt: skip
_INTEGER_CALLS = {
    "sign": "opkg::sign", "min": "opkg::minimum", "max": "opkg::maximum", "floor_div": "opkg::quotient",
    "mod": "opkg::modulo", "pow": "opkg::wrap_pow", "abs": "opkg::wrap_abs",
    "shift_left": "opkg::shift_left", "shift_right": "opkg::shift_right",
}  # fmt: skip
_EXACT_CALLS = {
    **{op: op for op in ("floor", "ceil", "round", "trunc", "sign")}, "abs": "magnitude", "min": "lesser", "max": "greater",
    "floor_div": "quotient", "mod": "modulo",
}  # fmt: skip
_BITS = {"bit_and": "&", "bit_or": "|", "bit_xor": "^"}
_WRAPPING = {"add": "opkg::wrap_add", "sub": "opkg::wrap_sub", "mul": "opkg::wrap_mul", "neg": "opkg::wrap_neg"}


class Names:
    """Hands out C++ names that are not taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def inside(self) -> Names:
        """Names of an inner scope."""
        return Names(self._taken)

    def take(self, hint: str) -> str:
        """The hint, or with a number behind it."""
        name, number = hint, 1
        while name in self._taken:
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        return name


class Writer:
    """Writes the nodes of one piece of code in order. `given`: C++ of nodes that have a value already (leaves, and what
    was computed before); `bounds`: intervals of integer inputs by name. `needs`: the values that each node is written with."""

    calls = _REAL_CALLS
    types: Mapping[Type, str] = CPP
    longest = 56  # characters of an expression that is written inside another one
    hides = True  # numbers that choose, from clang for Hexagon

    def __init__(
        self, graph: Graph, given: Mapping[int, str], names: Names, bounds: Mapping[str, tuple[int, int]]
    ) -> None:
        self.graph = graph
        self.names = names
        self.lines: list[str] = []
        self._ranges = ranges(graph, bounds)
        self._texts: dict[int, tuple[str, int]] = {index: (text, ATOM) for index, text in given.items()}
        self._deciding = Deciding(graph, given)
        self._open = self._decisions()
        self._choices = choices(graph) if self.hides else frozenset()
        self.needs = [self._operands(index) for index in range(len(graph))]
        self._uses = uses(graph, self.needs)

    def _decisions(self) -> frozenset[int]:
        """The nodes that need exact arithmetic."""
        return frozenset(filter(self._deciding.open, range(len(self.graph))))

    def _operands(self, index: int) -> Sequence[int]:
        """The nodes that a node is written with."""
        return self._deciding.leaves(index) if index in self._open else self.graph[index].args

    def write(self, wanted: Iterable[int], local: Callable[[int], bool] = lambda _: False) -> None:
        """Makes the values of `wanted` and all that they need known. `local`: nodes that get a name in any case."""
        for index in needed(self.needs, wanted, self._texts):
            self._texts[index] = self._made(index, local(index))

    def give(self, index: int, text: str) -> None:
        """The value of a node by a name that it has from elsewhere."""
        self._texts[index] = (text, ATOM)

    def value(self, index: int, type_: Type | None = None) -> str:
        """The text of a node that was written, converted to `type_`."""
        return self._as(index, type_ or self.graph[index].type, SELECT)

    def _made(self, index: int, named: bool) -> tuple[str, int]:
        node = self.graph[index]
        text, level = self._express(index, node)
        if node.op == "const" or (not named and self._uses[index] <= 1 and len(text) <= self.longest):
            return text, level
        if level == ATOM and re.fullmatch(r"\w+", text):
            return text, level
        hint = re.sub(r"\W", "_", node.origin) or "t"
        name = self.names.take(hint)
        self.lines.append(f"const {self.types[node.type]} {name} = {text};")
        return name, ATOM

    def _as(self, index: int, type_: Type, level: int) -> str:
        """Operand text of a wanted type, in brackets where it binds less than `level`."""
        node = self.graph[index]
        if node.op == "const":
            text = literal(node.value, type_)
            return f"({text})" if text.startswith("-") and level > _SUM else text
        text, own = self._texts[index]
        if node.type is not type_ and type_ is Type.REAL:
            return f"static_cast<double>({text})"
        if node.type is not type_ and type_ is Type.INTEGER:
            return f"int64_t{{{text}}}"
        return text if own >= level else f"({text})"

    def _express(self, index: int, node: Node) -> tuple[str, int]:
        if node.op == "const":
            return literal(node.value, node.type), ATOM
        if index in self._open:
            return self._decided(index, node)
        if node.op in COMPARE:
            return self._compare(index, node)
        if node.op == "select":
            return self._select(node)
        if node.op == "cast":
            return self._cast(node)
        if node.op.startswith("reduce_"):  # of one number: others are no expressions
            return self._as(node.args[0], node.type, ATOM), ATOM
        if node.op == "not":
            return f"!{self._as(node.args[0], Type.BOOL, _UNARY)}", _UNARY
        if node.op in ("and", "or"):
            return self._infix(node, Type.BOOL)
        if node.type is Type.INTEGER:
            return self._integer(index, node)
        return self._real(node)

    def _decided(self, index: int, node: Node) -> tuple[str, int]:
        """A decision on real values by opkg/exact.h."""
        leaves = self._deciding.leaves(index)
        numbers = [leaf for leaf in leaves if self.graph[leaf].type is not Type.BOOL]
        tests = {leaf: self._texts[leaf][0] for leaf in leaves if leaf not in numbers}
        inside = Names(word for text in tests.values() for word in re.findall(r"\w+", text))
        given = {leaf: inside.take(self.graph[leaf].name or self.graph[leaf].origin or "x") for leaf in numbers}
        writer = _Expression(self.graph, given | {leaf: f"({text})" for leaf, text in tests.items()}, inside, {})
        body = writer.decision(node)
        parameters = ", ".join(f"auto {name}" for name in given.values())
        arguments = ", ".join(self._as(leaf, Type.REAL, SELECT) for leaf in numbers)
        value = f"opkg::decide([{'&' * bool(tests)}]({parameters}) {{ {body} }}, {arguments})"
        if node.op in COMPARE:
            sign, level = _INFIX[node.op]
            return f"{value} {sign} 0.0", level
        if node.op != "cast":
            return value, ATOM
        row = DTYPES[node.dtype]
        return (f"{value} != 0.0", _EQUAL) if row.kind is Kind.BOOL else (f"opkg::saturate<{row.cpp}>({value})", ATOM)

    def _infix(self, node: Node, type_: Type) -> tuple[str, int]:
        sign, level = _INFIX[node.op]
        # Operands of && and || that are not alike get brackets, as compilers ask for.
        least = _EQUAL if node.op in ("and", "or") else level
        left = self._as(node.args[0], type_, least)
        return f"{left} {sign} {self._as(node.args[1], type_, least + 1)}", level

    def _compare(self, index: int, node: Node) -> tuple[str, int]:
        types = [self.graph[arg].type for arg in node.args]
        type_ = Type.BOOL if Type.BOOL in types else Type.REAL if Type.REAL in types else Type.INTEGER
        sign, level = _INFIX[node.op]
        itself = node.args[0] == node.args[1]  # of which compilers warn
        if itself and type_ is Type.REAL and node.op not in ("lt", "gt"):
            test = f"std::isnan({self._as(node.args[0], type_, SELECT)})"
            return (test, ATOM) if node.op == "ne" else (f"!{test}", _UNARY)
        sides = [self._as(arg, type_, _SUM) for arg in node.args]
        if itself or (type_ is Type.REAL and index in self._choices):
            hidden = self.graph[node.args[0]].op == "const"
            sides[hidden] = f"opkg::opaque({self._as(node.args[hidden], type_, SELECT)})"
        return f"{sides[0]} {sign} {sides[1]}", level

    def _select(self, node: Node) -> tuple[str, int]:
        test = self._as(node.args[0], Type.BOOL, SELECT + 1)
        branches = [self._as(arg, node.type, SELECT + 1) for arg in node.args[1:]]
        if node.type is Type.INTEGER:  # two literals would make an int
            branches = [f"int64_t{{{t}}}" if re.fullmatch(r"-?\d+", t) else t for t in branches]
        return f"{test} ? {branches[0]} : {branches[1]}", SELECT

    def _integer(self, index: int, node: Node) -> tuple[str, int]:
        if node.op in ROUNDINGS:
            return self._texts[node.args[0]]
        if node.op in _BITS:  # compilers ask for brackets around operands of other operators
            a, b = (self._as(arg, Type.INTEGER, _UNARY) for arg in node.args)
            return (f"~{a}", _UNARY) if (node.op, b) == ("bit_xor", "(-1)") else (f"{a} {_BITS[node.op]} {b}", _BIT)
        if node.op in _WRAPPING:
            if not fits(self._exact(node)):
                return self._call(_WRAPPING[node.op], node, Type.INTEGER)
            if node.op == "neg":
                return f"-{self._as(node.args[0], Type.INTEGER, ATOM)}", _UNARY
            return self._infix(node, Type.INTEGER)
        return self._call(_INTEGER_CALLS[node.op], node, Type.INTEGER)

    def _exact(self, node: Node) -> tuple[int, int] | None:
        """The interval of a sum, difference or product before it wraps."""
        sides = [self._ranges[arg] for arg in node.args]
        if node.op == "neg":
            (a, b) = sides[0]
            return -b, -a
        (a, b), (c, d) = sides
        if node.op == "add":
            return a + c, b + d
        if node.op == "sub":
            return a - d, b - c
        products = (a * c, a * d, b * c, b * d)
        return min(products), max(products)

    def _real(self, node: Node) -> tuple[str, int]:
        if node.op == "neg":
            return f"-{self._as(node.args[0], Type.REAL, ATOM)}", _UNARY
        if node.op == "rsqrt":
            return f"1.0 / std::sqrt({self._as(node.args[0], Type.REAL, SELECT)})", _PRODUCT
        if node.op in _INFIX:
            return self._infix(node, Type.REAL)
        return self._call(self.calls[node.op], node, Type.REAL)

    def _call(self, function: str, node: Node, type_: Type) -> tuple[str, int]:
        return f"{function}({', '.join(self._as(arg, type_, SELECT) for arg in node.args)})", ATOM

    def _cast(self, node: Node) -> tuple[str, int]:
        row, operand = DTYPES[node.dtype], node.args[0]
        type_ = self.graph[operand].type
        if row.kind is Kind.BOOL:
            if type_ is Type.BOOL:
                return self._texts[operand]
            return f"{self._as(operand, type_, _SUM)} != {literal(0, type_)}", _EQUAL
        if type_ is Type.BOOL:
            return f"{self._as(operand, Type.BOOL, SELECT + 1)} ? {_one_or_zero(node.type)}", SELECT
        if row.kind is not Kind.FLOAT:
            return f"opkg::saturate<{row.cpp}>({self._as(operand, type_, SELECT)})", ATOM
        if row.bits == 16:
            return f"opkg::round_to_half({self._as(operand, Type.REAL, SELECT)})", ATOM
        return f"static_cast<double>(static_cast<float>({self._as(operand, type_, SELECT)}))", ATOM


class _Expression(Writer):
    """Writes what a decision is made on, for any type of numbers: the body of a generic function."""

    calls = _EXACT_CALLS
    types: Mapping[Type, str] = {**CPP, Type.REAL: "auto"}
    hides = False

    def _decisions(self) -> frozenset[int]:
        return frozenset()

    def decision(self, node: Node) -> str:
        """Statements that return the value that a node decides by; its operands' values are numbers of one type."""
        self.write(node.args)
        args = [self._as(arg, Type.REAL, SELECT) for arg in node.args]
        whole = node.op == "cast" and DTYPES[node.dtype].kind is not Kind.BOOL
        function = self.calls.get(node.op, "compare" if node.op in COMPARE else "trunc" if whole else "sign")
        return " ".join([*self.lines, f"return {function}({', '.join(args)});"])

    def _as(self, index: int, type_: Type, level: int) -> str:
        node = self.graph[index]
        given = index in self._deciding.given if node.op == "const" else node.type is Type.INTEGER
        return self._texts[index][0] if given else super()._as(index, type_, level)


def _one_or_zero(type_: Type) -> str:
    return "1.0 : 0.0" if type_ is Type.REAL else "int64_t{1} : int64_t{0}"


def scalar_params(graph: Graph) -> dict[int, str]:
    """C++ of the scalar params of a call, by the numbers of their nodes."""
    nodes = enumerate(graph.nodes)
    return {i: f"static_cast<{CPP[n.type]}>(op.{n.name})" for i, n in nodes if n.op == "param" and n.uniform}


def literal(value: bool | int | float | None, type_: Type) -> str:
    """A constant in C++."""
    if type_ is Type.BOOL:
        return "true" if value else "false"
    assert value is not None
    if type_ is Type.INTEGER:
        whole = int(value)
        return "std::numeric_limits<int64_t>::min()" if whole == -(1 << 63) else str(whole)
    number = float(value)
    if math.isnan(number):
        return "std::numeric_limits<double>::quiet_NaN()"
    if math.isinf(number):
        return ("-" if number < 0 else "") + "std::numeric_limits<double>::infinity()"
    return repr(number)
