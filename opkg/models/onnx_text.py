"""ONNX functions as values, and their text in ONNX's own syntax, which `onnx.parser.parse_function` reads.

Nothing here needs the `onnx` package. Source of the syntax: onnx's docs/Syntax.md.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Types of attributes, as the syntax names them."""

    FLOAT = "float"
    INT = "int"
    FLOATS = "floats"
    INTS = "ints"
    STRING = "string"
    GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class Ref:
    """The value of an attribute of the function."""

    name: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of an If: a graph whose only result is a value of the function around it."""

    name: str
    type: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}_branch () => ({self.type}[] {self.name}) {{ {self.name} = Identity ({self.value}) }}"


Value = Ref | Branch | int | float | str | tuple[int, ...] | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a function; `default`: its value in a call that leaves it out."""

    name: str
    kind: Kind
    default: int | float | tuple[int, ...] | tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class FunctionNode:
    """A node of ONNX's own domain."""

    op_type: str
    inputs: tuple[str, ...]
    output: str
    attributes: tuple[tuple[str, Kind, Value], ...] = ()

    @property
    def reads(self) -> tuple[str, ...]:
        """All values that it takes, those in branches too."""
        return self.inputs + tuple(value.value for _, _, value in self.attributes if isinstance(value, Branch))

    def __str__(self) -> str:
        given = ", ".join(_given(*attribute) for attribute in self.attributes)
        return f"{self.output} = {self.op_type}{f' <{given}>' if given else ''} ({', '.join(self.inputs)})"


@dataclass(frozen=True, slots=True)
class Function:
    """A model-local function. `opset`: the least version of ONNX's own ops with which its nodes are valid.

    `name`: without the dots of an op's name, which ONNX's syntax does not take; whoever reads the text puts them back.
    """

    domain: str
    name: str
    overload: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    nodes: tuple[FunctionNode, ...]
    opset: int

    def text(self, opset: int = 0) -> str:
        """The function in ONNX's syntax, a line a node. `opset`: the model's, if it is not `opset` of the function: onnx's
        checker wants one version of each op in a model."""
        facts = [f'domain: "{self.domain}"', f'opset_import: ["" : {max(opset, self.opset)}]']
        facts += [f'overload: "{self.overload}"'] if self.overload else []
        plain = [a.name for a in self.attributes if a.default is None]
        filled = [f"{a.name}: {a.kind} = {_value(a.default, a.kind)}" for a in self.attributes if a.default is not None]
        angle = f" <{', '.join(plain + filled)}>" if self.attributes else ""
        head = f"{self.name}{angle} ({', '.join(self.inputs)}) => ({', '.join(self.outputs)})"
        return "\n".join([f"<{', '.join(facts)}>", head, "{", *(f"  {node}" for node in self.nodes), "}"])


def _given(name: str, kind: Kind, value: Value) -> str:
    """The kind is said where the value does not tell it."""
    told = not isinstance(value, Ref) and value != ()
    return f"{name}{'' if told else f': {kind}'} = {_value(value, kind)}"


def _value(value: Value, kind: Kind) -> str:
    if isinstance(value, Branch):
        return str(value)
    if isinstance(value, Ref):
        return f"@{value.name}"
    if isinstance(value, tuple):
        single = Kind.FLOAT if kind is Kind.FLOATS else Kind.INT
        return f"[{', '.join(_value(each, single) for each in value)}]"
    if kind is Kind.FLOAT:
        return _real(float(value))
    return json.dumps(value) if isinstance(value, str) else str(value)


def _real(value: float) -> str:
    """The syntax tells floats from integers by a dot or an exponent; infinity has a word."""
    if math.isinf(value):
        return "-inf" if value < 0 else "inf"
    text = repr(value)
    return text if any(mark in text for mark in ".en") else f"{text}.0"
