"""The defaults of an op's params against its constraints and the ranges that are expressions: what calls without params get."""

from __future__ import annotations

from opkg.spec.check_op import names_in
from opkg.spec.check_params import check_range, in_memory
from opkg.spec.diagnostics import warning
from opkg.spec.evaluate import Env, EvaluationError, Unknown, evaluate
from opkg.spec.expr import Expression
from opkg.spec.model import Constraint, Op, Value
from opkg.spec.scalars import Findings
from opkg.spec.values import elements


def check_defaults(op: Op, findings: Findings) -> None:
    """Warns (OPK180) of defaults that calls are refused with, as far as they are known without tensors. An op may mean that: one
    of two params has to be given."""
    env = Env()
    for param in op.params:
        value = _value(param.default, env)
        if value is not None:
            env.params[param.name] = in_memory(value, param.dtype)
    for param in op.params:
        if param.name not in env.params or param.range is None:
            continue
        found: list[str] = []
        for element in elements(env.params[param.name]):
            check_range(param, param.range, element, env, found)
        if found and param.spans["default"] not in [known.span for known in findings.list]:
            hint = "correct the default or the range"
            findings.list.append(warning("OPK180", f"by default, {found[0]}", param.spans["default"], hint))
    told = [known.span for known in findings.list]
    for constraint in op.constraints:
        if constraint.require.span not in told:
            _constraint(constraint, env, findings)


def _value(default: Value | Expression | None, env: Env) -> Value | None:
    """What a param is in a call that does not set it; None where that needs tensors."""
    if not isinstance(default, Expression):
        return default
    try:
        return evaluate(default.tree, env)  # type: ignore[return-value]
    except (Unknown, EvaluationError):
        return None


def _constraint(constraint: Constraint, env: Env, findings: Findings) -> None:
    named = [name for name in dict.fromkeys(names_in(constraint.require.tree)) if name in env.params]
    if not named:
        return
    try:
        if evaluate(constraint.require.tree, env) is not False:
            return
    except (Unknown, EvaluationError):
        return
    values = ", ".join(f"{name} = {env.params[name]}" for name in named)
    message = f"this does not hold with the defaults ({values}): a call that sets none of them is refused"
    findings.list.append(warning("OPK180", message, constraint.require.span, "correct a default or the condition"))
