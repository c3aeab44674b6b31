"""The calls that `opkg bench OP --call` measures: a case of an op at a shape, as the tensors that QHPI hands a kernel."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from opkg.spec.diagnostics import OpkgError
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Combination, Kernel, Layout, Op, TensorCase, TestCase
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.generate import make_case
from opkg.verify.cases.reference import References
from opkg.verify.machines.hexagon.layout import FLAT, in_blocks, moved, padded_dims, shifted, single_rank, to_blocks
from opkg.verify.meaning.numbers import encode, storage

# QHPI's numbers (docs/measured-qhpi.md).
_TYPES = {
    "QUInt8": 1, "QUInt16": 2, "QInt16": 3, "Float32": 4, "Int32": 5, "QInt32": 6, "QInt8": 7, "Float16": 8, "Int64": 9,
}  # fmt: skip
_FLAT, _SHAPE_ONLY = {4: 2, 5: 3, 6: 4}, 1
_CROUTON = {1: 9, 2: 10, 4: 11}
_MOST_DIMS = 8
_SCALES = {8: 0.02, 16: 0.0004}  # of inputs, as in opkg.verify.bench.subject
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Called:
    """A kernel with a case. `aligned`: all flat tensors begin at multiples of 128. `in_ddr`: they lie there, else in TCM."""

    kernel: Kernel
    case: Case
    aligned: bool
    in_ddr: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the first input."""
        return self.case.inputs[0].shape

    @property
    def output_bytes(self) -> int:
        """Bytes of the largest tensor: of the outputs, but of the inputs where those are larger than all outputs."""
        sizes = [t.elements * storage(t.dtype).itemsize for t in self.case.outputs]
        given = [t.elements * storage(t.dtype).itemsize for t in self.case.inputs]
        return sizes[0] if max(given) <= 4 * sizes[0] else max(given)


def with_rank(op: Op, shape: tuple[int, ...]) -> tuple[int, ...] | str:
    """A shape with dimensions of 1 in front put before it, or left out, until the first input may have its rank."""
    ranks = op.inputs[0].ranks
    fitting = (1,) * (ranks.low - len(shape)) + shape
    while len(fitting) > ranks.high and fitting[0] == 1:
        fitting = fitting[1:]
    if len(fitting) in ranks:
        return fitting
    return f"{op.inputs[0].name!r} has at most {ranks.high} dimensions"


def case_at(op: Op, combination: Combination, shape: tuple[int, ...], root: Path, spec: Path) -> Case | str:
    """A case whose first input has a shape, with typical scales where the op allows them; a text says why there is none."""
    meaning = References(root).load(op, spec)
    why = ""
    for typical in (True, False):
        own = TestCase("call", (), _wanted(op, combination, shape, typical), (), op.span)
        try:
            return make_case(op, combination, meaning, 0, "call", 2, own, _TRIES)
        except OpkgError as failed:
            why = why or failed.diagnostics[0].message
    return why


def _wanted(
    op: Op, combination: Combination, shape: tuple[int, ...], typical: bool
) -> tuple[tuple[str, tuple[TensorCase, ...]], ...]:
    """The first input's shape; inputs that may have any shape that broadcasts get the same one. Optional ones are there."""
    found: list[tuple[str, tuple[TensorCase, ...]]] = []
    for place, tensor in enumerate(op.inputs):
        if tensor.variadic is not None:
            continue
        dtype = tensor.dtype.of(combination)
        scale = _SCALES.get(dtype.bits) if typical and dtype.quantized else None
        offset = _offset(dtype, place) if scale is not None else None
        alike = place == 0 or (tensor.shape.tree == op.inputs[0].shape.tree or _free(op, place))
        given = shape if alike and len(shape) in tensor.ranks else None
        if given is None and scale is None:
            continue
        scaled = None if scale is None else scale * (1 + place / 2)
        found.append((tensor.name, (TensorCase(given, None, scaled, offset),)))
    return tuple(found)


def _free(op: Op, place: int) -> bool:
    """Whether an input's shape is a run without a name, as those that broadcast are."""
    from opkg.verify.cases.draft import anonymous_rest

    return anonymous_rest(op.inputs[place])


def _offset(dtype: DType, place: int) -> int:
    middle = 0 if dtype.signed else 1 << (dtype.bits - 1)
    return -(middle - 5 + 3 * place) if dtype.bits == 8 else -(middle - 300 * place)


