"""What all elements of a call share, in the float strategy: constants, params, and what is computed of them alone."""

from __future__ import annotations

import math
import struct

from opkg.kernels.block import Block
from opkg.kernels.graphs.decisions import decides
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import Names, Writer, scalar_params
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.ops import number, word
from opkg.kernels.strategies.floating.small import PARAM
from opkg.spec.compute.types import Type

_LEAST = 1e-37  # numbers from which on the inverse has all of its digits


class UnableError(Exception):
    """Why a snippet is not for this strategy."""


def nearest_float(value: float) -> float:
    """The nearest number of single precision; infinite beyond its range."""
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        return math.copysign(math.inf, value)
    return float(rounded)


def float_literal(value: float) -> str:
    """A float in C++."""
    rounded = nearest_float(value)
    if math.isnan(rounded):
        return '__builtin_nanf("")'
    if math.isinf(rounded):
        return "-__builtin_inff()" if rounded < 0 else "__builtin_inff()"
    text = f"{rounded:.9g}"
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"


class Uniforms:
    """Members of the rows struct for uniform nodes that some vector is asked of, and statements that set them."""

    def __init__(self, snippet: Snippet, setup: Block) -> None:
        self.snippet, self.graph, self.setup = snippet, snippet.graph, setup
        asked = {arg for node in self.graph.nodes if not node.uniform for arg in node.args}
        asked |= {result.node for result in self.graph.results}
        wanted = sorted(i for i in asked if self.graph[i].uniform and self.graph[i].op != "const")
        nodes = {i: self.graph[i] for i in wanted}
        self._compared = {arg for node in self.graph.nodes if decides(self.graph, node) for arg in node.args}
        self._names = {i: f"{node.origin or node.name or f'shared{i}'}_sf" for i, node in nodes.items()}
        self._used: set[int] = set()
        self._inverses: dict[int, str] = {}
        self._words: dict[str, str] = {}  # int params

    def beside(self, setup: Block) -> Uniforms:
        """The same members, asked of by another list of instructions."""
        other = Uniforms(self.snippet, setup)
        other._used, other._inverses, other._words = self._used, self._inverses, self._words
        return other

    @property
    def members(self) -> list[Member]:
        """Of params and what is computed of them alone, then inverses."""
        kinds = {i: "int32_t" if self.graph[i].type is Type.BOOL else "float" for i in sorted(self._used)}
        found = [Member(kind, self._names[i]) for i, kind in kinds.items()]
        found += [Member("int32_t", name) for name in self._words.values()]
        return [*found, *(Member("float", name) for name in self._inverses.values())]

    @property
    def prepare(self) -> list[str]:
        """Statements that set the members, or return false."""
        graph = self.graph
        wanted = sorted(self._used)
        writer = Writer(graph, scalar_params(graph), Names(("op",)), {})
        writer.write(wanted)
        lines = list(writer.lines)
        for index in wanted:
            member = self._names[index]
            if graph[index].type is Type.BOOL:
                lines.append(f"{member} = {writer.value(index)} ? 1 : 0;")
            else:
                lines.append(f"{member} = static_cast<float>({writer.value(index, Type.REAL)});")
        if len(lines) > len(wanted):  # with values of their own
            lines = ["{", *(f"  {line}" for line in lines), "}"]
        for index in wanted:  # what a decision must not round
            if graph[index].op == "param" and graph[index].type is Type.INTEGER and index in self._compared:
                value = f"static_cast<double>(op.{graph[index].name})"
                lines.append(f"if (static_cast<double>({self._names[index]}) != {value}) return false;")
        for index, name in self._inverses.items():
            member = self._names[index]
            lines += [
                f"if (!(std::fabs({member}) > {_LEAST}f && std::fabs({member}) < {1 / _LEAST:g}f)) return false;",
                f"{name} = 1.0f / {member};",
            ]
        for name, member in self._words.items():
            lines += [
                f"if (!(op.{name} >= -{PARAM} && op.{name} <= {PARAM})) return false;",
                f"{member} = static_cast<int32_t>(op.{name});",
            ]
        return lines

    def _member(self, index: int) -> str:
        self._used.add(index)
        return self._names[index]

    def constant(self, value: bool | int | float | None) -> str:
        real = float(value or 0)
        return number(self.setup, float_literal(real))

    def value(self, index: int, type_: Type) -> str:
        """A uniform value in all lanes."""
        node = self.graph[index]
        if type_ is Type.REAL and node.type is not Type.BOOL:
            if node.op == "const":
                return self.constant(node.value)
            return number(self.setup, self._member(index))
        if node.type is Type.BOOL and type_ is Type.BOOL:
            text = str(int(bool(node.value))) if node.op == "const" else self._member(index)
            return self.setup.q6("Q6_Q_vcmp_gt_VwVw", word(self.setup, text), word(self.setup, "0"), to="test")
        if node.op == "const" and type_ is Type.INTEGER and abs(int(node.value or 0)) < 1 << 31:
            return word(self.setup, str(int(node.value or 0)))
        if node.op == "param" and type_ is Type.INTEGER:
            self._words.setdefault(node.name, f"{node.name}_w")
            return word(self.setup, self._words[node.name])
        raise UnableError("it computes with integers that all elements share")

    def invertible(self, index: int) -> bool:
        """Whether a product with 1 / a number serves as a quotient; of params `prepare` finds out."""
        node = self.graph[index]
        return node.op != "const" or _LEAST < abs(float(node.value or 0)) < 1 / _LEAST

    def inverse(self, index: int) -> str:
        """1 / a uniform number, in all lanes; single precision holds it."""
        node = self.graph[index]
        if node.op == "const":
            return self.constant(1.0 / float(node.value or math.nan))
        name = self._inverses.setdefault(index, f"{self._member(index)}_inverse")
        return number(self.setup, name)
