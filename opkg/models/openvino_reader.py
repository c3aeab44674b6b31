"""OpenVINO's IR (.xml beside .bin) and models in memory (ov.Model), through the `openvino` package (extra `openvino`).

Nodes come in the order of the model's own sort, ops get the names of the table `opkg.models.ops`, others keep theirs as
`openvino::Name`. Constants stay in the model until somebody reads them. What is wrong with a file is found in its text
first, with its line: the package itself says neither where nor, for data that are too short, what.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opkg.models.model import Attribute, Model, Node, Quantization, Tensor, Values, unique
from opkg.models.openvino_text import text_problems
from opkg.models.ops import OPENVINO_NAMES
from opkg.spec.diagnostics import Diagnostic, MissingTool, Span, error, warning
from opkg.spec.dtypes import DTYPES, Kind

INSTALL = "install it: pip install 'opkg[openvino]'"
_TYPES = {row.openvino: row.name for row in reversed(DTYPES.values()) if row.kind not in (Kind.SFIXED, Kind.UFIXED)}
_TYPES |= {
    "bf16": "bfloat16",
    "f64": "float64",
    "i4": "int4",
    "u4": "uint4",
    "f8e4m3": "float8e4m3fn",
    "f8e5m2": "float8e5m2",
}
_EDGES = ("Parameter", "Constant", "Result")
_NESTED = ("If", "Loop", "TensorIterator")


@dataclass(frozen=True, slots=True)
class InNode:
    """A constant inside of an ov.Model."""

    node: Any

    def read(self) -> Any:
        return self.node.data


def read_openvino(path: str) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of a file. Raises MissingTool without the `openvino` package, OSError."""
    try:
        import openvino
    except ImportError:
        message = "reading OpenVINO's IR needs the package openvino"
        raise MissingTool([error("OPK705", message, Span(path), INSTALL)]) from None
    problems = text_problems(path, Path(path).read_bytes())
    if problems:
        return None, problems
    try:
        found = openvino.Core().read_model(path)
    except RuntimeError as failure:
        return None, (error("OPK705", f"OpenVINO cannot read it: {_said(failure)}", Span(path)),)
    return of_openvino(found, path)


def outputs_of(found: Any) -> dict[str, Any]:
    """The outputs of the nodes of an ov.Model by the names that `of_openvino` gives to their tensors."""
    listed = list(found.get_ordered_ops())
    names = unique([node.get_friendly_name() for node in listed])
    return {
        name if node.get_output_size() == 1 else f"{name}.{number}": node.output(number)
        for node, name in zip(listed, names, strict=True)
        for number in range(node.get_output_size())
    }


def of_openvino(found: Any, path: str = "<model>") -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of an ov.Model, which is not changed."""
    reader = _Reader(path)
    model = reader.model(found)
    return (None if any(finding.is_error for finding in reader.findings) else model), tuple(reader.findings)


def _said(failure: Exception) -> str:
    """The lines of what OpenVINO says that are about the model, not about its own sources."""
    lines = [line.strip() for line in str(failure).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Exception from", "Check '"))]
    return " ".join(lines)[:300] or type(failure).__name__


class _Reader:
    def __init__(self, path: str) -> None:
        self.findings: list[Diagnostic] = []
        self._path = path
        self._tensors: dict[str, Tensor] = {}
        self._constants: dict[str, Values] = {}
        self._names: dict[tuple[str, int], str] = {}  # a node's own name, number of its result -> tensor

    def model(self, found: Any) -> Model:
        listed = list(found.get_ordered_ops())
        names = dict(
            zip((node.get_name() for node in listed), unique([n.get_friendly_name() for n in listed]), strict=True)
        )
        nodes = [node for each in listed if (node := self._node(each, names[each.get_name()])) is not None]
        inputs = tuple(self._names[node.get_name(), 0] for node in found.get_parameters())
        outputs = tuple(self._read(result)[0] for result in found.get_results())
        for name in inputs:
            self._fixed(name)
        self._unknown(listed)
        return Model(found.get_friendly_name(), inputs, outputs, tuple(nodes), self._tensors, self._constants)

    def _node(self, node: Any, name: str) -> Node | None:
        """A node of the model; None for its inputs, constants and results."""
        kind = node.get_type_name()
        if kind == "Result":
            return None
        outputs = [self._tensor(node, name, number) for number in range(node.get_output_size())]
        if kind == "Constant":
            self._constants[outputs[0]] = InNode(node)
        if kind in _EDGES:
            return None
        attributes = {key: made for key, value in _attributes(node) if (made := _value(value)) is not None}
        inputs = self._read(node)
        if kind == "FakeQuantize":
            self._quantization(node, inputs, outputs[0])
        op = OPENVINO_NAMES.get(kind, f"openvino::{kind}")
        return Node(name, op, inputs, tuple(outputs), attributes, nested=kind in _NESTED)

    def _read(self, node: Any) -> tuple[str, ...]:
        sources = [value.get_source_output() for value in node.inputs()]
        return tuple(self._names[source.get_node().get_name(), source.get_index()] for source in sources)

    def _tensor(self, node: Any, name: str, number: int) -> str:
        result = node.output(number)
        full = name if node.get_output_size() == 1 else f"{name}.{number}"
        partial = result.get_partial_shape()
        shape = None
        if partial.rank.is_static:
            shape = tuple("?" if size.is_dynamic else size.get_length() for size in partial)
        kind = result.get_element_type().get_type_name()
        self._names[node.get_name(), number] = full
        self._tensors[full] = Tensor(full, _TYPES.get(kind, kind if kind != "dynamic" else ""), shape)
        return full

    def _quantization(self, node: Any, inputs: tuple[str, ...], output: str) -> None:
        """Notes steps of 8 bits that a FakeQuantize rounds to, where they are the same for all elements."""
        levels = node.get_attributes().get("levels", 0)
        ends = [self._constants[name].read().reshape(-1) for name in inputs[3:] if name in self._constants]
        if levels not in (255, 256) or len(ends) != 2 or any(len(end) != 1 for end in ends):
            return
        low, high = (float(end[0]) for end in ends)
        if high > low:
            scale = (high - low) / (levels - 1)
            tensor = self._tensors[output]
            self._tensors[output] = Tensor(
                output, tensor.dtype, tensor.shape, Quantization((scale,), (round(-low / scale),))
            )

    def _fixed(self, name: str) -> None:
        if self._tensors[name].fixed is None:
            hint = "give it a shape before saving: model.reshape(...), then openvino.save_model"
            self.findings.append(error("OPK702", f"the input {name} has no fixed shape", Span(self._path), hint))

    def _unknown(self, nodes: Iterable[Any]) -> None:
        counts: dict[str, int] = {}
        for node in nodes:
            if not str(node.get_type_info().version_id or "").startswith("opset"):
                counts[node.get_type_name()] = counts.get(node.get_type_name(), 0) + 1
        for op, count in counts.items():
            message = f"{op} ({count} node{'s' if count > 1 else ''}) is no op that opkg knows: it stays as it is"
            self.findings.append(warning("OPK703", message, Span(self._path)))


def _attributes(node: Any) -> Iterable[tuple[str, Any]]:
    """What the node says of itself; nothing where an attribute has a type that Python's side cannot show."""
    try:
        return list(node.get_attributes().items())
    except (RuntimeError, TypeError):
        return []


def _value(value: Any) -> Attribute:
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(item, (int, float, str)) for item in value):
        return tuple(value)
    return None
