"""What a test case of the spec's own fixes, and how a draft takes it over."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from opkg.spec.bind import Binder
from opkg.spec.diagnostics import OpkgError, error
from opkg.spec.dtypes import DType
from opkg.spec.evaluate import Env, Shape, TensorInfo
from opkg.spec.model import Combination, Op, TensorCase, TestCase, Value
from opkg.verify.cases.calls import Giving
from opkg.verify.cases.draft import Draft, anonymous_rest
from opkg.verify.meaning.numbers import Array, Quant, encode, float32, real_type


def matching(case: TestCase, combination: Combination) -> bool:
    """Whether the case is for this combination of element types."""
    known = dict(combination.types)
    return all(name in known and known[name].name == dtype.name for name, dtype in case.when)


@dataclass(frozen=True, slots=True)
class Fixed:
    """The tensors and params that a test case names; empty for a generated case."""

    op: Op
    tensors: dict[str, tuple[TensorCase, ...]] = field(default_factory=dict)
    params: dict[str, Value] = field(default_factory=dict)

    def allows(self, call: Giving) -> bool:
        """Whether an arrangement gives what the case names and leaves out what it calls absent."""
        counts = dict(call.inputs + call.outputs)
        if any(name not in call.params for name in self.params):
            return False
        for name, given in self.tensors.items():
            absent = any(tensor.absent for tensor in given)
            if counts.get(name, 0) != (0 if absent else len(given)):
                return False
        return True

    def apply(self, draft: Draft) -> None:
        """Sets the fixed shapes and params, and binds the dimensions that follow from them."""
        draft.params.update(self.params)
        draft.locked |= set(self.params)
        env = Env()
        binder = Binder(env, frozenset(draft.op.dims), [])
        for spec in draft.op.inputs:
            shapes = tuple(self._shape(tensor) for tensor in self.tensors.get(spec.name, ()))
            if not shapes or shapes[0] is None:
                continue
            draft.fixed[spec.name] = shapes
            draft.locked.add(spec.name)
            for shape in shapes:
                binder.tensor(spec, TensorInfo(shape, draft.dtype(spec)))
            if anonymous_rest(spec):
                draft.loose[spec.name] = list(shapes[0])
        draft.dims.update(env.dims)
        draft.rests.update({name: list(dims) for name, dims in env.rests.items()})
        draft.locked |= set(env.dims) | set(env.rests)

    @staticmethod
    def _shape(tensor: TensorCase) -> Shape | None:
        if tensor.shape is None and tensor.values is not None:
            return (len(tensor.values),)
        return tensor.shape

    def _of(self, name: str, place: int) -> TensorCase | None:
        given = self.tensors.get(name, ())
        return given[place] if place < len(given) else None

    def quant(self, name: str, place: int, chosen: Quant | None) -> Quant | None:
        """The chosen quantisation with the scale and offset that the case fixes."""
        given = self._of(name, place)
        if given is None or chosen is None or (given.scale is None and given.offset is None):
            return chosen
        count = len(chosen.scales)
        scales = chosen.scales if given.scale is None else (float32(given.scale),) * count
        offsets = chosen.offsets if given.offset is None else (given.offset,) * count
        return Quant(scales, offsets, chosen.axis)

    def values(self, name: str, place: int, dtype: DType, quant: Quant | None, shape: Shape) -> Array | None:
        """The stored numbers of a tensor whose values the case gives, else None."""
        given = self._of(name, place)
        if given is None or given.values is None:
            return None
        real = np.asarray(given.values, dtype=np.float64)
        if dtype.integral:
            real = np.asarray(given.values).astype(real_type(dtype))
        return encode(real.reshape(shape), dtype, quant)


def fixed_by(op: Op, case: TestCase | None) -> Fixed:
    """What a test case fixes; raises OpkgError when values and shape of a tensor disagree."""
    if case is None:
        return Fixed(op)
    for name, given in case.tensors:
        for tensor in given:
            if tensor.shape is None or tensor.values is None:
                continue
            wanted = int(np.prod(tensor.shape, dtype=np.int64))
            if wanted != len(tensor.values):
                message = f"'{name}' has {len(tensor.values)} values for shape {list(tensor.shape)}"
                raise OpkgError([error("OPK421", message, case.span)])
    return Fixed(op, dict(case.tensors), dict(case.params))
