"""Runs in the interpreter that has torch: casts, and reals made of integers, against their meaning in numpy.

PYTHONPATH has the package and opkg. Argument: the spec. Prints one line of JSON: elements compared, what is wrong, and how many
ops take integers as reals.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import test_casts_executorch.ops as ops
import torch

from opkg.spec.reader import read_file
from opkg.verify.meaning.compute import evaluate

SHAPES = ((1, 17), (90, 100), (700, 100))
_NEAR = 256 * 2.0**-24
SPECIAL = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    np.nan,
    np.inf,
    -np.inf,
    1e-42,
    1e30,
    -1e30,
    255.5,
    255.99,
    -0.99,
    -128.5,
    127.99,
]
SPECIAL += [2.0**31, -(2.0**31), 2.0**31 - 128, 2.0**32, -(2.0**31) - 256, 2.0**63, 65535.5, 32767.5]


def sample(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], plain: bool) -> torch.Tensor:
    """Any numbers, small ones, and the ends of the type; `plain`: reals that every type has."""
    chosen = rng.random(shape)
    if dtype.startswith("float"):
        values = rng.normal(0, 30, shape)
        if not plain:
            values = np.where(chosen < 0.3, rng.choice(SPECIAL, shape), values * np.where(chosen > 0.8, 1e7, 1))
        with np.errstate(over="ignore"):
            return torch.from_numpy(values.astype(dtype))
    limits = np.iinfo(dtype)
    whole = rng.integers(limits.min, limits.max, shape, endpoint=True)
    small = rng.integers(max(limits.min, -3), 4, shape)
    ends = rng.choice([limits.min, limits.min + 1, limits.max - 1, limits.max], shape)
    return torch.from_numpy(np.where(chosen < 0.3, small, np.where(chosen < 0.6, ends, whole)).astype(dtype))


def kinds() -> list[str]:
    """What is wrong of an op with integers and bools beside reals of each type, also of calls that know the ones before."""
    near = {torch.float64: 1e-15, torch.float32: 1e-6, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
    wrong = []
    for (dtype, most), asks in itertools.product(near.items(), (False, True)):
        x = torch.linspace(-4, 4, 60).to(dtype).requires_grad_(asks)
        i, b = torch.arange(60, dtype=torch.int32) ** 2, torch.arange(60) % 3 > 0
        want = torch.where(b, i.double() * 0.1 * x.double(), x.double() + 1)
        for _ in range(4):
            got = torch.ops.test_casts.chosen(x, i, b)
            if got.dtype is not dtype or not torch.allclose(got.double(), want, rtol=most, atol=0, equal_nan=True):
                wrong.append(f"{dtype} {asks}: {got.dtype}")
    return wrong


def main() -> None:
    package, findings = read_file(Path(sys.argv[1]))
    assert package is not None, findings
    ops.define()
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    compared, wrong = 0, []
    for op, record in zip(package.ops[:-1], ops.OPS[:-1], strict=True):
        name = record.inputs[0]
        for shape in SHAPES:
            turns = 4 if shape[0] < 700 else 3
            for turn in range(turns):
                x = sample(rng, record.types[0][name], shape, turn == 1)
                if turn == turns - 1:  # as columns
                    x = x.t().contiguous().t()
                before = x.clone()
                entered = x.numpy() if not x.dtype.is_floating_point else x.double().numpy()
                values = {name: entered if x.dtype.is_floating_point else entered.astype(np.int64)}
                values |= {"s": np.float64(np.float32(0.037)), "p": np.int64(7)}
                with np.errstate(all="ignore"):
                    want = np.broadcast_to(evaluate(op.compute, values, op.combinations[0], exact=False)["y"], shape)
                got = getattr(torch.ops.test_casts, record.name)(x)
                kind = str(got.dtype).removeprefix("torch.")
                want = want.astype(kind)
                near = _NEAR if kind == "float32" and record.single else 0.0
                near = max(near, 2.0**-11 if kind == "float16" else 0.0)
                same = np.isclose(got.numpy(), want, rtol=near, atol=0, equal_nan=True) if near else got.numpy() == want
                compared += got.numel()
                apart = got.data_ptr() != x.data_ptr()
                if (
                    not same.all()
                    or not apart
                    or not got.is_contiguous()
                    or not torch.equal(x.nan_to_num(), before.nan_to_num())
                ):
                    at = tuple(int(each[0]) for each in np.nonzero(~same)) if not same.all() else ()
                    wrong.append(
                        [
                            op.name,
                            list(shape),
                            turn,
                            str(x[at]) if at else "",
                            str(got[at]) if at else "",
                            str(want[at]) if at else "",
                        ]
                    )
    reals = sum(bool(record.reals) for record in ops.OPS)
    print(json.dumps({"compared": compared, "wrong": wrong, "reals": reals, "kinds": kinds()}))


main()
