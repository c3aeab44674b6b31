"""What all elements of a call share, in the float strategy: constants, params, and what is computed of them alone."""

from __future__ import annotations

import math
import struct

from opkg.kernels.block import Block
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import CPP, Names, Writer
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.ops import number, word
from opkg.spec.compute.types import Type, value_type


class UnableError(Exception):
    """Why a snippet is not for this strategy."""


def nearest_float(value: float) -> float:
    """The nearest number of single precision. Raises OverflowError."""
    (rounded,) = struct.unpack("f", struct.pack("f", value))
    return float(rounded)


def float_literal(value: float) -> str:
    """A float in C++. Raises ValueError for what qfloat cannot hold."""
    if math.isnan(value) or abs(value) >= 2.0**127:
        raise ValueError(value)
    rounded = nearest_float(value)
    if rounded != 0 and abs(rounded) < 2.0**-126:
        raise ValueError(value)
    text = f"{rounded:.9g}"
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"


class Uniforms:
    """Members of the rows struct for uniform nodes, statements that set them, and vectors of them."""

    def __init__(self, snippet: Snippet, setup: Block) -> None:
        self.snippet, self.graph, self.setup = snippet, snippet.graph, setup
        self.members: list[Member] = []
        self.prepare: list[str] = []
        self.ulps = 0.0  # of constants that are no floats
        self._seen: set[str] = set()
        self._names: dict[int, str] = {}  # members by node
        self._set()

    def _set(self) -> None:
        """Members for params and what is computed of them alone, as `prepare` sets them."""
        graph = self.graph
        given, names = {}, Names(("op",))
        for index, node in enumerate(graph.nodes):
            if node.op == "param" and node.uniform:
                scalar = next(p for p in self.snippet.params if p.name == node.name)
                kind = CPP[value_type(scalar.dtype)]
                given[index] = f"static_cast<{kind}>(op.{node.name})"
        asked = {arg for node in graph.nodes if not node.uniform for arg in node.args}
        asked |= {result.node for result in graph.results}
        wanted = sorted(i for i in asked if graph[i].uniform and graph[i].op != "const")
        writer = Writer(graph, given, names, {})
        writer.write(wanted)
        lines = list(writer.lines)
        for index in wanted:
            node = graph[index]
            member = f"{node.origin or node.name or f'shared{index}'}_sf"
            self._names[index] = member
            if node.type is Type.BOOL:
                self.members.append(Member("int32_t", member))
                lines.append(f"{member} = {writer.value(index)} ? 1 : 0;")
                continue
            self.members.append(Member("float", member))
            lines += self._set_float(member, writer.value(index, Type.REAL))
        self.prepare += ["{", *(f"  {line}" for line in lines), "}"] if lines else []

    def _set_float(self, member: str, value: str) -> list[str]:
        """Statements that set a float; what qfloat cannot hold is for the portable code."""
        return [
            f"{member} = static_cast<float>({value});",
            f"if (!(std::fabs({member}) < 1e38f)) return false;",
        ]

    def constant(self, value: bool | int | float | None) -> str:
        try:
            text = float_literal(float(value or 0))
        except (ValueError, OverflowError):
            raise UnableError(f"the constant {value} is no float that qfloat can hold") from None
        if text not in self._seen and nearest_float(float(value or 0)) != value:
            self.ulps += 0.5
        self._seen.add(text)
        return number(self.setup, text)

    def value(self, index: int, type_: Type) -> str:
        """A uniform value in all lanes."""
        node = self.graph[index]
        if type_ is Type.REAL and node.type is not Type.BOOL:
            if node.op == "const":
                return self.constant(node.value)
            return number(self.setup, self._names[index])
        if node.type is Type.BOOL and type_ is Type.BOOL:
            text = str(int(bool(node.value))) if node.op == "const" else self._names[index]
            return self.setup.q6("Q6_Q_vcmp_gt_VwVw", word(self.setup, text), word(self.setup, "0"), to="test")
        if node.op == "const" and type_ is Type.INTEGER and abs(int(node.value or 0)) < 1 << 31:
            return word(self.setup, str(int(node.value or 0)))
        raise UnableError("it computes with integers that all elements share")

    def inverse(self, index: int) -> str:
        """1 / a uniform number, in all lanes."""
        node = self.graph[index]
        if node.op == "const":
            return self.constant(1.0 / float(node.value or math.nan))
        member = self._names[index]
        name = f"{member}_inverse"
        if name not in {m.name for m in self.members}:
            self.members.append(Member("float", name))
            self.prepare += self._set_float(name, f"1.0 / static_cast<double>({member})")
        return number(self.setup, name)
