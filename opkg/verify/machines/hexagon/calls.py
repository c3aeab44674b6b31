"""Turns cases into the calls that a Hexagon program reads (opkg/sim/hexagon/call_reader.h), and its outputs back.

What the generated wrappers do with a backend's tensors happens here in numpy: ranks below 4 are padded, signed numbers of
8 and 16 bits become unsigned ones with their zero point moved (QHPI), tensors of crouton kernels are cut into blocks.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from opkg.kernels.blocks import reduces, reduces_pixels
from opkg.spec.axis_params import pinned
from opkg.spec.compute.moves import moves
from opkg.spec.compute.parts import aligned, few_places, pixels
from opkg.spec.dtypes import Kind
from opkg.spec.evaluate import evaluate
from opkg.spec.kept import in_slices
from opkg.spec.model import Kernel, ParamSpec, TensorSpec
from opkg.verify.cases.call_params import call_params
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.judge.results import RawOutput, RawResult
from opkg.verify.machines.hexagon.frame import frame
from opkg.verify.machines.hexagon.layout import (
    FLAT,
    from_blocks,
    in_blocks,
    moved,
    padded_dims,
    shifted,
    single_rank,
    to_blocks,
    view_shape,
)
from opkg.verify.meaning.numbers import encode, storage

MOST_RANK = 6  # of a kernel's flat view
_MOST_PADDED, _SMALL_BYTES, _MOST_IN_BLOCKS = 4, 1 << 10, 1 << 20  # as in layouts.h
_STAGED_BYTES = 8192  # kStagedBytes of opkg/kernel.h
_ABSENT, _TENSOR, _BLOCKS, _LIST, _SCALAR = range(5)
_INPUT, _OUTPUT, _SHARED = 0, 1, 2
_CONSTANT = 0xFFFFFFFF  # an input that the program leaves as it is in all calls


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one kernel with the data of a case."""

    case: Case
    kernel: Kernel
    number: int  # of the kernel in the program
    variant: int  # which alignment and how many slices are tried
    interface: str

    @property
    def tensors(self) -> tuple[CaseTensor, ...]:
        """The tensors that have memory, in the order in which the program numbers them."""
        return tuple(t for spec in self.case.op.tensors for t in _given(self.case, spec))


def takes(kernel: Kernel, case: Case) -> bool:
    """Whether a kernel can be called with the tensors of a case: blocks have four dimensions, and what may be flat as well is
    not in blocks where those would hold mostly padding."""
    if any(len(t.shape) > MOST_RANK for t in case.tensors):
        return False
    blocks = [t for t in case.tensors if in_blocks(kernel, t.spec)]
    if any(len(t.shape) > FLAT for t in blocks):
        return False
    most = max((_pixels(tensor) for tensor in blocks), default=0)
    judged = [
        tensor for tensor in blocks if tensor in case.inputs or _pixels(tensor) == most
    ]  # reduced results are few
    if not kernel.is_twin:
        return True
    return not why_no_blocks(case) and _beside_each_other(case) and all(_pays(tensor) for tensor in judged)


