"""The records of a run: one line of JSON a case (docs/design/case-format.md, "Results"), and what is kept of a log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, TextIO

MOST_LOG = 40
# Lines of the backend's log that are kept, and among them what every run says.
TELLING = ("error", "warn", "missing", "not found", "fail")
NOISE = (
    "[INFO",
    "deprecat",
    "Failed to load",
    "aliases output",
    "LIBNATIVE",
    "backend_opinfo",
    "The `BackendOpInfo` API",
    "No quant config is implemented",
    "Qnn API version",
    "Duplicate QHPI_",
)


class Refused(Exception):
    """A case that did not come to its end: `status` and `stage` of the record, and what is known."""

    def __init__(self, status: str, stage: str, message: str) -> None:
        super().__init__(message)
        self.status, self.stage = status, stage

    @property
    def record(self) -> dict[str, Any]:
        return {"status": self.status, "stage": self.stage, "message": str(self)}


def one_line(failure: BaseException) -> str:
    text = " ".join(str(failure).split())
    return f"{type(failure).__name__}: {text}"[:600]


def log_lines(said: Iterable[str], path: Path) -> list[dict[str, str]]:
    """What builders warned of, then what the backend wrote of errors; without what every run says."""
    found = [("warning", text) for text in said]
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if any(each in line.lower() for each in TELLING):
            found.append(("error" if "error" in line.lower() else "log", line))
    kept = {" ".join(text.split())[:400]: level for level, text in found if not any(each in text for each in NOISE)}
    return [{"level": level, "text": text} for text, level in kept.items() if text][:MOST_LOG]


def write(record: dict[str, Any], results: TextIO, out: BinaryIO) -> None:
    """One line, whose text is bytes of UTF-8 as the other runners write it, after the numbers that it names."""
    described = []
    for name, array in record.pop("outputs", ()):
        described.append({"name": name, "dims": list(array.shape), "offset": out.tell(), "size": array.nbytes})
        out.write(array.tobytes())
    out.flush()
    record["outputs"] = described
    results.write(json.dumps(_latin(record)) + "\n")
    results.flush()


def _latin(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", errors="replace").decode("latin-1")
    if isinstance(value, dict):
        return {key: _latin(each) for key, each in value.items()}
    return [_latin(each) for each in value] if isinstance(value, list) else value
