"""What is measured: the row functions of kernels that are generated from a computation, with typical numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opkg.kernels.choose import choose
from opkg.kernels.emit.file import kernel_file
from opkg.kernels.emit.parts import Source, reduces
from opkg.kernels.emit.passes import kernel_parts
from opkg.kernels.emit.rows import turn
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Operand, Scalar, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.compute.extents import of_tensor
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Kernel, Layout, Op, ParamSpec

HEADER = "subject.h"
NAMESPACE = "subject"
_SCALE, _WIDE_SCALE = 0.02, 0.0004  # of inputs of 8 and 16 bits
_OUT_SCALE, _OUT_WIDE_SCALE = 0.1, 0.0008


@dataclass(frozen=True, slots=True)
class Subject:
    """One rows struct. `inputs` are those of its row functions; `fixed`: bits of inputs that are patterns of a step.
    `in_turns`: what repeats is read from memory instead, in the loop of any row."""

    op: Op
    kernel: Kernel
    snippet: Snippet
    lowered: Lowered | Loops | None
    inputs: tuple[Operand, ...]
    fixed: int
    in_turns: bool = False

    @property
    def name(self) -> str:
        return self.snippet.function

    @property
    def reduces(self) -> bool:
        return reduces(self.snippet)

    @property
    def reduced(self) -> frozenset[str]:
        """Outputs that have one element per row."""
        return self.lowered.reduced if isinstance(self.lowered, Loops) else frozenset()

    @property
    def bytes(self) -> int:
        """Bytes of an element of the first output, or of the first input where no output is as long as a row."""
        whole = [o for o in self.snippet.outputs if o.name not in self.reduced]
        return (whole or self.inputs)[0].storage.bytes


def subjects(op: Op) -> Iterator[Subject]:
    """The rows of all flat kernels of an op that are generated, with every optional input given."""
    for kernel in op.kernels:
        if kernel.body or kernel.layout is not Layout.FLAT or op.compute is None:
            continue
        for snippet in next(kernel_parts(op, _source(op, kernel), False)):
            candidate = choose(snippet)
            lowered = candidate.lowered if candidate is not None else None
            steps = turn(snippet, lowered) if isinstance(lowered, Lowered) else 0
            fixed = 0 if steps else _patterns(op, snippet)
            yield Subject(op, kernel, snippet, lowered, read_inputs(snippet), fixed, steps != 0)


def forms(subject: Subject) -> list[Lowered]:
    """The loops of a kernel under all interfaces: those that hand over signed elements as unsigned may have another."""
    found = [subject.lowered]
    for snippet in next(kernel_parts(subject.op, _source(subject.op, subject.kernel), True)):
        if snippet.struct == subject.snippet.struct:
            candidate = choose(snippet)
            found.append(candidate.lowered if candidate is not None else None)
    return [lowered for lowered in found if isinstance(lowered, Lowered)]


def kernel_text(subject: Subject, unroll: int | None = None) -> str:
    """The generated file with the subject's kernel. `unroll`: turns of its loop, else those of the strategy."""
    turns = {} if unroll is None else {subject.snippet.struct: unroll}
    return kernel_file(subject.op, HEADER, NAMESPACE, [_source(subject.op, subject.kernel)], False, turns).text


def header_text(subject: Subject) -> str:
    """The argument struct of the subject's kernel, with all tensors and params of the op."""
    op, combination = subject.op, subject.kernel.combination
    lines = [f"  opkg::Tensor<const {_element(t.dtype.of(combination))}> {t.name};" for t in op.inputs]
    for param in op.params:
        kind = f"opkg::Tensor<const {_param_element(param)}>" if param.shape is not None else _param_type(param)
        lines.append(f"  {kind} {param.name};")
    lines += [f"  opkg::Tensor<{_element(t.dtype.of(combination))}> {t.name};" for t in op.outputs]
    start = f'#pragma once\n#include "opkg/kernel.h"\nnamespace {NAMESPACE} {{\nstruct Args {{\n'
    end = f"}};\nopkg::Status {subject.kernel.function}(const Args& op);\n}}\n"
    return start + "\n".join(lines) + "\n" + end


def typical(subject: Subject) -> Mapping[str, tuple[float, int]]:
    """Scale and zero point of every operand."""
    found = {o.name: _numbers(o, place, _SCALE, _WIDE_SCALE) for place, o in enumerate(subject.inputs)}
    return found | {o.name: _numbers(o, 0, _OUT_SCALE, _OUT_WIDE_SCALE) for o in subject.snippet.outputs}


def numbers_of_params(subject: Subject) -> Mapping[str, float]:
    """A value of every scalar param: its default, or one inside of its range."""
    count = len(subject.snippet.params)
    specs = {param.name: param for param in subject.op.params}
    return {p.name: _param(p, specs[p.name], (2 * i + 1) / (2 * count)) for i, p in enumerate(subject.snippet.params)}


def _source(op: Op, kernel: Kernel) -> Source:
    elements = {t.name: _element(t.dtype.of(kernel.combination)) for t in op.tensors}
    elements |= {p.name: _param_element(p) for p in op.params if p.shape is not None}
    return Source(kernel, "Args", elements)


def _patterns(op: Op, snippet: Snippet) -> int:
    """Inputs that have only the last dimensions of the output (channels): they repeat along a row."""
    if reduces(snippet):
        return 0
    tensors = {t.name: t for t in op.inputs}
    whole = of_tensor(op.outputs[0], op).dims
    mask = 0
    for place, operand in enumerate(read_inputs(snippet)):
        tensor = tensors.get(operand.name)
        dims = of_tensor(tensor, op).dims if tensor is not None else None
        shorter = whole is not None and dims is not None and len(dims) < len(whole)
        if operand.may_broadcast and shorter and whole is not None and whole[len(whole) - len(dims or ()) :] == dims:
            mask |= 1 << place
    return mask


def _element(dtype: DType) -> str:
    if dtype.kind in (Kind.SFIXED, Kind.INT) and dtype.bits in (8, 16):
        return f"opkg::{'SFixed' if dtype.quantized else 'Int'}{dtype.bits}"
    return "opkg::Float16" if dtype.name == "float16" else dtype.cpp


def _param_element(param: ParamSpec) -> str:
    return "float" if param.dtype.kind is Kind.FLOAT else "int32_t" if param.dtype.bits == 32 else param.dtype.cpp


def _param_type(param: ParamSpec) -> str:
    if param.dtype.kind is Kind.BOOL:
        return "bool"
    return "float" if param.dtype.kind is Kind.FLOAT else param.dtype.cpp


def _numbers(operand: Operand, place: int, scale: float, wide: float) -> tuple[float, int]:
    if not operand.quantized:
        return 1.0, operand.bias
    middle = 0 if operand.storage.signed else 1 << (operand.storage.bits - 1)
    if operand.storage.bits == 8:
        return scale * (1 + place / 2), middle - 5 + 3 * place
    return wide * (1 + place / 2), middle - 300 * place


def _param(param: Scalar, spec: ParamSpec, place: float) -> float:
    if isinstance(spec.default, bool | int | float):
        return float(spec.default)
    low = param.low if param.low is not None else 0.0
    high = param.high if param.high is not None else low + 1.0
    value = low + (high - low) * place
    return value if param.dtype.kind is Kind.FLOAT else float(round(value))
