"""The custom_options of an operator: a flexbuffer map with its params, and the quantization of its tensors.

| key | value |
| --- | --- |
| a param's name | a number, a bool, or a vector of numbers (row-major) for a param with a shape; not there: the default |
| `TENSOR.absent` | true of an optional input that is left out before one that is given: the operator does not list it |
| `TENSOR.scale`, `TENSOR.zero_point` | of each quantized tensor: real = (stored - zero point) * scale |

The runtime does not tell custom kernels how their tensors are quantized. Tensors of a variadic input are numbered: `x.0.scale`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from opkg.spec.dtypes import Kind
from opkg.verify.cases.case import Case, CaseParam, CaseTensor

Value = bool | int | float | list[bool] | list[int] | list[float]


def entries(params: Iterable[CaseParam], tensors: Iterable[CaseTensor]) -> dict[str, Value]:
    """What the map of a call holds, by key."""
    found: dict[str, Value] = {p.spec.name: _value(p) for p in params if p.given}
    listed = list(tensors)
    for place, tensor in enumerate(listed):
        if tensor.absent and any(not later.absent and later.stored is not None for later in listed[place:]):
            found[f"{tensor.name}.absent"] = True
        if tensor.quant is not None and not tensor.absent:
            found[f"{tensor.name}.scale"] = float(tensor.quant.scale)
            found[f"{tensor.name}.zero_point"] = -tensor.quant.offset
    return found


def _value(param: CaseParam) -> Value:
    kind = {Kind.FLOAT: float, Kind.BOOL: bool}.get(param.spec.dtype.kind, int)
    if isinstance(param.value, tuple):
        return [kind(each) for each in param.value]
    return kind(param.value)


def encoded(values: Mapping[str, Value]) -> bytes:
    """The bytes of the map; never empty. Raises ImportError without `flatbuffers`."""
    from flatbuffers import flexbuffers

    builder: Any = flexbuffers.Builder()
    with builder.Map():
        for key, value in values.items():
            builder.Key(key)
            _put(builder, value)
    return bytes(builder.Finish())


def _put(builder: Any, value: Value) -> None:
    if isinstance(value, bool):
        builder.Bool(value)
    elif isinstance(value, int):
        builder.Int(value)
    elif isinstance(value, float):
        builder.Float(value)
    else:
        with builder.Vector():
            for each in value:
                _put(builder, each)


def of_case(case: Case) -> bytes:
    """The custom_options of a case."""
    return encoded(entries(case.params, case.tensors))
