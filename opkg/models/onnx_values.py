"""Numbers, types and attributes of ONNX files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opkg.models.model import Attribute

EXTERNAL = 1  # TensorProto.EXTERNAL
_NAMES = {"float": "float32", "double": "float64", "bool": "bool8"}


@dataclass(frozen=True, slots=True)
class InModel:
    """A constant whose numbers are in the file of the model."""

    tensor: Any

    def read(self) -> Any:
        from onnx import numpy_helper

        return numpy_helper.to_array(self.tensor)


@dataclass(frozen=True, slots=True)
class InFile:
    """A constant whose numbers lie in a file beside the model."""

    tensor: Any
    folder: str

    def read(self) -> Any:
        from onnx import numpy_helper

        return numpy_helper.to_array(self.tensor, self.folder)


def first_line(failure: Exception) -> str:
    """What an exception of another package says, in short."""
    return (str(failure).strip().splitlines() or [type(failure).__name__])[0][:200]


def dtype_of(number: int) -> str:
    """opkg's name of an element type; "" for none."""
    from onnx import TensorProto

    if number not in TensorProto.DataType.values() or number == 0:
        return ""
    name = str(TensorProto.DataType.Name(number)).lower()
    return _NAMES.get(name, name)


def value_of(attribute: Any) -> Attribute:
    """A number, a text, or a tuple of them; None for tensors and graphs."""
    from onnx import helper

    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (int, float, str)):
        return value
    if isinstance(value, (list, tuple)) or type(value).__name__.startswith("Repeated"):
        items = [item.decode("utf-8", "replace") if isinstance(item, bytes) else item for item in value]
        return tuple(items) if all(isinstance(item, (int, float, str)) for item in items) else None
    return None


def lacking(folder: str, facts: Mapping[str, str], size: int) -> str:
    """What is wrong with external data; "" for nothing."""
    name = facts.get("location", "")
    base = os.path.realpath(folder or ".")
    path = os.path.realpath(os.path.join(base, name))
    if not name or os.path.commonpath([base, path]) != base:
        return f"'{name}' lies outside of the model's folder"
    try:
        there = os.path.getsize(path)
        end = int(facts.get("offset") or 0) + (int(facts["length"]) if facts.get("length") else size)
    except OSError as failure:
        return f"{name}: {failure.strerror}"
    except ValueError:
        return f"{name}: offset or length is no number"
    return f"{name} has {there} bytes, {end} are needed" if end > there else ""


def is_text(graph: Any) -> bool:
    """Whether all names are text: protobuf gives bytes where they are not."""
    values = (*graph.input, *graph.output, *graph.value_info, *graph.initializer)
    names = [graph.name, *(value.name for value in values)]
    for node in graph.node:
        names += (node.name, node.op_type, node.domain, *node.input, *node.output)
        names += (attribute.name for attribute in node.attribute)
    return all(isinstance(name, str) for name in names)
