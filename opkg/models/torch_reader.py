"""Exported programs of torch as models, from the JSON and the weights that a process with torch wrote.

opkg does not import torch: `opkg.verify.machines.executorch.exported` runs that process. Numbers that stand where another
operand could be a tensor (`x * 0.5`) become constants of one element, so that all readers give the same form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opkg.models.model import Attribute, Model, Node, Quantization, Tensor, Values
from opkg.models.ops import OPS, TORCH_NAMES, Group
from opkg.models.torch_ops import attributes_of, call_text, renumbered
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error
from opkg.spec.dtypes import DTYPES

FORMAT = "opkg-model 2"
_TYPES = {row.torch: row.name for row in reversed(DTYPES.values()) if not row.quantized}
_OPERANDS = ("self", "other", "exponent")  # names of operands that may be numbers


@dataclass(frozen=True, slots=True)
class InBytes:
    """A constant in the file of weights: place and length in bytes."""

    path: Path
    tensor: Tensor
    offset: int
    size: int

    def read(self) -> Any:
        """bfloat16, which numpy has not, as its 16 bits."""
        import numpy as np

        row = DTYPES.get(self.tensor.dtype)
        kind = np.dtype(row.numpy if row is not None else {"float64": "float64"}.get(self.tensor.dtype, "uint16"))
        with self.path.open("rb") as file:
            file.seek(self.offset)
            data = file.read(self.size)
        return np.frombuffer(data, kind).reshape(self.tensor.fixed or ())


@dataclass(frozen=True, slots=True)
class Number:
    """A constant of one element."""

    value: float
    dtype: str

    def read(self) -> Any:
        import numpy as np

        row = DTYPES.get(self.dtype)
        return np.array(self.value, row.numpy if row is not None else "float64")


def read_exported(place: Path, path: str) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model in `place` (model.json, beside weights.bin); `path`: the model file that it was made of."""
    try:
        return _model(_read(place, path), place.parent / "weights.bin"), ()
    except OpkgError as failure:
        return None, tuple(failure.diagnostics)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as failure:
        return None, (error("OPK706", f"the exported program cannot be read: {failure!r}", Span(path)),)


def read_values(place: Path, path: str) -> dict[str, Any]:
    """The tensors in `place` (values.json, beside values.bin) as arrays. Raises OpkgError (OPK706) for a fault of the file."""
    found = _read(place, path)["tensors"]
    tensors = {name: (_tensor(name, facts), facts) for name, facts in found.items()}
    data = place.parent / "values.bin"
    return {
        name: InBytes(data, each, facts["offset"], facts["bytes"]).read() for name, (each, facts) in tensors.items()
    }


def _read(place: Path, path: str) -> dict[str, Any]:
    """What a process with torch wrote. Raises OpkgError for a fault of the model file, ValueError for another format."""
    found: dict[str, Any] = json.loads(place.read_text("utf-8"))
    if found["format"] != FORMAT:
        raise ValueError(f"format {found['format']}")
    if "fault" in found:
        fault = found["fault"]
        line = int(fault["line"])
        raise OpkgError([error("OPK706", fault["message"], Span(path, line, 1, line, 1), fault["hint"])])
    return found


def _model(found: Mapping[str, Any], weights: Path) -> Model:
    tensors = {name: _tensor(name, each) for name, each in found["tensors"].items()}
    constants: dict[str, Values] = {
        name: InBytes(weights, tensors[name], each["offset"], each["bytes"])
        for name, each in found["constants"].items()
    }
    nodes = tuple(_node(each, tensors, constants) for each in found["nodes"])
    outputs = tuple(found["outputs"])
    whole = frozenset(found["constants"])
    return Model(found["name"], tuple(found["inputs"]), outputs, nodes, tensors, constants, whole, exact=True)


def _tensor(name: str, facts: Mapping[str, Any]) -> Tensor:
    kind = facts["dtype"]
    return Tensor(name, _TYPES.get(kind, kind), tuple(facts["shape"]))


def _node(facts: Mapping[str, Any], tensors: dict[str, Tensor], constants: dict[str, Values]) -> Node:
    op = op_of(facts["op"])
    row = OPS.get(op)
    dtype = next((tensors[each["tensor"]].dtype for each in facts["operands"] if "tensor" in each), "float32")
    inputs: list[str] = []
    places: list[int] = []  # of the tensors among the inputs
    attributes: dict[str, Attribute] = {}
    for each in facts["operands"]:
        if "tensor" in each:
            places.append(len(inputs))
            inputs.append(each["tensor"])
            if op == "Clip" and each["name"] != "self":
                attributes["lacks"] = "its ends are tensors"
            continue
        key, value = each["name"], each["value"]
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if number and key in _OPERANDS and row is not None and row.group is Group.POINTWISE:
            name = f"{facts['name']}.{key}"
            tensors[name] = Tensor(name, dtype, ())
            constants[name] = Number(value, dtype)
            inputs.append(name)
        else:
            attributes[key] = tuple(value) if isinstance(value, list) else value
    attributes = attributes_of(op, facts["op"], attributes)
    if text := call_text(facts["op"], facts["call"]):
        attributes["torch"] = renumbered(text, places)
    if facts["op"].startswith("aten.rsub."):
        inputs.reverse()
        attributes["torch"] = renumbered(str(attributes.get("torch", "")), (1, 0))
    node = Node(facts["name"], op, tuple(inputs), tuple(facts["outputs"]), attributes)
    _quantization(node, tensors)
    return node


def op_of(target: str) -> str:
    """`Mul` of `aten.mul.Tensor`; the target itself where the table has no such op."""
    space, _, rest = target.partition(".")
    base = rest.partition(".")[0]
    if space not in ("aten", "quantized_decomposed"):
        return target
    names = (TORCH_NAMES.get(each) for each in (base, base.rstrip("_"), base.strip("_")))
    return next((name for name in names if name is not None), target)


def _quantization(node: Node, tensors: dict[str, Tensor]) -> None:
    """Notes scale and zero point of one step at the quantized tensor."""
    scale, zero = node.attributes.get("scale"), node.attributes.get("zero_point")
    if (
        node.op not in ("QuantizeLinear", "DequantizeLinear")
        or not isinstance(scale, float)
        or not isinstance(zero, int)
    ):
        return
    name = node.outputs[0] if node.op == "QuantizeLinear" else node.inputs[0]
    tensor = tensors[name]
    tensors[name] = Tensor(name, tensor.dtype, tensor.shape, Quantization((scale,), (zero,)))
