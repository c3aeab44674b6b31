"""Names and literals of generated C++: guards, defaults, comments."""

from __future__ import annotations

import re

from opkg.spec.dtypes import Kind
from opkg.spec.model import ParamSpec, Value
from opkg.spec.names import snake as snake
from opkg.targets.qnn_common.names import camel as camel
from opkg.targets.qnn_common.names import comment as comment
from opkg.targets.qnn_common.validation_params import float_literal, literal, wide

# What generated functions call their own variables, and what those of a test are called from.
_OURS = frozenset(
    re.findall(
        r"\w+",
        "axis_ buffer cgen compile compiler data dims execution executors filled first fn graph i info model node op "
        "operands operation options output outputs inputs package param params reduced scale shape shapes start subg table "
        "type value values view zero_point",
    )
)


def variable(name: str) -> str:
    """A name of the spec's as a C++ variable that cannot meet one of ours."""
    return f"{name}_" if name in _OURS or name.endswith("_") else name


def guard(place: str, name: str) -> str:
    """The include guard of a header, as onert's are: `__ONERT_IR_OPERATION_SCALED_ADD_H__`."""
    return f"__ONERT_{place}_{snake(name).upper()}_H__"


def number(value: int | float, param: ParamSpec | None = None) -> str:
    """A number of a condition: as the param's type has it, or float32."""
    if param is None or param.dtype.kind is Kind.FLOAT:
        return float_literal(value)
    return wide(int(value))


def literal_of(param: ParamSpec, value: Value) -> str:
    """A value of a param as C++ initialises it."""
    values = value if isinstance(value, tuple) else (value,)
    texts = [literal(param, item) for item in values]
    return "{" + ", ".join(texts) + "}" if param.shape is not None else texts[0]
