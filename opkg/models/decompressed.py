"""Constants that a model computes from others, as stored weights are (Convert, Subtract, Multiply): they are constants, too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from opkg.models.model import Model, Node, Values
from opkg.spec.dtypes import DTYPES
from opkg.spec.shapes import Shape

_OPS = ("Cast", "Sub", "Mul", "Reshape")


@dataclass(frozen=True, slots=True)
class Computed:
    """What an op makes of constants."""

    op: str
    args: tuple[Values, ...]
    dtype: str  # numpy's
    shape: Shape

    def read(self) -> Any:
        import numpy as np

        first = np.asarray(self.args[0].read())
        if self.op in ("Sub", "Mul"):
            second = np.asarray(self.args[1].read())
            first = first - second if self.op == "Sub" else first * second
        return first.astype(self.dtype).reshape(self.shape)


def decompressed(model: Model) -> Model:
    """The model without the nodes that compute constants of constants; itself where there are none."""
    constants = dict(model.constants)
    kept = []
    for node in model.nodes:
        made = _computed(model, node, constants)
        if made is None:
            kept.append(node)
        else:
            constants[node.outputs[0]] = made
    return model if len(kept) == len(model.nodes) else replace(model, nodes=tuple(kept), constants=constants)


def _computed(model: Model, node: Node, constants: dict[str, Values]) -> Computed | None:
    if node.op not in _OPS or len(node.outputs) != 1 or node.outputs[0] in model.outputs:
        return None
    tensor = model.tensor(node.outputs[0])
    row = DTYPES.get(tensor.dtype)
    if row is None or tensor.fixed is None or not all(name in constants for name in node.reads):
        return None
    return Computed(node.op, tuple(constants[name] for name in node.reads), row.numpy, tensor.fixed)
