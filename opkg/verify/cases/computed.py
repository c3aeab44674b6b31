"""A `compute:` as what an op means: the expected outputs of a case, and a comparison with the user's reference."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from opkg.spec.compute.tree import Compute
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error
from opkg.spec.dtypes import Kind
from opkg.spec.model import Op
from opkg.verify.cases.arguments import arguments_of
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.meaning.compute import Stuck, evaluate, evaluate_others
from opkg.verify.meaning.deciding import decides
from opkg.verify.meaning.numbers import Array

MOST_OPEN = 1 << 22  # elements of an output whose shape only its values tell
_ROUNDOFF = {"float32": 2.0**-24, "float16": 2.0**-11}


@dataclass(frozen=True, slots=True)
class Computed:
    """An op's computation as a reference that can be called."""

    op: Op
    compute: Compute

    def __call__(self, case: Case) -> tuple[Array, ...]:
        """The expected outputs of a case, as real values, one per output tensor; raises OpkgError (OPK417, 424, 425)."""
        return self._evaluated(case, exact=True)

    def in_doubles(self, case: Case) -> tuple[Array, ...]:
        """The outputs with decisions made on rounded doubles, as numpy code makes them."""
        return self._evaluated(case, exact=False)

    def _evaluated(self, case: Case, exact: bool) -> tuple[Array, ...]:
        try:
            found = evaluate(self.compute, _values(case), case.combination, exact)
        except Stuck as stuck:
            raise self._fail("OPK424", f"cannot be evaluated: {stuck}", stuck.node.span, case) from None
        return tuple(self._output(found[tensor.spec.name], tensor, case) for tensor in case.outputs)

    def others(self, case: Case) -> tuple[tuple[Array, ...], ...]:
        """Other outputs that are right, too: see `evaluate_others`. Call it after the expected ones."""
        if not any(map(decides, self.compute.statements)):
            return ()
        floats = {t.spec.name: _ROUNDOFF[t.dtype.name] for t in case.tensors if t.dtype.kind is Kind.FLOAT}
        coarsest = max(floats.values(), default=0.0)
        units = {t.spec.name: coarsest for t in case.inputs if t.spec.name in floats}
        found = evaluate_others(self.compute, _values(case), case.combination, units)
        return tuple(tuple(self._output(each[t.spec.name], t, case) for t in case.outputs) for each in found)

    def _output(self, value: Array, tensor: CaseTensor, case: Case) -> Array:
        """The value as an output: one number fills it, anything else has its shape."""
        if value.ndim == 0:
            value = np.broadcast_to(value, tensor.shape)
        if value.shape != tensor.shape:
            message = f"{tensor.name} has the shape {list(value.shape)}, the spec says {list(tensor.shape)}"
            raise self._fail("OPK425", message, self._span(tensor.name), case)
        if tensor.dtype.quantized and value.dtype.kind == "f" and np.any(np.isnan(value)):
            message = f"{tensor.name} holds NaN and is quantized"
            raise self._fail("OPK417", message, self._span(tensor.name), case)
        return value.astype(np.float64) if not tensor.dtype.integral else value.copy()

    def _span(self, name: str) -> Span:
        spans = [statement.span for statement in self.compute.statements if statement.name == name]
        return spans[0] if spans else self.compute.span

    def _fail(self, id: str, message: str, span: Span, case: Case) -> OpkgError:
        hint = f"case {case.id}: {case.describe()}"
        return OpkgError([error(id, f"compute of {case.op.name}: {message}", span, hint)])


def difference(
    op: Op, span: Span, case: Case, said: tuple[Array, ...], computed: tuple[Array, ...]
) -> Diagnostic | None:
    """The finding when reference and computation differ by more than the rounding of float64 arithmetic, else None.

    Allowed: 1e-9 of the value and 1e-12 of the tensor's largest one, for sums are added in another order; integers and
    bools are equal.
    """
    for tensor, a, b in zip(case.outputs, said, computed, strict=True):
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        finite = np.abs(a[np.isfinite(a)])
        room = 1e-12 * float(finite.max()) if finite.size and not tensor.dtype.integral else 0.0
        same = np.isclose(a, b, rtol=0.0 if tensor.dtype.integral else 1e-9, atol=room, equal_nan=True)
        if not np.all(same):
            place = tuple(int(i) for i in np.argwhere(~same)[0])
            where = f"{tensor.name}[{', '.join(map(str, place))}]"
            message = f"compute and reference of {op.name} differ: {where} is {b[place]:.17g} and {a[place]:.17g}"
            return error("OPK426", message, span, f"case {case.id}: {case.describe()}")
    return None


def with_shapes(case: Case, compute: Compute, names: set[str]) -> Case | str:
    """The case with the shapes that outputs have by what the op computes, where the spec leaves them open; or why not."""
    try:
        found = evaluate(compute, _values(case), case.combination, exact=False)
    except Stuck as stuck:
        return f"compute cannot be evaluated: {stuck}"
    outputs = [replace(t, shape=found[t.name].shape) if t.name in names else t for t in case.outputs]
    if any(not 0 < math.prod(tensor.shape) <= MOST_OPEN for tensor in outputs):
        return f"an output without elements, or of more than {MOST_OPEN}"
    return replace(case, outputs=tuple(outputs))


def _values(case: Case) -> dict[str, Array | None]:
    given: dict[str, Any] = arguments_of(case)
    return {name: None if value is None else np.asarray(value) for name, value in given.items()}
