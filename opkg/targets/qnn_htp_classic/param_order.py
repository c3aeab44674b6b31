"""Order and defaults of the params: DEF_PACKAGE_PARAM_ORDER and the Qnn_Param_t objects it points to."""

from __future__ import annotations

import math
from dataclasses import dataclass

from opkg.spec.axis_params import fixed_rank
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Binary, Call, Expression, Name, Num, ShapeList, Tree, Truth, Unary
from opkg.spec.model import Op, ParamSpec, Value
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.validation import float_literal
from opkg.targets.qnn_htp_classic.unpack import computed


@dataclass(frozen=True, slots=True)
class Default:
    """One Qnn_Param_t object. `dims` is empty for a scalar."""

    name: str  # the C++ variable
    param: str
    qnn: str
    element: str
    values: tuple[str, ...]
    dims: tuple[int, ...]


def constant(op: Op, param: ParamSpec) -> Value | None:
    """The default as a constant: given as one, or computed from ranks that the spec fixes; None when it is neither."""
    if not isinstance(param.default, Expression):
        return param.default
    found = _folded(op, param.default.tree)
    if found is None and computed(op, param):
        return 0  # the kernel does not read it
    return found


def default_dims(param: ParamSpec) -> tuple[int, ...] | None:
    """Dimensions of a tensor param's default; None when the spec leaves them open."""
    tree = param.shape.tree if param.shape is not None else None
    if not isinstance(tree, ShapeList) or not isinstance(param.default, tuple):
        return None
    literal = tuple(item.value for item in tree.items if isinstance(item, Num) and isinstance(item.value, int))
    if len(literal) == len(tree.items):
        return literal if math.prod(literal) == len(param.default) else None
    return (len(param.default),) if len(tree.items) == 1 and isinstance(tree.items[0], Name) else None


def _folded(op: Op, tree: Tree) -> int | float | bool | None:
    match tree:
        case Num(value) | Truth(value):
            return value
        case Call("rank", (Name(name),)):
            tensor = next((t for t in op.tensors if t.name == name), None)
            return (fixed_rank(tensor) or None) if tensor is not None else None
        case Unary("-", operand):
            inner = _folded(op, operand)
            return None if inner is None else -inner
        case Binary(sign, left, right) if sign in ("+", "-", "*"):
            a, b = _folded(op, left), _folded(op, right)
            if a is None or b is None:
                return None
            return a + b if sign == "+" else a - b if sign == "-" else a * b
    return None


def defaults(op: Op) -> list[Default]:
    """The objects for all params with a default. The spec has passed `lint`."""
    out = []
    for param in op.params:
        value = constant(op, param)
        if value is None:
            continue
        values = value if isinstance(value, tuple) else (value,)
        name = f"g_{snake(op.name)}_{param.name}"
        numbers = tuple(_number(param, v) for v in values)
        out.append(Default(name, param.name, param.dtype.qnn, _element(param), numbers, default_dims(param) or ()))
    return out


def order(op: Op, namespace: str) -> list[str]:
    """Arguments of DEF_PACKAGE_PARAM_ORDER behind the op's name, three a param."""
    objects = {default.param: f"&{namespace}::{default.name}" for default in defaults(op)}
    rows = []
    for param in op.params:
        given = objects.get(param.name)
        rows.append(f'"{param.name}", {"false" if given else "true"}, {given or "nullptr"}')
    return rows


def _element(param: ParamSpec) -> str:
    if param.dtype.kind is Kind.FLOAT:
        return "float"
    return "bool" if param.dtype.kind is Kind.BOOL and param.shape is None else param.dtype.cpp


def _number(param: ParamSpec, value: bool | int | float) -> str:
    if param.dtype.kind is Kind.FLOAT:
        return float_literal(value)
    if param.dtype.kind is Kind.BOOL:
        return ("true" if value else "false") if param.shape is None else str(int(value))
    return f"{int(value)}u" if not param.dtype.signed else str(int(value))
