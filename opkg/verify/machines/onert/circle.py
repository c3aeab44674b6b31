"""Writes Circle models, onert's file format (a flatbuffer), with one custom operator.

Field numbers and enum values are those of the public schema (circle_schema.fbs of Samsung ONE, runtime 1.31); that the runtime
reads what is written here is tested with it. `flatbuffers` is imported when a model is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from opkg.verify.meaning.numbers import Quant

IDENTIFIER = b"CIR0"
CUSTOM = 32  # of BuiltinOperator
# Names of the element types in opkg/spec/dtypes.py -> TensorType.
TENSOR_TYPES = {
    "float32": 0, "float16": 1, "int32": 2, "ufixed8": 3, "uint8": 3, "int64": 4, "bool8": 6, "sfixed16": 7, "int16": 7,
    "sfixed8": 9, "int8": 9, "uint64": 12, "uint32": 15, "uint16": 16,
}  # fmt: skip
ABSENT = -1  # stands for an optional input that is left out
_DATA_ALIGNMENT = 16


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of the model. `data`: the bytes of a constant, None for others."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    quant: Quant | None = None
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """One custom operator. `inputs` and `outputs` number `tensors`; an input may be ABSENT."""

    code: str
    tensors: tuple[Tensor, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: bytes  # may not be empty: the loader reads them without asking

    @property
    def given(self) -> tuple[int, ...]:
        """The inputs of the model: those of the operator that are no constants."""
        return tuple(place for place in self.inputs if place != ABSENT and self.tensors[place].data is None)


def model(graph: Graph) -> bytes:
    """The bytes of the file. Raises ImportError without `flatbuffers`."""
    import flatbuffers

    builder = flatbuffers.Builder(1024)
    constants = [tensor.data for tensor in graph.tensors if tensor.data is not None]
    buffers = [_table(builder, 1)]  # number 0 is empty, for tensors without data
    buffers += [_table(builder, 1, (0, _offset, _bytes(builder, data))) for data in constants]
    tensors, constant = [], 0
    for tensor in graph.tensors:
        constant += tensor.data is not None
        tensors.append(_tensor(builder, tensor, constant if tensor.data is not None else 0))
    options = _bytes(builder, graph.options)
    inputs, outputs = _ints(builder, graph.inputs), _ints(builder, graph.outputs)
    operator = _table(builder, 9, (0, _uint, 0), (1, _offset, inputs), (2, _offset, outputs), (5, _offset, options))
    name = builder.CreateString("main")
    parts = _offsets(builder, tensors), _ints(builder, graph.given), _offsets(builder, [operator])
    subgraph = _table(
        builder, 6, (0, _offset, parts[0]), (1, _offset, parts[1]), (2, _offset, outputs), (3, _offset, parts[2]),
        (4, _offset, name),
    )  # fmt: skip
    code = builder.CreateString(graph.code)
    codes = _table(builder, 4, (0, _byte, CUSTOM), (1, _offset, code), (2, _int, 1), (3, _int, CUSTOM))
    said = builder.CreateString("written by opkg")
    whole = _offsets(builder, [codes]), _offsets(builder, [subgraph]), _offsets(builder, buffers)
    root = _table(
        builder, 8, (0, _uint, 0), (1, _offset, whole[0]), (2, _offset, whole[1]), (3, _offset, said),
        (4, _offset, whole[2]),
    )  # fmt: skip
    builder.Finish(root, file_identifier=IDENTIFIER)
    return bytes(builder.Output())


_Put = Callable[[Any, int, int], None]


def _offset(builder: Any, slot: int, value: int) -> None:
    builder.PrependUOffsetTRelativeSlot(slot, value, 0)


def _byte(builder: Any, slot: int, value: int) -> None:
    builder.PrependInt8Slot(slot, value, 0)


def _int(builder: Any, slot: int, value: int) -> None:
    builder.PrependInt32Slot(slot, value, 0)


def _uint(builder: Any, slot: int, value: int) -> None:
    builder.PrependUint32Slot(slot, value, 0)


def _table(builder: Any, fields: int, *given: tuple[int, _Put, int]) -> int:
    """A table of which some fields (number, how it is put, value) are given."""
    builder.StartObject(fields)
    for slot, put, value in given:
        put(builder, slot, value)
    return int(builder.EndObject())


def _ints(builder: Any, values: Sequence[int]) -> int:
    builder.StartVector(4, len(values), 4)
    for value in reversed(values):
        builder.PrependInt32(value)
    return int(builder.EndVector())


def _longs(builder: Any, values: Sequence[int]) -> int:
    builder.StartVector(8, len(values), 8)
    for value in reversed(values):
        builder.PrependInt64(value)
    return int(builder.EndVector())


def _floats(builder: Any, values: Sequence[float]) -> int:
    builder.StartVector(4, len(values), 4)
    for value in reversed(values):
        builder.PrependFloat32(value)
    return int(builder.EndVector())


def _offsets(builder: Any, values: Sequence[int]) -> int:
    builder.StartVector(4, len(values), 4)
    for value in reversed(values):
        builder.PrependUOffsetTRelative(value)
    return int(builder.EndVector())


def _bytes(builder: Any, data: bytes) -> int:
    """A vector of bytes that begins at a multiple of what vector code wants of a constant."""
    builder.StartVector(1, len(data), _DATA_ALIGNMENT)
    builder.head -= len(data)
    builder.Bytes[builder.head : builder.head + len(data)] = data
    return int(builder.EndVector())


def _tensor(builder: Any, tensor: Tensor, buffer: int) -> int:
    shape = _ints(builder, tensor.shape)
    name = builder.CreateString(tensor.name)
    fields: list[tuple[int, _Put, int]] = [
        (0, _offset, shape), (1, _byte, TENSOR_TYPES[tensor.dtype]), (2, _uint, buffer), (3, _offset, name)
    ]  # fmt: skip
    quant = tensor.quant
    if quant is not None:  # Circle: real = (stored - zero point) * scale
        scales = _floats(builder, quant.scales)
        zeros = _longs(builder, [-offset for offset in quant.offsets])
        axis = quant.axis or 0
        fields.append((4, _offset, _table(builder, 7, (2, _offset, scales), (3, _offset, zeros), (6, _int, axis))))
    return _table(builder, 10, *fields)
