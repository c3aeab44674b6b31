"""The part of the model that says how an op is tested: reference, tolerances, the user's own cases."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DType

Value = bool | int | float | tuple[bool, ...] | tuple[int, ...] | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """`module:function`: numpy on real values, looked up beside the spec and then in the project root.

    Called with inputs and params by name: quantized and float tensors as float64 of real values, integers as int64,
    bools as bool; an absent optional input is None, a variadic one a list. Returns one array, or a tuple per output.
    """

    module: str
    function: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Allowed error: `lsb` steps, or `ulp` units in the last place, or abs + rel * |expected|. None: not used."""

    lsb: float | None = None
    ulp: float | None = None
    abs: float | None = None
    rel: float | None = None

    def __str__(self) -> str:
        named = (("lsb", self.lsb), ("ulp", self.ulp), ("abs", self.abs), ("rel", self.rel))
        return " + ".join(f"{value:g} {unit}" for unit, value in named if value is not None) or "exact"


@dataclass(frozen=True, slots=True)
class TensorCase:
    """What a test case says of one input or output; what is unset is chosen by the case generator.

    `values` are real values, row-major. `scale` and `offset` as in QNN. A variadic input has one TensorCase each.
    """

    shape: tuple[int, ...] | None = None
    values: tuple[float, ...] | None = None
    scale: float | None = None
    offset: int | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test case of the user's: tensors and params that are named are fixed, the rest is generated."""

    __test__ = False  # not a pytest class
    name: str
    when: tuple[tuple[str, DType], ...]
    tensors: tuple[tuple[str, tuple[TensorCase, ...]], ...]
    params: tuple[tuple[str, Value], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tests:
    """Tolerances per output element type and the user's own cases."""

    tolerance: tuple[tuple[DType, Tolerance], ...] = ()
    cases: tuple[TestCase, ...] = ()
