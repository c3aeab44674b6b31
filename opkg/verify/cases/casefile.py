"""Writes cases in the format that the runners read: docs/design/case-format.md."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from opkg.spec.dtypes import DType, Kind
from opkg.verify.cases.call_params import call_params
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.meaning.numbers import Quant, encode

ALIGNMENT = 64  # of every tensor in F.bin


def _name(text: str) -> str:
    """A name without white space, as the format wants it."""
    return re.sub(r"\s+", "_", text)


def quant_text(quant: Quant | None) -> str:
    """The QUANT tokens of a tensor."""
    if quant is None:
        return "none"
    if quant.axis is None:
        return f"so {float(quant.scale).hex()} {quant.offset}"
    pairs = " ".join(f"{float(s).hex()} {o}" for s, o in zip(quant.scales, quant.offsets, strict=True))
    return f"axis {quant.axis} {len(quant.scales)} {pairs}"


def scalar_bits(value: bool | int | float, dtype: DType) -> str:
    """The 8-byte union of a scalar param as a hex number: the value in its lowest bytes."""
    if dtype.kind is Kind.FLOAT:
        code = "<e" if dtype.bits == 16 else "<f"
        return f"0x{int.from_bytes(struct.pack(code, float(value)), 'little'):x}"
    return f"0x{int(value) & ((1 << max(dtype.bits, 8)) - 1):x}"


@dataclass(slots=True)
class Data:
    """The growing F.bin."""

    content: bytearray

    def add(self, raw: bytes) -> str:
        self.content.extend(b"\0" * (-len(self.content) % ALIGNMENT))
        start = len(self.content)
        self.content.extend(raw)
        return f"{start} {len(raw)}"


def _dims(shape: tuple[int, ...], kind: str = "static") -> str:
    """The RANK DIM... tokens. HTP prepares no outputs and constants of rank 0: these are [1], as every caller has them."""
    shape = shape if kind in ("input", "null") else shape or (1,)
    return " ".join(map(str, (len(shape), *shape)))


def _tensor(tensor: CaseTensor, kind: str, data: Data) -> str:
    place = "- -"
    if tensor.stored is not None:
        place = data.add(np.ascontiguousarray(tensor.stored).tobytes())
    head = f"tensor {tensor.name} {kind} {tensor.dtype.qnn_value:#x} {_dims(tensor.shape, kind)}"
    return f"{head} {quant_text(tensor.quant)} {place}"


def param_text(param: CaseParam, data: Data, lines: list[str], name: str = "") -> str:
    """The PARAM tokens of a param; a tensor param's own line, under `name`, goes to `lines`."""
    dtype = param.spec.dtype
    if param.shape is None:
        assert not isinstance(param.value, tuple)
        return f"scalar {param.spec.name} {dtype.qnn_value:#x} {scalar_bits(param.value, dtype)}"
    stored = encode(param.array(), dtype, None)
    name = name or f"param.{param.spec.name}"
    head = f"tensor {name} static {dtype.qnn_value:#x} {_dims(param.shape)} none"
    lines.append(f"{head} {data.add(stored.tobytes())}")
    return f"tensor {param.spec.name} {name}"


def _input_kind(tensor: CaseTensor) -> str:
    if tensor.absent:
        return "null"
    return "static" if tensor.spec.static else "input"


def _case(index: int, case: Case, package: str, data: Data) -> list[str]:
    lines = [f"case {index} {_name(f'{case.op.name}/{case.id}')}"]
    inputs = list(case.inputs)
    while inputs and inputs[-1].absent:  # left out at the end, a null tensor in the middle
        inputs.pop()
    lines.extend(_tensor(t, _input_kind(t), data) for t in inputs)
    lines.extend(_tensor(t, "output", data) for t in case.outputs)
    params = [param_text(p, data, lines) for p in call_params(case) if p.given]
    names = [str(len(inputs)), *(t.name for t in inputs)]
    names += [str(len(case.outputs)), *(t.name for t in case.outputs), str(len(params)), *params]
    lines.append(f"node n0 {package} {case.op.name} " + " ".join(names))
    lines.append("end")
    return lines


def render(cases: Sequence[Case], package: str) -> tuple[str, bytes]:
    """The texts of F.cases and F.bin. A case's index is its place in the sequence."""
    data = Data(bytearray())
    lines = ["opkg-cases 1"]
    for index, case in enumerate(cases):
        lines.extend(_case(index, case, package, data))
    return "\n".join(lines) + "\n", bytes(data.content)


def write(cases: Sequence[Case], package: str, cases_path: Path, data_path: Path) -> None:
    """Writes both files."""
    text, data = render(cases, package)
    cases_path.write_text(text, encoding="utf-8")
    data_path.write_bytes(data)
