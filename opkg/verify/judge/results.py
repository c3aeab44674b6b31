"""What a runner reports of a case (docs/design/case-format.md, "Results"), read without trusting a byte of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from opkg.spec.diagnostics import Span
from opkg.verify.cases.case import CaseTensor
from opkg.verify.judge.paths import NOTHING, Paths
from opkg.verify.meaning.numbers import Array, storage

STATUSES = ("ok", "rejected", "error", "crash", "timeout", "guard")
NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class LogLine:
    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What a sanitizer saw, at a line of the user's. `stray`: an access outside of an object."""

    span: Span
    text: str
    stray: bool = False

    @property
    def cause(self) -> object:
        """Faults with the same one are one: sanitizers see a stray access each in its way."""
        return (self.span.path, self.span.line) if self.stray else self


@dataclass(frozen=True, slots=True)
class RawOutput:
    """One output's bytes."""

    name: str
    dims: tuple[int, ...]
    data: bytes

    def array(self, tensor: CaseTensor) -> Array | str:
        """The stored numbers in the tensor's shape, or what is wrong with them."""
        kind = storage(tensor.dtype)
        if len(self.data) != tensor.elements * kind.itemsize:
            return f"output {self.name} has {len(self.data)} bytes, expected {tensor.elements * kind.itemsize}"
        return np.frombuffer(self.data, dtype=kind).reshape(tensor.shape)


@dataclass(frozen=True, slots=True)
class RawResult:
    """One record. `status` is one of STATUSES, or NOT_RUN where the run ended before the case.

    `again`: the outputs of the same call once more, where they differ. `report`: what a sanitizer wrote,
    `faults`: what that means.
    `after`: the case that was run in the same process before it.
    """

    case: int
    status: str
    stage: str = ""
    code: int = 0
    message: str = ""
    kernels: tuple[tuple[str, str], ...] = ()  # (op, kernel)
    outputs: tuple[RawOutput, ...] = ()
    again: tuple[RawOutput, ...] = ()
    log: tuple[LogLine, ...] = ()
    trace: tuple[str, ...] = ()
    paths: Paths = NOTHING
    microseconds: int = 0
    report: str = ""
    after: str = ""
    faults: tuple[Fault, ...] = ()


def _text(value: object) -> str:
    """A string of the record. The writer escapes bytes, so UTF-8 arrives as Latin-1."""
    text = value if isinstance(value, str) else ""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _records(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _output(item: dict[str, object], data: bytes) -> RawOutput:
    start, size = _number(item.get("offset")), _number(item.get("size"))
    dims = item.get("dims")
    shape = tuple(_number(d) for d in dims) if isinstance(dims, list) else ()
    return RawOutput(_text(item.get("name")), shape, data[start : start + size] if start >= 0 <= size else b"")


def _parse(line: str, data: bytes) -> RawResult | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("case"), int):
        return None
    status = record.get("status")
    trace = record.get("trace")
    return RawResult(
        case=record["case"],
        status=status if status in STATUSES else "error",
        stage=_text(record.get("stage")),
        code=_number(record.get("code")),
        message=_text(record.get("message")),
        kernels=tuple((_text(k.get("op")), _text(k.get("kernel"))) for k in _records(record.get("kernels"))),
        outputs=tuple(_output(o, data) for o in _records(record.get("outputs"))),
        again=tuple(_output(o, data) for o in _records(record.get("again"))),
        log=tuple(LogLine(_text(x.get("level")), _text(x.get("text"))) for x in _records(record.get("log"))),
        trace=tuple(_text(t) for t in trace) if isinstance(trace, list) else (),
        paths=Paths(_number(record.get("vector")), _number(record.get("portable"))),
        microseconds=_number(record.get("us")),
        report=_text(record.get("report")),
        after=_text(record.get("after")),
    )


def read(results: Path, out: Path) -> list[RawResult]:
    """All whole records of a results file, in order; a missing file has none, a damaged line is skipped.

    A record that only holds a sanitizer's report is joined to that of its case.
    """
    if not results.is_file():
        return []
    data = out.read_bytes() if out.is_file() else b""
    lines = results.read_text(encoding="utf-8", errors="replace").splitlines()
    found: list[RawResult] = []
    for line in lines:
        record = _parse(line, data) if line.strip() else None
        if record is not None and record.report and found and found[-1].case == record.case:
            found[-1] = replace(found[-1], report=record.report)
        elif record is not None:
            found.append(record)
    return found
