"""All ops that can be computed: core ops with a meaning and ops of packages with a reference."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from opkg.project.discover import root_of
from opkg.rules.core import HtpType
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE
from opkg.spec.diagnostics import OpkgError
from opkg.spec.dtypes import DType
from opkg.spec.model import OpPackage, Tolerance
from opkg.verify.cases.reference import References
from opkg.verify.judge.tolerance import default_tolerance
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.meaning import Call, Meaning, Unfit
from opkg.verify.rules.meanings import meaning_of
from opkg.verify.rules.own_ops import OwnOp
from opkg.verify.rules.tensors import Value

BUILT_IN = frozenset({INPUT, CONST, SHAPE, OUT})


class World:
    """The ops of `packages` and the core's. Paths of specs are relative to `root`, without it to the working directory
    (then each spec's project is looked for)."""

    def __init__(self, packages: Iterable[OpPackage], root: Path | None = None) -> None:
        self._own: dict[str, OwnOp] = {}
        self._missing: dict[str, str] = {}
        loaders: dict[Path, References] = {}
        for package in packages:
            spec = (root or Path()).joinpath(package.path).resolve()
            home = root or Path(root_of(str(spec.parent)))
            references = loaders.setdefault(home, References(home))
            for op in package.ops:
                name = f"{package.name}::{op.name}"
                try:
                    self._own[name] = OwnOp(package, op, references.load(op, spec))
                except OpkgError as failed:
                    self._missing[name] = failed.diagnostics[0].message

    def own(self, op: str) -> OwnOp | None:
        """A package's op by its full name."""
        return self._own.get(op)

    def meaning(self, op: str) -> Meaning | None:
        """The meaning of a core op."""
        return meaning_of(op)

    def why_not(self, op: str) -> str:
        """Why an op cannot be computed; "" when it can."""
        if op in BUILT_IN or op in self._own or meaning_of(op) is not None:
            return ""
        if op in self._missing:
            return self._missing[op]
        return f"{op} has no meaning here"

    def compute(self, call: Call) -> Value:
        """Real values of an op's output, or of each of its outputs. Raises Unfit for operands that it does not allow."""
        own = self._own.get(call.op)
        with np.errstate(all="ignore"):
            if own is not None:
                return own.compute(call)
            meaning = meaning_of(call.op)
            if meaning is None:
                raise KeyError(call.op)
            return _computed(meaning, call)

    def tolerance(self, ops: Iterable[str], dtype: DType) -> Tolerance:
        """What the specs of the ops allow for an output type, the largest of each kind; else what is usual for the type."""
        found = [own.tolerance(dtype) for own in (self._own.get(op) for op in ops) if own is not None]
        return _loosest([default_tolerance(dtype), *found])


def _computed(meaning: Meaning, call: Call) -> Value:
    count = len(call.args)
    if count < meaning.least or (meaning.most >= 0 and count > meaning.most):
        raise Unfit(f"{call.op} with {count} operands")
    if call.dtype is HtpType.Multi and meaning.outputs is None:
        raise Unfit(f"{call.op} has one output")
    try:
        value = meaning.compute(call)
    except (ValueError, IndexError, TypeError, OverflowError, ZeroDivisionError, MemoryError) as wrong:
        raise Unfit(f"{call.op} cannot be computed on these operands: {wrong}") from None
    if isinstance(value, tuple):
        return tuple(_numbers(v) for v in value)
    return _numbers(value)


def _numbers(value: object) -> Array:
    array = np.asarray(value)
    return array.astype(np.int64) if array.dtype.kind == "b" else array


def _loosest(tolerances: list[Tolerance]) -> Tolerance:
    def most(name: str) -> float | None:
        values = [getattr(t, name) for t in tolerances if getattr(t, name) is not None]
        return max(values) if values else None

    return Tolerance(most("lsb"), most("ulp"), most("abs"), most("rel"))
