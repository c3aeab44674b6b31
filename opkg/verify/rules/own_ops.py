"""Ops of packages in a rule's graph: positions of operands become tensors and params, the reference gives the values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from opkg.rules.core import HtpType
from opkg.rules.sim.model import Output
from opkg.spec.dtypes import DType, Kind
from opkg.spec.evaluate import Env, EvaluationError, TensorInfo, Unknown, evaluate
from opkg.spec.infer import Call as SpecCall
from opkg.spec.infer import check_call
from opkg.spec.model import Combination, Op, OpPackage, ParamSpec, TensorSpec, Tolerance, Value
from opkg.verify.cases.calls import Giving, possible_calls
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.reference import Meaning
from opkg.verify.judge.tolerance import tolerance_for
from opkg.verify.meaning.numbers import Array, Quant, encode, steps
from opkg.verify.rules.meaning import Arg, Call, Shape, Unfit
from opkg.verify.rules.tensors import Value as NodeValue
from opkg.verify.rules.tensors import quant_of

HTP_RANK = 4  # tensors of lower rank get leading ones in HTP's graphs


@dataclass(frozen=True, slots=True)
class Bound:
    """Operands of one call of an op, by position: the tensors, then the params that are given."""

    combination: Combination
    giving: Giving
    inputs: tuple[tuple[TensorSpec, TensorInfo, Arg], ...]
    call: SpecCall
    env: Env


class _NotThis(Exception):
    """One form does not fit; `fitting`: how far it did."""

    def __init__(self, message: str, fitting: int) -> None:
        super().__init__(message)
        self.fitting = fitting


def is_type(dtype: DType, found: HtpType) -> bool:
    """Whether tensors of a spec's element type may stand in HTP's graphs under this one (signed ones arrive unsigned)."""
    return found.name in (dtype.htp, dtype.qhpi)


def htp_type(dtype: DType) -> HtpType | None:
    """HTP's type for a spec's element type; None when it has none."""
    return HtpType[dtype.htp] if dtype.htp else None


def to_rank(shape: Shape, low: int, high: int) -> Shape:
    """The shape with as few changes of leading ones as the ranks demand."""
    while len(shape) > high and shape[0] == 1:
        shape = shape[1:]
    return (1,) * (low - len(shape)) + shape


def in_graph(shape: Shape) -> Shape:
    """A tensor's shape as graphs have it: rank 4 at least."""
    return (1,) * (HTP_RANK - len(shape)) + shape


