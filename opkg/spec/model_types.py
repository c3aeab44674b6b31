"""Element types of an op in the model of a spec: type variables, what tensors refer to, combinations."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DType


@dataclass(frozen=True, slots=True)
class TypeVar:
    """A type variable of an op (`T: [float32, ufixed8]`), or a tensor's own list of types under the tensor's name."""

    name: str
    dtypes: tuple[DType, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class TypeRef:
    """The element type of a tensor or param: a type variable or one fixed type."""

    var: str | None
    fixed: DType | None

    def of(self, combination: Combination) -> DType:
        """The element type under one combination."""
        return self.fixed if self.fixed is not None else combination.dtype(self.var or "")


@dataclass(frozen=True, slots=True)
class Combination:
    """One allowed assignment of element types to the type variables: one kernel signature (or more, by layout)."""

    types: tuple[tuple[str, DType], ...]

    def dtype(self, var: str) -> DType:
        """The element type of a type variable; KeyError when there is none of that name."""
        for name, dtype in self.types:
            if name == var:
                return dtype
        raise KeyError(var)

    @property
    def suffix(self) -> str:
        """Short name for function names: `u8`, `f32_i32`; empty when the op has no type variable."""
        return "_".join(dtype.suffix for _, dtype in self.types)

    def __str__(self) -> str:
        return ", ".join(f"{name}={dtype}" for name, dtype in self.types)
