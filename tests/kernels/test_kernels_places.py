"""Places of extremes: whole packages against their references, on the host and in qemu, and cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import failures, generated

from opkg.cli.main import run
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.bench.measure import objdump
from opkg.verify.machines.hexagon import toolchain

# Rows that fill slots and that do not, of one and of several vectors, more elements than a key or a lane numbers; columns of
# vectors, of less than one, and of more elements than a lane numbers.
OPS = """\
  Last:
    types: {T: [ufixed8, sfixed8, ufixed16, int32, float16, float32, int8]}
    inputs: {x: {dtype: T, shape: [A, C]}}
    outputs: {y: {dtype: int32, shape: [A]}}
    kernels: [{multithreaded: true}]
    compute: y = argmax(x, axis=-1)
    tests:
      cases:
        - {x: {shape: [300, 2]}}
        - {x: {shape: [7, 1]}}
        - {x: {shape: [300, 3]}}
        - {x: {shape: [129, 17]}}
        - {x: {shape: [130, 32]}}
        - {x: {shape: [70, 64]}}
        - {x: {shape: [131, 100]}}
        - {x: {shape: [70, 128]}}
        - {x: {shape: [66, 129]}}
        - {x: {shape: [33, 1000]}}
        - {x: {shape: [2, 70001]}}
  LastLeast:
    types: {T: [ufixed8, sfixed16, int32, float16, float32, uint8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: int32, shape: "reduce(x, [-1], true)"}}
    compute: y = argmin(x, axis=-1, keepdims=True)
    tests:
      cases:
        - {x: {shape: [1000]}}
        - {x: {shape: [3, 5, 7, 21]}}
        - {x: {shape: [1, 2, 3, 130]}}
  Front:
    types: {T: [ufixed8, ufixed16, int32, float16, float32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: int32, shape: [A, C]}}
    kernels: [{multithreaded: true}]
    compute: y = argmax(x, axis=1)
    tests:
      cases:
        - {x: {shape: [2, 5, 300]}}
        - {x: {shape: [3, 21, 17]}}
        - {x: {shape: [2, 3, 3]}}
        - {x: {shape: [1, 600, 130]}}
        - {x: {shape: [2, 1, 9]}}
        - {x: {shape: [1, 65600, 5]}}
  FrontLeast:
    types: {T: [sfixed8, sfixed16, float16, int8]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    outputs: {y: {dtype: int32, shape: [1, B, C, D]}}
    compute: y = argmin(x, axis=0, keepdims=True)
    tests: {cases: [{x: {shape: [9, 4, 5, 17]}}, {x: {shape: [300, 1, 2, 65]}}]}
  Named:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, rank: 4}}
    params: {axis: {dtype: int32, default: -1, axis_of: x}}
    outputs: {y: {dtype: int32, shape: "reduce(x, [axis], true)"}}
    compute: y = argmax(x, axis=axis, keepdims=True)
    tests:
      cases:
        - {x: {shape: [2, 5, 6, 33]}, axis: 1}
        - {x: {shape: [2, 5, 6, 33]}, axis: 3}
        - {x: {shape: [2, 5, 6, 33]}, axis: -4}
  All:
    types: {T: [ufixed8, float16]}
    inputs: {x: {dtype: T, shape: [A, B]}}
    outputs: {y: {dtype: int32, shape: [1, 1]}}
    compute: y = argmax(x, keepdims=True)
    tests: {cases: [{x: {shape: [31, 5]}}, {x: {shape: [300, 301]}}]}
"""


def test_places_are_those_of_the_reference(tmp_path: Path) -> None:
    package = generated(tmp_path, OPS)
    machines = ("host",) if toolchain.missing() else ("host", f"hexagon-{toolchain.runnable()[-1]}")
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=3, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)
