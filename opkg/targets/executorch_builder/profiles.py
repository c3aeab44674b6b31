"""API generations of ExecuTorch's Qualcomm backend: one row per generation, read from the wheels on PyPI.

scripts/executorch_api.py reads what a wheel offers; tests/executorch/test_executorch_profile.py holds the rows against it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_QUALCOMM = "executorch.backends.qualcomm"


@dataclass(frozen=True, slots=True)
class Profile:
    """Where a generation of the wheel keeps what a builder needs, and what its API can carry.

    `versions`: the releases that it serves. `rules`: the quantizer's rules are classes in `quantizer.annotators.htp_rules`;
    else functions in `quantizer.annotators`, which has the key of annotations under the name `annotation_key`.
    `passes`: where the passes are whose pipeline fusions (`pattern:`) go into; empty: it has no place for them.
    `scalars`: QNN data types that AddScalarParam stores; others are dropped with a log line (measured on the wheel).
    `refuses`: builds of QNN that do not read the device configuration that it writes (error 14001; of those on PyPI).
    `tensors`: QNN data types a tensor of a torch graph can have once it reaches a builder.
    """

    name: str
    versions: tuple[str, ...]
    requirement: str
    adaptor: str
    visitor: str
    registry: str
    utils: str
    constants: str
    schema: str
    quantizer: str
    rules: bool
    annotation_key: str
    partitioner: str
    lowering: str
    layout: str
    passes: str
    scalars: frozenset[str]
    tensors: frozenset[str]
    refuses: tuple[str, ...] = ("2.47", "2.48", "2.50", "2.51")


def _qnn(*names: str) -> frozenset[str]:
    return frozenset(f"QNN_DATATYPE_{name}" for name in names)


_SMALL = ("INT_8", "INT_16", "INT_32", "UINT_8", "UINT_16", "UINT_32", "FLOAT_16", "FLOAT_32", "BOOL_8")
_FIXED = tuple(f"{sign}FIXED_POINT_{bits}" for sign, bits in (("S", 8), ("S", 16), ("S", 32), ("U", 8), ("U", 16)))

DEFAULT = Profile(
    name="executorch-1.5",
    versions=("1.4", "1.5"),
    requirement="executorch==1.5.1",
    adaptor=f"{_QUALCOMM}.python.PyQnnManagerAdaptor",
    visitor=f"{_QUALCOMM}.builders.node_visitor",
    registry=f"{_QUALCOMM}.builders.node_visitor_manager",
    utils=f"{_QUALCOMM}.builders.utils",
    constants=f"{_QUALCOMM}.utils.constants",
    schema=f"{_QUALCOMM}.serialization.qc_schema",
    quantizer=f"{_QUALCOMM}.quantizer",
    rules=True,
    annotation_key="Q_ANNOTATION_KEY",
    partitioner=f"{_QUALCOMM}.partition.qnn_partitioner",
    lowering=f"{_QUALCOMM}.utils.utils",
    layout=f"{_QUALCOMM}._passes.layout_transform",
    passes=f"{_QUALCOMM}._passes",
    scalars=_qnn(*_SMALL),
    tensors=_qnn(*_SMALL, *_FIXED, "INT_64"),
)
_NO_PASSES = replace(
    DEFAULT, name="executorch-1.3", versions=("1.2", "1.3"), requirement="executorch>=1.2,<1.4", passes=""
)
_FUNCTIONS = replace(
    _NO_PASSES, name="executorch-1.1", versions=("1.1",), requirement="executorch>=1.1,<1.2", rules=False
)
_WRAPPER = replace(
    _FUNCTIONS,
    name="executorch-1.0",
    versions=("1.0",),
    requirement="executorch>=1.0,<1.1",
    adaptor=f"{_QUALCOMM}.python.PyQnnWrapperAdaptor",
)
_OLDEST = replace(
    _WRAPPER,
    name="executorch-0.7",
    versions=("0.7",),
    requirement="executorch>=0.7,<0.8",
    annotation_key="QUANT_ANNOTATION_KEY",
)
PROFILES: dict[str, Profile] = {row.name: row for row in (DEFAULT, _NO_PASSES, _FUNCTIONS, _WRAPPER, _OLDEST)}
KNOWN = tuple(sorted(version for row in PROFILES.values() for version in row.versions))


def profile_of(version: str) -> Profile | None:
    """The row for a spec's `executorch`: "1.5", also "1.5.1"; the newest when it is empty; None: no row serves it."""
    if not version:
        return DEFAULT
    found = re.match(r"(\d+\.\d+)(?:\..*)?$", version)
    release = found[1] if found else ""
    return next((row for row in PROFILES.values() if release in row.versions), None)