@dataclass(frozen=True, slots=True)
class OwnOp:
    """One op of a package with its reference."""

    package: OpPackage
    op: Op
    reference: Meaning

    def tolerance(self, dtype: DType) -> Tolerance:
        return tolerance_for(self.op, dtype)

    def givings(self, count: int, combination: Combination) -> Iterator[Giving]:
        """Calls with that many operands."""
        for giving in possible_calls(self.op, combination):
            if not giving.nulls and sum(n for _, n in giving.inputs) + len(giving.params) == count:
                yield giving

    def counts(self) -> frozenset[int]:
        """All numbers of operands that a call can have."""
        return frozenset(
            sum(n for _, n in giving.inputs) + len(giving.params)
            for combination in self.op.combinations
            for giving in possible_calls(self.op, combination)
            if not giving.nulls
        )

    def bind(self, call: Call) -> Bound:
        """The first reading of the operands that the spec allows. Raises Unfit with the spec's first complaint."""
        complaint, closest = f"{self.op.name} has no form with {len(call.args)} operands", -1
        for combination in self.op.combinations:
            for giving in self.givings(len(call.args), combination):
                try:
                    return self._bound(call, combination, giving)
                except _NotThis as wrong:
                    if wrong.fitting > closest:
                        complaint, closest = str(wrong), wrong.fitting
        raise Unfit(complaint)

    def _types(self, spec: TensorSpec) -> str:
        """`float32 or ufixed8`: the element types that a tensor may have."""
        return " or ".join(dict.fromkeys(spec.dtype.of(c).name for c in self.op.combinations))

    def _bound(self, call: Call, combination: Combination, giving: Giving) -> Bound:
        args = list(call.args)
        inputs: list[tuple[TensorSpec, TensorInfo, Arg]] = []
        counts = dict(giving.inputs)
        for spec in self.op.inputs:
            dtype = spec.dtype.of(combination)
            for _ in range(counts.get(spec.name, 0)):
                arg = args.pop(0)
                if not is_type(dtype, arg.output.dtype):
                    message = f"{spec.name} of {self.op.name} is {self._types(spec)}, not {arg.output.dtype.name}"
                    raise _NotThis(message, len(inputs))
                inputs.append((spec, _info(spec, dtype, arg), arg))
        params = {p.name: _param(p, args.pop(0).array) for p in self.op.params if p.name in giving.params}
        tensors: dict[str, tuple[TensorInfo, ...]] = {spec.name: () for spec in self.op.inputs}
        for spec, info, _ in inputs:
            tensors[spec.name] += (info,)
        given = dict(tensors)
        for spec, (_, count) in zip(self.op.outputs, giving.outputs, strict=False):
            given[spec.name] = (self._output(spec, combination, call),) * count
        checked = check_call(self.op, combination, given, params)
        if checked.violations:
            raise _NotThis(checked.violations[0], len(call.args) + 1)
        env = Env(
            checked.dims, checked.rests, dict(checked.params), frozenset(params), tensors, dict(combination.types)
        )
        return Bound(combination, giving, tuple(inputs), checked, env)

    def _output(self, spec: TensorSpec, combination: Combination, call: Call) -> TensorInfo:
        """What is asked of an output: its quantization when the node has been described, else nothing."""
        dtype = spec.dtype.of(combination)
        if len(self.op.outputs) > 1 or call.dtype in (HtpType.Multi, HtpType.UNKNOWN):
            return TensorInfo(None, dtype)
        if not is_type(dtype, call.dtype):
            message = f"{spec.name} of {self.op.name} is {dtype} there, the node is described as {call.dtype.name}"
            raise _NotThis(message, len(call.args))
        quant = None if call.output is None else _signed(dtype, call.output)
        if quant is None:
            return TensorInfo(None, dtype)
        return TensorInfo(None, dtype, quant.scale, quant.offset)

    def compute(self, call: Call) -> NodeValue:
        """Real values by the reference. Raises Unfit for a call that the spec does not allow, OpkgError for a reference
        that fails."""
        bound = self.bind(call)
        outputs = []
        for spec in self.op.outputs:
            shape = bound.call.outputs[spec.name]
            if shape is None:
                shape = call.shape
            if shape is None:
                raise Unfit(f"the shape of {spec.name} does not follow from the operands")
            shapes = shape if shape and isinstance(shape[0], tuple) else (shape,)
            if spec.name in dict(bound.giving.outputs):
                dtype = spec.dtype.of(bound.combination)
                outputs += [CaseTensor(spec.name, spec, dtype, tuple(s)) for s in shapes]  # type: ignore[arg-type]
        params = tuple(self.case_param(p, bound) for p in self.op.params if p.name in bound.call.params)
        case = Case(
            self.op, bound.combination, "rule", self.op.span, self._case_inputs(bound), params, tuple(outputs)
        )  # fmt: skip
        found = tuple(_lifted(array, call.shape if len(outputs) == 1 else None) for array in self.reference(case))
        return found if len(self.op.outputs) > 1 or len(found) > 1 else found[0]

    def _case_inputs(self, bound: Bound) -> tuple[CaseTensor, ...]:
        made, numbers = [], dict.fromkeys((s.name for s, _, _ in bound.inputs), 0)
        for spec, info, arg in bound.inputs:
            name = spec.name if spec.variadic is None else f"{spec.name}.{numbers[spec.name]}"
            numbers[spec.name] += 1
            quant, shape = _signed(info.dtype, arg.output), info.shape or ()
            stored = _unrounded(arg.array.reshape(shape), info.dtype, quant)
            made.append(CaseTensor(name, spec, info.dtype, shape, quant, stored))
        for spec in self.op.inputs:
            if spec.name not in numbers and spec.variadic is None:
                made.append(CaseTensor(spec.name, spec, spec.dtype.of(bound.combination), (), absent=True))
        return tuple(made)

    def case_param(self, param: ParamSpec, bound: Bound) -> CaseParam:
        value: Value = bound.call.params[param.name]
        shape: Shape | None = None
        if param.shape is not None and isinstance(value, tuple):
            try:
                computed = evaluate(param.shape.tree, bound.env)
            except (EvaluationError, Unknown):
                computed = (len(value),)
            shape = tuple(int(d) for d in computed) if isinstance(computed, tuple) else (len(value),)
        return CaseParam(param, value, shape, param.name in bound.giving.params)


def _unrounded(real: Array, dtype: DType, quant: Quant | None) -> Array:
    """Stored numbers with all digits that the real values have: an exact run stays exact."""
    if dtype.quantized and quant is not None:
        return steps(real, quant)
    return real.astype(np.float64) if dtype.kind is Kind.FLOAT else encode(real, dtype, quant)


def _signed(dtype: DType, output: Output) -> Quant | None:
    """The quantization for the spec's element type: signed ones that arrive unsigned have their offset moved back."""
    found = quant_of(output) if dtype.quantized else None
    if found is None or not (dtype.kind is Kind.SFIXED and output.dtype in (HtpType.QUInt8, HtpType.QUInt16)):
        return found
    half = 1 << (dtype.bits - 1)
    return replace(found, offsets=tuple(o + half for o in found.offsets))


def _info(spec: TensorSpec, dtype: DType, arg: Arg) -> TensorInfo:
    shape = to_rank(arg.shape, spec.ranks.low, spec.ranks.high)
    quant = _signed(dtype, arg.output)
    return TensorInfo(shape, dtype) if quant is None else TensorInfo(shape, dtype, quant.scale, quant.offset)


def _param(param: ParamSpec, values: Array) -> Value:
    flat = values.reshape(-1).tolist()
    kind = bool if param.dtype.kind is Kind.BOOL else float if param.dtype.kind is Kind.FLOAT else int
    found = [kind(v) for v in flat]
    if param.shape is None:
        if len(found) != 1:
            raise Unfit(f"param {param.name} is one number, the operand has {len(found)}")
        return found[0]
    return tuple(found)


def _lifted(array: Array, wanted: Shape | None) -> Array:
    """A result in the rank that graphs have, or in that of the node when only leading ones tell them apart."""
    if wanted is not None and to_rank(wanted, 0, array.ndim) == array.shape:
        return array.reshape(wanted)
    return array.reshape(in_graph(array.shape))
