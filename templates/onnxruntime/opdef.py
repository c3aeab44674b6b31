"""What the modules of this package know of an op: the records that ops.py is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = bool | int | float | tuple[int, ...] | tuple[float, ...]


@dataclass(frozen=True)
class Tensor:
    """An input or output. `type`: a name in the op's `types`. `layout`: what the dimensions mean, "NHWC"."""

    name: str
    type: str
    optional: bool = False
    static: bool = False
    variadic: bool = False
    layout: str = ""


@dataclass(frozen=True)
class Param:
    """A param: `kind` is that of an ONNX attribute. `default` None: every call gives a value. `axis_of`: it numbers a
    dimension of that tensor, from the end (negative), because kernels see ranks below 4 padded in front. `shape`: of one with
    several dimensions, -1 for a dimension that its value tells."""

    name: str
    kind: str
    default: Value | None = None
    axis_of: str = ""
    shape: tuple[int, ...] = ()

    @property
    def is_float(self) -> bool:
        return self.kind.startswith("float")


@dataclass(frozen=True)
class Function:
    """The op in ONNX's own ops: for a number of inputs, element types of them (a row a choice), and opsets from `opset` on."""

    overload: str
    opset: int
    inputs: int
    types: tuple[tuple[str, ...], ...]
    text: str


@dataclass(frozen=True)
class Op:
    """An op of the package.

    `as_inputs`: params stand behind the inputs as constants, because kernels know them by their place and ONNX keeps no
    order of attributes. `types`: the element types ("float", "uint8") that each name of a type can stand for. `shapes`, of
    an op without functions: shapes of the outputs from those of the inputs and values of the params.
    """

    name: str
    doc: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    params: tuple[Param, ...] = ()
    as_inputs: bool = False
    types: Mapping[str, tuple[str, ...]] | None = None
    functions: tuple[Function, ...] = ()
    shapes: Callable[[Sequence[Any], Mapping[str, Any]], tuple[Any, ...]] | None = None

    @property
    def least_inputs(self) -> int:
        """Inputs that every call has: those at the end may be left out."""
        count = len(self.inputs)
        while count and self.inputs[count - 1].optional:
            count -= 1
        return count
