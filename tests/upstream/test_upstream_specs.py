"""The example of QNN's operators against QNN's documentation: inputs, outputs, params, element types, named values."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from opkg.spec.model import Op, TensorSpec
from opkg.spec.reader import read_file

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = read_file(ROOT / "examples" / "qnn" / "specs" / "qnn.yaml")[0]
assert PACKAGE is not None

# Element types that version 2.49 of the HTP takes in upstream's tests, and the documentation of 2.25 does not name.
MORE = {
    "Convert": {"sfixed16", "sfixed32"},
    "ElementWiseAbs": {"int32"},
    "ElementWiseAsin": {"float16", "float32", "ufixed16"},
    "ElementWiseMaximum": {"int32"},
    "ElementWiseMinimum": {"int32"},
    "ElementWiseNeg": {"int32"},
    "ElementWiseSign": {"int32"},
    "Pack": {"int32"},
}
NEWER = {"IsNan", "RandomNormalLike"}  # no table


class Row(NamedTuple):
    """An input, output or param; `types`: `-` when nothing is said, `backend` when it is left to the backends."""

    op: str
    kind: str
    name: str
    mandatory: str
    types: str
    enum: str

    @property
    def known(self) -> set[str]:
        return set() if self.types == "-" else set(self.types.split(","))


def rows() -> list[Row]:
    lines = (Path(__file__).parent / "qnn-ops.tsv").read_text("utf-8").splitlines()
    return [Row(*line.split("\t")) for line in lines if not line.startswith("#")][1:]


ROWS = rows()


def faults(op: Op, table: list[Row]) -> list[str]:
    """What the spec says otherwise than the table."""
    found: list[str] = []
    for kind, tensors in (("input", op.inputs), ("output", op.outputs)):
        found += _tensors(op, kind, tensors, [row for row in table if row.kind == kind])
    params = {row.name: row for row in reversed(table) if row.kind == "param"}  # the first of two
    for param in op.params:
        row = params.get(param.name)
        if row is None:
            found.append(f"no param {param.name}")
            continue
        if row.types not in ("-", "backend", param.dtype.name):
            found.append(f"param {param.name} is {row.types}")
        enums = [row.enum for row in table if row.name == param.name and row.enum != "-"]
        named = dict(each.split("=") for enum in enums for each in enum.split(";"))
        found += [f"{param.name}: {key} is {named.get(key)}" for key, n in param.enum if named.get(key) != str(n)]
    given = {param.name for param in op.params}
    found += [
        f"param {name} is mandatory" for name, row in params.items() if row.mandatory == "yes" and name not in given
    ]
    return found


def _tensors(op: Op, kind: str, tensors: tuple[TensorSpec, ...], table: list[Row]) -> list[str]:
    if not table:
        return []
    found = [f"{kind} {row.name} is mandatory" for row in table[len(tensors) :] if row.mandatory == "yes"]
    found += [f"{len(tensors)} {kind}s, not {len(table)}"] if len(tensors) > len(table) else []
    for tensor, row in zip(tensors, table, strict=False):
        types = {tensor.dtype.of(combination).name for combination in op.combinations}
        strange = types - row.known - MORE.get(op.name, set()) if row.known else set()
        found += [f"{kind} {tensor.name}: {', '.join(sorted(strange))}"] if strange else []
    return found


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_the_spec_says_what_the_documentation_says(op: Op) -> None:
    table = [row for row in ROWS if row.op == op.name]
    assert bool(table) == (op.name not in NEWER)
    assert op.name in NEWER or faults(op, table) == []


def test_faults_are_seen() -> None:
    """Another op's rows are not this op's."""
    pad = next(op for op in PACKAGE.ops if op.name == "Pad")
    assert faults(pad, [row for row in ROWS if row.op == "StridedSlice"]) == [
        "no param scheme",
        "no param pad_amount",
        "no param pad_constant_value",
        "param ranges is mandatory",
    ]
