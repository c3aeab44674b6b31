"""What the releases of onnxruntime-qnn can do, as measured: a row each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Release:
    """A release of onnxruntime-qnn. `most_onnxruntime`: the newest onnxruntime that loads it; empty: no such limit is known."""

    version: str
    qnn: str
    most_onnxruntime: str
    domains_variable: bool  # ORT_QNN_CUSTOM_OP_DOMAINS makes ops known that have no function
    op_trace: bool  # enable_framework_op_trace


RELEASES = {
    row.version: row
    for row in (
        Release("2.3.0", "2.47", "1.24", domains_variable=False, op_trace=False),
        Release("2.4.0", "2.48", "", domains_variable=False, op_trace=True),
        Release("2.5.0", "2.49", "", domains_variable=False, op_trace=True),
        Release("2.6.0", "2.50", "", domains_variable=False, op_trace=True),
        Release("2.7.0", "2.51", "", domains_variable=True, op_trace=True),
    )
}


def release(version: str) -> Release | None:
    """The row of an installed version; the newest for later ones, None for earlier ones."""
    numbers = _numbers(version)
    known = [row for row in RELEASES.values() if _numbers(row.version) <= numbers]
    return known[-1] if known else None


def features(version: str) -> str:
    """What a release can do, in words."""
    row = release(version)
    if row is None:
        return "older than 2.3.0: not known to work"
    found = ["ops without a function"] if row.domains_variable else ["ops need a function"]
    found += ["traces of ops"] if row.op_trace else []
    found += [f"onnxruntime up to {row.most_onnxruntime}"] if row.most_onnxruntime else []
    return f"QNN {row.qnn}; {', '.join(found)}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdigit())