def why_no_blocks(case: Case) -> str:
    """Why a graph has no tensors of an op that moves elements in blocks at the shapes of a case (parts_in_blocks() of
    opkg/seen_blocks.h); empty where they may be there, and of other ops."""
    compute = case.op.compute
    if compute is None or not moves(compute):
        return ""
    if pixels(compute):
        return "" if few_places(case.outputs[0].shape) else "it has too many rows and columns"
    shapes = {tensor.spec.name: tensor.shape for tensor in case.inputs}
    bytes_ = storage(case.outputs[0].dtype).itemsize
    params = {param.spec.name: param.value for param in case.params}
    outputs = {tensor.name for tensor in case.op.outputs}
    whole = aligned(compute, outputs, shapes, params, (1, 8, 8 // bytes_, 32))
    return "" if whole else "what it moves are no whole blocks at this shape"


def _beside_each_other(case: Case) -> bool:
    """Whether pixels that are rows lie at one place in all tensors, or are one for all, and those of a vector have room where
    rows are computed (rows_pay() of layouts.h)."""
    if not reduces(case.op) or reduces_pixels(case.op):
        return True
    one, wanted = (1,) * (FLAT - 1), _of_pixels(case.outputs[0])
    flat = {tensor.name for tensor in case.inputs if tensor.spec.static or 4 not in tensor.spec.ranks}
    if sum(4 * t.shape[-1] for t in case.tensors if t.shape and t.name not in flat) > _STAGED_BYTES:
        return False
    return all(_of_pixels(t) == one or (_of_pixels(t) == wanted and t.name not in flat) for t in case.tensors)


def _of_pixels(tensor: CaseTensor) -> tuple[int, ...]:
    """The dimensions of a tensor but for the last one."""
    return ((1,) * FLAT + tensor.shape)[-FLAT:-1]


def _pixels(tensor: CaseTensor) -> int:
    """The height times the width of a tensor in blocks."""
    return int(np.prod(tensor.shape[-3:-1], dtype=np.int64))


def _pays(tensor: CaseTensor) -> bool:
    """Whether a package puts a tensor into blocks where it could be flat (layouts.h)."""
    size = storage(tensor.dtype).itemsize
    padded = int(np.prod(padded_dims((1,) * (FLAT - len(tensor.shape)) + tensor.shape, size))) * size
    return padded <= _MOST_PADDED * (tensor.elements * size + _SMALL_BYTES) and padded <= _MOST_IN_BLOCKS


def _given(case: Case, spec: TensorSpec) -> list[CaseTensor]:
    return [t for t in case.tensors if t.spec.name == spec.name and not t.absent]


def encode_call(call: Call) -> bytes:
    """The bytes of a call, without their number in front."""
    parts = [_words(call.number, _slices(call))]
    size = 8
    place = 0
    for spec in call.case.op.tensors:
        given = _given(call.case, spec)
        head = [_words(_LIST, len(given))] if spec.variadic else [] if given else [_words(_ABSENT)]
        for part in head:
            parts.append(part)
            size += len(part)
        for tensor in given:
            record, data = _tensor(call, tensor, place)
            place += 1
            size += len(record)
            gap = -size % 8 if data else 0
            parts += [record, b"\0" * gap, data]
            size += gap + len(data)
    for param in call.case.op.params:
        part = _param(call, param, size)
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *(value & 0xFFFFFFFF for value in values))


def _slices(call: Call) -> int:
    sliced = call.kernel.multithreaded or (call.interface == "qhpi" and in_slices(call.case.op, call.kernel))
    return 1 + call.variant % 4 if sliced else 0


def _shift(call: Call, place: int, itemsize: int) -> int:
    """Bytes by which a tensor misses a line of 128: none in every other call, else another one for each tensor."""
    return 0 if call.variant % 2 == 0 else (5 + 3 * place + call.variant) * itemsize % 128


def _tensor(call: Call, tensor: CaseTensor, place: int) -> tuple[bytes, bytes]:
    """The record of a tensor and its data."""
    dtype, interface = tensor.dtype, call.interface
    kind = storage(dtype)
    scale = np.float32(tensor.quant.scale if tensor.quant is not None else 1.0).tobytes()
    zero = moved(dtype, interface) - (tensor.quant.offset if tensor.quant is not None else 0)
    stored = None if tensor.stored is None else shifted(tensor.stored, dtype, interface)
    given = _CONSTANT if tensor.spec.static else _INPUT
    access = given if stored is not None else _SHARED if _in_place(call, tensor) else _OUTPUT
    if in_blocks(call.kernel, tensor.spec):
        shape = (1,) * (FLAT - len(tensor.shape)) + tensor.shape
        padded = padded_dims(shape, kind.itemsize)
        bytes_ = int(np.prod(padded)) * kind.itemsize
        head = _words(_BLOCKS, access, *shape, *padded) + scale + _words(zero, bytes_, 0)
        data = b"" if stored is None else to_blocks(stored.reshape(shape), 0x80 + call.variant % 64).tobytes()
        return head, data
    view = view_shape(tensor)
    dims = view + (0,) * (MOST_RANK - len(view))
    bytes_ = int(np.prod(view)) * kind.itemsize
    head = _words(_TENSOR, access, len(view), *dims) + scale + _words(zero, bytes_, _shift(call, place, kind.itemsize))
    return head, b"" if stored is None else np.ascontiguousarray(stored).tobytes()


def _in_place(call: Call, tensor: CaseTensor) -> bool:
    """Whether the first output takes the first input's memory, as the backend may do for such kernels; every third
    call of theirs does."""
    first = call.tensors[0]
    if not call.kernel.source_destructive or call.variant % 3 == 2 or tensor is not call.case.outputs[0]:
        return False
    alike = in_blocks(call.kernel, first.spec) == in_blocks(call.kernel, tensor.spec)
    size = storage(first.dtype).itemsize == storage(tensor.dtype).itemsize
    return first.stored is not None and not first.spec.static and alike and size and first.shape == tensor.shape


def _param(call: Call, spec: ParamSpec, start: int) -> bytes:
    """The record of a param; one that the case leaves out has its default there."""
    given = next((p for p in call_params(call.case) if p.spec.name == spec.name), None)
    if given is None:
        return _words(_ABSENT) if spec.shape is not None else _words(_SCALAR) + bytes(8)
    if given.shape is not None:
        return _param_tensor(given, start)
    value = given.value
    assert not isinstance(value, tuple)
    fixed = pinned(call.case.op, spec)
    if fixed is not None and spec.axis_of is not None:
        value = int(evaluate(fixed, frame(call.case)))  # type: ignore[arg-type]
    if spec.dtype.kind is Kind.FLOAT:
        return _words(_SCALAR) + struct.pack("<ff", value, 0.0)
    return _words(_SCALAR) + struct.pack("<q", int(value) if int(value) < 1 << 63 else int(value) - (1 << 64))


def _param_tensor(param: CaseParam, start: int) -> bytes:
    """A tensor param: 32-bit integers and floats, or the type's own bytes; a default has its own rank."""
    assert param.shape is not None
    kind, bits = param.spec.dtype.kind, param.spec.dtype.bits
    values = param.array()
    if kind is Kind.FLOAT:
        stored = values.astype(np.float32)
    else:
        stored = encode(values, param.spec.dtype, None).astype(np.int32 if bits == 32 else storage(param.spec.dtype))
    shape = param.shape
    fixed = single_rank(param.spec.shape) if param.spec.shape is not None else 0
    if param.given and not 0 < fixed < FLAT:
        shape = (1,) * (FLAT - len(shape)) + shape
    dims = shape + (0,) * (MOST_RANK - len(shape))
    head = _words(_TENSOR, _CONSTANT, len(shape), *dims) + np.float32(1.0).tobytes() + _words(0, stored.nbytes, 0)
    return head + b"\0" * (-(start + len(head)) % 8) + stored.tobytes()


def decode_result(call: Call, result: RawResult) -> RawResult:
    """The program's record with tensors by their names, and the outputs as the case has them."""
    tensors = call.tensors

    def natural(given: Sequence[RawOutput]) -> tuple[RawOutput, ...]:
        by_number = {output.name: output for output in given}
        found = []
        for number, tensor in enumerate(tensors):
            output = by_number.get(str(number))
            if output is not None:
                found.append(RawOutput(tensor.name, tensor.shape, _natural(call, tensor, output.data)))
        return tuple(found)

    def named(match: re.Match[str]) -> str:
        number = int(match[1])
        return tensors[number].name if number < len(tensors) else "a tensor param"

    message = re.sub(r"\{(\d+)\}", named, result.message)
    kernels = ((call.case.op.name, call.kernel.label),)
    outputs, again = natural(result.outputs), natural(result.again)
    return replace(result, message=message, outputs=outputs, again=again, kernels=kernels)


def _natural(call: Call, tensor: CaseTensor, data: bytes) -> bytes:
    kind = storage(tensor.dtype)
    if len(data) % kind.itemsize:
        return data
    stored = np.frombuffer(data, dtype=kind)
    if in_blocks(call.kernel, tensor.spec):
        shape = (1,) * (FLAT - len(tensor.shape)) + tensor.shape
        if stored.size != int(np.prod(padded_dims(shape, kind.itemsize))):
            return data
        stored = from_blocks(stored, shape)
    return np.ascontiguousarray(shifted(stored, tensor.dtype, call.interface)).tobytes()
