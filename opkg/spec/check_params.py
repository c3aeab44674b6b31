"""Values of an op's params: defaults, element types, enums, ranges, axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opkg.spec.bind import Binder, element_count
from opkg.spec.dtypes import DType, Kind
from opkg.spec.enums import allowed as allowed_values
from opkg.spec.evaluate import Env, EvaluationError, Unknown, evaluate
from opkg.spec.expr import Expression
from opkg.spec.model import Op, ParamSpec, Range, Value
from opkg.spec.values import elements, fits, stored


def fill_params(op: Op, params: Mapping[str, Value], env: Env, binder: Binder, violations: list[str]) -> None:
    """Put the values of all params into `env.params`: the given ones, then defaults in order; check them all."""
    for spec in op.params:
        if spec.name in params:
            value = params[spec.name]
            if _typed(spec, value, violations):
                env.params[spec.name] = in_memory(value, spec.dtype)
                binder.param(spec, len(elements(value)))
    for name in params:
        if all(spec.name != name for spec in op.params):
            violations.append(f"{op.name} has no param '{name}'")
    for spec in op.params:
        if spec.name not in env.params and spec.name not in params:
            _default(spec, env, binder, violations)
    for spec in op.params:
        if spec.name in env.params:
            _check_value(spec, env.params[spec.name], env, violations)


def _typed(spec: ParamSpec, value: Value, violations: list[str]) -> bool:
    """Whether the value is a scalar or tuple as the spec says, of the right element type."""
    if isinstance(value, tuple) != (spec.shape is not None):
        kind = "a tensor" if spec.shape is not None else "a scalar"
        violations.append(f"param '{spec.name}' must be {kind}")
        return False
    for element in elements(value):
        why = fits(element, spec.dtype)
        if why:
            violations.append(f"param '{spec.name}': {element} {why}")
            return False
    return True


def in_memory(value: Value, dtype: DType) -> Value:
    """A value, or each of a tuple, as its element type holds it."""
    if dtype.kind is not Kind.FLOAT:
        return value
    if isinstance(value, tuple):
        return tuple([stored(float(element), dtype) for element in value])
    return stored(float(value), dtype)


def _default(spec: ParamSpec, env: Env, binder: Binder, violations: list[str]) -> None:
    default = spec.default
    if default is None:
        violations.append(f"param '{spec.name}' is missing")
        return
    if isinstance(default, Expression):
        try:
            value: Any = evaluate(default.tree, env)
        except Unknown as unknown:
            if not violations:  # else its reason is reported already
                violations.append(f"default of param '{spec.name}': {unknown}")
            return
        except EvaluationError as failure:
            violations.append(f"default of param '{spec.name}': {failure}")
            return
    else:
        value = default
    if _typed(spec, value, violations):
        env.params[spec.name] = in_memory(value, spec.dtype)
        binder.param(spec, len(elements(value)))


def _check_value(spec: ParamSpec, value: Value, env: Env, violations: list[str]) -> None:
    try:
        count = element_count(spec, env)
    except EvaluationError as failure:
        violations.append(f"shape of param '{spec.name}': {failure}")
        count = None
    if count is not None and count != len(elements(value)):
        violations.append(f"param '{spec.name}' has {len(elements(value))} elements, not {count}")
    allowed = [number for _, number in spec.enum]
    for element in elements(value):
        if allowed and element not in allowed:
            violations.append(f"param '{spec.name}' is {element}; allowed are {allowed_values(spec)}")
        if spec.range is not None:
            check_range(spec, spec.range, element, env, violations)
        if spec.axis_of is not None:
            _check_axis(spec, spec.axis_of, element, env, violations)


def check_range(spec: ParamSpec, range_: Range, element: Any, env: Env, violations: list[str]) -> None:
    """Adds to `violations` what of its range an element breaks; an end that is not known in `env` does not count."""
    for end, is_low, is_open in ((range_.low, True, range_.low_open), (range_.high, False, range_.high_open)):
        if end is None:
            continue
        try:
            limit: Any = evaluate(end.tree, env)
        except Unknown:
            continue
        except EvaluationError as failure:
            violations.append(f"range of param '{spec.name}': {failure}")
            continue
        if spec.dtype.kind is Kind.FLOAT:
            limit = stored(float(limit), spec.dtype)
        bad = element < limit if is_low else element > limit
        if bad or (is_open and element == limit):
            sign = (">" if is_open else ">=") if is_low else ("<" if is_open else "<=")
            violations.append(f"param '{spec.name}' is {element}; it must be {sign} {limit}")


def _check_axis(spec: ParamSpec, tensor: str, element: Any, env: Env, violations: list[str]) -> None:
    """An axis counts from 0; from the end when negative (signed params only)."""
    infos = env.tensors.get(tensor, ())
    if not infos or infos[0].shape is None:
        return
    rank = len(infos[0].shape)
    low = -rank if spec.dtype.signed else 0
    if not low <= element < rank:
        violations.append(f"param '{spec.name}' is {element}; '{tensor}' has dimensions {low} to {rank - 1}")
