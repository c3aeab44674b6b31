"""A test case as a value: the tensors, params and expected outputs of one call of one op."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DType
from opkg.spec.enums import named
from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec, Value
from opkg.verify.meaning.interval import Interval
from opkg.verify.meaning.numbers import Array, Quant


@dataclass(frozen=True, slots=True, eq=False)
class CaseTensor:
    """One tensor of a call. `name` is unique in the graph (`x`, or `x.0`, `x.1` for a variadic one).

    `stored`: the numbers of an input; None for an output and for an absent optional input (`absent`, rank 0).
    """

    name: str
    spec: TensorSpec
    dtype: DType
    shape: tuple[int, ...]
    quant: Quant | None = None
    stored: Array | None = None
    absent: bool = False

    @property
    def elements(self) -> int:
        count = 1
        for dim in self.shape:
            count *= dim
        return count

    def __str__(self) -> str:
        if self.absent:
            return f"{self.name}: absent"
        shape = "x".join(str(d) for d in self.shape) or "scalar"
        return f"{self.name}: {self.dtype} {shape}" + (f" ({self.quant})" if self.quant else "")


@dataclass(frozen=True, slots=True)
class CaseParam:
    """One param of a call; `given` is False when the package has to use its default, which `value` then holds.

    `value` of a tensor param is row-major; `shape` its shape, None for a scalar.
    """

    spec: ParamSpec
    value: Value
    shape: tuple[int, ...] | None
    given: bool

    def array(self) -> Array:
        """The value as a numpy array of its real type (shape `()` for a scalar)."""
        kind = np.float64 if isinstance(self._first(), float) else np.int64
        if self.spec.dtype.name == "bool8":
            return np.asarray(self.value, dtype=np.bool_).reshape(self.shape or ())
        return np.asarray(self.value, dtype=kind).reshape(self.shape or ())

    def _first(self) -> bool | int | float:
        if isinstance(self.value, tuple):
            return self.value[0] if self.value else 0
        return self.value

    def _shown(self, value: bool | int | float) -> str:
        return f"{value:g}" if isinstance(value, float) else named(self.spec, value)

    def __str__(self) -> str:
        if isinstance(self.value, tuple):
            value = "[" + ", ".join(map(self._shown, self.value)) + "]"
        else:
            value = self._shown(self.value)
        return f"{self.spec.name}={value}" + ("" if self.given else " (default)")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One call of one op under one combination of element types, with what the reference expects (real values)."""

    op: Op
    combination: Combination
    id: str  # unique within the op: "u8-007", or "u8-NAME" for one of the spec's own
    span: Span
    inputs: tuple[CaseTensor, ...]
    params: tuple[CaseParam, ...]
    outputs: tuple[CaseTensor, ...]
    expected: tuple[Array, ...] = field(default=())
    others: tuple[tuple[Array, ...], ...] = field(
        default=()
    )  # right as well: see `opkg.verify.cases.reference.Meaning`
    bounds: tuple[Interval | None, ...] = field(default=())  # of generated kernels: see `opkg.verify.cases.bounded`

    @property
    def tensors(self) -> tuple[CaseTensor, ...]:
        return self.inputs + self.outputs

    def describe(self) -> str:
        """One line: shapes, types, quantisation and params."""
        parts = [str(t) for t in self.inputs] + [str(p) for p in self.params]
        return "; ".join(parts) + " -> " + "; ".join(str(t) for t in self.outputs)
