"""Checks one call of an op against its spec and infers the output shapes: the Python twin of the generated validation.

What a call must fulfil, in the order in which violations are reported (generated C++ must agree on each):

1. every mandatory tensor is there, counts of variadic ones fit, element types are those of the combination;
2. ranks fit, every dimension is at least 1;
3. dimensions bind: a bare name in an input's shape takes the first value it meets (inputs in order, then params whose
   shape names it), every later one must be equal; `name...` binds a run, `...` fits anything;
4. params: defaults fill in, in order; values fit element type, enum, range, axis; the number of elements fits.
   Params of float32 and float16 are rounded to that type first, and so are the ends of their ranges;
5. shapes of inputs that are not plain lists of names equal the value of their expressions;
6. output shapes are inferred (every dimension at least 1) and equal the ones given, if any;
7. constraints hold. One that names, unguarded, an absent tensor or an unbound dimension is not checked
   (`opkg.spec.requirements`);
8. quantization is as demanded, compared in float32; only for tensors whose element type is quantized. `symmetric` means
   offset 0 for signed and -2**(bits-1) for unsigned types. A tensor without `axis` must not be quantized per channel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from opkg.spec.bind import Binder, check_shape
from opkg.spec.check_params import fill_params
from opkg.spec.check_quant import check_quantization
from opkg.spec.evaluate import Env, EvaluationError, Shape, TensorInfo, Unknown, evaluate
from opkg.spec.expr import Rest, ShapeList, Tree
from opkg.spec.model import Combination, Op, TensorSpec, Value
from opkg.spec.requirements import requirements
from opkg.spec.shapes import text_of

Given = TensorInfo | tuple[TensorInfo, ...] | None


@dataclass(frozen=True, slots=True)
class Call:
    """What a call comes to. `outputs`: per output the shape, or a tuple of shapes for a variadic one, or None when the
    spec does not determine it (`...`) and the call does not give it. `params`: all values, defaults filled in, without
    mandatory ones that are missing. `violations`: empty exactly when the call is allowed.
    """

    outputs: dict[str, Shape | tuple[Shape, ...] | None]
    params: dict[str, Value]
    dims: dict[str, int]
    rests: dict[str, Shape]
    violations: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.violations


def check_call(op: Op, combination: Combination, tensors: Mapping[str, Given], params: Mapping[str, Value]) -> Call:
    """Check a call of `op` and infer its output shapes.

    `tensors`: inputs by name, None or missing when absent; outputs may be given too, then they are checked (shape None:
    only the count and the quantization are). A variadic tensor is a tuple. `params`: values by name, row-major tuples
    for tensor params. Never raises for a wrong call: violations say what is wrong.
    """
    violations: list[str] = []
    env = _environment(op, combination, tensors, params, violations)
    binder = Binder(env, frozenset(op.dims), violations)
    for spec in op.inputs:
        for info in env.tensors[spec.name]:
            binder.tensor(spec, info)
    fill_params(op, params, env, binder, violations)
    for spec in op.inputs:
        for info in env.tensors[spec.name]:
            check_shape(spec.name, spec.shape.tree, info.shape or (), env, violations)
    outputs = _outputs(op, combination, env, tensors, violations)
    _constraints(op, env, violations)
    check_quantization(op, env, violations)
    return Call(outputs, dict(env.params), dict(env.dims), dict(env.rests), tuple(violations))


def _environment(
    op: Op, combination: Combination, tensors: Mapping[str, Given], params: Mapping[str, Value], violations: list[str]
) -> Env:
    """The tensors of the call as tuples, checked for presence, count, element type, rank and positive dimensions."""
    known: dict[str, tuple[TensorInfo, ...]] = {}
    for spec in op.tensors:
        given = tensors.get(spec.name)
        infos = given if isinstance(given, tuple) else (given,) if given is not None else ()
        known[spec.name] = infos
        is_output = spec in op.outputs
        if not infos and not spec.optional and not is_output:
            violations.append(f"input '{spec.name}' is missing")
        if infos or not is_output:
            _check_count(spec, len(infos), violations)
        for info in infos:
            _check_tensor(spec, info, combination, violations)
    for name in tensors:
        if name not in known:
            violations.append(f"{op.name} has no tensor '{name}'")
    types = dict(combination.types)
    given_params = frozenset(params)
    return Env(given=given_params, tensors=known, types=types)


def _check_count(spec: TensorSpec, count: int, violations: list[str]) -> None:
    if spec.variadic is None:
        if count > 1:
            violations.append(f"'{spec.name}' is one tensor, not {count}")
        return
    least, most = spec.variadic
    if count and not least <= count <= most:
        violations.append(f"'{spec.name}' is given {count} times; allowed are {least} to {most}")


def _check_tensor(spec: TensorSpec, info: TensorInfo, combination: Combination, violations: list[str]) -> None:
    wanted = spec.dtype.of(combination)
    if info.dtype is not wanted:
        violations.append(f"'{spec.name}' has element type {info.dtype}, not {wanted}")
    if info.shape is None:
        return
    rank = len(info.shape)
    if rank not in spec.ranks:
        low, high = spec.ranks.low, spec.ranks.high
        allowed = f"{low}" if low == high else f"{low} to {high}"
        violations.append(f"'{spec.name}' has rank {rank}; allowed is {allowed}")
    if any(dim < 1 for dim in info.shape):
        violations.append(f"'{spec.name}' has shape {text_of(info.shape)}; every dimension must be at least 1")


def _outputs(
    op: Op, combination: Combination, env: Env, tensors: Mapping[str, Given], violations: list[str]
) -> dict[str, Shape | tuple[Shape, ...] | None]:
    """Shapes of all outputs; completes `env` with them for the constraints."""
    result: dict[str, Shape | tuple[Shape, ...] | None] = {}
    for spec in op.outputs:
        given = env.tensors[spec.name]
        absent = spec.optional and spec.name in tensors and not given
        shape = None if absent else _inferred(spec, env, violations)
        if not given and not absent:
            count = spec.variadic[0] if spec.variadic else 1
            given = (TensorInfo(None, spec.dtype.of(combination)),) * count
        final: list[TensorInfo] = []
        for info in given:
            if info.shape is None:
                final.append(replace(info, shape=shape))
                continue
            final.append(info)
            check_shape(spec.name, spec.shape.tree, info.shape, env, violations, output=True)
        env.tensors[spec.name] = tuple(final)
        shapes = tuple(info.shape for info in final if info.shape is not None)
        if spec.variadic:
            result[spec.name] = shapes if len(shapes) == len(final) else None
        else:
            result[spec.name] = shapes[0] if shapes else None
    return result


def _inferred(spec: TensorSpec, env: Env, violations: list[str]) -> Shape | None:
    """The shape of an output by its expression, or None when it has `...` or hangs on what the call lacks."""
    tree = spec.shape.tree
    if isinstance(tree, ShapeList) and any(isinstance(item, Rest) and item.name is None for item in tree.items):
        return None
    try:
        shape = evaluate(tree, env)
    except Unknown as unknown:
        if not violations:
            violations.append(f"cannot infer the shape of '{spec.name}': {unknown}")
        return None
    except EvaluationError as failure:
        violations.append(f"cannot infer the shape of '{spec.name}': {failure}")
        return None
    assert isinstance(shape, tuple)
    if any(dim < 1 for dim in shape):
        violations.append(f"'{spec.name}' would have shape {text_of(shape)}; every dimension must be at least 1")
        return None
    if len(shape) not in spec.ranks:
        violations.append(f"'{spec.name}' would have rank {len(shape)}")
        return None
    return shape


def _constraints(op: Op, env: Env, violations: list[str]) -> None:
    for constraint in op.constraints:
        tree = constraint.require.tree
        if not _checkable(tree, op, env):
            continue
        try:
            if not evaluate(tree, env):
                violations.append(constraint.message)
        except Unknown:
            continue
        except EvaluationError as failure:
            violations.append(f"{constraint.message} ({failure})")


def _checkable(tree: Tree, op: Op, env: Env) -> bool:
    """Whether all that the constraint needs is there."""
    for name in requirements(tree):
        if name in env.tensors:
            if not env.tensors[name]:
                return False
        elif (name in op.dims and name not in env.dims) or (name in op.rests and name not in env.rests):
            return False
    return True
