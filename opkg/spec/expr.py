"""The expression language of a spec, as a typed tree: shapes, defaults, ranges, constraints, costs.

Syntax is a subset of Python's (read with `ast`, never evaluated as Python) plus `...` and `*name` inside a shape list.
Types are int, float, bool, dtype and shape (a tuple of non-negative ints). Integer `/` and `//` both floor; `%` takes
the sign of the divisor, as in Python. Columns count from 0 within the text of the expression.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from opkg.spec.diagnostics import Span


class Type(StrEnum):
    """The static type of an expression."""

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    DTYPE = "dtype"
    SHAPE = "shape"
    TENSOR = "tensor"


@dataclass(frozen=True, slots=True)
class Num:
    value: int | float
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A dimension, a param, an input or an output; or an element type (`float32`)."""

    id: str
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """`x.shape`, `x.dtype`, `x.rank`, `x.scale`, `x.offset` (QNN's offset: real = (q + offset) * scale), `x.size`."""

    tensor: str
    member: str
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Item:
    """`block[0]` of a tensor param, or `x.shape[-1]` of a shape."""

    base: Tree
    index: Tree
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of FUNCTIONS."""

    function: str
    args: tuple[Tree, ...]
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x` or `not x`."""

    op: str
    operand: Tree
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / // %`, comparisons `== != < <= > >=`, and `and` / `or` (a chain a < b < c is (a < b) and (b < c))."""

    op: str
    left: Tree
    right: Tree
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Select:
    """`a if test else b`."""

    test: Tree
    then: Tree
    other: Tree
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Rest:
    """Any number of dimensions in a shape list: `...` (name is None) or `*name`."""

    name: str | None = None
    col: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ShapeList:
    """`[N, H / 2, ..., 4]`: items are int expressions or at most one Rest."""

    items: tuple[Tree, ...]
    col: int = field(default=0, compare=False)


Tree = Num | Truth | Name | Member | Item | Call | Unary | Binary | Select | Rest | ShapeList


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed, type-checked expression with its source text and place."""

    text: str
    tree: Tree
    type: Type
    span: Span = field(compare=False)


# name: (argument types, result type, meaning). "number" is int or float, "same" is the common type of the arguments.
FUNCTIONS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "rank": (("tensor",), "int", "number of dimensions of a tensor"),
    "size": (("tensor",), "int", "number of elements of a tensor"),
    "count": (("tensor",), "int", "number of tensors given for a variadic input or output"),
    "present": (("tensor",), "bool", "whether an optional input or param was given"),
    "broadcast": (("shape", "..."), "shape", "numpy broadcast of shapes; a tensor stands for its shape"),
    "reduce": (("shape", "axes", "bool"), "shape", "shape with the axes made 1 (third operand true) or dropped"),
    "concat": (("int", "tensor"), "shape", "shape of the variadic input joined along an axis"),
    "product": (("shape",), "int", "product of the dimensions"),
    "min": (("number", "number", "..."), "same", "smallest"),
    "max": (("number", "number", "..."), "same", "largest"),
    "abs": (("number",), "same", "absolute value"),
    "ceil_div": (("int", "int"), "int", "quotient rounded up"),
    "round_up": (("int", "int"), "int", "next multiple of the second operand"),
}
MEMBERS: dict[str, Type] = {
    "shape": Type.SHAPE, "rank": Type.INT, "size": Type.INT, "dtype": Type.DTYPE, "scale": Type.FLOAT,
    "offset": Type.INT,
}  # fmt: skip
