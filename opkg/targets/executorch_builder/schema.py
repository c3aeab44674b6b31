"""The signature of the torch custom op that stands for an op: inputs, then params, in the spec's order."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression
from opkg.spec.model import Op, ParamSpec, TensorSpec, Value
from opkg.spec.names import snake


def schema(op: Op) -> str:
    """`softmax(Tensor x, int? axis=None, float beta=1.0) -> Tensor`, as torch.library takes it.

    A mandatory argument that follows one with a default is keyword-only, and so is all after it.
    """
    arguments: list[str] = []
    specs: list[TensorSpec | ParamSpec] = [*op.inputs, *op.params]
    defaults = False
    for spec in specs:
        text, default = _input(spec) if isinstance(spec, TensorSpec) else _param(spec)
        if default is None and defaults and "*" not in arguments:
            arguments.append("*")
        defaults = defaults or default is not None
        arguments.append(text if default is None else f"{text}={default}")
    returns = ["Tensor[]" if output.variadic else "Tensor" for output in op.outputs]
    result = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
    return f"{snake(op.name)}({', '.join(arguments)}) -> {result}"


def _input(spec: TensorSpec) -> tuple[str, str | None]:
    kind = "Tensor[]" if spec.variadic else "Tensor"
    return (f"{kind}? {spec.name}", "None") if spec.optional else (f"{kind} {spec.name}", None)


def _param(spec: ParamSpec) -> tuple[str, str | None]:
    kind = {Kind.BOOL: "bool", Kind.FLOAT: "float"}.get(spec.dtype.kind, "int")
    kind = kind if spec.shape is None else f"{kind}[]"
    if spec.default is None:
        return f"{kind} {spec.name}", None
    if isinstance(spec.default, Expression):
        return f"{kind}? {spec.name}", "None"
    return f"{kind}? {spec.name}" if _list(spec.default) else f"{kind} {spec.name}", _literal(spec.default)


def _list(value: Value) -> bool:
    return isinstance(value, tuple)


def _literal(value: Value) -> str:
    """List defaults are left to the builder: torch writes them in several ways."""
    return "None" if _list(value) else repr(value)
