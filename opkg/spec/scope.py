"""What the names in an op's expressions stand for, and their static types."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.expr import Type


class What(StrEnum):
    """What a name names; the value is how messages call it."""

    DIM = "dimension"
    REST = "run of dimensions"
    PARAM = "param"
    TENSOR_PARAM = "tensor param"
    INPUT = "input"
    OUTPUT = "output"
    TYPE_VAR = "type variable"
    CONSTANT = "enum value"


class Symbol(NamedTuple):
    """One name. `type`: of its value, or of the elements of a tensor param; `value`: of an enum name."""

    what: What
    type: Type
    value: int = 0


_TENSORS = (What.INPUT, What.OUTPUT)


class Scope:
    """The names an expression may use. `op` is named in messages."""

    __slots__ = ("op", "symbols")

    def __init__(self, op: str = "") -> None:
        self.op = op
        self.symbols: dict[str, Symbol] = {}

    def get(self, name: str) -> Symbol | None:
        return self.symbols.get(name)

    def is_tensor(self, name: str) -> bool:
        symbol = self.symbols.get(name)
        return symbol is not None and symbol.what in _TENSORS

    def known(self) -> list[str]:
        """All names, element types included, for hints."""
        return [*self.symbols, *DTYPES]


def value_type(dtype: DType) -> Type:
    """The expression type of a value of an element type."""
    if dtype.kind is Kind.BOOL:
        return Type.BOOL
    return Type.FLOAT if dtype.kind is Kind.FLOAT else Type.INT
