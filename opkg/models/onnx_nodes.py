"""The nodes of a function as they grow: their names, and the tensors and params that come in and go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from opkg.models.onnx_text import Branch, FunctionNode, Kind, Ref, Value
from opkg.spec.compute.types import Type, Types, value_type
from opkg.spec.dtypes import DType
from opkg.spec.dtypes import Kind as Family
from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec

# Numbers of TensorProto.DataType.
ONNX_TYPES = {
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool8": 9, "float16": 10,
    "uint32": 12, "uint64": 13,
}  # fmt: skip
OWN = {Type.REAL: 1, Type.INTEGER: 7, Type.BOOL: 9}  # what values are inside of a function
OWN_NAMES = {Type.REAL: "float", Type.INTEGER: "int64", Type.BOOL: "bool"}


class Unfit(Exception):
    """Why a computation has no function."""


@dataclass(frozen=True, slots=True)
class Held:
    """A value: the name it has, and its type."""

    name: str
    type: Type


class Nodes:
    """The nodes of one function as they grow. `given`: inputs that the call has; `taken`: names that stand for something."""

    def __init__(
        self, op: Op, combinations: Sequence[Combination], given: frozenset[str], opset: int, taken: dict[str, None]
    ) -> None:
        assert op.compute is not None
        self.nodes: list[FunctionNode] = []
        self.least_opset = 13
        self._op, self.combinations, self.given, self.opset = op, combinations, given, opset
        self.types = Types(op.compute, op, combinations[0])
        self.taken = taken
        self.values: dict[tuple[str, str], Held] = {}  # inputs, params and names that were assigned
        self.made: dict[object, str] = {}  # nodes by what they compute: each is written once
        self._like = ""
        self.from_inputs: set[str] = set()
        self.params = {param.name: param for param in op.params}
        self.inputs = {tensor.name: tensor for tensor in op.inputs}

    # Names

    def reserve(self, stem: str) -> str:
        """A new name: the stem and a number."""
        number = 1
        while f"{stem}{number}" in self.taken:
            number += 1
        self.taken[f"{stem}{number}"] = None
        return f"{stem}{number}"

    def emit(self, op_type: str, *inputs: str, name: str = "", **attributes: tuple[Kind, Value]) -> str:
        """A node, or the one that computes the same already; the name of its output."""
        given = tuple((key, kind, value) for key, (kind, value) in attributes.items())
        key = (op_type, inputs, tuple((k, t, repr(v)) for k, t, v in given))
        if key not in self.made or name:
            output = name or self.reserve("c" if op_type == "Constant" else op_type[0].lower() + op_type[1:])
            self.nodes.append(FunctionNode(op_type, inputs, output, given))
            self.made[key] = output
        return self.made[key]

    def choice(self, test: str, then: str, other: str, type_: Type) -> str:
        """An If of two values of one shape, which are computed before it."""
        key = ("If", test, then, other)
        if key not in self.made:
            first, second = (Branch(self.reserve(k), OWN_NAMES[type_], v) for k, v in (("then", then), ("else", other)))
            branches = {"then_branch": (Kind.GRAPH, first), "else_branch": (Kind.GRAPH, second)}
            self.made[key] = self.emit("If", test, name="", **branches)
        return self.made[key]

    def used(self, outputs: Sequence[str]) -> tuple[FunctionNode, ...]:
        """The nodes on which the outputs depend; one whose value is an output, and nothing else, has its name."""
        needed, kept = set(outputs), []
        for node in reversed(self.nodes):
            if node.output in needed:
                needed |= set(node.reads)
                kept.append(node)
        readers = Counter(name for node in kept for name in node.reads)
        copies = {n.inputs[0]: n.output for n in kept if n.op_type == "Identity" and readers[n.inputs[0]] == 1}
        made = {node.output for node in kept} & set(copies)
        left = [n for n in kept if not (n.op_type == "Identity" and n.inputs[0] in made)]
        return tuple(replace(n, output=copies[n.output]) if n.output in made else n for n in reversed(left))

    # What comes in and goes out

    def read(self, tensor: TensorSpec) -> None:
        """An input: halves become float32, integers int64."""
        name = tensor.name
        dtypes = {tensor.dtype.of(combination).name for combination in self.combinations}
        type_ = value_type(tensor.dtype.of(self.combinations[0]))
        if type_ is Type.REAL and not self._like:
            self._like = name
        same = type_ is Type.BOOL or dtypes == {"int64"} or (type_ is Type.REAL and "float16" not in dtypes)
        value = name if same else self.cast(name, OWN[type_])
        self.values["input", tensor.name] = Held(value, type_)

    def param_from_input(self, param: ParamSpec) -> None:
        """A param that is an input of the function: float32, or int32 for all others."""
        type_, name = value_type(param.dtype), param.name
        self.from_inputs.add(name)
        self.values["param", name] = Held(name if type_ is Type.REAL else self.cast(name, OWN[type_]), type_)

    def param_from_attribute(self, param: ParamSpec) -> None:
        real = param.dtype.kind is Family.FLOAT
        kind = (Kind.FLOAT if real else Kind.INT) if param.shape is None else (Kind.FLOATS if real else Kind.INTS)
        type_ = value_type(param.dtype)
        given: dict[str, Any] = {f"value_{kind}": (kind, Ref(param.name))}
        value = self.emit("Constant", **given)
        value = self.cast(value, OWN[type_]) if type_ is Type.BOOL else value
        self.values["param", param.name] = Held(value, type_)

    def write(self, tensor: TensorSpec) -> None:
        """An output, in the element type that the call has."""
        output, held = tensor.name, self.values["assigned", tensor.name]
        dtypes = [tensor.dtype.of(combination) for combination in self.combinations]
        if value_type(dtypes[0]) is Type.REAL:
            value = self.real(held)
            names = {dtype.name for dtype in dtypes}
            if "float16" not in names:
                self.emit("Identity", value, name=output)
            elif names == {"float16"}:
                self.emit("Cast", value, name=output, to=(Kind.INT, ONNX_TYPES["float16"]))
            else:
                self.emit("CastLike", value, self._like, name=output)
            return
        if held.type is Type.BOOL:
            self.emit("Identity", held.name, name=output)
            return
        self.emit("Cast", self.saturated(held.name, dtypes[0]), name=output, to=(Kind.INT, ONNX_TYPES[dtypes[0].name]))

    def needs(self, opset: int, what: str) -> None:
        if self.opset < opset:
            raise Unfit(f"{what} needs opset {opset}")
        self.least_opset = max(self.least_opset, opset)

    # Values

    def number(self, value: bool | int | float, type_: Type) -> str:
        if type_ is Type.REAL:
            return self.emit("Constant", value_float=(Kind.FLOAT, float(value)))
        found = self.emit("Constant", value_int=(Kind.INT, int(value)))
        return self.cast(found, OWN[Type.BOOL]) if type_ is Type.BOOL else found

    def cast(self, value: str, to: int) -> str:
        return self.emit("Cast", value, to=(Kind.INT, to))

    def real(self, held: Held) -> str:
        return held.name if held.type is Type.REAL else self.cast(held.name, OWN[Type.REAL])

    def saturated(self, value: str, dtype: DType) -> str:
        """An int64 value within the ends of an integer type."""
        if dtype.bits == 64:
            return value
        low, high = (self.number(end, Type.INTEGER) for end in dtype.limits)
        return self.emit("Clip", value, low, high)
