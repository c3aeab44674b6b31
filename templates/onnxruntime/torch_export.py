"""For torch.onnx.export: this package's ops from the torch ops that the target executorch-builder defines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .opdef import Op, Value
from .ops import DOMAIN, OPS, VERSION


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
        values = {p.name: _given(given.get(p.name), p.default) for p in op.params}
        if op.as_inputs:
            constants = [_constant(values[p.name], p.is_float) for p in op.params]
            return getattr(opset, op.name)(*inputs, *constants)
        attributes = {p.name: (float if p.is_float else int)(values[p.name]) for p in op.params}
        return getattr(opset, op.name)(*inputs, **attributes)

    translate.__name__ = op.name.replace(".", "_")
    return translate


def _given(value: Any, default: Value | None) -> Any:
    return default if value is None else value


def _constant(value: Any, real: bool) -> Any:
    import numpy as np
    import onnxscript

    array = np.asarray(value, dtype=np.float32 if real else np.int32)
    return onnxscript.opset18.Constant(value=onnxscript.tensor(array))


def _snake(name: str) -> str:
    text = ""
    for at, char in enumerate(name):
        if char.isupper() and at and (name[at - 1].islower() or name[at + 1 : at + 2].islower()):
            text += "_"
        text += char.lower()
    return text