def encoded(called: Called) -> bytes:
    """What the program reads: counts, the kernel's name, tensors with their data (inputs, params, outputs)."""
    case = called.case
    last = max(place for place, t in enumerate(case.inputs) if not t.absent)  # absent ones behind it are left out
    inputs = [_tensor(called, t, place) for place, t in enumerate(case.inputs[: last + 1])]
    inputs += [_param(p) for p in case.params if p.given]
    outputs = [_tensor(called, t, len(inputs) + place) for place, t in enumerate(case.outputs)]
    name = called.kernel.label.encode()
    return struct.pack("<3I", len(inputs), len(outputs), len(name)) + name + b"".join((*inputs, *outputs))


def _words(
    type_: int, layout: int, dims: tuple[int, ...], padded: tuple[int, ...], zero: int, scale: float, size: int,
    shift: int, data: bytes, in_ddr: bool = False,
) -> bytes:  # fmt: skip
    rest = (0,) * (_MOST_DIMS - len(dims))
    head = struct.pack("<3I16Ii", type_, layout, len(dims), *dims, *rest, *padded, *rest, zero)
    return head + struct.pack("<f3I", scale, size, shift, int(bool(data)) | 2 * in_ddr) + data


def _tensor(called: Called, tensor: CaseTensor, place: int) -> bytes:
    if tensor.absent:
        return _words(0, _SHAPE_ONLY, (0,) * 4, (0,) * 4, 0, 0.0, 0, 0, b"")
    dtype = tensor.dtype
    kind = storage(dtype)
    shape = (1,) * (FLAT - len(tensor.shape)) + tensor.shape
    quant = tensor.quant
    zero, scale = (
        moved(dtype, "qhpi") - (quant.offset if quant is not None else 0),
        quant.scale if quant is not None else 1.0,
    )
    stored = None if tensor.stored is None else shifted(tensor.stored, dtype, "qhpi")
    if stored is not None and dtype.kind is Kind.FLOAT:
        stored = _common(stored)
    blocks = in_blocks(called.kernel, tensor.spec) and len(shape) == FLAT
    padded = padded_dims(shape, kind.itemsize) if blocks else shape
    layout = _CROUTON[kind.itemsize] if blocks else _FLAT[len(shape)]
    if stored is None:
        data = b""
    elif blocks:
        data = to_blocks(stored.reshape(shape), 0x80).tobytes()
    else:
        data = np.ascontiguousarray(stored).tobytes()
    size = int(np.prod(padded, dtype=np.int64)) * kind.itemsize
    shift = 0 if called.aligned or blocks else (5 + 3 * place) * kind.itemsize % 128
    return _words(_TYPES[dtype.qhpi], layout, shape, padded, zero, scale, size, shift, data, called.in_ddr)


def _common(values: np.ndarray) -> np.ndarray:
    """Floats of moderate size in the place of zeros, extremes and what is no number, which take ways of their own."""
    size = np.abs(values)
    others = 1 + np.arange(values.size, dtype=np.float32).reshape(values.shape) % 7 / 8
    return np.where((size >= 2.0**-10) & (size <= 16), values, others).astype(values.dtype)


def _param(param: CaseParam) -> bytes:
    """A scalar is a constant of one element: integers are Int32, a bool is typed Float32 and has one valid byte."""
    dtype = param.spec.dtype
    shape = (1,) * FLAT if param.shape is None else param.shape
    if param.shape is not None and not 0 < single_rank(param.spec.shape) < FLAT:  # type: ignore[arg-type]
        shape = (1,) * (FLAT - len(shape)) + shape
    shape = (1,) * (FLAT - len(shape)) + shape
    values = param.array()
    if dtype.kind is Kind.FLOAT:
        kind, data = "Float32", values.astype(np.float32).tobytes()
    elif dtype.kind is not Kind.BOOL:
        kind, data = "Int32", encode(values, dtype, None).astype(np.int32).tobytes()
    elif param.shape is None:
        kind, data = "Float32", values.astype(np.int32).tobytes()
    else:
        kind, data = "QUInt8", values.astype(np.uint8).tobytes()
    return _words(_TYPES[kind], _FLAT[FLAT], shape, shape, 0, 1.0, len(data), 0, data)


def is_crouton(kernel: Kernel) -> bool:
    return kernel.layout is Layout.CROUTON
