"""Models in QDQ form as quantized models: an op between DequantizeLinear and QuantizeLinear reads and gives quantized tensors.

As QNN and HTP have such models. Only one scale for the whole tensor is folded; what nothing reads any more is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from opkg.models.model import Links, Model, Node, Tensor, Values, links

_STORED = frozenset(("uint8", "int8", "uint16", "int16"))


@dataclass(frozen=True, slots=True)
class Fold:
    """`quantized`: a quantized tensor -> the floats that it is made of; `floats`: floats -> the quantized tensor that they are
    made of. Names of the model as it was."""

    quantized: dict[str, str]
    floats: dict[str, str]


@dataclass(frozen=True, slots=True)
class Dequantized:
    """A constant as floats."""

    stored: Values
    scale: float
    zero: int

    def read(self) -> Any:
        import numpy as np

        value = np.asarray(self.stored.read()).astype(np.float32)
        return ((value - np.float32(self.zero)) * np.float32(self.scale)).astype(np.float32)


def fold(model: Model) -> tuple[Model, Fold]:
    """The model without the steps between floats and quantized tensors; itself where there are none."""
    edges = links(model)
    tensors, constants = dict(model.tensors), dict(model.constants)
    floats: dict[str, str] = {}
    quantized: dict[str, str] = {}
    gone: set[int] = set()
    within = {name for node in model.nodes for name in node.within}
    for number, node in enumerate(model.nodes):
        if node.op == "DequantizeLinear" and _folds(model, node.inputs[0]):
            stored, made = node.inputs[0], node.outputs[0]
            if not (made in edges.results or made in within):
                gone.add(number)
            if not _as_number(model, stored, made, tensors, constants):
                floats[made] = stored
        elif node.op == "QuantizeLinear" and _only_reader(model, edges, node, within):
            quantized[node.outputs[0]] = node.inputs[0]
            gone.add(number)
    made_of = {real: stored for stored, real in quantized.items()}
    nodes = tuple(
        replace(
            node,
            inputs=tuple(floats.get(name, name) for name in node.inputs),
            outputs=tuple(made_of.get(name, name) for name in node.outputs),
        )
        for number, node in enumerate(model.nodes)
        if number not in gone
    )
    tensors = {name: _in_numbers(tensor) for name, tensor in tensors.items()}
    if not gone:
        return replace(model, tensors=tensors), Fold({}, {})
    return replace(model, nodes=nodes, tensors=tensors, constants=constants), Fold(quantized, floats)


def _in_numbers(tensor: Tensor) -> Tensor:
    """Floats that a FakeQuantize gives are just that: it computes their steps itself."""
    return replace(tensor, quantization=None) if tensor.dtype.startswith("float") else tensor


def _folds(model: Model, stored: str) -> bool:
    tensor = model.tensor(stored)
    return tensor.dtype in _STORED and tensor.quantization is not None and tensor.quantization.axis is None


def _as_number(model: Model, stored: str, made: str, tensors: dict[str, Tensor], constants: dict[str, Values]) -> bool:
    """A constant of one element becomes a float constant."""
    tensor = model.tensor(stored)
    if stored not in model.constants or tensor.fixed is None or any(size != 1 for size in tensor.fixed):
        return False
    assert tensor.quantization is not None
    constants[made] = Dequantized(model.constants[stored], tensor.quantization.scales[0], tensor.quantization.zeros[0])
    tensors[made] = Tensor(made, "float32", tensor.shape)
    return True


def _only_reader(model: Model, edges: Links, node: Node, within: set[str]) -> bool:
    """Whether a node alone reads the floats that another node has made, to quantize them."""
    real = node.inputs[0]
    maker = edges.maker.get(real)
    if maker is None or not _folds(model, node.outputs[0]) or real in edges.results or real in within:
        return False
    return len(edges.used(real)) == 1 and model.nodes[maker].op not in ("DequantizeLinear", "QuantizeLinear")
