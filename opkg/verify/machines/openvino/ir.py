"""Writes models in OpenVINO's IR, version 11 (an .xml of layers and edges, a .bin of constants), with one extension op.

Ports and attributes are as the serializer of 2026.4 writes them; that OpenVINO reads what is written here is tested with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

Value = bool | int | float | list[int] | list[float]


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of the model. `shape`: -1 is a dimension that is not known. `data`: the bytes of a constant, None for others."""

    name: str
    type: str  # of a port: "FP32"
    shape: tuple[int, ...]
    data: bytes | None = None


def model(
    kind: str, opset: str, attributes: Mapping[str, Value], inputs: Sequence[Tensor], outputs: Sequence[Tensor]
) -> tuple[str, bytes]:
    """The texts of the two files: a model whose inputs are those without data."""
    layers, edges, constants = [], [], b""
    op = len(inputs)
    for place, tensor in enumerate(inputs):
        data = {
            "element_type": _element(tensor.type),
            "shape": ",".join("?" if d < 0 else str(d) for d in tensor.shape),
        }
        layer = "Parameter"
        if tensor.data is not None:
            data |= {"offset": str(len(constants)), "size": str(len(tensor.data))}
            constants += tensor.data
            layer = "Const"
        layers.append(_layer(place, tensor.name, layer, "opset1", data, "", _port(0, tensor, named=True)))
        edges.append((place, 0, op, place))
    written = {name: _text(value) for name, value in attributes.items()}
    taken = "".join(_port(place, tensor) for place, tensor in enumerate(inputs))
    made = "".join(_port(op + place, tensor, named=True) for place, tensor in enumerate(outputs))
    layers.append(_layer(op, "op", kind, opset, written, taken, made))
    for place, tensor in enumerate(outputs):
        layers.append(_layer(op + 1 + place, f"result_{tensor.name}", "Result", "opset1", {}, _port(0, tensor), ""))
        edges.append((op, op + place, op + 1 + place, 0))
    lines = "".join(f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>\n' for a, b, c, d in edges)
    text = f'<net name="opkg" version="11">\n<layers>\n{"".join(layers)}</layers>\n<edges>\n{lines}</edges>\n</net>\n'
    return '<?xml version="1.0"?>\n' + text, constants


def _layer(number: int, name: str, kind: str, opset: str, data: Mapping[str, str], taken: str, made: str) -> str:
    given = "".join(f" {key}={quoteattr(value)}" for key, value in data.items())
    body = f"<data{given}/>" if data else ""
    body += f"<input>{taken}</input>" if taken else ""
    body += f"<output>{made}</output>" if made else ""
    head = f'<layer id="{number}" name={quoteattr(name)} type={quoteattr(kind)} version={quoteattr(opset)}>'
    return f"{head}{body}</layer>\n"


def _port(number: int, tensor: Tensor, named: bool = False) -> str:
    names = f" names={quoteattr(tensor.name)}" if named else ""
    dims = "".join(f"<dim>{extent}</dim>" for extent in tensor.shape)
    return f'<port id="{number}" precision="{tensor.type}"{names}>{dims}</port>'


def _element(precision: str) -> str:
    """`FP32` -> `f32`."""
    return {"BOOL": "boolean"}.get(precision, precision.replace("FP", "F").lower())


def _text(value: Value) -> str:
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)
