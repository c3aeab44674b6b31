"""The case file: what the runners read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opkg.spec.dtypes import DTYPES
from opkg.verify.cases.casefile import ALIGNMENT, render, scalar_bits

from .projects import cases_of, op_of
from .test_cases import MANY, MANY_REFERENCE


@pytest.mark.parametrize(
    ("value", "dtype", "bits"),
    [
        (1.0, "float32", "0x3f800000"), (-2, "int32", "0xfffffffe"), (-1, "int8", "0xff"), (True, "bool8", "0x1"),
        (7, "uint32", "0x7"), (-1, "int64", "0xffffffffffffffff"), (1.0, "float16", "0x3c00"),
    ],
)  # fmt: skip
def test_scalars_are_the_unions_bytes(value: float, dtype: str, bits: str) -> None:
    assert scalar_bits(value, DTYPES[dtype]) == bits


def _records(root: Path, name: str, **given: int) -> tuple[list[list[str]], bytes]:
    cases = cases_of(root, op_of(root, MANY, MANY_REFERENCE, name), **given)
    text, data = render(cases, "acme.test")
    return [line.split(" ") for line in text.splitlines()], data


def test_every_tensor_has_its_bytes(tmp_path: Path) -> None:
    records, data = _records(tmp_path, "Blocks", cases=12)
    assert records[0] == ["opkg-cases", "1"]
    tensors = [r for r in records if r[0] == "tensor"]
    for record in tensors:
        rank = int(record[4])
        dims = [int(d) for d in record[5 : 5 + rank]]
        if record[-2] == "-":
            assert record[2] in ("output", "null")
            continue
        offset, size = int(record[-2]), int(record[-1])
        assert offset % ALIGNMENT == 0
        assert offset + size <= len(data)
        assert size == int(np.prod(dims)) * 4
    assert {r[2] for r in tensors} == {"input", "static", "output"}


def test_absent_inputs_at_the_end_and_defaulted_params_are_left_out(tmp_path: Path) -> None:
    records, _ = _records(tmp_path, "Blocks", cases=24)
    nodes = [r for r in records if r[0] == "node"]
    assert {r[4] for r in nodes} == {"2", "3"}
    counts = set()
    for node in nodes:
        inputs = int(node[4])
        params = node[7 + inputs :]
        assert node[5 + inputs] == "1"
        counts.add(int(params[0]))
    assert counts >= {0, 3}


def test_per_axis_quantisation_is_written_out(tmp_path: Path) -> None:
    records, _ = _records(tmp_path, "Weights", cases=1)
    weights = next(r for r in records if r[:2] == ["tensor", "w"])
    rank = int(weights[4])
    quant = weights[5 + rank :]
    assert quant[:2] == ["axis", "1"]
    assert int(quant[2]) == int(weights[4 + rank])
    assert float.fromhex(quant[3]) > 0
