"""Params as members of C++ structs."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression
from opkg.spec.model import ParamSpec
from opkg.targets.qnn_common.validation_params import literal


def param_cpp(param: ParamSpec) -> str:
    """The C++ type of a scalar param or of an element of a tensor param."""
    return {"float16": "float", "bool8": "bool"}.get(param.dtype.name, param.dtype.cpp)


def default_text(param: ParamSpec) -> str:
    """What a param's member starts with: its default where that is a value, else nothing but zero."""
    if param.shape is not None:
        values = param.default
        if values is None or isinstance(values, Expression):
            return ""
        listed = values if isinstance(values, tuple) else (values,)
        return "{" + ", ".join(literal(param, value) for value in listed) + "}"
    if param.default is None or isinstance(param.default, Expression):
        return {Kind.FLOAT: "0.0f", Kind.BOOL: "false"}.get(param.dtype.kind, "0")
    return literal(param, param.default)
