"""Runs in the interpreter that has torch: ops of integers that are computed in int32, against their meaning in numpy, bit by bit.

PYTHONPATH has the package and opkg. Argument: the spec. Prints one line of JSON: elements compared, and what is wrong.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import test_whole_executorch.ops as ops
import torch

from opkg.spec.reader import read_file
from opkg.verify.meaning.compute import evaluate

SHAPES = ((5, 7), (40, 100), (1, 17), (700, 100))
CALLS = [
    *((shape, False) for shape in (*SHAPES, SHAPES[0], SHAPES[0], SHAPES[3])),
    (SHAPES[3], True),
    (SHAPES[1], True),
]


def sample(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], all_small: bool) -> torch.Tensor:
    """Any numbers, small ones, and the ends of the type; or small ones alone."""
    if dtype == "bool8":
        return torch.from_numpy(rng.random(shape) < 0.5)
    limits = np.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, shape, endpoint=True)
    if all_small:
        return torch.from_numpy(rng.integers(max(limits.min, -99), 100, shape).astype(dtype))
    small = rng.integers(max(limits.min, -3), 4, shape)
    ends = rng.choice([limits.min, limits.min + 1, limits.max - 1, limits.max], shape)
    chosen = rng.random(shape)
    values = np.where(chosen < 0.3, small, np.where(chosen < 0.6, ends, values))
    return torch.from_numpy(values.astype(dtype))


def main() -> None:
    package, findings = read_file(Path(sys.argv[1]))
    assert package is not None, findings
    ops.define()
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    compared, wrong = 0, []
    for op, record in zip(package.ops, ops.OPS, strict=True):
        for row in record.whole:
            for shape, all_small in CALLS:
                tensors = [sample(rng, record.types[row][name], shape, all_small) for name in record.inputs]
                before = [t.clone() for t in tensors]
                values = {
                    n: t.numpy() if t.dtype is torch.bool else t.long().numpy()
                    for n, t in zip(record.inputs, tensors, strict=True)
                }
                values["p"] = np.asarray(7, np.int64)
                wanted = evaluate(op.compute, values, op.combinations[row], exact=False)
                results = getattr(torch.ops.test_whole, record.name)(*tensors)
                for output, got in zip(op.outputs, results if isinstance(results, tuple) else (results,), strict=True):
                    want = np.broadcast_to(wanted[output.name], got.shape).astype(str(got.dtype).removeprefix("torch."))
                    compared += got.numel()
                    apart = all(got.data_ptr() != t.data_ptr() for t in tensors)
                    if not apart or not np.array_equal(got.numpy(), want):
                        wrong.append([op.name, output.name, row, list(shape), str(record.single[row])])
                assert all(torch.equal(a, b) for a, b in zip(tensors, before, strict=True))
    print(json.dumps({"compared": compared, "wrong": wrong}))


main()
