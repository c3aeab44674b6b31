"""Runs in the interpreter that has torch: `%` and `//` of a package against float64 and int64, bit by bit.

PYTHONPATH has the package. Prints one line of JSON: elements compared, quotients that float32 has not, and what is wrong.
"""

from __future__ import annotations

import json

import test_rest_executorch.ops as ops
import torch
from test_rest_executorch.torch_values import narrow

op = torch.ops.test_rest
SHORT = {torch.float32: torch.int32, torch.float16: torch.int16, torch.bfloat16: torch.int16}
SIZES = ((1, 51), (4, 4096), (9, 7))


def any_bits(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    kind = SHORT[dtype]
    low, high = torch.iinfo(kind).min, torch.iinfo(kind).max
    return torch.randint(low, high + 1, shape).to(kind).view(dtype)


def samples(dtype: torch.dtype) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Any bits, ordinary numbers, quotients that are nearly whole, and all halves beside some divisors."""
    found = []
    for shape in (*SIZES, (1 << 9, 1 << 9)):
        x, z = torch.randn(shape).to(dtype) * 9, torch.randn(shape).to(dtype)
        near = torch.randint(-300, 300, shape).to(dtype)
        found += [
            (any_bits(shape, dtype), any_bits(shape, dtype)),
            (x, z),
            (near * z, z),
            (near, torch.full_like(near, 0.25)),
        ]
        found += [(x.t(), z.t()), (any_bits(shape, dtype), z), (torch.zeros_like(x), -z), (-torch.zeros_like(x), z)]
    if dtype is not torch.float32:
        every = torch.arange(-32768, 32768).to(torch.int16).view(1, -1).view(dtype)
        found += [(every, torch.full_like(every, float(z))) for z in any_bits((24,), dtype)]
    return found


def reals() -> tuple[int, int, list[str]]:
    compared, large, wrong = 0, 0, []
    for dtype, kind in SHORT.items():
        for x, z in samples(dtype):
            exact = torch.remainder(x.double(), z.double())
            two = torch.remainder(x.double(), 2) + 0 * z.double()
            three = torch.remainder(3, x.double()) + 0 * z.double()
            large += int(((x.double() / z.double()).abs() > 2.0**128).sum())
            for name, want in (("rest", exact), ("rest_of_two", two), ("three", three), ("of_param", three)):
                want = narrow(want, dtype).contiguous()
                for _ in range(3):
                    got = getattr(op, name)(x, z)
                    same = (got.view(kind) == want.view(kind)) | (got.isnan() & want.isnan())
                    compared += got.numel()
                    if not same.all():
                        at = tuple(int(each[0]) for each in (~same).nonzero(as_tuple=True))
                        wrong.append(f"{name} {dtype} {tuple(x.shape)} {x[at]} {z[at]}: {got[at]}, not {want[at]}")
    return compared, large, wrong


def integers() -> tuple[int, list[str]]:
    compared, wrong = 0, []
    for dtype in (torch.int32, torch.int8, torch.uint8):
        ends = torch.iinfo(dtype)
        for shape in SIZES:
            for low, high in ((ends.min, ends.max), (max(ends.min, -2), 3), (1, 20)):
                x = torch.randint(ends.min, ends.max + 1, shape).to(dtype)
                x[0, :3] = torch.tensor([ends.min, ends.max, 0]).to(dtype)
                z = torch.randint(low, high + 1, shape).to(dtype)
                a, b = x.long(), z.long()
                safe = torch.where(b == 0, 1, b)
                wanted = {"whole": torch.div(a, safe, rounding_mode="floor"), "whole_rest": torch.remainder(a, safe)}
                for name, want in wanted.items():
                    want = torch.where(b == 0, 0, want).to(dtype)
                    for _ in range(3):
                        compared += want.numel()
                        if not torch.equal(getattr(op, name)(x, z), want):
                            wrong.append(f"{name} {dtype} {shape} {low}..{high}")
    return compared, wrong


def main() -> None:
    ops.define()
    torch.manual_seed(2)
    torch.set_num_threads(1)
    compared, large, wrong = reals()
    more, others = integers()
    print(json.dumps({"compared": compared + more, "large": large, "wrong": wrong + others}))


main()
