"""Runs in the interpreter that has torch: random computations, as torch computes them, against their meaning in numpy.

PYTHONPATH has test_random_executorch and opkg. Argument: the spec. Prints one line of JSON: shares of equal elements.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import test_random_executorch.ops as ops
import torch
from test_random_executorch import torch_values as tv

from opkg.spec.reader import read_file
from opkg.verify.meaning.compute import evaluate

SPECIAL = np.array([0.0, -0.0, 0.5, 1.5, -2.5, 3.0, np.nan, np.inf, -np.inf, 1e-30, 1e30])


def inputs(rng: np.random.Generator, shape: tuple[int, ...], given: bool) -> list[torch.Tensor | None]:
    def reals() -> torch.Tensor:
        values = np.where(rng.random(shape) < 0.1, rng.choice(SPECIAL, shape), rng.normal(0, 2, shape))
        return torch.from_numpy(values.astype(np.float32))

    i = np.where(rng.random(shape) < 0.1, rng.choice([-(2**31), 2**31 - 1], shape), rng.integers(-4, 5, shape))
    j = rng.integers(-128, 128, shape)
    b = rng.random(shape) < 0.5
    whole = [torch.from_numpy(i.astype(np.int32)), torch.from_numpy(j.astype(np.int8)), torch.from_numpy(b)]
    return [reals(), reals(), *whole, reals() if given else None]


def main() -> None:
    package, findings = read_file(Path(sys.argv[1]))
    assert package is not None, findings
    ops.define()
    rng = np.random.default_rng(11)
    shares = {}
    for op, record in zip(package.ops, ops.OPS, strict=True):
        equal = total = 0
        for given in (False, True):
            for shape, params in (((40,), {}), ((3, 4, 5), {"p": 1.25, "n": -3, "flag": False})):
                found = inputs(rng, shape, given)
                names = [tensor.name for tensor in op.inputs]
                values = {n: None if x is None else tv.entered(x).numpy() for n, x in zip(names, found, strict=True)}
                values |= {n: np.asarray(v) for n, v in ({"p": -0.75, "n": 2, "flag": True} | params).items()}
                wanted = evaluate(op.compute, values, op.combinations[0], exact=False)  # on doubles, as torch
                results = getattr(torch.ops.test_random, record.name)(*found, **params)
                for spec, result in zip(op.outputs, results, strict=True):
                    kind = str(result.dtype).removeprefix("torch.")
                    with np.errstate(all="ignore"):
                        want = np.broadcast_to(wanted[spec.name], shape).astype(kind)
                        real = kind == "float32"
                        same = np.isclose(result.numpy(), want, rtol=1e-6 if real else 0, atol=0, equal_nan=real)
                    equal, total = equal + int(same.sum()), total + same.size
        shares[record.name] = equal / total
    print(json.dumps(shares))


main()
