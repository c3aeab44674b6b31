"""For torch.onnx.export: this package's ops from the torch ops that the target executorch-builder defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import schemas
from .nodes import array
from .opdef import Op, Param, Value
from .ops import DOMAIN, OPS, VERSION

TYPES = ("float", "float16", "uint8", "int8", "uint16", "int16", "int32", "int64", "bool")


def custom_translation_table(
    namespace: str = DOMAIN.replace(".", "_").replace("-", "_"),
) -> dict[Any, Callable[..., Any]]:
    """What `torch.onnx.export(..., dynamo=True, custom_translation_table=...)` takes.

    The torch ops must be defined. Call `add_functions` on the exported model's proto.
    """
    import torch

    made: dict[Any, Callable[..., Any]] = {}
    for op in OPS.values():
        packet = getattr(getattr(torch.ops, namespace), _snake(op.name))
        made[packet.default] = translation(op)
    return made


def translation(op: Op) -> Callable[..., Any]:
    """The function that writes one call of an op into a graph of onnxscript."""
    import onnxscript

    opset = onnxscript.values.Opset(DOMAIN, VERSION)
    names = [each.name for each in (*op.inputs, *op.params)]

    def translate(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        inputs = [given.get(each.name) for each in op.inputs]
        while inputs and inputs[-1] is None:
            inputs.pop()
        several = (each if isinstance(each, list | tuple) else [each] for each in inputs)
        inputs = [one for each in several for one in each]
        values = {p.name: _from_end(p, _given(given.get(p.name), p.default), given) for p in op.params}
        attributes: dict[str, Any] = {}
        if op.as_inputs:
            inputs += [_constant(p, values[p.name]) for p in op.params]
        else:
            attributes = {p.name: _attribute(values[p.name], p.is_float) for p in op.params}
        return onnxscript.values.Op(opset, op.name, _call(op, len(inputs)))(*inputs, **attributes)

    translate.__name__ = op.name.replace(".", "_")
    return translate


def _call(op: Op, count: int) -> Any:
    """A schema of calls with so many inputs, each by itself: onnxscript mistakes variadic ones behind others."""
    from onnx import defs

    types = [f"tensor({each})" for each in TYPES]
    kinds = [f"T{at}" for at in range(count + len(op.outputs))]
    formal = [defs.OpSchema.FormalParameter(kind.lower(), kind) for kind in kinds]
    return defs.OpSchema(
        op.name,
        DOMAIN,
        VERSION,
        inputs=formal[:count],
        outputs=formal[count:],
        type_constraints=[(kind, types, "") for kind in kinds],
        attributes=[] if op.as_inputs else [schemas.attribute(param) for param in op.params],
    )


def _attribute(value: Any, real: bool) -> Any:
    kind = float if real else int
    return [kind(each) for each in value] if isinstance(value, list | tuple) else kind(value)


def _given(value: Any, default: Value | None) -> Any:
    return default if value is None else value


def _from_end(param: Param, value: Any, given: Mapping[str, Any]) -> Any:
    """Numbers of dimensions as kernels take them where ranks vary."""
    if not param.axis_of:
        return value
    owner = given[param.axis_of]
    rank = len((owner[0] if isinstance(owner, list | tuple) else owner).shape)
    moved = [each - rank if each >= 0 else each for each in (value if isinstance(value, list | tuple) else [value])]
    return moved if isinstance(value, list | tuple) else moved[0]


def _constant(param: Param, value: Any) -> Any:
    import onnxscript

    return onnxscript.opset18.Constant(value=onnxscript.ir.tensor(array(param, value)))


def _snake(name: str) -> str:
    text = ""
    for at, char in enumerate(name):
        if char.isupper() and at and (name[at - 1].islower() or name[at + 1 : at + 2].islower()):
            text += "_"
        text += char.lower()
    return text
