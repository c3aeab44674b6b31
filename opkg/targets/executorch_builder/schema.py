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
    returns = ["Tensor[]" if output.variadic else "Tensor" for output in op.outputs]
    result = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
    return f"{snake(op.name)}({', '.join(_arguments(op))}) -> {result}"


def out_schema(op: Op) -> str:
    """The variant that writes its results into arguments: `relu.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)`."""
    arguments = _arguments(op)
    arguments += [] if "*" in arguments else ["*"]
    taken = {*(t.name for t in op.inputs), *(p.name for p in op.params)}
    several = len(op.outputs) > 1
    returns = []
    for at, output in enumerate(op.outputs):
        name, alias = f"out{at if several else ''}", _alias(at)
        name = f"{name}_" if name in taken else name
        arguments.append(f"Tensor({alias}!){'[]' if output.variadic else ''} {name}")
        returns.append(f"Tensor({alias}!)")
    result = "()" if op.outputs[0].variadic else f"({', '.join(returns)})" if several else returns[0]
    return f"{snake(op.name)}.out({', '.join(arguments)}) -> {result}"


def _alias(at: int) -> str:
    """`a`, `b`, ..., `z`, `aa`: names of what is written."""
    return chr(ord("a") + at) if at < 26 else "a" + _alias(at - 26)


def _arguments(op: Op) -> list[str]:
    arguments: list[str] = []
    specs: list[TensorSpec | ParamSpec] = [*op.inputs, *op.params]
    defaults = False
    for spec in specs:
        text, default = _input(spec) if isinstance(spec, TensorSpec) else _param(spec)
        if default is None and defaults and "*" not in arguments:
            arguments.append("*")
        defaults = defaults or default is not None
        arguments.append(text if default is None else f"{text}={default}")
    return arguments


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
