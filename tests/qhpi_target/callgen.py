"""Random calls of an op, right ones and wrong ones, and what Python says of them."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace

from qlib import Call, P, T, float32

from opkg.spec.axis_params import counts_from_end
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.evaluate import Env, EvaluationError, TensorInfo, Unknown, evaluate
from opkg.spec.expr import Member, Name, Rest, ShapeList
from opkg.spec.infer import check_call
from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec
from opkg.targets.qnn_common.arrangements import Order
from opkg.targets.qnn_common.validation import MAX_RANK
from opkg.targets.qnn_htp_qhpi.plan import make_plan

SIZES = (1, 1, 2, 2, 3, 4, 4, 6, 8)
SCALES = tuple(float32(s) for s in (0.1, 0.25, 0.0125, 1.0, 0.005))
OFFSETS = (0, 0, -128, -3, -32768, 7)
FLOATS = (0.0, 0.1, 0.1 + 1e-12, 0.1 - 1e-12, 0.25, 0.5, 0.7, 0.7 + 1e-12, 0.70001, 1.0, -1.0, -0.3, 2.0, 99.0, 1e30)


@dataclass
class Made:
    """A call before it is written down: tensors by name."""

    inputs: dict[str, list[T]]
    outputs: dict[str, list[T]]
    params: dict[str, P]


class Generator:
    """Calls of one op."""

    def __init__(self, op: Op, rng: random.Random) -> None:
        self.op = op
        self.rng = rng

    def call(self) -> Call:
        """A call that tries to be right."""
        rng, op = self.rng, self.op
        combination = rng.choice(op.combinations)
        env = Env(types=dict(combination.types))
        env.dims.update({name: rng.choice(SIZES) for name in op.dims})
        for name in op.rests:
            env.rests[name] = tuple(rng.choice(SIZES) for _ in range(rng.randint(0, 2)))
        params = self.params(env)
        inputs: dict[str, list[T]] = {}
        for spec in op.inputs:
            inputs[spec.name] = self.input(spec, combination, env)
        params = {**params, **self.axes(env)}
        for name, param in self.shaped(env).items():
            params[name] = param
        outputs = self.outputs(combination, inputs, params)
        self.drop_defaults(params)
        flat = [t for spec in op.inputs for t in inputs[spec.name]]
        while flat and flat[-1].null:
            flat.pop()
        outs = [t for spec in op.outputs for t in outputs[spec.name]]
        given = [params[p.name] for p in op.params if p.name in params]
        made = Call(op.name, tuple(flat), tuple(outs), tuple(given))
        return self.written(made) if rng.random() < 0.9 else made

    def written(self, call: Call) -> Call:
        """The call as callers write it: outputs, constants and params of rank 0 have the shape [1]; inputs may have."""

        def one(t: T, always: bool) -> T:
            bare = not t.shape and not t.null
            return replace(t, shape=(1,)) if bare and (always or self.rng.random() < 0.3) else t

        return call.with_(
            inputs=tuple(one(t, t.static) for t in call.inputs),
            outputs=tuple(one(t, True) for t in call.outputs),
            params=tuple(replace(p, shape=(1,)) if p.shape == () else p for p in call.params),
        )

    def input(self, spec: TensorSpec, combination: Combination, env: Env) -> list[T]:
        dtype = spec.dtype.of(combination)
        if spec.optional and self.rng.random() < 0.4:
            return [T(dtype, (), null=True)]
        count = self.rng.randint(*spec.variadic) if spec.variadic else 1
        shape = self.shape(spec, env)
        tensors = []
        for _ in range(count):
            quant = self.quant(spec, dtype, shape, env)
            tensors.append(T(dtype, shape, quant, spec.static))
            scale, offset = quant if quant is not None and not isinstance(quant[1], tuple) else (None, None)
            info = TensorInfo(shape, dtype, scale, offset)
            env.tensors[spec.name] = (*env.tensors.get(spec.name, ()), info)
        return tensors

    def shape(self, spec: TensorSpec, env: Env) -> tuple[int, ...]:
        tree, rng = spec.shape.tree, self.rng
        if not isinstance(tree, ShapeList):
            if not (isinstance(tree, Member) and tree.tensor == spec.name):
                try:
                    return evaluate(tree, env)  # type: ignore[return-value]
                except (Unknown, EvaluationError):
                    pass
            return tuple(rng.choice(SIZES) for _ in range(rng.randint(spec.ranks.low, min(spec.ranks.high, 5))))
        out: list[int] = []
        for item in tree.items:
            if isinstance(item, Rest):
                fixed = len(tree.items) - 1
                most = max(min(spec.ranks.high, 5) - fixed, 0)
                any_ = [rng.choice(SIZES) for _ in range(rng.randint(max(spec.ranks.low - fixed, 0), most))]
                out += env.rests.get(item.name or "", tuple(any_))
                continue
            try:
                value = evaluate(item, env)
            except (Unknown, EvaluationError):
                value = rng.choice(SIZES)
            out.append(max(int(value), 1))  # type: ignore[call-overload]
        return tuple(out)

    def quant(self, spec: TensorSpec, dtype: DType, shape: tuple[int, ...], env: Env):  # type: ignore[no-untyped-def]
        if not dtype.quantized:
            return None
        rule, rng = spec.quantization, self.rng
        scale, offset = rng.choice(SCALES), rng.choice(OFFSETS[:4])
        if rule is None:
            return scale, offset
        middle = 0 if dtype.kind is Kind.SFIXED else -(1 << (dtype.bits - 1))
        offset = middle if rule.symmetric else offset
        if rule.axis is not None:
            axis = rule.axis % max(len(shape), 1)
            return axis, tuple((rng.choice(SCALES), offset) for _ in range(shape[axis] if shape else 1))
        other = env.tensors.get(rule.same_as or "", ())
        if other and other[0].scale is not None:
            return other[0].scale, other[0].offset
        return float32(
            rule.scale
        ) if rule.scale is not None else scale, rule.offset if rule.offset is not None else offset

    def params(self, env: Env) -> dict[str, P]:
        """Scalars that number no dimension."""
        out = {}
        for spec in self.op.params:
            if spec.shape is None and spec.axis_of is None:
                out[spec.name] = P(spec.name, spec.dtype, self.scalar(spec))
                env.params[spec.name] = out[spec.name].value  # type: ignore[assignment]
        return out

    def axes(self, env: Env) -> dict[str, P]:
        out = {}
        for spec in self.op.params:
            if spec.shape is None and spec.axis_of is not None:
                infos = env.tensors.get(spec.axis_of, ())
                rank = len(infos[0].shape or ()) if infos else 4
                low = -rank if spec.dtype.signed else 0
                value = self.rng.randint(low, rank - 1) if self.rng.random() < 0.6 else rank - 1
                out[spec.name] = P(spec.name, spec.dtype, value)
        return out

    def shaped(self, env: Env) -> dict[str, P]:
        out = {}
        for spec in self.op.params:
            if spec.shape is None:
                continue
            try:
                shape = evaluate(spec.shape.tree, env)
            except (Unknown, EvaluationError):
                shape = (self.rng.randint(1, 3),)
            count = 1
            for extent in shape:  # type: ignore[union-attr]
                count *= extent
            out[spec.name] = P(spec.name, spec.dtype, tuple(self.scalar(spec) for _ in range(count)), shape)  # type: ignore[arg-type]
        return out

    def scalar(self, spec: ParamSpec) -> bool | int | float:
        rng = self.rng
        if spec.enum:
            return rng.choice(spec.enum)[1]
        if spec.dtype.kind is Kind.BOOL:
            return rng.random() < 0.5
        if spec.dtype.kind is Kind.FLOAT:
            return rng.choice(FLOATS)
        return rng.randint(0 if not spec.dtype.signed else -4, 5) if rng.random() < 0.5 else rng.randint(1, 4)

    def outputs(self, combination: Combination, inputs: dict[str, list[T]], params: dict[str, P]) -> dict[str, list[T]]:
        given = {name: tuple(map(info, ts)) for name, ts in inputs.items() if not any(t.null for t in ts)}
        checked = check_call(self.op, combination, given, {n: p.value for n, p in params.items()})  # type: ignore[misc]
        env = Env(tensors=dict(given), dims=checked.dims, rests=checked.rests, params=checked.params)
        out = {}
        for spec in self.op.outputs:
            shape = checked.outputs[spec.name]
            if not spec.variadic and isinstance(shape, tuple):
                known: tuple[int, ...] = shape  # type: ignore[assignment]
            elif spec.variadic and shape:
                known = shape[0]  # type: ignore[assignment]
            else:
                known = self.shape(spec, env)
            count = self.rng.randint(*spec.variadic) if spec.variadic else 1
            dtype = spec.dtype.of(combination)
            out[spec.name] = [T(dtype, known, self.quant(spec, dtype, known, env)) for _ in range(count)]
            env.tensors[spec.name] = tuple(map(info, out[spec.name]))
        return out

    def drop_defaults(self, params: dict[str, P]) -> None:
        optional = [p.name for p in self.op.params if p.optional]
        for name in optional:
            if self.rng.random() < 0.3:
                params.pop(name, None)

    # -- wrong calls -------------------------------------------------------------------------------------

    def mutated(self, call: Call) -> Call:
        """The call with one thing changed (which may still be right)."""
        kinds = [
            self.shape_fault, self.shape_fault, self.rank_fault, self.dtype_fault, self.count_fault, self.quant_fault,
            self.static_fault, self.null_fault,
        ]  # fmt: skip
        if self.op.params:
            kinds += [self.value_fault] * 4 + [self.param_fault, self.param_fault, self.param_type_fault]
        return self.rng.choice(kinds)(call)

    def _one(self, call: Call, change) -> Call:  # type: ignore[no-untyped-def]
        """Changes one tensor."""
        at = self.rng.randrange(len(call.inputs) + len(call.outputs)) if call.inputs or call.outputs else 0
        tensors = [*call.inputs, *call.outputs]
        if tensors and not tensors[at].null:
            tensors[at] = change(tensors[at])
        return call.with_(inputs=tuple(tensors[: len(call.inputs)]), outputs=tuple(tensors[len(call.inputs) :]))

    def shape_fault(self, call: Call) -> Call:
        def change(t: T) -> T:
            if not t.shape:
                return t
            at, extent = self.rng.randrange(len(t.shape)), self.rng.choice((0, 1, 2, 3, 5, 7))
            return replace(t, shape=(*t.shape[:at], extent, *t.shape[at + 1 :]))

        return self._one(call, change)

    def rank_fault(self, call: Call) -> Call:
        grown = self.rng.random() < 0.5
        return self._one(
            call,
            lambda t: replace(
                t, shape=(*t.shape, 1) if grown and len(t.shape) < 5 else t.shape[: max(0, len(t.shape) - 1)]
            ),
        )

    def dtype_fault(self, call: Call) -> Call:
        dtype = DTYPES[self.rng.choice(("float32", "ufixed8", "sfixed8", "int32", "ufixed16", "float16", "bool8"))]
        return self._one(call, lambda t: replace(t, dtype=dtype, quant=(0.1, 0) if dtype.quantized else None))

    def count_fault(self, call: Call) -> Call:
        side = "inputs" if self.rng.random() < 0.6 else "outputs"
        tensors = getattr(call, side)
        if self.rng.random() < 0.5 and len(tensors) > 1:
            return call.with_(**{side: tensors[:-1]})
        return call.with_(**{side: (*tensors, *tensors[-1:])})

    def quant_fault(self, call: Call) -> Call:
        rng = self.rng
        pair = (rng.choice(SCALES), rng.choice(OFFSETS))
        choice = rng.randrange(6)

        def change(t: T) -> T:
            if choice == 0:
                return replace(t, quant=None)
            if choice == 1 and t.shape:
                axis = rng.randrange(len(t.shape))
                return replace(t, quant=(axis, tuple((0.5, rng.choice((0, 0, 3))) for _ in range(t.shape[axis]))))
            if choice == 2:
                return replace(t, quant=(rng.choice((0.0, -0.5, float("inf"), float("nan"))), 0))
            if choice == 3 and t.quant is not None and isinstance(t.quant[1], tuple):
                return replace(t, quant=(t.quant[0], t.quant[1] + t.quant[1][:1]))
            return replace(t, quant=pair)

        return self._one(call, change)

    def static_fault(self, call: Call) -> Call:
        at = self.rng.randrange(len(call.inputs)) if call.inputs else 0
        return call.with_(
            inputs=tuple(replace(t, static=not t.static) if i == at else t for i, t in enumerate(call.inputs))
        )

    def null_fault(self, call: Call) -> Call:
        at = self.rng.randrange(len(call.inputs)) if call.inputs else 0
        return call.with_(inputs=tuple(replace(t, null=True) if i == at else t for i, t in enumerate(call.inputs)))

    def value_fault(self, call: Call) -> Call:
        if not call.params:
            return call
        at = self.rng.randrange(len(call.params))
        p = call.params[at]
        values = list(p.value) if isinstance(p.value, tuple) else [p.value]
        if values:
            values[self.rng.randrange(len(values))] = self._wild(p.dtype)
        shape = p.shape
        if shape is not None and len(shape) == 1 and self.rng.random() < 0.4:
            values = values[:-1] if self.rng.random() < 0.5 and len(values) > 1 else [*values, self._wild(p.dtype)]
            shape = (len(values),)
        wild = replace(p, value=tuple(values) if p.shape is not None else values[0], shape=shape)
        return call.with_(params=tuple(wild if i == at else q for i, q in enumerate(call.params)))

    def _wild(self, dtype: DType) -> bool | int | float:
        rng = self.rng
        if dtype.kind is Kind.BOOL:
            return rng.random() < 0.5
        if dtype.kind is Kind.FLOAT:
            return rng.choice((*FLOATS, float("nan"), float("inf"), float("-inf"), 3.4e38, -3.4e38))
        return rng.choice(
            (0, 1, 2, 3, 7, 64, 65, dtype.limits[1], dtype.limits[0], *((-1, -4, -5) if dtype.signed else ()))
        )

    def param_fault(self, call: Call) -> Call:
        """Missing, unknown, twice, in another order."""
        choice, params = self.rng.randrange(4), list(call.params)
        if choice == 0 and params:
            params.pop(self.rng.randrange(len(params)))
        elif choice == 1:
            params.append(P("nothing", DTYPES["int32"], 1))
        elif choice == 2 and params:
            params.append(self.rng.choice(params))
        else:
            self.rng.shuffle(params)
        return call.with_(params=tuple(params))

    def param_type_fault(self, call: Call) -> Call:
        if not call.params:
            return call
        at = self.rng.randrange(len(call.params))
        p = call.params[at]
        if self.rng.random() < 0.5:
            dtype = DTYPES[self.rng.choice(("int32", "uint32", "float32", "bool8", "int16"))]
            one = dtype.kind is Kind.BOOL or 1
            changed = replace(p, dtype=dtype, value=tuple(one for _ in p.value) if isinstance(p.value, tuple) else one)
        elif p.shape is None:
            changed = replace(p, value=(p.value,), shape=(1,))
        else:
            changed = replace(p, value=p.value[0] if isinstance(p.value, tuple) else 0, shape=None)
        return call.with_(params=tuple(changed if i == at else q for i, q in enumerate(call.params)))


def info(t: T) -> TensorInfo:
    if t.quant is None:
        return TensorInfo(t.shape, t.dtype)
    if isinstance(t.quant[1], tuple):
        pairs = t.quant[1]
        return TensorInfo(
            t.shape, t.dtype, None, None, int(t.quant[0]), tuple(s for s, _ in pairs), tuple(o for _, o in pairs)
        )
    return TensorInfo(t.shape, t.dtype, t.quant[0], t.quant[1])


def _assigned(specs: tuple[TensorSpec, ...], tensors: tuple[T, ...]) -> dict[str, tuple[T, ...]] | None:
    """Which tensors of a list are which, by position; None when the number cannot fit."""
    least = sum(0 if s.optional else s.variadic[0] if s.variadic else 1 for s in specs)
    most = sum(s.variadic[1] if s.variadic else 1 for s in specs)
    if not least <= len(tensors) <= most:
        return None
    out: dict[str, tuple[T, ...]] = {}
    left = list(tensors)
    for at, spec in enumerate(specs):
        count = len(left) - (len(specs) - 1 - at) if spec.variadic else 1
        out[spec.name] = tuple(left[:count])
        left = left[count:]
    return out


def _may_be_int(op: Op, spec: ParamSpec, call: Call) -> bool:
    """Attributes of ONNX are signed, and no bools; of bools kernels must have twins, which take all params in order."""
    if spec.dtype.name != "bool8" or spec.shape is not None:
        return spec.dtype.name == "uint32"
    bools = [p.name for p in op.params if p.dtype.name == "bool8" and p.shape is None]
    alike = all(p.dtype.name == "int32" for p in call.params if p.name in bools)
    return alike and make_plan(op).bools_as_ints and [p.name for p in call.params] == [p.name for p in op.params]


def verdict(op: Op, call: Call) -> str:
    """Why Python refuses a call; empty when it accepts."""
    inputs, outputs = _assigned(op.inputs, call.inputs), _assigned(op.outputs, call.outputs)
    if inputs is None or outputs is None:
        return "count"
    if call.inputs and call.inputs[-1].null:
        return "null at the end"
    names = [p.name for p in call.params]
    specs = {p.name: p for p in op.params}
    if len(set(names)) < len(names) or not set(names) <= set(specs):
        return "params"
    for p in call.params:
        wanted = specs[p.name].dtype
        stands_for = p.dtype.name == "int32" and _may_be_int(op, specs[p.name], call)
        if not (p.dtype is wanted or stands_for) or (p.shape is None) != (specs[p.name].shape is None):
            return "param type"
        numbers = p.value if isinstance(p.value, tuple) else (p.value,)
        if counts_from_end(op, specs[p.name]) and any(number >= 0 for number in numbers):
            return "axis"  # kernels see ranks padded in front: it counts from the end
    for spec in op.inputs:
        if spec.static and any(not t.static and not t.null for t in inputs[spec.name]):
            return "static"
    # A null tensor is no tensor: only where an input may be absent.
    given = {name: tuple(info(t) for t in ts if not t.null) for name, ts in {**inputs, **outputs}.items()}
    if any(t.null for s in op.inputs if s.variadic for t in inputs[s.name]):
        return "null"
    if any(len(t.shape) > MAX_RANK for t in (*call.inputs, *call.outputs)):
        return "rank"  # beyond what HTP takes, whatever the spec says
    if any(t.static and len(t.shape) == MAX_RANK and t.dtype.bits == 32 for t in call.inputs):
        return "constant"  # of rank 5 with elements of 32 bits: HTP does not prepare its graph
    if any(not t.shape and not t.null for t in (*(i for i in call.inputs if i.static), *call.outputs)):
        return "rank 0"  # of outputs and constants: HTP does not prepare its graph
    if any(p.shape == () for p in call.params):
        return "rank 0"
    values = {p.name: p.value for p in call.params}
    bools = {p.name for p in op.params if p.dtype.name == "bool8" and p.shape is None}
    values |= {name: bool(value) for name, value in values.items() if name in bools and value in (0, 1)}
    meant = _meant(op, given)
    whys = [check_call(op, c, g, values).violations for c in op.combinations for g in meant]  # type: ignore[arg-type]
    if all(whys):
        return min(whys, key=len)[0]
    return "" if _orders_fit(op, call, given, names) else "order"


def _meant(op: Op, given: dict[str, tuple[TensorInfo, ...]]) -> list[dict[str, tuple[TensorInfo, ...]]]:
    """What a call can mean: [1] stands for rank 0 where that is what the shape must be."""

    def told(spec: TensorSpec) -> bool:
        tree = spec.shape.tree
        own = isinstance(tree, Member) and tree.tensor == spec.name
        return spec in op.outputs or spec.ranks.high == 0 or not (own or isinstance(tree, ShapeList))

    names = [s.name for s in op.tensors if told(s) and [i.shape for i in given[s.name]] == [(1,)]]
    choices = [[(name, given[name]), (name, (replace(given[name][0], shape=()),))] for name in names]
    return [{**given, **dict(choice)} for choice in itertools.product(*choices)]


def _orders_fit(op: Op, call: Call, given: dict[str, tuple[TensorInfo, ...]], names: list[str]) -> bool:
    orders = make_plan(op).orders
    if orders is None:
        return True
    row = next(
        number
        for number, c in enumerate(op.combinations)
        if all(i.dtype is s.dtype.of(c) for s in op.tensors for i in given[s.name][:1])
    )
    nulls = sum(1 << at for at, tensor in enumerate(call.inputs) if tensor.null)
    return Order(row, len(call.inputs), nulls, ",".join(names)) in orders


def calls_of(op: Op, count: int, seed: int) -> list[Call]:
    """Right calls, then wrong ones: right ones with one thing changed (and some that were never right)."""
    rng = random.Random(f"{op.name}/{seed}")
    generator = Generator(op, rng)
    good: list[Call] = []
    for _ in itertools.repeat(None, count * 12):
        call = generator.call()
        if not verdict(op, call):
            good.append(call)
        if len(good) >= count // 2:
            break
    out = list(good[: count // 4])
    while len(out) < count:
        base = rng.choice(good) if good and rng.random() < 0.85 else generator.call()
        out.append(base if rng.random() < 0.05 else generator.mutated(base))
    return out


__all__ = ["Name", "calls_of", "info", "verdict"]
